#!/usr/sbin/dtrace -s
pid$target:libc:$1:entry,
pid$pid::$$2:$3
/pid == $target && uid != $uid && execname == $$1/
{
	trace($0);
	trace($1); trace($2); trace($3); trace($4); trace($5); trace($6);
	trace($$2); trace($$pid); trace($7 + 1); trace(x-$8);
}
