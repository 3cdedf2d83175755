/* A Windows program whose events are known, for tests under Wine. Each argument is one step; what it says goes to standard output.
 *
 * Built with the headers of another project, so the functions have the types that Windows programs expect.
 */
#define INITGUID
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <evntprov.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 5f1cd3a0-2b1a-4c0e-9a52-0123456789ab, 5f1cd3a1-... and 5f1cd3a2-... */
static const GUID modern = {0x5f1cd3a0, 0x2b1a, 0x4c0e, {0x9a, 0x52, 1, 0x23, 0x45, 0x67, 0x89, 0xab}};
static const GUID classic = {0x5f1cd3a1, 0x2b1a, 0x4c0e, {0x9a, 0x52, 1, 0x23, 0x45, 0x67, 0x89, 0xab}};
static const GUID class_of_events = {0x5f1cd3a2, 0x2b1a, 0x4c0e, {0x9a, 0x52, 1, 0x23, 0x45, 0x67, 0x89, 0xab}};
static const GUID activity = {0x11111111, 0x2222, 0x3333, {4, 4, 4, 4, 4, 4, 4, 4}};
static const GUID related = {0x55555555, 0x6666, 0x7777, {8, 8, 8, 8, 8, 8, 8, 8}};

/* Numbers that older headers lack. */
enum { SET_TRAITS = 2, EVENT_METADATA = 1, PROVIDER_METADATA = 2 };

static REGHANDLE handle;
static TRACEHANDLE classic_handle, logger;
static volatile LONG enabled, notices, deliveries;

static void NTAPI on_enable(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any, ULONGLONG all,
                            PEVENT_FILTER_DESCRIPTOR filter, PVOID context) {
    (void)source, (void)filter;
    /* Never two at once. */
    if (InterlockedIncrement(&deliveries) != 1)
        printf("two notices at once\n");
    printf("notice %lu level %u any %llx all %llx context %s\n", control, level, any, all,
           context == &handle ? "right" : "wrong");
    fflush(stdout);
    if (control != EVENT_CONTROL_CODE_CAPTURE_STATE)
        enabled = control;
    InterlockedIncrement(&notices);
    InterlockedDecrement(&deliveries);
}

static ULONG WINAPI on_control(WMIDPREQUESTCODE request, PVOID context, ULONG *size, PVOID buffer) {
    (void)context, (void)size;
    if (request == WMI_ENABLE_EVENTS) {
        logger = GetTraceLoggerHandle(buffer);
        printf("classic level %u flags %lx\n", GetTraceEnableLevel(logger), GetTraceEnableFlags(logger));
    } else {
        logger = 0;
        printf("classic off\n");
    }
    fflush(stdout);
    return ERROR_SUCCESS;
}

static ULONG put(USHORT id, UCHAR level, ULONGLONG keyword, ULONG number, const wchar_t *text) {
    EVENT_DESCRIPTOR event = {id, 1, 0, level, 0, 0, keyword};
    EVENT_DATA_DESCRIPTOR data[2];
    EventDataDescCreate(&data[0], &number, sizeof number);
    EventDataDescCreate(&data[1], text, (ULONG)(2 * (wcslen(text) + 1)));
    return EventWrite(handle, &event, 2, data);
}

/* Events of all kinds, each once. */
static void known(void) {
    EVENT_DESCRIPTOR transfer = {20, 0, 0, 4, 1, 7, 0x10};
    EVENT_DATA_DESCRIPTOR piece;
    ULONG number = 99;
    GUID id = activity;
    printf("write %lu\n", put(1, 4, 1, 1, L"one"));
    printf("write %lu\n", put(2, 2, 2, 2, L"zw\u00f6lf \u20ac"));
    printf("write %lu\n", put(3, 5, 4, 3, L""));
    printf("write %lu\n", put(4, 4, 0, 4, L"no keyword"));
    printf("write %lu\n", put(5, 0, 8, 5, L"level 0"));
    EventDataDescCreate(&piece, &number, sizeof number);
    printf("transfer %lu\n", EventWriteTransfer(handle, &transfer, &activity, &related, 1, &piece));
    EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &id);
    transfer.Id = 21;
    printf("write %lu\n", EventWrite(handle, &transfer, 0, NULL));
    memset(&id, 0, sizeof id);
    EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &id);
    printf("activity %s\n", memcmp(&id, &activity, sizeof id) ? "wrong" : "right");
    printf("string %lu\n", EventWriteString(handle, 4, 1, L"a string"));
    printf("enabled %d %d %d\n", EventEnabled(handle, &transfer), EventProviderEnabled(handle, 4, 1),
           EventProviderEnabled(0, 4, 1));
    fflush(stdout);
}

