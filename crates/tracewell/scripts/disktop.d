#!/usr/bin/env -S dtrace -s
/*
 * disktop.d: which file was slow: disk transfers by program and file, with bytes and the longest response time, the
 * slowest last.
 *
 *   dtrace disktop trace.etl
 *
 * Needs disk transfers (DISK_IO), and DISK_FILE_IO for the names.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option aggsortpos=2
#pragma D option lastcolumn=45

io:::done
{
	@count[execname, args[2]->fi_pathname] = count();
	@bytes[execname, args[2]->fi_pathname] = sum(args[0]->b_bcount);
	@slow[execname, args[2]->fi_pathname] = max(args[0]->b_resp / 1000);
}

END
{
	printf("%-15s %6s %10s %10s %s\n", "PROGRAM", "TIMES", "BYTES", "SLOWEST us", "FILE");
	printa("%-15s %@6d %@10d %@10d %s\n", @count, @bytes, @slow);
}
