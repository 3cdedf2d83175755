/* Event tracing providers in C and C++, on Linux and on Windows.
 *
 *     static tracewell_provider *shop;
 *     shop = tracewell_register("Contoso-Shop", NULL, NULL, NULL);
 *     TRACEWELL_LOG(shop, 4, 0x1, "Sold", (u32, "price", price), (str, "item", "ladder"));
 *     TRACEWELL_WRITE(shop, TRACEWELL_EVENT(7, 4, 0x1), tracewell_value(price), tracewell_string("ladder"));
 *     tracewell_unregister(shop);
 *
 * The first event describes itself (TraceLogging): its name and fields are known to every tool. The second one has a
 * number, which the provider's manifest describes.
 *
 *     cc program.c $(pkg-config --cflags --libs tracewell)
 *
 * or -ltracewell (shared), or libtracewell.a -lpthread -ldl -lm -lgcc_s (static). All functions may be called from any
 * thread. While no session listens, TRACEWELL_LOG and TRACEWELL_WRITE only read two words.
 */
#ifndef TRACEWELL_H
#define TRACEWELL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A provider; created by tracewell_register. Its first members are only for tracewell_enabled. */
typedef struct tracewell_provider {
    const uint32_t *wanted_[2];
} tracewell_provider;

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

/* The reason of a callback. */
enum { TRACEWELL_DISABLED = 0, TRACEWELL_ENABLED = 1, TRACEWELL_CAPTURE_STATE = 2 };

/* What a session requests of a provider. The library applies all of it; programs can use it to avoid work for unwanted
 * events. Valid during the call. */
typedef struct {
    uint32_t control; /* TRACEWELL_DISABLED, ... */
    uint32_t session; /* its number, as `etw query` shows it; 0 if the system does not report it */
    uint64_t any;     /* keywords of which an event must have one */
    uint64_t all;     /* keywords that it must have all of */
    uint8_t level;    /* the highest level that is wanted; 0 for all */
    uint8_t stacks;   /* whether events are to have call stacks: 0 or 1 */
    uint8_t ids_included; /* 1: only events with these ids are wanted; 0: all but those */
    uint8_t reserved;
    uint32_t id_count;
    const uint16_t *ids;       /* NULL for no filter */
    const uint32_t *processes; /* the processes that are listened to; NULL for all */
    size_t process_count;
} tracewell_notice;

/* Called on a thread of the library whenever what is wanted of a provider changes. It must not call
 * tracewell_unregister. */
typedef void (*tracewell_callback)(void *context, const tracewell_notice *notice);

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

/* Whether some session wants events of this level and keyword; 0 or 1. A call; tracewell_enabled asks it when some session
 * wants the level. */
int tracewell_enabled_exactly(const tracewell_provider *provider, uint8_t level, uint64_t keyword);

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

/* Logs a trace message (TraceMessage), with time, thread and process, and with a sequence number in sessions that
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
#endif

/* Whether some session wants events of this level and keyword; 0 or 1. */
static inline int tracewell_enabled(const tracewell_provider *provider, uint8_t level, uint64_t keyword) {
#if defined(__linux__) && defined(__GNUC__)
    if (!provider)
        return 0;
    const uint32_t *own = __atomic_load_n(&provider->wanted_[0], __ATOMIC_ACQUIRE);
    const uint32_t *of_system = __atomic_load_n(&provider->wanted_[1], __ATOMIC_ACQUIRE);
    if (__builtin_expect(
            level >= __atomic_load_n(own, __ATOMIC_RELAXED) && level >= __atomic_load_n(of_system, __ATOMIC_RELAXED), 1))
        return 0;
#endif
    return tracewell_enabled_exactly(provider, level, keyword);
}

/* A text that may be NULL. */
static inline const char *tracewell_text(const char *text) { return text ? text : ""; }

#ifdef __cplusplus

#include <initializer_list>

/* An event of a level and keyword, for TRACEWELL_WRITE. */
#define TRACEWELL_EVENT(id, level, keyword)                                                                            \
    (&static_cast<const tracewell_event &>(tracewell_event{(id), 0, 0, (level), 0, 0, (keyword)}))

/* A variable as a piece of a payload. */
#define tracewell_value(variable) (tracewell_data{&(variable), sizeof(variable)})

