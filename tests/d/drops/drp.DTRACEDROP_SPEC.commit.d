/* A speculation is committed to a buffer that has no room for it any more. */
#pragma D option bufsize=60
#pragma D option specsize=4k
#pragma D option quiet

BEGIN { a = speculation(); }
BEGIN { speculate(a); trace((long long)1); trace((long long)2); trace((long long)3); }
BEGIN { trace((long long)4); trace((long long)5); }
BEGIN { commit(a); }
tick-10ms { exit(0); }