/* What programs do wrong. */
static void wrong(void) {
    EVENT_DESCRIPTOR event = {1, 0, 0, 4, 0, 0, 1};
    EVENT_DATA_DESCRIPTOR pieces[2];
    static char big[70000];
    REGHANDLE none = 0;
    EventDataDescCreate(&pieces[0], big, sizeof big);
    printf("wrong %lu %lu %lu %lu %lu %lu\n", EventWrite(0, &event, 0, NULL), EventWrite(0xdeadbeef, &event, 0, NULL),
           EventWrite(handle, &event, 129, pieces), EventWrite(handle, &event, 1, NULL),
           EventWrite(handle, &event, 1, pieces), EventUnregister(12345));
    printf("wrong %lu %lu\n", EventRegister(&modern, NULL, NULL, NULL), EventRegister(NULL, NULL, NULL, &none));
    fflush(stdout);
}

static ULONG each;

static DWORD WINAPI thread(PVOID number) {
    for (ULONG i = 0; i < each; i++) {
        EVENT_DESCRIPTOR event = {30, 0, 0, 4, 0, (USHORT)(ULONG_PTR)number, 1};
        EVENT_DATA_DESCRIPTOR piece;
        EventDataDescCreate(&piece, &i, sizeof i);
        while (EventWrite(handle, &event, 1, &piece) == ERROR_NOT_ENOUGH_MEMORY)
            Sleep(1);
    }
    return 0;
}

static void threads(ULONG count) {
    HANDLE all[8];
    each = count;
    for (ULONG_PTR i = 0; i < 8; i++)
        all[i] = CreateThread(NULL, 0, thread, (PVOID)i, 0, NULL);
    WaitForMultipleObjects(8, all, TRUE, INFINITE);
}

/* Instances of two classes, which the registration names. */
static TRACE_GUID_REGISTRATION classes[2];

static void instances(void) {
    struct {
        EVENT_INSTANCE_HEADER header;
        ULONG number;
    } event = {{0}, 44};
    EVENT_INSTANCE_INFO parent, first, second;
    printf("id %lu\n", CreateTraceInstanceId(classes[1].RegHandle, &parent));
    CreateTraceInstanceId(classes[0].RegHandle, &first);
    CreateTraceInstanceId(classes[0].RegHandle, &second);
    printf("ids %lu %lu %lu handles %s\n", parent.InstanceId, first.InstanceId, second.InstanceId,
           parent.RegHandle == classes[1].RegHandle && second.RegHandle == classes[0].RegHandle ? "right" : "wrong");
    event.header.Size = sizeof event.header + sizeof event.number;
    event.header.Flags = WNODE_FLAG_TRACED_GUID;
    event.header.Class.Type = 12;
    event.header.Class.Level = 3;
    event.header.Class.Version = 2;
    printf("instance %lu\n", TraceEventInstance(logger, &event.header, &second, &parent));
    event.number = 45;
    printf("instance %lu\n", TraceEventInstance(logger, &event.header, &first, NULL));
    printf("wrong %lu %lu %lu %lu\n", TraceEventInstance(logger, NULL, &first, NULL),
           TraceEventInstance(logger, &event.header, NULL, NULL), TraceEventInstance(99, &event.header, &first, NULL),
           CreateTraceInstanceId(NULL, &first));
    event.header.Size = sizeof event.header - 1;
    printf("short %lu\n", TraceEventInstance(logger, &event.header, &first, NULL));
    fflush(stdout);
}

static void old(void) {
    struct {
        EVENT_TRACE_HEADER header;
        ULONG number;
    } inside = {{0}, 41};
    struct {
        EVENT_TRACE_HEADER header;
        MOF_FIELD pieces[2];
    } pointers = {{0}, {{0}, {0}}};
    ULONG one = 42, two = 43;
    inside.header.Size = sizeof inside.header + sizeof inside.number;
    inside.header.Flags = WNODE_FLAG_TRACED_GUID;
    inside.header.Guid = class_of_events;
    inside.header.Class.Type = 10;
    inside.header.Class.Version = 2;
    printf("classic %lu\n", TraceEvent(logger, &inside.header));
    pointers.header.Size = sizeof pointers;
    pointers.header.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_MOF_PTR;
    pointers.header.Guid = class_of_events;
    pointers.header.Class.Type = 11;
    pointers.pieces[0] = (MOF_FIELD){(ULONG64)(ULONG_PTR)&one, sizeof one, 0};
    pointers.pieces[1] = (MOF_FIELD){(ULONG64)(ULONG_PTR)&two, sizeof two, 0};
    printf("classic %lu\n", TraceEvent(logger, &pointers.header));
    printf("message %lu\n", TraceMessage(logger, TRACE_MESSAGE_GUID, (GUID *)&class_of_events, 17, &one,
                                         (SIZE_T)sizeof one, &two, (SIZE_T)sizeof two, NULL));
    fflush(stdout);
}

