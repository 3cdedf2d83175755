#!/usr/bin/env -S dtrace -s
/*
 * Which program the profiler's samples found running.
 *
 * Needs samples (kernel flag PROFILE).
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
