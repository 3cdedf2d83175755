//! A Perfetto trace of random moments, read by a reader that shares nothing with the writer. Every value that went in must
//! come out.

mod wire;

use std::collections::BTreeMap;

use tracewell_corpus::Random;
use tracewell_export::timeline::{
    CallStacks, Heading, Lane, Moment, Perfetto, Process, StackId, Switch, Thread, ThreadId, Timeline, What,
};
use wire::{at, fields};

fn signed(random: &mut Random, from: i8, end: i8) -> i8 {
    from + random.below((end - from) as u64) as i8
}

const UNIX_NS: i64 = 1_600_000_000_123_456_789;
const INTERVAL: u64 = 250_000;
const CPUS: u16 = 3;

/// Process: number, parent, name, command line, arguments in it, start, end.
type MadeProcess = (u32, Option<u32>, &'static str, &'static str, &'static str, Option<i64>, Option<i64>);
const PROCESSES: [MadeProcess; 3] = [
    (8, Some(4), "app.exe", "\"C:\\a b\\app.exe\" -x 1", "-x 1", None, Some(600_000_000)),
    (40, None, "late.exe", "late.exe", "", Some(5_000), None),
    (8, Some(40), "again.exe", "again.exe /y", "/y", Some(700_000_000), None),
];
/// Thread: process, number, name, start, end.
type MadeThread = (usize, u32, &'static str, Option<i64>, Option<i64>);
const THREADS: [MadeThread; 5] = [
    (0, 12, "worker", None, Some(500_000_000)),
    (0, 16, "", Some(1_000), None),
    (1, 44, "reader", Some(6_000), None),
    (2, 12, "second owner", Some(700_000_500), None),
    (2, 52, "", None, None),
];
const STACKS: [&[(&str, &str, bool)]; 3] = [
    &[("app", "main", false), ("ntoskrnl", "NtRead", true)],
    &[("app", "main", false), ("app", "run", false), ("", "0x1234", false)],
    &[("app", "main", false)],
];
const NOTES: &[(&str, &str)] = &[("bytes", "4096"), ("offset", "8")];

fn heading() -> Heading {
    Heading {
        title: "random".to_owned(),
        unix_ns: UNIX_NS,
        interval: Some(INTERVAL),
        system: "Windows 10".to_owned(),
    }
}

/// A writer with all processes, threads and stacks.
struct Made {
    writer: Box<dyn Timeline>,
    stacks: CallStacks,
    ids: Vec<StackId>,
    threads: Vec<ThreadId>,
    out: Vec<u8>,
}

impl Made {
    fn new(mut writer: Box<dyn Timeline>) -> Made {
        let (mut out, mut stacks) = (Vec::new(), CallStacks::new());
        let processes: Vec<_> = PROCESSES
            .iter()
            .map(|&(pid, parent, name, command_line, _, start, end)| {
                writer.process(&Process { pid, parent, name, command_line, start, end }, &mut out)
            })
            .collect();
        let threads = THREADS
            .iter()
            .map(|&(process, tid, name, start, end)| {
                writer.thread(&Thread { process: processes[process], tid, name, start, end }, &mut out)
            })
            .collect();
        let ids = STACKS
            .iter()
            .map(|frames| {
                let frames: Vec<_> =
                    frames.iter().map(|(module, name, kernel)| stacks.frame(module, name, *kernel)).collect();
                stacks.stack(frames).expect("a stack")
            })
            .collect();
        Made { writer, stacks, ids, threads, out }
    }

    fn moment(&mut self, time: i64, cpu: u16, thread: Option<usize>, what: What<'_>) -> bool {
        let moment = Moment { time, cpu, thread: thread.map(|thread| self.threads[thread]), what };
        self.writer.moment(&moment, &self.stacks, &mut self.out)
    }

    fn finish(mut self) -> Vec<u8> {
        self.writer.finish(&self.stacks, &mut self.out).expect("memory takes everything");
        self.out
    }
}

/// The frames of a stack as viewers show them, outermost first.
fn frames(stack: usize) -> Vec<String> {
    STACKS[stack]
        .iter()
        .map(
            |(module, name, _)| {
                if module.is_empty() { (*name).to_owned() } else { format!("{module}!{name}") }
            },
        )
        .collect()
}

/// Compares lists, and reports only the first difference.
fn assert_same<T: PartialEq + std::fmt::Debug>(read: &[T], written: &[T]) {
    for (number, (read, written)) in read.iter().zip(written).enumerate() {
        assert_eq!(read, written, "number {number}");
    }
    assert_eq!(read.len(), written.len());
}

/// The only value of a field, if it is there.
fn number(bytes: &[u8], path: &[u64]) -> Option<u64> {
    let found = at(bytes, path);
    assert!(found.len() <= 1, "{path:?} is there {} times", found.len());
    found.first().map(|(value, _)| *value)
}

fn texts(bytes: &[u8], path: &[u64]) -> Vec<String> {
    at(bytes, path).into_iter().map(|(_, text)| String::from_utf8(text).expect("UTF-8")).collect()
}

/// Number and text of interned entries.
fn interned(out: &[u8], field: u64) -> BTreeMap<u64, String> {
    let entries = at(out, &[1, 12, field]);
    let count = entries.len();
    let found: BTreeMap<u64, String> = entries
        .into_iter()
        .map(|(_, entry)| (number(&entry, &[1]).expect("a number"), texts(&entry, &[2]).concat()))
        .collect();
    assert_eq!(found.len(), count, "each number of {field} is given once");
    found
}

/// Scheduling of a processor, in order: time, processor, and all fields with their numbers.
type Scheduled = BTreeMap<u64, Vec<Vec<(u64, i64)>>>;

/// Time, line (process, thread and name, or a name), kind, category, name, notes, text of the stack; and the end of a span.
type Shown = (u64, String, u64, String, String, Vec<(String, String)>, String, u64);

#[test]
fn perfetto_returns_what_went_in() {
    let mut random = Random(20);
    let mut made = Made::new(Box::new(Perfetto::new(heading())));
    let (mut scheduled, mut shown, mut samples) = (Scheduled::new(), Vec::<Shown>::new(), Vec::new());
    let line = |thread: Option<usize>, cpu: u16| match thread {
        Some(thread) => {
            let (process, tid, name, ..) = THREADS[thread];
            format!("{} {tid} {name}", PROCESSES[process].0)
        }
        None => format!("CPU {cpu} events"),
    };
    let mut time = 0;
    for _ in 0..6000 {
        time += 1 + random.below(50_000) as i64;
        let cpu = random.below(CPUS.into()) as u16;
        let [thread, other] = [(); 2].map(|()| random.below(THREADS.len() as u64) as usize);
        let of_thread = (random.below(4) > 0).then_some(thread);
        let stack = random.below(STACKS.len() as u64) as usize;
        let at = time as u64;
        match random.below(20) {
            0 => {
                let id = made.ids[stack];
                assert!(made.moment(time, cpu, of_thread, What::Sample(id)));
                let (pid, tid) =
                    of_thread.map_or((0, 0), |thread| (PROCESSES[THREADS[thread].0].0, THREADS[thread].1));
                let mode = if STACKS[stack].last().is_some_and(|frame| frame.2) { 1 } else { 2 };
                samples.push((at, u64::from(cpu), u64::from(pid), u64::from(tid), mode, frames(stack)));
            }
            1 => {
                let with_stack = (random.below(2) > 0).then_some(stack);
                let what = What::Mark {
                    category: "Provider",
                    name: ["Start", "Stop"][stack % 2],
                    notes: NOTES,
                    stack: with_stack.map(|stack| made.ids[stack]),
                };
                assert!(made.moment(time, cpu, of_thread, what));
                let mut innermost_first = with_stack.map_or_else(Vec::new, frames);
                innermost_first.reverse();
                let name = ["Start", "Stop"][stack % 2].to_owned();
                let notes =
                    NOTES.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
                let text = innermost_first.join("\n");
                shown.push((at, line(of_thread, cpu), 3, "Provider".to_owned(), name, notes, text, at));
            }
            2 => {
                let (lane, name) = match stack {
                    0 => (Lane::Disk(7), "Disk 7".to_owned()),
                    1 => (Lane::Interrupts(cpu), format!("CPU {cpu} interrupts")),
                    _ => (Lane::Spans(5), "io".to_owned()),
                };
                let start = (time - random.below(90_000) as i64).max(0);
                let what = What::Span { lane, start, category: "io", name: "Read", notes: &[] };
                assert!(made.moment(time, cpu, of_thread, what));
                let read = "Read".to_owned();
                shown.push((start as u64, name, 1, "io".to_owned(), read, Vec::new(), String::new(), at));
            }
            3..=9 => {
                let tid = THREADS[other].1;
                assert!(made.moment(time, cpu, of_thread, What::Ready { thread: made.threads[other], tid }));
                let mut event = vec![(1, time), (3, tid.into()), (4, cpu.into())];
                event.extend(of_thread.map(|thread| (5, i64::from(THREADS[thread].1))));
                scheduled.entry(cpu.into()).or_default().push(event);
            }
            _ => {
                let switch = Switch {
                    old: made.threads[thread],
                    old_tid: THREADS[thread].1,
                    new: made.threads[other],
                    new_tid: THREADS[other].1,
                    old_priority: signed(&mut random, -1, 32),
                    new_priority: signed(&mut random, -1, 32),
                    old_state: signed(&mut random, -1, 10),
                    wait_reason: signed(&mut random, 0, 41),
                    wait_mode: signed(&mut random, 0, 2),
                };
                assert!(made.moment(time, cpu, Some(other), What::Switch(switch)));
                let known_state = (0..=7).contains(&switch.old_state);
                let mut event = vec![
                    (1, time),
                    (4, cpu.into()),
                    (21, switch.new_tid.into()),
                    (22, switch.old_tid.into()),
                    (23, 100 + i64::from(switch.new_priority.max(0))),
                    (24, 100 + i64::from(switch.old_priority.max(0))),
                    (27, switch.wait_mode.into()),
                    (if known_state { 28 } else { 33 }, switch.old_state.into()),
                    (31, switch.wait_reason.into()),
                ];
                event.sort_unstable();
                scheduled.entry(cpu.into()).or_default().push(event);
            }
        }
    }
    let out = made.finish();

    // Scheduling, in packets of each processor.
    let mut read = Scheduled::new();
    let bundles = at(&out, &[1, 95]);
    assert!(bundles.len() > usize::from(CPUS), "more than one packet of a processor");
    for (_, bundle) in bundles {
        let cpu = number(&bundle, &[1]).expect("a processor");
        assert!(!at(&bundle, &[2]).is_empty(), "no packet is empty");
        for (_, event) in at(&bundle, &[2]) {
            let mut values = Vec::new();
            for (field, value, message) in fields(&event) {
                match field {
                    2 => values.extend(fields(&message).into_iter().map(|(field, value, _)| {
                        let is_zigzag = matches!(field, 3 | 4 | 13);
                        let zigzag = (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
                        (20 + field, if is_zigzag { zigzag } else { value.cast_signed() })
                    })),
                    3 => values.push((3, number(&message, &[1]).expect("a thread").cast_signed())),
                    _ => values.push((field, value.cast_signed())),
                }
            }
            values.sort_unstable();
            read.entry(cpu).or_default().push(values);
        }
    }
    assert_eq!(read.len(), scheduled.len());
    for (cpu, events) in &scheduled {
        assert_same(&read[cpu], events);
    }

    // Readers refuse interned data of a sequence that was never begun: the first packet says so, no other does.
    let flags: Vec<Option<u64>> = at(&out, &[1]).iter().map(|(_, packet)| number(packet, &[13])).collect();
    assert_eq!(flags.first(), Some(&Some(1)), "issue 23");
    assert!(flags[1..].iter().all(|flags| flags.is_none_or(|flags| flags == 2)), "{flags:?}");

    // Samples, with their stacks.
    let (names, paths) = (interned(&out, 5), interned(&out, 17));
    let mappings: BTreeMap<u64, &str> = at(&out, &[1, 12, 19])
        .iter()
        .map(|(_, mapping)| (number(mapping, &[1]).unwrap(), paths[&number(mapping, &[7]).unwrap()].as_str()))
        .collect();
    let mut known = BTreeMap::new();
    for (_, frame) in at(&out, &[1, 12, 6]) {
        let name = &names[&number(&frame, &[2]).unwrap()];
        let module = mappings[&number(&frame, &[3]).unwrap()];
        assert_eq!(name.split_once('!').map_or("", |(module, _)| module), module, "{name}");
        known.insert(number(&frame, &[1]).unwrap(), name.clone());
    }
    let stacks: BTreeMap<u64, Vec<String>> = at(&out, &[1, 12, 7])
        .iter()
        .map(|(_, stack)| {
            let frames = at(stack, &[2]).iter().map(|(frame, _)| known[frame].clone()).collect();
            (number(stack, &[1]).unwrap(), frames)
        })
        .collect();
    let mut read = Vec::new();
    for (_, packet) in at(&out, &[1]) {
        if let Some((_, sample)) = at(&packet, &[66]).first() {
            let of = |field| number(sample, &[field]).unwrap();
            let time = number(&packet, &[8]).unwrap();
            read.push((time, of(1), of(2), of(3), of(5), stacks[&of(4)].clone()));
        }
    }
    assert_same(&read, &samples);

    // Spans and marks, on the lines that tracks describe.
    let mut lines = BTreeMap::new();
    for (_, track) in at(&out, &[1, 60]) {
        let text = match at(&track, &[4]).first() {
            Some((_, thread)) => {
                let of = |field| number(thread, &[field]).unwrap();
                format!("{} {} {}", of(1), of(2), texts(thread, &[5]).concat())
            }
            None => texts(&track, &[2]).concat(),
        };
        assert_eq!(lines.insert(number(&track, &[1]).unwrap(), text), None, "a track is described once");
    }
    let (names, keys, stack_texts) = (interned(&out, 2), interned(&out, 3), interned(&out, 29));
    let (mut read, mut open) = (Vec::<Shown>::new(), BTreeMap::new());
    for (_, packet) in at(&out, &[1]) {
        let Some((_, event)) = at(&packet, &[11]).first().cloned() else { continue };
        let (time, track) = (number(&packet, &[8]).unwrap(), number(&event, &[11]).unwrap());
        let kind = number(&event, &[9]).unwrap();
        if kind == 2 {
            let begun: usize = open.remove(&track).expect("an end follows a begin on the same line");
            read[begun].7 = time;
            continue;
        }
        let (mut notes, mut stack) = (Vec::new(), String::new());
        for (_, note) in at(&event, &[4]) {
            let key = &keys[&number(&note, &[1]).unwrap()];
            match number(&note, &[17]) {
                Some(text) => stack.clone_from(&stack_texts[&text]),
                None => notes.push((key.clone(), texts(&note, &[6]).concat())),
            }
        }
        if kind == 1 {
            assert_eq!(open.insert(track, read.len()), None, "spans of one line do not overlap");
        }
        let name = names[&number(&event, &[10]).unwrap()].clone();
        let category = texts(&event, &[22]).concat();
        read.push((time, lines[&track].clone(), kind, category, name, notes, stack, time));
    }
    assert_eq!(open.len(), 0);
    assert_same(&read, &shown);

    // Processes and threads, and the end of those whose number is used again.
    let (mut read, mut freed) = (Vec::new(), Vec::new());
    for (_, packet) in at(&out, &[1]) {
        let time = number(&packet, &[8]);
        for (_, process) in at(&packet, &[2, 1]) {
            let of = |field| number(&process, &[field]);
            read.push((time, of(1), of(2), texts(&process, &[3]), of(7)));
        }
        for (_, thread) in at(&packet, &[2, 2]) {
            read.push((time, number(&thread, &[1]), number(&thread, &[3]), texts(&thread, &[2]), None));
        }
        for (_, event) in at(&packet, &[1, 2]) {
            let of = |path: &[u64]| number(&event, path).unwrap();
            assert_eq!(of(&[2]), of(&[240, 2]));
            freed.push((of(&[1]), of(&[2])));
        }
    }
    let texts_of = |texts: &[&str]| -> Vec<String> {
        texts.iter().filter(|text| !text.is_empty()).map(|text| (*text).to_owned()).collect()
    };
    let mut expected = Vec::new();
    for (pid, parent, name, _, arguments, start, _) in PROCESSES {
        let start = start.map(i64::cast_unsigned);
        let names = texts_of(&[name, arguments]);
        expected.push((start.or(Some(0)), Some(pid.into()), parent.map(u64::from), names, start));
    }
    for (process, tid, name, start, _) in THREADS {
        let start = start.map_or(0, i64::cast_unsigned);
        let pid = PROCESSES[process].0;
        expected.push((Some(start), Some(tid.into()), Some(pid.into()), texts_of(&[name]), None));
    }
    assert_same(&read, &expected);
    assert_eq!(freed, [(699_999_999, 8), (700_000_499, 12)]);

    // Clocks.
    let clocks: Vec<_> =
        at(&out, &[1, 6, 1]).iter().map(|(_, of)| (number(of, &[1]), number(of, &[2]))).collect();
    assert_eq!(clocks, [(Some(6), Some(0)), (Some(1), Some(UNIX_NS.cast_unsigned()))]);
    assert_eq!((number(&out, &[1, 6, 2]), number(&out, &[1, 59, 58])), (Some(6), Some(6)));
    assert_eq!(number(&out, &[1, 59, 12, 1, 1]), Some(INTERVAL));
    assert_eq!(number(&out, &[1, 59, 12, 1, 4]), Some(1), "the timebase is the software processor clock");
}