/* A provider of TraceLogging, whose description comes in two pieces as .NET passes it. */
static void described(void) {
    static const char traits[] = "\x0c\0Wine-Shop";
    static const char head[] = "\x0e\0\0Sold", fields[] = "item\0\x08";
    EVENT_DESCRIPTOR event = {0, 0, 11, 4, 0, 0, 1};
    EVENT_DATA_DESCRIPTOR pieces[4];
    ULONG item = 7;
    printf("traits %lu\n", EventSetInformation(handle, (EVENT_INFO_CLASS)SET_TRAITS, (PVOID)traits, 12));
    EventDataDescCreate(&pieces[0], traits, 12);
    pieces[0].Reserved = PROVIDER_METADATA;
    EventDataDescCreate(&pieces[1], head, 8);
    pieces[1].Reserved = EVENT_METADATA;
    EventDataDescCreate(&pieces[2], fields, 6);
    pieces[2].Reserved = EVENT_METADATA;
    EventDataDescCreate(&pieces[3], &item, sizeof item);
    printf("described %lu\n", EventWrite(handle, &event, 4, pieces));
    fflush(stdout);
}

static double now(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return 1e9 * (double)count.QuadPart / (double)frequency.QuadPart;
}

/* Nanoseconds of an event: the median of 21 runs, and the least. */
static int by_value(const void *a, const void *b) {
    return *(const double *)a < *(const double *)b ? -1 : 1;
}

static void bench(const char *name, UCHAR level) {
    double times[21];
    for (int run = 0; run < 21; run++) {
        const int many = 20000;
        double start = now();
        for (int i = 0; i < many; i++) {
            EVENT_DESCRIPTOR event = {40, 0, 0, level, 0, 0, 1};
            EVENT_DATA_DESCRIPTOR piece;
            EventDataDescCreate(&piece, &i, sizeof i);
            EventWrite(handle, &event, 1, &piece);
        }
        times[run] = (now() - start) / many;
        Sleep(20);
    }
    qsort(times, 21, sizeof *times, by_value);
    printf("%s: median %.1f ns, least %.1f ns\n", name, times[10], times[0]);
    fflush(stdout);
}

static void wait_for(volatile LONG *value, LONG wanted) {
    for (int i = 0; i < 20000 && *value != wanted; i++)
        Sleep(1);
    if (*value != wanted)
        printf("waited in vain\n");
}

int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        char *word = words[i], *value = strchr(word, '=');
        ULONG number = value ? strtoul(value + 1, NULL, 10) : 0;
        size_t size = value ? (size_t)(value - word) : strlen(word);
#define IS(name) (size == sizeof name - 1 && !strncmp(word, name, size))
        if (IS("register"))
            printf("register %lu\n", EventRegister(&modern, on_enable, &handle, &handle));
        else if (IS("unregister"))
            printf("unregister %lu\n", EventUnregister(handle));
        else if (IS("register-classic"))
            printf("register %lu\n", RegisterTraceGuidsW(on_control, NULL, &classic, 0, NULL, NULL, NULL, &classic_handle));
        else if (IS("register-classes")) {
            classes[0].Guid = &class_of_events;
            classes[1].Guid = &classic;
            printf("register %lu\n", RegisterTraceGuidsW(on_control, NULL, &classic, 2, classes, NULL, NULL, &classic_handle));
        } else if (IS("instances"))
            instances();
        else if (IS("unregister-classic"))
            printf("unregister %lu\n", UnregisterTraceGuids(classic_handle));
        else if (IS("enabled"))
            wait_for(&enabled, (LONG)number);
        else if (IS("notices"))
            wait_for(&notices, (LONG)number);
        else if (IS("known"))
            known();
        else if (IS("wrong"))
            wrong();
        else if (IS("threads"))
            threads(number);
        else if (IS("classic"))
            old();
        else if (IS("described"))
            described();
        else if (IS("bench"))
            bench(number ? "enabled" : "disabled", number ? 4 : 5);
        else if (IS("sleep"))
            Sleep(number);
        else if (IS("forever"))
            for (ULONG n = 0;; n++) {
                if (n % 64 == 0)
                    Sleep(1);
                while (put(6, 4, 1, n, L"again") == ERROR_NOT_ENOUGH_MEMORY)
                    Sleep(1);
            }
        else if (IS("exit"))
            ExitProcess(number);
        else
            printf("unknown step %s\n", word);
        fflush(stdout);
    }
    return 0;
}
