BEGIN { a[] = 1; }
