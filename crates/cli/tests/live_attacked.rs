//! Attacks on live runs of `dtrace` and on what is recorded: outputs that lead elsewhere, disks that are full, signals, files that
//! are moved, and strangers' files in the place of programs. Issue 14.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::Ran;
use tracewell_corpus::Scratch;
use tracewell_kernel_linux::KernelSource;

/// Returns `true`, and says so, if the kernel cannot be traced here, or links of another user cannot be made.
fn lacks_rights() -> bool {
    let lacks = !KernelSource::default().is_available() || !rustix::process::geteuid().is_root();
    if lacks {
        tracewell_corpus::skip("root", "kernel events and links of other users need root");
    }
    lacks
}

/// A command in a folder, which is killed after some time: an attack must not make it wait for ever.
fn command_in(folder: &Path, program: &str, arguments: &[&str]) -> Command {
    let built = common::command(program);
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", "60"]).arg(built.get_program()).args(arguments);
    command.current_dir(folder).env("TZ", "UTC").env("TRACEWELL_RUNTIME", folder.join("run"));
    command.stdin(Stdio::null());
    command
}

fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Ran {
    common::run(&mut command_in(folder, program, arguments))
}

const EXITS: &str = "proc:::exit { @ = count(); }";
/// Many events, so that there is something to write at any time.
const CALLS: &str = "syscall:::entry { @ = count(); }";

/// Outputs of live runs, and what each answers for the places of [`Places`].
const OUTPUTS: &[(&str, &[&str])] = &[
    ("dtrace", &["-qn", EXITS, "-c", "/bin/true", "-E", "OUT"]),
    ("dtrace", &["-qn", EXITS, "-c", "/bin/true", "-gE", "OUT"]),
    ("dtrace", &["-qn", EXITS, "-c", "/bin/true", "-o", "OUT"]),
    ("etw", &["record", "--kernel", "PROCESS", "-o", "OUT", "--", "/bin/true"]),
    ("etw", &["record", "--force", "--kernel", "PROCESS", "-o", "OUT", "--", "/bin/true"]),
];

/// Things in the place of an output. `precious` must survive them all.
fn hostile_places(folder: &Path) -> Vec<(&'static str, &'static str)> {
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("precious"), "precious").unwrap();
    symlink("loop", folder.join("loop")).unwrap();
    for (link, target) in [("theirs", "precious"), ("theirs.etl", "precious"), ("new.etl", "not-yet")] {
        symlink(target, folder.join(link)).unwrap();
        std::os::unix::fs::lchown(folder.join(link), Some(54321), None).unwrap();
    }
    symlink("/away/x.etl", folder.join("dangling.etl")).unwrap();
    vec![
        ("/dev/full", ""),
        ("folder", "folder"),
        ("away/x.etl", "away"),
        ("loop", "loop"),
        ("theirs", "theirs"),
        ("theirs.etl", "theirs.etl"),
        ("new.etl", "new.etl"),
        ("dangling.etl", "dangling.etl"),
    ]
}

#[test]
fn issue_14_live_outputs_in_hostile_places_are_refused() {
    if lacks_rights() {
        return;
    }
    let folder = Scratch::new("live-places");
    let long = format!("{}.etl", "x".repeat(300));
    let mut places = hostile_places(&folder);
    places.push((&long, ""));
    let names = |folder: &Path| {
        let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        all.retain(|name| name != "run");
        all.sort();
        all
    };
    let before = names(&folder);
    for (program, arguments) in OUTPUTS {
        for (place, named) in &places {
            let filled: Vec<&str> =
                arguments.iter().map(|word| if *word == "OUT" { place } else { *word }).collect();
            let ran = run_in(&folder, program, &filled);
            let what = format!("{program} {filled:?}: {ran:?}");
            assert!(matches!(ran.status, Some(1..=3)), "{what}");
            assert!(ran.stderr.contains(named) && !ran.stderr.contains("panicked"), "{what}");
            assert_eq!(fs::read(folder.join("precious")).unwrap(), b"precious", "{what}");
            assert_eq!(names(&folder), before, "{what}");
        }
    }
    // Nothing refuses an ordinary file; so the refusals above have the reason that they name.
    for (at, (program, arguments)) in OUTPUTS.iter().enumerate() {
        let place = format!("ordinary{at}.etl");
        let filled: Vec<&str> =
            arguments.iter().map(|word| if *word == "OUT" { place.as_str() } else { *word }).collect();
        let ran = run_in(&folder, program, &filled);
        assert_eq!(ran.status, Some(0), "{filled:?}: {ran:?}");
        assert!(folder.join(&place).metadata().unwrap().size() > 0, "{filled:?}");
    }
}

/// A file system of so many bytes, for as long as it is held.
struct Disk(PathBuf);

