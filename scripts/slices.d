#!/usr/bin/env -S dtrace -s
/*
 * slices.d: how long threads run at a time on each processor, in microseconds.
 *
 *   dtrace -s scripts/slices.d -E trace.etl
 *
 * Needs context switches (CSWITCH).
 */
#pragma D option quiet
#pragma D option aggsortkey

sched:::on-cpu
/pid != 0/
{
	self->on = timestamp;
}

sched:::off-cpu
/self->on/
{
	@[cpu] = quantize((timestamp - self->on) / 1000);
	self->on = 0;
}

END
{
	printa("processor %d: microseconds at a time%@d", @);
}
