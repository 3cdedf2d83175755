//! Descriptions of events in files and folders, a folder that keeps them, and those that are built in.
//!
//! A stored description is the imported file itself, so that a later version reads more of it. What a file
//! describes is read anew each time.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tracewell_decode::{Description, DescriptionError, Schemas};
use tracewell_etl::{Identity, Record, Trace};
use tracewell_schema::text::{Described, Kind};
use tracewell_schema::{EventClass, Provider, bundled, kernel};
use tracewell_symbols::FileStore;
use tracewell_types::Guid;

use crate::filter::names::{self, Wish};

/// A folder of descriptions.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A file in the store with what it describes, or why it does not.
#[derive(Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name of the file.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// What it describes.
    pub content: Result<Description, String>,
}

/// Maximum size of a description file.
const MAX_SIZE: u64 = 1 << 30;

/// Reads a description from a file.
///
/// # Errors
/// The file cannot be read, or describes no events.
pub fn read(path: &Path) -> Result<(Vec<u8>, Description), String> {
    let failed = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let size =
        std::fs::metadata(path).map_err(|error| format!("cannot open {}: {error}", path.display()))?.len();
    if size > MAX_SIZE {
        return Err(failed(&"too large for a description (maximum 1 GiB)"));
    }
    let bytes = std::fs::read(path).map_err(|error| format!("cannot open {}: {error}", path.display()))?;
    let texts: Vec<Vec<u8>> =
        texts_of(path, &bytes).and_then(|path| std::fs::read(path).ok()).into_iter().collect();
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    let description = Description::parse_with_texts(&bytes, &texts).map_err(|error| match error {
        DescriptionError::Form { is_trace: true } => failed(
            &"a trace: what it describes is used as it is read, and `etw schema export --trace` takes it out",
        ),
        error => failed(&error),
    })?;
    Ok((bytes, description))
}

/// Adds the description in a file, or all that are in a folder. `problem` is called for each part or file that cannot be used.
///
/// # Errors
/// The file, or every file of the folder, describes nothing.
pub fn add(schemas: &mut Schemas, path: &Path, problem: &mut dyn FnMut(String)) -> Result<(), String> {
    if !path.is_dir() {
        return add_file(schemas, path, problem);
    }
    let mut usable = false;
    for file in files(path)? {
        match add_file(schemas, &file, problem) {
            Ok(()) => usable = true,
            Err(error) => problem(error),
        }
    }
    if usable { Ok(()) } else { Err(format!("{}: contains no file that describes events", path.display())) }
}

/// Most program databases that the traces of a run may name for their messages.
const MOST_DATABASES: usize = 1000;

/// Adds the trace messages (WPP) in the program databases that traces name themselves, where the store finds them. Such a
/// record (`EventTrace/DbgIdRSDS`) has the signature, the age and the path of a provider's database. `problem` is called for each
/// database that cannot be used. Returns the databases that were read.
pub fn add_databases(
    schemas: &mut Schemas,
    traces: &[Trace<'_>],
    store: &FileStore<'_>,
    problem: &mut dyn FnMut(String),
) -> Vec<PathBuf> {
    let mut named = BTreeSet::new();
    for trace in traces {
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            if is_database_name(&record) && named.len() < MOST_DATABASES {
                named.extend(database_name(record.payload()));
            }
        }
    }
    let files = named.into_iter().filter_map(|(name, guid, age)| store.database_file(&name, guid, age));
    let mut read = Vec::new();
    for file in files {
        match add_file(schemas, &file, problem) {
            Ok(()) => read.push(file),
            Err(error) => problem(error),
        }
    }
    read
}

fn is_database_name(record: &Record<'_>) -> bool {
    const DATABASE: u16 = kernel::hook::EVENT_TRACE_DBG_ID_RSDS;
    match record.identity() {
        Identity::Kernel { .. } => record.hook() == Some(DATABASE),
        Identity::Class { guid, opcode } => {
            u16::from(opcode) == DATABASE
                && kernel::class("EventTrace").is_some_and(|class| class.guid == guid)
        }
        _ => false,
    }
}

/// The file name of a database, its signature and its age.
fn database_name(payload: &[u8]) -> Option<(String, Guid, u32)> {
    let (guid, rest) = payload.split_first_chunk()?;
    let (age, path) = rest.split_first_chunk()?;
    let path = path.split(|byte| *byte == 0).next().and_then(|path| std::str::from_utf8(path).ok())?;
    let name = path.rsplit(['\\', '/']).next().filter(|name| !name.is_empty())?;
    Some((name.to_owned(), Guid::from_bytes(*guid), u32::from_le_bytes(*age)))
}

fn add_file(schemas: &mut Schemas, path: &Path, problem: &mut dyn FnMut(String)) -> Result<(), String> {
    let (_, description) = read(path)?;
    for what in &description.problems {
        problem(format!("{}: {what}", path.display()));
    }
    schemas.add_description(description);
    Ok(())
}

/// The extension of files with the texts of a program in one language.
const TEXTS: &str = "mui";

