//! Records as the callbacks of a Windows program receive them: `EVENT_RECORD`, `EVENT_TRACE`, `EVENT_TRACE_LOGFILE`.

#[cfg(test)]
use tracewell_etl::ExtendedItem;
use tracewell_etl::Record;
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::def::record::{HeaderKind, NO_ID};
use tracewell_schema::kernel;
use tracewell_types::Guid;
use tracewell_wine_pe::call::{EVENT_RECORD, Step};

use crate::logfile::LogFile;

/// `EVENT_RECORD`.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct EventRecord {
    pub(crate) size: u16,
    pub(crate) kind: u16,
    pub(crate) flags: u16,
    pub(crate) property: u16,
    pub(crate) tid: u32,
    pub(crate) pid: u32,
    pub(crate) time: i64,
    pub(crate) provider: [u8; 16],
    pub(crate) id: u16,
    pub(crate) version: u8,
    pub(crate) channel: u8,
    pub(crate) level: u8,
    pub(crate) opcode: u8,
    pub(crate) task: u16,
    pub(crate) keyword: u64,
    pub(crate) processor_time: u64,
    pub(crate) activity: [u8; 16],
    pub(crate) processor: u16,
    pub(crate) logger: u16,
    pub(crate) item_count: u16,
    pub(crate) data_size: u16,
    /// Until the batch is complete, the number of the first item; then its address.
    pub(crate) items: u64,
    /// The same, with offsets in the data of the batch.
    pub(crate) data: u64,
    pub(crate) context: u64,
}

/// `EVENT_HEADER_EXTENDED_DATA_ITEM`.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Item {
    pub(crate) reserved: u16,
    pub(crate) kind: u16,
    pub(crate) linkage: u16,
    pub(crate) size: u16,
    pub(crate) data: u64,
}

/// `EVENT_TRACE`, which callbacks of the old kind receive.
#[derive(Clone, Debug)]
#[repr(C)]
struct OldRecord {
    size: u16,
    fields: u16,
    opcode: u8,
    level: u8,
    version: u16,
    tid: u32,
    pid: u32,
    time: i64,
    class: [u8; 16],
    processor_time: u64,
    instance: u32,
    parent: u32,
    parent_class: [u8; 16],
    data: u64,
    data_size: u32,
    processor: u32,
}

const _: () = assert!(
    size_of::<EventRecord>() == EVENT_RECORD && size_of::<Item>() == 16 && size_of::<OldRecord>() == 88
);

/// What a callback is called with, until addresses are known.
#[derive(Clone, Copy, Debug)]
enum Argument {
    Event(usize),
    Old(usize),
    Buffer(usize),
}

/// Calls of callbacks in their order, with all that they receive.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    records: Vec<EventRecord>,
    old: Vec<OldRecord>,
    items: Vec<Item>,
    files: Vec<LogFile>,
    data: Vec<u8>,
    calls: Vec<(u64, Argument)>,
    steps: Vec<Step>,
}

/// Events of one batch, and bytes of their payloads: a callback sees the first soon, and memory is bounded.
const MOST_CALLS: usize = 512;
const MOST_DATA: usize = 1 << 20;

