//! Names for addresses of a trace: module`symbol and the distance from it.
//!
//! What lies at an address follows from the trace: the images that were mapped, and the methods that the
//! .NET runtime compiled. What stands inside an image follows from symbol files, if there are any: a
//! [`SymbolStore`] finds them, and each is read at most once. Without one the answer is the module and the
//! distance from its base.
#![forbid(unsafe_code)]

mod store;
mod table;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_state::{Image, Machine, Span};

pub use store::{SymbolRequest, SymbolStore};
pub use table::{SymbolTable, TableEntry};

/// What lies at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The module: the image's file name without its extension, in lower case. `jit` for code that is in no
    /// image.
    pub module: Rc<str>,
    /// The function, when one is known.
    pub symbol: Option<Rc<str>>,
    /// Bytes from the function's start, or from the image's base when no function is known.
    pub offset: u64,
}

/// The module of code that the .NET runtime compiled in memory.
const JIT: &str = "jit";

/// Names for the addresses of one machine's trace.
pub struct Symbols<'m> {
    machine: &'m Machine,
    store: Option<Box<dyn SymbolStore + 'm>>,
    /// Tables of images by what identifies them; [`None`] when no symbols were found.
    tables: RefCell<FxHashMap<SymbolRequest, Option<Rc<SymbolTable>>>>,
    known: RefCell<FxHashMap<(u32, u64), Option<Location>>>,
    /// Nothing is looked up: addresses stay addresses.
    plain: bool,
}

impl std::fmt::Debug for Symbols<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("tables", &self.tables.borrow().len()).finish_non_exhaustive()
    }
}

/// Most answers that are kept; beyond that they are looked up anew.
const MOST_KNOWN: usize = 1 << 21;

impl<'m> Symbols<'m> {
    /// Names from the trace alone.
    #[must_use]
    pub fn new(machine: &'m Machine) -> Symbols<'m> {
        Symbols { machine, store: None, tables: RefCell::default(), known: RefCell::default(), plain: false }
    }

    /// No names at all: addresses stay addresses.
    #[must_use]
    pub fn plain(machine: &'m Machine) -> Symbols<'m> {
        Symbols { plain: true, ..Symbols::new(machine) }
    }

    /// Looks into symbol files too.
    #[must_use]
    pub fn with_store(mut self, store: impl SymbolStore + 'm) -> Symbols<'m> {
        self.store = Some(Box::new(store));
        self
    }

    /// What lies at an address of a process, or of the kernel (process 0). `time` (raw) matters where one
    /// address was used several times; when nothing lay there then, what lay there last is meant.
    #[must_use]
    pub fn locate(&self, pid: u32, address: u64, time: i64) -> Option<Location> {
        if self.plain {
            return None;
        }
        let (image, now) = match self.machine.image_at(pid, address, time) {
            Some(image) => (Some(image), true),
            None => (self.machine.image_ever(pid, address), false),
        };
        // An image that is there for the whole trace gives one answer for all times.
        let lasting = now && image.is_some_and(|i| i.end == tracewell_state::ONCE);
        if lasting && let Some(known) = self.known.borrow().get(&(pid, address)) {
            return known.clone();
        }
        let location = self.find(pid, address, time, image);
        if lasting {
            let mut known = self.known.borrow_mut();
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            known.insert((pid, address), location.clone());
        }
        location
    }

    fn find(&self, pid: u32, address: u64, time: i64, image: Option<&Span<Image>>) -> Option<Location> {
        let names = self.machine.names();
        let module = image.map(|image| stem(names.get(image.value.module)));
        if let Some(method) = self.machine.methods().at(pid, address, time) {
            let (space, name) = (names.get(method.namespace), names.get(method.name));
            let dot = if space.is_empty() { "" } else { "." };
            return Some(Location {
                module: Rc::from(module.unwrap_or(JIT)),
                symbol: Some(Rc::from(format!("{space}{dot}{name}"))),
                offset: address - method.start,
            });
        }
        let image = &image?.value;
        let distance = address - image.base;
        let symbol = self.table(image).and_then(|table| {
            let (name, start) = table.at(u32::try_from(distance).ok()?)?;
            Some((Rc::from(name), distance - u64::from(start)))
        });
        let (symbol, offset) = match symbol {
            Some((name, offset)) => (Some(name), offset),
            None => (None, distance),
        };
        Some(Location { module: Rc::from(module?), symbol, offset })
    }

    fn table(&self, image: &Image) -> Option<Rc<SymbolTable>> {
        let store = self.store.as_deref()?;
        let request = SymbolRequest::new(self.machine, image);
        if let Some(known) = self.tables.borrow().get(&request) {
            return known.clone();
        }
        let table = store.table(&request).map(Rc::new);
        self.tables.borrow_mut().insert(request, table.clone());
        table
    }
}

/// A file name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
