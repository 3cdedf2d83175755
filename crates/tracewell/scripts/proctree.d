#!/usr/bin/env -S dtrace -s
/*
 * proctree.d: programs starting and ending, with their command lines.
 *
 *   dtrace proctree trace.etl
 *
 * Needs process events (PROCESS; every kernel trace has them).
 */
#pragma D option quiet
#pragma D option lastcolumn=30

BEGIN
{
	start = timestamp;
	printf("%10s %-5s %5s %6s %s\n", "MS", "WHAT", "PID", "PARENT", "COMMAND");
}

proc:::start
{
	printf("%6d.%03d start %5d %6d %s\n", (timestamp - start) / 1000000,
	    ((timestamp - start) / 1000) % 1000, args[0]->pr_pid, args[0]->pr_ppid,
	    args[0]->pr_psargs == "" ? args[0]->pr_fname : args[0]->pr_psargs);
}

proc:::exit
{
	printf("%6d.%03d exit  %5d %6d %s ", (timestamp - start) / 1000000,
	    ((timestamp - start) / 1000) % 1000, pid, ppid, execname);
}

proc:::exit
/(int)args[0] >= 0/
{
	printf("(status %d)\n", args[0]);
}

/* An NTSTATUS: the program was ended by what it names. */
proc:::exit
/(int)args[0] < 0/
{
	printf("(status 0x%X)\n", (uint32_t)args[0]);
}
