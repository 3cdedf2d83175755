#!/usr/bin/env -S dtrace -s
/*
 * slices.d: how long threads run at a time on each processor, in microseconds.
 *
 *   dtrace slices trace.etl
 *
 * Needs context switches (CSWITCH).
 */
#pragma D option quiet
#pragma D option aggsortkey

/*
 * Since when a processor runs the thread that it runs. By processor, since a thread may be seen to come to the next one a moment
 * before it is seen to leave the last.
 */
uint64_t on[int];

sched:::on-cpu
{
	on[cpu] = timestamp;
}

sched:::off-cpu
/on[cpu] && pid != 0/
{
	@[cpu] = quantize((timestamp - on[cpu]) / 1000);
}

END
{
	printa("processor %d: microseconds at a time%@d", @);
}
