int `x;
