/* Sessions and traces of Event Tracing for Windows in C and C++: control, and reading with names.
 *
 *     const char *names[] = {"trace.etl"};
 *     tracewell_reader *reader = tracewell_open(names, 1);
 *     while (tracewell_next(reader, -1) == TRACEWELL_EVENT_READ)
 *         printf("%s\n", tracewell_json(reader));
 *     tracewell_close(reader);
 *
 *     cc program.c $(pkg-config --cflags --libs tracewell-trace)
 *
 * A function that fails returns the Win32 number of the error, and tracewell_last_error describes it. Functions for sessions
 * may be called from any thread; a reader is used by one thread at a time.
 */
#ifndef TRACEWELL_TRACE_H
#define TRACEWELL_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What went wrong in the last call of this thread that failed: one line in UTF-8, valid until the thread's next call. Empty if
 * none failed. */
const char *tracewell_last_error(void);

/* ---- Sessions ---- */

/* How a session keeps events. Zeros are the defaults. */
typedef struct {
    const char *file;        /* log file; NULL for none */
    uint8_t live;            /* 1: consumers can read the session while it runs; also without a file */
    uint8_t circular;        /* 1: a full file goes on at its beginning; needs file_mib */
    uint8_t reserved[2];     /* 0 */
    uint32_t buffer_kib;     /* size of a buffer; 64 if 0 */
    uint32_t buffers;        /* most buffers */
    uint32_t flush_ms;       /* buffers that are not full are delivered after this time; live ones after 1 s if 0 */
    uint32_t file_mib;       /* largest size of the file; no limit if 0 */
} tracewell_options;

/* Which events a session requests of a provider. Zeros request all. */
typedef struct {
    uint64_t any;        /* keywords of which an event must have one */
    uint64_t all;        /* keywords that it must have all of */
    uint8_t level;       /* highest level: 1 critical, 2 error, 3 warning, 4 information, 5 verbose */
    uint8_t stacks;      /* 1: with call stacks */
    uint8_t reserved[6]; /* 0 */
} tracewell_request;

/* What a session has done. */
typedef struct {
    uint64_t events;       /* logged so far */
    uint64_t events_lost;  /* found no free buffer, or no room in the file */
    uint64_t buffers_lost; /* not written to the file, or not taken by a consumer in time */
    uint64_t refused;      /* programs that were refused, too many or of another version */
    uint32_t buffers;      /* that exist */
    uint32_t consumers;    /* that are attached */
} tracewell_status;

/* Starts a session, which runs until it is stopped, also after this program has ended (StartTrace). options may be NULL: a live
 * session without a file. On Linux `etw` must be in the PATH: it runs the daemon if none runs. Returns 0, or 183 if a session
 * has the name. */
uint32_t tracewell_start(const char *session, const tracewell_options *options);

/* Has a provider log to a session, now and in programs to come (EnableTraceEx2). The provider is a name or a GUID in text.
 * request may be NULL: all events. Returns 0, or 4201 if there is no such session. */
uint32_t tracewell_enable(const char *session, const char *provider, const tracewell_request *request);

/* Ends that. */
uint32_t tracewell_disable(const char *session, const char *provider);

/* Delivers what is in the buffers. */
uint32_t tracewell_flush(const char *session);

/* What a session has done. */
uint32_t tracewell_query(const char *session, tracewell_status *status);

/* Stops a session: its file is complete on return. status may be NULL. */
uint32_t tracewell_stop(const char *session, tracewell_status *status);

/* ---- Reading ---- */

/* Reads traces and sessions. */
typedef struct tracewell_reader tracewell_reader;

/* Results of tracewell_next. */
enum {
    TRACEWELL_END = 0,        /* all files are read, all sessions ended */
    TRACEWELL_EVENT_READ = 1, /* there is an event */
    TRACEWELL_NOTHING = 2,    /* none came in time */
    TRACEWELL_FAILED = 3      /* see tracewell_last_error */
};

/* The header of an event. */
typedef struct {
    int64_t time;         /* nanoseconds since 1970-01-01 UTC */
    uint64_t keyword;
    uint32_t pid;         /* process; UINT32_MAX if unknown */
    uint32_t tid;         /* thread; UINT32_MAX if unknown */
    uint16_t id;          /* of events of the kernel and of classes: the type */
    uint16_t version;
    uint16_t cpu;
    uint8_t level;
    uint8_t opcode;
    uint8_t provider[16]; /* GUID of the provider or class, as it lies in memory on Windows */
    uint8_t activity[16]; /* zeros if the event has none */
} tracewell_event_header;

/* Opens trace files (names with a slash or backslash, or that end in .etl, .zip, .gz or .cab) and sessions (other names). Their
 * events come in the order of time. Returns NULL if one cannot be opened. */
tracewell_reader *tracewell_open(const char *const *names, size_t count);

/* Goes to the next event. Waits so many milliseconds for the event of a session, without end if negative; files do not wait.
 * What the functions below returned for the event before is not valid any more. */
int tracewell_next(tracewell_reader *reader, int milliseconds);

/* The header of the event. Returns 0, or 87 if there is none. */
uint32_t tracewell_header_of(const tracewell_reader *reader, tracewell_event_header *header);

/* A field or property of the event as text in UTF-8, as `etw dump --csv` prints it: `process`, `provider`, `event`, `utc`,
 * `level-name` and others (`etw man dump` lists them), or the name of a field; `.name` is always a field, `a.b` a member.
 * NULL if the event has no such field. Valid until the next event. */
const char *tracewell_text_of(tracewell_reader *reader, const char *name);

/* The same as a number. Returns 0; 1168 if the event has no such field, 13 if it is not a number. Unsigned 64-bit numbers have
 * the same bits. */
uint32_t tracewell_integer_of(const tracewell_reader *reader, const char *name, int64_t *value);
uint32_t tracewell_real_of(const tracewell_reader *reader, const char *name, double *value);

/* How many fields the event has, and their names. A name is valid until the next event; NULL beyond the last. */
size_t tracewell_field_count(const tracewell_reader *reader);
const char *tracewell_field_name(tracewell_reader *reader, size_t at);

/* The event as a JSON object, as `etw dump --json` prints it. Valid until the next event; NULL if there is none. */
const char *tracewell_json(tracewell_reader *reader);

/* Events that the sessions lost, as files and sessions report it up to now. */
uint64_t tracewell_lost(const tracewell_reader *reader);

/* Closes the reader. NULL is allowed. */
void tracewell_close(tracewell_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
