/* Threads made ready by waker and woken. */
sched:::wakeup { @[execname, args[1]->pr_fname] = count(); }
END { printa("%s\t%s\t%@d\n", @); }
