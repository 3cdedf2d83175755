#pragma D option specsize=16
#pragma D option quiet

BEGIN { a = speculation(); }
BEGIN { speculate(a); trace((long long)1); trace((long long)2); }
BEGIN { exit(0); }
