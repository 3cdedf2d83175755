#pragma D option dx
int f(int n) { return n + nowhere; }
BEGIN { exit(0); }
