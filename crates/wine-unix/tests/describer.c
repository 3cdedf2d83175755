/* A Windows program that shows the events of a trace as tdh.dll describes them, for tests under Wine.
 *
 * Built with the headers of another project, so the functions have the types that Windows programs expect.
 */
#define INITGUID
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>
#include <tdh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ULONG WINAPI TdhFormatProperty(TRACE_EVENT_INFO *, EVENT_MAP_INFO *, ULONG, USHORT, USHORT, USHORT, USHORT, BYTE *, ULONG *,
                               WCHAR *, USHORT *);
ULONG WINAPI TdhEnumerateManifestProviderEvents(GUID *, void *, ULONG *);
ULONG WINAPI TdhGetManifestEventInformation(GUID *, EVENT_DESCRIPTOR *, TRACE_EVENT_INFO *, ULONG *);

#define FIXED_COUNT 0x20
#define DAMAGED 15005

static struct {
    ULONG events, described, unknown, properties, damaged, different;
} seen;
static ULONG most;

/* A place that grows. */
static void *room(void **place, ULONG *have, ULONG want) {
    if (*have < want) {
        *place = realloc(*place, want);
        *have = want;
    }
    return *place;
}

static const WCHAR *text(const void *block, ULONG offset) {
    return offset ? (const WCHAR *)((const BYTE *)block + offset) : L"";
}

/* Text as UTF-8, with escapes for what ends a line or a cell. */
static void put(const WCHAR *text) {
    static char *bytes;
    static ULONG have;
    int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    room((void **)&bytes, &have, size + 1);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, size, NULL, NULL);
    for (const char *c = bytes; *c; c++)
        switch (*c) {
        case '\n': fputs("\\n", stdout); break;
        case '\r': fputs("\\r", stdout); break;
        case '\t': fputs("\\t", stdout); break;
        case '\\': fputs("\\\\", stdout); break;
        default: putchar(*c);
        }
}

struct walk {
    EVENT_RECORD *event;
    TRACE_EVENT_INFO *info;
    BYTE *data;
    USHORT left;
    ULONG pointer;
    ULONG numbers[4096];
};

static EVENT_MAP_INFO *map_of(struct walk *walk, const EVENT_PROPERTY_INFO *property) {
    static void *map;
    static ULONG have;
    ULONG size = 0, result;
    if (!property->nonStructType.MapNameOffset)
        return NULL;
    WCHAR *name = (WCHAR *)text(walk->info, property->nonStructType.MapNameOffset);
    result = TdhGetEventMapInformation(walk->event, name, NULL, &size);
    if (result != ERROR_INSUFFICIENT_BUFFER)
        return NULL;
    room(&map, &have, size);
    return TdhGetEventMapInformation(walk->event, name, map, &size) ? NULL : map;
}

static ULONG property(struct walk *walk, ULONG index);

static ULONG element(struct walk *walk, ULONG index, EVENT_MAP_INFO *map) {
    static void *value;
    static ULONG have;
    const EVENT_PROPERTY_INFO *p = &walk->info->EventPropertyInfoArray[index];
    ULONG size = 0, result;
    USHORT used = 0, length = p->Flags & PropertyParamLength ? walk->numbers[p->lengthPropertyIndex] : p->length;
    if (p->Flags & PropertyStruct) {
        putchar('{');
        for (ULONG i = 0; i < p->structType.NumOfStructMembers; i++) {
            ULONG member = p->structType.StructStartIndex + i;
            if (i)
                fputs(", ", stdout);
            put(text(walk->info, walk->info->EventPropertyInfoArray[member].NameOffset));
            putchar('=');
            if ((result = property(walk, member)))
                return result;
        }
        putchar('}');
        return 0;
    }
    /* A text of no letters has no zero that ends it. */
    if (p->Flags & PropertyParamLength && !length)
        return 0;
    result = TdhFormatProperty(walk->info, map, walk->pointer, p->nonStructType.InType, p->nonStructType.OutType, length, walk->left,
                               walk->data, &size, NULL, &used);
    if (result == ERROR_INSUFFICIENT_BUFFER) {
        room(&value, &have, size);
        result = TdhFormatProperty(walk->info, map, walk->pointer, p->nonStructType.InType, p->nonStructType.OutType, length,
                                   walk->left, walk->data, &size, value, &used);
    }
    if (result)
        return result;
    put(value);
    if (used <= 8 && index < sizeof walk->numbers / sizeof *walk->numbers) {
        ULONGLONG number = 0;
        memcpy(&number, walk->data, used);
        walk->numbers[index] = number;
    }
    walk->data += used;
    walk->left -= used;
    return 0;
}

