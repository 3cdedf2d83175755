BEGIN { f(a,); }
