#!/usr/bin/env -S dtrace -s
/*
 * waitedfor.d: whom a thread waited for, in each of its long waits.
 *
 *   dtrace waitedfor trace.etl TID [MS]       (waits of at least MS milliseconds: 100)
 *
 * Needs context switches (CSWITCH). With ready threads (DISPATCHER), the thread that ended the wait is a fact. Without, it is
 * inferred, and says so: a thread that ran for at least half of the wait, and left its processor with nothing more to do within
 * 5 ms of its end. The confidence is 90 % at most, as coincidence is no proof; 60 % of that for a thread of another process, less
 * with the share of the wait that it did not run, and less with the time between the two. Below 30 % nothing is said.
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

inline int64_t LEAST = ($2 ? $2 : 100) * 1000000;

int64_t begun;

BEGIN
/$1 == 0/
{
	printf("Which thread? dtrace -s waitedfor.d -E FILE TID [MS]\n");
	exit(2);
}

BEGIN
{
	begun = timestamp;
}

sched:::waited
/tid == $1 && args[2]->wt_time >= LEAST/
{
	this->from = args[2]->wt_start - begun;
	this->to = timestamp - begun;
	printf("%4d.%03d - %4d.%03d s  %d waited for ", this->from / 1000000000, this->from / 1000000 % 1000,
	    this->to / 1000000000, this->to / 1000000 % 1000, tid);
}

sched:::waited
/tid == $1 && args[2]->wt_time >= LEAST && args[2]->wt_confidence == 100/
{
	printf("%s %d, which woke it\n", args[1]->pr_fname, args[0]->pr_lwpid);
}

sched:::waited
/tid == $1 && args[2]->wt_time >= LEAST && args[2]->wt_confidence == 0/
{
	printf("no thread that the trace shows\n");
}

sched:::waited-inferred
/tid == $1 && args[2]->wt_time >= LEAST/
{
	this->gap = args[2]->wt_gap;
	printf("%s %d (inferred, confidence %d %%: it ran %d us and left its processor %d us %s)\n", args[1]->pr_fname,
	    args[0]->pr_lwpid, args[2]->wt_confidence, args[2]->wt_ran / 1000,
	    (this->gap < 0 ? -this->gap : this->gap) / 1000, this->gap < 0 ? "before" : "after");
}