static ULONG property(struct walk *walk, ULONG index) {
    const EVENT_PROPERTY_INFO *p = &walk->info->EventPropertyInfoArray[index];
    EVENT_MAP_INFO *map = p->Flags & PropertyStruct ? NULL : map_of(walk, p);
    ULONG count = p->Flags & PropertyParamCount ? walk->numbers[p->countPropertyIndex] : p->count, result;
    BOOL list = p->Flags & (PropertyParamCount | FIXED_COUNT);
    if (list)
        putchar('[');
    for (ULONG i = 0; i < count; i++) {
        if (i)
            fputs(", ", stdout);
        if ((result = element(walk, index, map)))
            return result;
    }
    if (list)
        putchar(']');
    return 0;
}

/* The bytes of a property by its name are those that the payload has there. */
static void compare(struct walk *walk, const EVENT_PROPERTY_INFO *p, const BYTE *start) {
    PROPERTY_DATA_DESCRIPTOR path = {(ULONG_PTR)text(walk->info, p->NameOffset), ULONG_MAX, 0};
    static void *bytes;
    static ULONG have;
    ULONG size = 0, result = TdhGetPropertySize(walk->event, 0, NULL, 1, &path, &size);
    if (!result) {
        room(&bytes, &have, size + 1);
        result = TdhGetProperty(walk->event, 0, NULL, 1, &path, size, bytes);
    }
    if (result || size != (ULONG)(walk->data - start) || memcmp(bytes, start, size))
        seen.different++;
}

static void WINAPI each(EVENT_RECORD *event) {
    static struct walk walk;
    static void *info;
    static ULONG have;
    ULONG size = 0, result;
    if (most && seen.events >= most)
        return;
    seen.events++;
    result = TdhGetEventInformation(event, 0, NULL, NULL, &size);
    if (result == ERROR_INSUFFICIENT_BUFFER) {
        room(&info, &have, size);
        result = TdhGetEventInformation(event, 0, NULL, info, &size);
    }
    if (result) {
        seen.unknown++;
        printf("event %lu\n", result);
        return;
    }
    seen.described++;
    walk.event = event;
    walk.info = info;
    walk.data = event->UserData;
    walk.left = event->UserDataLength;
    walk.pointer = event->EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER ? 4 : 8;
    printf("event 0\t");
    put(text(info, walk.info->ProviderNameOffset));
    putchar('\t');
    put(text(info, walk.info->TaskNameOffset));
    putchar('\t');
    put(text(info, walk.info->OpcodeNameOffset));
    for (ULONG i = 0; i < walk.info->TopLevelPropertyCount; i++) {
        const EVENT_PROPERTY_INFO *p = &walk.info->EventPropertyInfoArray[i];
        const BYTE *start = walk.data;
        putchar('\t');
        put(text(info, p->NameOffset));
        putchar('=');
        if ((result = property(&walk, i))) {
            printf("<error %lu>", result);
            seen.damaged++;
            break;
        }
        compare(&walk, p, start);
        seen.properties++;
    }
    putchar('\n');
}

/* What programs pass that must not be taken. */
static void WINAPI wrong(EVENT_RECORD *event) {
    static BYTE place[65536];
    PROPERTY_DATA_DESCRIPTOR none = {(ULONG_PTR)L"no such property", ULONG_MAX, 0}, null = {0, 0, 0};
    EVENT_RECORD bad = *event;
    EVENT_MAP_INFO *map = (EVENT_MAP_INFO *)place;
    TRACE_EVENT_INFO *info = (TRACE_EVENT_INFO *)place;
    WCHAR shown[4];
    BYTE data[8] = {7};
    ULONG size = sizeof place, small = 4;
    USHORT used;
    if (seen.events++)
        return;
    printf("wrong %lu", TdhGetEventInformation(NULL, 0, NULL, info, &size));
    printf(" %lu", TdhGetEventInformation(event, 0, NULL, info, NULL));
    printf(" %lu", TdhGetEventInformation(event, 1, NULL, info, &size));
    bad.UserData = NULL;
    bad.UserDataLength = 8;
    printf(" %lu", TdhGetEventInformation(&bad, 0, NULL, info, &size));
    bad = *event;
    bad.ExtendedData = NULL;
    bad.ExtendedDataCount = 3;
    printf(" %lu", TdhGetEventInformation(&bad, 0, NULL, info, &size));
    memset(&bad, 0, sizeof bad);
    printf(" %lu\n", TdhGetEventInformation(&bad, 0, NULL, info, &size));
    printf("wrong %lu", TdhGetPropertySize(event, 0, NULL, 0, &none, &size));
    printf(" %lu", TdhGetPropertySize(event, 0, NULL, 3, &none, &size));
    printf(" %lu", TdhGetPropertySize(event, 0, NULL, 1, NULL, &size));
    printf(" %lu", TdhGetPropertySize(event, 0, NULL, 1, &null, &size));
    printf(" %lu", TdhGetPropertySize(event, 0, NULL, 1, &none, NULL));
    printf(" %lu", TdhGetPropertySize(event, 0, NULL, 1, &none, &size));
    printf(" %lu", TdhGetProperty(event, 0, NULL, 1, &none, 8, NULL));
    printf(" %lu", TdhGetEventMapInformation(event, NULL, map, &size));
    printf(" %lu\n", TdhGetEventMapInformation(event, (WCHAR *)L"no such map", map, &size));
    size = sizeof shown;
    printf("wrong %lu", TdhFormatProperty(NULL, NULL, 8, 8, 0, 4, 4, data, &size, shown, &used));
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 8, 0, 4, 4, NULL, &size, shown, &used));
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 8, 0, 4, 4, data, NULL, shown, &used));
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 8, 0, 4, 4, data, &size, shown, NULL));
    printf(" %lu", TdhFormatProperty(info, NULL, 5, 8, 0, 4, 4, data, &size, shown, &used));
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 999, 0, 4, 4, data, &size, shown, &used));
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 8, 0, 4, 3, data, &size, shown, &used));
    /* Entries without end. */
    memset(place, 0xFF, sizeof place);
    printf(" %lu", TdhFormatProperty(info, map, 8, 8, 0, 4, 4, data, &size, shown, &used));
    data[1] = 0x10;
    size = sizeof shown;
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 8, 0, 4, 4, data, &size, shown, &used));
    printf(" %lu", size);
    size = sizeof shown;
    data[1] = 0;
    printf(" %lu", TdhFormatProperty(info, NULL, 8, 8, 0, 4, 4, data, &size, shown, &used));
    printf(" %lu %u %ls\n", size, used, shown);
    printf("wrong %lu", TdhEnumerateProviders(NULL, NULL));
    printf(" %lu", TdhEnumerateProviders((PROVIDER_ENUMERATION_INFO *)place, &small));
    printf(" %d\n", small > sizeof(PROVIDER_ENUMERATION_INFO));
}