impl Disk {
    fn new(place: PathBuf, size: &str) -> Option<Disk> {
        fs::create_dir(&place).unwrap();
        let size = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(&place).output();
        if !mount.is_ok_and(|mount| mount.status.success()) {
            tracewell_corpus::skip("mounts", "no file system can be mounted here");
            return None;
        }
        Some(Disk(place))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn issue_14_a_recording_on_a_full_disk_fails_and_says_what_is_lost() {
    if lacks_rights() {
        return;
    }
    let folder = Scratch::new("live-full");
    let Some(disk) = Disk::new(folder.join("disk"), "256k") else { return };
    let busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); /bin/kill -0 1 2>/dev/null; [ $i -gt 60 ] && break; done";
    let all = ["-qn", CALLS, "-c"];
    let command = format!("/bin/sh -c '{busy}'");
    let file = disk.0.join("full.etl").display().to_string();
    let recorded = run_in(&folder, "dtrace", &[&all[..], &[&command, "-E", &file]].concat());
    let by_session = run_in(
        &folder,
        "etw",
        &["record", "--force", "--kernel", "SYSTEMCALL", "-o", &file, "--", "/bin/sh", "-c", busy],
    );
    for ran in [recorded, by_session] {
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("No space left on device"), "{ran:?}");
        assert!(ran.stderr.contains("lost"), "{ran:?}");
    }
    // What found room is sound.
    let verified = run_in(&folder, "etw", &["verify", &file]);
    assert!(verified.stdout.contains("sound") && verified.stdout.contains("lost"), "{verified:?}");
}

/// Starts a recording, and waits until events are in the file.
fn start_recording(folder: &Path, file: &str, arguments: &[&str]) -> Child {
    let words = [&["-qn", CALLS, "-x", "bufsize=64k", "-E", file][..], arguments].concat();
    let built = common::command("dtrace");
    let mut command = Command::new(built.get_program());
    command.args(&words).current_dir(folder).env("TRACEWELL_RUNTIME", folder.join("run"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(|| fs::metadata(folder.join(file)).is_ok_and(|facts| facts.len() > 256 << 10));
    child
}

fn wait_for(is_so: impl Fn() -> bool) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < limit, "it takes more than a minute");
        let _ = Command::new("/bin/true").status();
    }
}

/// Sends a signal, and returns how the child ended.
fn end(child: Child, signal: &str) -> (Option<i32>, Ran) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let ran = Ran { status: out.status.code(), stdout: text(&out.stdout), stderr: text(&out.stderr) };
    (std::os::unix::process::ExitStatusExt::signal(&out.status), ran)
}

/// The number after which a word comes in a text, without its commas.
fn number_before(text: &str, word: &str) -> u64 {
    let (before, _) = text.split_once(word).unwrap_or_else(|| panic!("no {word:?} in {text:?}"));
    let digits: String = before.split_whitespace().next_back().unwrap().replace(',', "");
    digits.parse().unwrap_or_else(|_| panic!("no number before {word:?} in {text:?}"))
}

#[test]
fn issue_14_signals_leave_a_recording_that_can_be_read() {
    if lacks_rights() {
        return;
    }
    let folder = Scratch::new("live-signals");
    for signal in ["-TERM", "-INT", "-HUP", "-KILL"] {
        let file = format!("file{signal}.etl");
        let (killed, ran) = end(start_recording(&folder, &file, &[]), signal);
        let verified = run_in(&folder, "etw", &["verify", &file]);
        let what = format!("{signal}: {ran:?}, {verified:?}");
        let records = number_before(&verified.stdout, " records");
        assert!(verified.stdout.contains("sound") && records > 1_000, "{what}");
        let is_open = verified.stdout.contains("the session was not closed");
        if signal == "-KILL" {
            assert!(killed == Some(9) && is_open, "{what}");
        } else {
            assert!(ran.status == Some(0) && !is_open, "{what}");
            // One record describes the trace.
            assert_eq!(number_before(&ran.stderr, " events in"), records - 1, "{what}");
        }
    }
}

#[test]
fn issue_14_a_recording_goes_on_in_its_file_when_that_is_moved_or_replaced() {
    if lacks_rights() {
        return;
    }
    let folder = Scratch::new("live-moved");
    for is_replaced in [false, true] {
        let (file, moved) = (folder.join("there.etl"), folder.join("moved.etl"));
        let child = start_recording(&folder, "there.etl", &["-g"]);
        fs::rename(&file, &moved).unwrap();
        if is_replaced {
            fs::write(folder.join("precious"), "precious").unwrap();
            symlink("precious", &file).unwrap();
        }
        let size = fs::metadata(&moved).unwrap().len();
        wait_for(|| fs::metadata(&moved).unwrap().len() > size + (128 << 10));
        let (_, ran) = end(child, "-INT");
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("there.etl was moved: the events are in the moved file"), "{ran:?}");
        assert!(!ran.stdout.trim().is_empty(), "the answer is printed: {ran:?}");
        let verified = run_in(&folder, "etw", &["verify", "moved.etl"]);
        let records = number_before(&verified.stdout, " records");
        assert!(verified.status == Some(0) && verified.stdout.contains("sound"), "{verified:?}");
        assert_eq!(number_before(&ran.stderr, " events in"), records - 1, "{ran:?}");
        assert_eq!(file.symlink_metadata().is_ok(), is_replaced, "no other file is begun");
        if is_replaced {
            assert_eq!(fs::read(folder.join("precious")).unwrap(), b"precious");
            fs::remove_file(&file).unwrap();
        }
    }
}

