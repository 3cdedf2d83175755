/*
 * The headers of C that come with the compiler, on every system and each more than once.
 */
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <limits.h>
#include <inttypes.h>
#include <stdint.h>
#include <sys/types.h>
#include <stdio.h>
#include <stddef.h>
#include <limits.h>

#if UINT64_MAX != 0xffffffffffffffff || INT_MIN >= 0 || L'\0' - 1 > 0
#error "the limits are wrong"
#endif

#pragma D option quiet

FILE *file;
intmax_t widest;

BEGIN
{
	widest = INT64_C(5000000000);
	printf("%d %d %d\n", sizeof (intmax_t), sizeof (uint_least16_t), sizeof (int_fast8_t));
	printf("%d %d %u\n", INT8_MIN, INT32_MIN, UINT32_MAX);
	printf("%d %d\n", INT64_MIN, INT64_MAX);
	printf("%u %u\n", UINT64_MAX, ULONG_MAX);
	printf("%d %d %d\n", SHRT_MIN, CHAR_BIT, EOF);
	printf("%d %d %d\n", sizeof (u_int16_t), sizeof (loff_t), sizeof (ulong));
	printf("%d %d\n", widest, file == NULL);
	exit(0);
}
