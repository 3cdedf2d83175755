#pragma D option bufsize=32
#pragma D option bufresize=manual
#pragma D option quiet

BEGIN { trace((long long)1); trace((long long)2); }
BEGIN { trace((long long)3); trace((long long)4); }
BEGIN { n = 1; }
tick-50ms { exit(0); }
