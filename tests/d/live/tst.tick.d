#pragma D option quiet


tick-10ms { n++; }
tick-10ms /n == 3/ { printf("%d\n", n); exit(0); }
