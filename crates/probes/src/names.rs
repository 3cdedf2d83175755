//! The four names of every probe, as text for messages and as memory for `probename` and its kin.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::OnceLock;

use tracewell_dengine::host::{Names, ProbeNames, SourceFrame, Symbol};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::ProbeId;

use tracewell_symbols::{Location, Symbols};

use crate::catalog::ProbeCatalog;
use crate::regions;

/// The names of all probes of a catalog, in one arena of NUL-terminated strings.
#[derive(Debug, Default)]
pub struct NameTable {
    bytes: Vec<u8>,
    /// Start of each probe's four names, provider first.
    starts: Vec<[u32; 4]>,
    /// The names of probes that are placed while the run goes on, in the order of their numbers.
    later: OnceLock<Vec<OnceLock<Later>>>,
}

/// The names of a probe that was placed while the run goes on.
#[derive(Debug)]
struct Later {
    bytes: Vec<u8>,
    starts: [u32; 4],
}

/// Maximum number of probes that can be placed while a run goes on.
pub const MOST_LATER: usize = 10_000;
/// Bytes that the names of such a probe may have. Longer names are cut.
const LATER_BYTES: usize = 4096;

/// Appends the names to the bytes, with a NUL behind each. Returns where they start.
fn append<'n>(bytes: &mut Vec<u8>, names: [&'n str; 4], cut: impl Fn(&'n str) -> &'n str) -> [u32; 4] {
    names.map(|name| {
        let start = bytes.len() as u32;
        bytes.extend(cut(name).bytes().filter(|&b| b != 0));
        bytes.push(0);
        start
    })
}

impl NameTable {
    /// Collects the names; take it when the program is compiled, for compiling makes probes.
    #[must_use]
    pub fn new(catalog: &ProbeCatalog<'_>) -> NameTable {
        let mut table = NameTable::default();
        for (info, _) in catalog.iter() {
            let names = [&info.provider, &info.module, &info.function, &info.name].map(String::as_str);
            let starts = append(&mut table.bytes, names, |name| name);
            table.starts.push(starts);
        }
        table
    }

    /// The first number that a probe can have that is placed while the run goes on.
    #[must_use]
    pub fn first_later(&self) -> ProbeId {
        ProbeId(self.starts.len() as u32 + 1)
    }

    /// Names a probe that is placed while the run goes on; its numbers begin with [`NameTable::first_later`]. Returns `false` if there
    /// are too many of them, or if it has names.
    pub fn add_later(&self, id: ProbeId, names: [&str; 4]) -> bool {
        let later = self.later.get_or_init(|| (0..MOST_LATER).map(|_| OnceLock::new()).collect());
        let index = id.0.checked_sub(self.first_later().0).and_then(|index| later.get(index as usize));
        let mut bytes = Vec::new();
        let starts = append(&mut bytes, names, |name| {
            let end = (0..LATER_BYTES / 4).rev().find(|end| name.is_char_boundary(*end));
            name.get(..end.unwrap_or(0)).unwrap_or_default()
        });
        index.is_some_and(|place| place.set(Later { bytes, starts }).is_ok())
    }

    fn later(&self, id: ProbeId) -> Option<(usize, &Later)> {
        let index = id.0.checked_sub(self.first_later().0)? as usize;
        Some((index, self.later.get()?.get(index)?.get()?))
    }

    fn starts(&self, id: ProbeId) -> Option<&[u32; 4]> {
        self.starts.get((id.0 as usize).checked_sub(1)?)
    }

    /// The address of the string of a `probe…` variable; 0 for other variables.
    #[must_use]
    pub fn address(&self, id: ProbeId, var: BuiltinVar) -> u64 {
        let part = match var {
            BuiltinVar::Probeprov => 0,
            BuiltinVar::Probemod => 1,
            BuiltinVar::Probefunc => 2,
            BuiltinVar::Probename => 3,
            _ => return 0,
        };
        let offset = match (self.starts(id), self.later(id)) {
            (Some(starts), _) => u64::from(starts[part]),
            (None, Some((index, later))) => {
                (self.bytes.len() + index * LATER_BYTES) as u64 + u64::from(later.starts[part])
            }
            (None, None) => return 0,
        };
        regions::PROBES.address(offset)
    }

    /// The bytes from an offset in [`regions::PROBES`] on.
    #[must_use]
    pub fn memory(&self, offset: u64) -> Option<&[u8]> {
        let offset = usize::try_from(offset).ok()?;
        let Some(behind) = offset.checked_sub(self.bytes.len()) else { return self.bytes.get(offset..) };
        let later = self.later.get()?.get(behind / LATER_BYTES)?.get()?;
        later.bytes.get(behind % LATER_BYTES..)
    }
}

/// The name that starts at a place.
fn text(bytes: &[u8], start: u32) -> &str {
    let bytes = bytes.get(start as usize..).unwrap_or_default();
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).unwrap_or_default()
}

