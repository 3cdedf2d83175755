#!/usr/bin/env -S dtrace -s
/*
 * ustacks.d: where one program spends processor time: its ten hottest stacks.
 *
 *   dtrace ustacks trace.etl powerpnt.exe
 *
 * Needs samples with stacks (PROFILE).
 */
#pragma D option quiet

int seen;

profile:::sample-997
/execname == tolower($$1)/
{
	@all = count();
	seen = 1;
}

profile:::sample-997
/execname == tolower($$1) && ustackdepth > 0/
{
	@stacks[ustack(12)] = count();
}

END
/!seen/
{
	printf("No sample is of a program %s: samples.d names those that ran.\n", $$1);
}

END
/seen/
{
	trunc(@stacks, 10);
	printa("%k%@12d samples\n\n", @stacks);
	printa("%@12d samples in all\n", @all);
}
