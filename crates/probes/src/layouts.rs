//! Event fields that the fixed probes read, resolved once per layout.
//!
//! Each struct names the schema fields it wants; a layout that lacks one leaves it [`None`] and the
//! native field keeps its default. Nothing here knows an offset.

use tracewell_decode::Accessor;
use tracewell_etl::Clock;
use tracewell_schema::Version;
use tracewell_types::Utf16Str;

use crate::native;

macro_rules! layouts {
    ($( $(#[doc = $doc:literal])+ $name:ident { $( $field:ident: $schema:literal $(| $other:literal)?, )+ } )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug)]
            pub(crate) struct $name { $( $field: Option<Accessor>, )+ }

            impl $name {
                pub(crate) fn new(layout: &Version, pointer_size: u8) -> $name {
                    $name {
                        $( $field: Accessor::new(layout, $schema, pointer_size)
                            $(.or_else(|| Accessor::new(layout, $other, pointer_size)))?, )+
                    }
                }
            }
        )+
    };
}

layouts! {
    /// DiskIo: transfers and flushes, asked for and done.
    DiskLayout {
        disk: "DiskNumber",
        irp_flags: "IrpFlags",
        size: "TransferSize",
        offset: "ByteOffset",
        file_object: "FileObject",
        irp: "Irp",
        response: "HighResResponseTime",
        tid: "IssuingThreadId",
    }
    /// TcpIp and UdpIp: transfers and connections.
    NetLayout {
        pid: "PID",
        size: "size",
        daddr: "daddr",
        saddr: "saddr",
        dport: "dport",
        sport: "sport",
        start_time: "startime",
        end_time: "endtime",
        seq: "seqnum",
        connid: "connid",
        mss: "mss",
        sackopt: "sackopt",
        tsopt: "tsopt",
        wsopt: "wsopt",
        window: "rcvwin",
        rcv_scale: "rcvwinscale",
        snd_scale: "sndwinscale",
    }
    /// TcpIp and UdpIp: failures.
    FailLayout {
        protocol: "Proto",
        code: "FailureCode",
    }
    /// Image: loads and unloads.
    ImageLayout {
        base: "ImageBase",
        pid: "ProcessId",
        name: "FileName",
    }
    /// Process: start, end and rundown.
    ProcessLayout {
        pid: "ProcessId",
        exit_status: "ExitStatus",
    }
    /// Thread: start, end and rundown.
    ThreadLayout {
        tid: "TThreadId",
        pid: "ProcessId",
    }
    /// Thread: one was made ready.
    ReadyLayout {
        tid: "TThreadId",
    }
    /// FileIo: operations.
    FileOpLayout {
        offset: "Offset",
        irp: "IrpPtr",
        object: "FileObject",
        key: "FileKey",
        extra: "ExtraInfo",
        tid: "TTID",
        size: "IoSize" | "Length",
        io_flags: "IoFlags",
        options: "CreateOptions",
        attributes: "FileAttributes",
        share: "ShareAccess",
        info_class: "InfoClass",
        index: "FileIndex",
        status: "NtStatus",
        open_path: "OpenPath",
        file_name: "FileName",
    }
    /// Registry: operations.
    RegistryLayout {
        initial_time: "InitialTime",
        status: "Status",
        index: "Index",
        key: "KeyHandle",
        name: "KeyName",
    }
    /// PerfInfo: a sample.
    SampleLayout {
        ip: "InstructionPointer",
    }
}

fn int(accessor: &Option<Accessor>, payload: &[u8]) -> Option<u64> {
    accessor.as_ref()?.int(payload)
}

/// `B_READ`, `B_WRITE`, `B_FLUSH` of `lib/io.d` for a DiskIo event type.
const fn disk_flags(opcode: u8) -> u32 {
    match opcode {
        10 | 12 => 1,
        11 | 13 => 2,
        _ => 4,
    }
}

impl DiskLayout {
    /// The native record, without the path.
    pub(crate) fn read(&self, opcode: u8, payload: &[u8], clock: &Clock) -> native::Disk {
        let ticks = int(&self.response, payload).unwrap_or(0) as i64;
        native::Disk {
            flags: disk_flags(opcode),
            irp_flags: int(&self.irp_flags, payload).unwrap_or(0) as u32,
            size: int(&self.size, payload).unwrap_or(0) as u32,
            disk: int(&self.disk, payload).unwrap_or(0) as u32,
            offset: int(&self.offset, payload).unwrap_or(0),
            irp: int(&self.irp, payload).unwrap_or(0),
            file_object: int(&self.file_object, payload).unwrap_or(0),
            // The kernel gives response times in ticks of its counter, which merged traces keep.
            response: clock.duration_ns(ticks).cast_unsigned(),
            tid: int(&self.tid, payload).unwrap_or(0) as u32,
            ..native::Disk::default()
        }
    }
}

impl NetLayout {
    /// The native record.
    pub(crate) fn read(&self, payload: &[u8]) -> native::Net {
        let address = |accessor: &Option<Accessor>| {
            let mut out = [0u8; 16];
            let bytes = accessor.as_ref().and_then(|a| a.bytes(payload)).unwrap_or_default();
            let length = bytes.len().min(16);
            out[..length].copy_from_slice(&bytes[..length]);
            (out, length)
        };
        let (saddr, length) = address(&self.saddr);
        let (daddr, _) = address(&self.daddr);
        native::Net {
            family: if length == 16 { 23 } else { 2 },
            size: int(&self.size, payload).unwrap_or(0) as u32,
            pid: int(&self.pid, payload).unwrap_or(0) as u32,
            seq: int(&self.seq, payload).unwrap_or(0) as u32,
            saddr,
            daddr,
            connid: int(&self.connid, payload).unwrap_or(0),
            start_time: int(&self.start_time, payload).unwrap_or(0) as u32,
            end_time: int(&self.end_time, payload).unwrap_or(0) as u32,
            window: int(&self.window, payload).unwrap_or(0) as u32,
            sport: int(&self.sport, payload).unwrap_or(0) as u16,
            dport: int(&self.dport, payload).unwrap_or(0) as u16,
            mss: int(&self.mss, payload).unwrap_or(0) as u16,
            sackopt: int(&self.sackopt, payload).unwrap_or(0) as u16,
            tsopt: int(&self.tsopt, payload).unwrap_or(0) as u16,
            wsopt: int(&self.wsopt, payload).unwrap_or(0) as u16,
            rcv_scale: int(&self.rcv_scale, payload).unwrap_or(0) as i16,
            snd_scale: int(&self.snd_scale, payload).unwrap_or(0) as i16,
            reserved: 0,
        }
    }
}

impl FileOpLayout {
    /// The native record, without texts.
    pub(crate) fn read(&self, payload: &[u8]) -> native::FileOp {
        let long = |accessor| int(accessor, payload).unwrap_or(0);
        let short = |accessor| long(accessor) as u32;
        native::FileOp {
            offset: long(&self.offset),
            irp: long(&self.irp),
            object: long(&self.object),
            key: long(&self.key),
            extra: long(&self.extra),
            tid: short(&self.tid),
            size: short(&self.size),
            io_flags: short(&self.io_flags),
            options: short(&self.options),
            attributes: short(&self.attributes),
            share: short(&self.share),
            info_class: short(&self.info_class),
            index: short(&self.index),
            status: short(&self.status),
            ..native::FileOp::default()
        }
    }

    /// The path of an open operation, or of an event that only contains the name of a file.
    pub(crate) fn open_path<'a>(&self, payload: &'a [u8]) -> Option<Utf16Str<'a>> {
        let told = self.file_name.as_ref().filter(|_| self.irp.is_none());
        self.open_path.as_ref().or(told)?.str16(payload)
    }

    /// The pattern of a listing.
    pub(crate) fn pattern<'a>(&self, payload: &'a [u8]) -> Option<Utf16Str<'a>> {
        self.file_name.as_ref().filter(|_| self.irp.is_some())?.str16(payload)
    }
}

