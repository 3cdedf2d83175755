BEGIN { x = (int y)z; }
