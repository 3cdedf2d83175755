#!/usr/bin/env -S dtrace -s
/*
 * Processes by the event ids they logged to one provider: dtrace -s providers.d -E FILE name
 */

#pragma D option quiet

$1:::events
{
	@[execname, arg0] = count();
}

END
{
	printf("%-32s %8s %10s\n", "PROGRAM", "EVENT", "TIMES");
	printa("%-32s %8d %@10d\n", @);
}
