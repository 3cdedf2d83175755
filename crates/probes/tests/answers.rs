//! Values that programs print over small traces, where the right answer is known: stacks, aliases, and what must be
//! delivered for a probe (issue 23).

mod described;

use described::{Way, ran_by, run};
use tracewell_etl::write::PointerSize;
use tracewell_schema::providers;
use tracewell_testkit::described::{Described, Kind, trace};

const CLR: &str = "Microsoft-Windows-DotNETRuntime";
const KERNEL: u64 = 0xFFFF_F800_0000_0000;

fn event(provider: &str, id: u16, version: u8, payload: &str) -> Described {
    let guid = providers::guid(provider).expect("a registered provider");
    Described::new(Kind::Event(guid, id, 1, 4), version, payload)
}

fn kernel(class: &str, opcode: u8, version: u8, payload: &str) -> Described {
    Described::kernel(class, opcode, version, payload).expect("a class")
}

/// What a program prints, however the run gets to know the machine.
#[track_caller]
fn answers(program: &str, records: &[Described], want: &str) {
    prints(program, &trace(PointerSize::P64, records).expect("the trace is written"), want);
}

/// What a program prints over the bytes of a trace.
#[track_caller]
fn prints(program: &str, bytes: &[u8], want: &str) {
    for way in [Way::Surveyed, Way::Learning(1000)] {
        let have = ran_by(program, bytes, way).map(|ran| ran.text);
        assert_eq!(have.as_deref(), Ok(want), "{program} {way:?}");
    }
}

/// The caller is the second frame of its side, whatever is on the other side, and 0 if there is none.
#[test]
fn callers_are_the_second_frames() {
    let stacked = |count: u32, frames: &[u64]| {
        let mut gc = event(CLR, 1, 2, &format!("u32 {count} u32 2 u32 1 u32 0 u16 9 u64 0"));
        gc.stack = Some((0, frames.to_vec()));
        gc
    };
    let k = |n: u64| KERNEL + n;
    let records = [
        stacked(1, &[k(1), k(2), k(3), 0x11, 0x12, 0x13]),
        stacked(2, &[k(1), 0x11]),
        stacked(3, &[k(1), k(2)]),
        stacked(4, &[0x11, 0x12]),
        stacked(5, &[]),
        // The last address of a program and the first of the system.
        stacked(6, &[0x7FFF_FFFE_FFFF, 0x7FFF_FFFE_FFFF, 0x7FFF_FFFF_0000, 0x7FFF_FFFF_0000]),
    ];
    answers(
        "microsoft-windows-dotnetruntime:::GC_Start { printf(\"%d %x %x %d %d;\", args->Count, caller, ucaller, stackdepth, ustackdepth); }",
        &records,
        "1 fffff80000000002 12 3 3;2 0 0 1 1;3 fffff80000000002 0 2 0;4 0 12 0 2;5 0 0 0 0;\
         6 7fffffff0000 7ffffffeffff 2 2;",
    );
}

