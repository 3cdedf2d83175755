#pragma D option dx
void f(int n) { return n; }
BEGIN { f(1); exit(0); }
