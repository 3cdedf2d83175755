//! The order of the frames of one event's stack, whichever of its records comes or resolves first.

use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{Event, PointerSize};
use tracewell_etl::{ExtendedItem, Record, Trace};
use tracewell_state::{StackBuilder, StackCounts, Stacks};
use tracewell_types::Guid;

const STACK: u8 = 32;
const KEY_RUNDOWN: u8 = 36;
const KEY_KERNEL: u8 = 37;
const KEY_USER: u8 = 38;

/// An address of the system, on machines of 64 and of 32 bits.
const KERNEL: [u64; 2] = [0xFFFF_F800_0000_1000, 0x8000_1000];
/// Addresses of a program, that of 64 bits above all of 32 bits.
const USER: [u64; 2] = [0x7FF6_0000_1000, 0x7FFE_1000];

/// A StackWalk record without a thread in its header; `kind` 17 has pointers of 64 bits, 16 of 32.
fn stack_walk(kind: u8, opcode: u8, time: i64, payload: &[u8]) -> Vec<u8> {
    let size = u16::try_from(16 + payload.len()).unwrap();
    let mut bytes = vec![2, 0, kind, 0xC0];
    bytes.extend(size.to_le_bytes());
    bytes.extend([opcode, 0x18]);
    bytes.extend(time.to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// The words of a payload in the width of `kind`.
fn words(kind: u8, words: &[u64]) -> Vec<u8> {
    let size = if kind == 17 { 8 } else { 4 };
    words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(size)).collect()
}

/// A stack, or the key of one, of the event at `time` by thread 44 of process 8.
fn half(kind: u8, opcode: u8, time: i64, frames: &[u64]) -> Vec<u8> {
    let mut payload = time.to_le_bytes().to_vec();
    payload.extend([8, 44].into_iter().flat_map(u32::to_le_bytes));
    payload.extend(words(kind, frames));
    stack_walk(kind, opcode, time + 5, &payload)
}

fn collect(records: &[Vec<u8>]) -> Stacks {
    let mut builder = StackBuilder::new();
    records.iter().for_each(|bytes| builder.observe(&Record::parse(bytes, 0).unwrap()));
    builder.finish()
}

/// Equal stacks are kept once.
#[test]
fn issue_23_different_stacks_are_counted() {
    let (a, b) = ([0xFFFF_8000_0000_1000, 0xFFFF_8000_0000_2000], [0xFFFF_8000_0000_1000]);
    let stacks = collect(&[half(17, 32, 100, &a), half(17, 32, 200, &a), half(17, 32, 300, &b)]);
    assert_eq!(stacks.distinct(), 2);
    assert_eq!((frames_at(&stacks, 200), frames_at(&stacks, 300)), (a.to_vec(), b.to_vec()));
    assert_eq!(collect(&[]).distinct(), 0);
}

/// Beyond a limit, stacks are counted and not kept.
#[test]
fn issue_20_no_more_stacks_are_kept_than_asked_for() {
    let records: Vec<Vec<u8>> =
        (0..10).map(|at| half(17, STACK, 100 * at, &[KERNEL[0] + at as u64])).collect();
    for most in [0, 3, 10, 11] {
        let mut builder = StackBuilder::at_most(most);
        records.iter().for_each(|bytes| builder.observe(&Record::parse(bytes, 0).unwrap()));
        let stacks = builder.finish();
        let kept = most.min(10);
        assert_eq!((stacks.all(0).len(), stacks.distinct()), (kept, kept), "{most}");
        assert_eq!(stacks.counts(0).beyond, 10 - kept as u64, "{most}");
    }
}

fn frames_at(stacks: &Stacks, time: i64) -> Vec<u64> {
    let stack = stacks.of_event(0, time, Some(44), 0).unwrap();
    stacks.halves(stack).iter().flat_map(|half| stacks.frames(half).iter().copied()).collect()
}

/// Issue 3: a kernel half that is a key was placed after a user half that is not.
#[test]
fn kernel_frames_come_before_user_frames() {
    for (kind, &kernel, &user) in [(17, &KERNEL[0], &USER[0]), (16, &KERNEL[1], &USER[1])] {
        let (kernel, user) = ([kernel, kernel + 1], [user, user + 1]);
        let whole = [kernel, user].concat();
        let key_of = |key: u64, frames: &[u64]| {
            stack_walk(kind, KEY_RUNDOWN, 1000, &words(kind, &[&[key], frames].concat()))
        };
        let stacks = collect(&[
            half(kind, KEY_KERNEL, 100, &[1]),
            half(kind, STACK, 100, &user),
            half(kind, STACK, 200, &user),
            half(kind, STACK, 200, &kernel),
            half(kind, KEY_USER, 300, &[2]),
            half(kind, KEY_KERNEL, 300, &[1]),
            half(kind, KEY_USER, 400, &[2]),
            half(kind, STACK, 400, &kernel),
            key_of(1, &kernel),
            key_of(2, &user),
        ]);
        for time in [100, 200, 300, 400] {
            assert_eq!(frames_at(&stacks, time), whole, "{kind}: {time}");
        }
    }
}

/// A record whose frames go over from the system to the program keeps them as they are, also if they come back to it.
#[test]
fn the_order_inside_a_record_stays() {
    let (kernel, user) = (KERNEL[0], USER[0]);
    let odd = [user, kernel, user + 1];
    let stacks = collect(&[
        half(17, STACK, 100, &[user + 7]),
        half(17, STACK, 100, &[kernel, user]),
        half(17, STACK, 100, &[kernel + 7]),
        half(17, STACK, 200, &odd),
        // The same thread was walked twice at one time.
        half(17, STACK, 300, &[user, user + 1]),
        half(17, STACK, 300, &[user + 2]),
    ]);
    assert_eq!(frames_at(&stacks, 100), [kernel + 7, kernel, user, user + 7]);
    assert_eq!(frames_at(&stacks, 200), odd);
    assert_eq!(frames_at(&stacks, 300), [user, user + 1, user + 2], "in order of logging");
}

/// Issue 3: in a real trace with both plain stacks and keys, no record with frames of the program precedes one with
/// only frames of the system.
#[test]
fn real_stacks_go_from_the_system_to_the_program() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let (mut of_both, mut stacks_seen) = (0, 0);
    for name in ["perfview/net.4.5.2.x64.etl", "tx/HTTP_Server.etl"] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let mut builder = StackBuilder::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            builder.observe(&record);
        }
        let stacks = builder.finish();
        let all = stacks.all(0);
        for event in all.chunk_by(|a, b| (a.time, a.tid) == (b.time, b.tid)) {
            let is_kernel = |at: &u64| at >> 63 != 0;
            let (mut with_user, mut kernel) = (false, false);
            for half in event {
                let frames = stacks.frames(half);
                let all_kernel = !frames.is_empty() && frames.iter().all(is_kernel);
                assert!(!(with_user && all_kernel), "{name}: {} thread {}", half.time, half.tid);
                kernel |= all_kernel;
                with_user |= frames.iter().any(|at| !is_kernel(at));
            }
            stacks_seen += 1;
            of_both += u32::from(kernel && with_user);
        }
    }
    assert!(of_both > 1_000, "{of_both} of {stacks_seen}");
}

