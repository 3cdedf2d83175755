//! This process and the target of `-c`.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

use tracewell_dengine::host::{Deed, Destructive};
use tracewell_probes::replay::Myself;
#[cfg(unix)]
use tracewell_probes::replay::StartMemory;

/// Most bytes of the memory that a program finds when it starts: the limit of arguments and environment is usually 2 MB.
#[cfg(unix)]
const MOST_START: u64 = 1 << 22;
/// Most processes that a process is taken to descend from.
#[cfg(unix)]
const MOST_ANCESTORS: usize = 64;

/// Describes this process. `address` is an address in its code.
#[must_use]
pub fn myself(address: u64) -> Myself {
    let me = Myself {
        pid: std::process::id(),
        name: "dtrace".to_owned(),
        cwd: std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default(),
        address,
        threads: 1,
        ..Myself::default()
    };
    #[cfg(unix)]
    let me = identified(me);
    me
}

/// With what only systems of the Unix kind have.
#[cfg(unix)]
fn identified(mut me: Myself) -> Myself {
    me.ppid = std::os::unix::process::parent_id();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let numbers = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let mut words = line.unwrap_or_default().split_whitespace().map_while(|word| word.parse().ok());
        [words.next().unwrap_or(0), words.next().unwrap_or(0)]
    };
    [me.uid, me.euid] = numbers("Uid:");
    [me.gid, me.egid] = numbers("Gid:");
    [me.threads, _] = numbers("Threads:");
    let stat = Stat::of("self");
    (me.pgid, me.sid) = (stat.number(5), stat.number(6));
    me.start = start_memory(&stat).unwrap_or_default();
    let mut ancestor = me.ppid;
    while ancestor != 0 && me.ancestors.len() < MOST_ANCESTORS {
        me.ancestors.push(ancestor);
        ancestor = Stat::of(&ancestor.to_string()).number(4);
    }
    me
}

/// The numbers of a process in `/proc/PID/stat`, counted as in its documentation (proc_pid_stat(5)).
#[cfg(unix)]
struct Stat(String);

#[cfg(unix)]
impl Stat {
    fn of(process: &str) -> Stat {
        Stat(std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default())
    }

    /// A number behind the name, which is the second: it may contain blanks and brackets.
    fn number<T: std::str::FromStr + Default>(&self, field: usize) -> T {
        let behind = self.0.rsplit(')').next().unwrap_or_default();
        behind.split_whitespace().nth(field - 3).and_then(|word| word.parse().ok()).unwrap_or_default()
    }
}

/// The memory that this program found when it started: from the number of its arguments on the stack to the end of its
/// environment.
#[cfg(unix)]
fn start_memory(stat: &Stat) -> Option<StartMemory> {
    use std::os::unix::fs::FileExt;
    let (base, end): (u64, u64) = (stat.number(28), stat.number(51));
    let size = end.checked_sub(base).filter(|size| base != 0 && *size <= MOST_START)?;
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    std::fs::File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, base).ok()?;
    Some(StartMemory { base, bytes })
}

/// Nanoseconds since the machine started, where the system reports them.
#[must_use]
pub fn clock_base() -> i64 {
    uptime().unwrap_or(1_000_000_000)
}

/// Nanoseconds since start-up, where the system says it in a file.
fn uptime() -> Option<i64> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    let seconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some((seconds * 1e9) as i64)
}

/// What a started command finds in its environment besides our own.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Variables to set (`-x setenv=NAME=value`).
    pub set: Vec<(String, String)>,
    /// Variables to remove (`-x unsetenv=NAME`).
    pub unset: Vec<String>,
    /// The library that the loader of the command loads first, and the variable that this library reads.
    pub agent: Option<(PathBuf, (&'static str, String))>,
}

impl Environment {
    /// Reads the two options. A started command's linker is asked to load at once, as the classic command
    /// does, so that its probes are there from the start.
    ///
    /// # Errors
    /// The option whose value names no variable.
    pub fn new(set: &[String], unset: &[String]) -> Result<Environment, &'static str> {
        let mut environment = Environment::default();
        environment.set.push(("LD_NOLAZYLOAD".to_owned(), "1".to_owned()));
        for text in set {
            let (name, value) = text.split_once('=').filter(|(n, _)| !n.is_empty()).ok_or("setenv")?;
            environment.set.push((name.to_owned(), value.to_owned()));
        }
        for name in unset {
            if name.is_empty() || name.contains('=') {
                return Err("unsetenv");
            }
            environment.unset.push(name.clone());
        }
        Ok(environment)
    }

    /// Sets these variables for a command.
    pub fn put<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        for (name, value) in &self.set {
            command.env(name, value);
        }
        for name in &self.unset {
            command.env_remove(name);
        }
        command
    }
}

