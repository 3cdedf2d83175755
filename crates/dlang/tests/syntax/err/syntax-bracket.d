BEGIN { x[1; }
