/* A program that contains probes: `probes [N]`. The rows of probes.rows have what each must show. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tracewell_probe.h"

#define KEEP __attribute__((noinline, used))
static volatile long sink;
static int global = -77;
struct item { int price; short count; const char *name; };

TRACEWELL_PROBE_COUNTER(shop, counted)

KEEP void none(void) { sink++; TRACEWELL_PROBE(shop, none); sink++; }
KEEP void sell(long n, struct item *item) {
    sink += n;
    TRACEWELL_PROBE(shop, sold, n, item->price, item->name);
    sink += n;
}
KEEP void kinds(signed char c, unsigned char u, short s, unsigned short v, int i, unsigned w, long l, unsigned long m) {
    TRACEWELL_PROBE(shop, kinds, c, u, s, v, i, w, l, m);
    sink += c + u + s + v + i + w + l + m;
}
KEEP void constants(void) { TRACEWELL_PROBE(shop, constants, 5, -6L, 0xffffffffu, (char *)0); sink++; }
KEEP void variables(int *table, long at) {
    TRACEWELL_PROBE(shop, variables, global, table[at], table, at);
    sink += table[at];
}
KEEP void ten(long a) {
    TRACEWELL_PROBE(shop, ten, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9);
    sink += a;
}
KEEP void twice(int a) {
    if (a % 2) { sink++; TRACEWELL_PROBE(shop, twice, a); } else { sink--; TRACEWELL_PROBE(shop, twice, a); }
}
KEEP void request__begin(int a) { sink += a; TRACEWELL_PROBE(shop, request__begin, a); }
KEEP void counted(int a) {
    sink += a;
    if (TRACEWELL_PROBE_ENABLED(shop, counted)) { sink += 1000; TRACEWELL_PROBE_COUNTED(shop, counted, a, sink); }
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 1;
    static int table[4] = {10, 20, -30, 40};
    struct item item = {1250, 3, "ladder"};
    for (long i = 0; i < n; i++) {
        none();
        sell(i, &item);
        kinds(-1, 255, -2, 65535, -3, 4294967295u, -4, 18446744073709551615ul);
        constants();
        variables(table, 2);
        ten(100);
        twice((int)i);
        request__begin((int)i);
        counted((int)i);
    }
    if (argc > 2) { printf("%d\n", getpid()); fflush(stdout); pause(); }
    return 0;
}
