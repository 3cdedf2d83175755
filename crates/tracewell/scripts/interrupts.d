#!/usr/bin/env -S dtrace -s
/*
 * interrupts.d: interrupts and deferred calls by module: how many, how long in all, and the longest.
 *
 *   dtrace interrupts trace.etl
 *
 * Needs INTERRUPT and DPC. isr does not count message-signaled interrupts, which are isr-msi. arg5 of these probes is the
 * duration in nanoseconds. Deferred calls of more than 100 us disturb sound and input. Example:
 *
 *   KIND        COUNT         us  LONGEST us  MODULE
 *   dpc          8112      40231         311  ndis.sys
 */
#pragma D option quiet

isr:::,
dpc:::
{
	@count[probename, mod(arg1)] = count();
	@us[probename, mod(arg1)] = sum(arg5);
	@longest[probename, mod(arg1)] = max(arg5);
	@distribution[probename] = quantize(arg5 / 1000);
}

END
{
	normalize(@us, 1000);
	normalize(@longest, 1000);
	printf("%-8s %9s %10s %11s  %s\n", "KIND", "COUNT", "us", "LONGEST us", "MODULE");
	printa("%-8s %@9d %@10d %@11d  %a\n", @count, @us, @longest);
	printa("\n%s: microseconds%@d", @distribution);
}
