#!/usr/bin/env -S dtrace -s
/*
 * clocks.d: both clocks of a trace, each second: since the trace began, and on the wall.
 *
 *   dtrace clocks trace.etl
 *
 * Needs any events: a timed probe fires when the first event at or after its time comes. Example:
 *
 *      SECONDS       TIMESTAMP ns  WALL CLOCK
 *        1.000         1234567890  2020 Feb 10 07:15:01
 */
#pragma D option quiet

BEGIN
{
	begun = timestamp;
	printf("%10s %18s  %s\n", "SECONDS", "TIMESTAMP ns", "WALL CLOCK");
}

BEGIN,
tick-1s,
END
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%6d.%03d %18d  %Y\n", this->ms / 1000, this->ms % 1000, timestamp, walltimestamp);
}
