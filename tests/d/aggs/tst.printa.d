#pragma D option quiet

BEGIN
{
	@a["x"] = sum(10);
	@a["y"] = sum(20);
	@b["x"] = count();
	printa(@a);
	printa("%s=%@d\n", @a);
	printa("%-5s %@5d %@d\n", @a, @b);
	printa(@a, @b);
	printa("%@d;", @b);
	printf("\n");
	exit(0);
}
