//! Reports say what there are too many of: each limit by itself (issue 20).

use tracewell::open::TraceFile;
use tracewell_corpus::Scratch;
use tracewell_diagnose::limits::Limits;
use tracewell_diagnose::recorded::kinds_of_limits;
use tracewell_diagnose::{Activity, Report, text};
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described, START};

/// Records that are made one after the other.
struct Made {
    records: Vec<Described>,
    /// Raw time of the last one.
    time: i64,
}

impl Made {
    /// Adds a record from its line.
    fn line(&mut self, line: &str) {
        let record = Described::parse(line).expect("a record");
        self.time += record.after;
        self.records.push(record);
    }

    /// The thread 40 leaves its processor after so many milliseconds, or comes back.
    fn switch(&mut self, is_back: bool, ms: u32) {
        let (new, old) = if is_back { (40, 0) } else { (0, 40) };
        let rest = "i8 8 i8 8 u8 0 i8 0 i8 6 i8 0 i8 5 i8 0 u32 3 u32 0";
        self.line(&format!("Thread 36 2 after {} | u32 {new} u32 {old} {rest}", ms * 1000));
    }

    /// An event with a stack.
    fn with_stack(&mut self, frame: u64) {
        self.line("Microsoft-Windows-DotNETRuntime 10 0 after 1000 | u32 100000 u32 1");
        let last = self.records.last_mut().expect("the record");
        last.stack = Some((0, vec![frame]));
    }
}

/// A kind of things that may be too many.
struct Case {
    /// What a report calls it.
    what: &'static str,
    /// Its limit.
    limit: fn(&mut Limits) -> &mut usize,
    /// Adds one thing to a trace, by its number from 0 on.
    add: fn(&mut Made, u64),
    /// Things that a trace has beside the added ones; fewer than none if the first ones are not counted.
    others: i64,
}

const CASES: &[Case] = &[
    Case {
        what: "stacks and switches whose places are held",
        limit: |limits| &mut limits.places,
        add: |made, _| {
            made.line("PerfInfo 46 2 after 1000 | ptr 0x400000 u32 40 u32 1");
            let time = made.time;
            made.line(&format!(
                "StackWalk 32 2 after 1 | u64 {time} u32 100 u32 40 ptr 0x400000 ptr 0x500000"
            ));
        },
        // The switch of the machine.
        others: 1,
    },
    Case {
        what: "different stacks of samples",
        limit: |limits| &mut limits.stacks,
        add: |made, n| made.line(&format!("PerfInfo 46 2 after 1000 | ptr 0x400{n}00 u32 40 u32 1")),
        others: 0,
    },
    Case {
        what: "different stacks that records carry",
        limit: |limits| &mut limits.carried,
        add: |made, n| made.with_stack(0x40_0000 + n),
        others: 0,
    },
    Case {
        what: "long times away from the processors",
        limit: |limits| &mut limits.aways,
        add: |made, _| {
            made.switch(false, 5);
            made.switch(true, 30);
        },
        others: 0,
    },
    Case {
        what: "bursts of a thread",
        limit: |limits| &mut limits.bursts,
        add: |made, _| {
            made.switch(false, 200);
            made.switch(true, 60);
        },
        others: 0,
    },
    Case {
        what: "interrupt routines",
        limit: |limits| &mut limits.routines,
        add: |made, n| {
            let time = made.time;
            made.line(&format!("PerfInfo 68 2 after 10 | u64 {time} ptr 0x8012340{n}"));
        },
        others: 0,
    },
    Case {
        what: "long interrupts",
        limit: |limits| &mut limits.long_interrupts,
        add: |made, _| {
            let time = made.time;
            made.line(&format!("PerfInfo 68 2 after 5000 | u64 {time} ptr 0x80123400"));
        },
        others: 0,
    },
    Case {
        what: "kinds of failed operations",
        limit: |limits| &mut limits.failures,
        add: |made, n| {
            made.line("FileIo 64 3 after 100 | ptr 0xfe00 ptr 0xdd00 u32 40 u32 1 u32 0x80 u32 3 w \\x");
            made.line(&format!("FileIo 76 3 after 100 | ptr 0xfe00 ptr 0 u32 0xc000000{n}"));
        },
        others: 0,
    },
    Case {
        what: "UI delays",
        limit: |limits| &mut limits.delays,
        add: |made, _| {
            let rest = "w c w t w p";
            made.line(&format!("Microsoft-Windows-Win32k 172 0 after 900000 | u32 0 u32 9 u32 300 {rest}"));
        },
        others: 0,
    },
    Case {
        what: "kinds of spans",
        limit: |limits| &mut limits.spans,
        add: |made, n| {
            let by = format!("by {}/{}", 300 + n, 400 + n);
            made.line(&format!("Microsoft-Windows-DotNETRuntime 9 0 after 100 {by} | u16 1"));
            made.line(&format!("Microsoft-Windows-DotNETRuntime 8 0 after 100 {by} |"));
        },
        others: 0,
    },
    Case {
        what: "marks",
        limit: |limits| &mut limits.marks,
        add: |made, _| made.line("PerfInfo 34 0 after 1 | a mark"),
        others: 0,
    },
    Case {
        what: "first events of processes",
        limit: |limits| &mut limits.firsts,
        add: |made, n| {
            let by = format!("by {}/{}", 300 + n, 400 + n);
            made.line(&format!("Microsoft-Windows-DotNETRuntime 10 0 after 100 {by} | u32 100000 u32 1"));
        },
        others: 0,
    },
    Case {
        what: "places that write events",
        limit: |limits| &mut limits.writers,
        add: |made, n| made.with_stack(0x40_0000 + n),
        others: 0,
    },
    Case {
        what: ".NET collections in the list",
        limit: |limits| &mut limits.collections,
        add: |made, n| {
            let rest = "u32 2 u32 1 u32 1 u16 9";
            made.line(&format!("Microsoft-Windows-DotNETRuntime 1 1 after 100 | u32 {} {rest}", n + 1));
        },
        others: 0,
    },
    Case {
        what: ".NET pauses in the list",
        limit: |limits| &mut limits.durations,
        add: |made, n| {
            made.line("Microsoft-Windows-DotNETRuntime 9 0 after 100 | u16 1");
            let rest = "u32 2 u32 1 u32 1 u16 9";
            made.line(&format!("Microsoft-Windows-DotNETRuntime 1 1 after 100 | u32 {} {rest}", n + 1));
            made.line("Microsoft-Windows-DotNETRuntime 3 0 after 100 |");
        },
        others: 0,
    },
    Case {
        what: "times between frames",
        limit: |limits| &mut limits.durations,
        add: |made, _| {
            let rest = "ptr 0xab00 u32 0 u32 1 u32 0 u32 0";
            made.line(&format!("Microsoft-Windows-DXGI 42 0 after 16000 by 100/44 | {rest}"));
        },
        // Between them.
        others: -1,
    },
    Case {
        what: "refreshes of displays",
        limit: |limits| &mut limits.durations,
        add: |made, _| {
            let rest = "ptr 0xd0 u32 7 u64 0 u32 0 u32 1 i64 0 ptr 0 u32 1 u64 0";
            made.line(&format!("Microsoft-Windows-DxgKrnl 17 0 after 16667 by 100/44 | {rest}"));
        },
        others: -1,
    },
    Case {
        what: "scripts and logons",
        limit: |limits| &mut limits.acts,
        add: |made, _| {
            let fields = "w alice w HOST w WS u32 300 w a.exe u32 3 u32 1 w oid";
            made.line(&format!("Microsoft-Windows-NTLM 4003 0 after 1000 | {fields}"));
        },
        others: 0,
    },
];

