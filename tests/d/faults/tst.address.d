#pragma D option quiet


BEGIN { trace(*(int *)64); }
ERROR { printf("%d %x\n", (int)arg4 == DTRACEFLT_BADADDR, arg5); exit(0); }
