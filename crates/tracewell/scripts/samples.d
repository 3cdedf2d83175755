#!/usr/bin/env -S dtrace -s
/*
 * samples.d: which programs the profiler's samples found running.
 *
 *   dtrace samples trace.etl
 *
 * Needs samples (PROFILE).
 */
#pragma D option quiet

profile:::sample-997
{
	@[execname] = count();
}

END
{
	printf("%-32s %10s\n", "PROGRAM", "SAMPLES");
	printa("%-32s %@10d\n", @);
}
