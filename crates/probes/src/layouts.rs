//! Event fields that the fixed probes read, resolved once per layout.
//!
//! Each struct names the schema fields it wants. A field that the event's version does not have leaves the native
//! field at its default; one that cannot be decoded leaves a hole there, so that reading it is a fault. Nothing here
//! knows an offset.

use std::mem::offset_of;

use tracewell_decode::Accessor;
use tracewell_etl::{Clock, Record};
use tracewell_schema::kernel::{self, hook};
use tracewell_types::Utf16Str;

use crate::holes::Holes;
use crate::native;
use crate::shape::Knowledge;

/// Where a field is in the payloads of one layout.
#[derive(Clone, Debug)]
pub(crate) enum At {
    /// The layout has it. Of a layout of another version, payloads may end before the field.
    Field(Accessor, bool),
    /// The event does not have it.
    Absent,
    /// The event may have it, but no description of its version says where.
    Undecoded,
}

/// What was read of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Got<T> {
    /// Its value.
    Value(T),
    /// The event does not have it.
    Absent,
    /// It cannot be decoded.
    Undecoded,
}

impl<T> Got<T> {
    /// The value, if there is one.
    pub(crate) fn value(self) -> Option<T> {
        match self {
            Got::Value(value) => Some(value),
            Got::Absent | Got::Undecoded => None,
        }
    }
}

impl At {
    /// Finds a field by its name.
    pub(crate) fn new(known: &Knowledge<'_>, name: &str, pointer_size: u8) -> At {
        let found = known.layout.and_then(|layout| Accessor::new(layout, name, pointer_size));
        match found {
            Some(accessor) => At::Field(accessor, !known.exact),
            None if known.may_have(name) => At::Undecoded,
            None => At::Absent,
        }
    }

    /// This field, or another if the layout does not have it.
    fn or(self, other: At) -> At {
        match (self, other) {
            (found @ At::Field(..), _) | (At::Absent, found) => found,
            (At::Undecoded, found @ At::Field(..)) => found,
            (At::Undecoded, _) => At::Undecoded,
        }
    }

    /// What `read` makes of the field.
    #[inline]
    pub(crate) fn get<'s, 'p, T>(
        &'s self,
        payload: &'p [u8],
        read: impl FnOnce(&'s Accessor, &'p [u8]) -> Option<T>,
    ) -> Got<T> {
        match self {
            At::Field(accessor, may_end) => match read(accessor, payload) {
                Some(value) => Got::Value(value),
                None => missing(accessor, payload, *may_end),
            },
            At::Undecoded if !payload.is_empty() => Got::Undecoded,
            At::Absent | At::Undecoded => Got::Absent,
        }
    }

    /// The value of an integer.
    #[inline]
    pub(crate) fn int(&self, payload: &[u8]) -> Got<u64> {
        self.get(payload, Accessor::int)
    }
}

/// Why a field of the layout has no value.
#[cold]
fn missing<T>(accessor: &Accessor, payload: &[u8], may_end: bool) -> Got<T> {
    if accessor.is_left_out(payload, may_end) { Got::Absent } else { Got::Undecoded }
}

/// Fills members of a native record with integer fields, and notes the members whose fields cannot be decoded.
macro_rules! fill {
    ($native:ty, $payload:ident, $holes:ident, { $( $to:ident: $at:expr, )+ }) => {{
        let mut record = <$native>::default();
        $(
            match $at.int($payload) {
                Got::Value(value) => record.$to = value as _,
                Got::Absent => {}
                Got::Undecoded => $holes.add(offset_of!($native, $to), size_of_val(&record.$to)),
            }
        )+
        record
    }};
}

