/* Ends the program with the line and the error of the library if a condition does not hold. */
#include <stdio.h>
#include <stdlib.h>
#include <tracewell_trace.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, tracewell_last_error());                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
