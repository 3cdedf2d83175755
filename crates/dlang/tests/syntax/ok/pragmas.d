#!/usr/sbin/dtrace -s
#pragma ident "anything at all"
#pragma D option quiet
#pragma D option bufsize=4k /* a comment */
# pragma D option defaultargs
	#pragma D option aggrate=1ms
#pragma D attributes Stable/Stable/Common name
#pragma D attributes Evolving/Private/ISA provider foo function
#pragma D binding "1.2" other
#pragma D depends_on library net.d
#pragma D depends_on module  genunix
#pragma D depends_on provider io
#pragma once upon a time
#pragma
#
#ident "x"
BEGIN
{
	trace($15); trace($$16);
#pragma D option aggsortkey
	trace(1);
}
#pragma D option pspec
int { }