/// The file of a program, by its path or by its name in `PATH`.
pub fn find_program(word: &str, environment: &Environment) -> Option<PathBuf> {
    let there = |path: PathBuf| path.is_file().then_some(path);
    if word.contains('/') {
        return there(PathBuf::from(word));
    }
    let set = environment.set.iter().rev().find(|(name, _)| name == "PATH");
    let path = set.map(|(_, path)| path.clone()).or_else(|| std::env::var("PATH").ok()).unwrap_or_default();
    std::env::split_paths(&path).find_map(|folder| there(folder.join(word)))
}

/// Splits a command into the variables that it sets and the rest, as the shell would: `A=1 B='x y' program`.
#[must_use]
pub fn assignments(command: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(length) = assignment(&command[at..]) {
        at += length;
    }
    let (before, rest) = command.split_at(at);
    (before, rest.trim_start())
}

/// The length of a variable that is set at the beginning of a text, with the blanks before it.
fn assignment(text: &str) -> Option<usize> {
    let word = text.trim_start();
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        return None;
    }
    let (mut quote, mut escaped) = (None, false);
    let mut end = value.len();
    for (at, letter) in value.char_indices() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            // What a command prints may be any text.
            (None | Some('"'), '`' | '(') => return None,
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, letter) if letter.is_whitespace() => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    Some(text.len() - value.len() + end)
}

/// Why a command cannot be started, where that is plain. What else is wrong with it, the shell says.
#[cfg(unix)]
fn lacks_program(command: &str, environment: &Environment) -> Option<&'static str> {
    const SHELL: [char; 15] = ['$', '`', '(', '|', ';', '&', '<', '>', '\\', '*', '?', '"', '\'', '=', '~'];
    let (set, rest) = assignments(command);
    let word = rest.split_whitespace().next().unwrap_or_default();
    if word.is_empty() && !set.is_empty() {
        return Some("it sets variables, and names no program");
    }
    let sets_path = set.split_whitespace().any(|word| word.starts_with("PATH="));
    let lacks = !sets_path && !word.contains(SHELL) && find_program(word, environment).is_none();
    lacks.then_some("there is no such program")
}

/// The variable by which the shell learns of the library that the command is to load.
#[cfg(unix)]
const AGENT: &str = "TRACEWELL_FPID_LIBRARY";

/// A process that `-c` started or `-p` named.
#[derive(Debug)]
pub enum Target {
    /// Started by us; it waits for [`Target::go`].
    Child {
        /// The process.
        child: Child,
        /// It was let go.
        going: bool,
    },
    /// Was there before.
    Grabbed(u32),
}

/// The D name of a destructive action.
pub fn name_of(action: Destructive) -> &'static str {
    match action {
        Destructive::Stop => "stop()",
        Destructive::Raise(_) => "raise()",
        Destructive::Panic => "panic()",
        Destructive::Breakpoint => "breakpoint()",
        Destructive::Chill(_) => "chill()",
    }
}

/// Sends the signals of `raise()` and `stop()`. Returns the names of the actions that had no effect.
pub fn carry_out(deeds: &[Deed]) -> BTreeSet<&'static str> {
    let failed = deeds.iter().filter(|deed| !sent(deed));
    failed.map(|deed| name_of(deed.action)).collect()
}

/// Sends the signal of an action to its process.
#[cfg(unix)]
fn sent(deed: &Deed) -> bool {
    use rustix::process::{Pid, Signal, kill_process};
    let signal = match deed.action {
        Destructive::Stop => Some(Signal::STOP),
        Destructive::Raise(number) => i32::try_from(number).ok().and_then(Signal::from_named_raw),
        _ => None,
    };
    let pid = deed.pid.and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
    pid.zip(signal).is_some_and(|(pid, signal)| kill_process(pid, signal).is_ok())
}

