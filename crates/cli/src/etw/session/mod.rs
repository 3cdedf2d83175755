//! Live sessions: `etw start`, `stop`, `query`, `list` and their kin.

#[cfg(target_os = "linux")]
mod autostart;
#[cfg(target_os = "linux")]
mod daemon;
mod options;
mod provider;
mod record;
mod show;
mod watch;

use clap::Subcommand;
use std::path::PathBuf;
use std::process::ExitCode;

use tracewell_etl::def::guid::SYSTEM_TRACE;
use tracewell_session::{
    Backlog, Code, Controller, Error, IdFilter, LiveSource, LogFileMode, ProviderStatus, Update,
};
use tracewell_types::Guid;

use options::SessionOptions;
use provider::{Level, ProviderSpec};

use crate::out::say;

/// The folder of the sessions, for the help and the manual pages of the commands that use it.
pub(in crate::etw) const WHERE: &str = "\
Folder of the sessions:
  A daemon runs the sessions of a user. Commands and programs with providers
  connect to it in a folder, which `etw daemon status` prints: the first of
    $TRACEWELL_RUNTIME
    /run/tracewell               for the superuser: the sessions of the system,
                                 which programs of all users log to
    $XDG_RUNTIME_DIR/tracewell
    /tmp/tracewell-UID";

