#!/usr/bin/env -S dtrace -s
/*
 * hotfuncs.d: where samples found the processors: the 20 modules and the 20 functions with most of them, kernel and
 * programs apart.
 *
 *   dtrace hotfuncs trace.etl
 *
 * Needs samples (PROFILE), and symbols for the names of functions (-y FOLDER or _NT_SYMBOL_PATH). Example:
 *
 *    SAMPLES  PROGRAM            MODULE
 *       8513  powerpnt.exe       ppcore
 */
#pragma D option quiet

profile:::sample-1234hz
/arg0 && pid != 0/
{
	@module[execname, mod(arg0)] = count();
	@function["kernel", sym(arg0)] = count();
}

profile:::sample-1234hz
/arg1/
{
	@umodule[execname, umod(arg1)] = count();
	@ufunction[execname, usym(arg1)] = count();
}

END
{
	trunc(@umodule, 20);
	trunc(@module, 20);
	trunc(@ufunction, 20);
	trunc(@function, 20);
	printf("%10s  %-16s  %s\n", "SAMPLES", "PROGRAM", "MODULE");
	printa("%@10d  %-16s  %A\n", @umodule);
	printf("\n%10s  %-16s  %s\n", "SAMPLES", "PROGRAM", "MODULE OF THE KERNEL");
	printa("%@10d  %-16s  %a\n", @module);
	printf("\n%10s  %-16s  %s\n", "SAMPLES", "PROGRAM", "FUNCTION");
	printa("%@10d  %-16s  %A\n", @ufunction);
	printa("%@10d  %-16s  %a\n", @function);
}
