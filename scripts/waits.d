/*
 * waits.d: how long threads were off the processor, by program and by where they waited.
 *
 *   dtrace -s scripts/waits.d -E trace.etl
 *
 * Needs context switches (CSWITCH), and for the stacks a session that walked them. The stack is the one
 * with which a thread comes back: it shows where it went to wait.
 */
#pragma D option quiet

sched:::off-cpu
/pid != 0/
{
	self->off = timestamp;
}

sched:::on-cpu
/self->off/
{
	@ms[execname, ustack(5)] = sum((timestamp - self->off) / 1000);
	self->off = 0;
}

END
{
	trunc(@ms, 10);
	printf("Microseconds off the processor, by program and where it waited\n");
	printa("%s%k%@d us\n\n", @ms);
}