impl Delivery {
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.calls.len() >= MOST_CALLS || self.data.len() >= MOST_DATA
    }

    /// Copies bytes to a place whose offset is a multiple of 8.
    fn keep(&mut self, bytes: &[u8]) -> u64 {
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        let at = self.data.len() as u64;
        self.data.extend_from_slice(bytes);
        at
    }

    /// Has the callback of a file or session receive a record; nothing if it has none.
    pub(crate) fn event(&mut self, file: &LogFile, record: &Record<'_>, time: i64) {
        let callback = file.event_callback();
        let Some((class, flags)) = identity(record).filter(|_| callback != 0) else { return };
        let payload = self.keep(record.payload());
        let size = u16::try_from(record.payload().len()).unwrap_or(u16::MAX);
        let processor_time =
            record.cpu_times().map_or(0, |(kernel, user)| u64::from(kernel) | u64::from(user) << 32);
        let (pid, tid) = (record.pid().unwrap_or(NO_ID), record.tid().unwrap_or(NO_ID));
        let whole = u16::try_from(record.bytes().len()).unwrap_or(u16::MAX);
        if !file.takes_records() {
            let (instance, parent) = record.instance_ids().unwrap_or_default();
            self.calls.push((callback, Argument::Old(self.old.len())));
            self.old.push(OldRecord {
                size: whole,
                fields: 0,
                opcode: record.opcode(),
                level: record.level(),
                version: record.version_word(),
                tid,
                pid,
                time,
                class: class.to_bytes(),
                processor_time,
                instance,
                parent,
                parent_class: record.parent_class().unwrap_or(Guid::ZERO).to_bytes(),
                data: payload,
                data_size: size.into(),
                processor: record.cpu().into(),
            });
            return;
        }
        let first = self.items.len();
        for item in record.extended() {
            self.item(item.kind, item.data);
        }
        if let Some((instance, parent)) = record.instance_ids() {
            let class = record.parent_class().unwrap_or(Guid::ZERO).to_bytes();
            let data = [&instance.to_le_bytes()[..], &parent.to_le_bytes(), &class].concat();
            self.item(ExtendedKind::INSTANCE_INFO, &data);
        }
        if record.counters().len() > 0 {
            let data: Vec<u8> = record.counters().flat_map(u64::to_le_bytes).collect();
            self.item(ExtendedKind::PMC_COUNTERS, &data);
        }
        let count = self.items.len() - first;
        let flags = if count > 0 { flags.with(EventFlags::EXTENDED_INFO) } else { flags };
        self.calls.push((callback, Argument::Event(self.records.len())));
        self.records.push(EventRecord {
            size: whole,
            kind: 0,
            flags: flags.0,
            property: record.event_property(),
            tid,
            pid,
            time,
            provider: class.to_bytes(),
            id: record.id(),
            version: record.version(),
            channel: record.channel(),
            level: record.level(),
            opcode: record.opcode(),
            task: record.task(),
            keyword: record.keyword(),
            processor_time,
            activity: record.activity_id().to_bytes(),
            processor: record.cpu(),
            logger: 0,
            item_count: u16::try_from(count).unwrap_or(u16::MAX),
            data_size: size,
            items: first as u64,
            data: payload,
            context: file.context(),
        });
    }

    fn item(&mut self, kind: ExtendedKind, data: &[u8]) {
        let at = self.keep(data);
        let size = u16::try_from(data.len()).unwrap_or(u16::MAX);
        self.items.push(Item { reserved: 0, kind: kind.0, linkage: 0, size, data: at });
    }

    /// Has the callback for buffers of a file or session receive its description, which has counted one more.
    pub(crate) fn buffer(&mut self, file: &LogFile) {
        if file.buffer_callback() != 0 {
            self.calls.push((file.buffer_callback(), Argument::Buffer(self.files.len())));
            self.files.push(file.clone());
        }
    }

    /// The events of a batch whose addresses are not made yet.
    #[cfg(test)]
    pub(crate) fn events(&self) -> Vec<crate::describe::Event<'_>> {
        let of = |at: u64, size: u16| self.data.get(at as usize..).unwrap().get(..usize::from(size)).unwrap();
        let event = |record: &EventRecord| {
            let items = self.items.iter().skip(record.items as usize).take(record.item_count.into());
            let items = items
                .map(|item| ExtendedItem { kind: ExtendedKind(item.kind), data: of(item.data, item.size) });
            let (items, payload) = (items.collect(), of(record.data, record.data_size));
            crate::describe::Event { head: record.clone(), items, payload }
        };
        self.records.iter().map(event).collect()
    }

    /// The calls, with addresses of what is in this batch. They hold as long as the batch is not dropped.
    pub(crate) fn steps(&mut self) -> &[Step] {
        if self.steps.is_empty() {
            let data = address(&self.data);
            for item in &mut self.items {
                item.data += data;
            }
            let items = address(&self.items);
            for record in &mut self.records {
                record.items =
                    if record.item_count == 0 { 0 } else { items + record.items * size_of::<Item>() as u64 };
                record.data += data;
            }
            for record in &mut self.old {
                record.data += data;
            }
            let (records, old) = (address(&self.records), address(&self.old));
            let step = |&(callback, argument): &(u64, Argument)| {
                let (argument, is_buffer) = match argument {
                    Argument::Event(at) => (records + (at * size_of::<EventRecord>()) as u64, 0),
                    Argument::Old(at) => (old + (at * size_of::<OldRecord>()) as u64, 0),
                    Argument::Buffer(at) => (self.files.get(at).map_or(0, LogFile::address), 1),
                };
                Step { callback, argument, is_buffer }
            };
            self.steps = self.calls.iter().map(step).collect();
        }
        &self.steps
    }
}

