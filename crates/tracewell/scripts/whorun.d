#!/usr/bin/env -S dtrace -s
/*
 * whorun.d: which program got the processors: milliseconds of running for each, how long its threads ran at a time on average
 * in microseconds, and how often.
 *
 *   dtrace whorun trace.etl
 *
 * Needs context switches (CSWITCH).
 */
#pragma D option quiet
#pragma D option aggsortrev

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
/on[cpu] && pid/
{
	@ran[execname] = sum(timestamp - on[cpu]);
	@slice[execname] = avg(timestamp - on[cpu]);
	@times[execname] = count();
}

/* Idle processors come last. */
sched:::off-cpu
/on[cpu] && !pid/
{
	@idle[execname] = sum(timestamp - on[cpu]);
	@idle_slice[execname] = avg(timestamp - on[cpu]);
	@idle_times[execname] = count();
}

sched:::off-cpu
{
	on[cpu] = 0;
}

END
{
	normalize(@ran, 1000000);
	normalize(@slice, 1000);
	normalize(@idle, 1000000);
	normalize(@idle_slice, 1000);
	printf("%-32s %12s %12s %12s\n", "PROGRAM", "ON CPU ms", "AVERAGE us", "SWITCHED IN");
	printa("%-32s %@12d %@12d %@12d\n", @ran, @slice, @times);
	printa("%-32s %@12d %@12d %@12d\n", @idle, @idle_slice, @idle_times);
}
