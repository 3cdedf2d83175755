/* A library to preload that counts malloc and free of the program that COUNTED names, in the file that COUNTS names: two
 * numbers of 8 bytes. The shell that starts the program is not counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long before[2];
static volatile long *counts = before;

__attribute__((constructor)) static void begin(void) {
    char program[4096];
    long size = readlink("/proc/self/exe", program, sizeof program - 1);
    program[size < 0 ? 0 : size] = 0;
    const char *name = getenv("COUNTS"), *counted = getenv("COUNTED");
    if (!counted || strcmp(counted, program)) return;
    int file = name ? open(name, O_RDWR) : -1;
    if (file < 0) return;
    volatile long *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    for (int i = 0; i < 2; i++) __atomic_add_fetch(&shared[i], before[i], __ATOMIC_SEQ_CST);
    counts = shared;
}

void *malloc(size_t size) {
    static void *(*next)(size_t);
    if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    __atomic_add_fetch(&counts[0], 1, __ATOMIC_SEQ_CST);
    return next(size);
}

void free(void *memory) {
    static void (*next)(void *);
    if (!next) next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    __atomic_add_fetch(&counts[1], 1, __ATOMIC_SEQ_CST);
    next(memory);
}

/* The C library's realloc calls its own malloc and free in these cases. */
void *realloc(void *memory, size_t size) {
    static void *(*next)(void *, size_t);
    if (!next) next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    if (!memory) __atomic_add_fetch(&counts[0], 1, __ATOMIC_SEQ_CST);
    else if (!size) __atomic_add_fetch(&counts[1], 1, __ATOMIC_SEQ_CST);
    return next(memory, size);
}
