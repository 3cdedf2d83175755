//! Each kind of sample becomes the records it should, and every payload is exactly as long as the layout that the schema has
//! for it.

use super::*;
use crate::clock::Monotonic;
use crate::sample::{Head, PIECE_ROOM};
use std::collections::BTreeSet;
use tracewell_etl::Record;
use tracewell_schema::{Count, EventMatch, Field, FieldType, Length, kernel};
use zerocopy::IntoBytes;

/// A machine that knows two files and a listener.
struct Known;

impl Place for Known {
    fn open_path(&self, pid: u32, descriptor: u32) -> Option<String> {
        (pid == 100 && descriptor == 3).then(|| "/tmp/three".to_owned())
    }
    fn directory(&self, pid: u32) -> Option<String> {
        (pid == 100).then(|| "/srv/ada".to_owned())
    }
    fn listener(&self, port: u16) -> Option<u32> {
        (port == 8080).then_some(77)
    }
    fn memory(&self, pid: u32, address: u64, into: &mut [u8]) -> usize {
        let text: &[u8] = if (pid, address) == (100, 0x5000) { b"late\0" } else { b"" };
        into[..text.len()].copy_from_slice(text);
        text.len()
    }
}

struct Bench {
    translator: Translator<Known>,
    out: Out,
    time: u64,
}

/// The row of a tracepoint, by its events: some tracepoints have several rows.
fn row(name: &str) -> u32 {
    ROWS.iter().position(|row| row.from.name() == name).unwrap() as u32
}

impl Bench {
    fn new() -> Bench {
        let fixed = Fixed {
            flags: flag::all(),
            calls: vec![0xFFFF_0000, 0xFFFF_0001],
            disks: vec![(254, 0)],
            vectors: [0xF0, 0xF1, 0xF2, 0xF3],
            ..Fixed::default()
        };
        let fixed = fixed.with_symbols(|name| match name {
            "run_timer_softirq" => Some(0xAAAA),
            "net_rx_action" => Some(0xBBBB),
            "sysvec_apic_timer_interrupt" => Some(0xCCCC),
            _ => None,
        });
        Bench {
            translator: Translator::new(Known, fixed, Box::new(Monotonic)),
            out: Out::default(),
            time: 1_000,
        }
    }

    /// Translates a sample by process 100, thread 101, on processor 1, a microsecond after the one before.
    fn sample<S: Sample>(&mut self, mut sample: S, point: &str, stack: &[u64]) -> Vec<String> {
        self.time += 1_000;
        let row = if point.is_empty() { 0 } else { row(point) };
        let head = Head { kind: S::KIND, row, time: self.time, tid: 101, pid: 100 };
        sample.as_mut_bytes()[..24].copy_from_slice(head.as_bytes());
        let mut bytes = sample.as_bytes().to_vec();
        bytes.extend(stack.iter().flat_map(|frame| frame.to_le_bytes()));
        self.translator.sample(1, &bytes, &mut self.out);
        self.shown_records()
    }

    /// The records so far: class, event and payload in words.
    fn shown_records(&mut self) -> Vec<String> {
        let mut records = Vec::new();
        let time = self.time;
        self.out.drain(|cpu, at, bytes| {
            let record = Record::parse(bytes, cpu).unwrap();
            assert_eq!((record.time().cast_unsigned(), record.bytes().len()), (at, bytes.len()));
            assert!(at <= time);
            records.push(shown(&record));
        });
        assert_eq!(self.translator.unknown().samples, 0);
        records
    }
}

/// A record in words: its event, and the fields that are not 0.
fn shown(record: &Record<'_>) -> String {
    let opcode = record.opcode();
    let class = match record.hook() {
        Some(hook) => kernel::by_hook((hook >> 8) as u8, hook as u8),
        None => kernel::by_guid(&record.guid()),
    };
    let class = class.unwrap();
    let Some(EventMatch { event, version, exact }) = class.event(opcode, record.version()) else {
        panic!("{} has no type {opcode}", class.name)
    };
    assert!(exact, "{} {} has no version {}", class.name, event.name, record.version());
    let mut rest = record.payload();
    let mut words = format!("{}/{}", class.name, event.name);
    for field in &*version.fields {
        if rest.is_empty() && field.optional {
            break;
        }
        let (taken, text) = value(field, rest);
        rest = rest.get(taken..).unwrap_or_else(|| panic!("{words} ends in {}", field.name));
        if !text.is_empty() {
            words += &format!(" {}={text}", field.name);
        }
    }
    assert!(rest.is_empty(), "{words}: {} bytes are left", rest.len());
    words
}

