//! A client for symbol servers: files of a symbol store over HTTP, and over HTTPS with the feature `tls`.
//!
//! A server answers `GET SERVER/NAME/KEY/NAME` with the file or with 404; Microsoft's public server redirects to the
//! location of the file. The request contains only this path. The names that [`tracewell_symbols`] requests are those of
//! images and databases in a trace.
#![forbid(unsafe_code)]

use std::fmt;
use std::io::{Read, Write};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tracewell_symbols::SymbolServer;
use ureq::http::Response;
use ureq::{Agent, Body};

/// Maximum size of all files of a run by default: the largest databases known have 4 GB.
const BYTES: u64 = 16 << 30;
/// How long a server may take to accept a connection, and to begin its answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long all files of a run may take by default.
const TIME: Duration = Duration::from_secs(15 * 60);

/// How often a server may send its client elsewhere.
const REDIRECTIONS: u32 = 5;

/// Requests files from servers over HTTP. The HTTP client is created with the first request: it reads every certificate that
/// the system trusts, and runs without requests should not wait for that.
pub struct HttpServer {
    agent: OnceLock<Agent>,
    /// Asks servers of this machine, to which no proxy leads.
    near: OnceLock<Agent>,
    /// Maximum size of all files together, expanded.
    bytes: u64,
    /// Maximum time for all files together.
    time: Duration,
    /// What files have taken of both.
    spent: Mutex<(u64, Duration)>,
}

impl Default for HttpServer {
    fn default() -> HttpServer {
        HttpServer::within(BYTES, TIME)
    }
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer").finish_non_exhaustive()
    }
}

impl HttpServer {
    /// A client that trusts the certificates of the system. It reads nothing and connects to no server before
    /// the first request. It then uses the proxy from the environment, except for servers on this machine.
    ///
    /// Without the feature `tls` it refuses servers whose addresses begin with `https:`.
    #[must_use]
    pub fn new() -> HttpServer {
        HttpServer::default()
    }

    /// The same with limits for all files together: their size after they are expanded, and the time that servers take.
    #[must_use]
    pub fn within(bytes: u64, time: Duration) -> HttpServer {
        let (agent, near) = (OnceLock::new(), OnceLock::new());
        HttpServer { agent, near, bytes, time, spent: Mutex::new((0, Duration::ZERO)) }
    }
}

/// What asks; by way of the proxy that the environment names, if `proxy`.
fn agent(proxy: bool) -> Agent {
    let config = Agent::config_builder();
    #[cfg(feature = "tls")]
    let config = config.tls_config(tls());
    let config = if proxy { config } else { config.proxy(None) };
    config
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        // See `answer_of`.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .user_agent(concat!("tracewell/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent()
}

/// The address that the answer to a request for another address names.
///
/// A server may send its clients elsewhere, as Microsoft's does. But it may not have them ask what only they can reach:
/// programs on this machine, or in the clear what was asked under HTTPS.
fn redirected(from: &str, to: &str) -> Result<String, String> {
    let is_scheme = |text: &str, scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let (scheme, rest) = from.split_once("://").unwrap_or(("http", from));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let address = if to.contains("://") {
        to.to_owned()
    } else if let Some(to) = to.strip_prefix("//") {
        format!("{scheme}://{to}")
    } else if to.starts_with('/') {
        format!("{scheme}://{host}{to}")
    } else {
        let folder = from.rsplit_once('/').map_or(from, |(folder, _)| folder);
        format!("{folder}/{to}")
    };
    let shown: String = address.chars().take(200).collect();
    if !is_scheme(&address, "http://") && !is_scheme(&address, "https://") {
        return Err(format!("redirects to {shown:?}, which is not an address of HTTP"));
    }
    if is_scheme(from, "https://") && !is_scheme(&address, "https://") {
        return Err(format!("redirects to {shown:?}, which is not encrypted"));
    }
    if is_near(&address) && !is_near(from) {
        return Err(format!("redirects to {shown:?}, which is an address of this machine"));
    }
    Ok(address)
}

/// Returns `true` if the address of a server is one of this machine.
fn is_near(server: &str) -> bool {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(host) => host.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Trusts what the system trusts.
#[cfg(feature = "tls")]
fn tls() -> ureq::tls::TlsConfig {
    use ureq::tls::{Certificate, RootCerts, TlsConfig};
    let found = rustls_native_certs::load_native_certs();
    let certificates: Vec<Certificate<'static>> =
        found.certs.iter().map(|der| Certificate::from_der(der).to_owned()).collect();
    TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&certificates))
        .unversioned_rustls_crypto_provider(std::sync::Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

impl HttpServer {
    /// The answer to a request, after a few redirections at most.
    fn ask(&self, mut address: String, end: Instant) -> Result<Response<Body>, String> {
        for _ in 0..=REDIRECTIONS {
            let agent = if is_near(&address) {
                self.near.get_or_init(|| agent(false))
            } else {
                self.agent.get_or_init(|| agent(true))
            };
            let left = end.saturating_duration_since(Instant::now());
            let request = agent.get(&address).config().timeout_global(Some(left)).build();
            let response = request.call().map_err(|error| format!("cannot be asked: {error}"))?;
            if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(response);
            }
            let to = response.headers().get("location").and_then(|to| to.to_str().ok());
            let to = to.filter(|to| !to.is_empty()).ok_or("redirects without an address")?;
            address = redirected(&address, to)?;
        }
        Err(format!("redirects more than {REDIRECTIONS} times"))
    }
}

