#!/usr/bin/env -S dtrace -s
/*
 * wakechains.d: who woke the one who woke: the 20 chains of three programs whose last one waited longest in all.
 *
 *   dtrace wakechains trace.etl
 *
 * Needs ready threads and context switches (kernel flags DISPATCHER and CSWITCH). Example:
 *
 *   FIRST            SECOND           THIRD             WAITED us
 *   shop.exe         system           browser.exe            2210
 */
#pragma D option quiet
#pragma D option aggsortrev

sched:::off-cpu
{
	left[tid] = timestamp;
}

sched:::wakeup
{
	woken[args[0]->pr_lwpid] = 1;
	wokenby[args[0]->pr_lwpid] = execname;
}

sched:::wakeup
/woken[tid] != 0/
{
	@waited[wokenby[tid], execname, args[1]->pr_fname] =
	    sum(left[args[0]->pr_lwpid] ? (timestamp - left[args[0]->pr_lwpid]) / 1000 : 0);
}

END
{
	trunc(@waited, 20);
	printf("%-16s %-16s %-16s %10s\n", "FIRST", "SECOND", "THIRD", "WAITED us");
	printa("%-16s %-16s %-16s %@10d\n", @waited);
}
