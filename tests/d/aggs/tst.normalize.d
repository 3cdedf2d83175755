#pragma D option quiet

BEGIN
{
	@a = sum(1000);
	@b[1] = sum(700);
	normalize(@a, 10);
	normalize(@b, 7);
	printa(@a);
	printa(@b);
	denormalize(@a);
	printa(@a);
	exit(0);
}
