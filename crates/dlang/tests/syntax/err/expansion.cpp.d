#define A B +
BEGIN {
  x = A ;
}
