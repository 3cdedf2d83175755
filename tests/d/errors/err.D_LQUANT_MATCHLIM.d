BEGIN
{
	@ = lquantize(1, 0, 20, 2);
	@ = lquantize(1, 0, 21, 2);
}
