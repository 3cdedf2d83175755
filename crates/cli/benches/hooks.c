/* What one call costs, in bursts with pauses in which a reader catches up: prints the least and the median of all bursts. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long work(long a, long b) { __asm__ volatile("" : : : "memory"); return a + b; }

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static int order(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }

int main(int argc, char **argv) {
    int bursts = argc > 1 ? atoi(argv[1]) : 12, calls = argc > 2 ? atoi(argv[2]) : 20000;
    double *all = calloc(bursts, sizeof *all);
    volatile long sink = 0;
    for (int burst = 0; burst < bursts; burst++) {
        double before = now();
        for (int call = 0; call < calls; call++) sink += work(call, burst);
        all[burst] = (now() - before) / calls;
        usleep(150000);
    }
    qsort(all, bursts, sizeof *all, order);
    fprintf(stderr, "ns %.2f %.2f\n", all[0], all[bursts / 2]);
    return 0;
}
