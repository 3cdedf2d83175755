/*
 * Structures of Windows that its headers document (winternl.h, evntcons.h, wdm.h), for processes of 64 bits. Scripts for
 * DTrace on Windows name them nt`NAME.
 */

#pragma D depends_on library types.d

typedef uint64_t *PSIZE_T;

typedef struct _LIST_ENTRY {
	struct _LIST_ENTRY *Flink;
	struct _LIST_ENTRY *Blink;
} _LIST_ENTRY;

typedef struct _GUID {
	uint32_t Data1;
	uint16_t Data2;
	uint16_t Data3;
	uint8_t Data4[8];
} _GUID;

typedef struct _UNICODE_STRING {
	uint16_t Length;
	uint16_t MaximumLength;
	uint16_t *Buffer;
} _UNICODE_STRING;

typedef struct _OBJECT_ATTRIBUTES {
	uint32_t Length;
	void *RootDirectory;
	struct _UNICODE_STRING *ObjectName;
	uint32_t Attributes;
	void *SecurityDescriptor;
	void *SecurityQualityOfService;
} _OBJECT_ATTRIBUTES;

typedef struct _RTL_USER_PROCESS_PARAMETERS {
	uint8_t Reserved1[16];
	void *Reserved2[10];
	struct _UNICODE_STRING ImagePathName;
	struct _UNICODE_STRING CommandLine;
} _RTL_USER_PROCESS_PARAMETERS;

typedef struct _EVENT_DESCRIPTOR {
	uint16_t Id;
	uint8_t Version;
	uint8_t Channel;
	uint8_t Level;
	uint8_t Opcode;
	uint16_t Task;
	uint64_t Keyword;
} _EVENT_DESCRIPTOR;

typedef struct _EVENT_HEADER {
	uint16_t Size;
	uint16_t HeaderType;
	uint16_t Flags;
	uint16_t EventProperty;
	uint32_t ThreadId;
	uint32_t ProcessId;
	int64_t TimeStamp;
	struct _GUID ProviderId;
	struct _EVENT_DESCRIPTOR EventDescriptor;
	uint32_t KernelTime;
	uint32_t UserTime;
	struct _GUID ActivityId;
} _EVENT_HEADER;
