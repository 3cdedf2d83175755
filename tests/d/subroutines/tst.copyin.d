#pragma D option quiet


/* No process is there to copy from: each of the four faults with the address. */
BEGIN { trace(copyin(16, 4)); }
BEGIN { trace(copyinstr(32)); }
BEGIN { copyinto(48, 4, alloca(8)); }
ERROR { printf("fault %d at %x\n", (int)arg4, arg5); }
END { printf("done\n"); }
BEGIN { exit(0); }
