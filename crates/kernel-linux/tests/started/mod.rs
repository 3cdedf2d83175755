//! Sessions of tests.

use tracewell_kernel_linux::{Error, Monotonic, Options, Session};

/// Starts a session that has all it was asked for. `None`, having said so, without the rights for it.
pub(crate) fn session(options: Options) -> Option<Session> {
    let session = match Session::start(options, Box::new(Monotonic)) {
        Ok(session) => session,
        Err(error @ Error::Rights { .. }) => {
            tracewell_corpus::skip("root", &error.to_string());
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    assert_eq!(session.missing(), []);
    Some(session)
}
