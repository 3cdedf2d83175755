#!/usr/bin/env -S dtrace -s
/*
 * hello.d: the first script: when a trace begins and ends.
 *
 *   dtrace hello trace.etl
 *
 * BEGIN and END need nothing: their time is that of the trace. Example:
 *
 *   Hello: this trace begins 2020 Feb 10 07:15:00
 *   Goodbye: it ends 2020 Feb 10 07:15:20, 20.000 s later
 */
#pragma D option quiet

BEGIN
{
	begun = timestamp;
	printf("Hello: this trace begins %Y\n", walltimestamp);
}

END
{
	this->ms = (timestamp - begun) / 1000000;
	printf("Goodbye: it ends %Y, %d.%03d s later\n", walltimestamp, this->ms / 1000, this->ms % 1000);
}
