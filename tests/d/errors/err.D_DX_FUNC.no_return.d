#pragma D option dx
int f(int n) { if (n) return 1; }
BEGIN { exit(f(0)); }
