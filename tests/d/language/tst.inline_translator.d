#pragma D option quiet


struct in { int a; int b; };
struct out { int sum; string text; };
translator struct out < struct in *p > { sum = p->a + p->b; text = "sum"; };
inline int twice[int n] = n * 2;
inline string word = "inline";

BEGIN
{
	this->v = (struct in *)alloca(sizeof (struct in));
	this->v->a = 3;
	this->v->b = 4;
	printf("%d %s ", xlate <struct out *> (this->v)->sum, xlate <struct out> (this->v).text);
	printf("%d %s\n", twice[21], word);
	exit(0);
}
