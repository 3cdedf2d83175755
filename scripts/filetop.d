#!/usr/bin/env -S dtrace -s
/*
 * filetop.d: the files that programs worked with most: operations, bytes read and written.
 *
 *   dtrace -s scripts/filetop.d -E trace.etl
 *
 * Needs file operations (FILE_IO_INIT), and DISK_FILE_IO for names. What the cache answers counts too; see disktop.d for
 * what went to the disk. Example:
 *
 *   PROGRAM          OPERATIONS         READ      WRITTEN  FILE
 *   cl.exe                  411     26935296            0  C:\src\game.cpp
 */
#pragma D option quiet

fsinfo:::
/probename != "done"/
{
	@times[execname, args[0]->fi_pathname] = count();
	@read[execname, args[0]->fi_pathname] = sum(probename == "read" ? args[0]->fi_bcount : 0);
	@written[execname, args[0]->fi_pathname] = sum(probename == "write" ? args[0]->fi_bcount : 0);
}

END
{
	trunc(@times, 30);
	printf("%-16s %10s %12s %12s  %s\n", "PROGRAM", "OPERATIONS", "READ", "WRITTEN", "FILE");
	printa("%-16s %@10d %@12d %@12d  %s\n", @times, @read, @written);
}
