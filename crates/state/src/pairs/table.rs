//! The known pairs of events that begin and end something, each declared once.
//!
//! Events with the opcodes start and stop need no row: [`super::role_by_format`] pairs them by provider, task, and activity or
//! thread. A row is for pairs whose events are identified by something else.

use tracewell_etl::def::guid::{CLR, KERNEL_PROCESS};
use tracewell_schema::kernel::guid::{DISK_IO, FILE_IO, PERF_INFO, PROCESS, THREAD};
use tracewell_types::Guid;

/// A part of what a start and its end have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The process.
    Process,
    /// The thread.
    Thread,
    /// A field of the start and the field of the end with the same value.
    Field(&'static str, &'static str),
    /// The pointer at the start of the payload, of events that nothing describes.
    FirstPointer,
}

/// How spans of a pair relate to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Begins and ends on one thread, inside the spans that are open there.
    Thread,
    /// Identified by its key. Any number may be open at once, and the end may be logged by another thread.
    Free,
}

/// A known pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairDef {
    /// The provider or the class of the kernel.
    pub guid: Guid,
    /// The class, if it is one of the kernel's.
    pub class: &'static str,
    /// The name, unique within the provider.
    pub name: &'static str,
    /// Ids of the events that begin it; of a class, event types.
    pub starts: &'static [u16],
    /// Ids of the events that end it.
    pub ends: &'static [u16],
    /// What start and end have in common.
    pub key: &'static [Part],
    /// How its spans relate to others.
    pub scope: Scope,
    /// Whether the end event is also logged where nothing has begun, so that such an end is no orphan.
    pub ends_alone: bool,
    /// Whether timelines draw it. The others have another form there.
    pub drawn: bool,
    /// The span in words.
    pub gloss: &'static str,
}

use Part::{Field, FirstPointer, Process, Thread};
use Scope::Free;

/// The field of both ends.
const fn both(name: &'static str) -> Part {
    Field(name, name)
}

const TPL: Guid = Guid::parse("2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5");
const DXGKRNL: Guid = Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d");
const HTTP: Guid = Guid::parse("dd5ef90a-6398-47a4-ad34-4dcecdef795f");
const ASP_NET: Guid = Guid::parse("06a01367-79d3-4594-8eb3-c721603c4679");
const ASP: Guid = Guid::parse("1fc299fa-3fc4-4c37-910d-de5b911d0270");

const TRANSFER: &[Part] = &[both("Irp")];
const OPERATION: &[Part] = &[Field("IrpPtr", "IrpPtr")];

macro_rules! pairs {
    ($( $guid:ident / $class:literal {
        $( $name:literal [$($start:literal),+] [$($end:literal),+] $key:expr, $scope:expr, $alone:literal, $drawn:literal, $gloss:literal; )+
    } )+) => {
        /// All known pairs.
        pub const PAIRS: &[PairDef] = &[$($(
            PairDef {
                guid: $guid, class: $class, name: $name, starts: &[$($start),+], ends: &[$($end),+],
                key: $key, scope: $scope, ends_alone: $alone, drawn: $drawn, gloss: $gloss,
            },
        )+)+];
    };
}

// The columns after the key: scope, whether the end event is also logged alone, whether timelines draw it.
pairs! {
    CLR / "" {
        "gc" [1] [2] &[Process, both("Count")], Free, false, true, "a garbage collection";
        "gc-suspend" [9] [8] &[Process], Free, false, true, "stopping the threads for a collection";
        "gc-restart" [7] [3] &[Process], Free, false, true, "starting the threads after a collection";
        "gc-pause" [9] [3] &[Process], Free, false, true, "the time for which the threads of a process are stopped";
        "gc-finalizers" [14] [13] &[Process], Free, false, true, "running finalizers";
        "jit" [145] [141, 143] &[Process, both("MethodID")], Free, true, true, "compiling a method";
        "contention" [81] [91] &[Process, Thread], Scope::Thread, false, true, "waiting for a lock";
        "catch" [250] [251] &[Process, Thread], Scope::Thread, false, true, "a catch block";
        "finally" [252] [253] &[Process, Thread], Scope::Thread, false, true, "a finally block";
        "filter" [254] [255] &[Process, Thread], Scope::Thread, false, true, "an exception filter";
    }
    TPL / "" {
        "task" [8] [9] &[Process, both("TaskID")], Free, false, true, "a task runs";
        "task-wait" [10] [11] &[Process, Thread, both("TaskID")], Scope::Thread, false, true, "waiting for a task";
    }
    DXGKRNL / "" {
        "queue-packet" [178, 244, 245] [180] &[both("hContext"), both("SubmitSequence")], Free, false, true,
            "a packet in the software queue of a graphics context";
        "dma-packet" [175] [176] &[both("hContext"), both("ulQueueSubmitSequence")], Free, false, true,
            "a packet in the hardware queue of a graphics adapter";
        "paging-packet" [322, 323] [325] &[both("PagingQueuePacket")], Free, false, true,
            "a packet in the paging queue of a graphics adapter";
        "present-history" [171, 215] [173] &[both("hAdapter"), both("Token")], Free, false, true,
            "from the submission to the completion of a presentation";
    }
    HTTP / "" {
        "request" [1] [10, 11, 12, 13, 14] &[both("RequestId")], Free, false, true, "a request to the HTTP server";
    }
    ASP_NET / "" {
        "request" [1] [2] &[FirstPointer], Free, false, true, "a request to ASP.NET, by its connection";
    }
    ASP / "" {
        "request" [1] [2] &[FirstPointer], Free, false, true, "a request to Active Server Pages, by its connection";
    }
    KERNEL_PROCESS / "" {
        "process" [1] [2] &[both("ProcessID")], Free, false, false, "the life of a process";
        "thread" [3] [4] &[both("ThreadID")], Free, false, false, "the life of a thread";
    }
    PROCESS / "Process" {
        "process" [1] [2] &[both("ProcessId")], Free, false, false, "the life of a process";
    }
    THREAD / "Thread" {
        "thread" [1] [2] &[both("TThreadId")], Free, false, false, "the life of a thread";
    }
    DISK_IO / "DiskIo" {
        "disk" [12, 13, 15] [10, 11, 14] TRANSFER, Free, true, false, "a disk transfer";
    }
    FILE_IO / "FileIo" {
        "file" [64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 77] [76] OPERATION, Free, false, true, "an operation on a file";
    }
    PERF_INFO / "PerfInfo" {
        "syscall" [51] [52] &[Thread], Scope::Thread, false, true, "a system call";
    }
}
