//! Which processes that run can have hooks, and where their libraries have what it takes.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tracewell_symbols::ElfCode;

use crate::find::Finder;
use crate::modules::{Module, status_line};

/// The file name of the agent.
pub(crate) const LIBRARY: &str = "libtracewell_fpid.so";

/// A process that runs and can have hooks.
#[derive(Clone, Debug)]
pub struct Running {
    /// The agent.
    pub(crate) library: PathBuf,
    /// The address of the function that loads libraries, and what it is to do.
    pub(crate) load: (u64, u64),
}

impl Running {
    /// Looks at a process. `library` is the agent.
    ///
    /// # Errors
    /// Why it can have no hooks, and what to do.
    pub fn new(finder: &mut Finder, pid: u32, library: &Path) -> Result<Running, String> {
        may_attach(pid)?;
        finder.loader()?;
        const NOW: u64 = 2;
        // Libraries since glibc 2.34; before, and a function that all have.
        for (name, symbol, mode) in [
            ("libc.so.6", "dlopen", NOW),
            ("libdl.so.2", "dlopen", NOW),
            ("libc.so.6", "__libc_dlopen_mode", 0x8000_0000 | NOW),
        ] {
            let module = finder.modules.iter().find(|module| module.name == name);
            if let Some(address) = module.and_then(|module| address(module, symbol)) {
                return Ok(Running { library: library.to_owned(), load: (address, mode) });
            }
        }
        Err(format!("process {pid} has no C library that loads further libraries (dlopen): use pid{pid}"))
    }
}

/// The address of a symbol in a process.
pub(crate) fn address(module: &Module, symbol: &str) -> Option<u64> {
    let (start, mapped) = module.mapped?;
    let code = ElfCode::open(&module.path, Path::new("/")).ok()?;
    let there = code.symbol(symbol)?;
    // Any function says where the file is.
    let function = code.functions.first()?.address;
    let base = start.wrapping_add(code.code_offset(function)?.wrapping_sub(mapped)).wrapping_sub(function);
    Some(base.wrapping_add(there))
}

/// The files of an agent that a process has loaded.
pub(crate) fn agents(pid: u32) -> Result<Vec<Module>, String> {
    let modules = crate::modules::mapped(pid)?;
    Ok(modules.into_iter().filter(|module| module.name == LIBRARY).collect())
}

/// Checks that a process may have hooks. Nothing is changed.
fn may_attach(pid: u32) -> Result<(), String> {
    let facts = Facts::read(pid).ok_or_else(|| format!("there is no process {pid}"))?;
    match refusal(&facts) {
        Some(why) => Err(format!("fpid cannot attach to process {pid}: {why}")),
        None => Ok(()),
    }
}

/// What this process and another one see of the machine, of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen<T> {
    own: Option<T>,
    its: Option<T>,
}

impl<T: PartialEq> Seen<T> {
    fn of(pid: u32, read: impl Fn(&str) -> Option<T>) -> Seen<T> {
        Seen { own: read("self"), its: read(&pid.to_string()) }
    }

    fn differ(&self) -> bool {
        self.own != self.its
    }
}

/// What the kernel reports about a process that is to have hooks, and about this one.
#[derive(Clone, Debug)]
struct Facts {
    pid: u32,
    /// Lines of the status of this process, of the other one, and of its threads.
    own: String,
    status: String,
    threads: Vec<String>,
    /// Which processes may look into which, as the machine is set.
    scope: String,
    /// What files, processes and users are, and the root folder.
    files: Seen<PathBuf>,
    processes: Seen<PathBuf>,
    users: Seen<PathBuf>,
    root: Seen<(u64, u64)>,
}

impl Facts {
    /// Reads them; [`None`] if there is no such process.
    fn read(pid: u32) -> Option<Facts> {
        let read = |path: String| fs::read_to_string(path).unwrap_or_default();
        let status =
            fs::read_to_string(format!("/proc/{pid}/status")).ok().filter(|text| !text.is_empty())?;
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let space =
            |name: &str| Seen::of(pid, |process| fs::read_link(format!("/proc/{process}/ns/{name}")).ok());
        Some(Facts {
            pid,
            own: read("/proc/self/status".to_owned()),
            status,
            threads: threads
                .map(|thread| fs::read_to_string(thread.path().join("status")).unwrap_or_default())
                .collect(),
            scope: read("/proc/sys/kernel/yama/ptrace_scope".to_owned()).trim().to_owned(),
            files: space("mnt"),
            processes: space("pid"),
            users: space("user"),
            root: Seen::of(pid, |process| {
                fs::metadata(format!("/proc/{process}/root")).map(|root| (root.dev(), root.ino())).ok()
            }),
        })
    }
}

