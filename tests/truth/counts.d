/* How often each kind of event came. */
proc:::start, proc:::exit, proc:::lwp-start, proc:::lwp-exit, proc:::module-load, proc:::module-unload,
sched:::wakeup
{
	@[probename] = count();
}
sched:::on-cpu { @["cswitch"] = count(); }
io:::start { @["disk-start"] = count(); }
io:::done { @["disk-done"] = count(); }
profile:::sample-997 { @["sample"] = count(); }
*:::events /probeprov != "diag"/ { @["event"] = count(); }
END { printa("%s\t%@d\n", @); }
