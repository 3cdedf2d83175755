struct raw {
	int n;
	char *name;
};
typedef struct info {
	int m;
	string name;
} info_t;
translator info_t < struct raw *r > {
	m = r->n + 1;
	name = stringof(r->name);
};
inline info_t *cur = xlate < info_t * > ((struct raw *)arg1);
info_t whole;

sample:mod:disk:*
/args[0] > 2/
{
	trace(args[1]->m);
	trace(args[2]);
	trace(cur->name);
	whole = xlate < info_t > ((struct raw *)arg1);
}
