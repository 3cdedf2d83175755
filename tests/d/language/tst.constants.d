/* The constants of the language, by value. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", AF_INET, AF_INET6, NULL == 0);
	printf("%d %d %d %d ", DTRACEFLT_UNKNOWN, DTRACEFLT_BADADDR, DTRACEFLT_BADALIGN, DTRACEFLT_ILLOP);
	printf("%d %d %d %d ", DTRACEFLT_DIVZERO, DTRACEFLT_NOSCRATCH, DTRACEFLT_KPRIV, DTRACEFLT_UPRIV);
	printf("%d %d\n", DTRACEFLT_TUPOFLOW, DTRACEFLT_BADSTACK);
	exit(0);
}
