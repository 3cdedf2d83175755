BEGIN
{
	@ = lquantize(1, 0, 2147483648);
}
