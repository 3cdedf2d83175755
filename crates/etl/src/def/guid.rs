//! Providers and event classes that more than one file must know. A GUID that only one table needs is in that table; those of
//! the event classes that only have layouts are in `tables/kernel.classes` of `schema`.

use tracewell_types::Guid;

/// Class of processes, and of images: programs that read a session of Windows get these in place of short headers.
pub const PROCESS: Guid = Guid::parse("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
/// See [`PROCESS`].
pub const IMAGE: Guid = Guid::parse("2cb15d1d-5fc1-11d2-abe1-00a0c911f518");
/// Class of the records that identify images (`KernelTraceControl`): merge tools and sessions add them.
pub const IMAGE_ID: Guid = Guid::parse("b3e675d7-2554-4f18-830b-2762732560de");
/// Class of the records that describe the machine: merge tools add them.
pub const SYSTEM_CONFIG: Guid = Guid::parse("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
/// Class of the event descriptions that merge tools add.
pub const EVENT_METADATA: Guid = Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");
/// Class of system assessments: compressed XML behind a kind and a size.
pub const ASSESSMENT: Guid = Guid::parse("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
/// Class of the stacks of other records (`StackWalk`).
pub const STACK_WALK: Guid = Guid::parse("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3");
/// Class of the records that a consumer gets for lost events (`RT_LostEvent`).
pub const LOST_EVENT: Guid = Guid::parse("6a399ae0-4bc6-4de9-870b-3657f8947e7e");
/// Provider of the .NET runtime.
pub const CLR: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
/// Provider that lists the methods, modules and domains of the .NET runtime.
pub const CLR_RUNDOWN: Guid = Guid::parse("a669021c-c450-4609-a035-5af59af4df18");
/// Provider of processes, threads and images beside the kernel's own records (`Microsoft-Windows-Kernel-Process`).
pub const KERNEL_PROCESS: Guid = Guid::parse("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
/// Provider of the tracing itself: late halves of stacks, among others.
pub const KERNEL_EVENT_TRACING: Guid = Guid::parse("b675ec37-bdb6-4648-bc92-f3fdc74d3ca2");
/// The session of the kernel's events (`SystemTraceControlGuid`): also asked to describe what runs.
pub const SYSTEM_TRACE: Guid = Guid::parse("9e814aad-3204-11d2-9a82-006008a86939");
