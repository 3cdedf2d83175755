//! Symbol search paths, in the form that Windows' debuggers read from `_NT_SYMBOL_PATH`.

use std::path::{Path, PathBuf};

/// An element of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathElement {
    /// A folder, with files in it as they are or as a symbol store.
    Folder(PathBuf),
    /// `srv*STORE*STORE*…*SERVER`: symbol stores, nearest first, and the server behind them. What the server
    /// sends is kept in the first store.
    Chain {
        /// Local stores.
        stores: Vec<PathBuf>,
        /// Address of the server.
        server: Option<String>,
    },
    /// `cache*STORE`: keeps what the elements after it get from servers.
    Cache(PathBuf),
}

/// A search path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolPath {
    elements: Vec<PathElement>,
    /// Folders beside traces, which are searched first.
    beside: Vec<PathBuf>,
    unknown: Vec<String>,
    default_store: Option<PathBuf>,
}

/// The extension of a folder with the symbols of the trace beside it.
const BESIDE: &str = "symbols";

impl SymbolPath {
    /// Reads a path: elements separated by `;`. `default_store` replaces empty store names (`srv**…`,
    /// `cache*`), and stores the files from servers for which the path names no store (`srv*https://…`).
    #[must_use]
    pub fn parse(text: &str, default_store: Option<&str>) -> SymbolPath {
        let mut path =
            SymbolPath { default_store: default_store.map(PathBuf::from), ..SymbolPath::default() };
        for element in text.split(';').map(str::trim).filter(|e| !e.is_empty()) {
            path.read(element, default_store);
        }
        path
    }

    fn read(&mut self, element: &str, default_store: Option<&str>) {
        let store = |part: &str| {
            let part = if part.is_empty() { default_store? } else { part };
            Some(PathBuf::from(part))
        };
        if is_server(element) {
            let server = Some(element.trim_end_matches('/').to_owned());
            self.elements.push(PathElement::Chain { stores: Vec::new(), server });
            return;
        }
        let Some((kind, rest)) = element.split_once('*') else {
            self.elements.push(PathElement::Folder(PathBuf::from(element)));
            return;
        };
        let rest = match kind.to_ascii_lowercase().as_str() {
            "cache" => {
                match store(rest.trim_end_matches('*')) {
                    Some(store) => self.elements.push(PathElement::Cache(store)),
                    None => self.unknown.push(element.to_owned()),
                }
                return;
            }
            "srv" => rest,
            // The library's name is of no use here.
            "symsrv" => rest.split_once('*').map_or("", |(_, rest)| rest),
            _ => {
                self.unknown.push(element.to_owned());
                return;
            }
        };
        let mut stores = Vec::new();
        let mut server = None;
        for part in rest.split('*').map(str::trim) {
            if is_server(part) {
                server = Some(part.trim_end_matches('/').to_owned());
                break;
            }
            stores.extend(store(part));
        }
        self.elements.push(PathElement::Chain { stores, server });
    }

    /// Adds a path behind this one.
    pub fn append(&mut self, other: SymbolPath) {
        self.elements.extend(other.elements);
        self.beside.extend(other.beside);
        self.unknown.extend(other.unknown);
        self.default_store = self.default_store.take().or(other.default_store);
    }

    /// Adds an element behind the others.
    pub fn push(&mut self, element: PathElement) {
        self.elements.push(element);
    }

    /// Searches the folder that comes with a trace, if there is one: `trace.symbols` beside `trace.etl`. It is
    /// searched before the elements. Such a folder may come from a stranger, so no file in it leads out of it.
    pub fn add_beside(&mut self, trace: &Path) {
        let folder = trace.with_extension(BESIDE);
        if folder != trace && folder.is_dir() && !self.beside.contains(&folder) {
            self.beside.push(folder);
        }
    }

    /// The folders beside traces, in the order they are searched.
    #[must_use]
    pub fn beside(&self) -> &[PathBuf] {
        &self.beside
    }

    /// The store nearest to the user: where new files are best kept.
    #[must_use]
    pub fn first_store(&self) -> Option<&Path> {
        let named = self.elements.iter().find_map(|element| match element {
            PathElement::Cache(store) => Some(store.as_path()),
            PathElement::Chain { stores, .. } => stores.first().map(PathBuf::as_path),
            PathElement::Folder(_) => None,
        });
        named.or(self.default_store())
    }

    /// The elements in the order they are searched.
    #[must_use]
    pub fn elements(&self) -> &[PathElement] {
        &self.elements
    }

    /// Elements that were not understood.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Returns `true` if nothing is searched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty() && self.beside.is_empty()
    }

    /// The store for files of servers for which the path names no store.
    #[must_use]
    pub fn default_store(&self) -> Option<&Path> {
        self.default_store.as_deref()
    }

    /// The servers that the path names.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().filter_map(|element| match element {
            PathElement::Chain { server, .. } => server.as_deref(),
            _ => None,
        })
    }
}

fn is_server(text: &str) -> bool {
    let begins = |with: &str| text.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    begins("http://") || begins("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(path: &SymbolPath) -> Vec<String> {
        path.elements()
            .iter()
            .map(|element| match element {
                PathElement::Folder(p) => format!("folder {}", p.display()),
                PathElement::Cache(p) => format!("cache {}", p.display()),
                PathElement::Chain { stores, server } => {
                    let stores: Vec<_> = stores.iter().map(|s| s.display().to_string()).collect();
                    format!("chain {} < {}", stores.join(" "), server.as_deref().unwrap_or("-"))
                }
            })
            .collect()
    }

    #[test]
    fn paths_are_read_as_debuggers_read_them() {
        for (text, want) in [
            ("", &[][..]),
            (";; ", &[]),
            ("/a/b; C:\\sym ", &["folder /a/b", "folder C:\\sym"]),
            ("srv*/c*https://s.example/x/", &["chain /c < https://s.example/x"]),
            ("SRV*/c*\\\\share\\sym*HTTP://s", &["chain /c \\\\share\\sym < HTTP://s"]),
            ("srv*http://s", &["chain  < http://s"]),
            ("srv**http://s", &["chain /default < http://s"]),
            ("srv*/c", &["chain /c < -"]),
            ("cache*/c;https://s", &["cache /c", "chain  < https://s"]),
            ("cache*", &["cache /default"]),
            ("symsrv*symsrv.dll*/c*http://s", &["chain /c < http://s"]),
        ] {
            let path = SymbolPath::parse(text, Some("/default"));
            assert_eq!(show(&path), want, "{text}");
            assert!(path.unknown().is_empty());
        }
    }

    #[test]
    fn what_is_not_understood_is_kept() {
        let path = SymbolPath::parse("/a;foo*bar;cache*", None);
        assert_eq!(show(&path), ["folder /a"]);
        assert_eq!(path.unknown(), ["foo*bar", "cache*"]);
        let mut both = SymbolPath::parse("srv*/c*http://one", None);
        both.append(SymbolPath::parse("http://two", None));
        assert_eq!(both.servers().collect::<Vec<_>>(), ["http://one", "http://two"]);
    }

    #[test]
    fn new_files_have_a_place() {
        for (text, default, want) in [
            ("/a;srv*/c*/d*http://s", Some("/default"), Some("/c")),
            ("/a;cache*/b;srv*/c", None, Some("/b")),
            ("/a;srv*http://s", Some("/default"), Some("/default")),
            ("/a;http://s", None, None),
        ] {
            assert_eq!(SymbolPath::parse(text, default).first_store(), want.map(Path::new), "{text}");
        }
    }
}
