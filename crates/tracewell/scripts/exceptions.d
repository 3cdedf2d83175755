#!/usr/bin/env -S dtrace -s
/*
 * exceptions.d: .NET exceptions by program, type and where they were thrown.
 *
 *   dtrace exceptions trace.etl
 *
 * Needs Microsoft-Windows-DotNETRuntime with the Exception keyword (0x8000).
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option lastcolumn=20

dnet:::excp
{
	@[execname, args[0]->clr_excep, args[0]->clr_excepmsg, ustack(6)] = count();
}

END
{
	printa("%s: %s: %s%k%@d times\n\n", @);
}
