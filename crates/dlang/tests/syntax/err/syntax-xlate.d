BEGIN { x = xlate int (y); }
