#!/usr/bin/env -S dtrace -s
/*
 * fileops.d: file operations by program, kind and file.
 *
 *   dtrace fileops trace.etl
 *
 * Needs FILE_IO_INIT, and DISK_FILE_IO for the names. Example:
 *
 *   PROGRAM         OPERATION  TIMES FILE
 *   cl.exe          read         411 C:\src\game.cpp
 */
#pragma D option quiet
#pragma D option aggsortrev

int all, named;

fsinfo:::
/probename != "done"/
{
	all++;
}

fsinfo:::
/probename != "done" && args[0]->fi_irp && args[0]->fi_pathname != "<none>"/
{
	@[execname, probename, args[0]->fi_pathname] = count();
	named++;
}

END
/!all/
{
	printf("The trace has no file operations: record it with FILE_IO_INIT.\n");
}

END
/all && !named/
{
	printf("The trace has %d file operations,\nnone of them with the name of its file: record it with DISK_FILE_IO.\n", all);
}

END
/named/
{
	printf("%-15s %-9s %6s %s\n", "PROGRAM", "OPERATION", "TIMES", "FILE");
	printa("%-15s %-9s %@6d %s\n", @);
}
