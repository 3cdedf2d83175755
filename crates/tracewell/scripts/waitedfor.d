#!/usr/bin/env -S dtrace -s
/*
 * waitedfor.d: whom a thread waited for, in each of its long waits.
 *
 *   dtrace waitedfor trace.etl TID [MS]       (waits of at least MS milliseconds: 100)
 *
 * Needs context switches (CSWITCH). With ready threads (DISPATCHER), the thread that ended the wait is a fact. Without, it is
 * inferred, and says so: a thread that ran for at least half of the wait, and left its processor to wait within 5 ms of its
 * end. The confidence is 90 % at most, as coincidence is no proof; 60 % of that for a thread of another process, less with
 * the share of the wait that it did not run, and less with the time between the two. Below 30 % nothing is said.
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

inline int64_t LEAST = ($2 ? $2 : 100) * 1000000;
inline int64_t FARTHEST = 5000000;

/* When the trace began; since when the thread waits (0: it does not), how often it has, and how its last long wait ended. */
int64_t begun, since, from, to;
int wait, owner;
/* The wake-up of the wait, and the best guess: thread, process, confidence in percent, time that it ran, time to the end. */
int waker, guess, guessed;
int64_t sure, ran, gap;
string woke, guessname;
/* The last thread that left its processor before the end of the wait, and had run for half of it. */
int last, lastpid;
int64_t lastleft, lastran;
string lastname;
/* By processor: since when its thread runs. By thread: in which wait it ran how long. */
int64_t on[int];
int in[int];
int64_t got[int];

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

/* All that could end the last wait has been seen. */
sched:::on-cpu
/to && timestamp > to + FARTHEST/
{
	printf("%4d.%03d - %4d.%03d s  %d waited for ", (from - begun) / 1000000000, (from - begun) / 1000000 % 1000,
	    (to - begun) / 1000000000, (to - begun) / 1000000 % 1000, $1);
}

sched:::on-cpu
/to && timestamp > to + FARTHEST && waker/
{
	printf("%s %d, which woke it\n", woke, waker);
	to = 0;
}

sched:::on-cpu
/to && timestamp > to + FARTHEST && guess/
{
	printf("%s %d (inferred, confidence %d %%: it ran %d us and left its processor %d us %s)\n", guessname, guess,
	    guessed, ran / 1000, (gap < 0 ? -gap : gap) / 1000, gap < 0 ? "before" : "after");
	to = 0;
}

sched:::on-cpu
/to && timestamp > to + FARTHEST/
{
	printf("no thread that the trace shows\n");
	to = 0;
}

sched:::wakeup
/since && args[0]->pr_lwpid == $1/
{
	waker = tid;
	woke = execname;
}

/* The thread comes back. Who left just before is the first guess. */
sched:::on-cpu
/tid == $1 && since && timestamp - since >= LEAST/
{
	from = since;
	to = timestamp;
	guess = 0;
	guessed = 0;
	gap = lastleft - to;
	sure = last && -gap <= FARTHEST ? 90 * (lastpid == pid ? 10 : 6) / 10 * lastran / (to - from) : 0;
	sure = sure * (FARTHEST + gap) / FARTHEST;
	guess = sure >= 30 ? last : 0;
	guessed = sure;
	guessname = lastname;
	ran = lastran;
}

sched:::on-cpu
/tid == $1/
{
	since = 0;
	owner = pid;
}

sched:::on-cpu
{
	on[cpu] = timestamp;
}

/* How long another thread ran in the wait so far, or in the last one. */
sched:::off-cpu
/tid != $1 && tid && (since || to)/
{
	this->began = since ? since : from;
	this->until = since ? timestamp : to;
	this->piece = on[cpu] > this->began ? on[cpu] : this->began;
	got[tid] = (in[tid] == wait ? got[tid] : 0) + (this->until > this->piece ? this->until - this->piece : 0);
	in[tid] = wait;
	this->leaves = curlwpsinfo->pr_state == THREAD_WAITING;
}

sched:::off-cpu
/tid != $1 && tid && since && this->leaves && got[tid] * 2 >= timestamp - since/
{
	last = tid;
	lastpid = pid;
	lastleft = timestamp;
	lastran = got[tid];
	lastname = execname;
}

sched:::off-cpu
/tid != $1 && tid && !since && to && timestamp - to <= FARTHEST && this->leaves && got[tid] * 2 >= to - from/
{
	sure = 90 * (pid == owner ? 10 : 6) / 10 * got[tid] / (to - from);
	sure = sure * (FARTHEST - (timestamp - to)) / FARTHEST;
}

sched:::off-cpu
/tid != $1 && tid && !since && to && timestamp - to <= FARTHEST && this->leaves && got[tid] * 2 >= to - from && sure >= 30 && sure > guessed/
{
	guess = tid;
	guessed = sure;
	guessname = execname;
	ran = got[tid];
	gap = timestamp - to;
}

sched:::off-cpu
/tid == $1 && !to/
{
	since = curlwpsinfo->pr_state == THREAD_WAITING ? timestamp : 0;
	wait++;
	waker = 0;
	last = 0;
}