#[cfg(not(unix))]
fn sent(_: &Deed) -> bool {
    false
}

/// Ends a process that waits to be let go.
pub fn kill(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // One that is gone already is what we want.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

impl Target {
    /// The process, if it was started and waits to be let go.
    pub fn waiting(&self) -> Option<u32> {
        match self {
            Target::Child { child, going: false } => Some(child.id()),
            _ => None,
        }
    }

    /// Starts a command that waits to be let go.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start(command: &str, environment: &Environment) -> io::Result<Target> {
        #[cfg(unix)]
        if let Some(why) = lacks_program(command, environment) {
            return Err(io::Error::new(io::ErrorKind::NotFound, why));
        }
        #[cfg(unix)]
        let child = {
            // The shell stops itself, so that `$target` is known before the command runs; `exec` keeps the number.
            let (set, rest) = assignments(command);
            let mut shell = Command::new("/bin/sh");
            let mut text = "kill -STOP $$; ".to_owned();
            if let Some((library, (name, value))) = &environment.agent {
                // The shell itself is not to load it. What its environment names is loaded, too.
                shell.env(AGENT, library).env(name, value);
                text.push_str(&format!(
                    "export LD_PRELOAD=\"${AGENT}${{LD_PRELOAD:+:$LD_PRELOAD}}\"; unset {AGENT}; "
                ));
            }
            let text = format!("{text}{set} exec {rest}");
            environment.put(shell.arg("-c").arg(text)).spawn()?
        };
        #[cfg(not(unix))]
        let child = {
            let mut words = command.split_whitespace();
            let program = words.next().ok_or_else(|| io::Error::other("empty command"))?;
            environment.put(Command::new(program).args(words)).spawn()?
        };
        Ok(Target::Child { child, going: cfg!(not(unix)) })
    }

    /// A process that is there already.
    ///
    /// # Errors
    /// There is no such process.
    pub fn grab(pid: u32) -> io::Result<Target> {
        let there = tracewell_session::process(pid).is_some();
        if there { Ok(Target::Grabbed(pid)) } else { Err(io::Error::other("no such process")) }
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        match self {
            Target::Child { child, .. } => child.id(),
            Target::Grabbed(pid) => *pid,
        }
    }

    /// Returns `true` if it waits to be let go.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        matches!(self, Target::Child { going: false, .. })
    }

    /// Lets a started command run.
    pub fn go(&mut self) {
        if let Target::Child { child, going } = self
            && !*going
        {
            *going = true;
            let pid = child.id();
            // It may not have come to its stop yet: wait for that state, but not for ever.
            for _ in 0..200 {
                let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                if stat.rsplit(')').next().is_none_or(|s| s.trim_start().starts_with(['T', 't', 'Z', 'X'])) {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            let _ = Command::new("/bin/kill").args(["-CONT", &pid.to_string()]).status();
        }
    }

    /// How a started command that has ended by itself did so, unless it succeeded: `pid 7 exited with status 3`.
    pub fn failure(&mut self) -> Option<String> {
        let Target::Child { child, going: true } = self else { return None };
        let status = child.try_wait().ok()??;
        if status.success() {
            return None;
        }
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Some(format!("pid {} was ended by signal {signal}", child.id()));
        }
        Some(match status.code() {
            Some(code) => format!("pid {} exited with status {code}", child.id()),
            None => format!("pid {} failed", child.id()),
        })
    }

    /// Kills a started command that is no longer watched; a process that existed before is left
    /// running.
    pub fn abandon(&mut self) {
        if let Target::Child { child, .. } = self {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// It has ended.
    pub fn ended(&mut self) -> bool {
        match self {
            Target::Child { child, .. } => !matches!(child.try_wait(), Ok(None)),
            Target::Grabbed(pid) => tracewell_session::process(*pid).is_none(),
        }
    }
}

impl Drop for Target {
    /// A command ends with the run that started it.
    fn drop(&mut self) {
        self.abandon();
    }
}
