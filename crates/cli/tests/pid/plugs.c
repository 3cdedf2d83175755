/* Opens a plugin and calls its function: plugs PATH COUNT, or without end for the count 0. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* That of a library that the program is linked with, if it is. */
__attribute__((weak)) long late_work(long n);

int main(int argc, char **argv) {
    if (argc < 3) return 3;
    void *plugin = dlopen(argv[1], RTLD_NOW);
    if (!plugin) { fprintf(stderr, "%s\n", dlerror()); return 2; }
    long (*work)(long) = (long (*)(long))dlsym(plugin, "late_work");
    long count = atol(argv[2]);
    for (long i = 0; count == 0 || i < count; i++) {
        if (late_work) late_work(i);
        work(i);
        if (count == 0) usleep(1000);
    }
    return 0;
}
