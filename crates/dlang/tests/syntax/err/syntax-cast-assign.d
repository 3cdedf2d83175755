BEGIN { (int)a = c; }
