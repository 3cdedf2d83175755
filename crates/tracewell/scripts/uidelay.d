#!/usr/bin/env -S dtrace -s
/*
 * uidelay.d: when the user interface hung: windows whose thread did not fetch messages while input was waiting.
 *
 *   dtrace uidelay trace.etl
 *
 * Needs Microsoft-Windows-Win32k (keyword UIUnresponsiveness). hang.d says what the thread did meanwhile. Example:
 *
 *       FROM       TO DELAY ms PROGRAM           PID   TID WHAT
 *     22.181   23.289     1108 powerpnt.exe     5100  5984 no messages fetched
 */
#pragma D option quiet
#pragma D option zdefs

string name[int];

/* Names of processes, for the focus: of those that were seen to do something before. */
sched:::on-cpu,
profile:::sample-997,
microsoft-windows-win32k:::events
/name[pid] == NULL/
{
	name[pid] = execname;
}

BEGIN
{
	begun = timestamp;
	printf("%8s %8s %8s %-15s %5s %5s %s\n", "FROM", "TO", "DELAY ms", "PROGRAM", "PID", "TID", "WHAT");
}

microsoft-windows-win32k:::FocusedProcessChange
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%8s %4d.%03d %8s %-15s %5d %5s %s\n", "", this->ms / 1000, this->ms % 1000, "",
	    name[args->NewProcessId] != NULL ? name[args->NewProcessId] : "?", args->NewProcessId, "", "gets the focus");
}

microsoft-windows-win32k:::InputProcessDelay
{
	this->ms = (timestamp - begun) / 1000000;
	this->from = this->ms - (int64_t)args->TimeSinceOldestInputMs;
	printf("%4d.%03d %4d.%03d %8d %-15s %5d %5d %s\n", this->from / 1000, this->from % 1000, this->ms / 1000,
	    this->ms % 1000, args->TimeSinceOldestInputMs, execname, pid, tid, "input not processed");
	@delays[execname, "input not processed"] = quantize(args->TimeSinceOldestInputMs);
}

microsoft-windows-win32k:::MessageCheckDelay
{
	this->ms = (timestamp - begun) / 1000000;
	this->from = this->ms - (int64_t)args->DelayTimeMs;
	printf("%4d.%03d %4d.%03d %8d %-15s %5d %5d %s\n", this->from / 1000, this->from % 1000, this->ms / 1000,
	    this->ms % 1000, args->DelayTimeMs, execname, pid, tid, "no messages fetched");
	@delays[execname, "no messages fetched"] = quantize(args->DelayTimeMs);
}

END
{
	printa("\n%s, %s: milliseconds%@d", @delays);
}
