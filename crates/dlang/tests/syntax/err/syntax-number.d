BEGIN { x = 0x10 $1; }
