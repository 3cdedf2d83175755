int f(int,);
