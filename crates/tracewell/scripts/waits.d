#!/usr/bin/env -S dtrace -s
/*
 * waits.d: how long threads waited: by program, by what for, and by where.
 *
 *   dtrace waits trace.etl
 *   dtrace waits trace.etl --start 3.5 --end 4.6
 *
 * Needs context switches (CSWITCH), and for stacks a session that recorded them. A wait lasts from when a thread leaves its
 * processor in the state Waiting until it runs again. A thread that left while it could have run was pre-empted: its time is under
 * READY. A wait that crosses the start or end of the trace (or of the selected part) counts only inside; CUT is the sum of such
 * waits. The stack is that of the thread when it runs again: it shows where it waited. Example:
 *
 *   PROGRAM                 WAITED us    WAITS   LONGEST us       CUT us   READY us
 *   powerpnt.exe             41203110     3104      1107686      2103110      12040
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option dx
#pragma D option loopmax=10000000

int64_t begun;
/* By thread: whether it was seen, since when it waits and why, since when it is ready, its program. By number: the threads. */
int64_t waits[int], ready[int];
char why[int], seen[int];
string who[int];
int thread[int], threads;

void
waited(string program, string reason, int64_t from, int64_t to, int cut)
{
	@us[program] = sum(to - from);
	@times[program] = count();
	@longest[program] = max(to - from);
	if (cut)
		@cut[program] = sum(to - from);
	@reasons[program, reason] = sum(to - from);
}

BEGIN
{
	begun = timestamp;
}

/* A new thread has not waited yet. */
proc:::lwp-start
{
	seen[args[0]->pr_lwpid] = 1;
	who[args[0]->pr_lwpid] = args[1]->pr_fname;
	thread[threads++] = args[0]->pr_lwpid;
}

sched:::on-cpu
/pid != 0/
{
	this->from = waits[tid];
	this->cut = 0;
	if (!seen[tid]) {
		/* Not seen before: it was away since the beginning at least. */
		seen[tid] = 1;
		who[tid] = execname;
		thread[threads++] = tid;
		this->from = begun;
		this->cut = 1;
	}
	if (this->from) {
		waited(execname, this->cut ? "not known" : waitreason[why[tid]], this->from, timestamp, this->cut);
		waits[tid] = 0;
	}
	if (ready[tid]) {
		@ready[execname] = sum(timestamp - ready[tid]);
		ready[tid] = 0;
	}
}

sched:::on-cpu
/this->from && ustackdepth > 0/
{
	@stacks[execname, ustack(8)] = sum(timestamp - this->from);
}

sched:::off-cpu
/pid != 0/
{
	this->state = curlwpsinfo->pr_state;
	if (!seen[tid]) {
		seen[tid] = 1;
		who[tid] = execname;
		thread[threads++] = tid;
	}
	waits[tid] = 0;
	ready[tid] = 0;
	if (this->state == THREAD_WAITING) {
		waits[tid] = timestamp;
		why[tid] = curlwpsinfo->pr_waitr;
	} else if (this->state == THREAD_TERMINATED) {
		seen[tid] = 0;
	} else {
		ready[tid] = timestamp;
	}
}

END
{
	for (int i = 0; i < threads; i++) {
		int t = thread[i];
		if (waits[t])
			waited(who[t], waitreason[why[t]], waits[t], timestamp, 1);
		waits[t] = 0;
	}
	normalize(@us, 1000);
	normalize(@longest, 1000);
	normalize(@cut, 1000);
	normalize(@ready, 1000);
	normalize(@reasons, 1000);
	normalize(@stacks, 1000);
	trunc(@reasons, 20);
	trunc(@stacks, 10);
	printf("%-20s %12s %8s %12s %12s %10s\n", "PROGRAM", "WAITED us", "WAITS", "LONGEST us", "CUT us", "READY us");
	printa("%-20s %@12d %@8d %@12d %@12d %@10d\n", @us, @times, @longest, @cut, @ready);
	printf("\n%-20s %-20s %12s\n", "PROGRAM", "WHY", "WAITED us");
	printa("%-20s %-20s %@12d\n", @reasons);
	printa("\n%s%k%@12d us\n", @stacks);
}
