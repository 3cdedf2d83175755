#pragma D option dx
BEGIN { if (pid) break; }
