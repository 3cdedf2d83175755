//! The programs and libraries that processes of this machine have loaded.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::elf::ElfImage;
use crate::source::SymbolSource;
use crate::store::{SymbolRequest, SymbolStore};
use crate::table::SymbolTable;

/// Files by their names and sizes in memory, read when the first of their functions is asked for.
#[derive(Debug, Default)]
pub struct LocalImages {
    files: RefCell<FxHashMap<(String, u64), File>>,
}

#[derive(Debug)]
struct File {
    path: PathBuf,
    /// The symbols of the file, if it was read; [`None`] inside for a file without symbols.
    read: Option<Option<Rc<SymbolTable>>>,
}

impl LocalImages {
    /// Adds a file that takes so many bytes of memory.
    pub fn add(&mut self, path: &Path, size: u64) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let file = || File { path: path.to_owned(), read: None };
        self.files.get_mut().entry((name, size)).or_insert_with(file);
    }
}

impl SymbolStore for LocalImages {
    fn symbols(&self, request: &SymbolRequest) -> Option<Rc<dyn SymbolSource>> {
        let mut files = self.files.borrow_mut();
        let file = files.get_mut(&(request.image.clone(), request.size))?;
        let path = &file.path;
        let read = || ElfImage::open(path).ok().map(|image| Rc::new(image.functions));
        let table = file.read.get_or_insert_with(read).clone()?;
        Some(table)
    }
}
