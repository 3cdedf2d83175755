#pragma D option dx
int f(int n) { trace(n); return 1; }
BEGIN /f(1)/ { exit(0); }
