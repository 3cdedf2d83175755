#!/usr/bin/env -S dtrace -s
/*
 * regsnoop.d: every operation on the registry as it ends, with when it began, how long it took and the full path of its
 * key.
 *
 *   dtrace regsnoop trace.etl
 *
 * Needs registry events (REGISTRY). Status 0 is success. Example:
 *
 *    SECONDS PROGRAM           PID OPERATION          us   STATUS KEY
 *      0.031 svc.exe           200 queryvalue          3        0 \REGISTRY\MACHINE\SOFTWARE\Contoso\Path
 */
#pragma D option quiet
#pragma D option lastcolumn=62

BEGIN
{
	begun = timestamp;
	printf("%8s %-15s %5s %-13s %7s %8s %s\n", "SECONDS", "PROGRAM", "PID", "OPERATION", "us", "STATUS", "KEY");
}

reg:::
{
	this->began = timestamp - args[0]->r_elapsed;
	this->ms = this->began > begun ? (this->began - begun) / 1000000 : 0;
	printf("%4d.%03d %-15s %5d %-13s %7d %8x %s\n", this->ms / 1000, this->ms % 1000, execname, pid, probename,
	    args[0]->r_elapsed / 1000, args[0]->r_status, args[0]->r_rname);
}
