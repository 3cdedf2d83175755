BEGIN { x = $20; }
