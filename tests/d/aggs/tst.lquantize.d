#pragma D option quiet

BEGIN
{
	@ = lquantize(-5, 0, 100, 10);
	@ = lquantize(0, 0, 100, 10);
	@ = lquantize(55, 0, 100, 10, 4);
	@ = lquantize(1000, 0, 100, 10);
	@step = lquantize(2, 0, 4);
	exit(0);
}
