/* exit() in a loop ends the clause. */
#pragma D option dx
#pragma D option quiet

BEGIN
{
	for (i = 0; i < 10; i++) {
		printf("%d\n", i);
		if (i == 2)
			exit(0);
	}
	printf("not printed\n");
}
