#!/usr/bin/env -S dtrace -s
/*
 * faults.d: page faults by program and kind.
 *
 *   dtrace faults trace.etl
 *
 * Needs MEMORY_PAGE_FAULTS (and MEMORY_HARD_FAULTS for those read from disk; see hardfaults.d for their files). Soft
 * faults found the page in memory. Example:
 *
 *   PROGRAM                 ALL TRANSITION  ZEROED  COPIED   GUARD NO ACCESS   HARD
 *   app.exe                 120         80      30       6       3         0      1
 */
#pragma D option quiet
#pragma D option aggsortrev

pf:::*_flt,
pf:::hardflt
{
	@all[execname] = count();
	@transition[execname] = sum(probename == "trans_flt");
	@zeroed[execname] = sum(probename == "dzero_flt");
	@copied[execname] = sum(probename == "cow_flt");
	@guard[execname] = sum(probename == "gp_flt");
	@violation[execname] = sum(probename == "av_flt");
	@hard[execname] = sum(probename == "hardflt");
}

END
{
	printf("%-18s %8s %10s %7s %7s %7s %9s %6s\n", "PROGRAM", "ALL", "TRANSITION", "ZEROED", "COPIED", "GUARD",
	    "NO ACCESS", "HARD");
	printa("%-18s %@8d %@10d %@7d %@7d %@7d %@9d %@6d\n", @all, @transition, @zeroed, @copied, @guard, @violation,
	    @hard);
}
