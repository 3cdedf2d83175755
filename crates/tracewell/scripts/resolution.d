#!/usr/bin/env -S dtrace -s
/*
 * resolution.d: how far apart the samples of each processor are, in microseconds: what a profile can resolve, and where
 * it has gaps.
 *
 *   dtrace resolution trace.etl
 *
 * Needs samples (PROFILE).
 */
#pragma D option quiet
#pragma D option aggsortkey

uint64_t last[int];

profile:::sample-997
/last[cpu]/
{
	@apart[cpu] = quantize((timestamp - last[cpu]) / 1000);
	@mean[cpu] = avg((timestamp - last[cpu]) / 1000);
}

profile:::sample-997
{
	last[cpu] = timestamp;
	@phase["milliseconds within a window of ten"] = lquantize((timestamp / 1000000) % 10, 0, 10, 1);
}

END
{
	printa("processor %d: microseconds between samples%@d", @apart);
	printa("processor %d: %@d us on average\n", @mean);
	printa("\n%s%@d", @phase);
}