/// How many bytes a field takes, and what it says.
fn value(field: &Field, bytes: &[u8]) -> (usize, String) {
    if let Some(size) = field.fixed_size(8) {
        let mut word = [0; 8];
        let short = &bytes[..size.min(8)];
        word[..short.len()].copy_from_slice(short);
        let number = match field.ty {
            FieldType::Port => u64::from(u16::from_be_bytes([word[0], word[1]])),
            FieldType::Ipv4 => u64::from(u32::from_be_bytes([word[0], word[1], word[2], word[3]])),
            FieldType::Ipv6 => u64::from(bytes[15]),
            _ => u64::from_le_bytes(word),
        };
        return (size, if number == 0 { String::new() } else { format!("{number:x}") });
    }
    match (&field.ty, field.count) {
        // Fields that may be missing have no fixed size.
        (FieldType::U32, Count::One) => (4, String::new()),
        (FieldType::Utf16(Length::Nul), Count::One) => {
            let units: Vec<u16> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|unit| u16::from_le_bytes(*unit))
                .take_while(|unit| *unit != 0)
                .collect();
            (2 * units.len() + 2, String::from_utf16(&units).unwrap())
        }
        (FieldType::Ansi(Length::Nul), Count::One) => {
            let text = text(bytes);
            (text.len() + 1, String::from_utf8(text.to_vec()).unwrap())
        }
        (FieldType::TokenUser, Count::One) => (
            16 + 8 + 4 * usize::from(bytes[17]),
            format!("{}", u32::from_le_bytes(bytes[28..32].try_into().unwrap())),
        ),
        (_, Count::Rest) => {
            let frames = bytes.as_chunks().0.iter().map(|frame| format!("{:x}", u64::from_le_bytes(*frame)));
            (bytes.len(), frames.collect::<Vec<_>>().join(","))
        }
        (ty, count) => panic!("{}: {ty:?} {count:?} is not known here", field.name),
    }
}

fn named<const N: usize>(name: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    bytes
}

fn four(local: u16, remote: u16, protocol: i32) -> Ends {
    let mut ends = Ends {
        socket: 0x50CC,
        family: libc::AF_INET as u16,
        protocol: protocol as u16,
        local_port: local,
        remote_port: remote.to_be(),
        ..Ends::default()
    };
    ends.local[..4].copy_from_slice(&[10, 0, 0, 1]);
    ends.remote[..4].copy_from_slice(&[10, 0, 0, 2]);
    ends
}

#[test]
fn a_process_lives_runs_a_program_and_ends() {
    let mut bench = Bench::new();
    let facts = Facts {
        pid: 100,
        parent: 1,
        uid: 1000,
        name: "shell".into(),
        command: "shell -l".into(),
        threads: vec![(100, "shell".into())],
        images: vec![Image { base: 0x1000, size: 0x2000, path: "/bin/shell".into(), ..Image::default() }],
    };
    bench.translator.found((0, 1_000), &facts, Rundown::Start, &mut bench.out);
    assert_eq!(
        bench.shown_records(),
        [
            "Process/DCStart UniqueProcessKey=20 ProcessId=64 ParentId=1 ExitStatus=103 UserSID=1000 ImageFileName=shell CommandLine=shell -l",
            "Thread/DCStart ProcessId=64 TThreadId=64 BasePriority=8 PagePriority=5 IoPriority=2 ThreadName=shell",
            "Image/DCStart ImageBase=1000 ImageSize=2000 ProcessId=64 FileName=/bin/shell",
        ]
    );
    let task = NewTask {
        tid: 200,
        pid: 200,
        flags: 0,
        uid: 1000,
        priority: 120,
        comm: named("shell"),
        ..Default::default()
    };
    assert_eq!(
        bench.sample(task, "task_newtask", &[]),
        [
            "Process/Start UniqueProcessKey=30 ProcessId=c8 ParentId=64 ExitStatus=103 UserSID=1000 ImageFileName=shell CommandLine=shell -l",
            "Image/DCStart ImageBase=1000 ImageSize=2000 ProcessId=c8 FileName=/bin/shell",
            "Thread/Start ProcessId=c8 TThreadId=c8 BasePriority=8 PagePriority=5 IoPriority=2 ThreadName=shell",
        ]
    );
    let exec = Exec {
        arguments_size: 8,
        path: named("/usr/bin/cat"),
        arguments: named("cat\0a b\0PATH=x"),
        ..Default::default()
    };
    assert_eq!(
        bench.sample(exec, "sched_process_exec", &[]),
        [
            "Image/Unload ImageBase=1000 ImageSize=2000 ProcessId=64 FileName=/bin/shell",
            "Process/DCStart UniqueProcessKey=40 ProcessId=64 ParentId=1 ExitStatus=103 UserSID=0 ImageFileName=cat CommandLine=cat \"a b\"",
        ]
    );
    let image = Image {
        base: 0x5000,
        size: 0x1000,
        path: "/usr/bin/cat".into(),
        build_id: vec![0xAB; 20],
        ..Image::default()
    };
    bench.translator.mapped((1, bench.time), (100, 101), image, &mut bench.out);
    let records = bench.shown_records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0], "Image/Load ImageBase=5000 ImageSize=1000 ProcessId=64 FileName=/usr/bin/cat");
    assert!(
        records[1].starts_with("KernelTraceControl/DbgIDRSDS ImageBase=5000 ProcessId=64"),
        "{}",
        records[1]
    );
    let exit = Exit { last: 1, code: 3 << 8, ..Default::default() };
    assert_eq!(
        bench.sample(exit, "sched_process_exit", &[]),
        [
            "Thread/End ProcessId=64 TThreadId=65 PagePriority=5 IoPriority=2",
            "Image/Unload ImageBase=5000 ImageSize=1000 ProcessId=64 FileName=/usr/bin/cat",
            "Process/End UniqueProcessKey=40 ProcessId=64 ParentId=1 ExitStatus=3 UserSID=0 ImageFileName=cat CommandLine=cat \"a b\"",
        ]
    );
    // Ended by signal 9; one of several threads.
    bench.translator.found(
        (0, bench.time),
        &Facts { threads: vec![], images: vec![], ..facts },
        Rundown::Start,
        &mut bench.out,
    );
    bench.shown_records();
    let killed = bench.sample(Exit { last: 1, code: 9, ..Default::default() }, "", &[]);
    assert!(killed.last().unwrap().contains("ExitStatus=89"), "{killed:?}");
    assert_eq!(bench.sample(Exit::default(), "", &[]).len(), 1, "the process goes on");
    // A thread of a process, and its name.
    let thread = NewTask {
        tid: 201,
        pid: 200,
        flags: CLONE_THREAD,
        priority: 0,
        comm: named("worker"),
        ..Default::default()
    };
    assert_eq!(
        bench.sample(thread, "", &[]),
        [
            "Thread/Start ProcessId=c8 TThreadId=c9 BasePriority=1f PagePriority=5 IoPriority=2 ThreadName=worker"
        ]
    );
    let rename = Rename { tid: 201, pid: 200, comm: named("busy"), ..Default::default() };
    assert_eq!(bench.sample(rename, "", &[]), ["Thread/SetName ProcessId=c8 ThreadId=c9 ThreadName=busy"]);
}

