BEGIN
{
	@ = lquantize(1, 0, 20, 2);
	@ = lquantize(1, 1, 20, 2);
}
