BEGIN { x = (nonsense_t *)y; }
