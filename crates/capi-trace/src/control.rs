//! Sessions of this system.

use tracewell_session::provider::guid_of_name;
use tracewell_session::{Controller, Error};
use tracewell_types::Guid;

/// The controller of this system.
#[cfg(target_os = "linux")]
pub(crate) fn system() -> Result<Box<dyn Controller>, Error> {
    use tracewell_session::engine::{Engine, RuntimeDir};
    let place = RuntimeDir::of_caller();
    let daemon = vec!["etw".into(), "daemon".into(), "run".into(), place.path().into()];
    Ok(Box::new(Engine::new(place, daemon)))
}

/// The controller of this system.
#[cfg(windows)]
pub(crate) fn system() -> Result<Box<dyn Controller>, Error> {
    Ok(Box::new(tracewell_session::windows::WindowsEtw))
}

/// Other systems have no sessions.
#[cfg(not(any(target_os = "linux", windows)))]
pub(crate) fn system() -> Result<Box<dyn Controller>, Error> {
    Err(Error::new(tracewell_session::Code::CALL_NOT_IMPLEMENTED, "this system has no sessions"))
}

/// The GUID of a provider: what the text says, or that of a name.
pub(crate) fn provider(name: &str) -> Guid {
    if let Ok(guid) = name.parse() {
        return guid;
    }
    tracewell_schema::providers::resolve(name, [], guid_of_name).unwrap_or(Guid::ZERO)
}

/// Returns `true` if a name is that of a file rather than of a session.
pub(crate) fn is_file(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    name.contains(['/', '\\']) || [".etl", ".zip", ".gz", ".cab"].iter().any(|end| small.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_names_of_files_and_providers() {
        assert!(is_file("a.ETL") && is_file("x/y") && is_file("t.etl.zip") && is_file("C:\\t"));
        assert!(!is_file("shop") && !is_file("NT Kernel Logger"));
        let guid = provider("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
        assert_eq!(provider("Microsoft-Windows-DotNETRuntime"), guid);
        assert_eq!(provider("Contoso-Shop"), guid_of_name("Contoso-Shop"));
    }
}
