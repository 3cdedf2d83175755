inline int VERBOSE = 1;
inline int DUMP = 0;

sample:mod:disk:read
{
	VERBOSE ? printf("read") : 1;
	DUMP ? tracemem(0, 1, 2, 3, 4) : VERBOSE ? trace(1) : trace(2);
	DUMP ? printf("%s %s") : 0;
	DUMP ? 1 : (@ = count());
}
