/* Probe descriptions in all their shapes. */
BEGIN
{
}

dtrace:::BEGIN, END, :::ERROR
{
	trace(1);
}

syscall::open*:entry,
syscall::[a-m]?ead:return,
fbt:genunix:!foo:entry
/pid == 1234 && execname == "sh"/
{
	self->t = timestamp; this->x = 1
}

42 { exit(0) }

profile-97hz /x/ { ; }
tick-1s { ;; trace(1);; trace(2); ; }

proc:::exec-*
/a / b / c/
{
}

/* Without braces the default action runs. */
tick-2s
/i++ == 10/;

tick-3s /* a comment */ /x > 1 /* here too */ / /* and here */ { }
sched:::on-cpu /(a, b)/;
END { }
