BEGIN { x = $10; }
