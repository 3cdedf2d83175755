// A provider in C++, for the test beside it: logs when a session listens.
#include <cstdio>
#include <ctime>

#include "tracewell.h"

int main() {
    tracewell_provider *shop = tracewell_register("Contoso-Cpp", nullptr, nullptr, nullptr);
    if (!shop || tracewell_enabled(nullptr, 1, 0))
        return 2;
    const timespec moment = {0, 1000000};
    while (!tracewell_enabled(shop, 4, 1))
        nanosleep(&moment, nullptr);
    for (uint32_t i = 0; i < 10; i++) {
        if (TRACEWELL_LOG(shop, 4, 1, "Sold", (u32, "number", i), (str, "item", "ladder")))
            return 3;
        if (TRACEWELL_WRITE(shop, TRACEWELL_EVENT(7, 4, 1), tracewell_value(i), tracewell_string("ladder")))
            return 4;
    }
    int looked = 0;
    TRACEWELL_LOG(shop, 5, 1, "TooFine", (i32, "looked", ++looked));
    tracewell_unregister(shop);
    if (looked || tracewell_enabled(shop, 4, 1))
        return 5;
    std::puts("done");
    return 0;
}
