BEGIN
{
	@ = count();
	@x = sum(1);
	@x[1] = avg(2);
	@["key", pid, this->x] = lquantize(x, 0, 100, 10);
	@x[execname] = quantize(arg0, 2);
	@a_1[stack()] = count();
	printa(@); printa("%@d", @x, @y);
	clear(@x); trunc(@x, 10);
	x = @y + 1;
}
