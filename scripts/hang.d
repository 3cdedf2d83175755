#!/usr/bin/env -S dtrace -s
/*
 * hang.d: what one thread did between two moments: how long it ran and where, how long it waited, where and for what,
 * who woke it, and which files it opened slowly. uidelay.d finds thread and moments.
 *
 *   dtrace -s scripts/hang.d -E trace.etl TID FROM TO         (milliseconds since the trace began)
 *
 * Needs context switches (CSWITCH); ready threads (DISPATCHER), samples (PROFILE) and file operations (FILE_IO_INIT,
 * FILE_IO) for the rest, with stacks if they are to be shown. Of a wait counts what lies behind FROM, once it ends.
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

int64_t begun, on, off;
string program;

inline int WITHIN = ((int64_t)timestamp - begun) / 1000000 >= $2 && ((int64_t)timestamp - begun) / 1000000 <= $3;

BEGIN
{
	begun = timestamp;
}

sched:::off-cpu
/tid == $1/
{
	off = timestamp;
	@ran = sum(WITHIN && on ? (timestamp - on) / 1000 : 0);
	on = 0;
}

sched:::on-cpu
/tid == $1 && off && WITHIN/
{
	this->since = off > begun + $2 * 1000000 ? off : begun + $2 * 1000000;
	this->us = (timestamp - this->since) / 1000;
	@waited = sum(this->us);
	@longest = max(this->us);
	@waits[waitreason[curlwpsinfo->pr_waitr]] = sum(this->us);
	@stacks[ustack(8)] = sum(this->us);
}

sched:::on-cpu
/tid == $1/
{
	on = timestamp;
	off = 0;
	program = execname;
}

sched:::wakeup
/args[0]->pr_lwpid == $1 && WITHIN/
{
	@wakers[execname, tid] = count();
}

profile:::sample-997
/tid == $1 && WITHIN/
{
	@samples[ustack(8)] = count();
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
	@opens[path[args[0]->fi_irp]] = max((timestamp - opened[args[0]->fi_irp]) / 1000);
	opened[args[0]->fi_irp] = 0;
}

END
{
	printf("Thread %d of %s, from %d ms to %d ms\n\n", $1, program, $2, $3);
	printa("%@12d us of running\n", @ran);
	printa("%@12d us of waiting\n", @waited);
	printa("%@12d us the longest wait\n", @longest);
	trunc(@stacks, 5);
	trunc(@samples, 5);
	trunc(@opens, 10);
	printf("\n%12s  %s\n", "WAITED us", "FOR");
	printa("%@12d  %s\n", @waits);
	printf("\n%12s  %-20s %7s\n", "WOKEN BY", "PROGRAM", "THREAD");
	printa("%@12d  %-20s %7d\n", @wakers);
	printf("\nWhere it waited");
	printa("%k%@12d us\n", @stacks);
	printf("\nWhere it ran");
	printa("%k%@12d samples\n", @samples);
	printf("\n%12s  %s\n", "us", "OPENING");
	printa("%@12d  %s\n", @opens);
}
