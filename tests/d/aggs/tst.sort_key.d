#pragma D option quiet
#pragma D option aggsortkey

BEGIN
{
	@["b", 1] = sum(2);
	@["a", 3] = sum(3);
	@["c", 2] = sum(1);
	@["a", 1] = sum(2);
	exit(0);
}
