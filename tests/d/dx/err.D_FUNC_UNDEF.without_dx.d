BEGIN { a[1] = 1; exit(has_key(a[1])); }
