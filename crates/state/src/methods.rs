//! Methods that the .NET runtime compiled, by process and address.

use rustc_hash::FxHashMap;
use tracewell_decode::Accessor;
use tracewell_etl::Record;
use tracewell_etl::def::guid::{CLR, CLR_RUNDOWN};
use tracewell_schema::bundled;

use crate::names::{NameId, Names};

/// Loads and unloads of methods with their names: of the runtime, and at the start and end of rundowns.
const METHOD_EVENTS: [u16; 2] = [143, 144];

/// A method's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The process.
    pub pid: u32,
    /// Address of its code.
    pub start: u64,
    /// Size of its code in bytes.
    pub size: u32,
    /// Raw time of the event that describes it.
    pub time: i64,
    /// Namespace and class.
    pub namespace: NameId,
    /// Its name.
    pub name: NameId,
}

/// All methods of a trace.
#[derive(Clone, Debug, Default)]
pub struct Methods {
    /// By process, start and time.
    list: Vec<Method>,
}

impl Methods {
    /// The method whose code contains an address of a process. If code was discarded and its memory
    /// reused, it is the first method described at or after `time`, or else the last one, because
    /// discarded methods are described when they are discarded.
    #[must_use]
    pub fn at(&self, pid: u32, address: u64, time: i64) -> Option<&Method> {
        let after = self.list.partition_point(|m| (m.pid, m.start) <= (pid, address));
        let nearest = self.list.get(after.checked_sub(1)?)?;
        let first = self.list.partition_point(|m| (m.pid, m.start) < (nearest.pid, nearest.start));
        let same = self.list.get(first..after)?;
        let holds = |m: &&Method| m.pid == pid && address - m.start < u64::from(m.size);
        same.iter().filter(holds).find(|m| m.time >= time).or_else(|| same.iter().rev().find(holds))
    }

    /// All of them, by process and address.
    #[must_use]
    pub fn all(&self) -> &[Method] {
        &self.list
    }
}

/// Start, size, namespace, name.
type Fields = [Option<Accessor>; 4];

/// Collects methods.
#[derive(Debug, Default)]
pub(crate) struct MethodReader {
    layouts: FxHashMap<(bool, u16, u8, u8), Option<Box<Fields>>>,
    list: Vec<Method>,
}

impl MethodReader {
    /// Processes an event of a provider; [`None`] if it should be a method and cannot be read.
    pub(crate) fn observe(&mut self, record: &Record<'_>, names: &mut Names) -> Option<()> {
        if !METHOD_EVENTS.contains(&record.id()) {
            return Some(());
        }
        let guid = record.guid();
        if guid != CLR && guid != CLR_RUNDOWN {
            return Some(());
        }
        let pointer = record.pointer_size();
        let key = (guid == CLR, record.id(), record.version(), pointer);
        let fields = self.layouts.entry(key).or_insert_with(|| {
            let layout = &bundled::provider(&guid)?.event(record.id(), record.version())?.layout;
            let fields = ["MethodStartAddress", "MethodSize", "MethodNamespace", "MethodName"];
            Some(Box::new(fields.map(|name| Accessor::new(layout, name, pointer))))
        });
        let [start, size, namespace, name] = fields.as_deref()?;
        let payload = record.payload();
        let method = Method {
            pid: record.pid()?,
            start: start.as_ref()?.int(payload)?,
            size: size.as_ref()?.int(payload)? as u32,
            time: record.time(),
            namespace: names.intern_utf16(namespace.as_ref()?.str16(payload)?),
            name: names.intern_utf16(name.as_ref()?.str16(payload)?),
        };
        self.list.push(method);
        Some(())
    }

    /// Returns the number of methods.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// All that were taken in so far, some of them more than once.
    pub(crate) fn methods(&self) -> Methods {
        MethodReader { list: self.list.clone(), ..MethodReader::default() }.finish()
    }

    pub(crate) fn finish(mut self) -> Methods {
        self.list.sort_unstable_by_key(|m| (m.pid, m.start, m.time));
        // A rundown repeats known methods.
        self.list.dedup_by_key(|m| (m.pid, m.start, m.size, m.namespace, m.name));
        Methods { list: self.list }
    }
}
