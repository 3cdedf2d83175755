#pragma D option quiet

BEGIN
{
	printf("%Y\n", (uint64_t)0);
	printf("%Y\n", (uint64_t)1700000000 * 1000000000);
	printf("%T\n", (uint64_t)1700000000 * 1000000000);
	exit(0);
}
