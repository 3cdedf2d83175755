#!/usr/sbin/dtrace -Cs
#define PROBE BEGIN
#define CALL(f, ...) f(__VA_ARGS__) // the call
#define STR(x) #x
#ifdef NEVER
this is nonsense '
#else
PROBE
#endif
#if defined(__SUNW_D) && __SUNW_D == 1
/__LINE__ == 11/
#endif
{
	CALL(printf, "%s\n", STR(a b "c"));
	CALL(trace,
	    __LINE__);
}
