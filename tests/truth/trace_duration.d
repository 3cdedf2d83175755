/* From BEGIN to END: the first record and the last. */
BEGIN { start = timestamp; }
END { printf("%d\n", timestamp - start); }