/* A text with its terminator as a piece of a payload. */
#define tracewell_string(text) (tracewell_data{(text), strlen(text) + 1})

static inline int tracewell_write_pieces(const tracewell_provider *provider, const tracewell_event *event,
                                         std::initializer_list<tracewell_data> pieces) {
    return tracewell_write(provider, event, pieces.begin(), pieces.size());
}

/* Logs an event of some pieces. They are only looked at when a session wants the event. */
#define TRACEWELL_WRITE(provider, event, ...)                                                                          \
    (tracewell_enabled((provider), (event)->level, (event)->keyword)                                                   \
         ? tracewell_write_pieces((provider), (event), {__VA_ARGS__})                                                  \
         : TRACEWELL_OK)

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

#if defined(__GNUC__)

/* TRACEWELL_LOG(provider, level, keyword, "name", fields...): logs an event that describes itself. Up to 16 fields, each
 * (type, "name", value); they are only looked at when a session wants the event. The result is that of tracewell_write.
 * The names must be literals. Types:
 *
 *     i8 u8 i16 u16 i32 u32 i64 u64 f32 f64   numbers
 *     bool32 hex32 hex64                      shown as true or false, and in hexadecimal
 *     pointer                                 an address, shown in hexadecimal
 *     filetime                                a time, in units of 100 ns since 1601
 *     guid                                    a tracewell_guid
 *     str                                     a text in UTF-8, may be NULL
 *     binary                                  (binary, "name", data, size), of at most 65535 bytes
 */
#define TRACEWELL_LOG(provider, level, keyword, ...)                                                                   \
    TRACEWELL_CALL_LOG_(((provider), (level), (keyword), TRACEWELL_EACH_OF_(__VA_ARGS__), __VA_ARGS__, ~))

/* Behind TRACEWELL_LOG: a description is the size, a byte of tags, the name, then for each field its name and type. */
#define TRACEWELL_LOG_(provider, wanted_level, wanted_keyword, each, ...)                                              \
    TRACEWELL_LOG_NAMED_(provider, wanted_level, wanted_keyword, each, __VA_ARGS__)
#define TRACEWELL_LOG_NAMED_(provider, wanted_level, wanted_keyword, each, name, ...)                                  \
    (__extension__({                                                                                                   \
        const tracewell_provider *tracewell_provider_ = (provider);                                                    \
        const tracewell_event tracewell_event_ = {0, 0, 11, (wanted_level), 0, 0, (wanted_keyword)};                   \
        int tracewell_result_ = TRACEWELL_OK;                                                                          \
        if (tracewell_enabled(tracewell_provider_, tracewell_event_.level, tracewell_event_.keyword)) {                \
            static const struct __attribute__((packed)) {                                                              \
                uint16_t size;                                                                                         \
                char rest[sizeof("\0" name "\0" each(TRACEWELL_DESCRIBE_, __VA_ARGS__))];                              \
            } tracewell_description_ = {                                                                               \
                (uint16_t)(1 + sizeof("\0" name "\0" each(TRACEWELL_DESCRIBE_, __VA_ARGS__))),                         \
                "\0" name "\0" each(TRACEWELL_DESCRIBE_, __VA_ARGS__)};                                                \
            each(TRACEWELL_KEEP_, __VA_ARGS__)                                                                         \
            const tracewell_data tracewell_pieces_[] = {each(TRACEWELL_PIECE_, __VA_ARGS__){NULL, 0}};                 \
            tracewell_result_ = tracewell_write_described(                                                             \
                tracewell_provider_, &tracewell_event_, &tracewell_description_, sizeof tracewell_description_ - 1,    \
                tracewell_pieces_, sizeof tracewell_pieces_ / sizeof(tracewell_data) - 1);                             \
        }                                                                                                              \
        tracewell_result_;                                                                                             \
    }))

/* Separate macros, because a macro is not expanded inside itself. */
#define TRACEWELL_CALL_LOG_(arguments) TRACEWELL_LOG_ arguments
#define TRACEWELL_CALL_DESCRIBE_(arguments) TRACEWELL_DESCRIBE_FIELD_ arguments
#define TRACEWELL_CALL_KEEP_(arguments) TRACEWELL_KEEP_FIELD_ arguments
#define TRACEWELL_CALL_PIECE_(arguments) TRACEWELL_PIECE_FIELD_ arguments
#define TRACEWELL_STRIP_(...) __VA_ARGS__

