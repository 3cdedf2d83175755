BEGIN { x = .5; }
