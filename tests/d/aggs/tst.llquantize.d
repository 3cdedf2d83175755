#pragma D option quiet

BEGIN
{
	@ = llquantize(0, 10, 0, 3, 10);
	@ = llquantize(7, 10, 0, 3, 10);
	@ = llquantize(250, 10, 0, 3, 10, 5);
	@ = llquantize(123456, 10, 0, 3, 10);
	exit(0);
}
