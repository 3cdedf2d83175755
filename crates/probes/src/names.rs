//! The four names of every probe, as text for messages and as memory for `probename` and its kin.

use std::borrow::Cow;
use std::cell::Cell;

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
}

impl NameTable {
    /// Collects the names; take it when the program is compiled, for compiling makes probes.
    #[must_use]
    pub fn new(catalog: &ProbeCatalog<'_>) -> NameTable {
        let mut table = NameTable::default();
        for (info, _) in catalog.iter() {
            let starts = [&info.provider, &info.module, &info.function, &info.name].map(|name| {
                let start = table.bytes.len() as u32;
                table.bytes.extend(name.bytes().filter(|&b| b != 0));
                table.bytes.push(0);
                start
            });
            table.starts.push(starts);
        }
        table
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
        self.starts(id).map_or(0, |s| regions::PROBES.address(u64::from(s[part])))
    }

    /// The bytes from an offset in [`regions::PROBES`] on.
    #[must_use]
    pub fn memory(&self, offset: u64) -> Option<&[u8]> {
        self.bytes.get(usize::try_from(offset).ok()?..)
    }

    fn text(&self, start: u32) -> &str {
        let bytes = self.bytes.get(start as usize..).unwrap_or_default();
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).unwrap_or_default()
    }
}

impl Names for NameTable {
    fn probe(&self, id: ProbeId) -> ProbeNames<'_> {
        match self.starts(id) {
            Some(&[provider, module, function, name]) => ProbeNames {
                provider: self.text(provider),
                module: self.text(module),
                function: self.text(function),
                name: self.text(name),
            },
            None => ProbeNames::default(),
        }
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
}
