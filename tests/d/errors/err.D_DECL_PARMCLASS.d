int f(static int);
