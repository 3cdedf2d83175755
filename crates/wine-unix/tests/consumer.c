/* A Windows program that reads traces, for tests under Wine. Each argument is one step; what it says goes to standard output.
 *
 * Built with the headers of another project, so the functions have the types that Windows programs expect.
 */
#define INITGUID
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 5f1cd3a0-2b1a-4c0e-9a52-0123456789ab */
static const GUID provider = {0x5f1cd3a0, 0x2b1a, 0x4c0e, {0x9a, 0x52, 1, 0x23, 0x45, 0x67, 0x89, 0xab}};

#define MOST 65536
#define RAW 0x1000

static struct {
    ULONG events, buffers, read, disorder, wrong_time, stop_after, close_after;
    ULONGLONG sum, classes;
    BOOL show;
    LONGLONG last, from, to;
    TRACEHANDLE handle;
    ULONG closed;
} seen;
static LONGLONG times[MOST];
static ULONG mode = PROCESS_TRACE_MODE_EVENT_RECORD, known;
static char context;

static void hex(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)bytes)[i]);
}

static void guid(const GUID *id) {
    const unsigned char *rest = id->Data4;
    printf("%08lx-%04x-%04x-%02x%02x-", id->Data1, id->Data2, id->Data3, rest[0], rest[1]);
    hex(rest + 2, 6);
}

/* As the test on Linux shows an event of `etw dump`. */
static void show(const EVENT_RECORD *event) {
    const EVENT_DESCRIPTOR *d = &event->EventHeader.EventDescriptor;
    const GUID none = {0}, *related = NULL;
    for (int i = 0; i < event->ExtendedDataCount; i++)
        if (event->ExtendedData[i].ExtType == EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID)
            related = (const GUID *)(ULONG_PTR)event->ExtendedData[i].DataPtr;
    printf("%u %u %u %u ", d->Id, d->Version, d->Level, d->Opcode);
    d->Task ? printf("%u ", d->Task) : printf("- ");
    d->Keyword ? printf("%#llx ", d->Keyword) : printf("- ");
    IsEqualGUID(&event->EventHeader.ActivityId, &none) ? (void)printf("-") : guid(&event->EventHeader.ActivityId);
    printf(" ");
    related ? guid(related) : (void)printf("-");
    printf(" ");
    event->UserDataLength ? hex(event->UserData, event->UserDataLength) : (void)printf("-");
    printf("\n");
}

static void note(LONGLONG time, const void *data, ULONG size) {
    if (seen.events < MOST)
        times[seen.events] = time;
    seen.events++;
    seen.disorder += time < seen.last;
    seen.last = time;
    seen.wrong_time += time < seen.from || (seen.to && time > seen.to);
    if (size >= 4)
        seen.sum += *(const ULONG *)data;
    if (seen.close_after == seen.events)
        seen.closed = CloseTrace(seen.handle);
}

static void WINAPI each(EVENT_RECORD *event) {
    if (event->UserContext != &context)
        printf("wrong context\n");
    if (event->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER)
        seen.classes++;
    if (!IsEqualGUID(&event->EventHeader.ProviderId, &provider))
        return;
    if (!(event->EventHeader.Flags & EVENT_HEADER_FLAG_64_BIT_HEADER))
        printf("wrong flags\n");
    if (seen.show)
        show(event);
    note(event->EventHeader.TimeStamp.QuadPart, event->UserData, event->UserDataLength);
}

static void WINAPI each_old(EVENT_TRACE *event) {
    if (!IsEqualGUID(&event->Header.Guid, &provider))
        return;
    note(event->Header.TimeStamp.QuadPart, event->MofData, event->MofLength);
}

static ULONG WINAPI each_buffer(EVENT_TRACE_LOGFILEW *file) {
    if (file->Context != &context)
        printf("wrong context\n");
    seen.read = file->BuffersRead;
    return ++seen.buffers != seen.stop_after;
}

static LONGLONG now(BOOL counter) {
    LARGE_INTEGER time;
    if (counter)
        QueryPerformanceCounter(&time);
    else
        GetSystemTimeAsFileTime((FILETIME *)&time);
    return time.QuadPart;
}

static EVENT_TRACE_LOGFILEW file;

static TRACEHANDLE open_trace(const wchar_t *name, BOOL live) {
    memset(&file, 0, sizeof file);
    if (live)
        file.LoggerName = (wchar_t *)name;
    else
        file.LogFileName = (wchar_t *)name;
    file.ProcessTraceMode = mode | (live ? PROCESS_TRACE_MODE_REAL_TIME : 0);
    file.BufferCallback = each_buffer;
    if (mode & PROCESS_TRACE_MODE_EVENT_RECORD)
        file.EventRecordCallback = each;
    else
        file.EventCallback = (PEVENT_CALLBACK)each_old;
    file.Context = &context;
    return OpenTraceW(&file);
}

static void process(const wchar_t *name, BOOL live, const LONGLONG *from, const LONGLONG *to) {
    LARGE_INTEGER frequency;
    ULONG result, closed;
    if (live)
        /* Clocks of two systems differ by less than 50 ms. */
        seen.from = now(mode & RAW) - 500000;
    seen.handle = open_trace(name, live);
    if (seen.handle == INVALID_PROCESSTRACE_HANDLE) {
        printf("open %lu\n", GetLastError());
        return;
    }
    QueryPerformanceFrequency(&frequency);
    printf("open 0 %s%s buffers %lu\n", file.IsKernelTrace ? "kernel " : "",
           file.LogfileHeader.PerfFreq.QuadPart == frequency.QuadPart ? "counter" : "clock", file.LogfileHeader.BuffersWritten);
    fflush(stdout);
    result = ProcessTrace(&seen.handle, 1, (FILETIME *)from, (FILETIME *)to);
    printf("process %lu events %lu sum %llu disorder %lu", result, seen.events, seen.sum, seen.disorder);
    if (live)
        printf(" late %d wrong %lu", seen.events && seen.last > now(mode & RAW) + 500000, seen.wrong_time);
    else
        printf(" buffers %lu %lu", seen.buffers, seen.read);
    closed = CloseTrace(seen.handle);
    printf(" close %lu %lu\n", seen.closed, closed);
}

