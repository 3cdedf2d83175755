#!/usr/bin/env -S dtrace -s
/*
 * faults.d: page faults by program and kind.
 *
 *   dtrace faults trace.etl
 *
 * Needs MEMORY_PAGE_FAULTS (and MEMORY_HARD_FAULTS for those read from disk; see hardfaults.d for their files). Soft
 * faults found the page in memory. Example:
 *
 *   PROGRAM                    ALL TRANSITION  ZEROED  COPIED   GUARD  NO ACCESS    HARD
 *   app.exe                    120         80      30       6       3          0       1
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
	printf("%-20s %9s %10s %8s %8s %8s %9s %8s\n", "PROGRAM", "ALL", "TRANSITION", "ZEROED", "COPIED", "GUARD",
	    "NO ACCESS", "HARD");
	printa("%-20s %@9d %@10d %@8d %@8d %@8d %@9d %@8d\n", @all, @transition, @zeroed, @copied, @guard, @violation,
	    @hard);
}
