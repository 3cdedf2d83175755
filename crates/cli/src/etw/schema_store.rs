//! The stored descriptions that the user chose.

use std::path::{Path, PathBuf};

use clap::Args;
use tracewell::descriptions::{Entry, Store};
use tracewell_decode::Schemas;
use tracewell_etl::Trace;
use tracewell_symbols::FileStore;

use crate::out::say;

/// Which store to use.
#[derive(Debug, Default, Args)]
pub(super) struct StoreChoice {
    /// Folder of stored descriptions [default: `tracewell/schemas` in the user's data folder]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

impl StoreChoice {
    /// The chosen store, else the user's.
    pub(super) fn store(&self) -> Result<Store, String> {
        let folder = self.store.clone().or_else(user_folder);
        let folder = folder.ok_or("there is no folder for the user's data: name a store with --store")?;
        Ok(Store::new(folder))
    }

    /// Returns `true` if the user named a store, which must exist then.
    pub(super) fn is_named(&self) -> bool {
        self.store.is_some()
    }
}

/// The place that the system has for data of the user.
fn user_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME")
        .or_else(|| if cfg!(windows) { folder("LOCALAPPDATA") } else { None })
        .or_else(|| folder("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join("tracewell").join("schemas"))
}

/// The stored descriptions. A store without any file is empty, unless the user named it.
pub(super) fn entries(choice: &StoreChoice) -> Result<Vec<Entry>, String> {
    let store = choice.store()?;
    if !store.exists() && !choice.is_named() { Ok(Vec::new()) } else { store.entries() }
}

/// Adds the stored descriptions. The user's store may be missing or broken; one that is named may not be missing.
pub(super) fn add_store(schemas: &mut Schemas, choice: &StoreChoice) -> Result<(), String> {
    match choice.store() {
        Ok(store) if store.exists() || choice.is_named() => {
            store.add_to(schemas, &mut |error| say!("etw: {error}"))
        }
        _ => Ok(()),
    }
}

/// The folder of the user's store, if there is one.
pub(super) fn folder() -> Option<PathBuf> {
    let store = StoreChoice::default().store().ok()?;
    store.exists().then(|| store.folder().to_owned())
}

/// Adds what is in the user's store, if there is one.
pub(crate) fn add_stored(schemas: &mut Schemas) -> Result<(), String> {
    add_store(schemas, &StoreChoice::default())
}

/// Adds the messages in the program databases that traces name, if a search path for symbols is given that has them.
pub(crate) fn add_databases(schemas: &mut Schemas, traces: &[Trace<'_>], symbols: Option<&str>) {
    let path = crate::symbols::search_path(symbols, crate::symbols::NO_TRACES);
    if path.is_empty() {
        return;
    }
    let server = crate::symbols::server();
    let store = FileStore::new(path, server.as_deref());
    tracewell::descriptions::add_databases(schemas, traces, &store, &mut |error| say!("etw: {error}"));
}

/// Adds a description, or all that are in a folder.
pub(super) fn add_manifest(schemas: &mut Schemas, path: &Path) -> Result<(), String> {
    tracewell::descriptions::add(schemas, path, &mut |error| say!("etw: {error}"))
}
