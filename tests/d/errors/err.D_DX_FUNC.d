#pragma D option dx
int even(int n) { return n ? odd(n - 1) : 1; }
int odd(int n) { return n ? even(n - 1) : 0; }
BEGIN { exit(even(4)); }
