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
isr::: { @["isr"] = count(); }
dpc::: { @["dpc"] = count(); }
fsinfo::: /probename != "done" && args[0]->fi_irp/ { @["file-operation"] = count(); }
fsinfo:::done { @["file-operation-end"] = count(); }
pf:::*_flt { @["page-fault"] = count(); }
pf:::hardflt { @["hard-fault"] = count(); }
syscall:::entry { @["call"] = count(); }
reg:::open, reg:::queryvalue, reg:::setvalue { @["registry"] = count(); }
*:::events /probeprov != "diag"/ { @["event"] = count(); }
END { printa("%s\t%@d\n", @); }