/// Why a process may have no hooks, and what to do.
fn refusal(facts: &Facts) -> Option<String> {
    let Facts { pid, own, status, .. } = facts;
    let instead = format!("use pid{pid}, which the kernel watches");
    if status_line(own, "Pid") == pid.to_string() {
        return Some("it is dtrace itself".to_owned());
    }
    if status_line(status, "State").starts_with(['T', 't']) {
        return Some(format!("it is stopped: let it go on first (kill -CONT {pid})"));
    }
    let tracer = status_line(status, "TracerPid");
    if tracer != "0" {
        return Some(format!("process {tracer} traces it already: end that, or {instead}"));
    }
    let ids = |status: &str| [status_line(status, "Uid"), status_line(status, "Gid")].map(str::to_owned);
    let same = |ids: &[String; 2]| {
        ids.iter().all(|ids| ids.split_whitespace().all(|id| Some(id) == ids.split_whitespace().next()))
    };
    let (mine, theirs) = (ids(own), ids(status));
    if mine != theirs || !same(&theirs) {
        let user = theirs[0].split_whitespace().next().unwrap_or_default();
        return Some(format!(
            "it has other users or groups than dtrace: run dtrace as its user ({user}) with its groups, or {instead}"
        ));
    }
    let capabilities = |status: &str, name| u64::from_str_radix(status_line(status, name), 16).unwrap_or(0);
    if capabilities(own, "CapPrm") & !capabilities(status, "CapEff") != 0 {
        return Some(format!(
            "it has fewer capabilities than dtrace, whose memory it may not open: {instead}"
        ));
    }
    const SYS_PTRACE: u64 = 1 << 19;
    let may = match &*facts.scope {
        "" | "0" => true,
        "3" => false,
        _ => capabilities(own, "CapEff") & SYS_PTRACE != 0,
    };
    if !may {
        return Some(format!(
            "/proc/sys/kernel/yama/ptrace_scope is {}: use root, set it to 0, start the program by -c, or {instead}",
            facts.scope
        ));
    }
    let spaces = [(&facts.files, "files"), (&facts.processes, "processes"), (&facts.users, "users")];
    if let Some((_, name)) = spaces.iter().find(|(space, _)| space.differ()) {
        return Some(format!(
            "it sees other {name} than dtrace (a container): run dtrace inside, or {instead}"
        ));
    }
    if facts.root.differ() {
        return Some(format!("it has another root folder than dtrace: run dtrace inside, or {instead}"));
    }
    facts.threads.iter().find_map(|thread| {
        if !matches!(status_line(thread, "Seccomp"), "" | "0") {
            return Some(format!("its system calls are restricted (seccomp): {instead}"));
        }
        let shadow = status_line(thread, "x86_Thread_features").contains("shstk");
        shadow.then(|| format!("it has a shadow stack, which allows no hooks on returns: {instead}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process like this one that may have hooks.
    fn facts() -> Facts {
        let status = |pid: u32| {
            format!(
                "Name:\tshop\nState:\tS (sleeping)\nPid:\t{pid}\nTracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\n\
                 Gid:\t100\t100\t100\t100\nCapPrm:\t0000000000080001\nCapEff:\t0000000000080001\nSeccomp:\t0\n\
                 x86_Thread_features:\t\n"
            )
        };
        let seen = |name: &str| Seen { own: Some(name.into()), its: Some(name.into()) };
        Facts {
            pid: 7,
            own: status(5),
            status: status(7),
            threads: vec![status(7), status(8)],
            scope: "1".to_owned(),
            files: seen("mnt:[1]"),
            processes: seen("pid:[2]"),
            users: seen("user:[3]"),
            root: Seen { own: Some((1, 2)), its: Some((1, 2)) },
        }
    }

    #[test]
    fn issue_17_each_fact_that_forbids_hooks_has_its_line() {
        assert_eq!(refusal(&facts()), None);
        // What is changed, and the beginning of the reason.
        type Change = fn(&mut Facts);
        fn put(text: &mut String, from: &str, to: &str) {
            assert!(text.contains(from), "{from}");
            *text = text.replace(from, to);
        }
        let cases: &[(Change, &str)] = &[
            (|facts| facts.pid = 5, "it is dtrace itself"),
            (
                |facts| put(&mut facts.status, "S (sl", "T (st"),
                "it is stopped: let it go on first (kill -CONT 7)",
            ),
            (|facts| put(&mut facts.status, "S (sl", "t (tr"), "it is stopped"),
            (
                |facts| put(&mut facts.status, "TracerPid:\t0", "TracerPid:\t12"),
                "process 12 traces it already",
            ),
            (
                |facts| put(&mut facts.status, "1000", "1001"),
                "it has other users or groups than dtrace: run dtrace as its user (1001)",
            ),
            (|facts| put(&mut facts.status, "Gid:\t100\t", "Gid:\t101\t"), "it has other users or groups"),
            // Equal, but of a program that has changed its user.
            (
                |facts| {
                    for status in [&mut facts.own, &mut facts.status] {
                        put(status, "Uid:\t1000\t1000", "Uid:\t1000\t0");
                    }
                },
                "it has other users or groups",
            ),
            (
                |facts| put(&mut facts.status, "CapEff:\t0000000000080001", "CapEff:\t1"),
                "it has fewer capabilities",
            ),
            (|facts| facts.scope = "3".to_owned(), "/proc/sys/kernel/yama/ptrace_scope is 3: use root"),
            (
                |facts| put(&mut facts.own, "CapEff:\t0000000000080001", "CapEff:\t1"),
                "/proc/sys/kernel/yama/ptrace_scope is 1: use root",
            ),
            (
                |facts| facts.files.its = Some("mnt:[9]".into()),
                "it sees other files than dtrace (a container)",
            ),
            (|facts| facts.processes.its = None, "it sees other processes than dtrace"),
            (|facts| facts.users.its = Some("user:[9]".into()), "it sees other users than dtrace"),
            (|facts| facts.root.its = Some((1, 3)), "it has another root folder than dtrace"),
            (
                |facts| put(&mut facts.threads[1], "Seccomp:\t0", "Seccomp:\t2"),
                "its system calls are restricted (seccomp)",
            ),
            (|facts| put(&mut facts.threads[1], "features:\t", "features:\tshstk "), "it has a shadow stack"),
        ];
        for (change, expected) in cases {
            let mut facts = facts();
            change(&mut facts);
            let why = refusal(&facts).unwrap_or_default();
            assert!(why.starts_with(expected), "{why:?}, not {expected}");
        }
        // More capabilities than dtrace has, no Yama, and kernels without lines that came later.
        let allowed: &[Change] = &[
            |facts| put(&mut facts.own, "CapPrm:\t0000000000080001", "CapPrm:\t1"),
            |facts| facts.scope = String::new(),
            |facts| facts.scope = "0".to_owned(),
            |facts| facts.threads.iter_mut().for_each(|thread| put(thread, "Seccomp:\t0\n", "")),
            |facts| facts.threads.clear(),
        ];
        for (number, change) in allowed.iter().enumerate() {
            let mut facts = facts();
            change(&mut facts);
            assert_eq!(refusal(&facts), None, "{number}");
        }
    }

    #[test]
    fn issue_17_facts_are_those_of_the_process() {
        let me = std::process::id();
        let facts = Facts::read(me).unwrap();
        assert_eq!(status_line(&facts.status, "Pid"), me.to_string());
        assert!(!facts.threads.is_empty() && !facts.root.differ() && facts.root.own.is_some());
        for space in [&facts.files, &facts.processes, &facts.users] {
            assert!(space.own.is_some() && !space.differ());
        }
        assert_eq!(refusal(&facts).as_deref(), Some("it is dtrace itself"));
        assert!(Facts::read(0).is_none());
        assert_eq!(may_attach(0).unwrap_err(), "there is no process 0");
    }
}
