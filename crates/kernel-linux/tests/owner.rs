//! A session of a user has the events of that user's processes, and of no others. The test needs root to become other users.
#![cfg(target_os = "linux")]

use std::collections::HashSet;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

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
    lost: u64,
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
            _ => self.others.extend(record.pid()),
        }
    }

    fn lost(&mut self, loss: Loss) {
        self.lost += loss.count;
    }
}

/// A shell that makes calls as a user when it reads a line, and ends.
fn shell(program: &Path, user: u32, options: &[&str]) -> Child {
    let mut command = Command::new(program);
    command.args(options).args(["-c", "read line; kill -0 $$; /bin/true; kill -0 $$"]);
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
    if tracewell_corpus::has_other_ids() {
        return;
    }
    let folder = tempfile();
    let copy = |name: &str, owner: u32, mode: u32| {
        let path = Path::new(&folder).join(name);
        std::fs::copy("/bin/sh", &path).unwrap();
        chown(&path, Some(owner), Some(owner))
            .and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)))?;
        Ok::<_, std::io::Error>(path)
    };
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
    let made = &found.faults | &found.regions;
    let named: HashSet<u32> = &(&(&found.calls | &found.processes) | &found.others) | &made;
    assert!(named.is_disjoint(&others), "{named:?} has some of {others:?}");
    assert!(!named.contains(&std::process::id()));
    // Besides the shells, their children.
    assert!(named.len() <= 2 * own.len(), "{named:?} are more than {own:?} and a child of each");
    assert_eq!(found.functions, HashSet::from([0]), "addresses of the kernel");
    std::fs::remove_dir_all(&folder).unwrap();
}

fn tempfile() -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("tracewell-owner-{}", std::process::id()));
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