impl RegistryLayout {
    /// The native record, without texts.
    pub(crate) fn read(&self, payload: &[u8]) -> native::Registry {
        native::Registry {
            initial_time: int(&self.initial_time, payload).unwrap_or(0),
            key: int(&self.key, payload).unwrap_or(0),
            status: int(&self.status, payload).unwrap_or(0) as u32,
            index: int(&self.index, payload).unwrap_or(0) as u32,
            ..native::Registry::default()
        }
    }

    /// The name.
    pub(crate) fn name<'a>(&self, payload: &'a [u8]) -> Option<Utf16Str<'a>> {
        self.name.as_ref()?.str16(payload)
    }
}

impl FailLayout {
    /// Protocol and failure code.
    pub(crate) fn read(&self, payload: &[u8]) -> (u64, u64) {
        (int(&self.protocol, payload).unwrap_or(0), int(&self.code, payload).unwrap_or(0))
    }
}

impl ImageLayout {
    /// Offset of the UTF-16 name in the payload, base address, process.
    pub(crate) fn read(&self, payload: &[u8]) -> (Option<usize>, u64, u64) {
        (
            self.name.as_ref().and_then(|a| a.offset(payload)),
            int(&self.base, payload).unwrap_or(0),
            int(&self.pid, payload).unwrap_or(0),
        )
    }
}

impl ProcessLayout {
    /// Process id and exit status.
    pub(crate) fn read(&self, payload: &[u8]) -> (Option<u32>, u64) {
        (int(&self.pid, payload).map(|p| p as u32), int(&self.exit_status, payload).unwrap_or(0))
    }
}

impl ThreadLayout {
    /// Thread and process ids.
    pub(crate) fn read(&self, payload: &[u8]) -> (Option<u32>, Option<u32>) {
        (int(&self.tid, payload).map(|t| t as u32), int(&self.pid, payload).map(|p| p as u32))
    }
}

impl ReadyLayout {
    /// The thread made ready.
    pub(crate) fn read(&self, payload: &[u8]) -> Option<u32> {
        int(&self.tid, payload).map(|t| t as u32)
    }
}

impl SampleLayout {
    /// Instruction pointer.
    pub(crate) fn read(&self, payload: &[u8]) -> u64 {
        int(&self.ip, payload).unwrap_or(0)
    }
}
