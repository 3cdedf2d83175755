#pragma D option quiet

BEGIN
{
	@ = quantize(0);
	@ = quantize(1);
	@ = quantize(5, 3);
	@ = quantize(-9);
	@one["key"] = quantize(1024);
	@minus = quantize(4, -2);
	exit(0);
}