static void providers(GUID *wanted) {
    ULONG size = 0, result = TdhEnumerateProviders(NULL, &size);
    PROVIDER_ENUMERATION_INFO *all = malloc(size);
    printf("providers %lu", result);
    result = TdhEnumerateProviders(all, &size);
    printf(" %lu %s\n", result, all->NumberOfProviders > 1000 ? "many" : "few");
    for (ULONG i = 0; i < all->NumberOfProviders; i++) {
        const TRACE_PROVIDER_INFO *one = &all->TraceProviderInfoArray[i];
        if (IsEqualGUID(&one->ProviderGuid, wanted) || one->SchemaSource) {
            printf("provider %lu ", one->SchemaSource);
            put(text(all, one->ProviderNameOffset));
            printf("\n");
        }
    }
    free(all);
}

/* The events of a provider, each described without an event. */
static void known(GUID *provider) {
    static BYTE place[65536];
    ULONG size = 0, result = TdhEnumerateManifestProviderEvents(provider, NULL, &size), described = 0, count;
    ULONG *all = malloc(size);
    const TRACE_EVENT_INFO *info = (const TRACE_EVENT_INFO *)place;
    printf("events %lu", result);
    result = TdhEnumerateManifestProviderEvents(provider, all, &size);
    count = all[0];
    for (ULONG i = 0; i < count; i++) {
        EVENT_DESCRIPTOR *descriptor = (EVENT_DESCRIPTOR *)(all + 2) + i;
        size = sizeof place;
        if (!TdhGetManifestEventInformation(provider, descriptor, (TRACE_EVENT_INFO *)place, &size))
            described += info->EventDescriptor.Id == descriptor->Id && info->EventDescriptor.Version == descriptor->Version;
    }
    printf(" %lu %s %s\n", result, count > 100 ? "many" : "few", described == count ? "all described" : "not all described");
    free(all);
}

static void process(const WCHAR *name, void(WINAPI *callback)(EVENT_RECORD *)) {
    EVENT_TRACE_LOGFILEW file;
    TRACEHANDLE handle;
    memset(&file, 0, sizeof file);
    memset(&seen, 0, sizeof seen);
    file.LogFileName = (WCHAR *)name;
    file.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
    file.EventRecordCallback = callback;
    handle = OpenTraceW(&file);
    ULONG result = ProcessTrace(&handle, 1, NULL, NULL);
    CloseTrace(handle);
    if (callback == each)
        printf("total %lu events %lu described %lu unknown %lu properties %lu damaged %lu different %lu\n", result, seen.events,
               seen.described, seen.unknown, seen.properties, seen.damaged, seen.different);
}

int wmain(int count, WCHAR **steps) {
    /* Microsoft-Windows-DotNETRuntime */
    static GUID runtime = {0xe13c0d23, 0xccbc, 0x4e12, {0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4}};
    for (int i = 1; i < count; i++) {
        const WCHAR *step = steps[i];
        if (!wcsncmp(step, L"most=", 5))
            most = _wtoi(step + 5);
        else if (!wcsncmp(step, L"file=", 5))
            process(step + 5, each);
        else if (!wcsncmp(step, L"wrong=", 6))
            process(step + 6, wrong);
        else if (!wcscmp(step, L"providers"))
            providers(&runtime);
        else if (!wcscmp(step, L"events"))
            known(&runtime);
        fflush(stdout);
    }
    return 0;
}
