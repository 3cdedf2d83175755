/* Samples by the program that ran. */
profile:::sample-997 { @[execname] = count(); }
END { printa("%s\t%@d\n", @); }
