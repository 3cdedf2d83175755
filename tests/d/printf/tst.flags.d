#pragma D option quiet

BEGIN
{
	printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
	printf("[%#x] [%#o] [%'d]\n", 255, 8, 1234567);
	printf("[%8.3s] [%-8s] [%.2s]\n", "abcdef", "abc", "abcdef");
	printf("[%*d] [%-*d] [%.*s]\n", 6, 42, 6, 42, 3, "abcdef");
	printf("[%?x] [%.3d]\n", 255, 7);
	exit(0);
}
