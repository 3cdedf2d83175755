#!/usr/bin/env -S dtrace -s
/*
 * regsnoop.d: every operation on the registry, with the full path of its key and how long it took.
 *
 *   dtrace -s scripts/regsnoop.d -E trace.etl
 *
 * Needs registry events (REGISTRY). Status 0 is success. Example:
 *
 *      SECONDS  PROGRAM            PID  OPERATION            us    STATUS  KEY
 *        0.031  svc.exe            200  queryvalue            3         0  \REGISTRY\MACHINE\SOFTWARE\Contoso\Path
 */
#pragma D option quiet

BEGIN
{
	begun = timestamp;
	printf("%10s  %-16s %7s  %-13s %9s %9s  %s\n", "SECONDS", "PROGRAM", "PID", "OPERATION", "us", "STATUS", "KEY");
}

reg:::
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%6d.%03d  %-16s %7d  %-13s %9d %9x  %s\n", this->ms / 1000, this->ms % 1000, execname, pid, probename,
	    args[0]->r_elapsed / 1000, args[0]->r_status, args[0]->r_rname);
}
