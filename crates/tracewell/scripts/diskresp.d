#!/usr/bin/env -S dtrace -s
/*
 * diskresp.d: how long disk transfers took: a histogram of response times in microseconds, for reads, writes and flushes.
 *
 *   dtrace diskresp trace.etl
 *
 * Needs disk transfers (DISK_IO).
 */
#pragma D option quiet

io:::done
{
	@[args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush"] =
	    quantize(args[0]->b_resp / 1000);
}
