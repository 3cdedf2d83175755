//! The structures of evntrace.h, evntcons.h and evntprov.h are as this back end takes them to be: their sizes and offsets on
//! 64-bit Windows, as the headers of the SDK and of MinGW have them, held when it is compiled.
#![cfg(target_pointer_width = "64")]

use crate::evntrace::properties as at;
use std::mem::offset_of;
use windows_sys::Win32::System::Diagnostics::Etw;

/// Checks the size of a structure and the offsets of some of its fields.
macro_rules! layout {
    ($($name:ident: $size:literal { $($($field:ident).+ = $at:expr),* $(,)? })*) => {
        const _: () = {
            $(
                assert!(size_of::<Etw::$name>() == $size, stringify!($name));
                $(assert!(offset_of!(Etw::$name, $($field).+) == $at, stringify!($name $($field)+));)*
            )*
        };
    };
}

layout! {
    WNODE_HEADER: 48 { BufferSize = 0, Anonymous1 = 8, Anonymous2 = 16, Guid = 24, ClientContext = 40, Flags = 44 }
    EVENT_TRACE_PROPERTIES: 120 {
        Wnode.BufferSize = at::SIZE, Wnode.Anonymous1 = at::HANDLE, Wnode.Guid = at::GUID, Wnode.ClientContext = at::CLOCK,
        BufferSize = at::BUFFER_SIZE, MinimumBuffers = at::MINIMUM_BUFFERS, MaximumBuffers = at::MAXIMUM_BUFFERS,
        MaximumFileSize = at::MAXIMUM_FILE_SIZE, LogFileMode = at::MODE, FlushTimer = at::FLUSH_TIMER,
        EnableFlags = at::ENABLE_FLAGS, Anonymous = 76, NumberOfBuffers = at::BUFFERS, FreeBuffers = at::FREE_BUFFERS,
        EventsLost = at::EVENTS_LOST, BuffersWritten = at::BUFFERS_WRITTEN, LogBuffersLost = at::LOG_BUFFERS_LOST,
        RealTimeBuffersLost = at::REALTIME_BUFFERS_LOST, LoggerThreadId = at::LOGGER_THREAD,
        LogFileNameOffset = at::LOG_FILE_NAME, LoggerNameOffset = at::NAME,
    }
    EVENT_TRACE_LOGFILEW: 448 {
        LogFileName = 0, LoggerName = 8, CurrentTime = 16, BuffersRead = 24, Anonymous1 = 28, CurrentEvent = 32,
        LogfileHeader = 120, BufferCallback = 400, BufferSize = 408, Filled = 412, EventsLost = 416, Anonymous2 = 424,
        IsKernelTrace = 432, Context = 440,
    }
    TRACE_LOGFILE_HEADER: 280 {
        BufferSize = 0, NumberOfProcessors = 12, EndTime = 16, LogFileMode = 32, Anonymous2 = 40, TimeZone = 72,
        BootTime = 248, PerfFreq = 256, StartTime = 264, ReservedFlags = 272, BuffersLost = 276,
    }
    EVENT_HEADER: 80 {
        Size = 0, Flags = 4, EventProperty = 6, ThreadId = 8, ProcessId = 12, TimeStamp = 16, ProviderId = 24,
        EventDescriptor = 40, Anonymous = 56, ActivityId = 64,
    }
    EVENT_RECORD: 112 {
        EventHeader = 0, BufferContext = 80, ExtendedDataCount = 84, UserDataLength = 86, ExtendedData = 88,
        UserData = 96, UserContext = 104,
    }
    EVENT_HEADER_EXTENDED_DATA_ITEM: 16 { ExtType = 2, DataSize = 6, DataPtr = 8 }
    EVENT_DESCRIPTOR: 16 { Id = 0, Version = 2, Channel = 3, Level = 4, Opcode = 5, Task = 6, Keyword = 8 }
    EVENT_DATA_DESCRIPTOR: 16 { Ptr = 0, Size = 8, Anonymous = 12 }
    EVENT_FILTER_DESCRIPTOR: 16 { Ptr = 0, Size = 8, Type = 12 }
    ENABLE_TRACE_PARAMETERS: 48 {
        Version = 0, EnableProperty = 4, ControlFlags = 8, SourceId = 12, EnableFilterDesc = 32, FilterDescCount = 40,
    }
    EVENT_TRACE_HEADER: 48 { Anonymous2 = 4, ThreadId = 8, TimeStamp = 16, Anonymous3 = 24, Anonymous4 = 40 }
    TRACE_GUID_INFO: 8 { InstanceCount = 0 }
    TRACE_PROVIDER_INSTANCE_INFO: 16 { NextOffset = 0, EnableCount = 4, Pid = 8, Flags = 12 }
    TRACE_ENABLE_INFO: 32 { IsEnabled = 0, Level = 4, LoggerId = 6, MatchAnyKeyword = 16, MatchAllKeyword = 24 }
}

const _: () = assert!(size_of::<Etw::EVENT_TRACE_PROPERTIES>() == at::BYTES);
