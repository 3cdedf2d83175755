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

/// Describes this process: its numbers, its name and folder, what it found in memory when it started, and the processes that
/// it descends from. `address` is an address in its code.
#[must_use]
pub fn myself(address: u64) -> Myself {
    let mut me = numbers();
    me.name = "dtrace".to_owned();
    me.cwd = std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default();
    me.address = address;
    #[cfg(unix)]
    {
        me.start = start_memory(&Stat::of("self")).unwrap_or_default();
        let mut ancestor = me.ppid;
        while ancestor != 0 && me.ancestors.len() < MOST_ANCESTORS {
            me.ancestors.push(ancestor);
            ancestor = Stat::of(&ancestor.to_string()).number(4);
        }
    }
    me
}

/// The numbers of this process, its users and its groups. All else is empty.
#[must_use]
pub fn numbers() -> Myself {
    let me = Myself { pid: std::process::id(), threads: 1, ..Myself::default() };
    #[cfg(unix)]
    let me = numbered(me);
    me
}

/// With the numbers that only systems of the Unix kind have.
#[cfg(unix)]
fn numbered(mut me: Myself) -> Myself {
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

/// The file of a program, by its path or by its name in `PATH`. On Windows in the current folder first, and `.exe` may be
/// left out, as in its shell.
pub fn find_program(word: &str, environment: &Environment) -> Option<PathBuf> {
    let there = |path: PathBuf| {
        if cfg!(windows) && !path.is_file() {
            let mut longer = path.into_os_string();
            longer.push(".exe");
            return Some(PathBuf::from(longer)).filter(|path| path.is_file());
        }
        path.is_file().then_some(path)
    };
    if word.contains(std::path::is_separator) {
        return there(PathBuf::from(word));
    }
    let set = environment.set.iter().rev().find(|(name, _)| name == "PATH");
    let path = set.map(|(_, path)| path.clone()).or_else(|| std::env::var("PATH").ok()).unwrap_or_default();
    let here = cfg!(windows).then(|| PathBuf::from("."));
    here.into_iter().chain(std::env::split_paths(&path)).find_map(|folder| there(folder.join(word)))
}

/// Splits a command line of Windows into its program, which may be in quotes, and the rest, which the program splits itself.
#[cfg(any(windows, test))]
fn split_program(command: &str) -> (&str, &str) {
    let command = command.trim();
    match command.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => command.split_once(char::is_whitespace).unwrap_or((command, "")),
    }
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

/// The number of the signal that stops a process, on systems whose kernel sends it for us.
pub(crate) fn stop_signal() -> Option<u8> {
    #[cfg(target_os = "linux")]
    return u8::try_from(rustix::process::Signal::STOP.as_raw()).ok();
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns `true` if this process may send signals to those of all users (`CAP_KILL`). The kernel does not check this for programs in
/// it.
pub(crate) fn may_signal_all() -> bool {
    const KILL: u32 = 5;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    effective.is_some_and(|bits| bits & 1 << KILL != 0)
}

/// Returns `true` if no thread has an id.
pub fn is_over(tid: u32) -> bool {
    #[cfg(target_os = "linux")]
    if let Some(tid) = i32::try_from(tid).ok().and_then(rustix::process::Pid::from_raw) {
        // Linux accepts the id of any thread, and checks that it exists before it checks rights.
        return rustix::process::test_kill_process(tid) == Err(rustix::io::Errno::SRCH);
    }
    let _ = tid;
    false
}

/// Ends a process that waits to be let go.
pub fn kill(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // One that is gone already is what we want.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    #[cfg(windows)]
    tracewell_session::terminate(pid);
    #[cfg(not(any(unix, windows)))]
    let _ = pid;
}

/// Lets a process run that stops itself.
#[cfg(unix)]
fn continue_stopped(pid: u32) {
    // It may not have come to its stop yet: wait for that state, but not for ever.
    for _ in 0..200 {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.rsplit(')').next().is_none_or(|s| s.trim_start().starts_with(['T', 't', 'Z', 'X'])) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // One that is gone already needs no signal.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::CONT);
    }
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
        #[cfg(windows)]
        let child = {
            use std::os::windows::process::CommandExt;
            /// The first thread waits: the session listens before the command runs.
            const CREATE_SUSPENDED: u32 = 4;
            let (program, rest) = split_program(command);
            let file = find_program(program, environment)
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no such program"))?;
            let mut started = Command::new(file);
            started.raw_arg(rest).creation_flags(CREATE_SUSPENDED);
            environment.put(&mut started).spawn()?
        };
        #[cfg(not(any(unix, windows)))]
        let child = {
            let mut words = command.split_whitespace();
            let program = words.next().ok_or_else(|| io::Error::other("empty command"))?;
            environment.put(Command::new(program).args(words)).spawn()?
        };
        Ok(Target::Child { child, going: cfg!(not(any(unix, windows))) })
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
            #[cfg(windows)]
            tracewell_session::resume(pid);
            #[cfg(unix)]
            continue_stopped(pid);
            #[cfg(not(any(unix, windows)))]
            let _ = pid;
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use tracewell_corpus::Scratch;

    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn issue_15_threads_are_over_when_they_have_ended() {
        let (tell, told) = std::sync::mpsc::channel();
        let (end, ends) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            tell.send(rustix::thread::gettid().as_raw_pid().cast_unsigned()).expect("the test waits");
            ends.recv().expect("the test ends the thread");
        });
        let tid = told.recv().expect("the thread runs");
        assert!(tid != std::process::id() && !is_over(tid) && !is_over(std::process::id()));
        end.send(()).expect("the thread waits");
        thread.join().expect("it ends");
        // Its number is free a moment after the thread is joined.
        while !is_over(tid) {
            std::thread::yield_now();
        }
        // No thread has these.
        assert!(!is_over(0) && !is_over(u32::MAX) && is_over(i32::MAX as u32));
    }

    const NO_PROGRAM: &str = "there is no such program";

    fn environment(set: &[&str], unset: &[&str]) -> Result<Environment, &'static str> {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Environment::new(&texts(set), &texts(unset))
    }

    #[test]
    fn issue_23_options_name_variables() {
        let environment_of = environment(&["A=1", "B=", "C=x=y"], &["D", "E"]).unwrap();
        let set: Vec<(&str, &str)> =
            environment_of.set.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(set, [("LD_NOLAZYLOAD", "1"), ("A", "1"), ("B", ""), ("C", "x=y")]);
        assert_eq!(environment_of.unset, ["D", "E"]);
        for (set, unset, option) in
            [("A", "D", "setenv"), ("=1", "D", "setenv"), ("A=1", "", "unsetenv"), ("A=1", "D=", "unsetenv")]
        {
            assert_eq!(environment(&[set], &[unset]).err(), Some(option), "{set} {unset}");
        }
        let mut command = Command::new("true");
        environment_of.put(&mut command);
        let put: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_str(), value.map(|v| v.to_str()))).collect();
        let of = |name, value| (Some(name), Some(Some(value)));
        let expected = [of("A", "1"), of("B", ""), of("C", "x=y"), (Some("D"), None), (Some("E"), None)];
        assert_eq!(put[..5], expected);
        assert_eq!(put[5..], [of("LD_NOLAZYLOAD", "1")]);
    }

    #[test]
    fn issue_23_variables_before_a_command_are_split_as_a_shell_does() {
        for (command, set, rest) in [
            ("program x=1", "", "program x=1"),
            ("A=1 program", "A=1", "program"),
            ("  A=1  _b2='x y'\tprogram z", "  A=1  _b2='x y'", "program z"),
            ("A=\"x 'y' z\" B='x \"y\" z' p", "A=\"x 'y' z\" B='x \"y\" z'", "p"),
            ("A=x\\ y p", "A=x\\ y", "p"),
            ("A=\"x\\\" y\" p", "A=\"x\\\" y\"", "p"),
            // In single quotes, a backslash is one.
            ("A='x\\' p", "A='x\\'", "p"),
            ("A='$(date)' p", "A='$(date)'", "p"),
            ("A=$(date) p", "", "A=$(date) p"),
            ("A=`date` p", "", "A=`date` p"),
            ("A=\"`date`\" p", "", "A=\"`date`\" p"),
            ("A=1 B=(x) p", "A=1", "B=(x) p"),
            ("1A=x p", "", "1A=x p"),
            ("A1=x p", "A1=x", "p"),
            ("=x p", "", "=x p"),
            ("A-B=x p", "", "A-B=x p"),
            ("\u{e9}=x p", "", "\u{e9}=x p"),
            ("A=\u{e9} p", "A=\u{e9}", "p"),
            ("A=1", "A=1", ""),
            ("A=", "A=", ""),
            ("", "", ""),
        ] {
            assert_eq!(assignments(command), (set, rest), "{command}");
        }
    }

    #[test]
    fn issue_23_a_command_without_a_program_is_refused_where_that_is_plain() {
        let folder = Scratch::new("lacks");
        folder.write("tool", b"");
        let path = format!("PATH={}", folder.display());
        let environment = environment(&["PATH=/nowhere", &path], &[]).unwrap();
        let none = Some(NO_PROGRAM);
        for (command, expected) in [
            ("tool x", None),
            ("nothing x", none),
            ("", none),
            ("A=1 tool", None),
            ("A=1 nothing", none),
            ("A=1", Some("it sets variables, and names no program")),
            // What the shell makes of it is not known here.
            ("PATH=/bin nothing", None),
            ("XPATH=/bin nothing", none),
            ("$tool", None),
            ("nothing; tool", None),
            ("'nothing' x", None),
            ("./nothing", none),
            ("/bin/sh", None),
            (folder.to_str().unwrap(), none),
        ] {
            assert_eq!(lacks_program(command, &environment), expected, "{command}");
        }
        assert_eq!(find_program("tool", &environment), Some(folder.join("tool")));
        assert!(find_program("sh", &Environment::default()).is_some());
        for (command, split) in [
            ("shop.exe", ("shop.exe", "")),
            (" shop.exe  a \"b c\" ", ("shop.exe", " a \"b c\"")),
            ("\"C:\\a b\\shop.exe\" a", ("C:\\a b\\shop.exe", " a")),
            ("\"C:\\a b\\shop.exe", ("C:\\a b\\shop.exe", "")),
            ("", ("", "")),
        ] {
            assert_eq!(split_program(command), split, "{command}");
        }
        let error = Target::start("nothing", &environment).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::NotFound, NO_PROGRAM.to_owned()));
    }

    /// Waits until a condition holds.
    fn until(mut holds: impl FnMut() -> bool) {
        for _ in 0..60_000 {
            if holds() {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("it does not come");
    }

    #[test]
    fn issue_23_a_command_waits_until_it_is_let_go_and_reports_how_it_failed() {
        let folder = Scratch::new("target");
        let out = folder.join("out");
        let environment = environment(&["A_VALUE=of 1"], &["HOME"]).unwrap();
        for (command, expected) in [
            ("sh -c 'exit 0'", None),
            ("sh -c 'exit 3'", Some("exited with status 3")),
            ("sh -c 'kill -9 $$'", Some("was ended by signal 9")),
        ] {
            let script = command.replacen(
                "sh -c '",
                &format!("sh -c 'echo $A_VALUE $HOME $$ > {}; ", out.display()),
                1,
            );
            let mut target = Target::start(&script, &environment).unwrap();
            let pid = target.pid();
            assert!(target.is_waiting() && target.waiting() == Some(pid) && !target.ended());
            assert_eq!(target.failure(), None);
            // It stops, and does nothing before it is let go.
            until(|| {
                Stat::of(&pid.to_string()).0.rsplit(')').next().is_some_and(|rest| rest.starts_with(" T"))
            });
            assert!(!out.exists());
            target.go();
            assert!(!target.is_waiting() && target.waiting().is_none());
            until(|| target.ended());
            assert_eq!(std::fs::read_to_string(&out).unwrap(), format!("of 1 {pid}\n"));
            assert_eq!(target.failure(), expected.map(|how| format!("pid {pid} {how}")));
            std::fs::remove_file(&out).unwrap();
        }
    }

    #[test]
    fn issue_23_the_library_of_hooks_is_loaded_by_the_command_and_not_by_the_shell() {
        let folder = Scratch::new("agent");
        let out = folder.join("out");
        for (before, expected) in [(None, "/lib/none.so"), (Some("libc.so.6"), "/lib/none.so:libc.so.6")] {
            let set: Vec<String> = before.iter().map(|path| format!("LD_PRELOAD={path}")).collect();
            let mut environment = Environment::new(&set, &[]).unwrap();
            environment.agent = Some(("/lib/none.so".into(), ("A_NAME", "/proc/1/fd/2".to_owned())));
            let script = format!(
                "sh -c 'echo $LD_PRELOAD $A_NAME $TRACEWELL_FPID_LIBRARY > {}' 2> /dev/null",
                out.display()
            );
            let mut target = Target::start(&script, &environment).unwrap();
            target.go();
            until(|| target.ended());
            assert_eq!(std::fs::read_to_string(&out).unwrap(), format!("{expected} /proc/1/fd/2\n"));
        }
    }

    #[test]
    fn issue_23_a_command_ends_with_its_run_and_others_do_not() {
        let gone = |pid: u32| !std::path::Path::new(&format!("/proc/{pid}")).exists();
        let mut target = Target::start("sleep 1000", &Environment::default()).unwrap();
        let pid = target.pid();
        target.go();
        assert_eq!(target.failure(), None);
        drop(target);
        assert!(gone(pid));

        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let mut grabbed = Target::grab(child.id()).unwrap();
        assert_eq!((grabbed.pid(), grabbed.is_waiting(), grabbed.waiting()), (child.id(), false, None));
        assert!(!grabbed.ended() && grabbed.failure().is_none());
        grabbed.abandon();
        assert!(matches!(child.try_wait(), Ok(None)));
        kill(child.id());
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(9));
        assert!(grabbed.ended());
        assert_eq!(Target::grab(child.id()).unwrap_err().to_string(), "no such process");
    }

    #[test]
    fn issue_23_signals_are_sent_and_what_cannot_be_done_is_named() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let deed = |action, pid| Deed { action, pid };
        let state = |letter: char| {
            let stat = Stat::of(&child.id().to_string());
            stat.0.rsplit(')').next().unwrap_or_default().trim_start().starts_with(letter)
        };
        assert!(carry_out(&[deed(Destructive::Stop, Some(child.id()))]).is_empty());
        until(|| state('T'));
        let failed = carry_out(&[
            deed(Destructive::Raise(18), Some(child.id())),
            deed(Destructive::Raise(9), None),
            deed(Destructive::Stop, Some(0)),
            deed(Destructive::Panic, Some(child.id())),
            deed(Destructive::Breakpoint, Some(child.id())),
            deed(Destructive::Chill(1), Some(child.id())),
        ]);
        assert_eq!(
            failed.into_iter().collect::<Vec<_>>(),
            ["breakpoint()", "chill()", "panic()", "raise()", "stop()"]
        );
        until(|| state('S'));
        assert!(carry_out(&[deed(Destructive::Raise(15), Some(child.id()))]).is_empty());
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(15));
    }

    #[test]
    fn issue_23_this_process_is_described_as_the_system_does() {
        use rustix::process;
        let me = myself(77);
        assert_eq!((me.pid, me.ppid), (std::process::id(), std::os::unix::process::parent_id()));
        assert_eq!((me.uid, me.euid), (process::getuid().as_raw(), process::geteuid().as_raw()));
        assert_eq!((me.gid, me.egid), (process::getgid().as_raw(), process::getegid().as_raw()));
        // As this PID namespace sees them: 0 for those of processes outside.
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let inner = |name: &str| status.lines().find_map(|l| l.strip_prefix(name)?.split('\t').next_back());
        assert_eq!(inner("NSpgid:"), Some(&*me.pgid.to_string()));
        assert_eq!(inner("NSsid:"), Some(&*me.sid.to_string()));
        assert_eq!((me.address, &*me.name), (77, "dtrace"));
        assert_eq!(me.cwd, std::env::current_dir().unwrap().display().to_string());
        assert!(me.threads >= 2, "{}", me.threads);
        assert_eq!(me.ancestors.first(), (me.ppid != 0).then_some(&me.ppid));
        // The parent of each is the next one.
        for pair in me.ancestors.windows(2) {
            let status = std::fs::read_to_string(format!("/proc/{}/status", pair[0])).unwrap_or_default();
            let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
            assert!(parent.is_none_or(|parent| parent.trim() == pair[1].to_string()), "{pair:?}");
        }
        // The number of arguments comes first, the environment last.
        let arguments = u64::from_le_bytes(*me.start.bytes.first_chunk().unwrap());
        assert_eq!(arguments, std::env::args_os().count() as u64);
        assert_eq!(me.start.bytes.last(), Some(&0));
        let variables = std::fs::read("/proc/self/environ").unwrap();
        assert!(
            variables.is_empty() || me.start.bytes.windows(variables.len()).any(|part| part == variables)
        );

        let since_start = || rustix::time::clock_gettime(rustix::time::ClockId::Boottime).tv_sec;
        let before = since_start();
        let base = clock_base() / 1_000_000_000;
        assert!((before - 1..=since_start()).contains(&base), "{before} {base}");
    }

    #[test]
    fn issue_23_numbers_of_a_process_are_behind_its_name() {
        let stat = Stat("7 (a ) (b) S 5 6 -1 x 9".to_owned());
        let numbers: Vec<i32> = (4..10).map(|field| stat.number(field)).collect();
        assert_eq!(numbers, [5, 6, -1, 0, 9, 0]);
        assert_eq!(Stat::of("none").number::<u32>(4), 0);
    }
}
