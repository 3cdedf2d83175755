#!/usr/bin/env -S dtrace -s
/*
 * waits.d: how long threads were off the processors: by program, by why they waited, and by where.
 *
 *   dtrace -s scripts/waits.d -E trace.etl
 *
 * Needs context switches (CSWITCH), and for the stacks a session that walked them. The stack is the one with which a
 * thread comes back: it shows where it went to wait. Example:
 *
 *   PROGRAM               WAITED us      WAITS    LONGEST us
 *   powerpnt.exe           41203110       3104       1107686
 */
#pragma D option quiet

sched:::off-cpu
/pid != 0/
{
	self->off = timestamp;
}

sched:::on-cpu
/self->off/
{
	this->us = (timestamp - self->off) / 1000;
	@us[execname] = sum(this->us);
	@times[execname] = count();
	@longest[execname] = max(this->us);
	@reasons[execname, waitreason[curlwpsinfo->pr_waitr]] = sum(this->us);
	self->waited = ustackdepth > 0 ? this->us + 1 : 0;
	self->off = 0;
}

sched:::on-cpu
/self->waited/
{
	@stacks[execname, ustack(8)] = sum(self->waited - 1);
	self->waited = 0;
}

END
{
	trunc(@us, 30);
	trunc(@reasons, 20);
	trunc(@stacks, 10);
	printf("%-24s %12s %10s %13s\n", "PROGRAM", "WAITED us", "WAITS", "LONGEST us");
	printa("%-24s %@12d %@10d %@13d\n", @us, @times, @longest);
	printf("\n%-24s %-20s %12s\n", "PROGRAM", "WHY", "WAITED us");
	printa("%-24s %-20s %@12d\n", @reasons);
	printa("\n%s%k%@12d us\n", @stacks);
}
