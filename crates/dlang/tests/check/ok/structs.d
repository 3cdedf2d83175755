struct inner {
	char c;
	int bits : 5;
	int more : 11;
};
struct outer {
	long n;
	struct inner in;
	char text[16];
	int numbers[4];
};
struct outer one;
struct outer many[int];

BEGIN
{
	one.n = 5;
	one.in.bits = 3;
	one.in.more++;
	one.text[2] = 'x';
	one.numbers[pid % 4] += 2;
	many[3].in.c = one.in.c;
	many[4] = one;
	print(one);
	trace(sizeof (struct outer));
}
