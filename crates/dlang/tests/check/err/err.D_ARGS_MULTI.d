struct raw {
	int n;
};
typedef struct info {
	int m;
} info_t;
sample:mod::read,
sample:mod:: {
	trace(args[0]);
}
