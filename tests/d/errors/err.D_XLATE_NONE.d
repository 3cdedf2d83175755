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
BEGIN
{
	trace(xlate < struct in > (1).a);
}
