//! Slices of random traces, against a naive model of what belongs to whom.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use tracewell_corpus::Random;
use tracewell_etl::Trace;
use tracewell_etl::write::{Event, PerfInfo, PointerSize, TraceConfig, TraceWriter};
use tracewell_relog::{Selection, slice};
use tracewell_types::{FileTime, Guid};

const PROVIDERS: [Guid; 2] = [
    Guid::parse("11111111-0000-0000-0000-000000000001"),
    Guid::parse("11111111-0000-0000-0000-000000000002"),
];

/// The process of each thread: 20 and 21 are of process 2, and so on.
fn process_of(thread: u32) -> u32 {
    thread / 10
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// A list of what there was names a thread.
    Listed(u32),
    Switch {
        new: u32,
        old: u32,
    },
    Sample(u32),
    /// A stack of the record with this time, and its process.
    Stack(i64, u32),
    /// A call: header and payload name no thread.
    Call,
    /// An event: provider, id, process.
    Event(usize, u16, u32),
}

#[derive(Clone, Copy, Debug)]
struct Made {
    time: i64,
    cpu: u16,
    what: What,
}

impl Made {
    fn write(&self, writer: &mut TraceWriter<Cursor<Vec<u8>>>) {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let (hook, payload) = match self.what {
            What::Event(provider, id, pid) => {
                let provider = PROVIDERS[provider];
                let head = Event { time: self.time, provider, id, pid, tid: 1, ..Event::default() };
                return writer.event(self.cpu, &head, &[], &[1]).unwrap();
            }
            What::Listed(thread) => ((5, 3), words(&[process_of(thread), thread, 0, 0])),
            What::Switch { new, old } => ((5, 36), words(&[new, old, 0, 0])),
            What::Sample(thread) => ((15, 46), words(&[1, 0, thread, 1])),
            What::Stack(of, pid) => ((24, 32), words(&[of as u32, 0, pid, 1, 7, 0])),
            What::Call => ((15, 51), words(&[9, 0])),
        };
        let (time, (group, opcode)) = (self.time, hook);
        let head = PerfInfo { time, group, opcode, pointer_size: PointerSize::P64, ..PerfInfo::default() };
        writer.perfinfo(self.cpu, &head, &payload).unwrap();
    }
}

/// A history with lists at both ends.
fn history(random: &mut Random) -> Vec<Made> {
    let threads: Vec<u32> = (20..60).filter(|thread| thread % 10 < 3).collect();
    let mut thread = {
        let mut random = Random(random.bits());
        move || threads[random.below(12) as usize]
    };
    let mut all: Vec<Made> = Vec::new();
    for number in 0..150_i64 {
        let earlier = random.below(number.max(1) as u64) as usize;
        let what = match random.below(10) {
            _ if !(6..144).contains(&number) => {
                What::Listed([20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52][(number % 138) as usize])
            }
            0 | 1 => What::Switch { new: thread(), old: thread() },
            2 | 3 => What::Sample(thread()),
            4 | 5 => What::Stack(all[earlier].time, process_of(thread())),
            6 => What::Call,
            _ => {
                let process = process_of(thread());
                What::Event(random.below(2) as usize, 1 + random.below(3) as u16, process)
            }
        };
        let cpu = random.below(2) as u16;
        all.push(Made { time: 1_000 + 10 * number, cpu, what });
    }
    all
}

fn selection(random: &mut Random) -> Selection {
    let mut one_in = |count| random.below(count) == 0;
    let mut chosen = Selection { exact: one_in(4), ..Selection::default() };
    chosen.start = one_in(3).then_some(1_250);
    chosen.end = one_in(3).then_some(2_000);
    if !one_in(3) {
        chosen.processes = if one_in(2) { [2].into() } else { [3, 5].into() };
    }
    if one_in(3) {
        chosen.providers = [PROVIDERS[0]].into();
        chosen.groups = if one_in(2) { [5].into() } else { BTreeSet::new() };
        chosen.provider_hooks = if one_in(2) { [0x0F33].into() } else { BTreeSet::new() };
    }
    if one_in(3) {
        chosen.events = if one_in(2) { [1, 46].into() } else { BTreeSet::new() };
        chosen.kinds = [(PROVIDERS[0], 2), (PROVIDERS[1], 3)].into();
        chosen.hooks = if one_in(2) { [0x0F33, 0x1820].into() } else { BTreeSet::new() };
    }
    chosen
}

