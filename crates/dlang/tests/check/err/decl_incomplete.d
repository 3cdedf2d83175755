struct s x;
