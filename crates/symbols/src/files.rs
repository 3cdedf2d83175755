//! The store of symbols that files are: what a search path leads to, each file read once, and an account of
//! what was found, missing and damaged.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tracewell_types::Guid;

use crate::path::{PathElement, SymbolPath};
use crate::pdb::{DatabaseError, ProgramDatabase};
use crate::pe::PeImage;
use crate::search::{Hit, Search, compressed, is_plain};
use crate::source::SymbolSource;
use crate::store::{SymbolRequest, SymbolStore, database_key};

/// Files of one name that may be fetched at a time, by different processes.
const PARTS: u32 = 8;

/// A file of a store that is being fetched: beside its place and locked, so that no other process writes to it.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    file: fs::File,
}

impl Part {
    /// Makes the file. Links that others have put there are not followed, and what killed processes have left is replaced.
    fn begin(folder: &Path, name: &str) -> io::Result<Part> {
        for number in 0..PARTS {
            let path = folder.join(format!("{name}.{number}.part"));
            if let Ok(left) = fs::symlink_metadata(&path) {
                let is_used = || fs::File::open(&path).is_ok_and(|file| is_locked(&file));
                // Of a link this removes the link.
                if left.is_file() && is_used() || fs::remove_file(&path).is_err() {
                    continue;
                }
            }
            let file = match fs::File::options().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // Another process may have removed the file before it was locked.
            if !is_locked(&file) && is_at(&file, &path) {
                return Ok(Part { path, file });
            }
        }
        Err(io::Error::other("other processes are fetching the same file"))
    }
}

/// Locks a file. Returns `true` if another process has locked it; a file system without locks has no such files.
fn is_locked(file: &fs::File) -> bool {
    matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock))
}

/// Returns `true` if a path is that of an open file, where the system can say so.
fn is_at(file: &fs::File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |facts: fs::Metadata| (facts.dev(), facts.ino());
        fs::symlink_metadata(path)
            .is_ok_and(|there| file.metadata().is_ok_and(|own| place(own) == place(there)))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// A symbol server: answers requests for files of its store.
pub trait SymbolServer {
    /// Writes the file `path` (`NAME/KEY/NAME`) of the store at `server` to `into`. False when the server has no such
    /// file.
    ///
    /// # Errors
    /// The server cannot be reached, or failed; in a few words.
    fn fetch(&self, server: &str, path: &str, into: &mut dyn Write) -> Result<bool, String>;
}

/// The source of an image's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Its program database.
    Database(PathBuf),
    /// The functions that the image exports.
    Exports(PathBuf),
    /// Nothing was found.
    None,
}

/// Something that is wrong with a file or an element of the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, folder or server.
    pub place: String,
    /// The problem.
    pub what: String,
    /// Whether the file is of another build: that is how folders are, and no damage.
    pub other_build: bool,
}

/// The result for one image.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resolution {
    /// The request, with the database's identity if the image file contained it.
    pub request: SymbolRequest,
    /// The source that was found.
    pub origin: Origin,
    /// The image file, when it was found.
    pub image: Option<PathBuf>,
    /// If there is no database: a database of that name that belongs to another build of the image.
    pub other_build: Option<PathBuf>,
}

/// Symbols from files.
pub struct FileStore<'s> {
    path: SymbolPath,
    server: Option<&'s dyn SymbolServer>,
    search: Search,
    resolutions: RefCell<Vec<Resolution>>,
    problems: RefCell<Vec<Problem>>,
    /// Servers that failed: they are not asked again.
    dead: RefCell<Vec<String>>,
    read: RefCell<Vec<(PathBuf, Rc<dyn SymbolSource>)>>,
    /// Files that servers sent, in the stores that they were put into.
    fetched: RefCell<Vec<PathBuf>>,
}

impl std::fmt::Debug for FileStore<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileStore").field("path", &self.path).finish_non_exhaustive()
    }
}

