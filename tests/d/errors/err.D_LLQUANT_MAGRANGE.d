BEGIN
{
	@ = llquantize(1, 10, 4, 3, 10);
}
