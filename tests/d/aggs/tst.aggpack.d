#pragma D option quiet
#pragma D option aggpack

BEGIN
{
	@n["a"] = sum(10);
	@n["b"] = sum(30);
	@n["c"] = sum(-5);
	@q["x"] = quantize(8, 40);
	@q["x"] = quantize(64, 10);
	@l = lquantize(3, 0, 10, 1);
	exit(0);
}
