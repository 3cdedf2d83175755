#!/usr/bin/env -S dtrace -s
/*
 * fileops.d: file operations by program, kind and file.
 *
 *   dtrace -s scripts/fileops.d -E trace.etl
 *
 * Needs FILE_IO_INIT, and DISK_FILE_IO for the names. Example:
 *
 *   PROGRAM          OPERATION       TIMES  FILE
 *   cl.exe           read              411  C:\src\game.cpp
 */
#pragma D option quiet

fsinfo:::
/probename != "done" && args[0]->fi_irp && args[0]->fi_pathname != "<none>"/
{
	@[execname, probename, args[0]->fi_pathname] = count();
}

END
{
	printf("%-16s %-12s %8s  %s\n", "PROGRAM", "OPERATION", "TIMES", "FILE");
	printa("%-16s %-12s %@8d  %s\n", @);
}
