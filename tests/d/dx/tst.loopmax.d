/* A clause that makes too many rounds ends with a specific fault; others continue. */
#pragma D option dx
#pragma D option quiet
#pragma D option loopmax=100

int i;

ERROR
{
	printf("fault %d after %d\n", arg4 == DTRACEFLT_LOOPMAX, i);
}

BEGIN
{
	printf("never printed\n");
	for (i = 0; i < 1000; i++)
		j = i;
}

BEGIN
{
	for (i = 0; i < 10; i++)
		for (k = 0; k < 8; k++)
			total++;
	printf("%d rounds\n", total);
	exit(0);
}
