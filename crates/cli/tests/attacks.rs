//! Every command of `tests/attacks/commands.table` over damaged traces, archives, descriptions, symbol files, programs and scripts
//! (issue 14). docs/TESTING.md says how to run it for long.

#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::Random;
use tracewell_corpus::Scratch;
use tracewell_symbols::{ElfCode, ElfImage, PeImage};
use tracewell_testkit::{PROFILED_PID, ProfiledImage, profiled};
use tracewell_types::visible::is_active;

/// Number of damaged inputs of a long run, instead of the few of an ordinary one.
const INPUTS: &str = "TRACEWELL_ATTACKS";
/// Number of the first input, so that a long run does not repeat another.
const FIRST: &str = "TRACEWELL_ATTACKS_FIRST";
/// Kinds of inputs to use, separated by commas; all, unless it is set.
const KINDS: &str = "TRACEWELL_ATTACKS_KINDS";
/// A folder with further programs and libraries of Windows and Linux.
const PROGRAMS: &str = "TRACEWELL_ATTACKS_PROGRAMS";
/// A folder that receives the inputs of all findings.
const KEEP: &str = "TRACEWELL_ATTACKS_KEEP";

/// Address space of a command.
const MEMORY_KIB: u64 = 2 << 20;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// What the output of a command is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Text,
    /// A JSON value in each line.
    Json,
    Bytes,
}

/// A line of the table.
struct Line {
    kind: String,
    output: Output,
    command: String,
}

fn table() -> Vec<Line> {
    let text = fs::read_to_string(common::root().join("tests/attacks/commands.table")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.splitn(2, char::is_whitespace);
            let kind = words.next().unwrap().to_owned();
            let (output, command) =
                words.next().unwrap().trim_start().split_once(char::is_whitespace).unwrap();
            let output = match output {
                "text" => Output::Text,
                "json" => Output::Json,
                "bytes" => Output::Bytes,
                other => panic!("{other:?} is not a kind of output"),
            };
            Line { kind, output, command: command.trim_start().to_owned() }
        })
        .collect()
}

/// An input before it is damaged: its file name, which selects how some commands read it, and its bytes.
struct Sound {
    name: String,
    bytes: Vec<u8>,
}

/// Files of a folder and the folders in it, of at most 400 kB, in order.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if fs::metadata(&path).unwrap().len() <= 400_000 {
            found.push(path);
        }
    }
}

/// The programs and libraries that are attacked: those of `testdata/symbols`, the small libraries of this process, and those of the
/// folder that the user names.
fn programs() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&common::root().join("testdata/symbols"), &mut found);
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mut mapped: Vec<PathBuf> =
        maps.lines().filter_map(|line| Some(line.get(line.find('/')?..)?.into())).collect();
    mapped.dedup();
    let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.len() <= 400_000);
    found.extend(mapped.into_iter().filter(is_small));
    if let Some(folder) = std::env::var_os(PROGRAMS) {
        files(Path::new(&folder), &mut found);
    }
    found
}

/// The inputs of each kind: those of the repository, and small real traces.
fn sound() -> BTreeMap<&'static str, Vec<Sound>> {
    let root = common::root();
    let mut all: BTreeMap<&'static str, Vec<Sound>> = BTreeMap::new();
    let mut add = |kind, path: &Path, suffix: &str| {
        let stem = path.file_stem().unwrap().to_string_lossy();
        let suffix = match suffix {
            "" => path.extension().unwrap_or_default().to_string_lossy().into_owned(),
            other => other.to_owned(),
        };
        let sound = Sound { name: format!("{stem}.{suffix}"), bytes: fs::read(path).unwrap() };
        all.entry(kind).or_default().push(sound);
    };
    for _ in 0..8 {
        add("trace", &common::sample(), "");
    }
    let folders = [
        ("trace", "file", "etl"),
        ("archive", "archive", ""),
        ("manifest", "manifest", "man"),
        ("manifest", "mof", "mof"),
        ("manifest", "bmof", "bmf"),
        ("manifest", "tmf", "tmf"),
        ("manifest", "table", "events"),
        ("manifest", "wevt", "bin"),
        ("symbols", "pdb", "pdb"),
    ];
    let mut found = Vec::new();
    for (kind, folder, suffix) in folders {
        found.clear();
        files(&root.join("fuzz/corpus").join(folder), &mut found);
        found.iter().for_each(|path| add(kind, path, suffix));
    }
    found.clear();
    files(&root.join("testdata/symbols"), &mut found);
    for path in found.iter().filter(|path| path.extension().is_some_and(|e| e == "dll" || e == "pdb")) {
        (0..6).for_each(|_| add("symbols", path, ""));
    }
    for path in programs() {
        match fs::read(&path).unwrap_or_default().first_chunk() {
            Some(b"MZ") => add("pe", &path, ""),
            Some([0x7F, b'E']) => add("elf", &path, ""),
            _ => {}
        }
    }
    found.clear();
    files(&root.join("scripts"), &mut found);
    files(&root.join("tests/d"), &mut found);
    // A damaged script must not run programs: without `-x restrict`, a pragma permits that.
    let harmless = |path: &&PathBuf| {
        path.extension().is_some_and(|e| e == "d")
            && !String::from_utf8_lossy(&fs::read(path).unwrap()).contains("destructive")
    };
    found.iter().filter(harmless).for_each(|path| add("script", path, ""));
    if let Some(folder) = tracewell_corpus::folder() {
        found.clear();
        files(&folder, &mut found);
        found
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == "etl"))
            .for_each(|path| add("trace", path, ""));
    }
    all
}

