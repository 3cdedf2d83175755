/* A Windows program that controls sessions, for tests under Wine. Each argument is one step; what it says goes to standard output.
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

/* 5f1cd3a0-2b1a-4c0e-9a52-0123456789ab and 5f1cd3a3-... */
static const GUID provider = {0x5f1cd3a0, 0x2b1a, 0x4c0e, {0x9a, 0x52, 1, 0x23, 0x45, 0x67, 0x89, 0xab}};
static const GUID session_guid = {0x5f1cd3a3, 0x2b1a, 0x4c0e, {0x9a, 0x52, 1, 0x23, 0x45, 0x67, 0x89, 0xab}};

/* Numbers that older headers lack. */
enum { FILTER_PID = 0x80000004, FILTER_EVENT_ID = 0x80000200 };

#define ROOM 1024

/* The properties with room for both texts, of which the name comes first. */
struct block {
    EVENT_TRACE_PROPERTIES p;
    wchar_t name[ROOM], file[ROOM];
};

static struct block block;
static TRACEHANDLE session;
static REGHANDLE handle;

static EVENT_TRACE_PROPERTIES *fresh(struct block *b) {
    memset(b, 0, sizeof *b);
    b->p.Wnode.BufferSize = sizeof *b;
    b->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    b->p.LoggerNameOffset = offsetof(struct block, name);
    b->p.LogFileNameOffset = offsetof(struct block, file);
    return &b->p;
}

static void show(const char *what, ULONG result) {
    const EVENT_TRACE_PROPERTIES *p = &block.p;
    printf("%s %lu", what, result);
    if (result == ERROR_SUCCESS)
        printf(" %ls %ls buffer %lu file %lu mode %lx timer %lu lost %lu %s%s", block.name, block.file, p->BufferSize,
               p->MaximumFileSize, p->LogFileMode, p->FlushTimer, p->EventsLost,
               p->Wnode.HistoricalContext == session ? "same" : "other",
               IsEqualGUID(&p->Wnode.Guid, &session_guid) ? " guid" : "");
    printf("\n");
    fflush(stdout);
}

static void start(const wchar_t *name, const wchar_t *file) {
    EVENT_TRACE_PROPERTIES *p = fresh(&block);
    p->Wnode.Guid = session_guid;
    p->Wnode.ClientContext = 1;
    p->BufferSize = 32;
    p->MaximumFileSize = 5;
    p->FlushTimer = 2;
    p->LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    wcscpy(block.file, file);
    show("start", StartTraceW(&session, name, p));
}

static void write_events(ULONG count) {
    ULONG failed = 0;
    for (ULONG i = 0; i < count; i++) {
        EVENT_DESCRIPTOR event = {(USHORT)(i % 4), 0, 0, (UCHAR)(i % 2 ? 5 : 4), 0, 0, 1};
        EVENT_DATA_DESCRIPTOR piece;
        EventDataDescCreate(&piece, &i, sizeof i);
        failed += EventWrite(handle, &event, 1, &piece) != ERROR_SUCCESS;
    }
    printf("wrote %lu, failed %lu\n", count, failed);
}

/* A filter by ids 1 and 2, another by this process, then what cannot be had. */
static void filters(void) {
    struct {
        BOOLEAN include;
        UCHAR reserved;
        USHORT count, ids[2];
    } ids = {TRUE, 0, 2, {1, 2}};
    ULONG self = GetCurrentProcessId(), other = self + 4;
    EVENT_FILTER_DESCRIPTOR all[2] = {{(ULONGLONG)(ULONG_PTR)&ids, sizeof ids, FILTER_EVENT_ID},
                                      {(ULONGLONG)(ULONG_PTR)&self, sizeof self, FILTER_PID}};
    ENABLE_TRACE_PARAMETERS two = {.Version = 2, .EnableFilterDesc = all};
    two.FilterDescCount = 2;
    printf("filters %lu", EnableTraceEx2(session, &provider, 1, 0, 0, 0, 5000, &two));
    all[1].Ptr = (ULONGLONG)(ULONG_PTR)&other;
    printf(" %lu", EnableTraceEx2(session, &provider, 1, 0, 0, 0, 5000, &two));
    all[0].Type = 0x80000100;
    printf(" %lu", EnableTraceEx2(session, &provider, 1, 0, 0, 0, 5000, &two));
    two.FilterDescCount = 99;
    printf(" %lu\n", EnableTraceEx2(session, &provider, 1, 0, 0, 0, 5000, &two));
}

