#pragma D option aggsize=40
#pragma D option quiet

BEGIN
{
	@[1] = count();
	@[2] = count();
	@[3] = count();
	@[4] = count();
	exit(0);
}
