/* Functions: values, strings kept apart, structs, actions, calls as arguments of themselves. */
#pragma D option dx
#pragma D option quiet

struct point {
	int x;
	int y;
};

struct point here;

int
twice(int n)
{
	return 2 * n;
}

string
bracket(string s)
{
	return strjoin(strjoin("[", s), "]");
}

int
manhattan(struct point p, int scale)
{
	int dx = p.x < 0 ? -p.x : p.x;
	int dy = p.y < 0 ? -p.y : p.y;
	return (dx + dy) * scale;
}

string
sign(int64_t n)
{
	if (n < 0)
		return "minus";
	else if (n == 0)
		return "zero";
	else
		return "plus";
}

void
report(string what)
{
	if (what == "")
		return;
	printf("%s\n", what);
	calls++;
	@[what] = count();
}

char
narrow(int n)
{
	return n;
}

BEGIN
{
	printf("%d %d\n", twice(twice(twice(1))), twice(1) + twice(2));
	printf("%s %s\n", bracket("a"), bracket(bracket("b")));
	here.x = 3;
	here.y = -4;
	printf("%d\n", manhattan(here, 10));
	printf("%s %s %s\n", sign(-5), sign(0), sign(1 << 40));
	report("one");
	report("");
	report("two");
	report("one");
	printf("%d calls, %d\n", calls, narrow(257));
	exit(0);
}

tick-1sec
/sign(timestamp) == "minus"/
{
	exit(1);
}
