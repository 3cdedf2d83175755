//! The causes of waits against a naive model: random switches and wake-ups of few threads on two processors.

use std::collections::{BTreeMap, BTreeSet};

use tracewell_corpus::Random;
use tracewell_etl::Trace;
use tracewell_etl::write::PointerSize;
use tracewell_state::waits::{self, Ahead, Ended, Suspect, Wait, Waits};
use tracewell_testkit::described::{Described, trace};

/// A record before it is written: a switch, or a wake-up.
#[derive(Clone, Copy, Debug)]
enum Step {
    Switch { cpu: u8, old: u32, new: u32, state: i8 },
    Ready { tid: u32 },
}

const THREADS: u64 = 6;

/// Steps with the microseconds before each.
fn steps(random: &mut Random) -> Vec<(i64, Step)> {
    let mut on = [0u32; 2];
    let mut made: Vec<(i64, Step)> = Vec::new();
    // When threads ended: systems do not use an id again within milliseconds.
    let mut ended: BTreeMap<u32, i64> = BTreeMap::new();
    let mut now = 0;
    for _ in 0..120 {
        let most = [5, 900, 12_000][random.below(3) as usize];
        let after = 1 + random.below(most) as i64;
        if random.below(25) == 0 {
            now += after;
            made.push((after, Step::Ready { tid: 60 + random.below(THREADS) as u32 }));
            continue;
        }
        let cpu = random.below(2) as usize;
        let new = match random.below(4) {
            0 => 0,
            _ => 60 + random.below(THREADS) as u32,
        };
        let is_new = ended.get(&new).is_some_and(|end| now - end < 6_000);
        if new == on[cpu] || (new != 0 && on.contains(&new)) || is_new {
            continue;
        }
        now += after;
        let old = std::mem::replace(&mut on[cpu], new);
        let state = [1, 5, 5, 5, 5, 4][random.below(6) as usize];
        if state == 4 {
            ended.insert(old, now);
        }
        made.push((after, Step::Switch { cpu: cpu as u8, old, new, state }));
    }
    made
}

fn written(steps: &[(i64, Step)]) -> Vec<u8> {
    let record = |(after, step): &(i64, Step)| {
        let line = match step {
            Step::Switch { cpu, old, new, state } => format!(
                "Thread 36 2 after {after} cpu {cpu} | u32 {new} u32 {old} i8 8 i8 9 u8 0 i8 0 i8 6 i8 1 i8 {state} i8 0 u32 0 u32 0"
            ),
            Step::Ready { tid } => format!("Thread 50 2 after {after} | u32 {tid} i8 1 i8 2 i8 0 i8 0"),
        };
        Described::parse(&line).expect("a record")
    };
    let records: Vec<Described> = steps.iter().map(record).collect();
    trace(PointerSize::P64, &records).expect("a trace")
}

/// Each wait by its end and thread: its start, whether a wake-up is recorded, and its suspects.
type Found = BTreeMap<(i64, u32), (i64, bool, BTreeSet<(u32, i64, i64)>)>;

