//! Libraries that arrive while a program runs, as files that the tests make up, and what a mechanism is given to watch.

use std::path::PathBuf;

use tracewell_corpus::Scratch;
use tracewell_corpus::elf::{CODE, Made};
use tracewell_dlang::program::Clause;
use tracewell_pid::{Hits, Watch};

use super::*;

/// A mechanism that notes what it is given, and refuses it if it is to.
#[derive(Debug, Default)]
struct Noted {
    watches: Vec<Watch>,
    refusal: Option<&'static str>,
}

impl Mechanism for Noted {
    fn take(&mut self, _: &mut Hits, _: &mut dyn FnMut(i64) -> i64) {}

    fn mapped(&mut self) -> Vec<Mapped> {
        Vec::new()
    }

    fn watch_later(&mut self, watches: &[Watch]) -> Result<(), String> {
        self.watches.extend_from_slice(watches);
        self.refusal.map_or(Ok(()), |why| Err(why.to_owned()))
    }

    fn refused(&self) -> &[String] {
        &[]
    }

    fn end(&mut self) {}

    fn lost(&self) -> u64 {
        0
    }
}

/// A root in which a process maps files.
struct Process {
    root: Scratch,
    finder: Finder,
    watching: Noted,
}

impl Process {
    /// A process in which a description may match this many places.
    fn new(name: &str, limit: usize) -> Process {
        let root = Scratch::new(name);
        let finder = Finder::new(Vec::new(), Vec::new(), root.to_path_buf(), limit);
        Process { root, finder, watching: Noted::default() }
    }

    /// Writes a library whose functions have 16 bytes each. Returns its size.
    fn library(&self, name: &str, functions: &[&str]) -> u64 {
        let mut made = Made::default();
        for function in functions {
            let mut code = vec![0x90; 15];
            code.push(0xC3);
            made.function(function, &code);
        }
        std::fs::metadata(made.write(&self.root, name)).unwrap().len()
    }

    fn map(&mut self, later: &mut Later, pid: u32, path: &str, time: u64) {
        let mapped = Mapped { pid, image: (0, 4096, path.to_owned()), time };
        later.map(&mapped, &mut self.finder, &mut self.watching);
    }

    /// The watches since the last call: probe, file, number of the function in it, and whether its return is watched.
    fn watches(&mut self) -> Vec<(u32, String, u64, bool)> {
        let shown = |watch: Watch| {
            let file = watch.file.strip_prefix(&*self.root).map_or_else(|_| PathBuf::new(), PathBuf::from);
            (watch.probe, file.display().to_string(), (watch.offset - CODE.0) / 16, watch.returns)
        };
        std::mem::take(&mut self.watching.watches).into_iter().map(shown).collect()
    }
}

/// A program whose clauses have these descriptions.
fn program(clauses: &[&[&str]]) -> Program {
    let clause = |described: &&[&str]| Clause {
        described: described.iter().map(|text| ((*text).to_owned(), 1)).collect(),
        ..Clause::default()
    };
    Program { clauses: clauses.iter().map(clause).collect(), ..Program::default() }
}

/// What has arrived since the last call: number, names and clauses.
fn arrived(later: &Later) -> Vec<(u32, String, Vec<u32>)> {
    let shown = |Arrived { id, names, clauses }: Arrived| (id.0, names.join(":"), clauses);
    later.arrivals().take().into_iter().map(shown).collect()
}

