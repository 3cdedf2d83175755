extern int;