/// A second rundown has all that the first one had, also the images, which a reader that came later does not know.
#[test]
fn issue_20_a_rundown_can_be_repeated() {
    let mut bench = Bench::new();
    let image = Image { base: 0x1000, size: 0x2000, path: "/bin/shell".into(), ..Image::default() };
    let mut facts = Facts { pid: 100, name: "shell".into(), images: vec![image], ..Facts::default() };
    facts.threads = vec![(100, "shell".into())];
    let mut list = |rundown| {
        bench.translator.found((0, 1_000), &facts, rundown, &mut bench.out);
        let records = bench.shown_records();
        records.into_iter().filter(|record| !record.starts_with("KernelTraceControl")).collect::<Vec<_>>()
    };
    let first = list(Rundown::Start);
    assert_eq!(first.len(), 3, "{first:?}");
    assert_eq!(list(Rundown::Start).len(), 2, "what is known is not logged again");
    assert_eq!(list(Rundown::Again), first);
}

#[test]
fn issue_19_signals_calls_of_others_and_priorities_are_logged() {
    let mut bench = Bench::new();
    let mut signal = |result| {
        let signal = Signal { tid: 200, pid: 199, number: 15, result, ..Default::default() };
        bench.sample(signal, "", &[])
    };
    assert_eq!(signal(0), ["Process/Signal ProcessId=c7 TThreadId=c8 Signal=f"]);
    assert_eq!(signal(1), ["Process/SignalDiscarded ProcessId=c7 TThreadId=c8 Signal=f Result=1"]);
    let handled = Handled { number: 15, code: -6, handler: 0x4000, ..Default::default() };
    assert_eq!(bench.sample(handled, "", &[]), ["Process/SignalHandled Signal=f Code=fffffffa Handler=4000"]);
    let call = CrossCall { routine: 0x10, caller: 0x20, ..Default::default() };
    assert_eq!(bench.sample(call, "", &[]), ["PerfInfo/CrossCall Routine=10 Caller=20"]);
    // A thread that comes with another priority than it went with; the idle thread has none.
    let mut switch = |priority, next, next_priority| {
        let switch = Switch { next, priority, next_priority, state: 1, ..Default::default() };
        bench
            .sample(switch, "sched_switch", &[])
            .iter()
            .filter(|text| !text.contains("CSwitch"))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert!(switch(120, 0, 120).is_empty(), "it is seen for the first time");
    assert_eq!(switch(139, 0, 100), ["Thread/SetPriority ThreadId=65 OldPriority=8 NewPriority=1"]);
    assert_eq!(switch(139, 7, 100), Vec::<String>::new());
    assert_eq!(switch(139, 7, 99), ["Thread/SetPriority ThreadId=7 OldPriority=f NewPriority=10"]);
}

#[test]
fn names_of_kernel_threads_are_not_paths() {
    let mut bench = Bench::new();
    let facts = Facts { pid: 9, name: "kworker/0:1H".into(), ..Facts::default() };
    bench.translator.found((0, 1), &facts, Rundown::End, &mut bench.out);
    assert!(bench.shown_records()[0].ends_with("ImageFileName=kworker:0:1H"));
}

#[test]
fn switches_have_reasons_states_and_stacks() {
    let mut bench = Bench::new();
    let mut switch = |next, state, preempted, stack: &[u64]| {
        let switch = Switch {
            next,
            next_pid: next,
            state,
            preempted,
            priority: 120,
            next_priority: 120,
            ..Default::default()
        };
        bench.sample(switch, "sched_switch", stack)
    };
    // Runs on, was preempted; waits for something, uninterruptibly; ends.
    for (state, preempted, records) in [
        (0, 0, "OldThreadWaitReason=21 OldThreadState=1"),
        (0, 1, "OldThreadWaitReason=20 OldThreadState=1"),
        (1, 0, "OldThreadWaitReason=6 OldThreadWaitMode=1 OldThreadState=5"),
        (2, 0, "OldThreadState=5"),
        (0x80, 0, "OldThreadState=4"),
    ] {
        let prefix = "Thread/CSwitch NewThreadId=7 OldThreadId=65 NewThreadPriority=8 OldThreadPriority=8";
        assert_eq!(
            switch(7, state, preempted, &[]),
            [format!("{prefix} {records} OldThreadWaitIdealProcessor=1")]
        );
    }
    // The stack with which thread 101 goes is logged when it comes back.
    assert_eq!(switch(0, 1, 0, &[0xFFFF_FFFF_8100_0000, 0x40_0000]).len(), 1);
    let back = switch(101, 0, 0, &[]);
    assert_eq!(
        back[1],
        "StackWalk/Stack EventTimeStamp=1f40 StackProcess=65 StackThread=65 Stack=ffffffff81000000,400000"
    );
}

#[test]
fn single_samples_become_single_records() {
    let mut bench = Bench::new();
    let stack = [0x11, 0x22];
    let walk = |time: u64| {
        format!("StackWalk/Stack EventTimeStamp={time:x} StackProcess=64 StackThread=65 Stack=11,22")
    };
    assert_eq!(
        bench.sample(Waking { tid: 5, pid: 4, ..Default::default() }, "sched_waking", &stack),
        ["Thread/ReadyThread TThreadId=5 AdjustReason=1".to_owned(), walk(2_000)]
    );
    assert_eq!(
        bench.sample(
            CallEnter { number: 1, arguments: [1, 2, 3, 4, 5, 6], ..Default::default() },
            "sys_enter",
            &stack
        ),
        [
            format!(
                "PerfInfo/SysClEnter SysCallAddress=ffff0001 Number=1 Argument0=1 Argument1=2 Argument2=3 Argument3=4 \
                Argument4=5 Argument5=6 Name={}",
                calls::name(1)
            ),
            walk(3_000)
        ]
    );
    let failed = CallExit { number: 1, result: (-2_i64).cast_unsigned(), ..Default::default() };
    assert_eq!(
        bench.sample(failed, "sys_exit", &[]),
        [format!(
            "PerfInfo/SysClExit SysCallNtStatus=fffffffe Number=1 Result=fffffffffffffffe Name={}",
            calls::name(1)
        )]
    );
    for (error, event) in
        [(4, "DemandZeroFault"), (6, "DemandZeroFault"), (7, "CopyOnWrite"), (5, "AccessViolation")]
    {
        let fault = Fault { address: 0xADD0, ip: 0x401, error, ..Default::default() };
        let records = bench.sample(fault, "page_fault_user", &[]);
        assert_eq!(records, [format!("PageFault/{event} VirtualAddress=add0 ProgramCounter=401")]);
    }
    let irq = Interrupt { begun: 900, routine: 0xEEEE, vector: 27, handled: 1, ..Default::default() };
    assert_eq!(
        bench.sample(irq, "irq_handler_exit", &[]),
        ["PerfInfo/ISR InitialTime=384 Routine=eeee ReturnValue=1 Vector=1b"]
    );
    let timer = Interrupt { begun: 900, vector: 236, handled: 1, ..Default::default() };
    assert_eq!(
        bench.sample(timer, "local_timer_exit", &[]),
        ["PerfInfo/ISR InitialTime=384 Routine=cccc ReturnValue=1 Vector=ec"]
    );
    for (vector, records) in
        [(1, "TimerDPC InitialTime=384 Routine=aaaa"), (3, "DPC InitialTime=384 Routine=bbbb")]
    {
        let soft = SoftIrq { begun: 900, vector, ..Default::default() };
        assert_eq!(bench.sample(soft, "softirq_exit", &[]), [format!("PerfInfo/{records}")]);
    }
    let at = (1, bench.time);
    bench.translator.profiled(at, (100, 101), 0x11, &[0x11, 0, 0, 0, 0, 0, 0, 0], &mut bench.out);
    let records = bench.shown_records();
    assert_eq!(records[0], "PerfInfo/SampleProfile InstructionPointer=11 ThreadId=65 Count=1");
    assert!(records[1].ends_with("Stack=11"));
    bench.translator.hard_fault(at, 101, 0xADD0, &mut bench.out);
    assert!(bench.shown_records()[0].ends_with("VirtualAddress=add0 TThreadId=65 ByteCount=1000"));
}

/// Memory that was not there when the call began is read late; without any, the record has none.
#[test]
fn issue_16_calls_bring_memory_of_their_process() {
    let mut bench = Bench::new();
    let call = CallEnterWith { number: 1, pieces: 3, ..Default::default() };
    let exit = CallExitWith { number: 1, result: 4, pieces: 1, ..Default::default() };
    let piece = |address: u64, size: u64, text: &[u8]| {
        let mut bytes = [address.to_le_bytes(), size.to_le_bytes()].concat();
        bytes.extend(text);
        bytes.resize(PIECE_ROOM, 0xEE);
        bytes
    };
    let stack = [1_u64, 2].map(u64::to_le_bytes).concat();
    let pieces = [piece(0x4000, 3, b"ab\0"), piece(0x5000, 0, b""), piece(0x6000, 0, b"")].concat();
    let samples = [
        [call.as_bytes(), &pieces, &stack].concat(),
        [exit.as_bytes(), &piece(0x4000, 256, b"xyz")].concat(),
        // Pieces that are not there.
        call.as_bytes().to_vec(),
        exit.as_bytes().to_vec(),
        CallEnterWith { pieces: u64::MAX, ..call }.as_bytes().to_vec(),
    ];
    let mut found = Vec::new();
    for mut sample in samples {
        let head = Head { tid: 101, pid: 100, ..*Head::ref_from_prefix(&sample).unwrap().0 };
        sample[..24].copy_from_slice(head.as_bytes());
        bench.translator.sample(0, &sample, &mut bench.out);
        bench.out.drain(|cpu, _, bytes| {
            let record = Record::parse(bytes, cpu).unwrap();
            if record.version() != version::CALL_WITH {
                return;
            }
            // Behind number and arguments, or number and result.
            let place = if record.hook() == Some(hook::PERF_INFO_SYS_CL_ENTER) { 60 } else { 16 };
            let (size, rest) = record.payload()[place..].split_first_chunk().unwrap();
            let (memory, name) = rest.split_at(u16::from_le_bytes(*size).into());
            assert_eq!(name.strip_suffix(b"\0"), Some(calls::name(1).as_bytes()));
            let at = |address| hit::memory_in(memory, 6, address).map(<[u8]>::to_vec);
            found.push((memory.len(), [0x4000, 0x4001, 0x5000, 0x6000].map(at)));
        });
    }
    let some = |text: &[u8]| Some(text.to_vec());
    let full = [b"xyz".to_vec(), vec![0xEE; 253]].concat();
    let expected = [
        (48, [some(b"ab\0"), some(b"b\0"), some(b"late\0"), None]),
        (272, [some(&full), some(&full[1..]), None, None]),
    ];
    assert_eq!(found, expected);
    assert_eq!(bench.translator.unknown().samples, 3);
}

/// A thread that has ended runs until it is switched out; of one whose end was not logged nothing is.
#[test]
fn issue_16_the_last_switch_of_a_thread_is_logged_if_its_end_was() {
    let mut bench = Bench::new();
    bench.translator.log_for_user();
    let ends = |halves: i32, next: u32| Switch {
        next,
        next_pid: next,
        next_priority: 120,
        priority: 120,
        state: 0x80,
        preempted: halves.cast_unsigned() << 8,
        ..Switch::default()
    };
    let none = u32::MAX;
    assert_eq!(bench.sample(ends(ENDS, none), "sched_switch", &[]), [""; 0]);
    let comes = bench.sample(ends(ENDS | COMES, 7), "sched_switch", &[]);
    assert!(comes[0].contains("OldThreadId=ffffffff") && comes[0].contains("NewThreadId=7"), "{comes:?}");
    assert!(!comes[0].contains("OldThreadPriority"), "{comes:?}");
    let new = NewTask { tid: 101, pid: 100, priority: 120, ..NewTask::default() };
    bench.sample(new, "task_newtask", &[]);
    bench.sample(Exit { last: 1, ..Exit::default() }, "sched_process_exit", &[]);
    let known = bench.sample(ends(ENDS, none), "sched_switch", &[]);
    assert!(known[0].contains("OldThreadId=65") && known[0].contains("NewThreadId=ffffffff"), "{known:?}");
    assert!(!known[0].contains("NewThreadPriority"), "{known:?}");
    assert_eq!(bench.sample(ends(ENDS, none), "sched_switch", &[]), [""; 0], "it does so once");
}

/// A user without rights gets no addresses of the kernel, but the same number for the same file.
#[test]
fn issue_16_files_of_a_user_have_no_addresses() {
    const FILE: u64 = 0xFFFF_8880_1234_5600;
    const INODE: u64 = 0xFFFF_8880_1234_5700;
    let numbers = |for_user: bool| {
        let mut bench = Bench::new();
        if for_user {
            bench.translator.log_for_user();
        }
        let reads =
            FileEnter { number: libc::SYS_read as u32, file: FILE, inode: INODE, ..FileEnter::default() };
        let mut path = PathEnter { number: libc::SYS_openat as u32, ..PathEnter::default() };
        path.path[..3].copy_from_slice(b"/x\0");
        let opened = FileExit { file: FILE, inode: INODE, result: 3, ..FileExit::default() };
        let mut lines = bench.sample(path, "sys_enter", &[]);
        lines.extend(bench.sample(opened, "sys_exit", &[]));
        lines.extend(bench.sample(reads, "sys_enter", &[]));
        let name = lines.iter().find(|line| line.starts_with("FileIo/Name")).unwrap();
        let read = lines.iter().find(|line| line.starts_with("FileIo/Read")).unwrap();
        let number = |line: &str, field: &str| -> u64 {
            let value = line.split(' ').find_map(|word| word.strip_prefix(field)).unwrap();
            u64::from_str_radix(value, 16).unwrap()
        };
        [number(name, "FileObject="), number(read, "FileKey="), number(read, "FileObject=")]
    };
    assert_eq!(numbers(false), [INODE, INODE, FILE]);
    let [named, key, object] = numbers(true);
    assert!(named == key && key != object && (key | object) < 1 << 63);
    assert!(key != INODE && object != FILE);
    // Nor can the numbers be found out by trying: another session has others.
    assert_ne!(numbers(true), [named, key, object]);
}

/// A session without context switches knows the thread of these events by their headers.
#[test]
fn issue_16_records_name_the_thread_that_runs() {
    let mut bench = Bench::new();
    let mapping = Memory { number: libc::SYS_mmap as u32, result: 0x7000, ..Default::default() };
    let reads = FileEnter { number: libc::SYS_read as u32, file: 1, inode: 2, ..Default::default() };
    let samples = [
        CallEnter::default().as_bytes(),
        CallExit::default().as_bytes(),
        Fault::default().as_bytes(),
        Waking::default().as_bytes(),
        Interrupt::default().as_bytes(),
        SoftIrq::default().as_bytes(),
        CrossCall::default().as_bytes(),
        mapping.as_bytes(),
        reads.as_bytes(),
        FileExit::default().as_bytes(),
    ]
    .map(<[u8]>::to_vec);
    let mut seen = 0;
    for mut sample in samples {
        let kind = Head::ref_from_prefix(&sample).unwrap().0.kind;
        let head = Head { tid: 101, pid: 100, ..*Head::ref_from_prefix(&sample).unwrap().0 };
        sample[..24].copy_from_slice(head.as_bytes());
        bench.translator.sample(0, &sample, &mut bench.out);
        bench.out.drain(|cpu, _, bytes| {
            let record = Record::parse(bytes, cpu).unwrap();
            // What happens to a file has the thread in its payload.
            if kind != FileEnter::KIND {
                assert_eq!((record.pid(), record.tid()), (Some(100), Some(101)), "{}", shown(&record));
                seen += 1;
            }
        });
    }
    assert_eq!(seen, 9);
}

#[test]
fn disk_transfers_are_joined_by_their_requests() {
    let mut bench = Bench::new();
    for (flags, init, done) in [(0, "ReadInit", "Read"), (0x801, "WriteInit", "Write")] {
        let start = BlockStart {
            request: 0x1234,
            sector: 8,
            file: 0xF11E,
            bytes: 4096,
            flags,
            major: 254,
            minor: 0,
            ..Default::default()
        };
        let records = bench.sample(start, "block_io_start", &[]);
        assert_eq!(records, [format!("DiskIo/{init} Irp=1234 IssuingThreadId=65")]);
        let records = bench.sample(BlockDone { request: 0x1234, ..Default::default() }, "block_io_done", &[]);
        let rest = "TransferSize=1000 ByteOffset=1000 FileObject=f11e Irp=1234 HighResResponseTime=3e8 IssuingThreadId=65";
        assert_eq!(records, [format!("DiskIo/{done} {rest}")]);
    }
    let flush = BlockStart { request: 1, flags: 2, major: 8, minor: 16, ..Default::default() };
    assert_eq!(bench.sample(flush, "", &[]), ["DiskIo/FlushInit Irp=1 IssuingThreadId=65"]);
    assert_eq!(
        bench.sample(BlockDone { request: 1, ..Default::default() }, "", &[]),
        ["DiskIo/FlushBuffers DiskNumber=1 HighResResponseTime=3e8 Irp=1 IssuingThreadId=65"],
        "a disk that was not there at the start has the next number"
    );
    assert!(bench.sample(BlockDone { request: 1, ..Default::default() }, "", &[]).is_empty());
    assert_eq!(bench.translator.unknown().transfers, 1);
}

#[test]
fn connections_belong_to_those_who_made_them() {
    let mut bench = Bench::new();
    let both = "daddr=a000002 saddr=a000001";
    let state =
        |old, new, local| State { ends: four(local, 80, libc::IPPROTO_TCP), old, new, ..Default::default() };
    // Issue 19: each state is an event, too, and so are what is asked for and what was refused.
    let stated = |event, pid, port: u16, old: u32, new: u32| {
        let states = [("OldState", old), ("NewState", new)];
        let states: String =
            states.iter().filter(|(_, at)| *at != 0).map(|(name, at)| format!(" {name}={at:x}")).collect();
        format!("TcpIp/{event} PID={pid} {both} dport=50 sport={port:x}{states} connid=50cc")
    };
    assert_eq!(
        bench.sample(state(CLOSED, SYN_SENT, 4000), "", &[]),
        ["StateIPV4", "ConnectRequestIPV4"].map(|event| stated(event, "64", 4000, CLOSED, SYN_SENT))
    );
    assert_eq!(
        bench.sample(state(SYN_SENT, ESTABLISHED, 4000), "", &[]),
        [
            stated("StateIPV4", "64", 4000, SYN_SENT, ESTABLISHED),
            format!("TcpIp/ConnectIPV4 PID=64 {both} dport=50 sport=fa0 connid=50cc")
        ]
    );
    let bytes = Transfer { ends: four(4000, 80, libc::IPPROTO_TCP), bytes: 1500, ..Default::default() };
    for (point, event) in [("sock_send_length", "SendIPV4"), ("sock_recv_length", "RecvIPV4")] {
        let records = bench.sample(bytes, point, &[]);
        assert_eq!(records, [format!("TcpIp/{event} PID=64 size=5dc {both} dport=50 sport=fa0 connid=50cc")]);
    }
    let again = Retransmit { ends: four(4000, 80, libc::IPPROTO_TCP), bytes: 100, ..Default::default() };
    assert_eq!(
        bench.sample(again, "", &[]),
        [format!("TcpIp/RetransmitIPV4 PID=64 size=64 {both} dport=50 sport=fa0 connid=50cc")]
    );
    assert_eq!(
        bench.sample(state(ESTABLISHED, CLOSED, 0), "", &[]),
        [
            stated("StateIPV4", "64", 4000, ESTABLISHED, CLOSED),
            format!("TcpIp/DisconnectIPV4 PID=64 {both} dport=50 sport=fa0 connid=50cc")
        ],
        "the kernel has freed the port"
    );
    assert_eq!(
        bench.sample(state(SYN_SENT, CLOSED, 4000), "", &[]),
        ["StateIPV4", "ConnectRefusedIPV4"].map(|event| stated(event, "64", 4000, SYN_SENT, CLOSED)),
        "it never was"
    );
    // Who listens accepts: as /proc has it, or as was seen.
    for (port, pid) in [(8080, "4d"), (9090, "64")] {
        if port == 9090 {
            assert_eq!(
                bench.sample(state(CLOSED, LISTENING, port), "", &[]),
                [stated("StateIPV4", "64", port, CLOSED, LISTENING)]
            );
        }
        let records = bench.sample(state(SYN_RECEIVED, ESTABLISHED, port), "", &[]);
        assert_eq!(
            records[1..],
            [format!("TcpIp/AcceptIPV4 PID={pid} {both} dport=50 sport={port:x} connid=50cc")]
        );
    }
    // Addresses of the sixth version, and those of the fourth in them.
    let mut six = Ends { family: libc::AF_INET6 as u16, ..four(4000, 53, libc::IPPROTO_UDP) };
    (six.local, six.remote) = ([0; 16], [0; 16]);
    (six.local[15], six.remote[15]) = (1, 2);
    let datagram = Transfer { ends: six, bytes: 10, ..Default::default() };
    assert_eq!(
        bench.sample(datagram, "sock_send_length", &[]),
        ["UdpIp/SendIPV6 PID=64 size=a daddr=2 saddr=1 dport=35 sport=fa0 connid=50cc"]
    );
    let mut mapped = six;
    for address in [&mut mapped.local, &mut mapped.remote] {
        address[10..].copy_from_slice(&[0xFF, 0xFF, 10, 0, 0, 9]);
    }
    let datagram = Transfer { ends: mapped, bytes: 10, ..Default::default() };
    assert_eq!(
        bench.sample(datagram, "sock_recv_length", &[]),
        ["UdpIp/RecvIPV4 PID=64 size=a daddr=a000009 saddr=a000009 dport=35 sport=fa0 connid=50cc"]
    );
}

#[test]
fn file_operations_have_names_and_ends() {
    let mut bench = Bench::new();
    let irp = "IrpPtr=ffffe00000006500";
    let open = PathEnter { number: libc::SYS_openat as u32, path: named("/etc/hosts"), ..Default::default() };
    assert_eq!(
        bench.sample(open, "sys_enter", &[]),
        [format!(
            "FileIo/Create {irp} FileObject=ffffe00000006500 TTID=65 ShareAccess=7 OpenPath=/etc/hosts"
        )]
    );
    let opened = FileExit {
        number: libc::SYS_openat as u32,
        result: 5,
        file: 0xF0,
        inode: 0x1F0,
        ..Default::default()
    };
    assert_eq!(
        bench.sample(opened, "sys_exit", &[]),
        [
            "FileIo/Name FileObject=1f0 FileName=/etc/hosts".to_owned(),
            format!("FileIo/OperationEnd {irp} ExtraInfo=5")
        ]
    );
    let enter = |number: i64, inode, arguments| FileEnter {
        number: number as u32,
        file: 0xF0,
        inode,
        position: 0x10,
        mode: 0o100_644,
        arguments,
        ..Default::default()
    };
    let rest = "FileObject=f0 FileKey=1f0 TTID=65";
    assert_eq!(
        bench.sample(enter(libc::SYS_read, 0x1F0, [5, 0, 4096, 9]), "", &[]),
        [format!("FileIo/Read Offset=10 {irp} {rest} IoSize=1000")]
    );
    assert_eq!(
        bench.sample(enter(libc::SYS_pwrite64, 0x1F0, [5, 0, 8, 9]), "", &[]),
        [format!("FileIo/Write Offset=9 {irp} {rest} IoSize=8")]
    );
    let full =
        FileExit { number: libc::SYS_write as u32, result: (-28_i64).cast_unsigned(), ..Default::default() };
    assert_eq!(
        bench.sample(full, "", &[]),
        [format!("FileIo/OperationEnd {irp} ExtraInfo=ffffffffffffffe4 NtStatus=ffffffe4")]
    );
    assert!(bench.sample(full, "", &[]).is_empty(), "an end without a beginning");
    assert_eq!(
        bench.sample(enter(libc::SYS_close, 0x1F0, [5, 0, 0, 0]), "", &[]),
        [format!("FileIo/Cleanup {irp} {rest}"), format!("FileIo/Close {irp} {rest}")]
    );
    // A file that was open before is named when it is first used; one that nothing names is counted.
    let records = bench.sample(enter(libc::SYS_fsync, 0x3F0, [3, 0, 0, 0]), "", &[]);
    assert_eq!(records[0], "FileIo/Name FileObject=3f0 FileName=/tmp/three");
    bench.sample(enter(libc::SYS_fsync, 0x4F0, [4, 0, 0, 0]), "", &[]);
    assert_eq!(bench.translator.unknown().names, 1);
    let socket = FileEnter { mode: SOCKET | 0o777, ..enter(libc::SYS_read, 0x5F0, [3, 0, 1, 0]) };
    assert!(bench.sample(socket, "", &[]).is_empty());
    // Paths are made whole by the directory of the process.
    let delete =
        PathEnter { number: libc::SYS_unlinkat as u32, path: named("old.txt"), ..Default::default() };
    let records = bench.sample(delete, "", &[]);
    assert!(
        records[0].ends_with("FileName=/srv/ada/old.txt") && records[1].starts_with("FileIo/Delete"),
        "{records:?}"
    );
}

#[test]
fn memory_is_allocated_and_freed() {
    let mut bench = Bench::new();
    let mut call = |number: i64, result, arguments| {
        bench.sample(Memory { number: number as u32, result, arguments, ..Default::default() }, "", &[])
    };
    let anonymous = libc::MAP_ANONYMOUS as u64;
    let region = |event, base, size, flags| {
        format!("PageFault/{event} BaseAddress={base:x} RegionSize={size:x} ProcessId=64 Flags={flags:x}")
    };
    assert_eq!(
        call(libc::SYS_mmap, 0x7000, [0, 100, 3, anonymous]),
        [region("VirtualAlloc", 0x7000, 0x1000, 0x23000)]
    );
    assert_eq!(
        call(libc::SYS_mmap, 0x7000, [0, 4096, 3, 2]),
        [region("VirtualAlloc", 0x7000, 0x1000, 0x43000)]
    );
    assert_eq!(
        call(libc::SYS_munmap, 0, [0x7000, 4096, 0, 0]),
        [region("VirtualFree", 0x7000, 0x1000, 0x8000)]
    );
    assert!(call(libc::SYS_mmap, (-12_i64).cast_unsigned(), [0; 4]).is_empty(), "it failed");
    assert!(call(libc::SYS_brk, 0x10000, [0; 4]).is_empty(), "where the heap ends is not known before");
    assert_eq!(call(libc::SYS_brk, 0x13000, [0; 4]), [region("VirtualAlloc", 0x10000, 0x3000, 0x23000)]);
    assert_eq!(call(libc::SYS_brk, 0x12000, [0; 4]), [region("VirtualFree", 0x12000, 0x1000, 0x8000)]);
    let moved = call(libc::SYS_mremap, 0x9000, [0x7000, 4096, 8192, 0]);
    assert_eq!(moved[0], region("VirtualFree", 0x7000, 0x1000, 0x8000));
    assert_eq!(moved[1], region("VirtualAlloc", 0x9000, 0x2000, 0x23000));
}

#[test]
fn what_is_not_enabled_is_not_logged() {
    let mut bench = Bench::new();
    bench.translator.fixed.flags = flag::DISK_IO;
    let start = BlockStart { request: 1, major: 254, ..Default::default() };
    assert!(bench.sample(start, "", &[]).is_empty());
    assert_eq!(bench.sample(BlockDone { request: 1, ..Default::default() }, "", &[]).len(), 1);
    assert!(bench.sample(NewTask::default(), "", &[]).is_empty());
}

#[test]
fn samples_that_are_cut_short_are_counted() {
    let mut bench = Bench::new();
    let whole = Switch::default();
    for size in 0..size_of::<Switch>() {
        bench.translator.sample(0, &whole.as_bytes()[..size], &mut bench.out);
    }
    assert_eq!(bench.translator.unknown().samples, size_of::<Switch>() as u64);
    bench.translator.sample(0, Head { kind: 999, ..Head::default() }.as_bytes(), &mut bench.out);
    assert_eq!(bench.translator.unknown().samples, size_of::<Switch>() as u64 + 1);
}

#[test]
fn priorities_keep_their_order() {
    let all: Vec<u8> = (0..140).map(|kernel| priority(kernel, 1)).collect();
    assert!(all.is_sorted_by(|a, b| a >= b));
    assert_eq!((all[0], all[99], all[100], all[120], all[139], priority(120, 0)), (31, 16, 15, 8, 1, 0));
}

#[test]
fn every_event_of_the_table_is_one_of_windows() {
    let mut seen = BTreeSet::new();
    for event in ROWS.iter().flat_map(|row| row.events) {
        let (class, name) = event.split_once('/').unwrap();
        let class = kernel::class(class).unwrap_or_else(|| panic!("{event}"));
        assert!(class.events.iter().any(|known| known.name == name), "{event}");
        seen.insert(*event);
    }
    assert!(seen.len() > 60, "{}", seen.len());
}

#[test]
fn issue_23_an_image_takes_the_place_of_the_one_before() {
    let mut bench = Bench::new();
    let facts = Facts { pid: 100, name: "made".into(), ..Facts::default() };
    bench.translator.found((0, 1), &facts, Rundown::Start, &mut bench.out);
    let image = |base: u64, path: &str| Image { base, size: 0x1000, path: path.into(), ..Image::default() };
    for (base, path) in [(0x1000, "/a"), (0x2000, "/b"), (0x1000, "/c")] {
        bench.translator.mapped((0, 2), (100, 101), image(base, path), &mut bench.out);
    }
    let known = &bench.translator.processes[&100].images;
    let known: Vec<(u64, &str)> = known.iter().map(|image| (image.base, image.path.as_str())).collect();
    assert_eq!(known, [(0x2000, "/b"), (0x1000, "/c")]);
}

#[test]
fn issue_23_hashes_are_those_of_the_published_function() {
    // FNV-1a of 64 bits: the test vectors of its authors.
    for (text, expected) in
        [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
    {
        assert_eq!(hash(text), expected, "{text}");
    }
}

#[test]
fn issue_23_priorities_are_those_of_windows() {
    for (kernel, tid, expected) in [
        (120, 0, 0),
        (0, 1, 31),
        (50, 1, 23),
        (98, 1, 16),
        (99, 1, 16),
        (100, 1, 15),
        (102, 1, 15),
        (103, 1, 14),
        (120, 1, 8),
        (138, 1, 2),
        (139, 1, 1),
        (140, 1, 1),
    ] {
        assert_eq!(priority(kernel, tid), expected, "{kernel}");
    }
}
