#pragma D option quiet

struct timeval_like { int a; long b; };

BEGIN
{
	x = 7;
	printf("%d %d %d %d %d\n", x + 2, x - 9, x * 3, x / 2, x % 4);
	printf("%d %d %d %d %d\n", x & 3, x | 8, x ^ 5, x << 2, x >> 1);
	printf("%d %d %d %d\n", !x, ~x, -x, +x);
	printf("%d %d %d %d %d %d\n", x < 7, x <= 7, x > 7, x >= 7, x == 7, x != 7);
	printf("%d %d %d %d\n", x && 0, x || 0, x ^^ 0, x ^^ 1);
	printf("%s %d\n", x > 5 ? "big" : "small", (x, 3));
	x += 3; x -= 1; x *= 2; x /= 3; x %= 5; x <<= 3; x >>= 1; x |= 1; x &= 7; x ^= 2;
	printf("%d %d %d %d %d\n", x, x++, x, --x, x);
	printf("%d %d %d\n", sizeof (int), sizeof (struct timeval_like), offsetof(struct timeval_like, b));
	printf("%d %d %d\n", "abc" < "abd", "abc" == "abc", "b" > "a");
	exit(0);
}
