#pragma D option dx
int f(int n) { return n; }
BEGIN { exit(f(1, 2)); }
