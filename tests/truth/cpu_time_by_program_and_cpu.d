/* Nanoseconds on each processor by program. */
sched:::on-cpu { on[cpu] = timestamp; }
sched:::off-cpu /on[cpu]/ { @[execname, cpu] = sum(timestamp - on[cpu]); }
END { printa("%s\t%d\t%@d\n", @); }
