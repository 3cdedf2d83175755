#!/usr/bin/env -S dtrace -s
/*
 * hang.d: what one thread did between two moments: how long it ran and where, how long it waited, where and for what,
 * who woke it, and which files it opened slowly. uidelay.d finds thread and moments.
 *
 *   dtrace hang trace.etl TID FROM TO         (milliseconds since the trace began)
 *
 * Needs context switches (CSWITCH); ready threads (DISPATCHER), samples (PROFILE) and file operations (FILE_IO_INIT,
 * FILE_IO) for the rest, with stacks if they are to be shown. Activity that crosses one of the moments counts only between
 * them; the stack of a wait is known only when it has ended.
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

/* The two moments; since when the thread runs, waits, or is ready (0: it does not, or unknown). */
int64_t from, to, on, off, ready, since, until;
string program;
char why;
int seen, stacks, sampled;

inline int WITHIN = (int64_t)timestamp >= from && (int64_t)timestamp <= to;

BEGIN
/$1 == 0 || $3 <= $2/
{
	printf("Which thread, from when to when? dtrace -s hang.d -E FILE TID FROM TO (milliseconds since the trace began)\n");
	exit(2);
}

BEGIN
{
	from = timestamp + $2 * 1000000;
	to = timestamp + $3 * 1000000;
}

sched:::off-cpu
/tid == $1/
{
	since = on > from ? on : from;
	until = timestamp < to ? timestamp : to;
	@ran = sum(on && until > since ? until - since : 0);
	off = curlwpsinfo->pr_state == THREAD_WAITING ? timestamp : 0;
	ready = curlwpsinfo->pr_state == THREAD_WAITING ? 0 : timestamp;
	why = curlwpsinfo->pr_waitr;
	on = 0;
	program = execname;
	seen = 1;
}

sched:::on-cpu
/tid == $1/
{
	since = off > from ? off : from;
	until = timestamp < to ? timestamp : to;
}

sched:::on-cpu
/tid == $1 && off && until > since/
{
	@waited = sum(until - since);
	@longest = max(until - since);
	@waits[waitreason[why]] = sum(until - since);
}

sched:::on-cpu
/tid == $1 && off && until > since && ustackdepth/
{
	@stacks[ustack(8)] = sum(until - since);
	stacks = 1;
}

sched:::on-cpu
/tid == $1/
{
	since = ready > from ? ready : from;
	@ready = sum(ready && until > since ? until - since : 0);
	on = timestamp;
	off = 0;
	ready = 0;
	program = execname;
	seen = 1;
}

sched:::wakeup
/args[0]->pr_lwpid == $1 && WITHIN/
{
	@wakers[execname, tid] = count();
}

profile:::sample-997
/tid == $1/
{
	program = execname;
	seen = 1;
}

profile:::sample-997
/tid == $1 && WITHIN && ustackdepth/
{
	@samples[ustack(8)] = count();
	sampled = 1;
}

fsinfo:::create
/tid == $1/
{
	opened[args[0]->fi_irp] = timestamp;
	path[args[0]->fi_irp] = args[0]->fi_pathname;
}

fsinfo:::done
/opened[args[0]->fi_irp]/
{
	@opens[path[args[0]->fi_irp]] = max(WITHIN ? timestamp - opened[args[0]->fi_irp] : 0);
	opened[args[0]->fi_irp] = 0;
}

/* What the thread does when the trace ends. */
END
/seen/
{
	until = timestamp < to ? timestamp : to;
	since = on > from ? on : from;
	@ran = sum(on && until > since ? until - since : 0);
	since = off > from ? off : from;
}

END
/off && until > since/
{
	@waited = sum(until - since);
	@longest = max(until - since);
	@waits[waitreason[why]] = sum(until - since);
}

END
/from && !seen/
{
	printf("No switch and no sample of the trace is of a thread %d.\n", $1);
}

END
/from && seen/
{
	printf("Thread %d of %s, from %d ms to %d ms\n\n", $1, program, $2, $3);
	normalize(@ran, 1000);
	normalize(@waited, 1000);
	normalize(@longest, 1000);
	normalize(@ready, 1000);
	normalize(@waits, 1000);
	normalize(@stacks, 1000);
	normalize(@opens, 1000);
	printa("%@12d us of running\n", @ran);
	printa("%@12d us of waiting\n", @waited);
	printa("%@12d us the longest wait\n", @longest);
	printa("%@12d us ready to run, without a processor\n", @ready);
	trunc(@stacks, 5);
	trunc(@samples, 5);
	trunc(@opens, 10);
	printf("\n%12s  %s\n", "WAITED us", "FOR");
	printa("%@12d  %s\n", @waits);
	printf("\n%12s  %-20s %7s\n", "WOKEN BY", "PROGRAM", "THREAD");
	printa("%@12d  %-20s %7d\n", @wakers);
}

END
/from && stacks/
{
	printf("\nWhere it waited");
	printa("%k%@12d us\n", @stacks);
}

END
/from && sampled/
{
	printf("\nWhere it ran");
	printa("%k%@12d samples\n", @samples);
}

END
/from && seen/
{
	printf("\n%12s  %s\n", "us", "OPENING");
	printa("%@12d  %s\n", @opens);
}
