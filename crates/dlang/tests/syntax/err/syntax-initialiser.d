int x = 5;