static void wrong(void) {
    struct block other;
    TRACEHANDLE none = 0;
    EVENT_TRACE_PROPERTIES *p = fresh(&other);
    wcscpy(other.file, L"C:\\logs\\other.etl");
    printf("wrong %lu %lu %lu", StartTraceW(&none, L"Seen", p), StartTraceW(NULL, L"x", p), StartTraceW(&none, NULL, p));
    fresh(&other)->Wnode.BufferSize = 64;
    printf(" %lu", StartTraceW(&none, L"x", p));
    fresh(&other)->LogFileNameOffset = 0;
    printf(" %lu", StartTraceW(&none, L"x", p));
    fresh(&other)->LogFileNameOffset = 8;
    printf(" %lu", StartTraceW(&none, L"x", p));
    fresh(&other);
    wcscpy(other.file, L"C:\\missing\\other.etl");
    printf(" %lu", StartTraceW(&none, L"x", p));
    fresh(&other);
    printf(" %lu %lu %lu", ControlTraceW(0, L"no such session", p, 0), ControlTraceW(63, NULL, p, 1),
           ControlTraceW(session, NULL, NULL, 0));
    printf(" %lu %lu", ControlTraceW(session, NULL, p, 77), EnableTraceEx2(63, &provider, 1, 0, 0, 0, 0, NULL));
    /* No room for the name of the file. */
    fresh(&other)->Wnode.BufferSize = offsetof(struct block, file) + 8;
    printf(" %lu %ls\n", ControlTraceW(session, NULL, p, 0), other.file);
    fflush(stdout);
}

static void narrow(void) {
    struct {
        EVENT_TRACE_PROPERTIES p;
        char name[ROOM], file[ROOM];
    } b;
    TRACEHANDLE other = 0;
    ULONG result;
    memset(&b, 0, sizeof b);
    b.p.Wnode.BufferSize = sizeof b;
    b.p.LoggerNameOffset = sizeof b.p;
    b.p.LogFileNameOffset = sizeof b.p + ROOM;
    b.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    strcpy(b.file, "C:\\logs\\narrow.etl");
    result = StartTraceA(&other, "Narrow", &b.p);
    printf("narrow %lu", result);
    result = ControlTraceA(other, NULL, &b.p, EVENT_TRACE_CONTROL_QUERY);
    printf(" %lu %s %s", result, b.name, b.file);
    printf(" %lu\n", ControlTraceA(0, "Narrow", &b.p, EVENT_TRACE_CONTROL_STOP));
    fflush(stdout);
}

static void all(ULONG room) {
    static struct block blocks[8];
    EVENT_TRACE_PROPERTIES *places[8];
    ULONG count = 0, result;
    for (int i = 0; i < 8; i++)
        places[i] = fresh(&blocks[i]);
    result = QueryAllTracesW(places, room, &count);
    printf("all %lu %lu", result, count);
    for (ULONG i = 0; i < count; i++)
        printf(" %ls", blocks[i].name);
    printf("\n");
    fflush(stdout);
}

/* Result, whether their number is that of the size, and whether the provider of this program is there twice or not at all. */
static void guids(void) {
    static GUID all[64];
    ULONG needed = 0, size = 0, result, found = 0;
    result = EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0, &needed);
    if (result != (needed ? ERROR_INSUFFICIENT_BUFFER : ERROR_SUCCESS) && result != ERROR_INSUFFICIENT_BUFFER)
        printf("size %lu ", result);
    result = EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, all, sizeof all, &size);
    printf("guids %lu %lu", result, (ULONG)(size / sizeof *all));
    if (size != needed)
        printf(" (%lu)", needed);
    result = EnumerateTraceGuidsEx(TraceGuidQueryProcess, NULL, 0, all, sizeof all, &size);
    for (ULONG i = 0; i < size / sizeof *all; i++)
        found += IsEqualGUID(&all[i], &provider);
    printf(" %lu\n", found);
}

static void info(void) {
    static char bytes[4096];
    const TRACE_GUID_INFO *head = (void *)bytes;
    const char *at = bytes + sizeof *head;
    ULONG needed = 0, size = 0, result;
    result = EnumerateTraceGuidsEx(TraceGuidQueryInfo, (void *)&provider, sizeof provider, bytes, sizeof bytes, &size);
    printf("info %lu", result);
    if (result == ERROR_SUCCESS) {
        result = EnumerateTraceGuidsEx(TraceGuidQueryInfo, (void *)&provider, sizeof provider, bytes, size - 1, &needed);
        if (result != ERROR_INSUFFICIENT_BUFFER || needed != size)
            printf(" (%lu %lu)", result, needed);
        printf(" instances %lu", head->InstanceCount);
        for (ULONG i = 0; i < head->InstanceCount; i++) {
            const TRACE_PROVIDER_INSTANCE_INFO *one = (const void *)at;
            const TRACE_ENABLE_INFO *enabled = (const void *)(one + 1);
            printf(i ? ", " : ": ");
            if (one->Pid == GetCurrentProcessId())
                printf("own");
            else
                printf("%lu", one->Pid);
            printf(" flags %lu enabled %lu", one->Flags, one->EnableCount);
            for (ULONG j = 0; j < one->EnableCount; j++)
                printf(" level %u any %llx all %llx", enabled[j].Level, enabled[j].MatchAnyKeyword, enabled[j].MatchAllKeyword);
            at += one->NextOffset;
        }
    }
    printf("\n");
}

