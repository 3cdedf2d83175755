#pragma D option dx
BEGIN { trace(strftime("%!", 0)); exit(0); }
