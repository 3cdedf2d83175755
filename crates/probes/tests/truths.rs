//! What the original gets wrong or does not know, tested with written records.

mod described;

use described::run;
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, trace};

/// What is true, the records (`CLASS OPCODE VERSION | PAYLOAD`), a program, and what it prints.
const ROWS: &[(&str, &[&str], &str, &str)] = &[
    (
        "a process id that is used again is another process",
        &[
            "Process 2 3 | ptr 0xff00 u32 200 u32 4 u32 1 i32 0 ptr 0 nosid a svc.exe w svc.exe_-x",
            "Process 1 3 | ptr 0xfa00 u32 200 u32 100 u32 1 i32 0 ptr 0 nosid a Other.exe w Other.exe",
            "PageFault 98 2 | ptr 0x7000 ptr 0x1000 u32 200 u32 0",
            "TcpIp 11 2 | u32 200 u32 5 ip 192.0.2.1 ip 192.0.2.2 port 1 port 2 u32 1 ptr 1",
        ],
        "proc:::exit { printf(\"%s;\", execname); } tcpip:::receive { printf(\"%s %d;\", execname, ppid); }",
        "svc.exe;other.exe 100;",
    ),
    (
        "a thread id that is used again belongs to its new process",
        &[
            "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0",
            "Thread 2 3 | u32 200 u32 50 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 u32 0 u8 8 u8 5 u8 2 u8 0",
            "Thread 1 3 | u32 100 u32 50 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 u32 0 u8 8 u8 5 u8 2 u8 0",
            "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0",
        ],
        "profile:::sample-997 { printf(\"%d %s;\", tid, execname); }",
        "50 svc.exe;50 app.exe;",
    ),
    (
        "a registry key's control block that is used again is another key",
        &[
            "Registry 17 2 | i64 0 u32 0 u32 0 ptr 0xcc00 w A",
            "Registry 23 2 | i64 0 u32 0 u32 0 ptr 0xcc00 w \\REGISTRY\\MACHINE\\SOFTWARE\\Contoso",
            "Registry 22 2 | i64 0 u32 0 u32 0 ptr 0xcc00 w \\REGISTRY\\USER\\S-1-5-18",
            "Registry 17 2 | i64 0 u32 0 u32 0 ptr 0xcc00 w B",
        ],
        "reg:::enumkey { printf(\"%s;\", args[0]->r_rname); }",
        "\\REGISTRY\\MACHINE\\SOFTWARE\\Contoso\\A;\\REGISTRY\\USER\\S-1-5-18\\B;",
    ),
    (
        "a file object that is used again is another file",
        &[
            "FileIo 65 3 | ptr 1 ptr 0xaa00 ptr 0xaa00 u32 40",
            "FileIo 35 2 | ptr 0xaa00 w \\Device\\HarddiskVolume2\\dir\\file.txt",
            "FileIo 32 2 | ptr 0xaa00 w \\Device\\HarddiskVolume2\\other.txt",
            "FileIo 65 3 | ptr 1 ptr 0xaa00 ptr 0xaa00 u32 40",
        ],
        "fsinfo:::cleanup { printf(\"%s;\", args[0]->fi_pathname); }",
        "C:\\dir\\file.txt;C:\\other.txt;",
    ),
    (
        "an address belongs to the image that is loaded there at the time",
        &[
            "Image 10 2 | ptr 0x10000 ptr 0x1000 u32 100 u32 0 u32 0 u32 0 ptr 0 u32 0 u32 0 u32 0 u32 0 w \\x\\first.dll",
            "PerfInfo 46 2 | ptr 0x10010 u32 40 u16 1 u16 0",
            "Image 2 2 | ptr 0x10000 ptr 0x1000 u32 100 u32 0 u32 0 u32 0 ptr 0 u32 0 u32 0 u32 0 u32 0 w \\x\\first.dll",
            "Image 10 2 | ptr 0x10000 ptr 0x1000 u32 100 u32 0 u32 0 u32 0 ptr 0 u32 0 u32 0 u32 0 u32 0 w \\x\\second.dll",
            "PerfInfo 46 2 | ptr 0x10030 u32 40 u16 1 u16 0",
        ],
        "profile:::sample-997 { umod(arg1); }",
        "first second",
    ),
    (
        "the clock of BEGIN and END is the trace's, ticks follow it, and no two clocks differ",
        &[
            "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0",
            "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0",
            "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0",
            "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0",
        ],
        "BEGIN { start = timestamp; printf(\"%Y %d;\", walltimestamp, timestamp == etwtimestamp && walltimestamp == etwwalltimestamp); } \
         tick-5ms { ticks++; } END { printf(\"%d ms %d ticks;\", (timestamp - start) / 1000000, ticks); }",
        "2020 Feb 10 07:15:00 1;40 ms 8 ticks;",
    ),
    (
        "ticks come without samples",
        &["Process 39 3 | ptr 0xff00 u32 200 u32 4 u32 1 i32 0 ptr 0 nosid a svc.exe w svc.exe_-x"],
        "tick-1ms { ticks++; } END { printf(\"%d;\", ticks); }",
        "10;",
    ),
    (
        "a name that starts at the root needs no key, and a key without a name below it has no end",
        &[
            "Registry 11 2 | i64 0 u32 0 u32 0 ptr 0 w \\Registry\\Machine\\X",
            "Registry 27 2 | i64 0 u32 0 u32 0 ptr 0xcc00 w \"\"",
            "Registry 11 2 | i64 0 u32 0 u32 0 ptr 0x9999 w Loose",
        ],
        "reg:::open, reg:::close { printf(\"%s;\", args[0]->r_rname); }",
        "\\Registry\\Machine\\X;\\REGISTRY\\MACHINE\\SOFTWARE\\Contoso;Loose;",
    ),
];

fn records(lines: &[&str]) -> Vec<Described> {
    lines
        .iter()
        .map(|line| {
            let (what, payload) = line.split_once(" | ").expect("a record has a payload");
            let [class, opcode, version] = what.split(' ').collect::<Vec<_>>()[..] else { panic!("{what}") };
            let number = |text: &str| text.parse().expect("a number");
            Described::kernel(class, number(opcode), number(version), payload).expect("a class")
        })
        .collect()
}

/// Returns `true` if two texts are the same except for blanks.
fn same(have: &str, want: &str) -> bool {
    have.split_whitespace().eq(want.split_whitespace())
}

#[test]
fn truths_hold() {
    let mut wrong = Vec::new();
    for pointer in [PointerSize::P32, PointerSize::P64] {
        for (what, lines, program, want) in ROWS {
            let bytes = trace(pointer, &records(lines)).expect("the trace is written");
            match run(program, &bytes) {
                Ok((have, 0)) if same(&have, want) => {}
                other => wrong.push(format!("{what} ({pointer:?})\n want {want:?}\n have {other:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} do not hold:\n{}", wrong.len(), wrong.join("\n"));
}