/// Stacks in separate records have both sides, in the order that they were walked.
#[test]
fn callers_of_kernel_records() {
    let sample = |tid: u32| kernel("PerfInfo", 46, 2, &format!("ptr 0x401000 u32 {tid} u16 1 u16 0"));
    let at = |step: i64| 1_000_000_000 + step * 100_000;
    let half = |time: i64, tid: u32, frames: &str| {
        let mut record = kernel("StackWalk", 32, 2, &format!("u64 {time} u32 100 u32 {tid} {frames}"));
        record.after = 0;
        record
    };
    let records = [
        sample(40),
        half(at(1), 40, "ptr 0xfffff80000000005 ptr 0xfffff80000000006"),
        half(at(1), 40, "ptr 0x21 ptr 0x22 ptr 0x23"),
        sample(44),
        half(at(2), 44, "ptr 0x31 ptr 0x32"),
        sample(40),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "profile:::sample-1000 { printf(\"%d %x %x %d %d;\", tid, caller, ucaller, stackdepth, ustackdepth); }";
    let (text, _) = run(program, &bytes).expect("it compiles");
    assert_eq!(text, "40 fffff80000000006 22 2 3;44 0 32 0 2;40 0 0 0 0;");
}

/// The record of several aliases has the fields of the events that they select, and no others.
#[test]
fn aliases_have_the_fields_of_their_events() {
    let records = [
        event(CLR, 1, 2, "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"),
        event(CLR, 143, 1, "u64 1 u64 2 u64 0x5000 u32 64 u32 7 u32 9 w Space w Method w sig u16 9"),
        // Another provider, with fields of the same names and other types.
        event("Microsoft-Windows-Kernel-Registry", 1, 0, "ptr 0x10 ptr 0x20 u32 0 u32 1 w Base w Some"),
        event(CLR, 2, 1, "u32 8 u32 2 u16 9"),
    ];
    let alias = |id: &str| format!("etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0xff_0xffffffffffffffff:{id}");
    let number = "*(uint16_t *)(arg0 + 40)";
    answers(
        &format!(
            "{},{} {{ printf(\"%d %d %s;\", {number}, args->Count, args->MethodName); }}",
            alias("1"),
            alias("143")
        ),
        &records,
        "1 7 ;143 0 Method;",
    );
    answers(
        &format!("{},{} {{ printf(\"%d %d;\", {number}, args->Count); }}", alias("1"), alias("2")),
        &records,
        "1 7;2 8;",
    );
    answers(
        &format!("{} {{ printf(\"%d %d %d;\", {number}, args->Count, args->ClrInstanceID); }}", alias("*")),
        &records,
        "1 7 9;143 0 9;2 8 9;",
    );
    // Levels up to the one asked for, and keywords with a common bit: the events have level 4 and keyword 1.
    for (asked, count) in
        [("4_0x1", 3), ("5_0x3", 3), ("3_0x1", 0), ("4_0x2", 0), ("0xff_0xffffffffffffffff", 3)]
    {
        let program = format!(
            "etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:{asked}:* {{ n++; }} END {{ printf(\"%d\", n); }}"
        );
        answers(&program, &records, &count.to_string());
    }
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    for field in ["MethodName", "RelativeName"] {
        let program = format!("{},{} {{ trace(args->{field}); }}", alias("1"), alias("2"));
        assert!(run(&program, &bytes).is_err_and(|error| error.contains("not a member")), "{field}");
    }
}

/// Each form of a record is delivered to a program whose only probe is on that form.
#[test]
fn a_program_gets_the_form_that_it_asks_for() {
    let volume = "w \\Device\\HarddiskVolume3\\ w D:\\";
    let records = [
        event(CLR, 1, 2, "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"),
        kernel("SystemConfigEx", 35, 0, volume),
        kernel("PerfInfo", 46, 2, "ptr 0x401000 u32 40 u16 1 u16 0"),
    ];
    for (probe, count) in [
        // The machine of each trace has a volume, too.
        ("kernel:::SystemConfigEx_VolumeMapping", 2),
        ("kernel:::PerfInfo_SampleProfile", 1),
        ("microsoft-windows-dotnetruntime:::GC_Start", 1),
        ("microsoft-windows-dotnetruntime:::events", 1),
        ("microsoft-windows-dotnetruntime:::gc", 1),
        ("profile:::sample-1000", 1),
    ] {
        let program = format!("{probe} {{ @ = count(); }} END {{ printa(\"%@d\", @); }}");
        answers(&program, &records, &count.to_string());
    }
}

/// The header of an event is that of Windows' `EVENT_HEADER`, member by member.
#[test]
fn headers_are_those_of_windows() {
    let guid = providers::guid(CLR).expect("a registered provider");
    let mut gc = Described::new(
        Kind::Event(guid, 1, 0x8000_0000_0000_0021, 5),
        2,
        "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0",
    );
    gc.actor = (0x1234, 0x5678);
    let bytes = guid.to_bytes();
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let words = [
        // Size, kind, flags (64-bit), properties; thread and process.
        0x0000_0040_0000_0050,
        0x0000_1234_0000_5678,
        word(0),
        word(8),
        // Id, version, channel, level, opcode, task; keywords; times of the processor; activity.
        0x0000_0005_0002_0001,
        0x8000_0000_0000_0021,
        0x0000_0506_0000_0304,
        0x1122_3344_5566_7788,
        0x0102_0304_0506_0708,
    ];
    let shown: String = words.iter().map(|word| format!("{word:x} ")).collect();
    let reads: Vec<String> =
        [0, 8, 24, 32, 40, 48, 56, 64, 72].map(|at| format!("*(uint64_t *)(arg0 + {at})")).to_vec();
    let program = format!(
        "etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:5_0x1:* {{ printf(\"%x %x %x %x %x %x %x %x %x \", {}); \
         printf(\"%d %d %d %d\", *(uint32_t *)(arg0 + 80), arg1, arg3, arg4); }}",
        reads.join(", ")
    );
    // Times and activity are where the header of the file has them, too.
    let mut file = trace(PointerSize::P64, &[gc]).expect("the trace is written");
    let at = file.windows(16).rposition(|window| *window == bytes).expect("the event") - 24;
    for (place, word) in file[at + 56..at + 80].chunks_exact_mut(8).zip(&words[6..]) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    prints(&program, &file, &format!("{shown}7 0 26 2"));
}

/// A record that is taken as a whole has the fields that it has one by one, in each event anew.
#[test]
fn issue_23_a_whole_record_has_the_fields_of_its_event() {
    let switch = |new: u32, old: u32, state: u8| {
        let payload =
            format!("u32 {new} u32 {old} i8 8 i8 -9 u8 1 i8 0 i8 6 i8 1 i8 {state} i8 0 u32 {new} u32 0");
        kernel("Thread", 36, 4, &payload)
    };
    answers(
        "kernel:::Thread_CSwitch {
            self->whole = *args[0];
            printf(\"%d %d %d %d %s;\", self->whole.NewThreadId, self->whole.OldThreadId, self->whole.OldThreadPriority,
                self->whole.NewThreadWaitTime, self->whole.OldThreadState_str);
         }
         kernel:::Thread_CSwitch
         /self->whole.NewThreadId != args[0]->NewThreadId || self->whole.OldThreadState != args[0]->OldThreadState ||
          self->whole.PreviousCState != args[0]->PreviousCState || self->whole.OldThreadWaitMode != args[0]->OldThreadWaitMode/
         { printf(\"another\"); }",
        &[switch(50, 40, 5), switch(44, 50, 2), switch(40, 44, 1)],
        // The machine begins with a switch.
        "40 0 0 3 Running;50 40 -9 50 Waiting;44 50 -9 44 Running;40 44 -9 40 Ready;",
    );
}