macro_rules! layouts {
    ($( $(#[doc = $doc:literal])+ $name:ident { $( $field:ident: $schema:literal $(| $other:literal)?, )+ } )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug)]
            pub(crate) struct $name { $( $field: At, )+ }

            impl $name {
                pub(crate) fn new(known: &Knowledge<'_>, pointer_size: u8) -> $name {
                    $name {
                        $( $field: At::new(known, $schema, pointer_size)
                            $(.or(At::new(known, $other, pointer_size)))?, )+
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
        state: "NewState",
        old_state: "OldState",
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
    /// Thread and Process: an event about a thread with a number: a signal, a priority.
    SubjectLayout {
        tid: "TThreadId" | "ThreadId",
        pid: "ProcessId",
        number: "Signal" | "NewPriority",
        before: "OldPriority",
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
    pub(crate) fn read(&self, opcode: u8, payload: &[u8], clock: &Clock) -> (native::Disk, Holes) {
        let (mut disk, holes) = self.request(opcode, payload);
        // The kernel gives response times in ticks of its counter, which merged traces keep.
        disk.response = clock.duration_ns(disk.response as i64).cast_unsigned();
        (disk, holes)
    }

    /// The same with the response time in ticks.
    pub(crate) fn request(&self, opcode: u8, payload: &[u8]) -> (native::Disk, Holes) {
        let mut holes = Holes::NONE;
        let mut disk = fill!(native::Disk, payload, holes, {
            irp_flags: self.irp_flags,
            size: self.size,
            disk: self.disk,
            offset: self.offset,
            irp: self.irp,
            file_object: self.file_object,
            response: self.response,
            tid: self.tid,
        });
        disk.flags = disk_flags(opcode);
        // The path is found by the object.
        if holes.has(offset_of!(native::Disk, file_object)) {
            holes.add(offset_of!(native::Disk, path), size_of_val(&disk.path));
        }
        (disk, holes)
    }
}

impl native::Disk {
    /// What is transferred, and where, has no value.
    pub(crate) fn mark_unknown(&self, holes: &mut Holes) {
        holes.add(offset_of!(native::Disk, irp_flags), size_of_val(&self.irp_flags));
        holes.add(offset_of!(native::Disk, size), size_of_val(&self.size));
        holes.add(offset_of!(native::Disk, disk), size_of_val(&self.disk));
        holes.add(offset_of!(native::Disk, offset), size_of_val(&self.offset));
        holes.add(offset_of!(native::Disk, file_object), size_of_val(&self.file_object));
        holes.add(offset_of!(native::Disk, path), size_of_val(&self.path));
    }
}

impl native::Wait {
    /// Its cause has no value.
    pub(crate) fn mark_unknown(&self, holes: &mut Holes) {
        holes.add(offset_of!(native::Wait, confidence), size_of_val(&self.confidence));
        holes.add(offset_of!(native::Wait, inferred), size_of_val(&self.inferred));
        holes.add(offset_of!(native::Wait, ran), size_of_val(&self.ran));
        holes.add(offset_of!(native::Wait, gap), size_of_val(&self.gap));
    }
}

impl NetLayout {
    /// The native record.
    pub(crate) fn read(&self, payload: &[u8]) -> (native::Net, Holes) {
        let mut holes = Holes::NONE;
        let mut net = fill!(native::Net, payload, holes, {
            size: self.size,
            pid: self.pid,
            seq: self.seq,
            connid: self.connid,
            start_time: self.start_time,
            end_time: self.end_time,
            window: self.window,
            sport: self.sport,
            dport: self.dport,
            mss: self.mss,
            sackopt: self.sackopt,
            tsopt: self.tsopt,
            wsopt: self.wsopt,
            rcv_scale: self.rcv_scale,
            snd_scale: self.snd_scale,
            state: self.state,
            old_state: self.old_state,
        });
        let mut address = |at: &At, hole: usize| {
            let mut out = [0u8; 16];
            let length = match at.get(payload, Accessor::bytes) {
                Got::Value(bytes) => {
                    let length = bytes.len().min(16);
                    out[..length].copy_from_slice(&bytes[..length]);
                    length
                }
                Got::Absent => 0,
                Got::Undecoded => {
                    holes.add(hole, out.len());
                    0
                }
            };
            (out, length)
        };
        let (saddr, length) = address(&self.saddr, offset_of!(native::Net, saddr));
        let (daddr, _) = address(&self.daddr, offset_of!(native::Net, daddr));
        // The length of the address says which family it is of.
        if holes.has(offset_of!(native::Net, saddr)) {
            holes.add(offset_of!(native::Net, family), size_of_val(&net.family));
        }
        (net.family, net.saddr, net.daddr) = (if length == 16 { 23 } else { 2 }, saddr, daddr);
        (net, holes)
    }
}

impl native::Net {
    /// As a packet, whose source is its sender; the connection has the state that its event implies.
    pub(crate) fn as_packet(&mut self, record: &Record<'_>) {
        const ESTABLISHED: u8 = 1;
        let is_udp = match record.hook() {
            Some(hook) => hook >> 8 == hook::UDP_IP_SEND_IPV4 >> 8,
            None => record.guid() == kernel::guid::UDP_IP,
        };
        self.protocol = if is_udp { 17 } else { 6 };
        // Both classes have the same types for this.
        let receives = [hook::TCP_IP_RECV_IPV4 as u8, hook::TCP_IP_RECV_IPV6 as u8];
        self.received = receives.contains(&record.opcode()).into();
        if !is_udp && self.received != 0 {
            std::mem::swap(&mut self.saddr, &mut self.daddr);
            std::mem::swap(&mut self.sport, &mut self.dport);
        }
        // Only records of Linux report states; what is sent and received belongs to a connection.
        if !is_udp && self.state == 0 {
            self.state = ESTABLISHED;
        }
    }
}

impl FileOpLayout {
    /// The native record, without texts.
    pub(crate) fn read(&self, payload: &[u8]) -> (native::FileOp, Holes) {
        let mut holes = Holes::NONE;
        let op = fill!(native::FileOp, payload, holes, {
            offset: self.offset,
            irp: self.irp,
            object: self.object,
            key: self.key,
            extra: self.extra,
            tid: self.tid,
            size: self.size,
            io_flags: self.io_flags,
            options: self.options,
            attributes: self.attributes,
            share: self.share,
            info_class: self.info_class,
            index: self.index,
            status: self.status,
        });
        (op, holes)
    }

    /// The path of an open operation, or of an event that only contains the name of a file.
    pub(crate) fn open_path<'a>(&self, payload: &'a [u8]) -> Got<Utf16Str<'a>> {
        let path = match (&self.open_path, &self.irp) {
            (At::Absent, At::Absent) => &self.file_name,
            (path, _) => path,
        };
        path.get(payload, Accessor::str16)
    }

    /// The pattern of a listing.
    pub(crate) fn pattern<'a>(&self, payload: &'a [u8]) -> Got<Utf16Str<'a>> {
        match self.irp {
            At::Absent => Got::Absent,
            _ => self.file_name.get(payload, Accessor::str16),
        }
    }
}

impl RegistryLayout {
    /// The native record, without texts.
    pub(crate) fn read(&self, payload: &[u8]) -> (native::Registry, Holes) {
        let mut holes = Holes::NONE;
        let op = fill!(native::Registry, payload, holes, {
            initial_time: self.initial_time,
            key: self.key,
            status: self.status,
            index: self.index,
        });
        if holes.has(offset_of!(native::Registry, initial_time)) {
            holes.add(offset_of!(native::Registry, elapsed), size_of_val(&op.elapsed));
        }
        (op, holes)
    }

    /// The name.
    pub(crate) fn name<'a>(&self, payload: &'a [u8]) -> Got<Utf16Str<'a>> {
        self.name.get(payload, Accessor::str16)
    }
}

impl FailLayout {
    /// Protocol and failure code.
    pub(crate) fn read(&self, payload: &[u8]) -> [Got<u64>; 2] {
        [self.protocol.int(payload), self.code.int(payload)]
    }
}

impl ImageLayout {
    /// Offset of the UTF-16 name in the payload, base address, process.
    pub(crate) fn read(&self, payload: &[u8]) -> (Got<usize>, [Got<u64>; 2]) {
        let name = self.name.get(payload, |name, payload| name.str16(payload).and(name.offset(payload)));
        (name, [self.base.int(payload), self.pid.int(payload)])
    }
}

impl ProcessLayout {
    /// Process id and exit status.
    pub(crate) fn read(&self, payload: &[u8]) -> (Option<u32>, Got<u64>) {
        (self.pid.int(payload).value().map(|p| p as u32), self.exit_status.int(payload))
    }
}

impl ThreadLayout {
    /// Thread and process ids.
    pub(crate) fn read(&self, payload: &[u8]) -> (Option<u32>, Option<u32>) {
        let id = |at: &At| at.int(payload).value().map(|id| id as u32);
        (id(&self.tid), id(&self.pid))
    }
}

/// What an event says about a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub(crate) tid: Option<u32>,
    pub(crate) pid: Option<u32>,
    pub(crate) number: Got<u64>,
    /// Its priority before.
    pub(crate) before: Option<i8>,
}