/* One field, by its type: what describes it, a copy of its value, and that as a piece of the payload. */
#define TRACEWELL_DESCRIBE_(k, field) TRACEWELL_CALL_DESCRIBE_((TRACEWELL_STRIP_ field, ~))
#define TRACEWELL_DESCRIBE_FIELD_(type, name, ...) name "\0" TRACEWELL_TYPE_##type
#define TRACEWELL_KEEP_(k, field) TRACEWELL_CALL_KEEP_((k, TRACEWELL_STRIP_ field))
#define TRACEWELL_KEEP_FIELD_(k, type, name, ...) TRACEWELL_KEEP_##type(k, __VA_ARGS__)
#define TRACEWELL_PIECE_(k, field) TRACEWELL_CALL_PIECE_((k, TRACEWELL_STRIP_ field, ~))
#define TRACEWELL_PIECE_FIELD_(k, type, ...) TRACEWELL_PIECE_##type(k)

#define TRACEWELL_KEPT_(k, ctype, value) const ctype tracewell_field_##k = (value);
#define TRACEWELL_WHOLE_(k) {&tracewell_field_##k, sizeof tracewell_field_##k},

#define TRACEWELL_TYPE_i8 "\x03"
#define TRACEWELL_TYPE_u8 "\x04"
#define TRACEWELL_TYPE_i16 "\x05"
#define TRACEWELL_TYPE_u16 "\x06"
#define TRACEWELL_TYPE_i32 "\x07"
#define TRACEWELL_TYPE_u32 "\x08"
#define TRACEWELL_TYPE_i64 "\x09"
#define TRACEWELL_TYPE_u64 "\x0a"
#define TRACEWELL_TYPE_f32 "\x0b"
#define TRACEWELL_TYPE_f64 "\x0c"
#define TRACEWELL_TYPE_bool32 "\x0d"
#define TRACEWELL_TYPE_binary "\x0e"
#define TRACEWELL_TYPE_guid "\x0f"
#define TRACEWELL_TYPE_filetime "\x11"
#define TRACEWELL_TYPE_hex32 "\x14"
#define TRACEWELL_TYPE_hex64 "\x15"
#define TRACEWELL_TYPE_pointer "\x15"
#define TRACEWELL_TYPE_str "\x82\x23"

#define TRACEWELL_KEEP_i8(k, value) TRACEWELL_KEPT_(k, int8_t, value)
#define TRACEWELL_KEEP_u8(k, value) TRACEWELL_KEPT_(k, uint8_t, value)
#define TRACEWELL_KEEP_i16(k, value) TRACEWELL_KEPT_(k, int16_t, value)
#define TRACEWELL_KEEP_u16(k, value) TRACEWELL_KEPT_(k, uint16_t, value)
#define TRACEWELL_KEEP_i32(k, value) TRACEWELL_KEPT_(k, int32_t, value)
#define TRACEWELL_KEEP_u32(k, value) TRACEWELL_KEPT_(k, uint32_t, value)
#define TRACEWELL_KEEP_i64(k, value) TRACEWELL_KEPT_(k, int64_t, value)
#define TRACEWELL_KEEP_u64(k, value) TRACEWELL_KEPT_(k, uint64_t, value)
#define TRACEWELL_KEEP_f32(k, value) TRACEWELL_KEPT_(k, float, value)
#define TRACEWELL_KEEP_f64(k, value) TRACEWELL_KEPT_(k, double, value)
#define TRACEWELL_KEEP_bool32(k, value) TRACEWELL_KEPT_(k, int32_t, (value) ? 1 : 0)
#define TRACEWELL_KEEP_guid(k, value) TRACEWELL_KEPT_(k, tracewell_guid, value)
#define TRACEWELL_KEEP_filetime(k, value) TRACEWELL_KEPT_(k, uint64_t, value)
#define TRACEWELL_KEEP_hex32(k, value) TRACEWELL_KEPT_(k, uint32_t, value)
#define TRACEWELL_KEEP_hex64(k, value) TRACEWELL_KEPT_(k, uint64_t, value)
#define TRACEWELL_KEEP_pointer(k, value) TRACEWELL_KEPT_(k, uint64_t, (uint64_t)(uintptr_t)(value))
#define TRACEWELL_KEEP_str(k, value) const char *const tracewell_field_##k = tracewell_text(value);
#define TRACEWELL_KEEP_binary(k, value, bytes)                                                                         \
    const void *const tracewell_field_##k = (value);                                                                   \
    const uint16_t tracewell_size_##k = (uint16_t)(bytes);

