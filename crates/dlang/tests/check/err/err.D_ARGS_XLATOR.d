struct raw {
	int n;
};
typedef struct info {
	int m;
} info_t;
sample:mod:disk:read
{
	trace(args[1]->m);
}