static void old_guids(ULONG room) {
    static TRACE_GUID_PROPERTIES all[9];
    TRACE_GUID_PROPERTIES *places[9];
    ULONG count = 0, result;
    for (int i = 0; i < 9; i++)
        places[i] = &all[i];
    result = EnumerateTraceGuids(places, room, &count);
    printf("old %lu %lu", result, count);
    for (ULONG i = 0; i < room && i < count; i++)
        if (IsEqualGUID(&all[i].Guid, &provider))
            printf(" %d level %lu flags %lx", all[i].IsEnable, all[i].EnableLevel, all[i].EnableFlags);
    printf("\n");
}

/* No such class, no place for the size, no GUID, half a GUID; no array, no room, no number. */
static void wrong_guids(void) {
    ULONG size;
    TRACE_GUID_PROPERTIES one, *place = &one;
    printf("wrong %lu", EnumerateTraceGuidsEx(3, NULL, 0, NULL, 0, &size));
    printf(" %lu", EnumerateTraceGuidsEx(0x100, NULL, 0, NULL, 0, &size));
    printf(" %lu", EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0, NULL));
    printf(" %lu", EnumerateTraceGuidsEx(TraceGuidQueryInfo, NULL, 16, NULL, 0, &size));
    printf(" %lu", EnumerateTraceGuidsEx(TraceGuidQueryInfo, (void *)&provider, 8, NULL, 0, &size));
    printf(" %lu", EnumerateTraceGuids(NULL, 1, &size));
    printf(" %lu", EnumerateTraceGuids(&place, 0, &size));
    printf(" %lu\n", EnumerateTraceGuids(&place, 1, NULL));
}

int wmain(int count, wchar_t **steps) {
    for (int i = 1; i < count; i++) {
        const wchar_t *step = steps[i];
        if (!wcsncmp(step, L"start=", 6))
            start(L"Seen", step + 6);
        else if (!wcscmp(step, L"enable"))
            printf("enable %lu\n", EnableTraceEx2(session, &provider, 1, 4, 0, 0, 5000, NULL));
        else if (!wcscmp(step, L"old"))
            printf("old %lu %lu\n", EnableTrace(TRUE, 1, 5, &provider, session),
                   EnableTraceEx(&provider, NULL, session, 1, 5, 1, 0, 0, NULL));
        else if (!wcscmp(step, L"disable"))
            printf("disable %lu\n", EnableTraceEx2(session, &provider, 0, 0, 0, 0, 0, NULL));
        else if (!wcscmp(step, L"register"))
            printf("register %lu\n", EventRegister(&provider, NULL, NULL, &handle));
        else if (!wcsncmp(step, L"write=", 6))
            write_events(_wtoi(step + 6));
        else if (!wcscmp(step, L"filters"))
            filters();
        else if (!wcscmp(step, L"query"))
            show("query", ControlTraceW(session, NULL, fresh(&block), EVENT_TRACE_CONTROL_QUERY));
        else if (!wcscmp(step, L"flush"))
            printf("flush %lu\n", FlushTraceW(session, NULL, fresh(&block)));
        else if (!wcscmp(step, L"update")) {
            fresh(&block)->FlushTimer = 7;
            printf("update %lu\n", UpdateTraceW(0, L"SEEN", &block.p));
        } else if (!wcsncmp(step, L"stop=", 5))
            show("stop", StopTraceW(0, step + 5, fresh(&block)));
        else if (!wcscmp(step, L"stop"))
            show("stop", ControlTraceW(session, NULL, fresh(&block), EVENT_TRACE_CONTROL_STOP));
        else if (!wcscmp(step, L"wrong"))
            wrong();
        else if (!wcscmp(step, L"narrow"))
            narrow();
        else if (!wcsncmp(step, L"all=", 4))
            all(_wtoi(step + 4));
        else if (!wcscmp(step, L"guids"))
            guids();
        else if (!wcscmp(step, L"info"))
            info();
        else if (!wcsncmp(step, L"old-guids=", 10))
            old_guids(_wtoi(step + 10));
        else if (!wcscmp(step, L"wrong-guids"))
            wrong_guids();
        else if (!wcscmp(step, L"wait"))
            getchar();
        fflush(stdout);
    }
    return 0;
}
