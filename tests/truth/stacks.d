/* Stacks of samples, context switches and events, whole, by program. */
#pragma D option noresolve

profile:::sample-997 /stackdepth > 0/ { @sk["sample", "kernel", execname, stack(200)] = count(); }
profile:::sample-997 /ustackdepth > 0/ { @su["sample", "user", execname, ustack(200)] = count(); }
sched:::on-cpu /stackdepth > 0/ { @ck["cswitch", "kernel", execname, stack(200)] = count(); }
sched:::on-cpu /ustackdepth > 0/ { @cu["cswitch", "user", execname, ustack(200)] = count(); }
microsoft-windows-dotnetruntime:::events /ustackdepth > 0/ { @eu["event", "user", execname, ustack(200)] = count(); }
