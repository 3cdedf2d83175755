//! Sessions and providers as text and as JSON.

use serde_json::{Value, json};
use tracewell_session::{Controller, LogFileMode, ProviderStatus, SessionStatus, WriterStatus};

use crate::etw::info;
use crate::term::{Style, Table, printable};
use tracewell::text::{counted, grouped, size};

/// Number of a session's events; `None` if its system does not count them.
pub(super) fn events(system: &dyn Controller, status: &SessionStatus) -> Option<u64> {
    system.counts_events().then_some(status.events)
}

/// One session in full.
pub(super) fn one(system: &dyn Controller, status: &SessionStatus, as_json: bool) -> String {
    let events = events(system, status);
    if as_json {
        return format!("{}\n", session_json(status, events));
    }
    let style = Style::stdout();
    let mut out = String::new();
    let mut line = |label: &str, value: String| {
        out.push_str(&format!("{} {}\n", style.dim(&format!("{label:<10}")), printable(&value)));
    };
    let p = &status.properties;
    line("session", format!("{} ({})", p.name, status.id));
    if !p.log_file.is_empty() {
        line("file", p.log_file.clone());
    }
    line("mode", info::mode(p.mode));
    line("clock", info::clock_name(p.clock).to_owned());
    line(
        "buffers",
        format!(
            "{} of {}, {} free; at most {}",
            status.buffers,
            size(u64::from(p.buffer_size) << 10),
            status.free_buffers,
            p.maximum_buffers
        ),
    );
    if p.maximum_file_size > 0 {
        let unit = if p.mode.has(LogFileMode::SIZE_IN_KIBIBYTES) { "KiB" } else { "MiB" };
        line("file size", format!("at most {} {unit}", p.maximum_file_size));
    }
    if p.flush_timer > 0 {
        line("flush", format!("after {} ms", p.flush_timer));
    }
    let buffers = grouped(status.buffers_written);
    match events {
        Some(events) => line("events", format!("{} in {buffers} buffers", grouped(events))),
        None => line("written", format!("{buffers} buffers")),
    }
    if status.consumers > 0 {
        line("consumers", status.consumers.to_string());
    }
    let lost = losses(status);
    out.push_str(&format!(
        "{} {}\n",
        style.dim("lost      "),
        if lost == "nothing" { lost } else { style.red(&lost) }
    ));
    if status.refused > 0 {
        let programs = counted(status.refused, "time a program was", "times programs were");
        let text = format!("{programs} turned away: see `etw daemon status`");
        out.push_str(&format!("{} {}\n", style.dim("refused   "), style.red(&text)));
    }
    // A single writer has all the events; it is named only if it is in a container.
    if status.writers.len() > 1 || status.writers.iter().any(|writer| writer.namespace != 0) {
        let of: Vec<String> = status.writers.iter().map(writer).collect();
        out.push_str(&format!("{} {}\n", style.dim("writers   "), of.join("; ")));
    }
    if status.forged > 0 {
        let users = status.writers.iter().filter(|writer| writer.forged > 0);
        let users: Vec<String> = users.map(|writer| writer.user.to_string()).collect();
        let records = counted(status.forged, "record", "records");
        let text = format!(
            "{records} refused: they name foreign processes or impossible times (users: {})",
            users.join(", ")
        );
        out.push_str(&format!("{} {}\n", style.dim("forged    "), style.red(&text)));
    }
    if !status.fault.is_empty() {
        out.push_str(&format!("{} {}\n", style.dim("fault     "), style.red(&printable(&status.fault))));
    }
    for warning in &status.warnings {
        out.push_str(&format!("{} {}\n", style.dim("warning   "), style.red(&printable(warning))));
    }
    out
}

/// What a user has done in a session.
fn writer(writer: &WriterStatus) -> String {
    let container = match writer.namespace {
        0 => String::new(),
        namespace => format!(" in pid:[{namespace}]"),
    };
    let lost = if writer.lost > 0 { format!(", {} lost", grouped(writer.lost)) } else { String::new() };
    format!("user {}{container}: {}{lost}", writer.user, counted(writer.events, "event", "events"))
}

