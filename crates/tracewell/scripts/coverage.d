#!/usr/bin/env -S dtrace -s
/*
 * coverage.d: is this trace good for an analysis of processor time and waits: how many samples, context switches and
 * wake-ups it has, how many of them with stacks, and over how many programs.
 *
 *   dtrace coverage trace.etl
 *
 * Needs samples (PROFILE), context switches (CSWITCH) and ready threads (DISPATCHER); missing events are shown as zero, or
 * not at all. Example:
 *
 *   EVENT                 COUNT   WITH STACK   DEEPEST
 *   sample-997           136370       135711        96
 */
#pragma D option quiet

profile:::sample-997,
sched:::on-cpu,
sched:::wakeup
{
	@count[probename] = count();
	@stack[probename] = sum(stackdepth + ustackdepth > 0 ? 1 : 0);
	@deep[probename] = max(stackdepth + ustackdepth);
}

END
{
	printf("%-14s %12s %12s %9s\n", "EVENT", "COUNT", "WITH STACK", "DEEPEST");
	printa("%-14s %@12d %@12d %@9d\n", @count, @stack, @deep);
}
