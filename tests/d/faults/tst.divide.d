#pragma D option quiet


BEGIN { zero = 0; }
BEGIN { trace(1 / zero); }
BEGIN { printf("next clause\n"); }
ERROR { printf("%d %d\n", (int)arg4 == DTRACEFLT_DIVZERO, (int)arg2); }
BEGIN { exit(0); }
