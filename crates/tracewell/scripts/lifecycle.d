#!/usr/bin/env -S dtrace -s
/*
 * lifecycle.d: processes, threads and modules as they come and go, a line each.
 *
 *   dtrace lifecycle trace.etl
 *
 * Needs process, thread and image events (PROCESS, THREAD, IMAGE_LOAD; most kernel sessions have them). Example:
 *
 *    SECONDS WHAT            PID   TID PROGRAM         SUBJECT
 *      0.262 start          1234  1240 cmd.exe         5312 cl.exe /c game.cpp
 */
#pragma D option quiet
#pragma D option lastcolumn=51

BEGIN
{
	begun = timestamp;
	printf("%8s %-13s %5s %5s %-15s %s\n", "SECONDS", "WHAT", "PID", "TID", "PROGRAM", "SUBJECT");
}

/* The events of create and lwp-create are those of start and lwp-start. */
proc:::
/probename != "create" && probename != "lwp-create"/
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%4d.%03d %-13s %5d %5d %-15s ", this->ms / 1000, this->ms % 1000, probename, pid, tid, execname);
}

proc:::start
{
	printf("%d %s\n", args[0]->pr_pid, args[0]->pr_psargs == "" ? args[0]->pr_fname : args[0]->pr_psargs);
}

proc:::exit
{
	printf("status %d\n", args[0]);
}

proc:::lwp-start
{
	printf("%d of %s\n", args[0]->pr_lwpid, args[1]->pr_fname);
}

proc:::lwp-exit
{
	printf("\n");
}

proc:::module-load,
proc:::module-unload
{
	printf("%ws at %x\n", args[0], args[1]);
}
