#!/usr/bin/env -S dtrace -s
/*
 * whererun.d: on which processors programs run, and how often their threads move from one to another.
 *
 *   dtrace whererun trace.etl
 *
 * Needs context switches (CSWITCH). The histograms count microseconds of running by processor, of the 30 programs that ran
 * longest. Example:
 *
 *   PROGRAM            SWITCHED IN      MOVED
 *   powerpnt.exe              3121        402
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option aggpack

int ran[int];
/* Since when a processor runs the thread that it runs; see whorun.d. */
uint64_t on[int];

sched:::on-cpu
{
	on[cpu] = timestamp;
}

sched:::on-cpu
/pid != 0/
{
	@times[execname] = count();
	@moved[execname] = sum(ran[tid] && ran[tid] != cpu + 1 ? 1 : 0);
	ran[tid] = cpu + 1;
}

sched:::off-cpu
/on[cpu] && pid != 0/
{
	@where[execname] = lquantize(cpu, 0, 64, 1, (timestamp - on[cpu]) / 1000);
}

END
{
	trunc(@where, 30);
	printf("%-24s %12s %10s\n", "PROGRAM", "SWITCHED IN", "MOVED");
	printa("%-24s %@12d %@10d\n", @times, @moved);
	printf("\nMicroseconds by processor");
	printa(@where);
}
