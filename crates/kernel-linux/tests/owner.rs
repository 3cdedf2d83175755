//! A session of a user has the events of that user's processes, and of no others. The test needs root to become other users.
#![cfg(target_os = "linux")]

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use tracewell_etl::Record;
use tracewell_kernel_linux::{Error, Loss, Monotonic, Options, Session, Sink, flags, owned_flags};
use tracewell_schema::kernel::hook;

const USER: u32 = 54_321;
const OTHER: u32 = 54_322;

/// What a session has: which processes made calls, which are named, and which addresses of functions are shown.
#[derive(Default)]
struct Found {
    calls: HashSet<u32>,
    processes: HashSet<u32>,
    others: HashSet<u32>,
    functions: HashSet<u64>,
    faults: HashSet<u32>,
    regions: HashSet<u32>,
    images: HashMap<u32, HashSet<String>>,
    /// Threads that go and that come.
    switched: [HashSet<u32>; 2],
    lost: u64,
}

/// Text in UTF-16 up to its NUL.
fn wide(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units).map(Result::unwrap).take_while(|letter| *letter != '\0').collect()
}

/// Process and file of an image.
fn image(payload: &[u8]) -> (u32, String) {
    (u32::from_le_bytes(*payload[16..].first_chunk().unwrap()), wide(&payload[56..]))
}

impl Sink for Found {
    fn record(&mut self, cpu: u16, _: u64, record: &[u8]) {
        let record = Record::parse(record, cpu).unwrap();
        let word = |at: usize| u32::from_le_bytes(*record.payload()[at..].first_chunk().unwrap());
        match record.hook() {
            Some(hook::PERF_INFO_SYS_CL_ENTER) => {
                self.functions.insert(u64::from_le_bytes(*record.payload().first_chunk().unwrap()));
                self.calls.extend(record.pid());
            }
            Some(hook::PERF_INFO_SYS_CL_EXIT) => self.calls.extend(record.pid()),
            Some(hook::PROCESS_START | hook::PROCESS_END | hook::PROCESS_DCSTART | hook::PROCESS_DCEND) => {
                self.processes.insert(word(8));
                self.others.extend(record.pid());
            }
            Some(hook::THREAD_START | hook::THREAD_END | hook::THREAD_DCSTART | hook::THREAD_DCEND) => {
                self.others.insert(word(0));
                self.others.extend(record.pid());
            }
            Some(
                hook::PAGE_FAULT_DEMAND_ZERO_FAULT
                | hook::PAGE_FAULT_COPY_ON_WRITE
                | hook::PAGE_FAULT_ACCESS_VIOLATION,
            ) => {
                self.faults.extend(record.pid());
                // The address and the instruction that accessed it.
                let addresses =
                    [0, 8].map(|at| u64::from_le_bytes(*record.payload()[at..].first_chunk().unwrap()));
                assert!(
                    addresses.iter().all(|address| *address < 1 << 63),
                    "{addresses:x?} are the kernel's"
                );
            }
            Some(hook::PAGE_FAULT_VIRTUAL_ALLOC | hook::PAGE_FAULT_VIRTUAL_FREE) => {
                self.regions.insert(word(16));
                self.others.extend(record.pid());
            }
            Some(hook::IMAGE_LOAD | hook::IMAGE_UNLOAD | hook::IMAGE_DCSTART) => {
                let (pid, file) = image(record.payload());
                self.images.entry(pid).or_default().insert(file);
                self.others.extend(record.pid());
            }
            Some(hook::THREAD_CSWITCH) => {
                let priorities = [record.payload()[9], record.payload()[8]];
                for ((thread, priority), known) in
                    [word(4), word(0)].into_iter().zip(priorities).zip(&mut self.switched)
                {
                    match thread {
                        u32::MAX => assert_eq!(priority, 0),
                        thread => drop(known.insert(thread)),
                    }
                }
                assert_eq!(record.pid(), None);
            }
            // The build of an image.
            None => drop(self.others.insert(word(8))),
            _ => self.others.extend(record.pid()),
        }
    }

    fn lost(&mut self, loss: Loss) {
        self.lost += loss.count;
    }
}

/// The tests have the same users: each would see what others do.
static TURN: Mutex<()> = Mutex::new(());

