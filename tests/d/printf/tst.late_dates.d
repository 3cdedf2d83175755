/* Times near the end of what 63 bits hold. */
#pragma D option quiet

BEGIN
{
	printf("%Y\n", (uint64_t)0x7fffffffffffffff);
	exit(0);
}