/// Looks at everything for each wait.
fn model(steps: &[(i64, Step)], start: i64) -> Found {
    let mut time = start;
    let timed: Vec<(i64, Step)> = steps
        .iter()
        .map(|(after, step)| {
            time += after * 1000;
            (time, *step)
        })
        .collect();
    let mut runs: Vec<(u32, i64, i64)> = Vec::new();
    let mut on: [Option<(u32, i64)>; 2] = [None; 2];
    let mut leaves: Vec<(u32, i64)> = Vec::new();
    let mut off: BTreeMap<u32, (i64, bool)> = BTreeMap::new();
    let mut found = Found::new();
    for &(time, step) in &timed {
        match step {
            Step::Ready { tid } => {
                if let Some((_, is_woken)) = off.get_mut(&tid) {
                    *is_woken = true;
                }
            }
            Step::Switch { cpu, old, new, state } => {
                if let Some((tid, since)) = on[usize::from(cpu)].replace((new, time)) {
                    runs.push((tid, since, time));
                }
                off.remove(&old);
                if matches!(state, 4 | 5) {
                    leaves.push((old, time));
                }
                if state == 5 {
                    off.insert(old, (time, false));
                }
                if let Some((from, is_woken)) = off.remove(&new).filter(|_| new != 0) {
                    found.insert((time, new), (from, is_woken, BTreeSet::new()));
                }
            }
        }
    }
    runs.extend(on.iter().flatten().map(|(tid, since)| (*tid, *since, i64::MAX)));
    for ((to, _), (from, is_woken, suspects)) in &mut found {
        let wait = Wait { from: *from, to: *to, reason: 6 };
        if *is_woken || to - *from < waits::LEAST_WAIT {
            continue;
        }
        let mut nearest: BTreeMap<u32, i64> = BTreeMap::new();
        for (tid, left) in leaves.iter().filter(|(tid, _)| *tid != 0) {
            let gap = left - *to;
            let known = nearest.entry(*tid).or_insert(gap);
            if gap.abs() < known.abs() {
                *known = gap;
            }
        }
        for (tid, gap) in nearest {
            // What ran under an id that has ended since is another thread's.
            let ended = |at: i64| leaves_by_end(&timed, tid).filter(|end| *end < at).max();
            let since = ended(to.saturating_add(gap)).unwrap_or(i64::MIN);
            let inside = |&&(of, from_run, _): &&(u32, i64, i64)| of == tid && from_run >= since;
            let part = |(_, a, b): &(u32, i64, i64)| ((*b).min(*to) - (*a).max(*from)).max(0);
            let ran: i64 = runs.iter().filter(inside).map(part).sum();
            if waits::confidence(&wait, ran, gap, true).is_some() {
                suspects.insert((tid, ran, gap));
            }
        }
    }
    found
}

/// When threads of an id ended.
fn leaves_by_end(timed: &[(i64, Step)], tid: u32) -> impl Iterator<Item = i64> {
    timed.iter().filter_map(move |(time, step)| match step {
        Step::Switch { old, state: 4, .. } if *old == tid => Some(*time),
        _ => None,
    })
}

fn followed(bytes: &[u8]) -> (Found, i64) {
    let trace = Trace::open(bytes).expect("the trace opens");
    let clock = trace.clock();
    let (mut follows, mut ahead) = (Waits::default(), Ahead::default());
    let (mut found, mut start) = (Found::new(), None);
    let mut suspects: Vec<(Ended, Vec<Suspect>)> = Vec::new();
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        let time = clock.ns(record.time());
        if record.hook().is_some_and(|hook| waits::RECORDS.contains(&hook)) {
            // The first switch is one of the machine that every trace has.
            start.get_or_insert(time);
        }
        ahead.observe(0, &record, time, |ended, all| suspects.push((*ended, all.to_vec())));
        if let Some(ended) = follows.observe(0, &record, time, None).ended {
            found.insert((ended.wait.to, ended.tid), (ended.wait.from, ended.is_woken, BTreeSet::new()));
            for suspect in follows.before(&ended) {
                assert!(suspect.gap <= 0 && suspect.ran <= ended.wait.to - ended.wait.from, "{suspect:?}");
            }
        }
    }
    ahead.finish(|ended, all| suspects.push((*ended, all.to_vec())));
    for (ended, all) in suspects {
        let of = found.get_mut(&(ended.wait.to, ended.tid)).expect("a wait that both found");
        of.2.extend(all.iter().map(|suspect| (suspect.tid, suspect.ran, suspect.gap)));
    }
    (found, start.unwrap_or_default())
}

#[test]
fn issue_20_the_suspects_of_waits_are_those_of_a_naive_model() {
    let (mut waits, mut woken, mut with_suspects) = (0, 0, 0);
    for seed in 0..1000 {
        let steps = steps(&mut Random(seed));
        let (found, first) = followed(&written(&steps));
        // The first record is 10 us after the start, and the machine's switch 100 ns.
        let wanted = model(&steps, first - 100);
        assert_eq!(found, wanted, "seed {seed}");
        waits += found.len();
        woken += found.values().filter(|(_, is_woken, _)| *is_woken).count();
        with_suspects += found.values().filter(|(.., suspects)| !suspects.is_empty()).count();
    }
    assert!(waits > 20_000 && woken > 500 && with_suspects > 1000, "{waits} {woken} {with_suspects}");
}
