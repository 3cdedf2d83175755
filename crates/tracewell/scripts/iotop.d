#!/usr/bin/env -S dtrace -s
/*
 * iotop.d: which programs keep the disks busy: transfers, bytes and time, by disk and direction (D: read, write
 * or flush).
 *
 *   dtrace iotop trace.etl
 *
 * Needs disk transfers (kernel flag DISK_IO). Transfers overlap: their times may add up to more than the
 * trace lasts. Example:
 *
 *   PROGRAM          DISK  D    TIMES        BYTES         us
 *   oakdb.exe           0  R      411     26935296     381022
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option aggsortpos=2

io:::done
{
	this->direction = args[0]->b_flags & B_READ ? "R" : args[0]->b_flags & B_FLUSH ? "F" : "W";
	@times[execname, args[1]->dev_minor, this->direction] = count();
	@bytes[execname, args[1]->dev_minor, this->direction] = sum(args[0]->b_bcount);
	@busy[execname, args[1]->dev_minor, this->direction] = sum(args[0]->b_resp / 1000);
}

END
{
	printf("%-16s %4s  D %8s %12s %10s\n", "PROGRAM", "DISK", "TIMES", "BYTES", "us");
	printa("%-16s %4d  %s %@8d %@12d %@10d\n", @times, @bytes, @busy);
}