/// Values that lengths, counts and offsets do not expect.
const EXTREMES: [u64; 14] = [
    0,
    1,
    7,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    u64::MAX,
];

/// Text that acts on a terminal, as bytes and as UTF-16.
const ACTIVE: [&[u8]; 5] = [
    b"\x1b]0;x\x07",
    "\u{9b}31m\u{202e}".as_bytes(),
    b"\x1b\0[\0\x32\0J\0",
    b"\x2e\x20\x9b\0=\0",
    b"\n=1+1\r\x1b[8m",
];

/// A damaged copy of one input, with parts of another.
fn damaged(of: &Sound, other: &[u8], text: bool, random: &mut Random) -> Vec<u8> {
    let mut bytes = of.bytes.clone();
    let most = if random.below(4) == 0 { 30 } else { 4 };
    for _ in 0..1 + random.below(most) {
        if bytes.is_empty() {
            break;
        }
        let at = place(&bytes, text, random);
        let rest = bytes.len() - at;
        match random.below(14) {
            0 => bytes[at] ^= 1 << random.below(8),
            1..=4 if !text => {
                let width = [1, 2, 4, 8][random.below(4)].min(rest);
                let value = EXTREMES[random.below(EXTREMES.len())].wrapping_sub(random.below(2) as u64);
                bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            }
            5 if !text => {
                let width = [1, 2, 4, 8][random.below(4)].min(rest);
                let mut value = [0; 8];
                value[..width].copy_from_slice(&bytes[at..at + width]);
                let sum = u64::from_le_bytes(value).wrapping_add([1, 8, u64::MAX, 0x100][random.below(4)]);
                bytes[at..at + width].copy_from_slice(&sum.to_le_bytes()[..width]);
            }
            1..=3 => {
                let number = EXTREMES[random.below(EXTREMES.len())].to_string();
                let end = at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                bytes.splice(at..end, number.into_bytes());
            }
            6 => {
                let active = ACTIVE[random.below(ACTIVE.len())];
                let end = (at + active.len()).min(bytes.len());
                bytes.splice(at..end, active.iter().copied());
            }
            7 => {
                let length = 1 + random.below(rest.min(5_000));
                bytes.drain(at..at + length);
            }
            8 => {
                let length = random.below(rest.min(70_000));
                let part = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
            9 if !other.is_empty() => {
                let from = random.below(other.len());
                let part = &other[from..(from + 1 + random.below(70_000)).min(other.len())];
                let end = if random.below(2) == 0 { at } else { (at + part.len()).min(bytes.len()) };
                bytes.splice(at..end, part.iter().copied());
            }
            10 if text => {
                // Nesting without end.
                let part = [
                    &b"("[..],
                    b"{",
                    b"!",
                    b"-",
                    b"a?",
                    b"<a>",
                    b"/*",
                    b"[",
                    b"\"",
                    b"#define x x x\n",
                    b"*",
                ];
                let times = [10, 300, 30_000][random.below(3)];
                let part = part[random.below(part.len())].repeat(times);
                bytes.splice(at..at, part);
            }
            11 if random.below(4) == 0 => bytes.truncate(at),
            12 => {
                let length = 1 + random.below(rest.min(300));
                bytes[at..at + length].fill(0);
            }
            _ => {
                let word = random.next().to_le_bytes();
                let length = (1 + random.below(8)).min(rest);
                bytes[at..at + length].copy_from_slice(&word[..length]);
            }
        }
    }
    bytes
}

/// Where to damage: for traces often a field of a buffer's header or of a record, for text the beginning of a word.
fn place(bytes: &[u8], text: bool, random: &mut Random) -> usize {
    let anywhere = random.below(bytes.len());
    if text {
        let word = bytes[..anywhere].iter().rposition(|b| !b.is_ascii_alphanumeric());
        return word.map_or(anywhere, |at| (at + random.below(2)).min(bytes.len() - 1));
    }
    let word =
        |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let at = match random.below(5) {
        0 => random.below(bytes.len().min(600)),
        1 | 2 => {
            let size = word(0).filter(|size| (72..=1 << 24).contains(size)).unwrap_or(4_096);
            let buffer = random.below(bytes.len() / size + 1) * size;
            let mut at = buffer + 72;
            for _ in 0..random.below(40) {
                let Some(first) = word(at) else { break };
                let length = match (first >> 16) & 0xFF {
                    0x12..=0x15 | 0x0A | 0x0B => first & 0xFFFF,
                    _ => word(at + 4).unwrap_or(0) & 0xFFFF,
                };
                at += length.max(8).next_multiple_of(8);
            }
            if random.below(3) == 0 { buffer + random.below(72) } else { at + random.below(130) }
        }
        _ => anywhere,
    };
    if at < bytes.len() { at } else { anywhere }
}

/// Folders of one thread: a command sees no others.
struct Room {
    _scratch: Scratch,
    input: PathBuf,
    work: PathBuf,
    home: PathBuf,
    temporary: PathBuf,
    out: PathBuf,
    error: PathBuf,
}

impl Room {
    fn new() -> Room {
        let scratch = Scratch::new("attacks");
        let folder = |name: &str| {
            let path = scratch.join(name);
            fs::create_dir(&path).unwrap();
            path
        };
        Room {
            input: folder("input"),
            work: folder("work"),
            home: folder("home"),
            temporary: folder("tmp"),
            out: scratch.join("stdout"),
            error: scratch.join("stderr"),
            _scratch: scratch,
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    files(folder, &mut found);
    found.iter().map(|path| path.strip_prefix(folder).unwrap().display().to_string()).collect()
}

/// Runs a command; ends it after some time, with `None`.
fn run(
    line: &Line,
    room: &Room,
    input: &Path,
    variables: &[(&str, &Path)],
    limit: Duration,
) -> Option<ExitStatus> {
    let programs = Path::new(env!("CARGO_BIN_EXE_etw")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let simple = if line.command.contains("&&") { "" } else { "exec " };
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -c 0; ulimit -v {MEMORY_KIB}; {simple}{}", line.command)])
        .current_dir(&room.work)
        .env_clear()
        .envs([("PATH", path.as_str()), ("TZ", "UTC"), ("LC_ALL", "C.UTF-8")])
        .envs([
            ("HOME", &room.home),
            ("TMPDIR", &room.temporary),
            ("TRACEWELL_RUNTIME", &room.home.join("none")),
        ])
        .envs(variables.iter().copied())
        .env("IN", input)
        .stdin(Stdio::null())
        .stdout(fs::File::create(&room.out).unwrap())
        .stderr(fs::File::create(&room.error).unwrap())
        .process_group(0)
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if begin.elapsed() > limit {
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Explains what is wrong with what a command did.
fn fault(line: &Line, room: &Room, input: &Path, bytes: &[u8], status: Option<ExitStatus>) -> Option<String> {
    let Some(status) = status else { return Some("does not end".to_owned()) };
    let error = fs::read(&room.error).unwrap();
    let text = String::from_utf8_lossy(&error);
    let Some(code) = status.code() else { return Some(format!("ended by {status}: {text}")) };
    if !(0..=3).contains(&code) || text.contains("panicked at") || text.contains("memory allocation of") {
        return Some(format!("status {code}: {text}"));
    }
    if code != 0
        && text.trim().is_empty()
        && !line.command.contains("verify")
        && line.command.starts_with("etw")
    {
        return Some(format!("status {code} without a reason"));
    }
    let out = fs::read(&room.out).unwrap();
    for (name, bytes, exempt) in [("stdout", &out, line.output == Output::Bytes), ("stderr", &error, false)] {
        if exempt {
            continue;
        }
        let Ok(text) = str::from_utf8(bytes) else { return Some(format!("{name} is not UTF-8")) };
        // Lines of CSV end with both.
        let text = text.replace("\r\n", "\n");
        if let Some(at) = text.find(|c| is_active(c) && !matches!(c, '\n' | '\t')) {
            let around: String = text[at..].chars().take(60).collect();
            return Some(format!("{name} has {around:?}"));
        }
    }
    if line.output == Output::Json {
        let text = str::from_utf8(&out).unwrap();
        if let Some(bad) = text.lines().find(|l| serde_json::from_str::<serde_json::Value>(l).is_err()) {
            return Some(format!("not JSON: {}", bad.chars().take(300).collect::<String>()));
        }
    }
    let work = names(&room.work);
    let wanted = ["out.", "copy", "store/"];
    let input_name = input.file_name().unwrap().to_string_lossy();
    let stray = |name: &&String| {
        !wanted.iter().any(|w| name.starts_with(w)) && **name != input_name && line.kind != "archive"
    };
    if let Some(name) =
        work.iter().find(stray).or_else(|| work.iter().find(|n| n.contains(".part") || n.contains("tmp")))
    {
        return Some(format!("leaves {name}"));
    }
    // A complete file, without the damaged parts or with an estimated clock.
    let without =
        code == 1 && (text.contains("of the input not in the output") || text.contains("is estimated"));
    let partial = without
        || line.command.contains("&&")
        || line.command.contains("schema import")
        || line.command.contains("-o .");
    if !matches!(code, 0 | 3) && !partial && !work.is_empty() && !line.command.contains("--personal") {
        return Some(format!("fails with status {code} and leaves {work:?}: {text}"));
    }
    for folder in [&room.home, &room.temporary] {
        if let Some(name) = names(folder).first() {
            return Some(format!("leaves {name} in {}", folder.display()));
        }
    }
    (fs::read(input).unwrap() != bytes).then(|| "changes its input".to_owned())
}

/// A trace of a process that runs the libraries of `testdata/symbols`.
fn profile() -> Vec<u8> {
    let folder = common::root().join("testdata/symbols");
    let images: Vec<ProfiledImage> = ["demo", "bare"]
        .iter()
        .zip([0x7ff6_1000_0000, 0x7ff6_2000_0000])
        .map(|(name, base)| {
            let image = PeImage::open(&folder.join(format!("{name}.dll"))).unwrap();
            ProfiledImage {
                pid: PROFILED_PID,
                base,
                size: u64::from(image.size),
                time_stamp: image.time_stamp,
                path: format!(r"\Device\HarddiskVolume3\Demo\{name}.dll"),
                database: image.database.map(|(pdb, guid, age)| (guid, age, format!(r"D:\build\{pdb}"))),
            }
        })
        .collect();
    let stack = |base: u64| vec![base + 0x101b, base + 0x1094, base + 0x10ff, base + 0x1190];
    profiled(&images, &images.iter().map(|image| stack(image.base)).collect::<Vec<_>>()).unwrap()
}

/// A trace of a process that runs a program or library, before it is damaged: its samples are all over it. [`None`] for what has
/// no functions.
fn profile_of(sound: &Sound, input: &Path) -> Option<Vec<u8>> {
    let base = 0x7ff6_1000_0000;
    let image = match PeImage::parse(&sound.bytes) {
        Ok(image) => ProfiledImage {
            size: u64::from(image.size),
            time_stamp: image.time_stamp,
            path: format!(r"\Device\HarddiskVolume3\{}", sound.name),
            database: image.database.map(|(pdb, guid, age)| (guid, age, pdb)),
            ..ProfiledImage::default()
        },
        Err(_) => ProfiledImage {
            size: ElfImage::parse(&sound.bytes).ok()?.size,
            path: input.display().to_string(),
            ..ProfiledImage::default()
        },
    };
    let image = ProfiledImage { pid: PROFILED_PID, base, ..image };
    let places: Vec<u64> = (0..512).map(|part| base + image.size / 512 * part + part % 8).collect();
    let stacks: Vec<Vec<u64>> = places.chunks(8).map(<[u64]>::to_vec).collect();
    profiled(&[image], &stacks).ok()
}

/// Reads the code of a damaged program as a probe on functions does, and asks for each part of it.
fn read_code(input: &Path) {
    let Ok(code) = ElfCode::open(input, Path::new("/nowhere")) else { return };
    for function in &code.functions {
        let found = code.function_at(function.address).is_some();
        let bytes = code.bytes(function.address, function.size).len() as u64;
        assert!(found && bytes <= function.size, "{function:?}");
        let offset = code.code_offset(function.address);
        let _ = offset.and_then(|offset| code.address(offset));
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "a long run shows each finding at once")]
fn issue_14_no_damaged_input_harms_a_command() {
    let (table, sound) = (table(), sound());
    let long = number(INPUTS);
    let (inputs, first) = (long.unwrap_or(4), number(FIRST).unwrap_or(1));
    // A loaded machine may take long for a sound command.
    let limit = Duration::from_secs(if long.is_some() { 20 } else { 600 });
    let kinds = std::env::var(KINDS).ok();
    let chosen = |kind: &str| kinds.as_deref().is_none_or(|kinds| kinds.split(',').any(|k| k == kind));
    let shared = Scratch::new("attacks-shared");
    let profiled = shared.write("profiled.etl", &profile());
    let root = common::root();
    let (next, sample) = (AtomicU64::new(0), common::sample());
    let (counts, findings) = (Mutex::new(BTreeMap::<&str, [u64; 2]>::new()), Mutex::new(Vec::new()));
    let kind_names: Vec<&str> = sound.keys().copied().filter(|kind| chosen(kind)).collect();
    let attack = || {
        let room = Room::new();
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= inputs * kind_names.len() as u64 {
                break;
            }
            let kind = kind_names[(turn % kind_names.len() as u64) as usize];
            let seed = first + turn / kind_names.len() as u64;
            let mut random = Random((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ kind.len() as u64);
            let _ = (random.next(), random.next());
            let of = &sound[kind][random.below(sound[kind].len())];
            let other = &sound[kind][random.below(sound[kind].len())].bytes;
            let text =
                ["d", "man", "mof", "tmf", "events"].iter().any(|e| of.name.rsplit('.').next() == Some(e));
            let bytes = damaged(of, other, text, &mut random);
            let input = room.input.join(&of.name);
            fs::write(&input, &bytes).unwrap();
            let own = room.out.with_file_name("profiled.etl");
            if ["pe", "elf"].contains(&kind) {
                fs::write(&own, profile_of(of, &input).unwrap_or_default()).unwrap();
                read_code(&input);
            }
            let profiled = if own.exists() { &own } else { &profiled };
            let lines: Vec<&Line> = table.iter().filter(|line| line.kind == kind).collect();
            for (number, line) in lines.iter().enumerate() {
                // An ordinary run has time for a few commands of many.
                let share = (lines.len() as u64).div_ceil(8);
                if long.is_none() && !(number as u64 + seed).is_multiple_of(share) {
                    continue;
                }
                let folders =
                    [("ROOT", &*root), ("SAMPLE", &sample), ("PROFILED", profiled), ("SYMBOLS", &room.input)];
                let status = run(line, &room, &input, &folders, limit);
                let fault = fault(line, &room, &input, &bytes, status);
                {
                    let mut counts = counts.lock().unwrap();
                    let count = counts.entry(kind).or_default();
                    count[0] += 1;
                    count[1] += u64::from(status.is_some_and(|status| status.success()));
                }
                if let Some(fault) = fault {
                    let name = format!("{kind}-{seed}-{}", of.name);
                    let fault = format!("{name}: {}: {fault}", line.command);
                    eprintln!("{fault}");
                    if let Some(folder) = std::env::var_os(KEEP) {
                        fs::write(Path::new(&folder).join(name), &bytes).unwrap();
                    }
                    findings.lock().unwrap().push(fault);
                    fs::write(&input, &bytes).unwrap();
                }
                for folder in [&room.work, &room.home, &room.temporary] {
                    fs::remove_dir_all(folder).unwrap();
                    fs::create_dir(folder).unwrap();
                }
            }
            fs::remove_file(&input).unwrap();
            let _ = fs::remove_file(&own);
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(attack))));
    let (counts, findings) = (counts.into_inner().unwrap(), findings.into_inner().unwrap());
    eprintln!("{inputs} inputs of each kind; kind: [runs, successful ones] {counts:?}");
    assert!(findings.is_empty(), "{} findings, among them: {}", findings.len(), findings[0]);
    for kind in kind_names {
        assert!(counts.get(kind).is_some_and(|count| count[0] > 0), "no run over a damaged {kind}");
    }
}

/// The programs are really read: before they are damaged, their functions are named.
#[test]
fn attacked_programs_have_functions() {
    let (sound, room) = (sound(), Room::new());
    for kind in ["pe", "elf"] {
        let mut named = 0;
        for sound in &sound[kind] {
            let input = room.input.join(&sound.name);
            fs::write(&input, &sound.bytes).unwrap();
            let Some(profile) = profile_of(sound, &input) else { continue };
            let trace = room.input.join("profiled.etl");
            fs::write(&trace, profile).unwrap();
            let mut command = common::command("dtrace");
            command.args(["-qn", "profile:::sample-* { @[ustack()] = count(); }", "-y"]).arg(&room.input);
            let said = common::run(command.arg("-E").arg(&trace)).stdout;
            let is_named = |line: &str| line.split_once('`').is_some_and(|(_, name)| !name.starts_with("0x"));
            named += said.lines().filter(|line| is_named(line)).count();
        }
        assert!(named >= 8, "{kind}: {named} functions are named");
    }
}
