//! Live sessions: `etw start`, `stop`, `query`, `list` and their kin.

mod autostart;
mod options;
mod provider;
mod record;
mod show;
mod watch;

use clap::Subcommand;
use std::path::PathBuf;
use std::process::ExitCode;

use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{Controller, Error, SessionStatus, Update};

use options::SessionOptions;
use provider::{Level, ProviderSpec};

/// The subcommands that control sessions.
#[derive(Debug, Subcommand)]
pub(in crate::etw) enum Command {
    /// Start a session, which runs until it is stopped
    Start {
        /// Name of the session
        name: String,
        #[command(flatten)]
        options: SessionOptions,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Stop sessions: their files are complete then
    Stop {
        /// Names of the sessions
        #[arg(required = true)]
        names: Vec<String>,
        /// One JSON object a session, one a line
        #[arg(long)]
        json: bool,
    },
    /// Show what a session is and has done
    Query {
        /// Name of the session
        name: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Change a running session
    Update {
        /// Name of the session
        name: String,
        /// Go on with this log file
        #[arg(short, long, value_name = "FILE")]
        output: Option<String>,
        /// Deliver buffers that are not full after so many milliseconds
        #[arg(long, value_name = "MS")]
        flush_timer: Option<u32>,
        /// Deliver events in real time, or no longer
        #[arg(long, value_name = "YES|NO", action = clap::ArgAction::Set)]
        live: Option<bool>,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Deliver what is in the buffers; a session that only buffers writes them to a file
    Flush {
        /// Name of the session
        name: String,
        /// The file, for a session that only buffers
        #[arg(short, long, value_name = "FILE")]
        output: Option<String>,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// List the sessions that run
    List {
        /// One JSON object a session, one a line
        #[arg(long)]
        json: bool,
    },
    /// Have providers log to a session
    Enable {
        /// Name of the session
        session: String,
        /// Providers, as NAME or GUID, with :LEVEL and :KEYWORDS if wanted
        #[arg(required = true)]
        providers: Vec<ProviderSpec>,
        /// Only these event ids
        #[arg(long, value_delimiter = ',', value_name = "IDS")]
        ids: Vec<u16>,
        /// Only these processes
        #[arg(long, value_delimiter = ',', value_name = "PIDS")]
        pids: Vec<u32>,
        /// Events carry the call stack they were logged from
        #[arg(long)]
        stacks: bool,
        /// Ask the providers to log their state
        #[arg(long)]
        capture_state: bool,
    },
    /// Have providers log to a session no longer
    Disable {
        /// Name of the session
        session: String,
        /// Providers, as NAME or GUID
        #[arg(required = true)]
        providers: Vec<ProviderSpec>,
    },
    /// List the providers that are registered or enabled
    Providers {
        /// One JSON object a provider, one a line
        #[arg(long)]
        json: bool,
    },
    /// Log a text as an event, for scripts
    Log {
        /// The text
        text: String,
        /// The provider to log as
        #[arg(short, long, default_value = "Tracewell-Log", value_name = "NAME|GUID")]
        provider: ProviderSpec,
        /// How grave it is
        #[arg(long, value_enum, default_value_t = Level::Information)]
        level: Level,
        /// Succeed although no session listens
        #[arg(short, long)]
        quiet: bool,
    },
    /// Show the events of a session as they come
    Watch(watch::Options),
    /// Record events to a file while a command runs, or until Ctrl-C
    Record(record::Options),
    /// The session daemon, which the first session starts by itself
    Daemon {
        #[command(subcommand)]
        action: DaemonAction,
    },
}

/// What can be done with the daemon.
#[derive(Debug, Subcommand)]
pub(in crate::etw) enum DaemonAction {
    /// Say whether it runs and what it serves
    Status {
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Run it here, until its last session ends
    Run {
        /// Where programs and daemon meet
        folder: Option<PathBuf>,
        /// Do not end when there is no session
        #[arg(long)]
        stay: bool,
    },
    /// Stop all sessions and end it
    Stop,
    /// Start the sessions that files NAME.session describe, by the options of `etw start`
    Autostart {
        /// Their folder; /etc/tracewell/sessions, or ~/.config/tracewell/sessions for a user
        folder: Option<PathBuf>,
    },
}

/// The sessions of this system.
fn engine() -> Engine {
    let place = RuntimeDir::of_caller();
    let program = std::env::current_exe().unwrap_or_else(|_| "etw".into());
    let daemon = vec![program.into(), "daemon".into(), "run".into(), place.path().into()];
    Engine::new(place, daemon)
}

/// Runs a subcommand. Exit status: 0 done, 1 refused, and that of the command for `record`.
pub(super) fn run(command: Command) -> ExitCode {
    let result = match command {
        Command::Record(options) => record::run(&engine(), &options),
        Command::Watch(options) => watch::run(&engine(), &options).map(|()| ExitCode::SUCCESS),
        command => control(&engine(), command).map(|text| {
            crate::write_stdout(&text);
            ExitCode::SUCCESS
        }),
    };
    result.unwrap_or_else(|error| {
        eprintln!("etw: {}", crate::input::without_numbers(&error.to_string()));
        ExitCode::FAILURE
    })
}

/// Runs a subcommand that ends at once; its output.
fn control(engine: &Engine, command: Command) -> Result<String, Error> {
    match command {
        Command::Start { name, options, json } => Ok(show::one(&start(engine, &name, &options)?, json)),
        Command::Stop { names, json } => {
            let mut text = String::new();
            for name in names {
                text.push_str(&show::one(&engine.stop(&name)?, json));
            }
            Ok(text)
        }
        Command::Query { name, json } => Ok(show::one(&engine.query(&name)?, json)),
        Command::Update { name, output, flush_timer, live, json } => {
            let update = Update { log_file: output, flush_timer, real_time: live, ..Update::default() };
            Ok(show::one(&engine.update(&name, &update)?, json))
        }
        Command::Flush { name, output, json } => {
            Ok(show::one(&engine.flush(&name, output.as_deref())?, json))
        }
        Command::List { json } => Ok(show::sessions(&engine.list()?, json)),
        Command::Enable { session, providers, ids, pids, stacks, capture_state } => {
            for spec in &providers {
                let enable = spec.enable(engine, &ids, &pids, stacks)?;
                engine.enable(&session, &enable)?;
                if capture_state {
                    engine.capture_state(&session, enable.provider)?;
                }
            }
            Ok(String::new())
        }
        Command::Disable { session, providers } => {
            for spec in &providers {
                engine.disable(&session, spec.guid(engine)?)?;
            }
            Ok(String::new())
        }
        Command::Providers { json } => Ok(show::providers(&engine.providers()?, json)),
        Command::Log { text, provider, level, quiet } => log(engine, &text, &provider, level, quiet),
        Command::Daemon { action: DaemonAction::Status { json } } => {
            Ok(show::daemon(engine.daemon_status()?, RuntimeDir::of_caller().path(), json))
        }
        Command::Daemon { action: DaemonAction::Run { folder, stay } } => {
            use tracewell_session::engine::{run_daemon, run_service};
            let place = folder.map_or_else(RuntimeDir::of_caller, RuntimeDir::new);
            if stay { run_service(&place) } else { run_daemon(&place) }.map(|()| String::new())
        }
        Command::Daemon { action: DaemonAction::Stop } => Ok(match engine.end_daemon()? {
            true => "stopped\n".to_owned(),
            false => "no daemon is running\n".to_owned(),
        }),
        Command::Daemon { action: DaemonAction::Autostart { folder } } => autostart::run(engine, folder),
        // These two are run by `run`.
        Command::Watch(_) | Command::Record(_) => Ok(String::new()),
    }
}

/// Starts a session with its providers.
fn start(engine: &Engine, name: &str, options: &SessionOptions) -> Result<SessionStatus, Error> {
    let status = engine.start(&options.properties(name)?)?;
    enable_all(engine, name, options)?;
    Ok(status)
}

fn enable_all(engine: &Engine, session: &str, options: &SessionOptions) -> Result<(), Error> {
    for spec in &options.providers {
        engine.enable(session, &spec.enable(engine, &[], &[], options.stacks)?)?;
    }
    Ok(())
}

fn log(engine: &Engine, text: &str, spec: &ProviderSpec, level: Level, quiet: bool) -> Result<String, Error> {
    let provider = tracewell_session::Provider::leak(spec.name(), spec.guid(engine)?);
    provider.register();
    let delivery = provider.write_string(level.number(), 0, text);
    if delivery.lost > 0 {
        let detail = "the session had no free buffer: the event is counted as lost";
        return Err(Error::new(tracewell_session::Code::NO_SYSTEM_RESOURCES, detail));
    }
    if delivery.written == 0 && !quiet {
        let detail = format!("no session listens to {}: `etw enable SESSION {0}`", spec.name());
        return Err(Error::new(tracewell_session::Code::WMI_INSTANCE_NOT_FOUND, detail));
    }
    Ok(String::new())
}
