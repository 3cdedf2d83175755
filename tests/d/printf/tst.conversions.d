#pragma D option quiet

BEGIN
{
	printf("%d %i %o %u %x %X\n", -5, 5, 8, 7, 255, 255);
	printf("%hd %ld %lld %hhx\n", (short)-2, (long)-3, (long long)-4, (char)0x41);
	printf("%c%c %s %%\n", 'o', 'k', "text");
	printf("%u %u\n", (uint8_t)200, (uint32_t)-1);
	printf("%d %d %d %d\n", (char)-1, (short)-1, (int)-1, (long long)-1);
	printf("%C %S\n", '\n', "tab\there");
	exit(0);
}
