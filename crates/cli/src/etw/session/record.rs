//! `etw record`: a session for as long as a command runs.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
#[cfg(unix)]
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use tracewell_session::{Code, Controller, Error, SessionStatus};

use super::options::SessionOptions;
use super::show;
use crate::out::say;
use crate::term::Style;
use tracewell::text::{counted, grouped};

/// The options of `etw record`.
#[derive(Debug, Args)]
pub(in crate::etw) struct Options {
    #[command(flatten)]
    session: SessionOptions,
    /// Name of the session [default: a unique name]
    #[arg(long)]
    name: Option<String>,
    /// Record for this number of seconds
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Print no summary at the end
    #[arg(short, long)]
    quiet: bool,
    /// The command to run, after `--`
    #[arg(last = true)]
    command: Vec<OsString>,
}

/// Records; the exit status is that of the command, or a failure if the file does not have what it should.
pub(super) fn run(system: &dyn Controller, options: &Options) -> Result<ExitCode, Error> {
    let name = options.name.clone().unwrap_or_else(|| format!("record-{}", std::process::id()));
    if options.session.providers.is_empty() && options.session.kernel_groups() == 0 {
        let detail =
            "which events? Give -p NAME (`etw providers` lists those that run), or --kernel or --profile";
        return Err(Error::new(Code::INVALID_PARAMETER, detail));
    }
    options.session.properties(&name)?;
    options.session.refuse_taken()?;
    if let Some((program, why)) = options.command.first().and_then(|it| Some((it, cannot_run(it)?))) {
        return Ok(report_unrunnable(program, why));
    }
    options.session.start(system, &name)?;
    let result = wait(options);
    let unheard = unheard(system, &options.session);
    let status = system.stop(&name)?;
    let code = result?;
    let events = show::events(system, &status);
    if events == Some(0) && !options.quiet {
        for provider in unheard {
            say!("etw: no program has the provider {provider} now: is it spelt so? (`etw providers`)");
        }
    }
    for warning in &status.warnings {
        say!("etw: {warning}");
    }
    if !options.quiet {
        say!("{}", summary(&status, events));
    }
    let is_whole = status.fault.is_empty() || code != ExitCode::SUCCESS;
    Ok(if is_whole { code } else { ExitCode::FAILURE })
}

/// The providers that no program has just now.
fn unheard<'o>(system: &dyn Controller, options: &'o SessionOptions) -> Vec<&'o str> {
    let all = system.providers().unwrap_or_default();
    // The system itself logs these.
    let is_heard = |guid| {
        tracewell_kernel_linux::providers().contains(&guid)
            || all.iter().any(|p| p.guid == guid && !p.processes.is_empty())
    };
    let unheard = options.providers.iter().filter(|spec| !spec.guid(system).is_ok_and(is_heard));
    unheard.map(super::provider::ProviderSpec::name).collect()
}

/// Why a program cannot be run, found as the system finds it: asked before a file is touched for its sake.
#[cfg(unix)]
fn cannot_run(program: &OsStr) -> Option<ErrorKind> {
    use std::os::unix::fs::PermissionsExt as _;
    let runs = |path: &Path| {
        let is_program = |meta: std::fs::Metadata| meta.is_file() && meta.permissions().mode() & 0o111 != 0;
        path.metadata().is_ok_and(is_program)
    };
    let path = Path::new(program);
    let found = if program.as_encoded_bytes().contains(&b'/') {
        runs(path)
    } else {
        let folders = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        std::env::split_paths(&folders).any(|folder| runs(&folder.join(program)))
    };
    match (found, path.exists()) {
        (true, _) => None,
        (false, true) => Some(ErrorKind::PermissionDenied),
        (false, false) => Some(ErrorKind::NotFound),
    }
}

/// On other systems, only running it shows.
#[cfg(not(unix))]
fn cannot_run(_: &OsStr) -> Option<ErrorKind> {
    None
}

/// Reports a command that cannot be run; returns the status that shells use.
fn report_unrunnable(program: &OsStr, why: ErrorKind) -> ExitCode {
    let (status, what) = match why {
        ErrorKind::NotFound => (127, "there is no such program".to_owned()),
        ErrorKind::PermissionDenied => (126, "it is no program that may be run".to_owned()),
        other => (126, other.to_string()),
    };
    say!("etw: cannot run {}: {what}", program.display());
    ExitCode::from(status)
}

fn wait(options: &Options) -> Result<ExitCode, Error> {
    let stopped = super::watch::stop_flag();
    let end = options.seconds.map(|s| Instant::now() + Duration::from_secs_f64(s.clamp(0.0, 1e9)));
    let is_over = || stopped.load(Ordering::SeqCst) || end.is_some_and(|end| Instant::now() >= end);
    let Some((program, arguments)) = options.command.split_first() else {
        while !is_over() {
            std::thread::sleep(Duration::from_millis(20));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let mut child = match std::process::Command::new(program).args(arguments).spawn() {
        Ok(child) => child,
        Err(error) => return Ok(report_unrunnable(program, error.kind())),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                return Ok(exit_code(status));
            }
            Ok(None) if end.is_some_and(|end| Instant::now() >= end) => {
                let _ = child.kill();
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(Error::io(&error, "cannot wait for the command")),
        }
    }
}

/// The exit status that passes on how a command ended. For a command that was ended by a signal it is the
/// status that shells use.
fn exit_code(status: std::process::ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let code =
        std::os::unix::process::ExitStatusExt::signal(&status).map_or(status.code(), |s| Some(128 + s));
    #[cfg(not(unix))]
    let code = status.code();
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn summary(status: &SessionStatus, events: Option<u64>) -> String {
    let style = Style::stderr();
    let file = &status.properties.log_file;
    let mut text = match events {
        Some(events) => format!("{} in {file}", counted(events, "event", "events")),
        None => format!("recorded {file}"),
    };
    if status.events_lost > 0 {
        text.push_str(&style.red(&format!(", {} lost: raise --buffers", grouped(status.events_lost))));
    }
    if !status.fault.is_empty() {
        text.push_str(&style.red(&format!("; {}", status.fault)));
    }
    text
}