#[test]
fn issue_23_functions_of_later_libraries_have_the_clauses_of_all_that_match() {
    let mut process = Process::new("later-clauses", 100);
    process.library("libplug.so", &["open", "read", "ready"]);
    process.library("libother.so", &["read"]);
    let mut later = Later::of(
        &program(&[
            &["pid7:libplug.so:rea*:entry", "pid7:libplug.so:rea*:entry", "no description"],
            &["pid7:lib*:read:entry", "pid8::open:entry", "fpid7::open:entry", "syscall::open:entry"],
            &["pid7::read:return", "pid7:libplug.so:rea*:entry", "nothing7::open:entry"],
        ]),
        ProbeId(41),
        100,
    );
    process.map(&mut later, 7, "/libplug.so", 0);
    let own = |id, name: &str, clauses: &[u32]| (id, format!("pid7:libplug.so:{name}"), clauses.to_vec());
    assert_eq!(
        arrived(&later),
        [
            own(41, "read:entry", &[0, 0, 1, 2]),
            own(42, "ready:entry", &[0, 0, 2]),
            own(43, "read:return", &[2])
        ]
    );
    let watch = |id, file: &str, function, returns| (id, file.to_owned(), function, returns);
    assert_eq!(
        process.watches(),
        [
            watch(41, "libplug.so", 1, false),
            watch(42, "libplug.so", 2, false),
            watch(43, "libplug.so", 1, true)
        ]
    );
    // A file is a module once. Nothing else has names that match, or is a file.
    for (pid, path) in [
        (7, "/libplug.so"),
        (9, "/libother.so"),
        (7, "libother.so"),
        (7, "[vdso]"),
        (7, "/absent.so"),
        (8, "/libother.so"),
    ] {
        process.map(&mut later, pid, path, 0);
        assert_eq!((arrived(&later), process.watches()), (Vec::new(), Vec::new()), "{pid} {path}");
    }
    let closing = "/libplug.so was loaded while the program ran: 3 probes were placed 0 ms later, and earlier calls are not counted";
    assert_eq!(later.closing(), [closing]);
    // Another process has separate modules, and numbers go on.
    let mut second = Process::new("later-second", 100);
    second.library("libplug.so", &["open", "read", "ready"]);
    second.map(&mut later, 8, "/libplug.so", 0);
    assert_eq!(arrived(&later), [(44, "pid8:libplug.so:open:entry".to_owned(), vec![1])]);
    assert_eq!(second.watches(), [watch(44, "libplug.so", 0, false)]);
}

#[test]
fn issue_23_later_probes_end_at_their_limits() {
    let mut process = Process::new("later-limits", 4);
    process.library("liba.so", &["a", "b", "c"]);
    process.library("libb.so", &["a", "b"]);
    process.library("libc.so", &["a"]);
    process.library("libd.so", &["a", "b", "c", "d", "e"]);
    process.library("libe.so", &["a"]);
    process.library("libf.so", &["a"]);
    let program = program(&[&["pid7:::entry"]]);
    let mut later = Later::of(&program, ProbeId(5), 4);
    process.map(&mut later, 7, "/liba.so", 0);
    process.map(&mut later, 7, "/libb.so", 0);
    let ids = |later: &Later| arrived(later).into_iter().map(|(id, ..)| id).collect::<Vec<_>>();
    assert_eq!(ids(&later), [5, 6, 7]);
    let refused = |why: &str| format!("functions of a library that was loaded later are not probed: {why}");
    let limit = |path: &str, count: usize, limit: usize| {
        refused(&format!(
            "{path}: it has {count} functions that match, and the limit is {limit} with those before: name fewer, or raise it \
             with -x pidlimit=N (at most 10000 for libraries that are loaded later)"
        ))
    };
    assert_eq!(later.closing()[1..], [limit("/libb.so", 2, 4)]);
    // What did not fit used up nothing.
    process.map(&mut later, 7, "/libc.so", 0);
    assert_eq!(ids(&later), [8]);
    process.map(&mut later, 7, "/libd.so", 0);
    let many = "the description matches 5 places, and the limit is 4: name fewer functions, or raise it with -x pidlimit=N";
    assert_eq!(later.closing()[2..], [limit("/libb.so", 2, 4), refused(&format!("/libd.so: {many}"))]);
    // The numbers of places that the mechanism refuses are not used again, though it has them.
    let mut later = Later::of(&program, ProbeId(5), 1);
    process.watching.refusal = Some("the kernel refuses");
    process.map(&mut later, 7, "/libe.so", 0);
    assert_eq!((ids(&later), later.closing()), (Vec::new(), vec![refused("the kernel refuses")]));
    process.watching.refusal = None;
    process.map(&mut later, 7, "/libf.so", 0);
    assert_eq!(ids(&later), [6]);
    // No limit is above the number of names that there can be.
    let mut process = Process::new("later-most", 100);
    for name in ["liba.so", "libb.so"] {
        process.library(name, &["a"]);
    }
    let mut later = Later::of(&program, ProbeId(5), usize::MAX);
    later.placed = MOST_LATER - 1;
    process.map(&mut later, 7, "/liba.so", 0);
    process.map(&mut later, 7, "/libb.so", 0);
    assert_eq!((ids(&later), later.closing().remove(1)), (vec![5], limit("/libb.so", 1, 10_000)));
}

