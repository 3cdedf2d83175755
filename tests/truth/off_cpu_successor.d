/* Who runs next, as off-cpu's arguments name it: the same counts as switches in. */
sched:::off-cpu { @[args[1]->pr_fname] = count(); }
END { printa("%s\t%@d\n", @); }
