/* A program with known calls: `known CASE [N]`. The table in known.rows has what each case must show. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone, used))
static volatile long sink;
static jmp_buf back;

KEEP long leaf(long a, long b) { sink += a; return a * 10 + b; }
KEEP long six(long a, long b, long c, long d, long e, long f) { sink += f; return a + b + c + d + e + f; }
KEEP long text(const char *s) { sink += s[0]; return (long)strlen(s); }
struct pair { int left; int right; const char *name; };
KEEP long fields(struct pair *p) { sink += p->left; return p->left - p->right; }
KEEP int negative(int a) { sink += a; return -a; }
KEEP long factorial(long n) { long r = n < 2 ? 1 : n * factorial(n - 1); sink += r; return r; }
KEEP long tail_to(long n) { sink += n; return n + 1; }
KEEP long tail_from(long n) { sink += n; return tail_to(n * 2); }
KEEP void jumps(int n) { sink += n; longjmp(back, n); }
KEEP long inner(long n) { sink += n; return n; }
KEEP long middle(long n) { long r = inner(n); sink += r; return r + 1; }
KEEP long outer(long n) { long r = middle(n); sink += r; return r + 1; }
KEEP void many(long a) { sink += a; }
KEEP void leaves(int status) { sink += status; exit(status); }

static void *worker(void *n) { for (long i = 0; i < (long)n; i++) many(i); return 0; }

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 1;
    if (!strcmp(what, "leaf")) { for (long i = 0; i < n; i++) leaf(i, 7); }
    else if (!strcmp(what, "six")) { for (long i = 0; i < n; i++) six(1, 2, 3, 4, 5, 6 + i); }
    else if (!strcmp(what, "text")) { for (long i = 0; i < n; i++) text(i % 2 ? "odd" : "even number"); }
    else if (!strcmp(what, "fields")) { struct pair p = {40, 2, "pair"}; for (long i = 0; i < n; i++) fields(&p); }
    else if (!strcmp(what, "negative")) { for (long i = 0; i < n; i++) negative(5); }
    else if (!strcmp(what, "factorial")) { factorial(n); }
    else if (!strcmp(what, "tail")) { for (long i = 0; i < n; i++) tail_from(i); }
    else if (!strcmp(what, "longjmp")) { volatile long i = 0; if (setjmp(back) == 0 || i < n) { i++; if (i <= n) jumps(1); } }
    else if (!strcmp(what, "stack")) { for (long i = 0; i < n; i++) outer(i); }
    else if (!strcmp(what, "exit")) { leaves(3); }
    else if (!strcmp(what, "threads")) {
        pthread_t t[8];
        for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, worker, (void *)n);
        for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
    } else if (!strcmp(what, "fork")) {
        for (long i = 0; i < n; i++) many(i);
        if (fork() == 0) { for (long i = 0; i < 100; i++) many(i); _exit(0); }
        wait(0);
        many(0);
    } else if (!strcmp(what, "exec")) {
        for (long i = 0; i < n; i++) many(i);
        execl(argv[0], argv[0], "many", "5", (char *)0);
    } else if (!strcmp(what, "many")) { for (long i = 0; i < n; i++) many(i); }
    else if (!strcmp(what, "late")) {
        void *library = dlopen(argv[3], RTLD_NOW);
        if (!library) { fprintf(stderr, "%s\n", dlerror()); return 9; }
        long (*late)(long) = (long (*)(long))dlsym(library, "late_work");
        for (long i = 0; i < n; i++) sink += late(i);
    } else if (!strcmp(what, "busy")) {
        for (;;) { for (int i = 0; i < 1000; i++) many(i); usleep(1000); if (getppid() == 1) return 0; }
    }
    return 0;
}
