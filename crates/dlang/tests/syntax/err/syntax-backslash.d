BEGIN { x = \\; }
