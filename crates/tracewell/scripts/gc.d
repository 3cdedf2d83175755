#!/usr/bin/env -S dtrace -s
/*
 * gc.d: collections of the .NET heap: how many of each generation, and how long programs were paused.
 *
 *   dtrace gc trace.etl
 *
 * Needs Microsoft-Windows-DotNETRuntime with the GC keyword (0x1). Collections are counted as they end: some runtimes log
 * their start in two versions.
 */
#pragma D option quiet

dnet:::gc-end
{
	@generation[execname, args[0]->Depth] = count();
}

dnet:::suspend-start
{
	stopped[pid] = timestamp;
}

dnet:::resume-end
/stopped[pid]/
{
	@pause[execname] = quantize((timestamp - stopped[pid]) / 1000);
	stopped[pid] = 0;
}

END
{
	printf("%-24s %10s %10s\n", "PROGRAM", "GENERATION", "COUNT");
	printa("%-24s %10d %@10d\n", @generation);
	printf("\nMicroseconds that a program was paused\n");
	printa("%s%@d\n", @pause);
}
