#!/usr/bin/env -S dtrace -s
/*
 * powershell.d: what PowerShell logged: commands, pipelines and script blocks, as text.
 *
 *   dtrace powershell trace.etl
 *
 * Needs Microsoft-Windows-PowerShell.
 */
#pragma D option quiet
#pragma D option zdefs
#pragma D option strsize=4k

microsoft-windows-powershell:::events
{
	@events[execname, pid, arg0] = count();
}

microsoft-windows-powershell:::event-7937
{
	this->text = args->Payload;
	this->ends = strlen(this->text);
	/* The line's own end is ours to write. */
	this->ends -= this->ends > 0 && rindex(this->text, "\n") == this->ends - 1;
	this->ends -= this->ends > 0 && rindex(this->text, "\r") == this->ends - 1;
	printf("%Y %s (%d): %s\n", walltimestamp, execname, pid, substr(this->text, 0, this->ends));
}

microsoft-windows-powershell:::event-4104
{
	printf("%Y %s (%d): script block %d of %d: %s\n", walltimestamp, execname, pid, args->MessageNumber,
	    args->MessageTotal, args->ScriptBlockText);
}

END
{
	printf("\n%-20s %7s %7s %8s\n", "PROGRAM", "PID", "EVENT", "TIMES");
	printa("%-20s %7d %7d %@8d\n", @events);
}
