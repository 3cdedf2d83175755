#!/usr/bin/env -S dtrace -s
/*
 * regops.d: registry operations by program, kind and full path of the key: how often, and how long in all.
 *
 *   dtrace regops trace.etl
 *
 * Needs REGISTRY. Example:
 *
 *   PROGRAM         OPERATION      TIMES       us KEY
 *   svc.exe         queryvalue       411     1201 \REGISTRY\MACHINE\SOFTWARE\Contoso\Path
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option lastcolumn=46

reg:::
{
	@times[execname, probename, args[0]->r_rname] = count();
	@us[execname, probename, args[0]->r_rname] = sum(args[0]->r_elapsed / 1000);
}

END
{
	printf("%-15s %-13s %6s %8s %s\n", "PROGRAM", "OPERATION", "TIMES", "us", "KEY");
	printa("%-15s %-13s %@6d %@8d %s\n", @times, @us);
}
