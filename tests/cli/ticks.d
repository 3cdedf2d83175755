/* Seconds, and every two seconds each processor, that pass in the trace whatever else is traced. */
BEGIN { start = timestamp; }
tick-1s { printf("tick\t%d\t%d\n", (timestamp - start) / 1000000000, cpu); }
profile-10s { printf("never\n"); }
profile-2s { printf("profile\t%d\t%d\n", (timestamp - start) / 1000000000, cpu); }
