#!/usr/bin/env -S dtrace -s
/*
 * events.d: what is in a trace: events by provider and name, and stacks whose event is not there.
 *
 *   dtrace events trace.etl
 *
 * Needs nothing. Events of the kernel show by their class and event type; providers that are not registered show as
 * GUIDs.
 * Example:
 *
 *      COUNT  PROVIDER                             EVENT
 *     136370  PerfInfo                             PerfInfo_SampleProfile
 */
#pragma D option quiet
#pragma D option aggsortrev

diag:::events
{
	@events[stringof(arg5), eventname] = count();
	@all = count();
}

diag:::missed-stack,
diag:::missed-ustack,
diag:::missed-dnet-stack,
diag:::lostevent
{
	@missed[probename] = count();
}

END
{
	printf("%10s  %-36s %s\n", "COUNT", "PROVIDER", "EVENT");
	printa("%@10d  %-36s %s\n", @events);
	printa("%@10d  in all\n", @all);
	printa("%@10d  %s\n", @missed);
}
