//! What the tests of the commands share: where things are, and running a command.
#![allow(dead_code, reason = "no test uses all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository has a root")
}

/// The sample trace.
pub(crate) fn sample() -> PathBuf {
    root().join("testdata/sample.etl")
}

/// Returns `true` if expectations are to be rewritten from what the product does.
pub(crate) fn bless() -> bool {
    tracewell_corpus::bless()
}

/// A small generator (xorshift64*): the same numbers on every system.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// What a command did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Exit status; none when a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// `dtrace` or `etw`, to run in the root of the repository, in UTC and without colours.
pub(crate) fn command(name: &str) -> Command {
    let mut command = Command::new(match name {
        "etw" => env!("CARGO_BIN_EXE_etw"),
        _ => env!("CARGO_BIN_EXE_dtrace"),
    });
    command
        .current_dir(root())
        .env("TZ", "UTC")
        .env_remove("NO_COLOR")
        .env_remove("_NT_SYMBOL_PATH")
        .stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Ran {
    let out = command.output().expect("the command can be started");
    Ran {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// A command line that runs on a terminal, which script(1) makes: it copies what is printed there.
pub(crate) fn on_terminal<S: AsRef<str>>(words: &[S]) -> Command {
    let program = command(words[0].as_ref()).get_program().to_string_lossy().into_owned();
    let rest = words[1..].iter().map(|word| word.as_ref().to_owned());
    let quoted: Vec<String> = std::iter::once(program).chain(rest).map(|word| format!("'{word}'")).collect();
    let mut script = Command::new("script");
    script
        .args(["-qec", &quoted.join(" "), "/dev/null"])
        .current_dir(root())
        .env("SHELL", "/bin/sh")
        .env("TZ", "UTC")
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    script
}

/// Whether [`on_terminal`] has what it needs.
pub(crate) fn has_terminal() -> bool {
    Command::new("script").arg("--version").output().is_ok_and(|out| out.status.success())
}

/// The sum of a file by which it is recognised (FNV-1a).
pub(crate) fn sum(bytes: &[u8]) -> String {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{sum:016x}")
}

/// The first line in which two texts differ, for messages.
pub(crate) fn difference(want: &str, have: &str) -> String {
    let (mut want_lines, mut have_lines) = (want.lines(), have.lines());
    for number in 1.. {
        let (w, h) = (want_lines.next(), have_lines.next());
        if w != h {
            let show = |line: Option<&str>| line.map_or("(no more lines)".to_owned(), |l| format!("{l:?}"));
            return format!("line {number}: want {}, have {}", show(w), show(h));
        }
        if w.is_none() {
            break;
        }
    }
    "only the ends of lines differ".to_owned()
}

/// A trace with spans of Rust's `tracing`, as the adapters write them (nested, and across threads), of collections of the .NET
/// runtime and of packets in a graphics queue; and the count and the whole duration in nanoseconds of the spans of each name.
pub(crate) fn trace_of_spans() -> (Vec<u8>, std::collections::BTreeMap<&'static str, (u64, i64)>) {
    use tracewell_etl::ExtendedItem;
    use tracewell_etl::def::event::ExtendedKind;
    use tracewell_etl::write::{Event, TraceConfig, TraceWriter};
    use tracewell_types::{FileTime, Guid};

    const TRACING: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789a0");
    const CLR: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    const DXGKRNL: Guid = Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d");
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default())
        .expect("the header is written");
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let header = |time: i64, provider: Guid, id: u16, version: u8| Event {
        time,
        provider,
        id,
        version,
        level: 4,
        pid: 100,
        tid: 44,
        ..Event::default()
    };
    // Times in 100 ns: a request from 1,000 to 9,000 with a query from 2,000 to 5,000, which another thread ends.
    for (time, tid, name, opcode, activity) in [
        (1_000, 44, "request", 1, 1),
        (2_000, 44, "query", 1, 2),
        (5_000, 45, "query", 2, 2),
        (9_000, 44, "request", 2, 1),
    ] {
        let mut description = vec![name.len() as u8 + 4, 0, 0];
        description.extend(name.bytes().chain([0]));
        let event = Event {
            opcode,
            channel: 11,
            tid,
            activity_id: Guid::new(activity, 0, 0, [0; 8]),
            ..header(time, TRACING, 0, 0)
        };
        let items = [ExtendedItem { kind: ExtendedKind::SCHEMA, data: &description }];
        writer.event(0, &event, &items, &[]).expect("the event is written");
    }
    for (time, id, payload) in [
        (10_000, 1, words(&[7, 2, 0, 0])),
        (10_400, 2, words(&[7, 2])),
        (11_000, 1, words(&[8, 0, 0, 0])),
        (11_100, 2, words(&[8, 0])),
    ] {
        let payload = [&payload[..], &[9, 0]].concat();
        let payload = if id == 1 { [&payload[..], &[0; 8]].concat() } else { payload };
        let version = if id == 1 { 2 } else { 1 };
        writer.event(0, &header(time, CLR, id, version), &[], &payload).expect("the event is written");
    }
    let context = 5_u64.to_le_bytes();
    let packet = |rest: &[u32]| [&context[..], &words(rest)].concat();
    for (time, id, payload) in [
        (12_000, 178, packet(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0])),
        (12_700, 180, packet(&[0, 1, 0, 0, 7, 0])),
    ] {
        writer.event(1, &header(time, DXGKRNL, id, 1), &[], &payload).expect("the event is written");
    }
    let bytes = writer.finish(FileTime(132_257_925_005_020_000)).expect("the trace is written").into_inner();
    let spans = [
        ("request", (1, 800_000)),
        ("query", (1, 300_000)),
        ("gc", (2, 50_000)),
        ("queue-packet", (1, 70_000)),
    ];
    (bytes, spans.into())
}
