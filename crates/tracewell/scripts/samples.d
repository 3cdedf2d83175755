#!/usr/bin/env -S dtrace -s
/*
 * samples.d: which programs the profiler's samples found running.
 *
 *   dtrace samples trace.etl
 *
 * Needs samples (PROFILE).
 */
#pragma D option quiet
#pragma D option aggsortrev

profile:::sample-997
/pid/
{
	@[execname] = count();
}

/* Idle processors come last. */
profile:::sample-997
/!pid/
{
	@idle[execname] = count();
}

END
{
	printf("%-32s %10s\n", "PROGRAM", "SAMPLES");
	printa("%-32s %@10d\n", @);
	printa("%-32s %@10d\n", @idle);
}
