#!/usr/bin/env -S dtrace -s
/*
 * perfstat.d: what a program cost, in the manner of perf stat.
 *
 *   dtrace -s scripts/perfstat.d -E trace.etl chrome.exe
 *
 * Needs context switches (CSWITCH); processes, threads, hard faults, disk transfers and network where they
 * were recorded. Example:
 *
 *    Costs of cl.exe:
 *
 *           14577305 microseconds of processor time
 *               2135 context switches
 */
#pragma D option quiet
#pragma D option zdefs

sched:::off-cpu
/execname == tolower($$1)/
{
	lastcpu[tid] = cpu + 1;
	@switches = count();
}

sched:::on-cpu
/execname == tolower($$1)/
{
	@migrations = sum(lastcpu[tid] != 0 && lastcpu[tid] != cpu + 1);
	self->on = timestamp;
}

sched:::off-cpu
/self->on/
{
	@us = sum((timestamp - self->on) / 1000);
	self->on = 0;
}

proc:::start
/args[0]->pr_fname == tolower($$1)/
{
	@processes = count();
}

proc:::lwp-start
/args[1]->pr_fname == tolower($$1)/
{
	@threads = count();
}

pf:::hardflt
/execname == tolower($$1)/
{
	@faults = count();
}

io:::done
/execname == tolower($$1)/
{
	@transfers = count();
	@bytes = sum(args[0]->b_bcount);
}

tcpip:::send,
tcpip:::receive
/execname == tolower($$1)/
{
	@network = sum(args[0]->ip_plength);
}

END
{
	printf(" Costs of %s:\n\n", $$1);
	printa("%@16d microseconds of processor time\n", @us);
	printa("%@16d context switches\n", @switches);
	printa("%@16d migrations between processors\n", @migrations);
	printa("%@16d processes started\n", @processes);
	printa("%@16d threads started\n", @threads);
	printa("%@16d hard page faults\n", @faults);
	printa("%@16d disk transfers\n", @transfers);
	printa("%@16d bytes of them\n", @bytes);
	printa("%@16d bytes over TCP\n", @network);
}
