#!/usr/bin/env -S dtrace -s
/*
 * providers.d: which processes logged which events of one provider, and how often.
 *
 *   dtrace providers trace.etl PROVIDER
 *
 * Needs that provider.
 */

#pragma D option quiet
#pragma D option aggsortrev

$1:::events
{
	@[execname, eventname] = count();
}

END
{
	printf("%-24s %-44s %10s\n", "PROGRAM", "EVENT", "TIMES");
	printa("%-24s %-44s %@10d\n", @);
}