/// The report of a trace within some limits: its lines as one, and what was left out.
fn report(bytes: &[u8], limits: Limits) -> (String, serde_json::Value) {
    let folder = Scratch::new("limits");
    let file = TraceFile::open(&folder.write("many.etl", bytes)).expect("the trace opens");
    let trace = file.trace().expect("it is a trace");
    let traces = std::slice::from_ref(&trace);
    let activity = Activity::within(limits, traces, tracewell::Schemas::new(), |_| ());
    let report = Report::of(&activity, &[]);
    let lines = text::lines(&report, "t.etl", 200);
    let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    (lines.join("\n"), report.to_json()["recorded"]["left_out"].clone())
}

#[test]
fn issue_20_each_limit_that_is_reached_is_said() {
    const ADDED: u64 = 7;
    let mut wrong = Vec::new();
    for case in CASES {
        let mut made = Made { records: Vec::new(), time: START };
        (0..ADDED).for_each(|n| (case.add)(&mut made, n));
        let bytes = described::trace(PointerSize::P64, &made.records).expect("a trace");
        let things = ADDED.saturating_add_signed(case.others);
        for (most, beyond) in [(None, 0), (Some(things), 0), (Some(things - 1), 1), (Some(2), things - 2)] {
            let mut limits = Limits::default();
            if let Some(most) = most {
                *(case.limit)(&mut limits) = most as usize;
            }
            let (text, left_out) = report(&bytes, limits);
            let wanted = match beyond {
                0 => serde_json::json!([]),
                count => serde_json::json!([{ "what": case.what, "count": count }]),
            };
            let said = format!("too many for this report: {} ({beyond} more)", case.what);
            if left_out != wanted || text.contains(&said) != (beyond > 0) {
                wrong.push(format!("{} within {most:?}: {left_out}, not {wanted}", case.what));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let tested: Vec<&str> = CASES.iter().map(|case| case.what).collect();
    assert_eq!(kinds_of_limits().collect::<Vec<_>>(), tested, "a limit has no test");
}
