// A program that leaves functions in every way: `strained CASE`. Each case prints what it counted itself.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csetjmp>
#include <csignal>
#include <stdexcept>
#include <string>
#include <pthread.h>
#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <execinfo.h>

#define KEEP __attribute__((noinline, noclone, used))
extern "C" {
static volatile long sink;
KEEP long step(long n) { sink += n; return n + 1; }
KEEP long tail(long n) { sink += n; return step(n); }
KEEP long deep(long n) { if (n == 0) throw std::runtime_error("deep"); long r = deep(n - 1); sink += r; return r; }
// A function that continues in one that throws.
KEEP long continues(long n) { sink += n; return deep(n); }
KEEP double floats(double a, double b, double c) { sink += 1; return a * b + c; }
static jmp_buf back;
KEEP void leaves(long n) { sink += n; longjmp(back, 1); }
}
struct Guard { long *count; ~Guard() { ++*count; } };

static volatile long handled;
extern "C" KEEP void handler(int) { handled = handled + 1; step(0); }

static void *throws(void *n) {
    long caught = 0, cleaned = 0;
    for (long i = 0; i < (long)n; i++) {
        try { Guard guard{&cleaned}; step(continues(i % 20)); } catch (const std::exception &) { caught++; }
    }
    return (void *)(caught + cleaned);
}

// Two stacks that call each other in turns, and return in an order that is not that of their calls.
static ucontext_t ground, one, other;
static long turns;
extern "C" KEEP long walks(long n, ucontext_t *mine, ucontext_t *theirs) {
    turns++;
    swapcontext(mine, theirs);
    return n > 0 ? walks(n - 1, mine, theirs) + 1 : 0;
}
static void begin_one() { walks(500, &one, &other); }
static void begin_other() { walks(500, &other, &one); swapcontext(&other, &ground); }

static void *waits(void *) { for (;;) { step(1); pause(); } }

int main(int argc, char **argv) {
    std::string what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 1000;
    if (what == "exceptions") {
        pthread_t threads[4];
        for (auto &thread : threads) pthread_create(&thread, nullptr, throws, (void *)n);
        long all = 0;
        for (auto &thread : threads) { void *r; pthread_join(thread, &r); all += (long)r; }
        printf("%ld\n", all);
    } else if (what == "signals") {
        struct sigaction action = {};
        action.sa_handler = handler;
        sigaction(SIGPROF, &action, nullptr);
        itimerval timer = {{0, 100}, {0, 100}};
        setitimer(ITIMER_PROF, &timer, nullptr);
        long sum = 0;
        for (long i = 0; i < n * 1000; i++) sum += tail(i) - i;
        timer = {};
        setitimer(ITIMER_PROF, &timer, nullptr);
        printf("%ld\n", sum);
    } else if (what == "longjmp") {
        volatile long left = 0;
        for (volatile long i = 0; i < n; i = i + 1) { if (setjmp(back)) left = left + 1; else leaves(i); }
        printf("%ld\n", (long)left);
    } else if (what == "stacks") {
        static char first[1 << 20], second[1 << 20];
        getcontext(&one); one.uc_stack.ss_sp = first; one.uc_stack.ss_size = sizeof first; one.uc_link = &other;
        getcontext(&other); other.uc_stack.ss_sp = second; other.uc_stack.ss_size = sizeof second; other.uc_link = &ground;
        makecontext(&one, begin_one, 0); makecontext(&other, begin_other, 0);
        swapcontext(&ground, &one);
        printf("%ld\n", turns);
    } else if (what == "cancel") {
        for (long i = 0; i < n / 100; i++) {
            pthread_t thread;
            pthread_create(&thread, nullptr, waits, nullptr);
            pthread_cancel(thread);
            pthread_join(thread, nullptr);
        }
        printf("%ld\n", n / 100);
    } else if (what == "children") {
        long ended = 0;
        for (long i = 0; i < n / 50; i++) {
            pid_t pid;
            char *arguments[] = {(char *)"true", nullptr}, *environment[] = {nullptr};
            if (i % 2) { if (posix_spawnp(&pid, "true", nullptr, nullptr, arguments, environment)) continue; }
            else { pid = fork(); if (pid == 0) _exit((int)(step(0) - 1)); }
            int status; waitpid(pid, &status, 0); ended += status == 0;
        }
        printf("%ld\n", ended);
    } else if (what == "floats") {
        double sum = 0;
        for (long i = 0; i < n; i++) sum += floats(i, 2.5, 0.5);
        printf("%.1f\n", sum);
    } else if (what == "backtrace") {
        void *frames[64];
        struct Local { static KEEP int take(void **frames, long n) { if (n > 0) { int r = take(frames, n - 1); sink += r; return r; } return backtrace(frames, 64); } };
        printf("%d\n", Local::take(frames, 10) > 11);
    }
    return 0;
}
