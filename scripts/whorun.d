#!/usr/bin/env -S dtrace -s
/*
 * Which program got the CPU: milliseconds on CPU for each program, and how long
 * its threads ran at a time.
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
	@ran[execname] = sum((timestamp - self->on) / 1000);
	@slice[execname] = avg((timestamp - self->on) / 1000);
	@times[execname] = count();
	self->on = 0;
}

END
{
	printf("%-32s %14s %14s %14s\n", "PROGRAM", "ON CPU us", "AVERAGE us", "SWITCHED IN");
	printa("%-32s %@14d %@14d %@14d\n", @ran, @slice, @times);
}
