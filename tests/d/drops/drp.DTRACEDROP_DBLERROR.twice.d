#pragma D option quiet


BEGIN { trace(*(int *)8); }
ERROR { trace(*(int *)16); }
BEGIN { exit(0); }
