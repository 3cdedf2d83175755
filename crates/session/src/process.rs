//! Who logs: what the system says of a process while it runs.

/// A process of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessStatus {
    /// Process id.
    pub pid: u32,
    /// Id of the process that created it.
    pub parent: Option<u32>,
    /// The name of its program, without a path.
    pub name: String,
    /// Command line, its words joined by blanks; empty where the system does not tell.
    pub command_line: String,
}

/// Asks the system for a process; [`None`] when none of that id runs, or when it does not tell.
#[cfg(target_os = "linux")]
#[must_use]
pub fn process(pid: u32) -> Option<ProcessStatus> {
    let read = |what: &str| std::fs::read(format!("/proc/{pid}/{what}"));
    let text = |what: &str| String::from_utf8_lossy(&read(what).unwrap_or_default()).into_owned();
    let name = String::from_utf8_lossy(&read("comm").ok()?).trim_end().to_owned();
    // After the name in brackets: state, parent.
    let parent =
        text("stat").rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
    let words = read("cmdline").unwrap_or_default();
    let words = words.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    Some(ProcessStatus { pid, parent, name, command_line: words.join(" ") })
}

/// Asks the system for a process; [`None`] when none of that id runs. Its command line is not told.
#[cfg(windows)]
#[must_use]
pub fn process(pid: u32) -> Option<ProcessStatus> {
    let (parent, name) = crate::windows::sys::process(pid)?;
    Some(ProcessStatus { pid, parent: Some(parent), name, command_line: String::new() })
}

/// Nothing is known of the processes of other systems.
#[cfg(not(any(target_os = "linux", windows)))]
#[must_use]
pub fn process(_pid: u32) -> Option<ProcessStatus> {
    None
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    #[test]
    fn the_system_knows_this_process() {
        let me = super::process(std::process::id()).unwrap();
        assert_eq!(me.pid, std::process::id());
        let program = std::env::current_exe().unwrap();
        let program = program.file_name().unwrap().to_string_lossy().to_ascii_lowercase();
        // Linux keeps the first 15 characters, of the thread's own name.
        assert!(cfg!(target_os = "linux") || program == me.name.to_ascii_lowercase(), "{me:?}");
        assert!(!me.name.is_empty() && me.parent.is_some(), "{me:?}");
        assert_eq!(super::process(u32::MAX - 8), None);
    }
}
