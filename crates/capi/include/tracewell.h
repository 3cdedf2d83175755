/* Event tracing providers in C, on Linux and on Windows.
 *
 *     static tracewell_provider *shop;
 *     shop = tracewell_register("Contoso-Shop", NULL, NULL, NULL);
 *     TRACEWELL_WRITE(shop, TRACEWELL_EVENT(7, 4, 0x1), tracewell_value(price), tracewell_string("ladder"));
 *     tracewell_unregister(shop);
 *
 * Link with -ltracewell. All functions may be called from any thread. While no session listens, tracewell_enabled is
 * the whole cost of TRACEWELL_WRITE.
 */
#ifndef TRACEWELL_H
#define TRACEWELL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A provider; made by tracewell_register. */
typedef struct tracewell_provider tracewell_provider;

/* GUID, as it lies in memory on Windows. */
typedef struct {
    uint32_t data1;
    uint16_t data2;
    uint16_t data3;
    uint8_t data4[8];
} tracewell_guid;

/* What an event is: EVENT_DESCRIPTOR. */
typedef struct {
    uint16_t id;
    uint8_t version;
    uint8_t channel; /* 11 for events that describe themselves */
    uint8_t level;   /* 1 critical, 2 error, 3 warning, 4 information, 5 verbose; 0 is always wanted */
    uint8_t opcode;
    uint16_t task;
    uint64_t keyword; /* 0 is always wanted */
} tracewell_event;

/* A piece of an event's payload: EVENT_DATA_DESCRIPTOR. */
typedef struct {
    const void *data;
    size_t size;
} tracewell_data;

/* What an event of the old kind is: a class, not the provider's GUID, and a type in it. */
typedef struct {
    tracewell_guid class_guid;
    uint8_t opcode; /* event type */
    uint8_t level;
    uint16_t version;
    uint32_t flags; /* enable flags of which a session must have asked for one; 0 is always wanted */
} tracewell_class_event;

/* What a trace message is. */
typedef struct {
    tracewell_guid guid; /* of the message file; zeros when there is a component instead */
    uint32_t component;
    uint16_t number;
    uint8_t level;
    uint8_t reserved; /* 0 */
    uint32_t flags;   /* as of tracewell_class_event */
} tracewell_message;

/* What a callback is told. */
enum { TRACEWELL_DISABLED = 0, TRACEWELL_ENABLED = 1, TRACEWELL_CAPTURE_STATE = 2 };

/* Called on a thread of the library whenever what is wanted of a provider changes: level, keywords of which an event
 * must have one, keywords it must have all of. It must not call tracewell_unregister. */
typedef void (*tracewell_callback)(void *context, uint32_t control, uint8_t level, uint64_t any, uint64_t all);

/* Results: the Win32 numbers of EventWrite. */
enum {
    TRACEWELL_OK = 0,
    TRACEWELL_LOST = 8,            /* ERROR_NOT_ENOUGH_MEMORY: a session had no free buffer; it counts the event as lost */
    TRACEWELL_BAD_PARAMETER = 87,  /* ERROR_INVALID_PARAMETER */
    TRACEWELL_TOO_LONG = 234,      /* ERROR_MORE_DATA: the event does not fit into a record */
};

/* Registers a provider (EventRegister). Without a GUID it gets the one that Windows' libraries make of the name, which
 * must be ASCII then. The callback may be NULL. NULL when the name or the GUID is none. A session that has the provider
 * enabled already listens on return. */
tracewell_provider *tracewell_register(const char *name, const tracewell_guid *guid, tracewell_callback callback,
                                       void *context);

/* Takes a provider back (EventUnregister). Its memory stays, so that a late write does no harm. The callback may be
 * running while this returns, and is not called again after that. */
void tracewell_unregister(tracewell_provider *provider);

/* Whether some session wants events of this level and keyword; 0 or 1. */
int tracewell_enabled(const tracewell_provider *provider, uint8_t level, uint64_t keyword);

/* The provider's GUID. */
void tracewell_provider_guid(const tracewell_provider *provider, tracewell_guid *guid);

/* Logs an event whose payload is the pieces one after the other (EventWriteTransfer). The activity is that of the
 * thread when it is NULL; related may be NULL. */
int tracewell_write_transfer(const tracewell_provider *provider, const tracewell_event *event,
                             const tracewell_guid *activity, const tracewell_guid *related,
                             const tracewell_data *data, size_t count);

/* The same with the activity of the thread (EventWrite). */
int tracewell_write(const tracewell_provider *provider, const tracewell_event *event, const tracewell_data *data,
                    size_t count);

/* Logs an event that describes itself by TraceLogging metadata. */
int tracewell_write_described(const tracewell_provider *provider, const tracewell_event *event,
                              const void *metadata, size_t metadata_size, const tracewell_data *data, size_t count);

/* Logs an event of the old kind (TraceEvent). */
int tracewell_write_class(const tracewell_provider *provider, const tracewell_class_event *event,
                          const tracewell_data *data, size_t count);

/* Logs a trace message (TraceMessage), with time, thread and process, and with a number of its own in sessions that
 * number messages. */
int tracewell_write_message(const tracewell_provider *provider, const tracewell_message *message,
                            const tracewell_data *data, size_t count);

/* Logs a text in UTF-8 as an event (EventWriteString). */
int tracewell_write_string(const tracewell_provider *provider, uint8_t level, uint64_t keyword, const char *text);

/* The activity of the calling thread: sets it, and gives the former one back when former is not NULL. */
void tracewell_set_activity(const tracewell_guid *activity, tracewell_guid *former);

/* A new activity id. */
void tracewell_create_activity(tracewell_guid *activity);

#ifdef __cplusplus
}
#else

/* An event of a level and keyword, for TRACEWELL_WRITE. */
#define TRACEWELL_EVENT(id, level, keyword) (&(const tracewell_event){(id), 0, 0, (level), 0, 0, (keyword)})

/* A variable as a piece of a payload. */
#define tracewell_value(variable) ((tracewell_data){&(variable), sizeof(variable)})

/* A text with its terminator as a piece of a payload. */
#define tracewell_string(text) ((tracewell_data){(text), strlen(text) + 1})

/* Logs an event of some pieces. They are only looked at when a session wants the event. */
#define TRACEWELL_WRITE(provider, event, ...)                                                                          \
    (tracewell_enabled((provider), (event)->level, (event)->keyword)                                                   \
         ? tracewell_write((provider), (event), (const tracewell_data[]){__VA_ARGS__},                                 \
                           sizeof((const tracewell_data[]){__VA_ARGS__}) / sizeof(tracewell_data))                     \
         : TRACEWELL_OK)

#endif

#endif
