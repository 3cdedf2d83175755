int f(int x) { return x; }
BEGIN { exit(f(0)); }
