int f(..., int);
