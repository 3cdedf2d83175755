//! This process and the target of `-c`.

use std::io;
use std::process::{Child, Command};

/// What the host says of our own process.
#[derive(Clone, Debug, Default)]
pub(super) struct Myself {
    /// Process id.
    pub pid: u32,
    /// Parent.
    pub ppid: u32,
    /// Real user.
    pub uid: u32,
    /// Real group.
    pub gid: u32,
    /// Process group.
    pub pgid: u32,
    /// Session.
    pub sid: u32,
    /// Program name.
    pub name: String,
    /// Current directory.
    pub cwd: String,
    /// Nanoseconds since the machine started, when our clock does.
    pub clock_base: i64,
}

impl Myself {
    /// Asks the system.
    #[must_use]
    pub(super) fn new() -> Myself {
        let mut me = Myself {
            pid: std::process::id(),
            name: "dtrace".to_owned(),
            cwd: std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default(),
            clock_base: uptime().unwrap_or(1_000_000_000),
            ..Myself::default()
        };
        #[cfg(unix)]
        {
            me.ppid = std::os::unix::process::parent_id();
            use std::os::unix::fs::MetadataExt;
            if let Ok(meta) = std::fs::metadata("/proc/self") {
                me.uid = meta.uid();
                me.gid = meta.gid();
            }
            // After the name in brackets: state, parent, process group, session.
            let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
            let mut words = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(2);
            let mut number = || words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
            me.pgid = number();
            me.sid = number();
        }
        me
    }
}

/// Nanoseconds since start-up, where the system says it in a file.
fn uptime() -> Option<i64> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    let seconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some((seconds * 1e9) as i64)
}

/// A process that `-c` started or `-p` named.
#[derive(Debug)]
pub(super) enum Target {
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

impl Target {
    /// Starts a command that waits to be let go.
    ///
    /// # Errors
    /// The command cannot be started.
    pub(super) fn start(command: &str) -> io::Result<Target> {
        // The shell stops itself, so that `$target` is known before the command runs; `exec` keeps the number.
        #[cfg(unix)]
        let child =
            Command::new("/bin/sh").arg("-c").arg(format!("kill -STOP $$; exec {command}")).spawn()?;
        #[cfg(not(unix))]
        let child = {
            let mut words = command.split_whitespace();
            let program = words.next().ok_or_else(|| io::Error::other("empty command"))?;
            Command::new(program).args(words).spawn()?
        };
        Ok(Target::Child { child, going: cfg!(not(unix)) })
    }

    /// A process that is there already.
    ///
    /// # Errors
    /// There is no such process.
    pub(super) fn grab(pid: u32) -> io::Result<Target> {
        let there = !cfg!(target_os = "linux") || std::path::Path::new(&format!("/proc/{pid}")).exists();
        if there { Ok(Target::Grabbed(pid)) } else { Err(io::Error::other("no such process")) }
    }

    /// Its process id.
    #[must_use]
    pub(super) fn pid(&self) -> u32 {
        match self {
            Target::Child { child, .. } => child.id(),
            Target::Grabbed(pid) => *pid,
        }
    }

    /// Lets a started command run.
    pub(super) fn go(&mut self) {
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

    /// It has ended.
    pub(super) fn ended(&mut self) -> bool {
        match self {
            Target::Child { child, .. } => !matches!(child.try_wait(), Ok(None)),
            Target::Grabbed(pid) => {
                cfg!(target_os = "linux") && !std::path::Path::new(&format!("/proc/{pid}")).exists()
            }
        }
    }
}
