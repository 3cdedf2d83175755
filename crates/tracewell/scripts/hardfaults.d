#!/usr/bin/env -S dtrace -s
/*
 * hardfaults.d: pages read from disk because a program touched them, by program and file.
 *
 *   dtrace hardfaults trace.etl
 *
 * Needs MEMORY_HARD_FAULTS, and DISK_FILE_IO for the names.
 */
#pragma D option quiet
#pragma D option aggsortrev

pf:::hardflt
{
	@[execname, wstringof(args[0])] = count();
}

END
{
	printf("%-24s %8s %s\n", "PROGRAM", "FAULTS", "FILE");
	printa("%-24s %@8d %s\n", @);
}
