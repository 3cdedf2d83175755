#!/usr/bin/env -S dtrace -s
/*
 * Processes by the events they logged to one provider, by name: dtrace -s providers.d -E FILE name
 */

#pragma D option quiet

$1:::events
{
	@[execname, eventname] = count();
}

END
{
	printf("%-24s %-44s %10s\n", "PROGRAM", "EVENT", "TIMES");
	printa("%-24s %-44s %@10d\n", @);
}
