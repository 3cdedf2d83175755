BEGIN { inline int x = 1; }
