/* Images loaded, by path. */
proc:::module-load { @[wstringof(args[0])] = count(); }
END { printa("%s\t%@d\n", @); }
