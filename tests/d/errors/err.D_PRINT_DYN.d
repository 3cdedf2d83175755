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
	print(xlate < struct out * > (p));
}
