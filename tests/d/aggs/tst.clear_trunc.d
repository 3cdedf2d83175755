#pragma D option quiet

BEGIN
{
	@c["kept"] = sum(5);
	@t["low"] = sum(1);
	@t["mid"] = sum(2);
	@t["high"] = sum(3);
	@u["low"] = sum(1);
	@u["high"] = sum(3);
	@gone = count();
	clear(@c);
	trunc(@t, 2);
	trunc(@u, -1);
	trunc(@gone);
	exit(0);
}
