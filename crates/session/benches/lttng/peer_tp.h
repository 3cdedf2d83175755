#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER peer

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./peer_tp.h"

#if !defined(PEER_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PEER_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(peer, event,
    LTTNG_UST_TP_ARGS(unsigned int, a, unsigned int, b, unsigned long, c, const char *, s),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(unsigned int, a, a)
        lttng_ust_field_integer(unsigned int, b, b)
        lttng_ust_field_integer(unsigned long, c, c)
        lttng_ust_field_string(s, s)))

#endif

#include <lttng/tracepoint-event.h>
