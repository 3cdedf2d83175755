#!/usr/bin/env -S dtrace -s
/*
 * Who wakes whom: how often threads of one program make threads of another ready.
 *
 * Needs ready threads (kernel flag DISPATCHER).
 */

#pragma D option quiet

sched:::wakeup
{
	@[execname, args[1]->pr_fname] = count();
}

END
{
	printf("%-24s    %-24s %10s\n", "WAKER", "WOKEN", "TIMES");
	printa("%-24s -> %-24s %@10d\n", @);
}