/// A copy of the shell that belongs to a user.
fn copy_shell(folder: &Path, name: &str, owner: u32, mode: u32) -> std::io::Result<PathBuf> {
    let path = folder.join(name);
    std::fs::copy("/bin/sh", &path).unwrap();
    chown(&path, Some(owner), Some(owner))?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode))?;
    Ok(path)
}

/// A shell that makes calls as a user when it reads a line, and ends.
fn shell(program: &Path, user: u32, options: &[&str]) -> Child {
    shell_for(program, user, options, "read line; kill -0 $$; /bin/true; kill -0 $$")
}

/// A shell that runs a script as a user.
fn shell_for(program: &Path, user: u32, options: &[&str], script: &str) -> Child {
    let mut command = Command::new(program);
    command.args(options).args(["-c", script]);
    command.uid(user).gid(user).current_dir("/");
    command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until a shell waits for its line.
fn wait_until_it_waits(child: &Child) {
    let path = format!("/proc/{}/syscall", child.id());
    while !std::fs::read_to_string(&path).unwrap_or_default().starts_with("0 0x0 ") {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn issue_16_a_user_has_the_events_of_own_processes_alone() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if tracewell_corpus::has_other_ids() {
        return;
    }
    let folder = tempfile("calls");
    let copy = |name, owner, mode| copy_shell(&folder, name, owner, mode);
    let made = copy("as-other", OTHER, 0o4755)
        .and_then(|other| Ok((other, copy("as-root", 0, 0o4755)?, copy("in-group", OTHER, 0o2755)?)));
    let Ok((as_other, as_root, in_group)) = made else {
        tracewell_corpus::skip("users", "needs root to become another user");
        return;
    };
    let sh = Path::new("/bin/sh");
    let all = || {
        let own = [shell(sh, USER, &[]), shell(sh, USER, &["-e"])];
        // As other users, with the rights of other users and of another group, and after these were given up.
        let others = [
            shell(sh, 0, &[]),
            shell(sh, OTHER, &[]),
            shell(&as_other, USER, &["-p"]),
            shell(&as_root, USER, &["-p"]),
            shell(&as_root, USER, &[]),
            shell(&in_group, USER, &["-p"]),
        ];
        own.iter().chain(&others).for_each(wait_until_it_waits);
        (own, others)
    };
    let (mut own, mut others) = all();
    let options = Options { flags: owned_flags(), owner: Some(USER), ring: 16 << 20, ..Options::default() };
    let mut found = Found::default();
    let mut session = match Session::start(options, Box::new(Monotonic)) {
        Ok(session) => session,
        Err(error @ Error::Rights { .. }) => return tracewell_corpus::skip("root", &error.to_string()),
        Err(error) => panic!("{error}"),
    };
    // Some concern others, too; the session says so.
    let missing: Vec<&str> = session.missing().iter().map(|missing| &*missing.source).collect();
    assert_eq!(missing, ["signal_generate", "signal_deliver", "task_rename", "page_fault_kernel"]);
    session.read_rundown(&mut found);
    let rundown = std::mem::take(&mut found.processes);
    let ids = |all: &[Child]| all.iter().map(Child::id).collect::<HashSet<u32>>();
    assert_eq!(rundown, ids(&own), "the others are {:?}", ids(&others));
    let (mut new_own, mut new_others) = all();
    for child in own.iter_mut().chain(&mut others).chain(&mut new_own).chain(&mut new_others) {
        drop(child.stdin.take());
        child.wait().unwrap();
    }
    session.stop(&mut found);
    assert_eq!(found.lost, 0);
    let new = ids(&new_own);
    assert!(found.faults.is_superset(&new), "{:?} lacks some of {new:?}", found.faults);
    assert!(found.regions.is_superset(&new), "{:?} lacks some of {new:?}", found.regions);
    let (own, others) = (&ids(&own) | &new, &ids(&others) | &ids(&new_others));
    assert!(found.calls.is_superset(&own), "{:?} lacks some of {own:?}", found.calls);
    assert!(found.processes.is_superset(&own), "{:?} lacks some of {own:?}", found.processes);
    let with_images: HashSet<u32> = found.images.keys().copied().collect();
    assert!(with_images.is_superset(&own), "{with_images:?} lack some of {own:?}");
    let program = std::fs::canonicalize("/bin/sh").unwrap().display().to_string();
    for process in &own {
        let files = &found.images[process];
        let has = |part: &str| files.iter().any(|file| file.contains(part));
        assert!(files.contains(&program) && has("/ld-linux") && has("/libc.so"), "{files:?}");
    }
    // A thread that goes comes back, other than one that ends.
    let [goes, comes] = &found.switched;
    assert!(goes.is_superset(&own) && comes.is_superset(&own), "{goes:?} and {comes:?} lack some of {own:?}");
    let made = &(&(&found.faults | &found.regions) | &with_images) | &(goes | comes);
    let named: HashSet<u32> = &(&(&found.calls | &found.processes) | &found.others) | &made;
    assert!(named.is_disjoint(&others), "{named:?} has some of {others:?}");
    assert!(!named.contains(&std::process::id()));
    // Besides the shells, their children.
    assert!(named.len() <= 2 * own.len(), "{named:?} are more than {own:?} and a child of each");
    assert_eq!(found.functions, HashSet::from([0]), "addresses of the kernel");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What a session has of files: names by key, the keys and open files of operations, and the threads that made these.
#[derive(Default)]
struct Files {
    names: HashMap<u64, String>,
    objects: HashSet<u64>,
    threads: HashSet<u32>,
    images: HashSet<(u32, String)>,
    lost: u64,
}

impl Sink for Files {
    fn record(&mut self, cpu: u16, _: u64, record: &[u8]) {
        let record = Record::parse(record, cpu).unwrap();
        let long = |at: usize| u64::from_le_bytes(*record.payload()[at..].first_chunk().unwrap());
        let name = |at: usize| wide(&record.payload()[at..]);
        // A thread is the number behind the first three.
        let thread = |at: usize| u32::from_le_bytes(*record.payload()[at..].first_chunk().unwrap());
        match record.hook() {
            Some(hook::FILE_IO_NAME) => drop(self.names.insert(long(0), name(8))),
            Some(hook::FILE_IO_CREATE) => {
                self.threads.insert(thread(16));
                self.names.insert(u64::MAX, name(32));
            }
            Some(hook::FILE_IO_READ | hook::FILE_IO_WRITE) => {
                self.objects.extend([long(16), long(24)]);
                self.threads.insert(thread(32));
            }
            Some(hook::FILE_IO_CLEANUP | hook::FILE_IO_CLOSE) => {
                self.objects.extend([long(8), long(16)]);
                self.threads.insert(thread(24));
            }
            Some(hook::IMAGE_LOAD | hook::IMAGE_UNLOAD | hook::IMAGE_DCSTART) => {
                self.images.insert(image(record.payload()));
            }
            Some(hook::FILE_IO_OPERATION_END) => self.threads.extend(record.tid()),
            _ => {}
        }
    }

    fn lost(&mut self, loss: Loss) {
        self.lost += loss.count;
    }
}

/// Programs of other users and with the rights of others open files, also in processes that were the user's a moment before.
#[test]
fn issue_16_a_user_has_the_files_of_own_processes_alone() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if tracewell_corpus::has_other_ids() {
        return;
    }
    let folder = tempfile("files");
    let made = copy_shell(&folder, "as-other", OTHER, 0o4755)
        .and_then(|other| Ok((other, copy_shell(&folder, "as-root", 0, 0o4755)?)));
    let Ok((as_other, as_root)) = made else {
        tracewell_corpus::skip("users", "needs root to become another user");
        return;
    };
    let place = folder.display();
    for (name, owner) in [("own", USER), ("kept", USER), ("others", OTHER), ("roots", 0), ("hidden", OTHER)] {
        let path = folder.join(name);
        std::fs::write(&path, "line\nline\nline\n").unwrap();
        chown(&path, Some(owner), Some(owner)).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    let reads = |name: &str| format!("read line; read line < {place}/{name}; kill -0 $$");
    // Closes a file that was opened before the session, and then gives the descriptor to a file of another user.
    let changes = format!(
        "exec 5< {place}/kept; read line; exec 5<&-; exec {} -p -c 'exec 5< {place}/hidden; read line'",
        as_other.display()
    );
    // Runs a program with the rights of root, and gives them up for another one.
    let drops = format!(
        "read line; exec {} -p -c 'read line < {place}/roots; exec setpriv --reuid {USER} --regid {USER} --clear-groups /bin/true'",
        as_root.display()
    );
    let sh = Path::new("/bin/sh");
    let mut own = [reads("own"), drops, changes].map(|script| shell_for(sh, USER, &[], &script));
    let mut others = [
        shell_for(sh, OTHER, &[], &reads("others")),
        shell_for(sh, 0, &[], &reads("roots")),
        shell_for(&as_other, USER, &["-p"], &reads("others")),
        shell_for(&as_root, USER, &["-p"], &reads("roots")),
    ];
    own.iter().chain(&others).for_each(wait_until_it_waits);
    let flags =
        flags::PROCESS | flags::IMAGE_LOAD | flags::DISK_FILE_IO | flags::FILE_IO | flags::FILE_IO_INIT;
    let options = Options { flags, owner: Some(USER), ring: 16 << 20, ..Options::default() };
    let mut found = Files::default();
    let mut session = match Session::start(options, Box::new(Monotonic)) {
        Ok(session) => session,
        Err(error @ Error::Rights { .. }) => return tracewell_corpus::skip("root", &error.to_string()),
        Err(error) => panic!("{error}"),
    };
    let mut inputs: Vec<_> =
        own.iter_mut().chain(&mut others).map(|child| child.stdin.take().unwrap()).collect();
    for input in &mut inputs {
        input.write_all(b"\n").unwrap();
    }
    // What the session asks about the last process from now on, it asks about another program.
    let opened = format!("/proc/{}/fd/5", own[2].id());
    while !std::fs::read_link(&opened).is_ok_and(|path| path.ends_with("hidden")) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    for child in own[..2].iter_mut().chain(&mut others) {
        child.wait().unwrap();
    }
    session.read_rundown(&mut found);
    drop(inputs);
    own[2].wait().unwrap();
    session.stop(&mut found);
    assert_eq!(found.lost, 0);
    let [first, drops, last] = own.each_ref().map(Child::id);
    assert_eq!(found.threads, HashSet::from([first, drops, last]));
    // The programs that a process of the user runs, before and after another one that is not the user's.
    let runs = |pid: u32, program: &str| {
        found.images.iter().any(|(of, file)| *of == pid && file.rsplit('/').next() == Some(program))
    };
    assert!(runs(drops, "true") && runs(drops, "libc.so.6"), "{:?}", found.images);
    let is_known = |pid: &u32| [first, drops, last].contains(pid);
    for (pid, file) in &found.images {
        let is_others = ["as-root", "as-other", "setpriv"].iter().any(|program| file.ends_with(program));
        assert!(is_known(pid) && !is_others, "{pid} has {file}");
    }
    let named = |name: &str| found.names.values().any(|path| path.ends_with(name));
    assert!(named("/own"), "{:?}", found.names);
    for other in ["others", "roots", "hidden"] {
        assert!(!named(other), "{:?}", found.names);
    }
    // The numbers of files are no addresses of the kernel.
    assert!(!found.objects.is_empty() && found.objects.iter().all(|object| *object < 1 << 63));
    std::fs::remove_dir_all(&folder).unwrap();
}

fn tempfile(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tracewell-owner-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What shows more than the processes of a user is refused.
#[test]
fn issue_16_a_user_has_no_events_that_show_others() {
    let session = |flags, stacks| {
        let options = Options { flags, stacks, owner: Some(USER), ..Options::default() };
        Session::start(options, Box::new(Monotonic)).err().map(|error| error.to_string())
    };
    for (name, flag) in flags::NAMES {
        if owned_flags() & flag == 0 {
            let why = session(*flag | flags::PROCESS, Vec::new()).unwrap();
            assert!(why.contains("cannot record") && why.contains("one user"), "{name}: {why}");
        }
    }
    let why = session(flags::SYSTEMCALL, vec![hook::PERF_INFO_SYS_CL_ENTER]).unwrap();
    assert!(why.contains("without stacks"), "{why}");
}
