#define DOUBLE(x) ((x) * 2)
#define GLUE(a, b) a ## b
#define TEXT(x) #x
#if DOUBLE(3) == 6 && defined(TEXT) && !defined(NOTHING)
#define ANSWER 42
#elif 1
#error never
#else
#error never
#endif
#ifdef __SUNW_D
#pragma D option quiet
#endif

BEGIN
{
	GLUE(pri, ntf)("%d %s %d\n", ANSWER, TEXT(a b), DOUBLE(4 + 1)); // comment
	exit(0);
}
