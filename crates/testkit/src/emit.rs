//! Records before they are bytes: payloads, headers and the log that collects them.
//!
//! Payload layouts follow the public MOF classes (`MSNT_SystemTrace`), the public CLR manifest and the comments
//! of TraceLoggingProvider.h; which header type a kernel record has follows what Windows 10 writes: process,
//! thread and image events that happen carry SYSTEM headers, their rundown and everything frequent (context
//! switches, ready threads, samples, stacks, disk completion, network) PERFINFO headers.

use tracewell_types::Guid;

/// Group bytes of the kernel records made here.
pub(crate) mod group {
    pub(crate) const EVENT_TRACE: u8 = 0;
    pub(crate) const DISK_IO: u8 = 1;
    pub(crate) const PAGE_FAULT: u8 = 2;
    pub(crate) const PROCESS: u8 = 3;
    pub(crate) const FILE_IO: u8 = 4;
    pub(crate) const THREAD: u8 = 5;
    pub(crate) const TCP_IP: u8 = 6;
    pub(crate) const UDP_IP: u8 = 8;
    pub(crate) const REGISTRY: u8 = 9;
    pub(crate) const CONFIG: u8 = 11;
    pub(crate) const PERF_INFO: u8 = 15;
    pub(crate) const IMAGE: u8 = 20;
    pub(crate) const STACK_WALK: u8 = 24;
}

/// A payload under construction: fields one after the other, little-endian, without padding.
#[derive(Default)]
pub(crate) struct Payload(pub(crate) Vec<u8>);

impl Payload {
    pub(crate) fn new() -> Payload {
        Payload::default()
    }

    pub(crate) fn u8(mut self, value: u8) -> Payload {
        self.0.push(value);
        self
    }

    pub(crate) fn i8(self, value: i8) -> Payload {
        self.u8(value.to_le_bytes()[0])
    }

    pub(crate) fn u16(self, value: u16) -> Payload {
        self.bytes(&value.to_le_bytes())
    }

    /// A port number, in network byte order.
    pub(crate) fn port(self, value: u16) -> Payload {
        self.bytes(&value.to_be_bytes())
    }

    pub(crate) fn u32(self, value: u32) -> Payload {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn i32(self, value: i32) -> Payload {
        self.bytes(&value.to_le_bytes())
    }

    /// Also a pointer of a 64-bit process.
    pub(crate) fn u64(self, value: u64) -> Payload {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn i64(self, value: i64) -> Payload {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Payload {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn zeros(mut self, count: usize) -> Payload {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    /// UTF-16 with its NUL.
    pub(crate) fn utf16(mut self, text: &str) -> Payload {
        for unit in text.encode_utf16().chain([0]) {
            self.0.extend_from_slice(&unit.to_le_bytes());
        }
        self
    }

    /// UTF-16 in a field of `units` code units, zero-filled.
    pub(crate) fn utf16_field(self, text: &str, units: usize) -> Payload {
        let end = self.0.len() + 2 * units;
        let mut payload = self.utf16(text);
        payload.0.resize(end, 0);
        payload
    }

    /// 8-bit text with its NUL.
    pub(crate) fn ansi(self, text: &str) -> Payload {
        self.bytes(text.as_bytes()).u8(0)
    }

    pub(crate) fn guid(self, guid: Guid) -> Payload {
        self.bytes(guid.as_bytes())
    }
}

/// Descriptor of an EVENT record.
#[derive(Clone, Copy)]
pub(crate) struct Descriptor {
    pub(crate) id: u16,
    pub(crate) version: u8,
    pub(crate) channel: u8,
    pub(crate) level: u8,
    pub(crate) opcode: u8,
    pub(crate) task: u16,
    pub(crate) keyword: u64,
}

/// The header of a record.
pub(crate) enum Header {
    /// SYSTEM64: kernel record with ids and (zero) processor times.
    System { group: u8, opcode: u8, version: u16, tid: u32, pid: u32 },
    /// PERFINFO64: kernel record without ids.
    PerfInfo { group: u8, opcode: u8, version: u16 },
    /// EVENT64, or EVENT32 when a 32-bit program logged it.
    Event {
        wide: bool,
        tid: u32,
        pid: u32,
        provider: Guid,
        descriptor: Descriptor,
        activity: Guid,
        /// Extended items: type and data, in the order they are written.
        extended: Vec<(u16, Vec<u8>)>,
    },
    /// FULL64: a class event, here of the tool that merged the trace.
    Full { class: Guid, opcode: u8, version: u16, tid: u32, pid: u32 },
}

impl Header {
    /// Name of the header type, as the truth counts them.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Header::System { .. } => "SYSTEM64",
            Header::PerfInfo { .. } => "PERFINFO64",
            Header::Event { wide: true, .. } => "EVENT64",
            Header::Event { wide: false, .. } => "EVENT32",
            Header::Full { .. } => "FULL64",
        }
    }
}

/// A record: where and when it was logged, and its contents.
pub(crate) struct Logged {
    pub(crate) cpu: u16,
    /// Raw time: ticks of the performance counter.
    pub(crate) time: i64,
    pub(crate) header: Header,
    pub(crate) payload: Vec<u8>,
}
