//! Symbol files for both commands: where to search for them, and what to report about them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tracewell_symbols::{FileStore, Origin, SymbolPath, SymbolServer};

use crate::term::{Style, printable};
use tracewell::text::{counted, grouped};

/// The environment variable that Windows' debuggers read their search path from.
pub const PATH_VARIABLE: &str = "_NT_SYMBOL_PATH";

/// The option of the commands that show names of functions.
#[derive(Debug, Default, clap::Args)]
pub struct SymbolOption {
    /// Search path for symbols, instead of _NT_SYMBOL_PATH: folders, stores and servers, separated by semicolons
    #[arg(short = 'y', long = "symbols", alias = "path", value_name = "PATH")]
    symbols: Option<String>,
}

impl SymbolOption {
    /// The path that was given.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.symbols.as_deref()
    }

    /// The option for the program that reads tables: the path given, else that of the environment.
    #[must_use]
    pub fn words(&self) -> Vec<OsString> {
        let Some(text) = given_or_set(self.path()) else { return Vec::new() };
        let mut words: Vec<OsString> = vec!["--symbols".into(), text.into()];
        words.extend(default_store().into_iter().flat_map(|store| ["--symbol-store".into(), store.into()]));
        words
    }
}

/// The path given, else that of the environment.
fn given_or_set(given: Option<&str>) -> Option<String> {
    let environment = || std::env::var_os(PATH_VARIABLE).map(|path| path.to_string_lossy().into_owned());
    given.map(str::to_owned).or_else(environment)
}

/// No folders beside traces are searched.
pub const NO_TRACES: [&Path; 0] = [];

/// The search path for traces: the folders beside them, and the path given, else that of the environment.
#[must_use]
pub fn search_path<P: AsRef<Path>>(given: Option<&str>, traces: impl IntoIterator<Item = P>) -> SymbolPath {
    let text = given_or_set(given).unwrap_or_default();
    let default_store = default_store();
    let mut path = SymbolPath::parse(&text, default_store.as_deref().and_then(|store| store.to_str()));
    for trace in traces {
        path.add_beside(trace.as_ref());
    }
    path
}

/// Where an element of the path that names no store (`srv**…`, `cache*`) keeps its files: the user's cache.
fn default_store() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| if cfg!(windows) { folder("LOCALAPPDATA") } else { None })
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("tracewell").join("symbols"))
}

/// What asks symbol servers; [`None`] when the program was built without the network.
#[must_use]
pub fn server() -> Option<Box<dyn SymbolServer>> {
    #[cfg(feature = "symbol-server")]
    return Some(Box::new(client()));
    #[cfg(not(feature = "symbol-server"))]
    None
}

/// The same for a run that is asked to end: then no server is waited for any more.
#[must_use]
pub fn server_until(over: impl Fn() -> bool + 'static) -> Option<Box<dyn SymbolServer>> {
    #[cfg(feature = "symbol-server")]
    return Some(Box::new(until::Until { client: std::sync::Arc::new(client()), over: Box::new(over) }));
    #[cfg(not(feature = "symbol-server"))]
    {
        drop(over);
        None
    }
}

#[cfg(feature = "symbol-server")]
fn client() -> tracewell_symbols_server::HttpServer {
    let crate::expansion::Limits { bytes, time } = crate::expansion::limits();
    tracewell_symbols_server::HttpServer::within(bytes, time)
}

/// A client whose answers are waited for until the run is asked to end.
#[cfg(feature = "symbol-server")]
mod until {
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
    use std::time::Duration;

    use tracewell_symbols::SymbolServer;
    use tracewell_symbols_server::HttpServer;

    pub(super) struct Until {
        pub(super) client: Arc<HttpServer>,
        pub(super) over: Box<dyn Fn() -> bool>,
    }

    /// What the thread that asks sends.
    enum Part {
        Bytes(Vec<u8>),
        End(Result<bool, String>),
    }

    struct Sender(SyncSender<Part>);

    impl Write for Sender {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(Part::Bytes(bytes.to_vec())).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl SymbolServer for Until {
        fn fetch(&self, server: &str, path: &str, into: &mut dyn Write) -> Result<bool, String> {
            let interrupted = || Err("is not waited for: the run was interrupted".to_owned());
            if (self.over)() {
                return interrupted();
            }
            let (sender, parts) = sync_channel(16);
            let (client, address, name) = (Arc::clone(&self.client), server.to_owned(), path.to_owned());
            // It ends when it finds no receiver, or with the process.
            std::thread::spawn(move || {
                let mut into = Sender(sender);
                let answer = client.fetch(&address, &name, &mut into);
                let _ = into.0.send(Part::End(answer));
            });
            loop {
                match parts.recv_timeout(Duration::from_millis(50)) {
                    Ok(Part::Bytes(bytes)) => into
                        .write_all(&bytes)
                        .map_err(|error| format!("sent {path}, which cannot be kept: {error}"))?,
                    Ok(Part::End(answer)) => return answer,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Err(format!("broke off {path}")),
                }
                if (self.over)() {
                    return interrupted();
                }
            }
        }
    }
}

/// Keeps the panics that damaged symbol files cause in their readers from being reported: they are caught, and
/// the file is reported as damaged.
pub fn hush_symbol_readers() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !tracewell_symbols::is_reading_symbols() {
            report(panic);
        }
    }));
}

/// Messages about the symbols of a run, one line each: damaged or unsupported files, servers that were not
/// contacted, and the number of images without names.
#[must_use]
pub fn remarks(store: &FileStore<'_>, style: Style) -> Vec<String> {
    let mut lines: Vec<String> = store
        .problems()
        .iter()
        .filter(|problem| !problem.other_build)
        .map(|problem| style.yellow(&format!("symbols: {} {}", printable(&problem.place), problem.what)))
        .collect();
    lines.extend(unasked(store).map(|line| style.yellow(&format!("symbols: {line}"))));
    let resolutions = store.resolutions();
    let nameless = || resolutions.iter().filter(|r| r.origin == Origin::None);
    if store.path().is_empty() {
        // Images that no symbol file could describe are not counted as missing.
        let without = nameless().filter(|r| r.request.database.is_some()).count() as u64;
        if without > 0 {
            let images = counted(without, "image has", "images have");
            let line = format!(
                "symbols: {images} no names of functions: no symbol path is set (-y or {PATH_VARIABLE}; etw symbols FILE \
                 says what is missing)"
            );
            lines.push(style.dim(&line));
        }
        return lines;
    }
    let without = nameless().count() as u64;
    if without > 0 {
        let images = counted(without, "image has", "images have");
        let others = nameless().filter(|r| r.other_build.is_some()).count() as u64;
        let others = match others {
            0 => String::new(),
            1 => ", of which 1 has a database of another build in the path".to_owned(),
            many => format!(", of which {} have databases of other builds in the path", grouped(many)),
        };
        let line = format!("symbols: {images} no names of functions{others} (etw symbols FILE says which)");
        lines.push(style.dim(&line));
    }
    lines
}

/// Servers of the path that cannot be asked by this program.
pub fn unasked(store: &FileStore<'_>) -> impl Iterator<Item = String> {
    let silent = if server().is_none() { store.silent_servers() } else { Vec::new() };
    silent.into_iter().map(|server| {
        format!("{server} is not asked: this program was built without the feature symbol-server")
    })
}
