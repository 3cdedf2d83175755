#!/usr/bin/env -S dtrace -s
/*
 * iosnoop.d: every disk transfer that took long enough, a line each as it ends, with when it began (D: read, write or flush).
 *
 *   dtrace iosnoop trace.etl [MICROSECONDS]
 *
 * Needs disk transfers (kernel flags DISK_IO and DISK_FILE_IO). What began before the trace did shows as 0.000. Example:
 *
 *    SECONDS PROGRAM           PID D    BYTES       us FILE
 *      0.031 compiler.exe     2212 R    65536      812 C:\src\game.cpp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option lastcolumn=51

BEGIN
{
	begun = timestamp;
	printf("%8s %-15s %5s D %8s %8s FILE\n", "SECONDS", "PROGRAM", "PID", "BYTES", "us");
}

io:::done
/args[0]->b_resp / 1000 >= $1/
{
	this->began = timestamp - args[0]->b_resp;
	this->ms = this->began > begun ? (this->began - begun) / 1000000 : 0;
	printf("%4d.%03d %-15s %5d %s %8d %8d %s\n", this->ms / 1000, this->ms % 1000, execname, pid,
	    args[0]->b_flags & B_READ ? "R" : args[0]->b_flags & B_FLUSH ? "F" : "W", args[0]->b_bcount, args[0]->b_resp / 1000,
	    args[2]->fi_pathname);
}
