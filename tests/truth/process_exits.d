/* Processes that end. */
BEGIN { start = timestamp; }
proc:::exit
{
	printf("%d\t%s\t%s\t%d\t%d\t%d\n", timestamp - start, curpsinfo->pr_psargs, execname, ppid, pid, args[0]);
}
