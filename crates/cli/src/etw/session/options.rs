//! The options that make a session.

use std::path::Path;

use clap::{Args, ValueEnum};
use tracewell_kernel_linux::flags::Profile;
use tracewell_session::{
    ClockType, Code, Controller, Error, LogFileMode, Properties, SessionStatus, SystemTracing, Update,
};
use tracewell_types::Guid;

use super::provider::ProviderSpec;

/// The path of a log file, which a session writes by itself.
pub(super) fn log_file(text: &str) -> Result<String, String> {
    match text {
        "-" => Err("a session writes a file: --live and `etw watch` show events as they come".to_owned()),
        path => Ok(path.to_owned()),
    }
}

/// What a session is to be.
#[derive(Debug, Args)]
pub(in crate::etw) struct SessionOptions {
    /// Log file; in the mode new-file, %d is replaced by the number of the file
    #[arg(short, long, value_name = "FILE", value_parser = log_file)]
    pub(super) output: Option<String>,
    /// Replace an existing file
    #[arg(short, long)]
    pub(super) force: bool,
    /// Provider to enable, as NAME or GUID, optionally with :LEVEL and :KEYWORDS; repeatable
    #[arg(short = 'p', long = "provider", value_name = "PROVIDER")]
    pub(super) providers: Vec<ProviderSpec>,
    /// Set how the file is written; buffering keeps the newest events in memory for `etw flush`
    #[arg(long, value_enum, default_value_t = Mode::Sequential)]
    mode: Mode,
    /// Deliver events in real time, for `etw watch`
    #[arg(long)]
    live: bool,
    /// Write one file per process (trace.etl becomes trace_7.etl for process 7)
    #[arg(long, conflicts_with = "live")]
    private: bool,
    /// Maximum size of a file in MiB, or in KiB with the suffix K [default: unlimited]
    #[arg(long, default_value = "0", hide_default_value = true, value_name = "MIB", value_parser = FileSize::parse)]
    max_size: FileSize,
    /// Reserve the space of the file when the session starts
    #[arg(long)]
    preallocate: bool,
    /// Size of a buffer in KiB [default: 64]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_name = "KIB")]
    buffer_size: u32,
    /// Minimum number of buffers, across all processors
    #[arg(long, default_value_t = 0, hide_default_value = true, value_name = "COUNT")]
    min_buffers: u32,
    /// Maximum number of buffers, across all processors
    #[arg(long, default_value_t = 0, hide_default_value = true, value_name = "COUNT")]
    buffers: u32,
    /// Deliver partly filled buffers after this number of milliseconds
    #[arg(long, default_value_t = 0, hide_default_value = true, value_name = "MS")]
    flush_timer: u32,
    /// Set the clock of time stamps: the performance counter, system time or processor cycles
    #[arg(long, value_enum, default_value_t = ClockOption::Qpc)]
    clock: ClockOption,
    /// Number trace messages per session (gaps are lost messages) or across all sessions
    #[arg(long, value_enum, value_name = "SCOPE")]
    sequence: Option<Sequence>,
    /// Kernel groups to enable: a mask, or names such as CSWITCH,PROFILE, which bring PROCESS, THREAD and IMAGE_LOAD, so that
    /// events have the names of programs and functions
    #[arg(long, visible_alias = "kernel", default_value = "0", hide_default_value = true, value_name = "GROUPS", value_parser = super::provider::kernel_flags_of_new)]
    kernel_flags: u32,
    /// Kernel groups for a question, with call stacks where these are useful; repeatable
    #[arg(long = "profile", value_name = "PROFILE", value_delimiter = ',', value_parser = super::provider::profile)]
    profiles: Vec<&'static Profile>,
    /// Make programs wait for a free buffer instead of losing events
    #[arg(long)]
    blocking: bool,
    /// Record the call stack of each event
    #[arg(long)]
    pub(super) stacks: bool,
    /// Accept only programs of the user who starts the session
    #[arg(long)]
    secure: bool,
    /// GUID of the session
    #[arg(long, value_name = "GUID")]
    guid: Option<Guid>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Sequential,
    Circular,
    Append,
    NewFile,
    Buffering,
}

/// Where the number of a trace message is unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sequence {
    Local,
    Global,
}

/// The largest size of a file, as it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileSize {
    number: u32,
    in_kib: bool,
}

impl FileSize {
    fn parse(text: &str) -> Result<FileSize, String> {
        let (digits, in_kib) = match text.strip_suffix(['K', 'k']) {
            Some(digits) => (digits, true),
            None => (text.strip_suffix(['M', 'm']).unwrap_or(text), false),
        };
        let number = digits.parse().map_err(|_| format!("{text:?} is no size: write 64 (MiB) or 512K"))?;
        Ok(FileSize { number, in_kib })
    }
}

/// What time stamps count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ClockOption {
    Qpc,
    System,
    Cycle,
}

/// Refuses a file name that is taken, unless by `force`.
pub(super) fn refuse_taken(path: &str, force: bool) -> Result<(), Error> {
    if force || Path::new(path).symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Error::new(Code::FILE_EXISTS, crate::links::taken(Path::new(path))))
}

/// A file there is whose name `pattern` has with a number for `%d`.
fn first_of_series(pattern: &str) -> Option<String> {
    let path = Path::new(pattern);
    let (before, after) = path.file_name()?.to_str()?.split_once("%d")?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let number = |name: &str| name.strip_prefix(before)?.strip_suffix(after)?.parse::<u32>().ok();
    let first = names.filter_map(|name| Some((number(&name)?, name))).min()?.1;
    path.with_file_name(first).into_os_string().into_string().ok()
}

