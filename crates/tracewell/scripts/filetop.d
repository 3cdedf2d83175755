#!/usr/bin/env -S dtrace -s
/*
 * filetop.d: the files that programs worked with most: the 20 with most operations, the 20 with most bytes.
 *
 *   dtrace filetop trace.etl
 *
 * Needs file operations (FILE_IO_INIT), and DISK_FILE_IO for names. What the cache answers counts too; see disktop.d for
 * what went to the disk, fileops.d for all files. Example:
 *
 *   OPERATIONS  PROGRAM           FILE
 *          411  cl.exe            C:\src\game.cpp
 */
#pragma D option quiet
#pragma D option aggsortrev

fsinfo:::
/probename != "done" && args[0]->fi_irp/
{
	@times[execname, args[0]->fi_pathname] = count();
}

fsinfo:::read,
fsinfo:::write
{
	@bytes[probename == "read" ? "R" : "W", execname, args[0]->fi_pathname] = sum(args[0]->fi_bcount);
}

END
{
	trunc(@times, 20);
	trunc(@bytes, 20);
	printf("%10s  %-16s  %s\n", "OPERATIONS", "PROGRAM", "FILE");
	printa("%@10d  %-16s  %s\n", @times);
	printf("\n%12s D %-16s  %s\n", "BYTES", "PROGRAM", "FILE");
	printa("%@12d %s %-16s  %s\n", @bytes);
}
