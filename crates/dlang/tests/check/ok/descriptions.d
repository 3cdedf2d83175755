struct raw {
	int n;
};
typedef struct info {
	int m;
} info_t;
/* args[0] has another type in each probe: the clause is compiled once for each description. */
sample:mod:disk:read,
sample:mod:net:send
/args[0] > 1/
{
	trace(args[0]);
	@[probename] = count();
}
