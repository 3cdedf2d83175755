struct s { int *; };
