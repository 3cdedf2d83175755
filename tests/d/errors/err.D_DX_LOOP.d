#pragma D option dx
BEGIN { while (1) x++; }
