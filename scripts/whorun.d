#!/usr/bin/env -S dtrace -s
/*
 * Which program got the CPU: milliseconds on CPU for each program, how long its
 * threads ran at a time in microseconds, and how often.
 *
 * Needs context switches (kernel flag CSWITCH).
 */

#pragma D option quiet

sched:::on-cpu
{
	self->on = timestamp;
}

sched:::off-cpu
/self->on/
{
	@ran[execname] = sum(timestamp - self->on);
	@slice[execname] = avg(timestamp - self->on);
	@times[execname] = count();
	self->on = 0;
}

END
{
	normalize(@ran, 1000000);
	normalize(@slice, 1000);
	printf("%-32s %12s %12s %12s\n", "PROGRAM", "ON CPU ms", "AVERAGE us", "SWITCHED IN");
	printa("%-32s %@12d %@12d %@12d\n", @ran, @slice, @times);
}