/// The address of the first value.
fn address<T>(values: &[T]) -> u64 {
    values.as_ptr().expose_provenance() as u64
}

/// The GUID and the flags of a record's header for Windows. [`None`] for records that Windows does not deliver.
fn identity(record: &Record<'_>) -> Option<(Guid, EventFlags)> {
    let width = match record.pointer_size() {
        4 => EventFlags::HEADER_32_BIT,
        _ => EventFlags::HEADER_64_BIT,
    };
    let classic = EventFlags::CLASSIC_HEADER.with(width);
    if let Some(hook) = record.hook() {
        let class = kernel::by_hook((hook >> 8) as u8, hook as u8)?;
        return Some((class.guid, classic));
    }
    if record.is_event() {
        return Some((record.guid(), record.flags().with(width)));
    }
    if record.is_class() {
        return Some((record.guid(), classic));
    }
    (record.kind() == HeaderKind::MESSAGE).then(|| (record.guid(), EventFlags::TRACE_MESSAGE.with(width)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_wine_pe::call::LOG_FILE;

    /// A file of a program with callbacks 7 for events and 8 for buffers, context 9.
    fn file(mode: u32) -> LogFile {
        let mut bytes = [0; LOG_FILE];
        bytes[28..32].copy_from_slice(&mode.to_le_bytes());
        for (at, value) in [(424, 7_u64), (400, 8), (440, 9)] {
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        LogFile::new(&bytes)
    }

    const RECORDS: u32 = 0x1000_0000;

    fn sized(mut bytes: Vec<u8>) -> Vec<u8> {
        let size = (bytes.len() as u16).to_le_bytes();
        bytes[..2].copy_from_slice(&size);
        bytes
    }

    /// An event with a related activity and a payload of six bytes.
    fn event() -> Vec<u8> {
        let mut bytes = vec![0, 0, HeaderKind::EVENT64.0, 0xC0, 1, 0, 4, 0];
        bytes.extend([11_u32, 12].map(u32::to_le_bytes).concat());
        bytes.extend(13_i64.to_le_bytes());
        bytes.extend([1; 16]);
        bytes.extend([0x34, 0x12, 2, 3, 4, 5, 6, 0]);
        bytes.extend(0x1_0000_0008_u64.to_le_bytes());
        bytes.extend([9, 0, 0, 0, 10, 0, 0, 0]);
        bytes.extend([2; 16]);
        bytes.extend([24, 0, 1, 0, 0, 0, 16, 0]);
        bytes.extend([3; 16]);
        bytes.extend(*b"sold 7");
        sized(bytes)
    }

    /// A switch of the kernel, on processor 5.
    fn kernel() -> Vec<u8> {
        let mut bytes = vec![2, 0, HeaderKind::SYSTEM64.0, 0xC0, 0, 0, 36, 5];
        bytes.extend([21_u32, 22].map(u32::to_le_bytes).concat());
        bytes.extend(23_i64.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend([6; 4]);
        let size = (bytes.len() as u16).to_le_bytes();
        bytes[4..6].copy_from_slice(&size);
        bytes
    }

    #[test]
    fn issue_18_records_have_the_layout_of_windows() {
        let mut batch = Delivery::default();
        let mut file = file(RECORDS);
        let (event, kernel) = (event(), kernel());
        batch.event(&file, &Record::parse(&event, 5).unwrap(), 100);
        file.count_buffer(64, 0);
        batch.buffer(&file);
        batch.event(&file, &Record::parse(&kernel, 6).unwrap(), 101);
        let steps: Vec<(u64, u64)> =
            batch.steps().iter().map(|step| (step.callback, step.is_buffer)).collect();
        assert_eq!(steps, [(7, 0), (8, 1), (7, 0)]);
        let steps = batch.steps().to_vec();
        assert_eq!(steps[0].argument, address(&batch.records));
        assert_eq!(steps[1].argument, batch.files[0].address());
        assert_eq!(steps[2].argument, address(&batch.records) + 112);
        let of =
            |at: u64, size: u16| &batch.data[(at - address(&batch.data)) as usize..][..usize::from(size)];
        let [first, second] = &batch.records[..] else { panic!("two records") };
        assert_eq!(of(first.data, first.data_size), b"sold 7");
        assert_eq!((first.items, first.item_count), (address(&batch.items), 1));
        let item = &batch.items[0];
        assert_eq!((item.kind, of(item.data, item.size)), (1, &[3; 16][..]));
        assert_eq!(item.data - first.data, 8, "the payload has six bytes");
        // 64 bits, extended items.
        assert_eq!((first.flags, first.property, first.size), (0x41, 4, 110));
        assert_eq!((first.tid, first.pid, first.time, first.processor), (11, 12, 100, 5));
        assert_eq!((first.provider, first.activity, first.context), ([1; 16], [2; 16], 9));
        let descriptor = (first.id, first.version, first.channel, first.level, first.opcode, first.task);
        assert_eq!((descriptor, first.keyword), ((0x1234, 2, 3, 4, 5, 6), 0x1_0000_0008));
        assert_eq!(first.processor_time, 10 << 32 | 9);
        // The class, the header of the old kind.
        let class = kernel::class("Thread").unwrap().guid.to_bytes();
        assert_eq!((second.provider, second.flags, second.opcode, second.version), (class, 0x140, 36, 2));
        assert_eq!((second.tid, second.pid, second.time, second.items), (21, 22, 101, 0));
        assert_eq!(of(second.data, second.data_size), [6; 4]);
    }

    #[test]
    fn issue_18_callbacks_of_the_old_kind_receive_their_structure() {
        let mut batch = Delivery::default();
        let kernel = kernel();
        batch.event(&file(0), &Record::parse(&kernel, 6).unwrap(), 101);
        let steps = batch.steps().to_vec();
        assert_eq!((steps.len(), steps[0].callback, steps[0].argument), (1, 7, address(&batch.old)));
        let old = &batch.old[0];
        assert_eq!((old.opcode, old.version, old.tid, old.pid, old.time), (36, 2, 21, 22, 101));
        assert_eq!((old.data - address(&batch.data), old.data_size, old.processor), (0, 4, 6));
    }

    #[test]
    fn issue_18_nothing_is_delivered_without_a_callback() {
        let mut batch = Delivery::default();
        let none = LogFile::new(&[0; LOG_FILE]);
        let event = event();
        batch.event(&none, &Record::parse(&event, 0).unwrap(), 1);
        batch.buffer(&none);
        assert!(batch.is_empty() && batch.steps().is_empty());
        for _ in 0..MOST_CALLS {
            assert!(!batch.is_full());
            batch.event(&file(RECORDS), &Record::parse(&event, 0).unwrap(), 1);
        }
        assert!(batch.is_full());
    }
}
