/* A provider in C, for the test beside it: says "ready" when a session listens, and logs then. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tracewell.h"

static atomic_int enabled;

/* Issue 6: a callback receives the session and its filters. */
static void changed(void *context, const tracewell_notice *notice) {
    if (notice->control != TRACEWELL_ENABLED || notice->level != 4)
        return;
    if (notice->session < 1 || notice->stacks || notice->all)
        return;
    if (!notice->ids_included && notice->id_count == 1 && notice->ids[0] == 77 && !notice->processes &&
        !notice->process_count)
        atomic_fetch_add((atomic_int *)context, 1);
}

int main(void) {
    const tracewell_guid guid = {0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}};
    if (tracewell_register(NULL, NULL, NULL, NULL) || tracewell_register("n\xc3\xa9", NULL, NULL, NULL))
        return 2;
    tracewell_provider *shop = tracewell_register("Contoso-C", NULL, NULL, NULL);
    tracewell_provider *other = tracewell_register("Other-C", &guid, changed, &enabled);
    if (!shop || !other)
        return 3;
    tracewell_guid own;
    tracewell_provider_guid(other, &own);
    if (memcmp(&own, &guid, sizeof guid) != 0)
        return 4;
    while (!tracewell_enabled(shop, 4, 1) || !tracewell_enabled(other, 4, 1) || !atomic_load(&enabled))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    for (uint32_t i = 0; i < 1000; i++)
        if (TRACEWELL_WRITE(shop, TRACEWELL_EVENT(7, 4, 1), tracewell_value(i), tracewell_string("ladder")))
            return 5;
    if (TRACEWELL_WRITE(shop, TRACEWELL_EVENT(8, 5, 1), tracewell_value(own)))
        return 6;
    tracewell_guid activity, former;
    tracewell_create_activity(&activity);
    tracewell_set_activity(&activity, &former);
    if (tracewell_write_transfer(other, TRACEWELL_EVENT(9, 2, 0), NULL, &guid, NULL, 0))
        return 7;
    tracewell_set_activity(NULL, &former);
    if (memcmp(&former, &activity, sizeof former) != 0)
        return 8;
    if (tracewell_write_string(other, 4, 0, "a text"))
        return 9;
    static const char metadata[] = "\x0b\0\0Sold\0a\0\x08";
    uint32_t price = 45;
    tracewell_event described = {0, 0, 11, 4, 0, 0, 1};
    if (tracewell_write_described(shop, &described, metadata, sizeof metadata - 1, &tracewell_value(price), 1))
        return 10;
    const tracewell_guid item_guid = guid;
    int looked = 0;
    if (TRACEWELL_LOG(shop, 3, 1, "Priced", (u32, "price", price + 1), (str, "item", "ladder"), (str, "none", NULL),
                      (binary, "raw", "abc", 3), (f64, "weight", 2.5), (bool32, "cheap", price < 50),
                      (guid, "kind", item_guid), (hex64, "mask", 0xFFu)) ||
        TRACEWELL_LOG(shop, 3, 1, "Empty") || TRACEWELL_LOG(shop, 5, 1, "TooFine", (i32, "looked", ++looked)) || looked)
        return 16;
    const tracewell_class_event class_event = {guid, 3, 4, 2, 1};
    if (tracewell_write_class(shop, &class_event, &tracewell_value(price), 1))
        return 14;
    const tracewell_message message = {guid, 0, 17, 4, 0, 1}, component = {{0}, 99, 18, 4, 0, 1};
    if (tracewell_write_message(shop, &message, &tracewell_string("bolt"), 1) ||
        tracewell_write_message(shop, &component, NULL, 0) ||
        tracewell_write_message(shop, NULL, NULL, 0) != TRACEWELL_BAD_PARAMETER)
        return 15;
    static char long_text[70000];
    if (tracewell_write(shop, &described, &tracewell_value(long_text), 1) != TRACEWELL_TOO_LONG)
        return 11;
    if (tracewell_write(NULL, &described, NULL, 0) != TRACEWELL_BAD_PARAMETER)
        return 12;
    tracewell_unregister(shop);
    tracewell_unregister(other);
    if (tracewell_enabled(shop, 4, 1))
        return 13;
    puts("done");
    return 0;
}
