BEGIN { x = 1 é 2; }