/// What is selected, and what is kept for the sake of others: by time.
fn expected(all: &[Made], chosen: &Selection) -> (BTreeSet<i64>, BTreeSet<i64>) {
    let (mut selected, mut context, mut stacked) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut running: BTreeMap<u16, u32> = BTreeMap::new();
    let by_provider =
        !(chosen.providers.is_empty() && chosen.groups.is_empty() && chosen.provider_hooks.is_empty());
    let by_event = !(chosen.events.is_empty() && chosen.kinds.is_empty() && chosen.hooks.is_empty());
    for made in all {
        if let What::Switch { new, .. } = made.what {
            running.insert(made.cpu, new);
        }
        let owners = match made.what {
            What::Listed(thread) | What::Sample(thread) => vec![process_of(thread)],
            What::Switch { new, old } => vec![process_of(new), process_of(old)],
            What::Stack(_, process) | What::Event(_, _, process) => vec![process],
            What::Call => running.get(&made.cpu).map(|thread| process_of(*thread)).into_iter().collect(),
        };
        let of_process =
            chosen.processes.is_empty() || owners.iter().any(|owner| chosen.processes.contains(owner));
        let (hook, id) = match made.what {
            What::Listed(_) => (0x0503, 3),
            What::Switch { .. } => (0x0524, 36),
            What::Sample(_) => (0x0F2E, 46),
            What::Stack(..) => (0x1820, 32),
            What::Call => (0x0F33, 51),
            What::Event(_, id, _) => (0, id),
        };
        let (of_provider, of_event) = match made.what {
            What::Event(provider, ..) => {
                let guid = PROVIDERS[provider];
                (chosen.providers.contains(&guid), chosen.kinds.contains(&(guid, id)))
            }
            _ => {
                let group = (hook >> 8) as u8;
                (
                    chosen.groups.contains(&group) || chosen.provider_hooks.contains(&hook),
                    chosen.hooks.contains(&hook),
                )
            }
        };
        let in_time = |time: i64| {
            chosen.start.is_none_or(|start| start <= time) && chosen.end.is_none_or(|end| time < end)
        };
        let fits = in_time(made.time)
            && of_process
            && (!by_provider || of_provider)
            && (!by_event || of_event || chosen.events.contains(&id));
        if fits {
            selected.insert(made.time);
            if !matches!(made.what, What::Stack(..)) {
                stacked.insert(made.time);
            }
        } else if !chosen.exact {
            let is_needed = match made.what {
                What::Listed(_) => true,
                What::Stack(of, _) if by_provider || by_event || !chosen.processes.is_empty() => {
                    of_process && stacked.contains(&of)
                }
                What::Stack(of, _) => in_time(of),
                _ => false,
            };
            if is_needed {
                context.insert(made.time);
            }
        }
    }
    (selected, context)
}

#[test]
fn issue_23_slices_are_those_of_a_naive_model() {
    for seed in 0..150 {
        let mut random = Random(seed);
        let all = history(&mut random);
        let config = TraceConfig { buffer_size: 4096, processors: 2, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        all.iter().for_each(|made| made.write(&mut writer));
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let chosen = selection(&mut random);
        let trace = Trace::open(&file).unwrap();
        let (part, report) = slice(&trace, &chosen, Cursor::new(Vec::new()), &mut |_| ()).unwrap();
        let (selected, context) = expected(&all, &chosen);
        let what = format!("seed {seed}: {chosen:?}");
        let part = part.into_inner();
        let part = Trace::open(&part).unwrap();
        let mut cursor = part.by_time();
        let mut found = Vec::new();
        while let Some(record) = cursor.next() {
            found.push(record.time());
        }
        // The header of the file comes first.
        assert_eq!(found.get(1..).unwrap(), selected.union(&context).copied().collect::<Vec<_>>(), "{what}");
        let left_out = all.len() - selected.len() - context.len();
        let counts = [selected.len(), context.len(), left_out].map(|count| count as u64);
        assert_eq!([report.selected, report.context, report.left_out], counts, "{what}");
    }
}
