#pragma D option dynvarsize=256
#pragma D option quiet

BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN
{
	a[n++] = 1;
}
BEGIN { exit(0); }
