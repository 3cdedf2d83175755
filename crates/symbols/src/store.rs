//! Sources of symbols.

use std::rc::Rc;

use tracewell_state::{Image, Machine};
use tracewell_types::Guid;

use crate::search::is_plain;
use crate::source::SymbolSource;

/// Which symbols are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolRequest {
    /// The image's file name, in lower case.
    pub image: String,
    /// Link time stamp of the image, if the trace contains it.
    pub time_stamp: Option<u32>,
    /// Size of the image in memory.
    pub size: u64,
    /// File name, signature and age of the program database, if the trace contains them.
    pub database: Option<(String, Guid, u32)>,
    /// The path from which it was loaded, if that is a Unix path.
    pub unix_path: Option<String>,
}

impl SymbolRequest {
    /// Describes an image as the trace does.
    #[must_use]
    pub fn new(machine: &Machine, image: &Image) -> SymbolRequest {
        let base = |path: &str| path.rsplit(['\\', '/']).next().unwrap_or_default().to_owned();
        SymbolRequest {
            image: machine.name(image.module).to_owned(),
            time_stamp: image.time_stamp,
            size: image.size,
            database: image.identity.map(|i| (base(machine.name(i.pdb)), i.guid, i.age)),
            unix_path: Some(machine.name(image.file)).filter(|path| path.starts_with('/')).map(str::to_owned),
        }
    }

    /// The folder of the database in a symbol store: its signature and age.
    #[must_use]
    pub fn database_key(&self) -> Option<String> {
        let (_, guid, age) = self.database.as_ref()?;
        Some(database_key(*guid, *age))
    }

    /// The folder of the image in a symbol store: its time stamp and size.
    #[must_use]
    pub fn image_key(&self) -> Option<String> {
        Some(format!("{:08X}{:x}", self.time_stamp?, self.size))
    }

    /// The path in a symbol store or on a server of the file with the names of this image: `NAME/KEY/NAME` of the
    /// database, or of the image itself if its database is unknown. [`None`] if the trace does not identify the file,
    /// or the name is not a valid file name.
    #[must_use]
    pub fn wanted_file(&self) -> Option<String> {
        let (name, key) = match &self.database {
            Some((name, ..)) => (name, self.database_key()?),
            None => (&self.image, self.image_key()?),
        };
        is_plain(name).then(|| format!("{name}/{key}/{name}"))
    }
}

/// The folder in a symbol store of the database with this signature and age.
pub(crate) fn database_key(guid: Guid, age: u32) -> String {
    let plain: String = guid.to_string().chars().filter(char::is_ascii_hexdigit).collect();
    format!("{}{age:X}", plain.to_ascii_uppercase())
}

/// Finds symbols. What is damaged or missing gives none, never an error: the store keeps its own account.
pub trait SymbolStore {
    /// The symbols of an image; asked once for each.
    fn symbols(&self, request: &SymbolRequest) -> Option<Rc<dyn SymbolSource>>;
}

impl<S: SymbolStore + ?Sized> SymbolStore for &S {
    fn symbols(&self, request: &SymbolRequest) -> Option<Rc<dyn SymbolSource>> {
        (**self).symbols(request)
    }
}
