#!/usr/bin/env -S dtrace -s
/*
 * counters.d: hardware counters: what each program used of them between its context switches, and where their samples
 * fell.
 *
 *   dtrace counters trace.etl
 *
 * Needs context switches that carry counters (`xperf -pmc ... CSWITCH`), or samples of counters (PMC_PROFILE). Example:
 *
 *   0 TotalCycles
 *   1 InstructionRetired
 *
 *   PROGRAM               SLICES        COUNTER 0        COUNTER 1 1 PER 1000 OF 0
 *   app.exe                  411       4120000000       3104112000             753
 */
#pragma D option quiet
#pragma D option zdefs

int64_t firsts[string], seconds[string], ratio[string];

pmc:::counter-src
{
	printf("0 %ws\n", args[1][0]);
}

pmc:::counter-src
/args[0] > 1/
{
	printf("1 %ws\n", args[1][1]);
}

pmc:::sample-src
/stringof(arg1) != ""/
{
	printf("source %d is %s, each %d\n", arg0, stringof(arg1), arg2);
}

/* Counters only grow: what a slice used is the difference. */
sched::pmc:on-cpu
{
	self->first = ((etw_pmc_t *)arg4)->pmc_counters[0] + 1;
	self->second = ((etw_pmc_t *)arg4)->pmc_size > 8 ? ((etw_pmc_t *)arg4)->pmc_counters[1] : 0;
}

sched::pmc:off-cpu
/self->first/
{
	this->first = ((etw_pmc_t *)arg4)->pmc_counters[0] + 1 - self->first;
	this->second = ((etw_pmc_t *)arg4)->pmc_size > 8 ? ((etw_pmc_t *)arg4)->pmc_counters[1] - self->second : 0;
	@slices[execname] = count();
	@firsts[execname] = sum(this->first);
	@seconds[execname] = sum(this->second);
	/* The ratio of the sums so far: its changes add up to the last one. */
	firsts[execname] += this->first;
	seconds[execname] += this->second;
	this->ratio = firsts[execname] ? seconds[execname] * 1000 / firsts[execname] : 0;
	@ratio[execname] = sum(this->ratio - ratio[execname]);
	ratio[execname] = this->ratio;
	self->first = 0;
}

pmc:::sample
/(int64_t)arg0 < 0/
{
	@kernel[execname, arg1, sym(arg0)] = count();
}

pmc:::sample
/(int64_t)arg0 >= 0/
{
	@user[execname, arg1, usym(arg0)] = count();
}

END
{
	trunc(@user, 20);
	trunc(@kernel, 20);
	printf("\n%-18s %9s %16s %16s %15s\n", "PROGRAM", "SLICES", "COUNTER 0", "COUNTER 1", "1 PER 1000 OF 0");
	printa("%-18s %@9d %@16d %@16d %@15d\n", @slices, @firsts, @seconds, @ratio);
	printf("\n%-20s %6s %10s  %s\n", "PROGRAM", "SOURCE", "SAMPLES", "FUNCTION");
	printa("%-20s %6d %@10d  %A\n", @user);
	printa("%-20s %6d %@10d  %a\n", @kernel);
}
