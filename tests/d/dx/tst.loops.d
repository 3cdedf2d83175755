/* Loops of each form, nested, with break and continue, and a loop in a predicate's function. */
#pragma D option dx
#pragma D option quiet

int
low_bits(int n)
{
	int count = 0;
	while (n & 1) {
		count++;
		n >>= 1;
	}
	return count;
}

BEGIN
/low_bits(7) == 3 && low_bits(4) == 0/
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; ; j++) {
			if (j > i)
				break;
			if (j == 1)
				continue;
			printf("%d.%d ", i, j);
		}
	}
	printf("\n");
	this->n = 0;
	do {
		this->n++;
	} while (this->n < 5);
	printf("%d\n", this->n);
	do this->n--; while (0);
	printf("%d\n", this->n);
	for (;;) {
		if (this->n++ >= 6)
			break;
	}
	printf("%d\n", this->n);
	for (k = 0; k < 4; k++)
		@[k % 2] = sum(k);
	printa("%d: %@d\n", @);
	int total[3];
	for (int i = 0; i < 9; i++)
		total[i % 3] += i;
	printf("%d %d %d\n", total[0], total[1], total[2]);
	{
		string s = "inner";
		int i = 9;
		printf("%s %d\n", s, i);
	}
	exit(0);
}
