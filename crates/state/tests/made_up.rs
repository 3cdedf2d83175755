//! Tables and timeline over hand-made records.

use tracewell_etl::Record;
use tracewell_state::{FOREVER, Machine, MachineBuilder, NameId, Needs, ONCE, Timeline, Who};

/// The bytes of a record, with the processor it is logged on.
struct Made {
    bytes: Vec<u8>,
    cpu: u16,
}

impl Made {
    fn record(&self) -> Record<'_> {
        Record::parse(&self.bytes, self.cpu).unwrap()
    }
}

/// A PERFINFO record: no thread in its header.
fn perf(group: u8, opcode: u8, version: u8, time: i64, payload: &[u8]) -> Made {
    sized(17, group, opcode, version, time, payload)
}

fn sized(kind: u8, group: u8, opcode: u8, version: u8, time: i64, payload: &[u8]) -> Made {
    let size = u16::try_from(16 + payload.len()).unwrap();
    let mut bytes = vec![version, 0, kind, 0xC0];
    bytes.extend(size.to_le_bytes());
    bytes.extend([opcode, group]);
    bytes.extend(time.to_le_bytes());
    bytes.extend(payload);
    Made { bytes, cpu: 0 }
}

/// A SYSTEM record, whose header names a thread.
fn system(group: u8, opcode: u8, version: u8, ids: (u32, u32), time: i64, payload: &[u8]) -> Made {
    let size = u16::try_from(32 + payload.len()).unwrap();
    let mut bytes = vec![version, 0, 2, 0xC0];
    bytes.extend(size.to_le_bytes());
    bytes.extend([opcode, group]);
    bytes.extend(ids.1.to_le_bytes());
    bytes.extend(ids.0.to_le_bytes());
    bytes.extend(time.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(payload);
    Made { bytes, cpu: 0 }
}

fn on(cpu: u16, made: Made) -> Made {
    Made { cpu, ..made }
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

/// Process version 2, without a user.
fn process(opcode: u8, time: i64, pid: u32, key: u64, image: &str, status: i32) -> Made {
    let mut bytes = key.to_le_bytes().to_vec();
    for number in [pid, 4, 1] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(status.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(image.as_bytes());
    bytes.push(0);
    bytes.extend(utf16("line"));
    perf(3, opcode, 2, time, &bytes)
}

/// Thread version 3 with a name.
fn thread(opcode: u8, time: i64, pid: u32, tid: u32, name: &str) -> Made {
    let mut bytes = [pid.to_le_bytes(), tid.to_le_bytes()].concat();
    bytes.extend([0; 56]);
    bytes.extend([0; 4]);
    bytes.extend([8, 5, 2, 0]);
    bytes.extend(utf16(name));
    perf(5, opcode, 3, time, &bytes)
}

fn switch(time: i64, new: u32, old: u32) -> Made {
    let mut bytes = [new.to_le_bytes(), old.to_le_bytes()].concat();
    bytes.extend([9, 0xFE, 1, 0, 7, 1, 5, 3]);
    bytes.extend(40u32.to_le_bytes());
    bytes.extend([0; 4]);
    perf(5, 36, 2, time, &bytes)
}

fn sample(time: i64, tid: u32) -> Made {
    let mut bytes = vec![0x11; 8];
    bytes.extend(tid.to_le_bytes());
    bytes.extend([1, 0, 0x58, 0]);
    perf(0x0F, 46, 2, time, &bytes)
}

fn build(records: &[Made]) -> Machine {
    let mut builder = MachineBuilder::new();
    records.iter().for_each(|made| builder.observe(&made.record()));
    assert_eq!(builder.unread(), 0);
    builder.finish()
}

fn image_of(machine: &Machine, pid: u32, time: i64) -> Option<&str> {
    let process = machine.process(machine.process_at(pid, time)?)?;
    Some(machine.name(process.value.image_lower))
}

#[test]
fn a_pid_used_again_is_another_process() {
    let machine = build(&[
        process(4, 900, 8, 0x30, "Second.EXE", 0),
        process(3, 100, 8, 0x10, "First.exe", 0),
        process(2, 200, 8, 0x10, "First.exe", -5),
        process(1, 300, 8, 0x30, "Second.EXE", 0),
    ]);
    assert_eq!(image_of(&machine, 8, i64::MIN), Some("first.exe"), "rundown opens the past");
    assert_eq!(image_of(&machine, 8, 250), Some("first.exe"), "the id has not been reused yet");
    assert_eq!(image_of(&machine, 8, 300), Some("second.exe"));
    assert_eq!(image_of(&machine, 8, i64::MAX), Some("second.exe"));
    let spans: Vec<_> = machine.processes_of(8).collect();
    assert_eq!(spans.len(), 2);
    assert_eq!((spans[0].start, spans[0].end, spans[0].value.exit_status), (FOREVER, 200, Some(-5)));
    assert_eq!((spans[1].start, spans[1].end, spans[1].value.exit_status), (300, ONCE, None));
    assert_eq!(machine.name(spans[1].value.image), "Second.EXE");
    assert_eq!(machine.name(spans[1].value.command_line), "line");
    assert_eq!((spans[1].value.parent, spans[1].value.user), (Some(4), NameId::EMPTY));
}

#[test]
fn unknown_ids_are_unknown_and_zero_is_idle() {
    let machine = build(&[process(1, 300, 8, 0x30, "a.exe", 0)]);
    assert_eq!(machine.process_at(12, 500), None);
    assert_eq!(machine.process_at(8, 299), None, "not begun yet");
    assert_eq!(image_of(&machine, 0, 5), Some("idle"));
    let idle = machine.thread(machine.thread_at(0, 5).unwrap()).unwrap();
    assert_eq!((idle.value.pid, idle.value.process), (0, machine.process_at(0, 5)));
    assert_eq!(machine.file_at(1, 1), None);
    assert_eq!(machine.first_on_cpu(0), None);
    let timeline = Timeline::new(&machine);
    assert_eq!(timeline.current(0), None);
    let nobody = perf(0x0F, 68, 2, 400, &[0; 16]);
    assert_eq!(timeline.who(&nobody.record()), Who::default());
    let stranger = timeline.who(&sample(400, 77).record());
    assert_eq!(stranger, Who { tid: Some(77), ..Who::default() });
}

#[test]
fn threads_follow_their_process_over_reuse() {
    let machine = build(&[
        process(3, 100, 8, 0x10, "first.exe", 0),
        thread(3, 101, 8, 40, "old"),
        thread(2, 190, 8, 40, "old"),
        process(2, 200, 8, 0x10, "first.exe", 0),
        process(1, 300, 8, 0x30, "second.exe", 0),
        thread(1, 301, 8, 40, ""),
        perf(5, 72, 2, 350, &[&8u32.to_le_bytes()[..], &40u32.to_le_bytes(), &utf16("named")].concat()),
    ]);
    let at = |time| machine.thread(machine.thread_at(40, time).unwrap()).unwrap();
    let image = |time| {
        let process = machine.process(at(time).value.process.unwrap()).unwrap();
        machine.name(process.value.image).to_owned()
    };
    assert_eq!((image(i64::MIN).as_str(), image(301).as_str()), ("first.exe", "second.exe"));
    assert_eq!((machine.name(at(150).value.name), machine.name(at(400).value.name)), ("old", "named"));
    assert_eq!(at(150).value.base_priority, Some(8));
}

#[test]
fn headers_and_stacks_are_evidence_for_undefined_threads() {
    let mut stack = 5u64.to_le_bytes().to_vec();
    stack.extend(8u32.to_le_bytes());
    stack.extend(44u32.to_le_bytes());
    let machine = build(&[
        process(3, 100, 8, 0x10, "a.exe", 0),
        thread(1, 500, 8, 40, ""),
        system(3, 11, 2, (12, 40), 200, &8u32.to_le_bytes()),
        perf(0x18, 32, 2, 300, &stack),
        system(3, 11, 2, (u32::MAX, 48), 300, &8u32.to_le_bytes()),
    ]);
    let pid = |tid, time| machine.thread_at(tid, time).and_then(|i| machine.thread(i)).map(|s| s.value.pid);
    assert_eq!(
        (pid(40, 1), pid(40, 499), pid(40, 500)),
        (Some(12), Some(12), Some(8)),
        "definitions go first"
    );
    assert_eq!(pid(44, 1), Some(8));
    assert_eq!(pid(48, 300), None, "the header names no process");
}

#[test]
fn files_and_images_by_time() {
    let file = |opcode, time, key: u64, path: &str| {
        perf(4, opcode, 2, time, &[&key.to_le_bytes()[..], &utf16(path)].concat())
    };
    let image = |opcode, time, base: u64, path: &str| {
        let mut bytes = base.to_le_bytes().to_vec();
        bytes.extend(0x1000u64.to_le_bytes());
        bytes.extend(8u32.to_le_bytes());
        bytes.extend([0; 36]);
        bytes.extend(utf16(path));
        // Loads are in the Process group, the others in their own.
        perf(if opcode == 10 { 3 } else { 0x14 }, opcode, 3, time, &bytes)
    };
    let machine = build(&[
        file(35, 50, 7, "\\a"),
        file(32, 60, 7, "\\b"),
        file(36, 900, 7, "\\b"),
        file(36, 901, 9, "\\c"),
        file(32, 500, 11, "\\d"),
        image(3, 10, 0x40_0000, "\\x.exe"),
        image(10, 100, 0x50_0000, "\\y.dll"),
        image(2, 200, 0x50_0000, "\\y.dll"),
        image(10, 300, 0x50_0000, "\\z.dll"),
        image(10, 120, 0x60_0000, "\\Windows\\W.dll"),
        image(4, 990, 0x60_0000, "\\Device\\Disk1\\Windows\\w.dll"),
    ]);
    let path = |key, time| machine.file_at(key, time).map(|name| machine.name(name));
    assert_eq!((path(7, 1), path(7, 60), path(7, 10_000)), (Some("\\a"), Some("\\b"), Some("\\b")));
    assert_eq!((path(9, 1), path(8, 1)), (Some("\\c"), None));
    // Read while it was being opened (#5).
    let read = |key, time| machine.transferred_file_at(key, time).map(|name| machine.name(name));
    assert_eq!((path(11, 499), read(11, 499), read(11, 501)), (None, Some("\\d"), Some("\\d")));
    assert_eq!((read(7, 1), read(8, 1)), (Some("\\a"), None));
    let at = |address, time| machine.image_at(8, address, time).map(|span| machine.name(span.value.file));
    assert_eq!((at(0x40_0FFF, 5), at(0x40_1000, 5)), (Some("\\x.exe"), None));
    assert_eq!(at(0x50_0800, 150), Some("\\y.dll"));
    assert_eq!((at(0x50_0800, 250), at(0x50_0800, 300)), (None, Some("\\z.dll")));
    assert_eq!(machine.image_at(12, 0x40_0000, 5), None);
    let twice_told = machine.image_at_base(8, 0x60_0000, 500).unwrap();
    assert_eq!((twice_told.start, twice_told.end), (120, ONCE), "two ways to write one path");
    assert_eq!(machine.name(twice_told.value.file), "\\Device\\Disk1\\Windows\\w.dll");
    assert_eq!(machine.name(twice_told.value.module), "w.dll");
}

/// Small images of another time inside a large one do not hide it, nor do those of other processes.
#[test]
fn images_inside_the_addresses_of_others() {
    let image = |opcode, time, pid: u32, base: u64, size: u64, path: &str| {
        let mut bytes = [base.to_le_bytes(), size.to_le_bytes()].concat();
        bytes.extend(pid.to_le_bytes());
        bytes.extend([0; 36]);
        bytes.extend(utf16(path));
        perf(if opcode == 10 { 3 } else { 0x14 }, opcode, 3, time, &bytes)
    };
    let machine = build(&[
        image(10, 100, 8, 0x10_0000, 0x9_0000, "\\large.dll"),
        image(2, 200, 8, 0x10_0000, 0x9_0000, "\\large.dll"),
        image(10, 300, 8, 0x12_0000, 0x1000, "\\a.dll"),
        image(10, 310, 8, 0x14_0000, 0x1000, "\\b.dll"),
        image(10, 100, 4, 0x10_0000, 0x20_0000, "\\before.dll"),
        image(10, 100, 12, 0x13_0000, 0x1000, "\\behind.dll"),
    ]);
    let at =
        |pid, address, time| machine.image_at(pid, address, time).map(|span| machine.name(span.value.file));
    for (address, early, late) in [
        (0x0F_FFFF, None, None),
        (0x10_0000, Some("\\large.dll"), None),
        (0x12_0FFF, Some("\\large.dll"), Some("\\a.dll")),
        (0x12_1000, Some("\\large.dll"), None),
        (0x14_0000, Some("\\large.dll"), Some("\\b.dll")),
        (0x18_FFFF, Some("\\large.dll"), None),
        (0x19_0000, None, None),
    ] {
        assert_eq!((at(8, address, 150), at(8, address, 350)), (early, late), "{address:#x}");
    }
    let ever = |pid, address| machine.image_ever(pid, address).map(|span| machine.name(span.value.file));
    assert_eq!(
        (ever(8, 0x12_0800), ever(8, 0x18_0000), ever(8, 0x20_0000)),
        (Some("\\a.dll"), Some("\\large.dll"), None)
    );
    assert_eq!((at(12, 0x13_0000, 150), at(12, 0x12_0000, 150)), (Some("\\behind.dll"), None));
    assert_eq!((at(4, 0x2F_FFFF, 150), at(4, 0x30_0000, 150)), (Some("\\before.dll"), None));
}

#[test]
fn context_switches_move_threads_and_their_scheduling() {
    let records = [
        process(3, 1, 8, 0x10, "a.exe", 0),
        thread(3, 1, 8, 40, ""),
        thread(3, 1, 8, 44, ""),
        switch(100, 40, 0),
        on(1, switch(110, 0, 44)),
        switch(120, 0, 40),
        switch(130, 44, 40),
    ];
    let machine = build(&records);
    assert_eq!((machine.first_on_cpu(0), machine.first_on_cpu(1)), (Some(0), Some(44)));
    let mut timeline = Timeline::new(&machine);
    let tid = |timeline: &Timeline<'_>, cpu| timeline.current(cpu).map(|thread| thread.tid);
    assert_eq!((tid(&timeline, 0), tid(&timeline, 1), tid(&timeline, 2)), (Some(0), Some(44), None));

    let dpc = on(1, perf(0x0F, 68, 2, 50, &[0; 16]));
    let who = timeline.who(&dpc.record());
    assert_eq!((who.pid, who.tid, who.process), (Some(8), Some(44), machine.process_at(8, 50)));

    assert_eq!(timeline.apply(&records[0].record()), None);
    let first = timeline.apply(&records[3].record()).unwrap();
    assert_eq!((first.old.tid, first.new.tid, first.consistent), (0, 40, true));
    let known = *timeline.scheduling(first.new.thread.unwrap()).unwrap();
    assert_eq!(
        (known.priority, known.wait_time, known.state, known.cpu),
        (Some(9), Some(40), Some(2), Some(0))
    );
    assert_eq!(timeline.who(&records[3].record()).tid, Some(40), "the switch belongs to the new thread");

    assert!(timeline.apply(&records[4].record()).unwrap().consistent);
    assert!(timeline.apply(&records[5].record()).unwrap().consistent);
    let known = *timeline.scheduling(first.new.thread.unwrap()).unwrap();
    assert_eq!((known.priority, known.wait_reason, known.wait_mode), (Some(-2), Some(7), Some(1)));
    assert_eq!((known.state, known.ideal_cpu, known.wait_time), (Some(5), Some(3), Some(40)));
    assert!(!timeline.apply(&records[6].record()).unwrap().consistent, "idle ran, not 40");
    assert_eq!((tid(&timeline, 0), timeline.inconsistent_switches()), (Some(44), 1));
}

#[test]
fn payload_goes_before_header_and_header_before_processor() {
    let machine = build(&[
        process(3, 1, 8, 0x10, "a.exe", 0),
        process(3, 1, 12, 0x20, "b.exe", 0),
        thread(3, 1, 8, 40, ""),
        thread(3, 1, 12, 60, ""),
        switch(100, 0, 60),
    ]);
    let timeline = Timeline::new(&machine);
    let ids = |made: &Made| {
        let who = timeline.who(&made.record());
        assert_eq!(who.process, who.pid.and_then(|pid| machine.process_at(pid, 5)));
        (who.pid, who.tid)
    };
    assert_eq!(ids(&sample(5, 40)), (Some(8), Some(40)));
    let small = [&[0x11; 4][..], &40u32.to_le_bytes(), &[0; 4]].concat();
    assert_eq!(ids(&sized(16, 0x0F, 46, 2, 5, &small)), (Some(8), Some(40)), "32-bit pointers");

    let disk = |pointer: usize, tid: u32| {
        let mut bytes = vec![0; 24 + 2 * pointer + 8];
        bytes.extend(tid.to_le_bytes());
        bytes
    };
    assert_eq!(ids(&perf(1, 10, 3, 5, &disk(8, 40))), (Some(8), Some(40)));
    assert_eq!(ids(&sized(16, 1, 10, 3, 5, &disk(4, 40))), (Some(8), Some(40)));
    assert_eq!(ids(&perf(1, 10, 3, 5, &disk(8, u32::MAX))), (Some(12), Some(60)), "no issuing thread");
    let old = system(1, 10, 2, (8, 40), 5, &[0; 48]);
    assert_eq!(ids(&old), (Some(8), Some(40)), "version 2 has no thread: the header");

    let mut net = vec![0; 56];
    net[..4].copy_from_slice(&8u32.to_le_bytes());
    assert_eq!(ids(&perf(6, 27, 2, 5, &net)), (Some(8), None));
    let started = system(3, 1, 3, (8, 40), 5, &[0; 8]);
    assert_eq!(ids(&started), (Some(8), Some(40)), "a process start belongs to the one that started it");
    let dpc = perf(0x0F, 68, 2, 5, &[0; 16]);
    assert_eq!(ids(&dpc), (Some(12), Some(60)));
    let short = perf(0x0F, 46, 2, 5, &[0; 9]);
    assert_eq!(ids(&short), (Some(12), Some(60)), "a cut payload is no actor");
}

/// Where payloads name their thread or process: group, event type, version, offset with pointers of 8 and of 4 bytes, and
/// whether it is a thread.
const ACTORS: &[(u8, u8, u8, [usize; 2], bool)] = &[
    (0x0F, 46, 2, [8, 4], true),
    (0x0F, 47, 2, [8, 4], true),
    (1, 10, 3, [48, 40], true),
    (1, 11, 3, [48, 40], true),
    // A version that is not described has the fields of the last one.
    (1, 11, 9, [48, 40], true),
    (1, 12, 3, [8, 4], true),
    (1, 14, 3, [24, 20], true),
    (4, 64, 2, [8, 4], true),
    (4, 64, 3, [16, 8], true),
    (4, 65, 2, [8, 4], true),
    (4, 66, 3, [24, 12], true),
    (4, 67, 2, [16, 12], true),
    (4, 68, 3, [32, 20], true),
    (4, 69, 3, [32, 16], true),
    (2, 32, 2, [32, 24], true),
    (0x18, 32, 2, [12, 12], true),
    (0x18, 37, 2, [12, 12], true),
    (6, 10, 0, [16, 16], false),
    (6, 10, 1, [0, 0], false),
    (6, 11, 2, [0, 0], false),
    (6, 27, 2, [0, 0], false),
    (8, 10, 1, [0, 0], false),
    (8, 27, 2, [0, 0], false),
];

#[test]
fn issue_23_actors_are_where_the_documentation_has_them() {
    let machine = build(&[
        process(3, 1, 8, 0x10, "a.exe", 0),
        process(3, 1, 12, 0x20, "b.exe", 0),
        thread(3, 1, 8, 40, ""),
        thread(3, 1, 12, 60, ""),
        switch(100, 0, 60),
    ]);
    let timeline = Timeline::new(&machine);
    for &(group, opcode, version, offsets, is_thread) in ACTORS {
        for (kind, at) in [(17, offsets[0]), (16, offsets[1])] {
            let ids = |payload: &[u8]| {
                let who = timeline.who(&sized(kind, group, opcode, version, 5, payload).record());
                (who.pid, who.tid, who.thread.is_some())
            };
            let mut payload = vec![0x11; 64];
            payload[at..at + 4].copy_from_slice(&if is_thread { 40u32 } else { 8 }.to_le_bytes());
            let want = (Some(8), is_thread.then_some(40), is_thread);
            assert_eq!(ids(&payload), want, "{group} {opcode} {version}, kind {kind}");
            // The thread that runs, where the field is cut off or has no id.
            let running = (Some(12), Some(60), true);
            assert_eq!(ids(&payload[..at + 3]), running, "{group} {opcode} {version}, cut");
            payload[at..at + 4].fill(0xFF);
            assert_eq!(ids(&payload), running, "{group} {opcode} {version}, no id");
        }
    }
}

/// By default all is needed: then a trace is asked for the records of every kind.
#[test]
fn issue_23_by_default_everything_is_needed() {
    let all = Needs::default();
    assert!(all.images && all.files && all.stacks);
    for bits in 0..8 {
        let needs = Needs { images: bits & 1 != 0, files: bits & 2 != 0, stacks: bits & 4 != 0 };
        // Groups of 256 types: processes and threads; files and keys; images. And three kinds of stack records.
        let groups = 2 + 2 * usize::from(needs.files) + usize::from(needs.images);
        let hooks = 256 * groups + 3 * usize::from(needs.stacks);
        let shown = format!("{:?}", needs.records());
        assert!(shown.contains(&format!("hooks: {hooks}, named: true, classes: true")), "{needs:?} {shown}");
    }
}

#[test]
fn damaged_definitions_are_counted() {
    let mut builder = MachineBuilder::new();
    for cut in 0..20 {
        builder.observe(&perf(3, 1, 4, 1, &vec![1; cut]).record());
        builder.observe(&perf(5, 36, 2, 1, &vec![1; cut.min(7)]).record());
    }
    assert_eq!(builder.unread(), 40);
    let machine = builder.finish();
    assert_eq!(machine.processes().len(), 1, "only idle");
}

/// Each kind of definition is counted once, and what ended before a time is forgotten, each kind by itself.
#[test]
fn issue_23_definitions_are_counted_and_forgotten() {
    let image = |opcode, time| {
        let mut bytes = [0x5_0000u64.to_le_bytes(), 0x1000u64.to_le_bytes()].concat();
        bytes.extend(8u32.to_le_bytes());
        bytes.extend([0; 36]);
        bytes.extend(utf16("a.dll"));
        perf(if opcode == 10 { 3 } else { 0x14 }, opcode, 3, time, &bytes)
    };
    let file = |opcode, time| perf(4, opcode, 2, time, &[&0x77u64.to_le_bytes()[..], &utf16("f")].concat());
    let lives = [
        [process(1, 100, 8, 0x10, "a.exe", 0), process(2, 300, 8, 0x10, "a.exe", 0)],
        [thread(1, 100, 8, 40, ""), thread(2, 300, 8, 40, "")],
        [image(10, 100), image(2, 300)],
        [file(0, 100), file(35, 300)],
    ];
    let known = |machine: &Machine| {
        [
            machine.process_at(8, 200).is_some(),
            machine.thread_at(40, 200).is_some(),
            machine.image_at(8, 0x5_0010, 200).is_some(),
            machine.file_at(0x77, 200).is_some(),
        ]
    };
    for (at, life) in lives.iter().enumerate() {
        let mut builder = MachineBuilder::new();
        let mut counts = vec![builder.definitions()];
        for made in life {
            builder.observe(&made.record());
            counts.push(builder.definitions());
        }
        assert!(counts[0] == 0 && counts[1] > 0 && counts[2] > counts[1], "{at}: {counts:?}");
        let only = [0, 1, 2, 3].map(|kind| kind == at);
        builder.forget(250);
        assert_eq!(known(&builder.snapshot()), only, "it still lives then");
        builder.forget(301);
        assert_eq!(known(&builder.snapshot()), [false; 4], "{at}");
    }
}

/// Records of any content, in any order, neither panic nor bring the tables out of order.
#[test]
fn noise_is_survived() {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut noise = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let hooks: [(u8, &[u8]); 9] = [
        (3, &[1, 2, 3, 4, 10, 39]),
        (5, &[1, 2, 3, 4, 36, 72]),
        (4, &[0, 32, 35, 36, 64]),
        (0x14, &[2, 3, 4, 10]),
        (0x18, &[32, 37]),
        (0x0F, &[46, 66]),
        (1, &[10, 14]),
        (6, &[10, 26]),
        (2, &[32]),
    ];
    let mut made = Vec::new();
    for _ in 0..4000 {
        let (group, opcodes) = hooks[noise() as usize % hooks.len()];
        let opcode = opcodes[noise() as usize % opcodes.len()];
        let length = noise() as usize % 120;
        let mask = if noise() % 2 == 0 { 0x03 } else { 0xFF };
        let payload: Vec<u8> = (0..length).map(|_| noise() as u8 & mask).collect();
        let kind = if noise() % 4 == 0 { 16 } else { 17 };
        let time = if noise() % 50 == 0 { noise() as i64 } else { (noise() % 5000) as i64 };
        made.push(on((noise() % 3) as u16, sized(kind, group, opcode, (noise() % 6) as u8, time, &payload)));
    }
    let mut builder = MachineBuilder::new();
    made.iter().for_each(|made| builder.observe(&made.record()));
    let machine = builder.finish();
    assert!(machine.processes().len() > 1 && machine.threads().len() > 1);
    let processes: Vec<_> = machine.processes().collect();
    for pair in processes.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        assert!(a.value.pid < b.value.pid || a.start <= b.start, "{a:?} {b:?}");
    }
    for span in machine.processes() {
        let found = machine.process(machine.process_at(span.value.pid, span.start).unwrap()).unwrap();
        assert_eq!(found.value.pid, span.value.pid);
        assert!(span.start <= span.end);
    }
    made.sort_by_key(|made| made.record().time());
    let mut timeline = Timeline::new(&machine);
    for made in &made {
        let record = made.record();
        timeline.apply(&record);
        let who = timeline.who(&record);
        if let Some(process) = who.process {
            assert_eq!(Some(machine.process(process).unwrap().value.pid), who.pid);
        }
        let image = machine.image_at(who.pid.unwrap_or(0), 0x0303_0303, record.time());
        assert!(image.is_none_or(|span| span.contains(record.time())));
    }
}