/// Programs whose files were replaced while they ran, by what waits, acts or never ends when it is opened, and one whose name acts
/// on terminals.
#[test]
fn issue_14_files_in_the_place_of_running_programs_are_not_opened() {
    if lacks_rights() {
        return;
    }
    let folder = Scratch::new("live-images");
    let hostile = "name\u{1b}[2J\u{202e}x";
    let names = ["pipe", "device", "circle", "gone", "folder", hostile];
    let mut children = Vec::new();
    for name in names {
        // Not by this process: a test beside this one that starts a command would hold the file open for writing.
        let copied = Command::new("cp").arg("/bin/sh").arg(folder.join(name)).status().unwrap();
        assert!(copied.success());
        let mut command = Command::new(folder.join(name));
        command.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
        children.push(command.spawn().unwrap());
    }
    for name in &names[..5] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap();
    assert!(made.success());
    symlink("/dev/zero", folder.join("device")).unwrap();
    symlink("circle", folder.join("circle")).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    let pids: Vec<String> = children.iter().map(|child| child.id().to_string()).collect();
    let ours = (1..=pids.len()).map(|at| format!("pid == ${at}")).collect::<Vec<_>>().join(" || ");
    let program =
        format!("profile-199 /{ours}/ {{ @[execname, pid, ustack(1)] = count(); }} tick-3s {{ exit(0); }}");
    let mut arguments = vec!["-qn", &program];
    arguments.extend(pids.iter().map(String::as_str));
    let piped = run_in(&folder, "dtrace", &arguments);
    let recording = [&["-gE", "new.etl"][..], &arguments].concat();
    let recorded = run_in(&folder, "dtrace", &recording);
    let replayed = run_in(&folder, "dtrace", &[&["-E", "new.etl"][..], &arguments].concat());
    let shown = common::has_terminal()
        .then(|| common::run(&mut common::on_terminal(&[&["dtrace"][..], &arguments].concat())));
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for ran in [&piped, &recorded, &replayed] {
        assert_eq!(ran.status, Some(0), "{ran:?}");
        for (name, pid) in names.iter().zip(&pids) {
            assert!(ran.stdout.split_whitespace().any(|word| word == pid), "{name} has samples: {ran:?}");
        }
    }
    let acts = |text: &str| text.chars().any(|c| c != '\n' && tracewell_types::visible::is_active(c));
    assert!(!acts(&recorded.stderr) && !acts(&piped.stderr), "{recorded:?}");
    match shown {
        Some(ran) => {
            // Names are in lower case.
            assert!(ran.stdout.contains(r"name\x1b[2j\u202ex"), "{ran:?}");
            assert!(!ran.stdout.contains("\u{1b}[2j") && !ran.stdout.contains('\u{202e}'), "{ran:?}");
        }
        None => tracewell_corpus::skip("script", "install script(1), which makes a terminal"),
    }
}

/// The events of the kernel show what all users do, also as those of a provider of Windows. A member of the group that controls
/// root's daemon gets none of them.
#[test]
fn issue_14_members_of_the_group_get_no_connections_of_others() {
    if lacks_rights() {
        return;
    }
    // A place that another user can enter, which the target folder may not be.
    let folder = std::env::temp_dir().join(format!("tracewell-members-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("out")).unwrap();
    fs::set_permissions(folder.join("out"), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let etw = folder.join("etw");
    let built = common::command("etw");
    assert!(Command::new("cp").arg(built.get_program()).arg(&etw).status().unwrap().success());
    let run = folder.join("run");
    let mut daemon = Command::new(&etw);
    daemon.args(["daemon", "run", "--stay", "--group", "65534"]).arg(&run).stdin(Stdio::null());
    let mut daemon = daemon.spawn().unwrap();
    wait_for(|| run.join("ctl").exists());
    let record = |of_member: bool, provider: &str| {
        let (mut command, user) = match of_member {
            true => (Command::new("setpriv"), "member"),
            false => (Command::new("env"), "root"),
        };
        if of_member {
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
        }
        command.arg(&etw).args(["record", "-p", provider, "-o"]);
        command.arg(folder.join(format!("out/{user}-{provider}.etl"))).args(["--", "/bin/true"]);
        common::run(command.env("TRACEWELL_RUNTIME", &run).stdin(Stdio::null()))
    };
    let theirs = ["Microsoft-Windows-Kernel-Network", "linux", "Shop-One"].map(|name| record(true, name));
    let of_root = ["Microsoft-Windows-Kernel-Network", "Shop-One"].map(|name| record(false, name));
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    let left = fs::read_dir(folder.join("out")).unwrap().count();
    let _ = fs::remove_dir_all(&folder);
    for ran in &theirs[..2] {
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("events of the kernel show what all users do"), "{ran:?}");
    }
    assert_eq!(theirs[2].status, Some(0), "a member records programs: {theirs:?}");
    assert!(of_root.iter().all(|ran| ran.status == Some(0)), "{of_root:?}");
    assert_eq!(left, 3, "what is refused leaves no file");
}
