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
    let instead = format!("use pid{pid}, which the kernel watches");
    let refused = |why: String| Err(format!("fpid cannot attach to process {pid}: {why}"));
    let read = |path: String| fs::read_to_string(path).unwrap_or_default();
    let own = read("/proc/self/status".to_owned());
    let status = read(format!("/proc/{pid}/status"));
    if status.is_empty() {
        return Err(format!("there is no process {pid}"));
    }
    if status_line(&own, "Pid") == pid.to_string() {
        return refused("it is dtrace itself".to_owned());
    }
    if status_line(&status, "State").starts_with(['T', 't']) {
        return refused(format!("it is stopped: let it go on first (kill -CONT {pid})"));
    }
    let tracer = status_line(&status, "TracerPid");
    if tracer != "0" {
        return refused(format!("process {tracer} traces it already: end that, or {instead}"));
    }
    let ids = |status: &str| [status_line(status, "Uid"), status_line(status, "Gid")].map(str::to_owned);
    let same = |ids: &[String; 2]| {
        ids.iter().all(|ids| ids.split_whitespace().all(|id| Some(id) == ids.split_whitespace().next()))
    };
    let (mine, theirs) = (ids(&own), ids(&status));
    if mine != theirs || !same(&theirs) {
        let user = theirs[0].split_whitespace().next().unwrap_or_default();
        return refused(format!(
            "it has other users or groups than dtrace: run dtrace as its user ({user}) with its groups, or {instead}"
        ));
    }
    let capabilities = |status: &str, name| u64::from_str_radix(status_line(status, name), 16).unwrap_or(0);
    if capabilities(&own, "CapPrm") & !capabilities(&status, "CapEff") != 0 {
        return refused(format!(
            "it has fewer capabilities than dtrace, whose memory it may not open: {instead}"
        ));
    }
    let scope = read("/proc/sys/kernel/yama/ptrace_scope".to_owned());
    const SYS_PTRACE: u64 = 1 << 19;
    let may = match scope.trim() {
        "" | "0" => true,
        "3" => false,
        _ => capabilities(&own, "CapEff") & SYS_PTRACE != 0,
    };
    if !may {
        return refused(format!(
            "/proc/sys/kernel/yama/ptrace_scope is {}: use root, set it to 0, start the program by -c, or {instead}",
            scope.trim()
        ));
    }
    for (space, name) in [("mnt", "files"), ("pid", "processes"), ("user", "users")] {
        let of = |process: &str| fs::read_link(format!("/proc/{process}/ns/{space}")).ok();
        if of("self") != of(&pid.to_string()) {
            return refused(format!(
                "it sees other {name} than dtrace (a container): run dtrace inside, or {instead}"
            ));
        }
    }
    let root = |process: &str| {
        fs::metadata(format!("/proc/{process}/root")).map(|root| (root.dev(), root.ino())).ok()
    };
    if root("self") != root(&pid.to_string()) {
        return refused(format!("it has another root folder than dtrace: run dtrace inside, or {instead}"));
    }
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    for thread in threads {
        let status = fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        if !matches!(status_line(&status, "Seccomp"), "" | "0") {
            return refused(format!("its system calls are restricted (seccomp): {instead}"));
        }
        if status_line(&status, "x86_Thread_features").contains("shstk") {
            return refused(format!("it has a shadow stack, which allows no hooks on returns: {instead}"));
        }
    }
    Ok(())
}
