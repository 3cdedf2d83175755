#pragma D option quiet


BEGIN { printf("first\n"); exit(0); }
BEGIN { printf("never\n"); }
END { printf("last\n"); }
