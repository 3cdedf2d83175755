/* Starts, ends and loads by the program that starts, ends or loads. */
proc:::start { @["start", args[0]->pr_fname] = count(); }
proc:::lwp-start { @["lwp-start", args[1]->pr_fname] = count(); }
proc:::exit, proc:::lwp-exit, proc:::module-load, proc:::module-unload { @[probename, execname] = count(); }
END { printa("%s\t%s\t%@d\n", @); }
