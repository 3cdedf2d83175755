/* Nanoseconds from each switch to the next one on the same processor. */
sched:::on-cpu { on[cpu] = timestamp; }
sched:::off-cpu /on[cpu]/ { @[execname] = sum(timestamp - on[cpu]); }
END { printa("%s\t%@d\n", @); }
