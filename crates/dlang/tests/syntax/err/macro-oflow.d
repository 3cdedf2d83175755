BEGIN { x = $9; }