impl SessionOptions {
    /// Starts a session with its providers.
    pub(super) fn start(&self, system: &dyn Controller, name: &str) -> Result<SessionStatus, Error> {
        let properties = self.properties(name)?;
        let tracing = self.tracing();
        // On Linux the kernel is attached to once, when the stacks are known.
        let late = cfg!(target_os = "linux") && !tracing.stacks.is_empty();
        let flags = properties.enable_flags;
        let mut first = properties;
        if late {
            first.enable_flags = 0;
            first.mode = first.mode.with(LogFileMode::SYSTEM_LOGGER);
        }
        let mut status = system.start(&first)?;
        // A session without what was asked for is no use to anyone.
        let trace = || -> Result<Option<SessionStatus>, Error> {
            if !late {
                return Ok(None);
            }
            system.trace_system(name, &tracing)?;
            system.update(name, &Update { enable_flags: Some(flags), ..Update::default() }).map(Some)
        };
        let rest = trace().and_then(|now| self.enable_all(system, name).map(|()| now));
        if let Some(now) = rest.inspect_err(|_| give_up(system, name))? {
            status = now;
        }
        Ok(status)
    }

    /// The kernel groups of the session: those that are named, and those of its profiles.
    pub(super) fn kernel_groups(&self) -> u32 {
        self.profiles.iter().fold(self.kernel_flags, |all, profile| all | profile.flags)
    }

    /// The stacks of kernel events: of all if these are wanted, else of those for which a profile has them.
    #[cfg(target_os = "linux")]
    fn tracing(&self) -> SystemTracing {
        let all = if self.stacks { self.kernel_groups() } else { 0 };
        let flags = self.profiles.iter().fold(all, |all, profile| all | profile.stacks);
        SystemTracing { stacks: tracewell_kernel_linux::stack_events(flags), sample_interval: None }
    }

    /// Windows chooses stacks of kernel events by other means.
    #[cfg(not(target_os = "linux"))]
    fn tracing(&self) -> SystemTracing {
        SystemTracing::default()
    }

    /// Enables the providers for a session that runs.
    pub(super) fn enable_all(&self, system: &dyn Controller, session: &str) -> Result<(), Error> {
        for spec in &self.providers {
            spec.enable_in(system, session, &spec.enable(system, None, &[], self.stacks)?)?;
        }
        Ok(())
    }

    /// Refuses to put a new file in the place of another one, unless the user asks for that: in the mode new-file, of any
    /// that one of its names may have. A file that is appended to stays.
    pub(super) fn refuse_taken(&self) -> Result<(), Error> {
        match (&self.output, self.mode) {
            (Some(path), Mode::Sequential | Mode::Circular | Mode::Buffering) => {
                refuse_taken(path, self.force)
            }
            (Some(path), Mode::NewFile) => match first_of_series(path).filter(|_| !self.force) {
                Some(taken) => refuse_taken(&taken, false),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The properties of a session of this name.
    pub(super) fn properties(&self, name: &str) -> Result<Properties, Error> {
        let mut mode = match self.mode {
            Mode::Sequential if self.output.is_none() && self.live => LogFileMode(0),
            Mode::Sequential => LogFileMode::SEQUENTIAL,
            Mode::Circular => LogFileMode::CIRCULAR,
            Mode::Append => LogFileMode::APPEND,
            Mode::NewFile => LogFileMode::NEW_FILE,
            Mode::Buffering => LogFileMode::BUFFERING,
        };
        let flags = [
            (self.live, LogFileMode::REAL_TIME),
            (self.preallocate, LogFileMode::PREALLOCATE),
            (self.blocking, LogFileMode::BLOCKING),
            (self.secure, LogFileMode::SECURE),
            (self.private, LogFileMode::PRIVATE),
            (self.max_size.in_kib, LogFileMode::SIZE_IN_KIBIBYTES),
            (self.sequence == Some(Sequence::Local), LogFileMode::LOCAL_SEQUENCE),
            (self.sequence == Some(Sequence::Global), LogFileMode::GLOBAL_SEQUENCE),
        ];
        for (set, flag) in flags {
            if set {
                mode = mode.with(flag);
            }
        }
        if self.output.is_none() && !self.live && self.mode != Mode::Buffering {
            let detail = "where should the events go? Give -o FILE, or --live for `etw watch`";
            return Err(Error::new(Code::BAD_PATHNAME, detail));
        }
        let clock = match self.clock {
            // Files are only appended to in system time.
            ClockOption::Qpc if self.mode == Mode::Append => ClockType::SYSTEM_TIME,
            ClockOption::Qpc => ClockType::PERFORMANCE_COUNTER,
            ClockOption::System => ClockType::SYSTEM_TIME,
            ClockOption::Cycle => ClockType::CPU_CYCLES,
        };
        Ok(Properties {
            name: name.to_owned(),
            guid: self.guid.unwrap_or(Guid::ZERO),
            log_file: self.output.clone().unwrap_or_default(),
            buffer_size: self.buffer_size,
            minimum_buffers: self.min_buffers,
            maximum_buffers: self.buffers,
            maximum_file_size: self.max_size.number,
            enable_flags: self.kernel_groups(),
            mode,
            flush_timer: self.flush_timer,
            clock,
        })
    }
}

/// Stops a session that cannot have what was asked for, and removes its file, which nothing was logged to.
fn give_up(system: &dyn Controller, name: &str) {
    let Ok(status) = system.stop(name) else { return };
    let file = &status.properties.log_file;
    if status.events == 0 && !file.is_empty() && !status.properties.mode.has(LogFileMode::APPEND) {
        // It may be gone already.
        let _ = std::fs::remove_file(file);
    }
}