impl<'s> FileStore<'s> {
    /// Looks along a path. Servers in it are asked through `server`, else passed over.
    #[must_use]
    pub fn new(path: SymbolPath, server: Option<&'s dyn SymbolServer>) -> FileStore<'s> {
        let store = FileStore {
            path,
            server,
            search: Search::default(),
            resolutions: RefCell::default(),
            problems: RefCell::default(),
            dead: RefCell::default(),
            read: RefCell::default(),
            fetched: RefCell::default(),
        };
        for element in store.path.unknown() {
            store.problem(element, "is not understood as part of a symbol path", false);
        }
        for element in store.path.elements() {
            // Stores that a server fills need not be there yet.
            if let PathElement::Folder(folder) = element
                && !folder.is_dir()
            {
                store.problem(&folder.display().to_string(), "is no folder", false);
            }
        }
        store
    }

    /// The path that is searched.
    #[must_use]
    pub fn path(&self) -> &SymbolPath {
        &self.path
    }

    /// The results for the requested images, in order.
    #[must_use]
    pub fn resolutions(&self) -> Vec<Resolution> {
        self.resolutions.borrow().clone()
    }

    /// The problems, each once, including damage found while symbols were used.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.borrow().clone();
        for (path, source) in &*self.read.borrow() {
            if let Some(what) = source.damage() {
                let place = path.display().to_string();
                problems.push(Problem { place, what: format!("is damaged: {what}"), other_build: false });
            }
        }
        problems
    }

    /// The servers in the path that cannot be asked here, or did not answer.
    #[must_use]
    pub fn silent_servers(&self) -> Vec<String> {
        let dead = self.dead.borrow();
        let silent = |server: &&str| self.server.is_none() || dead.iter().any(|d| d == server);
        self.path.servers().filter(silent).map(str::to_owned).collect()
    }

    /// The files that servers sent in this run, where they are kept now.
    #[must_use]
    pub fn fetched(&self) -> Vec<PathBuf> {
        self.fetched.borrow().clone()
    }

    pub(crate) fn problem(&self, place: &str, what: &str, other_build: bool) {
        let problem = Problem { place: place.to_owned(), what: what.to_owned(), other_build };
        let mut problems = self.problems.borrow_mut();
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }

    /// The program database with this name, signature and age, whatever it contains.
    #[must_use]
    pub fn database_file(&self, name: &str, guid: Guid, age: u32) -> Option<PathBuf> {
        if !is_plain(name) {
            return None;
        }
        let belongs = |file: &Path| ProgramDatabase::is_file(file, guid, age).then_some(());
        self.find(name, Some(&database_key(guid, age)), belongs).map(|(file, ())| file)
    }