#define TRACEWELL_PIECE_i8 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_u8 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_i16 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_u16 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_i32 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_u32 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_i64 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_u64 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_f32 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_f64 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_bool32 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_guid TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_filetime TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_hex32 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_hex64 TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_pointer TRACEWELL_WHOLE_
#define TRACEWELL_PIECE_str(k) {tracewell_field_##k, strlen(tracewell_field_##k) + 1},
#define TRACEWELL_PIECE_binary(k) TRACEWELL_PIECE_BYTES_(k)
#define TRACEWELL_PIECE_BYTES_(k)                                                                                      \
    {&tracewell_size_##k, sizeof tracewell_size_##k}, {tracewell_field_##k, tracewell_size_##k},

/* A macro for each of the fields behind a name; the last argument is none. */
#define TRACEWELL_EACH_OF_(...) TRACEWELL_PICK_(__VA_ARGS__, TRACEWELL_EACH_16_, TRACEWELL_EACH_15_,                   \
    TRACEWELL_EACH_14_, TRACEWELL_EACH_13_, TRACEWELL_EACH_12_, TRACEWELL_EACH_11_, TRACEWELL_EACH_10_,                \
    TRACEWELL_EACH_9_, TRACEWELL_EACH_8_, TRACEWELL_EACH_7_, TRACEWELL_EACH_6_, TRACEWELL_EACH_5_,                     \
    TRACEWELL_EACH_4_, TRACEWELL_EACH_3_, TRACEWELL_EACH_2_, TRACEWELL_EACH_1_, TRACEWELL_EACH_0_, ~)
#define TRACEWELL_PICK_(name, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, each, ...) each
#define TRACEWELL_EACH_0_(m, ...)
#define TRACEWELL_EACH_1_(m, f, ...) m(1, f)
#define TRACEWELL_EACH_2_(m, f, ...) m(2, f) TRACEWELL_EACH_1_(m, __VA_ARGS__)
#define TRACEWELL_EACH_3_(m, f, ...) m(3, f) TRACEWELL_EACH_2_(m, __VA_ARGS__)
#define TRACEWELL_EACH_4_(m, f, ...) m(4, f) TRACEWELL_EACH_3_(m, __VA_ARGS__)
#define TRACEWELL_EACH_5_(m, f, ...) m(5, f) TRACEWELL_EACH_4_(m, __VA_ARGS__)
#define TRACEWELL_EACH_6_(m, f, ...) m(6, f) TRACEWELL_EACH_5_(m, __VA_ARGS__)
#define TRACEWELL_EACH_7_(m, f, ...) m(7, f) TRACEWELL_EACH_6_(m, __VA_ARGS__)
#define TRACEWELL_EACH_8_(m, f, ...) m(8, f) TRACEWELL_EACH_7_(m, __VA_ARGS__)
#define TRACEWELL_EACH_9_(m, f, ...) m(9, f) TRACEWELL_EACH_8_(m, __VA_ARGS__)
#define TRACEWELL_EACH_10_(m, f, ...) m(10, f) TRACEWELL_EACH_9_(m, __VA_ARGS__)
#define TRACEWELL_EACH_11_(m, f, ...) m(11, f) TRACEWELL_EACH_10_(m, __VA_ARGS__)
#define TRACEWELL_EACH_12_(m, f, ...) m(12, f) TRACEWELL_EACH_11_(m, __VA_ARGS__)
#define TRACEWELL_EACH_13_(m, f, ...) m(13, f) TRACEWELL_EACH_12_(m, __VA_ARGS__)
#define TRACEWELL_EACH_14_(m, f, ...) m(14, f) TRACEWELL_EACH_13_(m, __VA_ARGS__)
#define TRACEWELL_EACH_15_(m, f, ...) m(15, f) TRACEWELL_EACH_14_(m, __VA_ARGS__)
#define TRACEWELL_EACH_16_(m, f, ...) m(16, f) TRACEWELL_EACH_15_(m, __VA_ARGS__)

#endif

#endif
