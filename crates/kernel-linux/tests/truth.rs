//! A workload with known numbers runs while the kernel is recorded, and the recording gives the numbers. Without the rights
//! for it the test says so and does nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "tests say what they repeat")]

mod writer;

use std::collections::HashMap;
use std::io::{Read, Seek, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tracewell_corpus::Scratch;
use tracewell_etl::{Mapping, Record, Trace};
use tracewell_kernel_linux::{Error, Monotonic, Options, Session, flags};
use tracewell_schema::{FieldType, kernel};
use writer::Writer;

/// Whose events a row counts.
#[derive(Clone, Copy, Debug)]
enum Of {
    /// Of the workload's thread: as a field says.
    Tid(&'static str),
    /// Of the workload's thread: as the processor ran it.
    Running,
    /// Of this process, as a field says.
    Pid(&'static str),
    /// Of children of this process.
    Child,
    /// Of all.
    All,
}

/// What a row makes of the events.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Count,
    Sum(&'static str),
}

use Answer::{Count, Sum};
use Of::{All, Child, Pid, Running, Tid};

/// A workload, a question about its events, and the known answer with its bound.
struct Row {
    work: fn(&Path),
    event: &'static str,
    of: Of,
    answer: Answer,
    known: RangeInclusive<u64>,
}

const fn row(
    work: fn(&Path),
    event: &'static str,
    of: Of,
    answer: Answer,
    known: RangeInclusive<u64>,
) -> Row {
    Row { work, event, of, answer, known }
}

/// Events of the tests' own machinery may be among those of a processor or of the process: upper bounds leave room for these.
const ROWS: &[Row] = &[
    row(run_programs, "Process/Start", Child, Count, 5..=5),
    row(run_programs, "Process/End", Child, Count, 5..=5),
    row(run_threads, "Thread/Start", Pid("ProcessId"), Count, 7..=7),
    row(run_threads, "Thread/End", Pid("ProcessId"), Count, 7..=8),
    row(write_file, "FileIo/Write", Tid("TTID"), Count, 10..=10),
    row(write_file, "FileIo/Write", Tid("TTID"), Sum("IoSize"), 10_000..=10_000),
    row(write_file, "FileIo/Create", Tid("TTID"), Count, 1..=1),
    row(write_file, "FileIo/Flush", Tid("TTID"), Count, 1..=1),
    row(write_file, "FileIo/Close", Tid("TTID"), Count, 1..=1),
    row(write_file, "FileIo/OperationEnd", Running, Count, 13..=13),
    row(read_file, "FileIo/Read", Tid("TTID"), Count, 11..=11),
    row(read_file, "FileIo/Read", Tid("TTID"), Sum("IoSize"), 11_000..=11_000),
    row(read_file, "FileIo/Read", Tid("TTID"), Sum("Offset"), 55_000..=55_000),
    row(read_at, "FileIo/Read", Tid("TTID"), Sum("Offset"), 1_234..=1_234),
    row(remove_files, "FileIo/Delete", Tid("TTID"), Count, 3..=3),
    row(remove_files, "FileIo/Rename", Tid("TTID"), Count, 1..=1),
    row(sync_file, "DiskIo/Write", Tid("IssuingThreadId"), Sum("TransferSize"), 1 << 20..=1 << 21),
    row(talk_four, "TcpIp/SendIPV4", Pid("PID"), Sum("size"), 3_000..=3_000),
    row(talk_four, "TcpIp/RecvIPV4", Pid("PID"), Sum("size"), 3_000..=3_000),
    row(talk_four, "TcpIp/ConnectIPV4", Pid("PID"), Count, 1..=1),
    row(talk_four, "TcpIp/AcceptIPV4", Pid("PID"), Count, 1..=1),
    row(talk_four, "TcpIp/DisconnectIPV4", Pid("PID"), Count, 2..=2),
    row(talk_six, "TcpIp/SendIPV6", Pid("PID"), Sum("size"), 3_000..=3_000),
    row(talk_six, "TcpIp/RecvIPV6", Pid("PID"), Sum("size"), 3_000..=3_000),
    row(talk_six, "TcpIp/ConnectIPV6", Pid("PID"), Count, 1..=1),
    row(send_four, "UdpIp/SendIPV4", Pid("PID"), Sum("size"), 500..=500),
    row(send_four, "UdpIp/RecvIPV4", Pid("PID"), Count, 5..=5),
    row(send_six, "UdpIp/SendIPV6", Pid("PID"), Sum("size"), 500..=500),
    row(send_six, "UdpIp/RecvIPV6", Pid("PID"), Sum("size"), 500..=500),
    // Each page once; the memory itself and the stack have some more.
    row(touch_pages, "PageFault/DemandZeroFault", Running, Count, 1_000..=1_100),
    row(touch_pages, "PageFault/VirtualAlloc", Pid("ProcessId"), Count, 1..=10),
    row(
        touch_pages,
        "PageFault/VirtualFree",
        Pid("ProcessId"),
        Sum("RegionSize"),
        RESERVED..=RESERVED + 3 * 4096,
    ),
    row(call_kernel, "PerfInfo/SysClEnter", Running, Count, 2_000..=2_050),
    row(call_kernel, "PerfInfo/SysClExit", Running, Count, 2_000..=2_050),
    row(sleep_often, "Thread/CSwitch", Tid("OldThreadId"), Count, 20..=60),
    // Some kernels do not report each switch from a thread of the first process, nor each wake-up in it, to perf neither.
    row(sleep_often, "Thread/CSwitch", Tid("NewThreadId"), Count, 15..=60),
    row(sleep_often, "Thread/ReadyThread", Tid("TThreadId"), Count, 15..=60),
    // 200 ms of processor time at 1,000 samples a second.
    row(spin, "PerfInfo/SampleProfile", Tid("ThreadId"), Count, 100..=300),
    row(sleep_often, "PerfInfo/ISR", All, Count, 1..=1_000_000),
    row(sleep_often, "PerfInfo/TimerDPC", All, Count, 1..=1_000_000),
];

fn run_programs(_: &Path) {
    for _ in 0..5 {
        assert!(Command::new("/bin/true").stdin(Stdio::null()).status().unwrap().success());
    }
}

fn run_threads(_: &Path) {
    for _ in 0..7 {
        std::thread::spawn(|| ()).join().unwrap();
    }
}

fn write_file(path: &Path) {
    let mut file = std::fs::File::create(path).unwrap();
    for _ in 0..10 {
        file.write_all(&[7; 1000]).unwrap();
    }
    file.sync_all().unwrap();
}

/// Ten reads of data, and the one that finds the end.
fn read_file(path: &Path) {
    write_quietly(path, 10_000);
    let mut file = std::fs::File::open(path).unwrap();
    let mut bytes = [0; 1000];
    while file.read(&mut bytes).unwrap() > 0 {}
}

/// Makes a file by another thread, whose events are not the workload's.
fn write_quietly(path: &Path, size: usize) {
    let path = path.to_owned();
    std::thread::spawn(move || std::fs::write(path, vec![1; size]).unwrap()).join().unwrap();
}

fn read_at(path: &Path) {
    write_quietly(path, 10_000);
    let file = std::fs::File::open(path).unwrap();
    file.read_exact_at(&mut [0; 100], 1_234).unwrap();
}

fn remove_files(path: &Path) {
    let other = path.with_extension("other");
    for _ in 0..3 {
        write_quietly(path, 1);
        std::fs::remove_file(path).unwrap();
    }
    write_quietly(path, 1);
    std::fs::rename(path, other).unwrap();
}

/// Writes that a thread waits for are its own.
fn sync_file(path: &Path) {
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(&vec![3; 1 << 20]).unwrap();
    file.sync_all().unwrap();
    file.rewind().unwrap();
}

fn talk(address: &str) {
    let listener = TcpListener::bind(address).unwrap();
    let mut one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut other, _) = listener.accept().unwrap();
    for _ in 0..3 {
        one.write_all(&[1; 1000]).unwrap();
        other.read_exact(&mut [0; 1000]).unwrap();
    }
    drop((one, other));
    // The connection is closed by both ends.
    std::thread::sleep(Duration::from_millis(50));
}

fn talk_four(_: &Path) {
    talk("127.0.0.1:0");
}

fn talk_six(_: &Path) {
    talk("[::1]:0");
}

fn send(address: &str) {
    let (one, other) = (UdpSocket::bind(address).unwrap(), UdpSocket::bind(address).unwrap());
    one.connect(other.local_addr().unwrap()).unwrap();
    for _ in 0..5 {
        assert_eq!(one.send(&[1; 100]).unwrap(), 100);
        other.recv(&mut [0; 200]).unwrap();
    }
}

fn send_four(_: &Path) {
    send("127.0.0.1:0");
}

fn send_six(_: &Path) {
    send("[::1]:0");
}

/// So much is mapped for each allocation, and given back with it.
const RESERVED: u64 = 64 << 20;

fn touch_pages(_: &Path) {
    let mut memory: Vec<u8> = Vec::with_capacity(RESERVED as usize);
    for page in 0..1_000 {
        // The vector grows in memory that was never touched.
        memory.resize(page * 4096 + 1, 1);
        memory.resize(page * 4096 + 4096, 1);
    }
    assert_eq!(memory.iter().map(|byte| u64::from(*byte)).sum::<u64>(), 1_000 * 4096);
}

fn call_kernel(path: &Path) {
    for _ in 0..2_000 {
        let _ = std::hint::black_box(path.metadata());
    }
}

fn sleep_often(_: &Path) {
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Runs for 200 milliseconds of processor time of this thread.
fn spin(_: &Path) {
    let used = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
    };
    let begin = used();
    while used() - begin < Duration::from_millis(200) {
        let until = Instant::now() + Duration::from_micros(200);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
    }
}

fn thread_id() -> u32 {
    let path = std::fs::read_link("/proc/thread-self").unwrap();
    path.file_name().unwrap().to_str().unwrap().parse().unwrap()
}

/// An event of the recording: what it is called, which thread ran, and its fields of fixed size.
struct Seen {
    event: String,
    time: i64,
    running: Option<u32>,
    fields: HashMap<String, u64>,
}

fn seen(record: &Record<'_>, running: Option<u32>) -> Option<Seen> {
    let (class, opcode) = match record.hook() {
        Some(hook) => (kernel::by_hook((hook >> 8) as u8, hook as u8)?, hook as u8),
        None => (kernel::by_guid(&record.guid())?, record.opcode()),
    };
    let found = class.event(opcode, record.version())?;
    let mut fields = HashMap::new();
    let mut rest = record.payload();
    for field in &*found.version.fields {
        let Some(size) = field.fixed_size(8) else { break };
        let (bytes, after) = rest.split_at_checked(size)?;
        let mut word = [0; 8];
        let short = bytes.get(..size.min(8))?;
        word[..short.len()].copy_from_slice(short);
        if !matches!(field.ty, FieldType::Port) {
            fields.insert(field.name.to_string(), u64::from_le_bytes(word));
        }
        rest = after;
    }
    Some(Seen { event: format!("{}/{}", class.name, found.event.name), time: record.time(), running, fields })
}

/// Reads a recording. The number is that of switches that the kernel left out: a thread is switched out that was not switched in.
fn read(path: &Path) -> (Vec<Seen>, usize) {
    let mapping = Mapping::open(path).unwrap();
    let trace = Trace::open(&mapping).unwrap();
    let mut records = trace.by_time();
    let mut running: HashMap<u16, u32> = HashMap::new();
    let (mut all, mut left_out) = (Vec::new(), 0);
    while let Some(record) = records.next() {
        let Some(seen) = seen(&record, running.get(&record.cpu()).copied()) else { continue };
        if seen.event == "Thread/CSwitch" {
            let before = running.insert(record.cpu(), seen.fields["NewThreadId"] as u32);
            left_out +=
                usize::from(before.is_some_and(|before| seen.fields["OldThreadId"] != u64::from(before)));
        }
        all.push(seen);
    }
    assert!(records.ledger().is_clean());
    (all, left_out)
}

/// When a row's workload ran, and on which thread.
struct Ran {
    row: usize,
    tid: u32,
    begin: u64,
    end: u64,
}

/// Runs the workloads one after the other, each on a new thread.
fn run_all(folder: PathBuf) -> Vec<Ran> {
    let now = || tracewell_kernel_linux::Clock::now().monotonic;
    let mut ran = Vec::new();
    for (row, Row { work, .. }) in ROWS.iter().enumerate() {
        let path = folder.join(format!("work-{row}"));
        let thread = std::thread::spawn(move || {
            // Switched in at least once before the work, so that the recording knows who runs.
            std::thread::sleep(Duration::from_millis(5));
            let (tid, begin) = (thread_id(), now());
            work(&path);
            Ran { row, tid, begin, end: now() }
        });
        ran.push(thread.join().unwrap());
        std::thread::sleep(Duration::from_millis(5));
    }
    ran
}

/// Some kernels leave out switches, above all on a busy machine. Events then seem to be of the thread before, so that another
/// recording is made; one that has all switches must be right.
#[test]
fn issue_16_the_recording_gives_the_known_numbers() {
    for turn in 1.. {
        let Some((wrong, left_out)) = wrong_rows() else { return };
        if wrong.is_empty() {
            return;
        }
        let wrong = wrong.join("\n");
        assert!(left_out > 0 && turn < 5, "recording {turn}, {left_out} switches left out:\n{wrong}");
        println!("again, as the kernel left out {left_out} switches:\n{wrong}");
    }
}

/// Makes a recording. Returns the rows that it does not give, and how many switches the kernel left out; [`None`] where the kernel
/// cannot be traced.
fn wrong_rows() -> Option<(Vec<String>, usize)> {
    let folder = Scratch::new("kernel-truth");
    let path = folder.join("truth.etl");
    let mut writer = Writer::create(&path).unwrap();
    let options = Options { flags: flags::all(), ring: 16 << 20, ..Options::default() };
    let mut session = match Session::start(options, Box::new(Monotonic)) {
        Ok(session) => session,
        Err(error @ Error::Rights { .. }) => {
            tracewell_corpus::skip("root", &error.to_string());
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let work = folder.join("");
    let workload = std::thread::spawn(move || run_all(work));
    while !workload.is_finished() {
        std::thread::sleep(Duration::from_millis(20));
        session.read(&mut writer);
    }
    let ran = workload.join().unwrap();
    let totals = session.stop(&mut writer);
    writer.finish().unwrap();
    assert_eq!((totals.lost, totals.unread), (0, 0), "{totals:?}");

    let (all, left_out) = read(&path);
    let pid = u64::from(std::process::id());
    let mut wrong = Vec::new();
    for Ran { row, tid, begin, end } in ran {
        let Row { event, of, answer, known, .. } = &ROWS[row];
        let is = |seen: &&Seen| {
            let field = |name: &str, value: u64| seen.fields.get(name) == Some(&value);
            seen.event == *event
                && (begin.cast_signed()..=end.cast_signed()).contains(&seen.time)
                && match of {
                    Tid(name) => field(name, tid.into()),
                    Running => seen.running == Some(tid),
                    Pid(name) => field(name, pid),
                    Child => field("ParentId", pid),
                    All => true,
                }
        };
        let found = all.iter().filter(is);
        let answer = match answer {
            Count => found.count() as u64,
            Sum(name) => found.map(|seen| seen.fields[*name]).sum(),
        };
        if !known.contains(&answer) {
            wrong.push(format!("row {row}, {event} {of:?}: {answer}, not {known:?}"));
        }
    }
    Some((wrong, left_out))
}
