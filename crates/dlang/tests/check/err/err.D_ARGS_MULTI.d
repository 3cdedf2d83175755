struct raw {
	int n;
};
typedef struct info {
	int m;
} info_t;
sample:mod:disk:read,
sample:mod:net:send
{
	trace(args[0]);
}
