/* A record that loops make larger than its buffer is dropped. */
#pragma D option dx
#pragma D option quiet
#pragma D option bufsize=1k

BEGIN
{
	for (i = 0; i < 1000; i++)
		trace(i);
}

tick-10ms
{
	exit(0);
}
