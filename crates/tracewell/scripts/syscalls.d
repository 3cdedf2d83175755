#!/usr/bin/env -S dtrace -s
/*
 * syscalls.d: system calls: the 20 that were made most often and the 20 that took longest in all, by program; how long they
 * took, and which failed.
 *
 *   dtrace syscalls trace.etl
 *
 * Needs system calls (SYSTEMCALL), and symbols of the kernel for their names (-y FOLDER or _NT_SYMBOL_PATH). Example:
 *
 *      CALLS  PROGRAM           CALL
 *       1203  app.exe           ntoskrnl`NtReadFile
 */
#pragma D option quiet
#pragma D option aggsortrev

syscall::event:entry
{
	self->call = arg0;
	self->at = timestamp;
}

syscall::event:return
/self->at/
{
	@times[execname, sym(self->call)] = count();
	@us[execname, sym(self->call)] = sum(timestamp - self->at);
	@long["microseconds"] = quantize((timestamp - self->at) / 1000);
}

syscall::event:return
/self->at && (uint32_t)arg0 >= 0x80000000/
{
	@failed[execname, sym(self->call), (uint32_t)arg0] = count();
}

syscall::event:return
{
	self->at = 0;
}

END
{
	trunc(@times, 20);
	normalize(@us, 1000);
	trunc(@us, 20);
	trunc(@failed, 20);
	printf("%10s  %-16s  %s\n", "CALLS", "PROGRAM", "CALL");
	printa("%@10d  %-16s  %a\n", @times);
	printf("\n%10s  %-16s  %s\n", "us", "PROGRAM", "CALL");
	printa("%@10d  %-16s  %a\n", @us);
	printa("\nHow long they took, in %s%@d", @long);
	printf("\n%10s  %-16s  %-40s %s\n", "FAILED", "PROGRAM", "CALL", "STATUS");
	printa("%@10d  %-16s  %-40a %x\n", @failed);
}