impl SymbolServer for HttpServer {
    fn fetch(&self, server: &str, path: &str, into: &mut dyn Write) -> Result<bool, String> {
        if cfg!(not(feature = "tls")) && server.get(..6).is_some_and(|s| s.eq_ignore_ascii_case("https:")) {
            return Err("cannot be asked: this client was built without HTTPS".to_owned());
        }
        let address = format!("{}/{}", server.trim_end_matches('/'), escaped(path));
        let began = Instant::now();
        let spent = || self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, took) = *spent();
        let count = |got: u64| *spent() = (before.saturating_add(got), took + began.elapsed());
        let left = self.time.saturating_sub(took);
        let too_long = || format!("took {path} beyond the limit of {} s in all", self.time.as_secs_f64());
        if left.is_zero() {
            return Err(too_long());
        }
        let answered = self.ask(address, began + left);
        count(0);
        let late = |error: &dyn fmt::Display, what: &str| match began.elapsed() >= left {
            true => too_long(),
            false => format!("{what}{error}"),
        };
        let mut response = answered.map_err(|error| late(&error, ""))?;
        match response.status().as_u16() {
            200 => {}
            404 | 410 => return Ok(false),
            status => return Err(format!("answered {path} with status {status}")),
        }
        let body = response.body_mut();
        let promised = body.content_length();
        // The limit of the client counts bytes before they are expanded.
        let mut reader = body.with_config().limit(self.bytes).reader();
        let mut buffer = vec![0; 64 << 10];
        let mut got = 0u64;
        loop {
            let read = reader.read(&mut buffer);
            count(got);
            let size = read.map_err(|error| late(&error, &format!("broke off {path}: ")))?;
            let Some(part) = buffer.get(..size).filter(|part| !part.is_empty()) else { break };
            got += part.len() as u64;
            count(got);
            if before.saturating_add(got) > self.bytes {
                return Err(format!("sent {path} beyond the limit of {} bytes in all", self.bytes));
            }
            if began.elapsed() >= left {
                return Err(too_long());
            }
            into.write_all(part).map_err(|error| format!("sent {path}, which cannot be kept: {error}"))?;
        }
        match promised {
            Some(promised) if got < promised => {
                Err(format!("broke off {path} after {got} of {promised} bytes"))
            }
            _ => Ok(true),
        }
    }
}

/// A path with what has a meaning in addresses written as `%XX`.
fn escaped(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                text.push(byte.into())
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 3: certificates of the system were read at every start of every command.
    #[test]
    fn nothing_is_read_before_a_server_is_asked() {
        let client = HttpServer::new();
        assert!(client.agent.get().is_none() && client.near.get().is_none());
        // No server listens at port 1. The request still creates the HTTP client.
        assert!(client.fetch("http://127.0.0.1:1", "a/b/a", &mut Vec::new()).is_err());
        assert!(client.near.get().is_some() && client.agent.get().is_none());
    }

    #[test]
    fn servers_of_this_machine_are_known() {
        for near in [
            "http://localhost/x",
            "http://127.0.0.1:8080/symbols",
            "HTTPS://[::1]:1",
            "http://me@LOCALHOST:1/",
        ] {
            assert!(is_near(near), "{near}");
        }
        for far in
            ["https://msdl.example/download", "http://localhost.example/", "http://10.0.0.1/127.0.0.1", ""]
        {
            assert!(!is_near(far), "{far}");
        }
    }

    #[test]
    fn issue_14_servers_redirect_to_what_they_could_reach_themselves() {
        let from = "https://far.example/symbols/a.pdb";
        for (from, to, want) in [
            (from, "https://other.example/x", "https://other.example/x"),
            (from, "//other.example/x", "https://other.example/x"),
            (from, "/y/x", "https://far.example/y/x"),
            (from, "x?y", "https://far.example/symbols/x?y"),
            ("http://far.example/a", "HTTPS://far.example/a", "HTTPS://far.example/a"),
            ("http://127.0.0.1:1/a", "http://[::1]:2/b", "http://[::1]:2/b"),
        ] {
            assert_eq!(redirected(from, to).as_deref(), Ok(want));
        }
        for (from, to, want) in [
            (from, "http://other.example/x", "not encrypted"),
            (from, "https://localhost/x", "of this machine"),
            ("http://far.example/a", "http://127.0.0.1:631/jobs", "of this machine"),
            ("http://far.example/a", "//me@[::1]/", "of this machine"),
            (from, "file:///etc/shadow", "not an address of HTTP"),
            ("http://far.example/a", "gopher://far.example/\u{9b}31m", r"\u{9b}31m"),
        ] {
            let error = redirected(from, to).unwrap_err();
            assert!(error.contains(want), "{to}: {error}");
        }
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a b+c.pdb/0A1/ü#?.pdb"), "a%20b%2Bc.pdb/0A1/%C3%BC%23%3F.pdb");
    }
}
