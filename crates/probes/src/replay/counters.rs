//! Hardware counters: samples of one, and the values that events carry.

use rustc_hash::FxHashMap;
use tracewell_decode::{Accessor, Value, kernel_event};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::read::Wanted;
use tracewell_schema::kernel::{self, hook};

use crate::catalog::{Kind, ProbeCatalog};
use crate::demand::counter_name;

/// The names that Windows gives to sources of samples (`KPROFILE_SOURCE` of its headers), by number.
const SOURCES: [&str; 24] = [
    "timer",
    "alignmentfixup",
    "totalissues",
    "pipelinedry",
    "loadinstructions",
    "pipelinefrozen",
    "branchinstructions",
    "totalnonissues",
    "dcachemisses",
    "icachemisses",
    "cachemisses",
    "branchmispredictions",
    "storeinstructions",
    "fpinstructions",
    "integerinstructions",
    "2issue",
    "3issue",
    "4issue",
    "specialinstructions",
    "totalcycles",
    "icacheissues",
    "dcacheaccesses",
    "memorybarriercycles",
    "loadlinkedissues",
];

/// The records that name counters.
const NAMING: [u16; 4] = [
    hook::PERF_INFO_PMC_COUNTER_CONFIG,
    hook::PERF_INFO_SET_INTERVAL,
    hook::PERF_INFO_COLLECTION_START,
    hook::PERF_INFO_COLLECTION_END,
];
/// Names that are kept: hostile records must not take up all memory.
const MOST_SOURCES: usize = 1 << 12;

/// Which of the records that name counters a record is, also as an event of its class.
fn naming(record: &Record<'_>) -> Option<u16> {
    if record.is_class() {
        let hook = NAMING.into_iter().find(|hook| *hook as u8 == record.opcode())?;
        return kernel::by_guid(&record.guid()).filter(|class| class.name == "PerfInfo").map(|_| hook);
    }
    record.hook().filter(|hook| NAMING.contains(hook))
}

/// The enabled probes that show the counters of others' events, and what the counters are.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Each with the counter it is on; [`None`] is on all.
    pub(super) probes: FxHashMap<ProbeId, Option<String>>,
    /// Names of sample sources, from the traces.
    sources: FxHashMap<u32, String>,
    /// Names of the counters that events carry, in their order.
    carried: Vec<String>,
    /// Names are needed, and may still come with records.
    pub(super) learns: bool,
}

impl Counters {
    /// The enabled probes of a catalog. Names come with records, see [`Counters::observe`].
    pub(super) fn new(catalog: &ProbeCatalog<'_>, mut is_enabled: impl FnMut(ProbeId) -> bool) -> Counters {
        let mut counters = Counters::default();
        for (info, kind) in catalog.iter().filter(|(info, _)| is_enabled(info.id)) {
            match kind {
                Kind::PmcOf(_, source) => {
                    let source = source.and_then(|index| catalog.counter(index)).map(str::to_owned);
                    counters.probes.insert(info.id, source);
                    counters.learns = true;
                }
                Kind::PmcSample(_) => counters.learns = true,
                _ => {}
            }
        }
        counters
    }

    /// Returns `true` if records have to be looked at for counters.
    pub(super) fn counts(&self) -> bool {
        self.learns || !self.probes.is_empty()
    }

    /// The records that name counters; [`None`] when no probe needs names.
    pub(super) fn described_by(&self) -> Option<Wanted> {
        let mut wanted = Wanted::nothing();
        NAMING.into_iter().for_each(|hook| wanted.add_hook(hook));
        self.learns.then_some(wanted)
    }

    /// Learns the names of counters from a record.
    pub(super) fn observe(&mut self, record: &Record<'_>) {
        let Some(hook) = naming(record) else { return };
        let Some(event) = kernel_event(record) else { return };
        let field = |name: &str| Accessor::new(event.version, name, record.pointer_size());
        if hook == hook::PERF_INFO_PMC_COUNTER_CONFIG {
            let names = field("CounterName");
            if let Some(Value::Array(names)) = names.as_ref().and_then(|f| f.value(record.payload())) {
                let text = |name: Value<'_>| match name {
                    Value::Utf16(text) => counter_name(&text.to_string()),
                    _ => String::new(),
                };
                self.carried = names.map(text).collect();
            }
        } else if let (Some(source), Some(name)) = (field("Source"), field("SourceName"))
            && let (Some(source), Some(name)) = (source.int(record.payload()), name.str16(record.payload()))
            && (self.sources.len() < MOST_SOURCES || self.sources.contains_key(&(source as u32)))
        {
            self.sources.insert(source as u32, counter_name(&name.to_string()));
        }
    }

    /// Returns `true` if the source of a sample has a name.
    pub(super) fn is_source(&self, number: u64, name: &str) -> bool {
        let told = u32::try_from(number).ok().and_then(|number| self.sources.get(&number));
        let common = || SOURCES.get(usize::try_from(number).ok()?).copied();
        told.map(String::as_str).or_else(common) == Some(name)
    }

    /// What the fourth argument of a probe is: the address of all values, or the value of its counter; [`None`]
    /// when the event carries none.
    pub(super) fn argument(&self, probe: ProbeId, values: &[u64], all: u64) -> Option<u64> {
        match self.probes.get(&probe)? {
            _ if values.is_empty() => None,
            None => Some(all),
            Some(name) => values.get(self.carried.iter().position(|known| known == name)?).copied(),
        }
    }
}

/// The values of the counters that a record carries.
pub(super) fn values(record: &Record<'_>, out: &mut Vec<u64>) {
    out.clear();
    out.extend(record.counters());
    for item in record.extended().filter(|item| item.kind == ExtendedKind::PMC_COUNTERS) {
        let words = item.data.chunks_exact(8).filter_map(|word| word.first_chunk());
        out.extend(words.map(|word| u64::from_le_bytes(*word)));
    }
}
