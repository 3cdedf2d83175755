#!/usr/bin/env -S dtrace -s
/*
 * How long disk transfers took: a histogram of response times in microseconds,
 * for reads, writes and flushes.
 *
 * Needs disk transfers (kernel flag DISK_IO).
 */

#pragma D option quiet

io:::done
{
	@[args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush"] =
	    quantize(args[0]->b_resp / 1000);
}
