#pragma D option quiet

BEGIN
{
	printf("%a|%A|%p\n", (uint64_t)0x1234, (uint64_t)0x5678, (void *)0xabc);
	exit(0);
}