    /// The first file along the path that `accept` takes.
    pub(crate) fn find<T>(
        &self,
        name: &str,
        key: Option<&str>,
        accept: impl Fn(&Path) -> Option<T>,
    ) -> Option<(PathBuf, T)> {
        let take = |hit: Hit| match hit {
            Hit::File(file) => {
                let taken = accept(&file)?;
                Some((file, taken))
            }
            Hit::Compressed(file) => {
                self.problem(&file.display().to_string(), "is compressed: expand it first", false);
                None
            }
        };
        let mut beside = self.path.beside().iter();
        let own = beside.find_map(|folder| self.search.in_beside(folder, name, key).and_then(take));
        if own.is_some() {
            return own;
        }
        let mut cache: Option<&Path> = None;
        for element in self.path.elements() {
            let found = match element {
                PathElement::Folder(folder) => {
                    self.search.in_folder(folder, name, key).into_iter().find_map(take)
                }
                PathElement::Cache(store) => {
                    cache = cache.or(Some(store));
                    key.and_then(|key| self.search.in_store(store, name, key)).and_then(take)
                }
                PathElement::Chain { stores, server } => key.and_then(|key| {
                    let default = match server {
                        Some(_) if stores.is_empty() && cache.is_none() => self.path.default_store(),
                        _ => None,
                    };
                    let mut local = stores.iter().map(PathBuf::as_path).chain(default);
                    let local = local.find_map(|store| self.search.in_store(store, name, key).and_then(take));
                    local.or_else(|| {
                        let server = server.as_deref()?;
                        let Some(into) = stores.first().map(PathBuf::as_path).or(cache).or(default) else {
                            self.problem(
                                server,
                                "is not asked: the path names no store for its files",
                                false,
                            );
                            return None;
                        };
                        take(Hit::File(self.download(server, into, name, key)?))
                    })
                }),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Brings a file of a server into a store.
    fn download(&self, server: &str, store: &Path, name: &str, key: &str) -> Option<PathBuf> {
        let client = self.server?;
        if !is_plain(name) || !is_plain(key) || self.dead.borrow().iter().any(|dead| dead == server) {
            return None;
        }
        let folder = store.join(name).join(key);
        let file = folder.join(name);
        let told = |error: io::Error| format!("cannot write in {}: {error}", folder.display());
        let begun = fs::create_dir_all(&folder).and_then(|()| Part::begin(&folder, name)).map_err(told);
        let fetch = |part: &Part| -> Result<bool, String> {
            let mut out = io::BufWriter::new(&part.file);
            let there = client.fetch(server, &format!("{name}/{key}/{name}"), &mut out)?;
            out.flush().map_err(told)?;
            if !there {
                // Some servers store only the compressed form. It is reported, but cannot be read
                // here.
                let packed = compressed(name);
                let mut nowhere = io::sink();
                if client.fetch(server, &format!("{name}/{key}/{packed}"), &mut nowhere)? {
                    let place = format!("{server}/{name}/{key}/{packed}");
                    self.problem(&place, "is compressed: expand it first", false);
                }
                return Ok(false);
            }
            drop(out);
            fs::rename(&part.path, &file).map_err(told)?;
            Ok(true)
        };
        let fetched = begun.and_then(|part| {
            let fetched = fetch(&part);
            if !matches!(fetched, Ok(true)) {
                let _ = fs::remove_file(&part.path);
            }
            fetched
        });
        if !matches!(fetched, Ok(true)) {
            // An empty place in the store would be in nobody's interest. What cannot be removed stays.
            let _ = fs::remove_dir(&folder);
            let _ = fs::remove_dir(store.join(name));
        }
        match fetched {
            Ok(true) => {
                self.search.forget(store);
                self.fetched.borrow_mut().push(file.clone());
                Some(file)
            }
            Ok(false) => None,
            Err(why) => {
                self.problem(server, &why, false);
                self.dead.borrow_mut().push(server.to_owned());
                None
            }
        }
    }

    fn image(&self, request: &SymbolRequest) -> Option<(PathBuf, PeImage)> {
        let key = request.image_key();
        // Without a time stamp, builds cannot be distinguished.
        let stamp = request.time_stamp?;
        self.find(&request.image, key.as_deref(), |file| {
            let place = file.display().to_string();
            match PeImage::open(file) {
                Ok(image) if image.time_stamp == stamp && u64::from(image.size) == request.size => {
                    Some(image)
                }
                Ok(_) => {
                    self.problem(&place, "is another build of the image", true);
                    None
                }
                Err(error) => {
                    self.problem(&place, &error.to_string(), false);
                    None
                }
            }
        })
    }

    fn database(&self, name: &str, guid: Guid, age: u32, key: &str) -> Option<(PathBuf, ProgramDatabase)> {
        self.find(name, Some(key), |file| {
            let place = file.display().to_string();
            match ProgramDatabase::open(file) {
                Ok(database) if !database.belongs_to(guid, age) => {
                    self.problem(&place, "is the database of another build", true);
                    None
                }
                Ok(database) if database.is_empty() => {
                    self.problem(&place, "names no functions", false);
                    None
                }
                Ok(database) => Some(database),
                Err(DatabaseError::Io(e)) if e.kind() == io::ErrorKind::NotFound => None,
                Err(error) => {
                    self.problem(&place, &error.to_string(), false);
                    None
                }
            }
        })
    }

    fn resolve(&self, request: &SymbolRequest) -> (Resolution, Option<Rc<dyn SymbolSource>>) {
        if let Some(path) = &request.unix_path {
            return self.elf(request, path);
        }
        let (mut resolution, source) = self.resolve_exactly(request);
        if !matches!(resolution.origin, Origin::Database(_))
            && let Some((name, ..)) = &resolution.request.database
            && let Some(key) = resolution.request.database_key()
        {
            resolution.other_build = self.other_build(name, &key);
        }
        (resolution, source)
    }

    /// A database of that name along the path that has another key.
    fn other_build(&self, name: &str, key: &str) -> Option<PathBuf> {
        let problems = self.problems.borrow();
        let met = |file: &Path| {
            let place = file.display().to_string();
            problems.iter().any(|problem| problem.other_build && problem.place == place)
        };
        self.path.elements().iter().find_map(|element| match element {
            PathElement::Folder(folder) => {
                let hits = self.search.in_folder(folder, name, None).into_iter();
                let mut files = hits.filter_map(|hit| match hit {
                    Hit::File(file) => Some(file),
                    Hit::Compressed(_) => None,
                });
                files.find(|file| met(file)).or_else(|| self.search.other_key(folder, name, key))
            }
            PathElement::Cache(store) => self.search.other_key(store, name, key),
            PathElement::Chain { stores, .. } => {
                stores.iter().find_map(|store| self.search.other_key(store, name, key))
            }
        })
    }

    fn resolve_exactly(&self, request: &SymbolRequest) -> (Resolution, Option<Rc<dyn SymbolSource>>) {
        let mut resolution =
            Resolution { request: request.clone(), origin: Origin::None, image: None, other_build: None };
        let mut image = None;
        if request.database.is_none() {
            image = self.image(request);
            if let Some((_, pe)) = &image {
                resolution.request.database = pe.database.clone().map(|(path, guid, age)| {
                    (path.rsplit(['\\', '/']).next().unwrap_or_default().to_owned(), guid, age)
                });
            }
        }
        if let Some((name, guid, age)) = resolution.request.database.clone()
            && let Some(key) = resolution.request.database_key()
            && let Some((file, database)) = self.database(&name, guid, age, &key)
        {
            let source: Rc<dyn SymbolSource> = Rc::new(database);
            self.read.borrow_mut().push((file.clone(), Rc::clone(&source)));
            resolution.origin = Origin::Database(file);
            resolution.image = image.map(|(path, _)| path);
            return (resolution, Some(source));
        }
        // If the trace identifies the database, the image may not have been looked up yet.
        let Some((file, pe)) = image.or_else(|| self.image(request)) else { return (resolution, None) };
        resolution.image = Some(file.clone());
        if pe.exports.is_empty() {
            return (resolution, None);
        }
        resolution.origin = Origin::Exports(file);
        (resolution, Some(Rc::new(pe.exports)))
    }
}

impl SymbolStore for FileStore<'_> {
    fn symbols(&self, request: &SymbolRequest) -> Option<Rc<dyn SymbolSource>> {
        let (resolution, source) = self.resolve(request);
        self.resolutions.borrow_mut().push(resolution);
        source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_a_file_being_fetched_is_shared_with_no_other() {
        let scratch = tracewell_corpus::Scratch::new("part");
        let folder = scratch.join("store");
        fs::create_dir_all(&folder).unwrap();
        let first = Part::begin(&folder, "a.pdb").unwrap();
        let second = Part::begin(&folder, "a.pdb").unwrap();
        assert_ne!(first.path, second.path);
        let path = first.path.clone();
        fs::write(&path, "of a process that was killed").unwrap();
        drop(first);
        let again = Part::begin(&folder, "a.pdb").unwrap();
        assert_eq!((&again.path, again.file.metadata().unwrap().len()), (&path, 0));
        #[cfg(unix)]
        {
            let precious = folder.join("precious");
            fs::write(&precious, "precious").unwrap();
            std::os::unix::fs::symlink(&precious, folder.join("b.pdb.0.part")).unwrap();
            let mut planted = Part::begin(&folder, "b.pdb").unwrap();
            planted.file.write_all(b"fetched").unwrap();
            assert_eq!(fs::read(&precious).unwrap(), b"precious");
        }
    }
}
