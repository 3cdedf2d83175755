/* Controls a session, logs to it, reads it while it runs, and then its file. The second library is that of providers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracewell.h>
#include <tracewell_trace.h>

#include "check.h"

static void check_events(tracewell_reader *reader, int wait) {
    for (int sold = 0; sold < 3; sold++) {
        int64_t price = 0;
        double weight = 0;
        int step;
        do
            step = tracewell_next(reader, wait);
        while (step == TRACEWELL_EVENT_READ && strcmp(tracewell_text_of(reader, "event"), "Sold") != 0);
        CHECK(step == TRACEWELL_EVENT_READ);
        CHECK(strcmp(tracewell_text_of(reader, "provider"), "Contoso-Shop") == 0);
        CHECK(strcmp(tracewell_text_of(reader, "item"), "ladder") == 0);
        CHECK(tracewell_integer_of(reader, "price", &price) == 0 && price == -40 - sold);
        CHECK(tracewell_real_of(reader, "weight", &weight) == 0 && weight == 2.5);
        CHECK(tracewell_integer_of(reader, "weight", &price) == 13);
        CHECK(tracewell_field_count(reader) == 3);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    const char *file = argv[1], *session = "shop";
    tracewell_options options;
    tracewell_request request;
    tracewell_status status;
    memset(&options, 0, sizeof options);
    memset(&request, 0, sizeof request);
    options.file = file;
    options.live = 1;
    options.flush_ms = 50;
    CHECK(tracewell_query(session, &status) == 4201 && strlen(tracewell_last_error()) > 0);
    CHECK(tracewell_start(session, &options) == 0);
    CHECK(tracewell_start(session, &options) == 183);
    request.level = 4;
    CHECK(tracewell_enable(session, "Contoso-Shop", &request) == 0);
    CHECK(tracewell_enable("none", "Contoso-Shop", NULL) == 4201);
    tracewell_reader *live = tracewell_open(&session, 1);
    CHECK(live != NULL);
    CHECK(tracewell_next(live, 0) == TRACEWELL_NOTHING);

    tracewell_provider *shop = tracewell_register("Contoso-Shop", NULL, NULL, NULL);
    for (int sold = 0; sold < 3; sold++) {
        int32_t price = -40 - sold;
        double weight = 2.5;
        TRACEWELL_LOG(shop, 4, 1, "Sold", (i32, "price", price), (f64, "weight", weight), (str, "item", "ladder"));
        TRACEWELL_LOG(shop, 5, 1, "TooVerbose", (i32, "price", price));
    }
    CHECK(tracewell_flush(session) == 0);
    check_events(live, -1);
    CHECK(tracewell_query(session, &status) == 0);
    CHECK(status.events == 3 && status.events_lost == 0 && status.consumers == 1 && status.buffers > 0);
    CHECK(tracewell_disable(session, "Contoso-Shop") == 0);
    TRACEWELL_LOG(shop, 4, 1, "Sold", (str, "item", "too late"));
    CHECK(tracewell_stop(session, &status) == 0 && status.events == 3);
    CHECK(tracewell_next(live, -1) == TRACEWELL_END);
    CHECK(tracewell_lost(live) == 0);
    tracewell_close(live);
    tracewell_unregister(shop);

    tracewell_reader *reader = tracewell_open(&file, 1);
    CHECK(reader != NULL);
    check_events(reader, -1);
    tracewell_close(reader);
    tracewell_close(NULL);
    CHECK(tracewell_open(NULL, 0) == NULL);
    file = "./no-such-file.etl";
    CHECK(tracewell_open(&file, 1) == NULL && strstr(tracewell_last_error(), "no-such-file.etl") != NULL);
    puts("done");
    return 0;
}
