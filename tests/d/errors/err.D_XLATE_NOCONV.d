struct in {
	int a;
};
struct out {
	int b;
	int c;
};
translator struct out < struct in *i > {
	b = i->a;
};
struct in *p;
BEGIN
{
	trace(xlate < struct out > (p).c);
}
