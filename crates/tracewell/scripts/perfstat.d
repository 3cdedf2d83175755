#!/usr/bin/env -S dtrace -s
/*
 * perfstat.d: what a program cost, in the manner of perf stat: hardware counters, processor time, faults, transfers.
 *
 *   dtrace perfstat trace.etl chrome.exe
 *
 * Needs context switches (CSWITCH), with counters if these are wanted (`xperf -pmc ... CSWITCH`); the rest shows where it was
 * recorded: samples, processes, threads, page faults, disk transfers, network. Example:
 *
 *    Costs of cl.exe:
 *
 *        14577305 us of processor time       0.728 processors of 20.001 s of trace
 *            2135 context switches             146 per second of processor time
 *     31055721184 InstructionRetired
 */
#pragma D option quiet
#pragma D option zdefs

int64_t begun, ran, cycles, instructions;
int seen, counted, switches;
/* The counters of the machine by their place: names, and what the program used. */
string name[int];
int64_t used[int];
/* Since when a processor runs a thread of the program; see whorun.d. */
uint64_t on[int];
/* The processor that a thread was on last, and 1. */
int lastcpu[int];

BEGIN
{
	begun = timestamp;
}

pmc:::counter-src
{
	name[0] = wstringof(args[1][0]);
}

pmc:::counter-src
/args[0] > 1/
{
	name[1] = wstringof(args[1][1]);
}

pmc:::counter-src
/args[0] > 2/
{
	name[2] = wstringof(args[1][2]);
}

pmc:::counter-src
/args[0] > 3/
{
	name[3] = wstringof(args[1][3]);
}

/* Counters only grow: what a slice used is the difference. */
sched::pmc:on-cpu
/execname == tolower($$1)/
{
	this->c = (etw_pmc_t *)arg4;
	self->c0 = this->c->pmc_counters[0] + 1;
	self->c1 = this->c->pmc_size > 8 ? this->c->pmc_counters[1] : 0;
	self->c2 = this->c->pmc_size > 16 ? this->c->pmc_counters[2] : 0;
	self->c3 = this->c->pmc_size > 24 ? this->c->pmc_counters[3] : 0;
}

sched::pmc:off-cpu
/self->c0/
{
	this->c = (etw_pmc_t *)arg4;
	used[0] += this->c->pmc_counters[0] + 1 - self->c0;
	used[1] += this->c->pmc_size > 8 ? this->c->pmc_counters[1] - self->c1 : 0;
	used[2] += this->c->pmc_size > 16 ? this->c->pmc_counters[2] - self->c2 : 0;
	used[3] += this->c->pmc_size > 24 ? this->c->pmc_counters[3] - self->c3 : 0;
	counted++;
	self->c0 = 0;
}

sched:::off-cpu
/execname == tolower($$1)/
{
	switches++;
	seen = 1;
}

sched:::on-cpu
/execname == tolower($$1)/
{
	@migrations = sum(lastcpu[tid] != 0 && lastcpu[tid] != cpu + 1);
	lastcpu[tid] = cpu + 1;
	on[cpu] = timestamp;
	seen = 1;
}

sched:::off-cpu
/on[cpu]/
{
	ran += timestamp - on[cpu];
	on[cpu] = 0;
}

profile:::sample-997
/execname == tolower($$1)/
{
	@samples = count();
	seen = 1;
}

proc:::start
/args[0]->pr_fname == tolower($$1)/
{
	@processes = count();
	seen = 1;
}

proc:::lwp-start
/args[1]->pr_fname == tolower($$1)/
{
	@threads = count();
	seen = 1;
}

pf:::*_flt
/execname == tolower($$1)/
{
	@soft = count();
	seen = 1;
}

pf:::hardflt
/execname == tolower($$1)/
{
	@hard = count();
	seen = 1;
}

io:::done
/execname == tolower($$1)/
{
	@transfers = count();
	@bytes = sum(args[0]->b_bcount);
	seen = 1;
}

tcpip:::send,
tcpip:::receive
/execname == tolower($$1)/
{
	@tcp = sum(args[0]->ip_plength);
	seen = 1;
}

udpip:::send,
udpip:::receive
/execname == tolower($$1)/
{
	@udp = sum(args[0]->udp_plength);
	seen = 1;
}

END
/!seen/
{
	printf("Nothing in the trace is of a program %s: samples.d and whorun.d name those that ran.\n", $$1);
}

END
/seen/
{
	this->ms = (timestamp - begun) / 1000000;
	printf(" Costs of %s:\n\n", $$1);
}

END
/seen && switches/
{
	this->share = ran / (timestamp - begun > 1000 ? (timestamp - begun) / 1000 : 1);
	printf("%13d us of processor time  %6d.%03d processors of %d.%03d s of trace\n", ran / 1000,
	    this->share / 1000, this->share % 1000, this->ms / 1000, this->ms % 1000);
	printf("%13d context switches      %10d per second of processor time\n", switches,
	    ran ? switches * 1000000000 / ran : 0);
}

END
/seen/
{
	printa("%@13d migrations between processors\n", @migrations);
	printa("%@13d samples of the profile\n", @samples);
	cycles = name[0] == "TotalCycles" ? used[0] : name[1] == "TotalCycles" ? used[1] :
	    name[2] == "TotalCycles" ? used[2] : name[3] == "TotalCycles" ? used[3] : 0;
	instructions = name[0] == "InstructionRetired" ? used[0] : name[1] == "InstructionRetired" ? used[1] :
	    name[2] == "InstructionRetired" ? used[2] : name[3] == "InstructionRetired" ? used[3] : 0;
	this->ipc = cycles ? instructions * 100 / cycles : 0;
}

END
/seen && counted/
{
	printf("%13d %s\n", used[0], name[0] != NULL ? name[0] : "counter 0");
}

END
/seen && counted && (used[1] || name[1] != NULL)/
{
	printf("%13d %s\n", used[1], name[1] != NULL ? name[1] : "counter 1");
}

END
/seen && counted && (used[2] || name[2] != NULL)/
{
	printf("%13d %s\n", used[2], name[2] != NULL ? name[2] : "counter 2");
}

END
/seen && counted && (used[3] || name[3] != NULL)/
{
	printf("%13d %s\n", used[3], name[3] != NULL ? name[3] : "counter 3");
}

END
/seen && cycles && instructions/
{
	printf("%10d.%02d instructions per cycle\n", this->ipc / 100, this->ipc % 100);
}

END
/seen/
{
	printa("%@13d processes started\n", @processes);
	printa("%@13d threads started\n", @threads);
	printa("%@13d soft page faults\n", @soft);
	printa("%@13d hard page faults\n", @hard);
	printa("%@13d disk transfers\n", @transfers);
	printa("%@13d bytes of them\n", @bytes);
	printa("%@13d bytes over TCP\n", @tcp);
	printa("%@13d bytes over UDP\n", @udp);
}

END
/seen && !switches/
{
	printf("\n No processor time: the trace has no context switches of it.\n");
}

END
/seen && switches && !counted/
{
	printf("\n No hardware counters: its context switches carry none.\n");
}
