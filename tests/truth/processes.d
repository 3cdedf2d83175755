/*
 * All processes that start, end, run or are woken: their names come from rundown events before and after, or from the
 * events of their start and end.
 */
sched:::on-cpu, sched:::off-cpu
{
	@ended[curpsinfo->pr_arch, curpsinfo->pr_psargs, execname, ppid, pid, (uint32_t)curpsinfo->pr_sid] = max(0);
	@begun[curpsinfo->pr_arch, curpsinfo->pr_psargs, execname, ppid, pid, (uint32_t)curpsinfo->pr_sid] = max(0);
}
proc:::start
{
	@ended[args[0]->pr_arch, args[0]->pr_psargs, args[0]->pr_fname, args[0]->pr_ppid, args[0]->pr_pid,
	    (uint32_t)args[0]->pr_sid] = max(0);
	@begun[args[0]->pr_arch, args[0]->pr_psargs, args[0]->pr_fname, args[0]->pr_ppid, args[0]->pr_pid,
	    (uint32_t)args[0]->pr_sid] = max(1);
}
proc:::exit
{
	@ended[curpsinfo->pr_arch, curpsinfo->pr_psargs, execname, ppid, pid, (uint32_t)curpsinfo->pr_sid] = max(1);
	@begun[curpsinfo->pr_arch, curpsinfo->pr_psargs, execname, ppid, pid, (uint32_t)curpsinfo->pr_sid] = max(0);
}
END { printa("%d\t%s\t%s\t%d\t%d\t%u\t%@d\t%@d\n", @ended, @begun); }
