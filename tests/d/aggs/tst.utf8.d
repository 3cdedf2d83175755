#pragma D option quiet
#pragma D option encoding=utf8

BEGIN
{
	@ = quantize(8, 40);
	@ = quantize(64, 9);
	exit(0);
}
