#!/usr/bin/env -S dtrace -s
/*
 * wakers.d: who wakes the threads of one program: by waking program, with its stack.
 *
 *   dtrace wakers trace.etl powerpnt.exe
 *
 * Needs ready threads (DISPATCHER), with stacks if they are to be shown.
 */
#pragma D option quiet

int seen;

sched:::wakeup
/args[1]->pr_fname == tolower($$1)/
{
	@count[execname] = count();
	seen = 1;
}

sched:::wakeup
/args[1]->pr_fname == tolower($$1) && stackdepth + ustackdepth > 0/
{
	@stacks[execname, stack(6), ustack(6)] = count();
}

END
/!seen/
{
	printf("No thread of a program %s was woken: wakeups.d names those that were.\n", $$1);
}

END
/seen/
{
	trunc(@stacks, 10);
	printf("%-24s %10s   woke %s\n", "WAKER", "TIMES", $$1);
	printa("%-24s %@10d\n", @count);
	printa("\n%s%k%k%@12d times\n", @stacks);
}