impl SubjectLayout {
    /// Thread, process, number and priority.
    pub(crate) fn read(&self, payload: &[u8]) -> Said {
        let id = |at: &At| at.int(payload).value().map(|id| id as u32);
        Said {
            tid: id(&self.tid),
            pid: id(&self.pid),
            number: self.number.int(payload),
            before: self.before.int(payload).value().map(|priority| priority as i8),
        }
    }
}

impl ReadyLayout {
    /// The thread made ready.
    pub(crate) fn read(&self, payload: &[u8]) -> Option<u32> {
        self.tid.int(payload).value().map(|t| t as u32)
    }
}

impl SampleLayout {
    /// Instruction pointer.
    #[inline]
    pub(crate) fn read(&self, payload: &[u8]) -> Got<u64> {
        self.ip.int(payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_fields_are_absent_or_undecoded() {
        for (at, empty, full) in
            [(At::Absent, Got::Absent, Got::Absent), (At::Undecoded, Got::Absent, Got::Undecoded)]
        {
            assert_eq!((at.int(&[]), at.int(&[1])), (empty, full), "{at:?}");
        }
        assert_eq!(
            (Got::Value(7).value(), Got::<u8>::Absent.value(), Got::<u8>::Undecoded.value()),
            (Some(7), None, None)
        );
    }
}