/// The file with the texts of a program, library or driver: beside it or in a folder of a language beside it, English
/// first.
fn texts_of(path: &Path, bytes: &[u8]) -> Option<PathBuf> {
    if !bytes.starts_with(b"MZ") {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name = path.file_name()?.to_owned();
    name.push(".");
    name.push(TEXTS);
    let is_language = |folder: &PathBuf| {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (language, region) = name.split_once('-').unwrap_or_default();
        matches!(language.len(), 2 | 3) && matches!(region.len(), 2..=12)
    };
    let mut languages: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(is_language).collect();
    languages.sort_by_key(|folder| {
        (!folder.to_string_lossy().to_ascii_lowercase().ends_with("en-us"), folder.clone())
    });
    let places = std::iter::once(folder.to_owned()).chain(languages).map(|folder| folder.join(&name));
    let usable =
        |place: &PathBuf| std::fs::metadata(place).is_ok_and(|data| data.is_file() && data.len() <= MAX_SIZE);
    places.into_iter().find(usable)
}

/// The files of a folder by name, without those that only have the texts of others; those that begin with a dot are not
/// for others.
///
/// # Errors
/// The folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("cannot open {}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        let only_texts = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(TEXTS));
        if path.is_file() && !hidden && !only_texts {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// All built-in tables, parsed.
#[must_use]
pub fn built_in() -> Vec<Described> {
    described(bundled::all(), |_| true)
}

/// Returns the built-in tables with the requested name or GUID, without parsing the others.
#[must_use]
pub fn built_in_called(wish: &Wish<'_>) -> Vec<Described> {
    let called = bundled::names().filter(|(name, guid)| names::is_called(wish, name, *guid));
    let providers = called.filter_map(|(_, guid)| bundled::provider(&guid));
    described(providers, |class| names::is_called(wish, class.name, class.guid))
}

fn described(
    providers: impl Iterator<Item = &'static Provider>,
    wanted: impl Fn(&EventClass) -> bool,
) -> Vec<Described> {
    let bundled = providers.cloned().map(|provider| Described { kind: Kind::Events, provider });
    let classes = kernel::classes().iter().filter(|class| wanted(class));
    let classes = classes.map(|class| Described { kind: Kind::Class, provider: class.to_provider() });
    bundled.chain(classes).collect()
}

impl Store {
    /// A store in a folder, which need not exist before something is stored.
    #[must_use]
    pub fn new(folder: PathBuf) -> Store {
        Store { folder }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns `true` if anything was ever stored.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.folder.is_dir()
    }

    /// Adds everything in the store. `problem` is called for each file that describes nothing.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn add_to(&self, schemas: &mut Schemas, problem: &mut dyn FnMut(String)) -> Result<(), String> {
        for entry in self.entries()? {
            match entry.content {
                Ok(description) => schemas.add_description(description),
                Err(error) => problem(error),
            }
        }
        Ok(())
    }

    /// Everything in the store, by name of the file.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>, String> {
        let entry = |path: PathBuf| Entry {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            content: read(&path).map(|(_, description)| description),
            path,
        };
        Ok(files(&self.folder)?.into_iter().map(entry).collect())
    }

    /// Stores a file that describes something; returns its contents and the name under which it is stored. A
    /// different file of the same name is only replaced with `force`.
    ///
    /// # Errors
    /// The file describes nothing, or cannot be stored.
    pub fn import(&self, path: &Path, force: bool) -> Result<(String, Description), String> {
        let (bytes, description) = read(path)?;
        let name = path.file_name().ok_or_else(|| format!("{} has no name", path.display()))?;
        let target = self.folder.join(name);
        let same = std::fs::read(&target).is_ok_and(|stored| stored == bytes);
        if target.exists() && !same && !force {
            return Err(format!(
                "{} is in the store with other content: --force replaces it",
                target.display()
            ));
        }
        if !same {
            let failed = |error: std::io::Error| format!("cannot write {}: {error}", target.display());
            std::fs::create_dir_all(&self.folder).map_err(failed)?;
            self.put(name, &bytes).map_err(failed)?;
        }
        if let Some(texts) = texts_of(path, &bytes) {
            let failed = |error: std::io::Error| format!("cannot store {}: {error}", texts.display());
            let mut name = name.to_owned();
            name.push(".");
            name.push(TEXTS);
            let texts = std::fs::read(&texts).map_err(failed)?;
            self.put(&name, &texts).map_err(failed)?;
        }
        Ok((name.to_string_lossy().into_owned(), description))
    }

    /// Takes a file out, with that of its texts.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(&self, entry: &Entry) -> Result<(), String> {
        let failed = |path: &Path, error: std::io::Error| {
            format!("cannot remove {}: {}", path.display(), crate::open::reason(&error))
        };
        std::fs::remove_file(&entry.path).map_err(|error| failed(&entry.path, error))?;
        let texts = self.folder.join(format!("{}.{TEXTS}", entry.name));
        match std::fs::remove_file(&texts) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&texts, error)),
            _ => Ok(()),
        }
    }

    /// Writes a file whole or not at all: a reader never sees half of one.
    fn put(&self, name: &OsStr, bytes: &[u8]) -> std::io::Result<()> {
        let (part, mut file) = self.part_of(name)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&part, self.folder.join(name)));
        if written.is_err() {
            let _ = std::fs::remove_file(&part);
        }
        written
    }

    /// Creates a file for a part of another. It is new: in a folder that others can write, something of that name may lead
    /// elsewhere.
    fn part_of(&self, name: &OsStr) -> std::io::Result<(PathBuf, File)> {
        const MOST: u32 = 1000;
        let mut number = 0;
        loop {
            let part = self.folder.join(format!(".{}.{number}", name.to_string_lossy()));
            match File::create_new(&part) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST => number += 1,
                created => return created.map(|file| (part, file)),
            }
        }
    }
}
