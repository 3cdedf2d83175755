#pragma D option quiet
#pragma D option bufpolicy=fill
#pragma D option bufsize=64

BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN
{
	n++;
	printf("%d\n", n);
}