impl Names for NameTable {
    fn probe(&self, id: ProbeId) -> ProbeNames<'_> {
        let (bytes, starts) = match (self.starts(id), self.later(id)) {
            (Some(starts), _) => (&self.bytes, *starts),
            (None, Some((_, later))) => (&later.bytes, later.starts),
            (None, None) => return ProbeNames::default(),
        };
        let [provider, module, function, name] = starts.map(|start| text(bytes, start));
        ProbeNames { provider, module, function, name }
    }
}

/// The names of a run over traces: of its probes, and of addresses at the time of what is shown.
#[derive(Debug)]
pub struct TraceNames<'r> {
    table: &'r NameTable,
    symbols: &'r Symbols<'r>,
    /// Raw time of the event whose record is shown.
    now: Cell<i64>,
}

impl<'r> TraceNames<'r> {
    /// Names of probes and addresses.
    #[must_use]
    pub fn new(table: &'r NameTable, symbols: &'r Symbols<'r>) -> TraceNames<'r> {
        TraceNames { table, symbols, now: Cell::new(i64::MAX) }
    }

    /// What is shown from now on is of this raw time.
    pub(crate) fn set_time(&self, raw: i64) {
        self.now.set(raw);
    }
}

impl Names for TraceNames<'_> {
    fn probe(&self, id: ProbeId) -> ProbeNames<'_> {
        self.table.probe(id)
    }

    fn symbol(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        self.symbols.locate(process(pid)?, address, self.now.get()).map(symbol)
    }

    fn caller(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        self.symbols.locate_return(process(pid)?, address, self.now.get()).map(symbol)
    }

    fn source(&self, pid: Option<u64>, address: u64, called: bool) -> Vec<SourceFrame<'_>> {
        let Some(pid) = process(pid) else { return Vec::new() };
        let frames = self.symbols.frames(pid, address, self.now.get(), called);
        let owned = |text: &str| Cow::Owned(text.to_owned());
        frames
            .into_iter()
            .map(|frame| SourceFrame {
                function: owned(&frame.function),
                inlined: frame.inlined,
                line: frame.line.map(|(file, line)| (owned(&file), line)),
            })
            .collect()
    }
}

/// The process that addresses are looked up in: the kernel's are those of process 0.
fn process(pid: Option<u64>) -> Option<u32> {
    pid.map_or(Some(0), |pid| u32::try_from(pid).ok())
}

fn symbol(found: Location) -> Symbol<'static> {
    let owned = |text: &str| Cow::Owned(text.to_owned());
    Symbol { module: owned(&found.module), symbol: found.symbol.as_deref().map(owned), offset: found.offset }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_and_memory() {
        let table = NameTable::new(&ProbeCatalog::new());
        assert_eq!(table.probe(ProbeId::ERROR).name, "ERROR");
        assert_eq!(table.probe(ProbeId(99_999)), ProbeNames::default());
        let address = table.address(ProbeId::BEGIN, BuiltinVar::Probeprov);
        let (region, offset) = tracewell_dlang::ir::Region::split(address).unwrap();
        assert_eq!(region, regions::PROBES);
        assert!(table.memory(offset).unwrap().starts_with(b"dtrace\0"));
        assert_eq!(table.memory(u64::MAX), None);
    }

    #[test]
    fn issue_17_probes_that_come_later_have_names_and_memory() {
        let table = NameTable::new(&ProbeCatalog::new());
        let first = table.first_later();
        assert_eq!(first.0 as usize, ProbeCatalog::new().iter().count() + 1);
        let second = ProbeId(first.0 + 1);
        let long = "é".repeat(600);
        assert!(table.add_later(second, ["pid7", "libplug.so", &long, "entry"]));
        assert!(table.add_later(first, ["pid7", "libq.so", "f\0g", "return"]));
        assert!(!table.add_later(first, ["pid7", "libq.so", "g", "return"]), "it has names");
        assert!(!table.add_later(ProbeId::BEGIN, ["", "", "", ""]));
        let last = ProbeId(first.0 + MOST_LATER as u32);
        assert!(!table.add_later(last, ["", "", "", ""]));
        assert_eq!(table.probe(last), ProbeNames::default());
        let of = table.probe(second);
        assert_eq!((of.provider, of.module, of.name), ("pid7", "libplug.so", "entry"));
        // Half of it: cut between two letters.
        assert_eq!(of.function, "é".repeat(511));
        assert_eq!(table.probe(first).function, "fg");
        assert_eq!(table.probe(ProbeId::BEGIN).name, "BEGIN");
        for (id, var, text) in [
            (first, BuiltinVar::Probemod, "libq.so"),
            (first, BuiltinVar::Probename, "return"),
            (second, BuiltinVar::Probeprov, "pid7"),
            (second, BuiltinVar::Probename, "entry"),
        ] {
            let (region, offset) = tracewell_dlang::ir::Region::split(table.address(id, var)).unwrap();
            assert_eq!(region, regions::PROBES);
            let memory = table.memory(offset).unwrap();
            assert!(memory.starts_with(format!("{text}\0").as_bytes()), "{id:?} {var:?}");
        }
        assert_eq!(table.address(ProbeId(first.0 + 2), BuiltinVar::Probename), 0);
        assert_eq!(table.address(first, BuiltinVar::Pid), 0);
    }
}
