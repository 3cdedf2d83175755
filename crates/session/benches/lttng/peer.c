/* What an event costs with LTTng-UST: three integers and a text of 15 letters. peer THREADS EVENTS */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "peer_tp.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned long events;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void *run(void *result)
{
    double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
    for (unsigned long i = 0; i < events; i++)
        lttng_ust_tracepoint(peer, event, (unsigned int)i, 7, i, "fifteen letters");
    ((double *)result)[0] = (now(CLOCK_MONOTONIC) - wall) / events;
    ((double *)result)[1] = (now(CLOCK_THREAD_CPUTIME_ID) - cpu) / events;
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    events = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000;
    pthread_t thread[64];
    double result[64][2], wall = 0, cpu = 0;
    if (threads < 1 || threads > 64)
        return 2;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, run, result[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        wall += result[i][0] / threads;
        cpu += result[i][1] / threads;
    }
    printf("%.2f %.2f\n", wall, cpu);
    return 0;
}