/// Issue 15: an interrupt that a processor logged at the time of a sample has none of the sample's stack, and the idle threads,
/// which all have the id 0, have the stacks of their processors.
#[test]
fn a_stack_belongs_to_one_event() {
    const SAMPLE: u16 = 0x0f2e;
    const INTERRUPT: u16 = 0x0f43;
    let event = |hook: u16, time: i64, payload: &[u8]| {
        let mut bytes = stack_walk(17, hook as u8, time, payload);
        bytes[7] = (hook >> 8) as u8;
        bytes
    };
    let of_thread = |tid: u32, time: i64, frames: &[u64]| {
        let mut payload = time.to_le_bytes().to_vec();
        payload.extend([8, tid].into_iter().flat_map(u32::to_le_bytes));
        payload.extend(words(17, frames));
        stack_walk(17, STACK, time + 5, &payload)
    };
    let (kernel, user) = (KERNEL[0], USER[0]);
    let records = [
        (0, event(SAMPLE, 100, &[0; 16])),
        (0, event(INTERRUPT, 100, &[0; 16])),
        (0, of_thread(44, 100, &[user])),
        (0, event(INTERRUPT, 200, &[0; 16])),
        (0, event(SAMPLE, 200, &[0; 16])),
        (0, of_thread(0, 200, &[kernel])),
        (1, event(SAMPLE, 200, &[0; 16])),
        (1, of_thread(0, 200, &[kernel + 1])),
        // Stacks of interrupts are theirs.
        (1, event(0x0f32, 300, &[0; 16])),
        (1, of_thread(44, 300, &[kernel + 2])),
        (1, event(0x0f32, 400, &[0; 16])),
        (1, event(INTERRUPT, 400, &[0; 16])),
        (1, of_thread(44, 400, &[kernel + 3])),
    ];
    let mut builder = StackBuilder::new();
    for (cpu, bytes) in &records {
        builder.observe(&Record::parse(bytes, *cpu).unwrap());
    }
    let stacks = builder.finish();
    let found = |hook: u16, cpu: u16, time: i64, tid: Option<u32>| -> Vec<u64> {
        let bytes = event(hook, time, &[0; 16]);
        let record = Record::parse(&bytes, cpu).unwrap();
        let stack = stacks.of_record(0, &record, tid);
        let halves = stack.map(|stack| stacks.halves(stack)).unwrap_or_default();
        halves.iter().flat_map(|half| stacks.frames(half).iter().copied()).collect()
    };
    assert_eq!(found(SAMPLE, 0, 100, Some(44)), [user]);
    assert_eq!(found(INTERRUPT, 0, 100, Some(44)), [0u64; 0]);
    assert_eq!(found(SAMPLE, 0, 200, Some(0)), [kernel]);
    assert_eq!(found(SAMPLE, 1, 200, Some(0)), [kernel + 1]);
    assert_eq!(found(SAMPLE, 2, 200, Some(0)), [0u64; 0]);
    assert_eq!(found(SAMPLE, 1, 200, None), [kernel + 1]);
    assert_eq!(found(SAMPLE, 2, 200, None), [0u64; 0]);
    assert_eq!(found(0x0f32, 1, 300, Some(44)), [kernel + 2]);
    assert_eq!(found(0x0f32, 1, 400, Some(44)), [kernel + 3]);
    assert_eq!(found(INTERRUPT, 1, 400, Some(44)), [0u64; 0]);
}