/// The subcommands that control sessions.
#[derive(Debug, Subcommand)]
pub(in crate::etw) enum Command {
    /// Start a session, which runs until it is stopped
    #[command(after_help = WHERE)]
    Start {
        /// Name of the session
        name: String,
        #[command(flatten)]
        options: SessionOptions,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Stop sessions and complete their files
    #[command(after_help = WHERE)]
    Stop {
        /// Names of the sessions
        #[arg(required = true)]
        names: Vec<String>,
        /// Print one JSON object per session, one per line
        #[arg(long)]
        json: bool,
    },
    /// Show the properties and statistics of a session
    #[command(after_help = WHERE)]
    Query {
        /// Name of the session
        name: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Change a running session
    #[command(after_help = WHERE)]
    Update {
        /// Name of the session
        name: String,
        /// Continue with this log file
        #[arg(short, long, value_name = "FILE", value_parser = options::log_file)]
        output: Option<String>,
        /// Replace an existing file
        #[arg(short, long)]
        force: bool,
        /// Deliver partly filled buffers after this number of milliseconds
        #[arg(long, value_name = "MS")]
        flush_timer: Option<u32>,
        /// Maximum number of buffers, across all processors
        #[arg(long, value_name = "COUNT")]
        buffers: Option<u32>,
        /// Kernel groups to enable: a mask, or names such as CSWITCH,PROFILE
        #[arg(long, visible_alias = "kernel", value_name = "GROUPS", value_parser = provider::kernel_flags)]
        kernel_flags: Option<u32>,
        /// Start or stop real-time delivery
        #[arg(long, value_name = "YES|NO", action = clap::ArgAction::Set)]
        live: Option<bool>,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Deliver buffered events; a session in the mode buffering writes its buffers to a file
    #[command(after_help = WHERE)]
    Flush {
        /// Name of the session
        name: String,
        /// File to write, for a session in the mode buffering
        #[arg(short, long, value_name = "FILE", value_parser = options::log_file)]
        output: Option<String>,
        /// Replace an existing file
        #[arg(short, long)]
        force: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// List the running sessions
    #[command(after_help = WHERE)]
    List {
        /// Print one JSON object per session, one per line
        #[arg(long)]
        json: bool,
    },
    /// Enable providers in a session
    #[command(after_help = WHERE)]
    Enable {
        /// Name of the session
        session: String,
        /// Providers, as NAME or GUID, optionally with :LEVEL and :KEYWORDS
        #[arg(required = true)]
        providers: Vec<ProviderSpec>,
        /// Enable only these event ids
        #[arg(long, value_delimiter = ',', value_name = "IDS")]
        ids: Vec<u16>,
        /// Enable all except these event ids
        #[arg(long, value_delimiter = ',', value_name = "IDS", conflicts_with = "ids")]
        not_ids: Vec<u16>,
        /// Enable only in these processes
        #[arg(long, value_delimiter = ',', value_name = "PIDS")]
        pids: Vec<u32>,
        /// Record the call stack of each event
        #[arg(long)]
        stacks: bool,
        /// Ask the providers to log their state; without :LEVEL and :KEYWORDS, the enabled level and keywords do not
        /// change
        #[arg(long)]
        capture_state: bool,
    },
    /// Disable providers in a session
    #[command(after_help = WHERE)]
    Disable {
        /// Name of the session
        session: String,
        /// Providers, as NAME or GUID
        #[arg(required = true)]
        providers: Vec<ProviderSpec>,
    },
    /// List registered and enabled providers
    #[command(after_help = WHERE)]
    Providers {
        /// Print one JSON object per provider, one per line
        #[arg(long)]
        json: bool,
    },
    /// Log a text as an event, for use in scripts
    #[command(after_help = WHERE)]
    Log {
        /// The text
        text: String,
        /// Provider to log as
        #[arg(short, long, default_value = "Tracewell-Log", value_name = "NAME|GUID")]
        provider: ProviderSpec,
        /// Severity of the event
        #[arg(long, value_enum, default_value_t = Level::Information)]
        level: Level,
        /// Succeed even if no session listens
        #[arg(short, long)]
        quiet: bool,
    },
    /// Show the events of sessions live
    #[command(after_help = WHERE)]
    Watch(watch::Options),
    /// Record events to a file while a command runs, or until Ctrl-C
    #[command(after_help = WHERE)]
    Record(record::Options),
    /// Control the session daemon, which the first session starts automatically
    #[cfg(target_os = "linux")]
    #[command(after_help = WHERE)]
    Daemon {
        #[command(subcommand)]
        action: daemon::Action,
    },
}

/// The sessions of this system: the one place that knows what runs them.
fn system() -> Box<dyn Controller> {
    #[cfg(target_os = "linux")]
    return Box::new(daemon::engine());
    #[cfg(windows)]
    Box::new(tracewell_session::windows::WindowsEtw)
}

/// Runs a subcommand. Exit status: 0 done, 1 refused, and that of the command for `record`.
pub(super) fn run(command: Command) -> ExitCode {
    let as_json = command.wants_json();
    let result = match command {
        Command::Record(options) => record::run(&*system(), &options),
        Command::Watch(options) => watch::run(&*system(), &options).map(|()| ExitCode::SUCCESS),
        #[cfg(target_os = "linux")]
        Command::Daemon { action } => daemon::run(action).map(said),
        command => control(&*system(), command).map(said),
    };
    result.unwrap_or_else(|error| {
        let message = match error.detail.as_str() {
            // With its number: Windows has many that are not among ours.
            "" => error.code.to_string(),
            detail => crate::input::without_numbers(detail),
        };
        if as_json {
            say!("{}", serde_json::json!({"error": error.code.0, "message": message}));
        } else {
            say!("etw: {message}");
        }
        ExitCode::FAILURE
    })
}

/// The file that a running session writes; [`None`] if it delivers in real time and writes none.
pub(in crate::etw) fn log_file(name: &str) -> Result<Option<PathBuf>, String> {
    let properties = system().query(name).map_err(|error| error.to_string())?.properties;
    match properties.log_file {
        file if !file.is_empty() => Ok(Some(file.into())),
        _ if properties.mode.has(LogFileMode::REAL_TIME) => Ok(None),
        _ => Err(format!(
            "session {name} neither writes a file nor delivers in real time: `etw flush {name} -o FILE` writes what it holds"
        )),
    }
}

/// The events of a session from now on, and what runs where the kernel says it.
pub(in crate::etw) fn attach(name: &str) -> Result<Box<dyn LiveSource>, String> {
    let system = system();
    let source = system.attach(name, Backlog::Lose).map_err(|error| error.to_string())?;
    // Only sessions of the kernel's events describe what runs; the programs of others describe themselves.
    let _ = system.capture_state(name, SYSTEM_TRACE);
    Ok(source)
}

/// Has a session deliver its buffered events.
pub(in crate::etw) fn flush(name: &str) -> Result<(), String> {
    system().flush(name, None).map(drop).map_err(|error| error.to_string())
}

impl Command {
    /// Returns `true` if a program reads the answer: then a refusal is an object with its number (that of
    /// Windows).
    fn wants_json(&self) -> bool {
        match self {
            Command::Start { json, .. }
            | Command::Stop { json, .. }
            | Command::Query { json, .. }
            | Command::Update { json, .. }
            | Command::Flush { json, .. }
            | Command::List { json }
            | Command::Providers { json } => *json,
            Command::Watch(options) => options.is_json(),
            _ => false,
        }
    }
}

fn said(text: String) -> ExitCode {
    crate::write_stdout(&text);
    ExitCode::SUCCESS
}

/// Runs a subcommand that ends at once; its output.
fn control(system: &dyn Controller, command: Command) -> Result<String, Error> {
    match command {
        Command::Start { name, options, json } => {
            options.refuse_taken()?;
            Ok(show::one(system, &options.start(system, &name)?, json))
        }
        Command::Stop { names, json } => {
            let mut text = String::new();
            for name in names {
                text.push_str(&show::one(system, &system.stop(&name)?, json));
            }
            Ok(text)
        }
        Command::Query { name, json } => Ok(show::one(system, &system.query(&name)?, json)),
        Command::Update { name, output, force, flush_timer, buffers, kernel_flags, live, json } => {
            if let Some(path) = &output {
                options::refuse_taken(path, force)?;
            }
            let update = Update {
                log_file: output,
                flush_timer,
                maximum_buffers: buffers,
                enable_flags: kernel_flags,
                real_time: live,
            };
            Ok(show::one(system, &system.update(&name, &update)?, json))
        }
        Command::Flush { name, output, force, json } => {
            if let Some(path) = &output {
                options::refuse_taken(path, force)?;
            }
            Ok(show::one(system, &system.flush(&name, output.as_deref())?, json))
        }
        Command::List { json } => Ok(show::sessions(system, &system.list()?, json)),
        Command::Enable { session, providers, ids, not_ids, pids, stacks, capture_state } => {
            let filter = match (ids.is_empty(), not_ids.is_empty()) {
                (true, true) => None,
                (false, _) => Some(IdFilter { include: true, ids }),
                (true, false) => Some(IdFilter { include: false, ids: not_ids }),
            };
            for spec in &providers {
                let says_nothing = spec.is_bare() && filter.is_none() && pids.is_empty() && !stacks;
                let enable = spec.enable(system, filter.clone(), &pids, stacks)?;
                let guid = enable.provider;
                if !(capture_state && says_nothing && is_enabled(system, &session, guid)?) {
                    spec.enable_in(system, &session, &enable)?;
                }
                if capture_state {
                    system.capture_state(&session, guid)?;
                }
                report_unheard(system, spec, guid);
            }
            Ok(String::new())
        }
        Command::Disable { session, providers } => {
            for spec in &providers {
                let guid = spec.guid(system)?;
                if !is_enabled(system, &session, guid)? {
                    let detail = format!("{} is not enabled for session {session}", spec.name());
                    return Err(Error::new(Code::WMI_GUID_NOT_FOUND, detail));
                }
                system.disable(&session, guid)?;
            }
            Ok(String::new())
        }
        Command::Providers { json } => {
            let mut all = system.providers()?;
            if hears_kernel(system) {
                add_of_kernel(&mut all);
            }
            Ok(show::providers(&all, json))
        }
        Command::Log { text, provider, level, quiet } => log(system, &text, &provider, level, quiet),
        // These are run by `run`.
        Command::Watch(_) | Command::Record(_) => Ok(String::new()),
        #[cfg(target_os = "linux")]
        Command::Daemon { .. } => Ok(String::new()),
    }
}

/// Returns `true` if a session has a provider enabled.
fn is_enabled(system: &dyn Controller, session: &str, provider: Guid) -> Result<bool, Error> {
    let id = system.query(session)?.id;
    let all = system.providers()?;
    Ok(all.iter().any(|p| p.guid == provider && p.enabled.iter().any(|enabled| enabled.session == id)))
}

/// Returns `true` if the events of Linux' kernel can be had: from the daemon, or by a recording of this process.
#[cfg(target_os = "linux")]
fn hears_kernel(system: &dyn Controller) -> bool {
    system.has_system_events() || tracewell_kernel_linux::KernelSource::default().is_available()
}

#[cfg(not(target_os = "linux"))]
fn hears_kernel(_: &dyn Controller) -> bool {
    false
}

/// Adds the providers whose events come from the kernel of Linux: no program registers these.
fn add_of_kernel(all: &mut Vec<ProviderStatus>) {
    for guid in tracewell_kernel_linux::providers() {
        let name = match guid {
            tracewell_kernel_linux::PROVIDER => tracewell_kernel_linux::PROVIDER_NAME.to_owned(),
            _ => tracewell_schema::providers::name(&guid).unwrap_or_default().to_owned(),
        };
        match all.iter_mut().find(|known| known.guid == guid) {
            Some(known) if known.name.is_empty() => known.name = name,
            Some(_) => {}
            None => all.push(ProviderStatus { guid, name, ..ProviderStatus::default() }),
        }
    }
}

/// Reports a provider that no program has registered: its name may be misspelt, or its programs have not
/// started yet.
fn report_unheard(system: &dyn Controller, spec: &ProviderSpec, guid: Guid) {
    // On Windows, most providers are registered only on demand. If the list is not available, the
    // provider cannot be judged.
    let Ok(all) = system.providers() else { return };
    if cfg!(target_os = "linux") && !all.iter().any(|p| p.guid == guid && !p.processes.is_empty()) {
        say!("etw: no program has the provider {} now: one that starts will log to the session", spec.name());
    }
}

fn log(
    system: &dyn Controller,
    text: &str,
    spec: &ProviderSpec,
    level: Level,
    quiet: bool,
) -> Result<String, Error> {
    let provider = tracewell_session::Provider::leak(spec.name(), spec.guid(system)?);
    provider.register();
    let delivery = provider.write_string(level.number(), 0, text);
    if delivery.too_long {
        let detail =
            format!("the event is too large: its text has {} bytes", 2 * text.encode_utf16().count());
        return Err(Error::new(Code::MORE_DATA, detail));
    }
    if delivery.lost > 0 {
        let detail = "the session had no free buffer: the event is counted as lost";
        return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
    }
    if delivery.written == 0 && !quiet {
        let detail = format!("no session listens to {}: `etw enable SESSION {0}`", spec.name());
        return Err(Error::new(Code::WMI_INSTANCE_NOT_FOUND, detail));
    }
    Ok(String::new())
}
