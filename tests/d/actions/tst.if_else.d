#pragma D option quiet


int n;

BEGIN, BEGIN, BEGIN
{
	n++;
	if (n == 1) {
		printf("one\n");
	} else if (n == 2) {
		printf("two\n");
	} else {
		printf("more\n");
	}
}
BEGIN { exit(0); }
