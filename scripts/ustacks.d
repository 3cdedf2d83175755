#!/usr/bin/env -S dtrace -s
/*
 * ustacks.d: where one program spends processor time: its ten hottest stacks.
 *
 *   dtrace -s scripts/ustacks.d -E trace.etl powerpnt.exe
 *
 * Needs samples with stacks (PROFILE).
 */
#pragma D option quiet

profile:::sample-997
/execname == tolower($$1)/
{
	@all = count();
}

profile:::sample-997
/execname == tolower($$1) && ustackdepth > 0/
{
	@stacks[ustack(12)] = count();
}

END
{
	trunc(@stacks, 10);
	printa("%k%@12d samples\n\n", @stacks);
	printa("%@12d samples in all\n", @all);
}
