/* Samples by process. */
profile:::sample-997 { @[execname, pid] = count(); }
END { printa("%s\t%d\t%@d\n", @); }
