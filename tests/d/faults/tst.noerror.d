/* Errors of clauses print no lines; ERROR fires for them all the same. */
#pragma D option quiet
#pragma D option noerror

BEGIN { trace(*(int *)64); }
ERROR { printf("%d\n", (int)arg4 == DTRACEFLT_BADADDR); exit(0); }
