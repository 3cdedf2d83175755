//! The second path: records in the order of the file, fields at the offsets of their layouts, and sums. It shares the
//! reader of files and the layouts with the engine, and no other code.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tracewell_etl::{Identity, Record, Trace};
use tracewell_schema::{Version, bundled, kernel, providers};
use tracewell_types::Guid;

use super::totals::{Total, Totals, UNKNOWN};

/// The totals of a trace.
#[derive(Default)]
pub(super) struct Plain {
    pub(super) totals: Totals,
    /// The spans that are known here: provider and name.
    pub(super) span_names: BTreeSet<String>,
    /// Threads: from when on, until when, and their process.
    threads: HashMap<u32, Vec<(i64, i64, u32)>>,
    /// The thread that comes and the one that leaves, by processor and time.
    switches: HashMap<u16, BTreeMap<i64, (u32, u32)>>,
    /// Ends of spans by time and place in the file.
    ends: Vec<End>,
}

/// A start or an end of a span.
struct End {
    time: i64,
    place: u64,
    span: usize,
    is_start: bool,
    version: u8,
    key: (u32, u64),
}

/// A disk transfer, whose process is found when all threads are known.
struct Transfer {
    time: i64,
    cpu: u16,
    tid: Option<u32>,
    pid: Option<u32>,
    bytes: i64,
}

/// A span: class or provider as in D, name, events that begin and end it, the field that they share, and whether the process
/// counts.
type Span = (&'static str, &'static str, &'static [u16], &'static [u16], &'static str, bool);

const CLR: &str = "Microsoft-Windows-DotNETRuntime";
const SPANS: [Span; 11] = [
    ("Process", "process", &[1], &[2], "ProcessId", false),
    ("Thread", "thread", &[1], &[2], "TThreadId", false),
    ("DiskIo", "disk", &[12, 13, 15], &[10, 11, 14], "Irp", false),
    ("FileIo", "file", &[64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 77], &[76], "IrpPtr", false),
    (CLR, "gc", &[1], &[2], "Count", true),
    (CLR, "gc-suspend", &[9], &[8], "", true),
    (CLR, "gc-restart", &[7], &[3], "", true),
    (CLR, "gc-pause", &[9], &[3], "", true),
    (CLR, "jit", &[145], &[141, 143], "MethodID", true),
    ("Microsoft-Windows-HttpService", "request", &[1], &[10, 11, 12, 13, 14], "RequestId", false),
    ("Microsoft-Windows-DxgKrnl", "queue-packet", &[178, 244, 245], &[180], "hContext SubmitSequence", false),
];

/// The name of a class of the kernel, or of a provider as it is registered; else the GUID.
fn name(guid: &Guid) -> String {
    let class = kernel::by_guid(guid).map(|class| class.name);
    class.or_else(|| providers::name(guid)).map_or_else(|| guid.to_string(), str::to_owned)
}

/// A number of a payload by the name of its field.
fn field(layout: &Version, record: &Record<'_>, name: &str) -> Option<u64> {
    let mut at = 0;
    for field in layout.fields.iter() {
        let size = field.fixed_size(record.pointer_size())?;
        if field.name == name {
            let bytes = record.payload().get(at..at + size)?;
            return Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        }
        at += size;
    }
    None
}

/// The layout of a record.
fn layout(guid: &Guid, number: u16, version: u8) -> Option<&'static Version> {
    if let Some(class) = kernel::by_guid(guid) {
        return Some(class.event(u8::try_from(number).ok()?, version)?.version);
    }
    let events = &bundled::provider(guid)?.events;
    events
        .iter()
        .find(|event| event.id == number && event.layout.number == version)
        .map(|event| &event.layout)
}