/// An event of thread 44 of process 8, with these extended items.
fn event(
    provider: Guid,
    id: u16,
    time: i64,
    wide: bool,
    items: &[(ExtendedKind, &[u8])],
    payload: &[u8],
) -> Vec<u8> {
    let pointer_size = if wide { PointerSize::P64 } else { PointerSize::P32 };
    let header = Event { time, provider, id, pid: 8, tid: 44, pointer_size, ..Event::default() };
    let items: Vec<ExtendedItem<'_>> =
        items.iter().map(|&(kind, data)| ExtendedItem { kind, data }).collect();
    let mut bytes = Vec::new();
    assert!(header.append(&items, payload, &mut bytes));
    bytes
}

/// Keys in events themselves, late halves and the stacks of the runtime: each is found, and counted once.
#[test]
fn stacks_of_every_source_are_found_and_counted() {
    const PROVIDER: Guid = Guid::parse("11111111-2222-3333-4444-555555555555");
    const RUNTIME: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    const EVENT_TRACING: Guid = Guid::parse("b675ec37-bdb6-4648-bc92-f3fdc74d3ca2");
    for (kind, wide, of_key, &kernel, &user) in [
        (17, true, ExtendedKind::STACK_KEY64, &KERNEL[0], &USER[0]),
        (16, false, ExtendedKind::STACK_KEY32, &KERNEL[1], &USER[1]),
    ] {
        let key_of = |match_id: u64, key: u64| [&match_id.to_le_bytes()[..], &words(kind, &[key])].concat();
        let keyed = |time: i64, match_id: u64, key: u64| {
            let data = key_of(match_id, key);
            event(
                PROVIDER,
                7,
                time,
                wide,
                &[(ExtendedKind::RELATED_ACTIVITY, &[1; 16]), (of_key, &data)],
                &[],
            )
        };
        let late = |match_id: u64, frames: &[u64]| {
            let payload = [&match_id.to_le_bytes()[..], &words(kind, frames)].concat();
            event(EVENT_TRACING, 18, 900, wide, &[], &payload)
        };
        let runtime = |id: u16, time: i64, frames: &[u64]| {
            let head = [1u16.to_le_bytes(), 0u16.to_le_bytes()].concat();
            let count = (frames.len() as u32).to_le_bytes();
            event(RUNTIME, id, time, wide, &[], &[&head[..], &count, &words(kind, frames)].concat())
        };
        let definition = stack_walk(kind, KEY_RUNDOWN, 1000, &words(kind, &[5, kernel, kernel + 1]));
        let stacks = collect(&[
            // Its rest comes late.
            keyed(100, 77, 5),
            keyed(200, 0, 5),
            // Of a key that is nowhere.
            keyed(300, 0, 6),
            late(77, &[user]),
            // An event of the runtime, and the stack that follows it.
            runtime(10, 400, &[]),
            runtime(82, 405, &[user + 8, user + 16]),
            definition,
        ]);
        let want = StackCounts { records: 3, keyed: 3, undefined_keys: 1, ..StackCounts::default() };
        assert_eq!(stacks.counts(0), want, "{kind}");
        assert_eq!(frames_at(&stacks, 100), [kernel, kernel + 1, user], "{kind}");
        assert_eq!(frames_at(&stacks, 200), [kernel, kernel + 1], "{kind}");
        assert_eq!(frames_at(&stacks, 400), [user + 8, user + 16], "{kind}");
        assert!(stacks.of_event(0, 300, Some(44), 0).is_none(), "{kind}");
        // A stack of the runtime without an event before it belongs to none.
        let alone = collect(&[runtime(82, 405, &[user])]);
        assert_eq!((alone.counts(0).clr_orphans, alone.counts(0).records), (1, 0), "{kind}");
    }
}
