BEGIN
{
	@ = llquantize(1, 65536, 0, 3, 10);
}
