struct in { int i; char *name; };
struct out { int o; string n; int probe; };
typedef struct out out_t;
translator struct out < struct in *p > { o = p->i; n = stringof(p->name); probe = 3; };
translator out_t < struct in x > { };
translator struct out < int (*fn)(int) > {
	o = (int)fn;
};
