#!/usr/bin/env -S dtrace -s
/*
 * filesnoop.d: every operation on a file as it ends, with when it began, how long it took and what came of it.
 *
 *   dtrace filesnoop trace.etl
 *
 * Needs file operations (FILE_IO_INIT, and FILE_IO for their ends), and DISK_FILE_IO for names. Status 0 is success.
 * Example:
 *
 *    SECONDS PROGRAM           PID OPERATION    BYTES      us   STATUS FILE
 *      0.031 cl.exe           2212 read         65536     812        0 C:\src\game.cpp
 */
#pragma D option quiet
#pragma D option lastcolumn=67

BEGIN
{
	begun = timestamp;
	printf("%8s %-15s %5s %-9s %8s %7s %8s %s\n", "SECONDS", "PROGRAM", "PID", "OPERATION", "BYTES", "us",
	    "STATUS", "FILE");
}

fsinfo:::
/probename != "done"/
{
	at[args[0]->fi_irp] = timestamp;
	operation[args[0]->fi_irp] = probename;
	who[args[0]->fi_irp] = execname;
	whose[args[0]->fi_irp] = pid;
	bytes[args[0]->fi_irp] = args[0]->fi_bcount;
	path[args[0]->fi_irp] = args[0]->fi_pathname;
}

fsinfo:::done
/at[args[0]->fi_irp]/
{
	this->irp = args[0]->fi_irp;
	this->ms = (at[this->irp] - begun) / 1000000;
	printf("%4d.%03d %-15s %5d %-9s %8d %7d %8x %s\n", this->ms / 1000, this->ms % 1000, who[this->irp],
	    whose[this->irp], operation[this->irp], bytes[this->irp], (timestamp - at[this->irp]) / 1000,
	    args[0]->fi_rstatus, path[this->irp]);
	at[this->irp] = 0;
}
