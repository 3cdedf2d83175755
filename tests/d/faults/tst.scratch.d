#pragma D option quiet


BEGIN { this->p = alloca(1 << 30); printf("never\n"); }
ERROR { printf("%d\n", (int)arg4 == DTRACEFLT_NOSCRATCH); exit(0); }
