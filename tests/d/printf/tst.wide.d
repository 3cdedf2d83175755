#pragma D option quiet

BEGIN
{
	printf("%lc|%wc\n", 'e', 'f');
	exit(0);
}
