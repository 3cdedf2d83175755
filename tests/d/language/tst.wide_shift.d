#pragma D option quiet

BEGIN
{
	int64_bits = (int64_t)0;
	n = 31;
	int64_bits = 1 << n;
	printf("%d\n", int64_bits);
	exit(0);
}
