#!/usr/bin/env -S dtrace -s
/*
 * opens.d: openings of files that took long or failed, as they end, with when they began.
 *
 *   dtrace opens trace.etl [MICROSECONDS]
 *
 * Needs file operations (FILE_IO_INIT, and FILE_IO for their ends). Status 0 is success. Example:
 *
 *    SECONDS PROGRAM           PID       us   STATUS FILE
 *      0.031 cl.exe           2212     8120        0 C:\src\game.cpp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option lastcolumn=49

BEGIN
{
	begun = timestamp;
	printf("%8s %-15s %5s %8s %8s %s\n", "SECONDS", "PROGRAM", "PID", "us", "STATUS", "FILE");
}

fsinfo:::create
{
	at[args[0]->fi_irp] = timestamp;
	who[args[0]->fi_irp] = execname;
	whose[args[0]->fi_irp] = pid;
	path[args[0]->fi_irp] = args[0]->fi_pathname;
}

fsinfo:::done
/at[args[0]->fi_irp] &&
    ((timestamp - at[args[0]->fi_irp]) / 1000 >= $1 || args[0]->fi_rstatus >= 0x80000000)/
{
	this->irp = args[0]->fi_irp;
	this->ms = (at[this->irp] - begun) / 1000000;
	printf("%4d.%03d %-15s %5d %8d %8x %s\n", this->ms / 1000, this->ms % 1000, who[this->irp],
	    whose[this->irp], (timestamp - at[this->irp]) / 1000, args[0]->fi_rstatus, path[this->irp]);
}

fsinfo:::done
{
	at[args[0]->fi_irp] = 0;
}