/* Events from the time of one to that of another, then those before: how many, and whether as many have these times. */
static void window(const wchar_t *name, ULONG first, ULONG last) {
    LONGLONG from = times[first], to = times[last];
    ULONG wanted = 0, before = 0;
    for (ULONG i = 0; i < known; i++) {
        wanted += times[i] >= from && times[i] <= to;
        before += times[i] < from;
    }
    process(name, FALSE, &from, &to);
    printf("window %lu %s\n", wanted, seen.events == wanted ? "right" : "wrong");
    memset(&seen, 0, sizeof seen);
    to = from - 1;
    process(name, FALSE, NULL, &to);
    printf("before %lu %s\n", before, seen.events == before ? "right" : "wrong");
}

static void wrong(const wchar_t *session, const wchar_t *other) {
    TRACEHANDLE handles[65] = {0}, one, two;
    LONGLONG late = 5, early = 4;
    printf("wrong %d", OpenTraceW(NULL) == INVALID_PROCESSTRACE_HANDLE);
    printf(" %lu", GetLastError());
    open_trace(NULL, FALSE);
    printf(" %lu", GetLastError());
    open_trace(NULL, TRUE);
    printf(" %lu", GetLastError());
    open_trace(L"C:\\missing.etl", FALSE);
    printf(" %lu", GetLastError());
    open_trace(L"C:\\no folder\\missing.etl", FALSE);
    printf(" %lu", GetLastError());
    open_trace(L"C:\\windows\\system32\\ntdll.dll", FALSE);
    printf(" %lu", GetLastError());
    open_trace(L"no such session", TRUE);
    printf(" %lu", GetLastError());
    open_trace(L"file only", TRUE);
    printf(" %lu\n", GetLastError());
    one = open_trace(session, TRUE);
    two = open_trace(other, TRUE);
    printf("wrong %lu", ProcessTrace(NULL, 1, NULL, NULL));
    printf(" %lu %lu", ProcessTrace(&one, 0, NULL, NULL), ProcessTrace(handles, 65, NULL, NULL));
    printf(" %lu", ProcessTrace(handles, 1, NULL, NULL));
    handles[0] = handles[1] = one;
    printf(" %lu", ProcessTrace(handles, 2, NULL, NULL));
    printf(" %lu", ProcessTrace(&one, 1, (FILETIME *)&late, (FILETIME *)&early));
    handles[1] = two;
    printf(" %lu", ProcessTrace(handles, 2, NULL, NULL));
    printf(" %lu", CloseTrace(one));
    printf(" %lu %lu", CloseTrace(one), CloseTrace(INVALID_PROCESSTRACE_HANDLE));
    printf(" %lu\n", ProcessTrace(&one, 1, NULL, NULL));
    CloseTrace(two);
}

/* The same by names of bytes; both files at once. */
static void narrow(const char *name) {
    EVENT_TRACE_LOGFILEA files[2];
    TRACEHANDLE handles[2];
    for (int i = 0; i < 2; i++) {
        memset(&files[i], 0, sizeof files[i]);
        files[i].LogFileName = (char *)name;
        files[i].ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
        files[i].EventRecordCallback = each;
        files[i].Context = &context;
        handles[i] = OpenTraceA(&files[i]);
    }
    printf("both %lu", ProcessTrace(handles, 2, NULL, NULL));
    printf(" events %lu disorder %lu", seen.events, seen.disorder);
    printf(" close %lu %lu\n", CloseTrace(handles[0]), CloseTrace(handles[1]));
}

int wmain(int count, wchar_t **steps) {
    for (int i = 1; i < count; i++) {
        const wchar_t *step = steps[i];
        if (!wcscmp(step, L"raw"))
            mode = PROCESS_TRACE_MODE_EVENT_RECORD | RAW;
        else if (!wcscmp(step, L"old"))
            mode = 0;
        else if (!wcscmp(step, L"records"))
            mode = PROCESS_TRACE_MODE_EVENT_RECORD;
        else if (!wcscmp(step, L"show"))
            seen.show = TRUE;
        else if (!wcsncmp(step, L"cancel=", 7))
            seen.stop_after = _wtoi(step + 7);
        else if (!wcsncmp(step, L"close=", 6))
            seen.close_after = _wtoi(step + 6);
        else {
            if (!wcsncmp(step, L"file=", 5)) {
                process(step + 5, FALSE, NULL, NULL);
                known = seen.events < MOST ? seen.events : MOST;
            } else if (!wcsncmp(step, L"live=", 5))
                process(step + 5, TRUE, NULL, NULL);
            else if (!wcsncmp(step, L"window=", 7))
                window(step + 7, 100, 300);
            else if (!wcscmp(step, L"wrong"))
                wrong(L"one", L"two");
            else if (!wcscmp(step, L"narrow"))
                narrow("C:\\many.etl");
            memset(&seen, 0, sizeof seen);
        }
        fflush(stdout);
    }
    return 0;
}
