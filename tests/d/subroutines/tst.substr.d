#pragma D option quiet

BEGIN
{
	printf("[%s]\n", substr("abcdef", 2));
	printf("[%s]\n", substr("abcdef", 2, 3));
	printf("[%s]\n", substr("abcdef", -2));
	printf("[%s]\n", substr("abcdef", -4, 2));
	printf("[%s]\n", substr("abcdef", 1, -1));
	printf("[%s]\n", substr("abcdef", 6));
	printf("[%s]\n", substr("abcdef", 9));
	printf("[%s]\n", substr("abcdef", 0, 0));
	exit(0);
}
