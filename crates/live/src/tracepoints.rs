//! The tracepoints and system calls of the Linux kernel as probes: `linux:::sched_switch`, `syscall::read:entry`.

use tracewell_probes::events::Sightings;

/// The tracepoints that the program names.
#[cfg(target_os = "linux")]
pub fn survey(named: &[(String, String)]) -> Sightings {
    use tracewell_dlang::catalog::glob;
    use tracewell_etl::Record;
    use tracewell_kernel_linux::PROVIDER_NAME;
    use tracewell_probes::events::Lookout;

    let is_ours = |(provider, _): &&(String, String)| !provider.is_empty() && glob(provider, PROVIDER_NAME);
    let names: Vec<&str> = named.iter().filter(is_ours).map(|(_, name)| name.as_str()).collect();
    if names.is_empty() {
        return Sightings::default();
    }
    let is_named = |point: &str| {
        let point = point.to_ascii_lowercase();
        names.iter().any(|name| glob(name, &point))
    };
    // Without rights to read the descriptions there are none: the compiler reports the probe.
    let points = tracewell_kernel_linux::tracepoints(is_named).unwrap_or_default();
    let mut lookout = Lookout::default();
    for point in &points {
        if let Ok(record) = Record::parse(&point.example(), 0) {
            lookout.observe(&record);
        }
    }
    lookout.seen()
}

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
pub fn survey(_: &[(String, String)]) -> Sightings {
    Sightings::default()
}

/// Returns `true` if a provider has the tracepoints as its events, and this process may not read their descriptions.
#[cfg(target_os = "linux")]
pub fn are_unreadable(provider: &str) -> bool {
    provider == tracewell_kernel_linux::PROVIDER_NAME
        && tracewell_kernel_linux::tracepoints(|_| false)
            .is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
pub fn are_unreadable(_: &str) -> bool {
    false
}

/// The names of the system calls of this system.
#[cfg(target_os = "linux")]
pub fn call_names() -> Vec<String> {
    tracewell_kernel_linux::call_names().map(str::to_owned).collect()
}

/// Other systems do not name theirs.
#[cfg(not(target_os = "linux"))]
pub fn call_names() -> Vec<String> {
    Vec::new()
}