impl Plain {
    /// Counts the records of a trace.
    pub(super) fn of(trace: &Trace<'_>) -> Plain {
        let mut plain = Plain::default();
        let spans: Vec<(Guid, &Span)> = SPANS
            .iter()
            .filter_map(|span| {
                let class = kernel::class(span.0);
                let guid = class.map(|class| class.guid).or_else(|| providers::guid(span.0))?;
                let provider =
                    if class.is_some() { "kernel".to_owned() } else { span.0.to_ascii_lowercase() };
                plain.span_names.insert(format!("{provider} {}", span.1));
                Some((guid, span))
            })
            .collect();
        let mut events: HashMap<(Guid, u16), i64> = HashMap::new();
        let mut transfers: Vec<Transfer> = Vec::new();
        let mut place = 0;
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            place += 1;
            let (guid, number) = match record.identity() {
                Identity::Kernel { group, opcode } => {
                    (kernel::by_hook(group, opcode).map_or(Guid::ZERO, |class| class.guid), u16::from(opcode))
                }
                Identity::Class { guid, opcode } => (guid, opcode.into()),
                Identity::Provider { guid, id, .. } => (guid, id),
                Identity::Message { guid, number } => (guid, number),
                Identity::Other(_) => (Guid::ZERO, 0),
            };
            *events.entry((guid, number)).or_default() += 1;
            let is_typed = record.hook().is_some() || record.is_event() || record.is_class();
            if is_typed {
                for (at, (of, span)) in spans.iter().enumerate() {
                    let is_start = span.2.contains(&number);
                    if *of == guid && (is_start || span.3.contains(&number)) {
                        plain.end(
                            (at, span),
                            is_start,
                            &record,
                            layout(&guid, number, record.layout_version()),
                            place,
                        );
                    }
                }
            }
            // Totals by thread and process are of events with the kernel's own headers.
            if record.hook().is_some()
                && let Some(class) = kernel::by_guid(&guid)
                && let Some(layout) = layout(&guid, number, record.layout_version())
            {
                plain.kernel(class.name, number, &record, layout, &mut transfers);
            } else if record.is_class()
                && guid == kernel::class("Thread").map_or(Guid::ZERO, |class| class.guid)
                && let Some(layout) = layout(&guid, number, record.layout_version())
            {
                plain.thread(number, &record, layout);
            }
        }
        for ((guid, number), count) in events {
            plain.add(Total::Events, format!("{} {number}", name(&guid)), count);
        }
        for Transfer { time, cpu, tid, pid, bytes } in transfers {
            let tid = tid.or_else(|| plain.running(cpu, time));
            let pid = pid.or_else(|| plain.owner(tid?, time)).unwrap_or(UNKNOWN);
            plain.add(Total::DiskBytes, pid.to_string(), bytes);
        }
        plain.pair(trace);
        plain
    }

    fn add(&mut self, total: Total, key: String, number: i64) {
        *self.totals.entry((total, key)).or_default() += number;
    }

    /// A record of a kernel class.
    fn kernel(
        &mut self,
        class: &str,
        number: u16,
        record: &Record<'_>,
        layout: &Version,
        transfers: &mut Vec<Transfer>,
    ) {
        let read = |name| field(layout, record, name);
        let id = |name| read(name).map(|id| id as u32);
        match (class, number) {
            ("PerfInfo", 46) => {
                if let Some(tid) = id("ThreadId") {
                    self.add(Total::Samples, tid.to_string(), 1);
                }
            }
            ("Thread", 36) => {
                if let (Some(new), Some(old)) = (id("NewThreadId"), id("OldThreadId")) {
                    self.add(Total::Switches, new.to_string(), 1);
                    self.switches.entry(record.cpu()).or_default().insert(record.time(), (new, old));
                }
            }
            ("Thread", 1..=4) => self.thread(number, record, layout),
            ("DiskIo", 10 | 11) => {
                if let Some(bytes) = read("TransferSize") {
                    // The payload names the thread, or else the header does, or else it is the one that runs.
                    let issuer = id("IssuingThreadId").filter(|tid| *tid != u32::MAX);
                    transfers.push(Transfer {
                        time: record.time(),
                        cpu: record.cpu(),
                        tid: issuer.or(record.tid()),
                        pid: record.pid().filter(|_| issuer.is_none()),
                        bytes: bytes as i64,
                    });
                }
            }
            ("TcpIp" | "UdpIp", 10 | 11 | 26 | 27) => {
                if let (Some(pid), Some(bytes)) = (id("PID"), read("size")) {
                    self.add(Total::NetworkBytes, pid.to_string(), bytes as i64);
                }
            }
            _ => {}
        }
    }

    /// A thread begins (1), ends (2), or is there at the beginning (3) or end (4) of the trace.
    fn thread(&mut self, number: u16, record: &Record<'_>, layout: &Version) {
        let id = |name| field(layout, record, name).map(|id| id as u32);
        let (Some(tid), Some(pid)) = (id("TThreadId"), id("ProcessId")) else { return };
        let known = self.threads.entry(tid).or_default();
        match number {
            1 => known.push((record.time(), i64::MAX, pid)),
            2 => known.push((i64::MIN, record.time(), pid)),
            3 | 4 => known.push((i64::MIN, i64::MAX, pid)),
            _ => {}
        }
    }

    /// The process of a thread at a time: of what is known about it, the fact that is nearest.
    fn owner(&self, tid: u32, time: i64) -> Option<u32> {
        let known = self.threads.get(&tid)?;
        let at = known.iter().filter(|(from, to, _)| *from <= time && time <= *to);
        at.max_by_key(|(from, to, _)| (*from, std::cmp::Reverse(*to))).map(|(.., pid)| *pid)
    }

    /// The thread on a processor at a time.
    fn running(&self, cpu: u16, time: i64) -> Option<u32> {
        let switches = self.switches.get(&cpu)?;
        let before = switches.range(..=time).next_back().map(|(_, (new, _))| *new);
        before.or_else(|| switches.values().next().map(|(_, old)| *old))
    }

    /// Notes a start or an end of a span.
    fn end(
        &mut self,
        (at, span): (usize, &Span),
        is_start: bool,
        record: &Record<'_>,
        layout: Option<&Version>,
        place: u64,
    ) {
        let mut key = 0_u64;
        for name in span.4.split_whitespace() {
            let Some(value) = layout.and_then(|layout| field(layout, record, name)) else { return };
            key = key.wrapping_mul(0x0001_0000_0001).wrapping_add(value);
        }
        let pid = if span.5 { record.pid().unwrap_or(UNKNOWN) } else { 0 };
        let (time, version) = (record.time(), record.version());
        self.ends.push(End { time, place, span: at, is_start, version, key: (pid, key) });
    }

    /// Pairs the starts and ends in order of time.
    fn pair(&mut self, trace: &Trace<'_>) {
        let clock = trace.clock();
        let mut ends = std::mem::take(&mut self.ends);
        ends.sort_by_key(|end| (end.time, end.place));
        let mut open: HashMap<(usize, (u32, u64)), (i64, u8)> = HashMap::new();
        for end in ends {
            let key = (end.span, end.key);
            if end.is_start {
                // Another version of the same event is no other start.
                match open.get(&key) {
                    Some((_, version)) if *version != end.version => {}
                    _ => _ = open.insert(key, (end.time, end.version)),
                }
            } else if let Some((start, _)) = open.remove(&key)
                && let Some(span) = SPANS.get(end.span)
            {
                let provider = match kernel::class(span.0) {
                    Some(_) => "kernel".to_owned(),
                    None => span.0.to_ascii_lowercase(),
                };
                let name = format!("{provider} {}", span.1);
                self.add(Total::Spans, name.clone(), 1);
                self.add(Total::SpanTimes, name, clock.ns(end.time).saturating_sub(clock.ns(start)));
            }
        }
    }
}
