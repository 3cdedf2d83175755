/* Switches onto and off a processor by program. */
sched:::on-cpu { @in[execname] = count(); }
sched:::off-cpu { @out[execname] = count(); }
END { printa("%s\t%@d\t%@d\n", @in, @out); }
