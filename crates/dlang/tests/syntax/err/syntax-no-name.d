int *;
