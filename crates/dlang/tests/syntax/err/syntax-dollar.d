BEGIN { x = $-1; }
