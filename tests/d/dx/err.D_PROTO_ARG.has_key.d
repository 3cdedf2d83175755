#pragma D option dx
BEGIN { x = 1; exit(has_key(x)); }
