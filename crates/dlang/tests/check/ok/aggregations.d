BEGIN
{
	@ = count();
	@s[execname, pid] = sum(arg0);
	@q[stack(5)] = quantize(timestamp - arg1);
	@l = lquantize(arg0, 0, 100, 10, 2);
	printa("%s %d %@d\n", @s);
	clear(@s);
	trunc(@s, 5);
	normalize(@q, 1000);
}
