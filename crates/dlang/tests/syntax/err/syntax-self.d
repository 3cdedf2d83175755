BEGIN { self = 1; }
