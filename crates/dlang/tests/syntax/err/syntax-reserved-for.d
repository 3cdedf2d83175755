BEGIN { x = for; }
