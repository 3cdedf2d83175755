/*
 * printa() shows an aggregation as it is when its record is shown: at switchrate, or at the end.
 */
#pragma D option quiet
#pragma D option switchrate=60sec

BEGIN
{
	i = 0;
}

tick-10ms
/i < 5/
{
	i++;
	@ = count();
	printa("%@d\n", @);
}

tick-10ms
/i == 5/
{
	exit(0);
}
