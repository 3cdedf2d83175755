#!/usr/bin/env -S dtrace -s
/*
 * dotnet.d: what the .NET runtime did, in time order: runtimes, domains, assemblies, modules, collections, exceptions,
 * locks, threads; and counts of frequent events.
 *
 *   dtrace dotnet trace.etl
 *
 * Needs Microsoft-Windows-DotNETRuntime, with the keywords of the wanted events. Some runtimes log the start of a collection in
 * two versions: it is listed and counted once. Example:
 *
 *    SECONDS PROGRAM           PID WHAT           DETAIL
 *      0.031 shop.exe         4120 gc-start       number 3, gen 1: AllocSmall
 */
#pragma D option quiet
#pragma D option zdefs
#pragma D option lastcolumn=46

uint64_t last[int, uint64_t];

/* Why a collection was started, as the runtime's manifest numbers it. */
inline string reason[int r] =
    r == 0 ? "AllocSmall" : r == 1 ? "Induced" : r == 2 ? "LowMemory" : r == 3 ? "Empty" : r == 4 ? "AllocLarge" :
    r == 5 ? "OutOfSpaceSmallObjectHeap" : r == 6 ? "OutOfSpaceLargeObjectHeap" : r == 7 ? "InducedNoForce" :
    r == 8 ? "Stress" : r == 9 ? "InducedLowMemory" : "not known";

BEGIN
{
	begun = timestamp;
	printf("%8s %-15s %5s %-14s %s\n", "SECONDS", "PROGRAM", "PID", "WHAT", "DETAIL");
}

dnet:::gc-start
{
	this->again = last[pid, args[0]->clr_instid] == args[0]->gc_count + 1;
	last[pid, args[0]->clr_instid] = args[0]->gc_count + 1;
}

dnet:::gc-start
/!this->again/
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%4d.%03d %-15s %5d %-14s number %d, gen %d: %s\n", this->ms / 1000, this->ms % 1000, execname,
	    pid, probename, args[0]->gc_count, args[0]->gc_depth, reason[args[0]->gc_reason]);
}

dnet:::runtime, dnet:::excp, dnet:::appdomain-load, dnet:::assembly-load, dnet:::module-load, dnet:::heapstat, dnet:::seg-create, dnet:::seg-free, dnet:::lck-wait, dnet:::thr-create, dnet:::thr-start,
dnet:::io-start, dnet:::stub-gen
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%4d.%03d %-15s %5d %-14s ", this->ms / 1000, this->ms % 1000, execname, pid, probename);
}

dnet:::runtime
{
	printf("%d.%d.%d.%d of %s: %s\n", args[0]->clr_clrmaj, args[0]->clr_clrmin, args[0]->clr_clrbld,
	    args[0]->clr_clrfix, args[0]->clr_clrpath, args[0]->clr_cmdline);
}

dnet:::excp
{
	printf("%s: %s\n", args[0]->clr_excep, args[0]->clr_excepmsg);
}

dnet:::appdomain-load
{
	printf("%s\n", args[0]->clr_appdomname);
}

dnet:::assembly-load
{
	printf("%s\n", args[0]->clr_assmname);
}

dnet:::module-load
{
	printf("%s%s%s\n", args[0]->clr_modilpath, args[0]->clr_mngpdb_path == "" ? "" : ", program database ",
	    args[0]->clr_mngpdb_path);
}

dnet:::heapstat
{
	printf("generations %d, %d, %d, large objects %d bytes\n", args[0]->gc_gensz0, args[0]->gc_gensz1,
	    args[0]->gc_gensz2, args[0]->gc_gensz3);
}

dnet:::seg-create
{
	printf("%d bytes at %x\n", args[0]->gc_size, args[0]->gc_addr);
}

dnet:::seg-free
{
	printf("at %x\n", args[0]->gc_addr);
}

dnet:::lck-wait
{
	printf("%s\n", args[0]->lck_flags ? "native" : "managed");
}

dnet:::thr-create
{
	printf("%d\n", args[0]->clr_osthrid);
}

dnet:::thr-start,
dnet:::io-start
{
	printf("%d of the pool\n", args[0]->clr_thrco);
}

dnet:::stub-gen
{
	printf("%s.%s\n", args[0]->clr_mim_namespace, args[0]->clr_mim_name);
}

dnet:::
/probename != "gc-start"/
{
	@[execname, probename] = count();
}

dnet:::gc-start
/!this->again/
{
	@[execname, probename] = count();
}

END
{
	printf("\n%-20s %-22s %10s\n", "PROGRAM", "WHAT", "TIMES");
	printa("%-20s %-22s %@10d\n", @);
}
