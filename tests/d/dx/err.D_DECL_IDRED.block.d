#pragma D option dx
BEGIN { int x; int x; exit(0); }
