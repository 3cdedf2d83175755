/* Processes that start, with their command lines. */
BEGIN { start = timestamp; }
proc:::start
{
	printf("%d\t%s\t%s\t%d\t%d\n", timestamp - start, args[0]->pr_psargs, args[0]->pr_fname, args[0]->pr_ppid,
	    args[0]->pr_pid);
}
