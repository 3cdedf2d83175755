#!/usr/bin/env -S dtrace -s
/*
 * hotstacks.d: where programs spend processor time, by stack.
 *
 *   dtrace hotstacks trace.etl
 *   dtrace --flame out.svg -n 'profile:::sample-997 { @[execname, callstack()] = count(); }' -E trace.etl
 *
 * Needs samples with stacks (PROFILE).
 */
#pragma D option quiet

profile:::sample-997
/pid != 0 && ustackdepth > 0/
{
	@[execname, ustack(8)] = count();
}

END
{
	trunc(@, 10);
	printa("%s%k%@d samples\n\n", @);
}
