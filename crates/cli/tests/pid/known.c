/* A program with known calls: `known CASE [N]`. With KNOWN_WAITS in its environment it writes a letter and waits for one first. The table in known.rows has what each case must show. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
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
/* Never called: it begins with an instruction of few processors (vfmaddsd of four registers). */
__asm__(".globl strange\n.type strange,@function\nstrange: .byte 0xc4,0xe3,0xf9,0x6b,0xc2,0x10\nret\n.size strange,.-strange\n");
KEEP void many(long a) { sink += a; }
KEEP void leaves(int status) { sink += status; exit(status); }

enum color { RED, GREEN = 5, BLUE };
typedef struct node { struct node *next; const char *name; enum color color; short small; unsigned char bytes[5]; int values[3]; } node;
typedef const node *node_ptr;
struct two { long a; long b; };
struct three { long a; long b; long c; };
struct mixed { int a; double b; };
KEEP long eight(int a, long b, char c, short d, unsigned e, long f, int g, long h) { sink += h; return a + b + c + d + e + f + g + h; }
KEEP int list(node_ptr first, enum color color) { sink += first->small; return first->next->color == color; }
KEEP node *made(node *from) { sink += from->small; return from->next; }
KEEP signed char narrow(signed char c, unsigned short u) { sink += u; return (signed char)(c - 1); }
KEEP long floats(int a, double x, long b, float y, char *s) { sink += (long)(x + y); return a + b + s[0]; }
KEEP long values(struct two t, int after) { sink += t.a; return t.b + after; }
KEEP long large(struct three t, int after, long last) { sink += t.a; return t.c + after + last; }
KEEP long halves(struct mixed m, int after) { sink += m.a; return after; }
KEEP long sum(int count, ...) { va_list l; long r = 0; va_start(l, count); while (count-- > 0) r += va_arg(l, long); va_end(l); sink += r; return r; }
KEEP double half(double x) { sink += (long)x; return x / 2; }
KEEP void nothing(void) { sink++; }
KEEP int even(int n);
KEEP int odd(int n) { sink += n; int r = n == 0 ? 0 : even(n - 1); sink += r; return r; }
KEEP int even(int n) { sink += n; int r = n == 0 ? 1 : odd(n - 1); sink += r; return r; }
KEEP long callback(long (*f)(long), long n) { long r = f(n); sink += r; return r; }

static void *worker(void *n) { for (long i = 0; i < (long)n; i++) many(i); return 0; }

static void *busy(void *n) { for (;;) { for (int i = 0; i < 1000; i++) many(i); usleep(1000); if (getppid() == 1) exit(0); } return n; }

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 1;
    char letter = 'r';
    if (getenv("KNOWN_WAITS") && (write(1, &letter, 1) != 1 || read(0, &letter, 1) != 1)) return 8;
    if (!strcmp(what, "leaf")) { for (long i = 0; i < n; i++) leaf(i, 7); }
    else if (!strcmp(what, "six")) { for (long i = 0; i < n; i++) six(1, 2, 3, 4, 5, 6 + i); }
    else if (!strcmp(what, "text")) { for (long i = 0; i < n; i++) text(i % 2 ? "odd" : "even number"); }
    else if (!strcmp(what, "fields")) { struct pair p = {40, 2, "pair"}; for (long i = 0; i < n; i++) fields(&p); }
    else if (!strcmp(what, "negative")) { for (long i = 0; i < n; i++) negative(5); }
    else if (!strcmp(what, "factorial")) { factorial(n); }
    else if (!strcmp(what, "tail")) { for (long i = 0; i < n; i++) tail_from(i); }
    else if (!strcmp(what, "longjmp")) { volatile long i = 0; if (setjmp(back) == 0 || i < n) { i++; if (i <= n) jumps(1); } }
    else if (!strcmp(what, "stack")) { for (long i = 0; i < n; i++) outer(i); }
    else if (!strcmp(what, "eight")) { for (long i = 0; i < n; i++) eight(-1, 2, -3, 4, 5, 6, -7, 8 + i); }
    else if (!strcmp(what, "list")) {
        node third = {0, "third", BLUE, -3, {1, 2, 3, 4, 5}, {7, 8, 9}}, second = {&third, "second", GREEN, -2, {0}, {0}};
        node first = {&second, "first", RED, -1, {9, 8, 7, 6, 5}, {-1, -2, -3}};
        for (long i = 0; i < n; i++) { list(&first, GREEN); made(&first); }
    }
    else if (!strcmp(what, "narrow")) { for (long i = 0; i < n; i++) narrow(-1, 65535); }
    else if (!strcmp(what, "floats")) { for (long i = 0; i < n; i++) floats(1, 2.5, 3, 4.5f, "text"); }
    else if (!strcmp(what, "values")) {
        struct two t = {1, 2}; struct three h = {3, 4, 5}; struct mixed m = {6, 7.5};
        for (long i = 0; i < n; i++) { values(t, 10); large(h, 20, 21); halves(m, 30); }
    }
    else if (!strcmp(what, "varargs")) { for (long i = 0; i < n; i++) sum(3, 10l, 20l, 30l + i); }
    else if (!strcmp(what, "half")) { for (long i = 0; i < n; i++) half(3.0); }
    else if (!strcmp(what, "nothing")) { for (long i = 0; i < n; i++) nothing(); }
    else if (!strcmp(what, "even")) { even((int)n); }
    else if (!strcmp(what, "callback")) { for (long i = 0; i < n; i++) callback(inner, i); }
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
    } else if (!strcmp(what, "spawn")) {
        for (long i = 0; i < n; i++) { if (fork() == 0) { execl("/bin/true", "true", (char *)0); _exit(9); } wait(0); }
    } else if (!strcmp(what, "family")) {
        // A child that runs this program again, which forks once more; and a hundred that call once and end.
        if (fork() == 0) { execl(argv[0], argv[0], "fork", "5", (char *)0); _exit(9); }
        wait(0);
        for (int i = 0; i < 100; i++) { if (fork() == 0) { many(i); _exit(0); } wait(0); }
        for (long i = 0; i < n; i++) many(i);
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
        pthread_t t[3];
        for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, busy, 0);
        busy(0);
    }
    return 0;
}
