//! The D libraries that a program may use: those that are built in, and those of folders.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::PathBuf;

use tracewell_dlang::library::{self, Library, LibraryError as OrderError};
use tracewell_dlang::pragma::Dependency;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::libraries::LIBRARIES;

use crate::open::reason;

/// Library files in order of their dependencies.
#[derive(Debug, Default)]
pub struct Libraries {
    files: Vec<LibraryFile>,
}

/// A library file.
#[derive(Debug)]
pub struct LibraryFile {
    name: String,
    text: Cow<'static, [u8]>,
    described: Library,
    built_in: bool,
}

impl LibraryFile {
    fn new(name: String, text: Cow<'static, [u8]>) -> LibraryFile {
        let built_in = matches!(text, Cow::Borrowed(_));
        LibraryFile { described: Library::new(&name, &text), name, text, built_in }
    }

    /// Its name, with the path if it is in a folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Why libraries cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum LibraryError {
    /// A folder cannot be read.
    Folder(PathBuf, io::Error),
    /// A file cannot be read.
    File(PathBuf, io::Error),
    /// They depend on each other in a circle, or on a library that does not exist.
    Order(OrderError),
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LibraryError::Folder(path, error) => {
                write!(f, "cannot read library folder {}: {}", path.display(), reason(error))
            }
            LibraryError::File(path, error) => {
                write!(f, "cannot read library {}: {}", path.display(), reason(error))
            }
            LibraryError::Order(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LibraryError {}

impl Libraries {
    /// The libraries that are built in, then those of the folders. A library that depends on a provider that the catalog does
    /// not have is left out.
    ///
    /// # Errors
    /// A folder or a file cannot be read, or the libraries have no order.
    pub fn read(folders: &[PathBuf], catalog: &ProbeCatalog<'_>) -> Result<Libraries, LibraryError> {
        let built_in = |(name, text): &(&str, &'static str)| {
            LibraryFile::new((*name).to_owned(), Cow::Borrowed(text.as_bytes()))
        };
        let mut list: Vec<LibraryFile> = LIBRARIES.iter().map(built_in).collect();
        let mut taken = HashSet::new();
        for folder in folders {
            let entries =
                std::fs::read_dir(folder).map_err(|error| LibraryError::Folder(folder.clone(), error))?;
            let mut paths: Vec<PathBuf> = entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.extension().is_some_and(|extension| extension == "d"))
                .collect();
            paths.sort();
            for path in paths {
                // Of files with one name, that of the first folder counts.
                if !taken.insert(path.file_name().map(std::ffi::OsStr::to_owned)) {
                    continue;
                }
                let text = std::fs::read(&path).map_err(|error| LibraryError::File(path.clone(), error))?;
                list.push(LibraryFile::new(path.display().to_string(), Cow::Owned(text)));
            }
        }
        let described: Vec<Library> = list.iter().map(|file| file.described.clone()).collect();
        let order = library::order(&described, &mut |need| match need {
            Dependency::Provider(name) => catalog.iter().any(|(probe, _)| probe.provider == *name),
            // Modules are the traced kernel's; a library that needs one declares nothing for traces.
            Dependency::Module(_) => false,
            Dependency::Library(_) => true,
        })
        .map_err(LibraryError::Order)?;
        let mut list: Vec<Option<LibraryFile>> = list.into_iter().map(Some).collect();
        let files = order.compile.into_iter().filter_map(|index| list.get_mut(index)?.take()).collect();
        Ok(Libraries { files })
    }

    /// All files.
    #[must_use]
    pub fn all(&self) -> Vec<&LibraryFile> {
        self.files.iter().collect()
    }

    /// The files that texts use by name, and those that are not built in.
    #[must_use]
    pub fn named(&self, texts: &[&[u8]]) -> Vec<&LibraryFile> {
        let own = self.files.iter().filter(|file| !file.built_in).map(|file| &*file.text);
        let texts: Vec<&[u8]> = texts.iter().copied().chain(own).collect();
        let list: Vec<(&Library, &[u8])> =
            self.files.iter().map(|file| (&file.described, &*file.text)).collect();
        let named = library::named(&texts, &list);
        let used = self.files.iter().zip(named).filter(|(file, named)| *named || !file.built_in);
        used.map(|(file, _)| file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_libraries_come_from_folders_and_say_why_they_do_not() {
        let folder = tracewell_corpus::Scratch::new("libraries");
        folder.write("b.d", b"inline int b = 1;");
        folder.write("notes.txt", b"no library");
        let catalog = ProbeCatalog::new();
        let names = |folders: &[PathBuf]| -> Vec<String> {
            let read = Libraries::read(folders, &catalog).unwrap();
            read.all().iter().map(|file| file.name().to_owned()).collect()
        };
        let (built_in, with) = (names(&[]), names(&[folder.to_path_buf()]));
        assert_eq!(built_in.len() + 1, with.len());
        let more: Vec<&String> = with.iter().filter(|name| !built_in.contains(name)).collect();
        assert!(more[0].ends_with("b.d"), "{more:?}");
        let missing = folder.join("missing");
        let error = Libraries::read(std::slice::from_ref(&missing), &catalog).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot read library folder {}: ", missing.display())), "{error}");
        let error = LibraryError::File("x.d".into(), io::Error::from(io::ErrorKind::NotFound)).to_string();
        assert!(error.starts_with("cannot read library x.d: ") && error.len() > 26, "{error}");
    }
}
