/*
 * interrupts.d: interrupt service routines and deferred calls by module.
 *
 *   dtrace -s scripts/interrupts.d -E trace.etl
 *
 * Needs INTERRUPT and DPC.
 */
#pragma D option quiet

isr:::isr,
dpc:::
{
	@count[probename, mod(args[1])] = count();
}

END
{
	printf("%-8s %-24s %10s\n", "KIND", "MODULE", "COUNT");
	printa("%-8s %-24a %@10d\n", @count);
}
