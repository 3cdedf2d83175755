#pragma D option quiet
#pragma D option bufpolicy=ring
#pragma D option bufsize=64

BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN
{
	n++;
	printf("%d\n", n);
}
BEGIN { exit(0); }
