#!/usr/bin/env -S dtrace -s
/*
 * wakeups.d: who wakes whom: how often threads of one program make threads of another ready.
 *
 *   dtrace wakeups trace.etl
 *
 * Needs ready threads (DISPATCHER).
 */
#pragma D option quiet
#pragma D option aggsortrev

sched:::wakeup
{
	@[execname, args[1]->pr_fname] = count();
}

END
{
	printf("%-24s    %-24s %10s\n", "WAKER", "WOKEN", "TIMES");
	printa("%-24s -> %-24s %@10d\n", @);
}
