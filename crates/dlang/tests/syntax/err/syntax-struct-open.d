struct s { int x;
