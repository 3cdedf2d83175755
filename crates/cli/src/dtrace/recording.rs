//! `-E` of a file that does not exist: the events that a script needs are recorded into it.

use std::io::ErrorKind;
use std::path::Path;

use tracewell::text::counted;
use tracewell_session::SessionStatus;

use super::fatal::Fatal;
use super::options::Invocation;
use crate::out::say;
use crate::term::Style;

/// The file to record into: the only trace of the command line, which does not exist. Its name ends with `.etl`, and this system
/// has sessions that can be recorded.
pub(super) fn new_file(inv: &Invocation) -> Option<&Path> {
    let [path] = inv.traces.as_slice() else { return None };
    let is_trace = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("etl"));
    let is_absent = path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let runs = !inv.named_traces
        && !inv.does.list
        && !inv.does.header
        && !inv.does.compile_only
        && !inv.programs.is_empty();
    (cfg!(target_os = "linux") && runs && is_trace && is_absent && folder.is_dir()).then_some(path)
}

/// Reports that a new file is recorded, so that a mistyped name is noticed.
pub(super) fn announce(path: &Path, answers: bool) {
    let rest = if answers { "" } else { "; read it with the same command afterwards" };
    say!("dtrace: {} does not exist: recording a new trace{rest}", path.display());
}

/// Reports what was recorded.
///
/// # Errors
/// The file does not have all of it, for another reason than lost events.
pub(super) fn report(path: &Path, status: &SessionStatus) -> Result<(), Fatal> {
    let style = Style::stderr();
    say!("dtrace: {} in {}", counted(status.events, "event", "events"), path.display());
    if status.events_lost > 0 {
        let lost = counted(status.events_lost, "event was", "events were");
        say!("{}", style.yellow(&format!("dtrace: {lost} lost: they came faster than they were written")));
    }
    if status.fault.is_empty() {
        return Ok(());
    }
    Err(Fatal(format!("dtrace: {}: {}", path.display(), status.fault)))
}
