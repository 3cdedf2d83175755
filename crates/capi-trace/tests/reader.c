/* Prints each event of the files and sessions that it is given as a JSON object; then checks the other functions on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracewell_trace.h>

#include "check.h"

static void check_event(tracewell_reader *reader) {
    tracewell_event_header header;
    int64_t number;
    double real;
    CHECK(tracewell_header_of(reader, &header) == 0);
    CHECK(tracewell_integer_of(reader, "id", &number) == 0 && number == header.id);
    CHECK(tracewell_real_of(reader, "id", &real) == 0 && real == header.id);
    CHECK(tracewell_integer_of(reader, "utc", &number) == 0 && number == header.time);
    CHECK(tracewell_integer_of(reader, "no-such-field", &number) == 1168);
    CHECK(tracewell_integer_of(reader, "event", &number) == 13);
    CHECK(tracewell_text_of(reader, "no-such-field") == NULL);
    size_t count = tracewell_field_count(reader);
    for (size_t at = 0; at < count; at++) {
        const char *name = tracewell_field_name(reader, at);
        char dotted[512];
        CHECK(name != NULL && strlen(name) < 500);
        sprintf(dotted, ".%s", name);
        CHECK(tracewell_text_of(reader, dotted) != NULL);
    }
    CHECK(tracewell_field_name(reader, count) == NULL);
}

int main(int argc, char **argv) {
    tracewell_reader *reader = tracewell_open((const char *const *)argv + 1, (size_t)argc - 1);
    unsigned long events = 0;
    int step;
    CHECK(reader != NULL);
    CHECK(tracewell_json(reader) == NULL && tracewell_field_count(reader) == 0);
    while ((step = tracewell_next(reader, -1)) == TRACEWELL_EVENT_READ) {
        const char *json = tracewell_json(reader);
        CHECK(json != NULL);
        puts(json);
        if (events++ % 97 == 0)
            check_event(reader);
    }
    CHECK(step == TRACEWELL_END);
    fprintf(stderr, "%lu events, %llu lost\n", events, (unsigned long long)tracewell_lost(reader));
    tracewell_close(reader);
    return 0;
}
