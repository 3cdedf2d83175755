/* Samples by processor. */
profile:::sample-997 { @[cpu] = count(); }
END { printa("%d\t%@d\n", @); }
