/* A speculation that a loop makes larger than it can be. */
#pragma D option dx
#pragma D option quiet
#pragma D option specsize=256

BEGIN
{
	this->s = speculation();
	speculate(this->s);
	for (i = 0; i < 1000; i++)
		trace(i);
}

tick-10ms
{
	exit(0);
}
