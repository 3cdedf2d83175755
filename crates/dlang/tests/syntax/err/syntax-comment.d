BEGIN { /* open
 }
