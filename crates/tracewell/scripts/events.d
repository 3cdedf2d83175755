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
 *        COUNT  PROVIDER                                    EVENT
 *       136370  PerfInfo                                    PerfInfo_SampleProfile
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
	printf("%12s  %-44s %s\n", "COUNT", "PROVIDER", "EVENT");
	printa("%@12d  %-44s %s\n", @events);
	printa("%@12d  in all\n", @all);
	printa("%@12d  %s\n", @missed);
}
