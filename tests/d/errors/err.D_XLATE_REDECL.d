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
translator struct out < struct in *j > {
	b = j->a;
};
