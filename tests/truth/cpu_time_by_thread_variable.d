/* The same the classic way: a thread's own variable. */
sched:::on-cpu { self->on = timestamp; }
sched:::off-cpu /self->on/ { @[execname] = sum(timestamp - self->on); self->on = 0; }
END { printa("%s\t%@d\n", @); }