#[test]
fn issue_23_no_more_files_are_looked_at_than_the_limits_allow() {
    let program = program(&[&["pid7:::entry"]]);
    let full = "the program loaded more than 1000 files, or 1024 MiB, while it ran: functions of those after them are not probed";
    for of_bytes in [false, true] {
        let mut process = Process::new("later-full", 100);
        let sizes = ["liba.so", "libb.so", "libc.so"].map(|name| process.library(name, &["a"]));
        let mut later = Later::of(&program, ProbeId(5), 100);
        if of_bytes {
            later.bytes = (1 << 30) - sizes[0];
        } else {
            later.files = 999;
        }
        process.map(&mut later, 7, "/liba.so", 0);
        assert_eq!((arrived(&later).len(), later.closing().len()), (1, 1));
        process.map(&mut later, 7, "/libb.so", 0);
        assert_eq!(arrived(&later), []);
        assert_eq!(later.closing()[1..], [full]);
        // Nothing is kept of a file after that.
        process.map(&mut later, 7, "/libc.so", 0);
        let [before, after] = ["libb.so", "libc.so"].map(|name| process.finder.arrive(Path::new(name)));
        assert_eq!((before, after.map(|(_, size)| size)), (None, Some(sizes[2])));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn issue_23_the_delay_of_later_probes_is_that_since_the_file_was_mapped() {
    let now = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let (seconds, rest) = (now.tv_sec.cast_unsigned(), now.tv_nsec.cast_unsigned() as u32);
        i64::try_from(std::time::Duration::new(seconds, rest).as_nanos()).unwrap()
    };
    let (before, time, after) = (now(), monotonic(), now());
    assert!((before..=after).contains(&time), "{before} {time} {after}");
    let mut process = Process::new("later-delay", 100);
    let mut later = Later::of(&program(&[&["pid7:::entry"]]), ProbeId(5), 100);
    // A time that lies ahead, as another processor may write it, is no delay.
    for (name, since) in [("liba.so", 3_000_000_000), ("libb.so", -3_600_000_000_000)] {
        process.library(name, &["a"]);
        let time = (now() - since).cast_unsigned();
        process.map(&mut later, 7, &format!("/{name}"), time);
    }
    let longest = ((now() - before) / 1_000_000).cast_unsigned() + 3000;
    let [(.., 1, first), (.., 1, 0)] = later.modules[..] else { panic!("{:?}", later.modules) };
    assert!((3000..=longest).contains(&first), "{first} of at most {longest}");
}

#[test]
fn issue_17_what_was_not_seen_of_later_libraries_is_reported() {
    let mut later = Later { limit: 7, ..Later::default() };
    assert!(later.closing().is_empty());
    later.modules = (1..=4).map(|number| (format!("/p{number}"), number, 10 * number as u64)).collect();
    let line = |number: usize, probes: &str| {
        format!(
            "/p{number} was loaded while the program ran: {probes} placed {number}0 ms later, and earlier calls are not \
             counted"
        )
    };
    let mut expected = vec![line(1, "1 probe was")];
    expected.extend((2..=4).map(|number| line(number, &format!("{number} probes were"))));
    assert_eq!(later.closing(), expected);
    later.modules.push(("/p5".to_owned(), 1, 1));
    expected.push("the same holds for 1 other file".to_owned());
    assert_eq!(later.closing(), expected);
    later.failed.insert("/q: why".to_owned());
    later.files = MOST_FILES + 1;
    expected.push("functions of a library that was loaded later are not probed: /q: why".to_owned());
    expected.push(
        "the program loaded more than 1000 files, or 1024 MiB, while it ran: functions of those after them are not probed"
            .to_owned(),
    );
    assert_eq!(later.closing(), expected);
    (later.files, later.bytes) = (MOST_FILES, MOST_BYTES + 1);
    assert_eq!(later.closing(), expected);
    later.bytes = MOST_BYTES;
    expected.pop();
    assert_eq!(later.closing(), expected);
}