fn losses(status: &SessionStatus) -> String {
    let counts = [
        (status.events_lost, "events"),
        (status.log_buffers_lost, "buffers for the file"),
        (status.realtime_buffers_lost, "buffers for consumers"),
        (status.rings_closed.into(), "rings closed for nonsense in them"),
    ];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// All sessions.
pub(super) fn sessions(system: &dyn Controller, all: &[SessionStatus], as_json: bool) -> String {
    if as_json {
        let json = |status| format!("{}\n", session_json(status, events(system, status)));
        return all.iter().map(json).collect();
    }
    if all.is_empty() {
        return "no session is running\n".to_owned();
    }
    let mut table = Table::new(&[">id", "session", "mode", ">events", ">lost", ">buffers", "file"]);
    for status in all {
        table.row([
            status.id.to_string(),
            status.properties.name.clone(),
            status.properties.mode.to_string(),
            events(system, status).map_or_else(|| "-".to_owned(), grouped),
            grouped(status.events_lost),
            format!("{}/{}", status.buffers - status.free_buffers.min(status.buffers), status.buffers),
            status.properties.log_file.clone(),
        ]);
    }
    table.render(Style::stdout())
}

fn session_json(status: &SessionStatus, events: Option<u64>) -> Value {
    let p = &status.properties;
    json!({
        "name": p.name,
        "id": status.id,
        "guid": p.guid.to_string(),
        "log_file": p.log_file,
        "mode": p.mode.0,
        "mode_names": p.mode.to_string().split(' ').collect::<Vec<_>>(),
        "clock": p.clock.to_string(),
        "buffer_size_kib": p.buffer_size,
        "minimum_buffers": p.minimum_buffers,
        "maximum_buffers": p.maximum_buffers,
        "maximum_file_size": p.maximum_file_size,
        "flush_timer_ms": p.flush_timer,
        "enable_flags": p.enable_flags,
        "buffers": status.buffers,
        "free_buffers": status.free_buffers,
        "events": events,
        "events_lost": status.events_lost,
        "buffers_written": status.buffers_written,
        "log_buffers_lost": status.log_buffers_lost,
        "realtime_buffers_lost": status.realtime_buffers_lost,
        "logger_thread": status.logger_thread,
        "rings_closed": status.rings_closed,
        "consumers": status.consumers,
        "refused": status.refused,
        "forged": status.forged,
        "writers": status.writers.iter().map(|writer| json!({
            "user": writer.user,
            "pid_namespace": writer.namespace,
            "events": writer.events,
            "lost": writer.lost,
            "forged": writer.forged,
            "closed": writer.closed,
        })).collect::<Vec<_>>(),
        "warnings": status.warnings,
        "fault": (!status.fault.is_empty()).then_some(&status.fault),
    })
}

/// All providers.
pub(super) fn providers(all: &[ProviderStatus], as_json: bool) -> String {
    if as_json {
        return all.iter().map(|provider| format!("{}\n", provider_json(provider))).collect();
    }
    if all.is_empty() {
        return "no provider is registered\n".to_owned();
    }
    let mut table = Table::new(&["provider", "guid", ">processes", "enabled for"]);
    for provider in all {
        let enabled: Vec<String> = provider
            .enabled
            .iter()
            .map(|e| format!("session {} (level {}, keywords {:#x})", e.session, e.level, e.any))
            .collect();
        let name = if provider.name.is_empty() {
            tracewell_schema::providers::name(&provider.guid).unwrap_or("-").to_owned()
        } else {
            provider.name.clone()
        };
        table.row([
            name,
            provider.guid.to_string(),
            provider.processes.len().to_string(),
            enabled.join(", "),
        ]);
    }
    table.render(Style::stdout())
}

fn provider_json(provider: &ProviderStatus) -> Value {
    json!({
        "name": (!provider.name.is_empty()).then_some(&provider.name),
        "guid": provider.guid.to_string(),
        "processes": provider.processes,
        "enabled": provider.enabled.iter().map(|e| json!({
            "session": e.session, "level": e.level, "any": e.any, "all": e.all,
        })).collect::<Vec<_>>(),
    })
}
