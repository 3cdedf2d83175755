#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod demangle;
mod elf;
mod elf_code;
mod elf_files;
mod elf_probes;
mod file;
mod files;
mod guard;
mod local;
mod path;
mod pdb;
mod pe;
mod search;
mod signatures;
mod source;
mod store;
mod table;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_state::{Image, Machine, NameId, Span};

pub use demangle::demangle;
pub use elf::ElfImage;
pub use elf_code::{CodeFunction, ElfCode, library_folders};
pub use elf_files::has_elf_images;
pub use elf_probes::{StaticProbe, object_names, static_probes};
pub use files::{FileStore, Origin, Problem, Resolution, SymbolServer};
pub use guard::is_reading_symbols;
pub use local::LocalImages;
pub use path::{PathElement, SymbolPath};
pub use pdb::{DatabaseError, ProgramDatabase};
pub use pe::PeImage;
pub use signatures::{
    DebugStruct, DebugType, Signature, Signatures, TypeIndex, TypeWord, named_type, signatures,
};
pub use source::{Function, SourceFrame, SymbolSource};
pub use store::{SymbolRequest, SymbolStore};
pub use table::{SymbolTable, TableEntry};

/// The description of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The module: the image's file name in lower case, without its extension except on Unix. `jit` for code outside of
    /// images.
    pub module: Rc<str>,
    /// The function, when one is known.
    pub symbol: Option<Rc<str>>,
    /// Bytes from the function's start, or from the image's base when no function is known.
    pub offset: u64,
    /// The kind of code at the address.
    pub code: Code,
}

/// A kind of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Code of the kernel's images.
    Kernel,
    /// Native code of a process's images.
    Native,
    /// Code that the .NET runtime compiled, in memory or ahead of time.
    Managed,
}

/// The module of code that the .NET runtime compiled in memory.
const JIT: &str = "jit";

/// The symbols of an image, if there are any.
type Found = Option<Rc<dyn SymbolSource>>;

/// Identifies a mapping of an image: process, base, file, time stamp, size.
type Mapping = (u32, u64, NameId, Option<u32>, u64);

/// Names for the addresses of one machine's trace.
pub struct Symbols<'m> {
    machine: &'m Machine,
    store: Option<Box<dyn SymbolStore + 'm>>,
    /// Symbols of images by what identifies them.
    sources: RefCell<FxHashMap<SymbolRequest, Found>>,
    /// The same by mapping, so that a lookup does not make up a request.
    mappings: RefCell<FxHashMap<Mapping, Found>>,
    known: RefCell<FxHashMap<(u32, u64), Option<Location>>>,
    modules: RefCell<FxHashMap<NameId, Rc<str>>>,
    /// Nothing is looked up: addresses stay addresses.
    plain: bool,
}

impl std::fmt::Debug for Symbols<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("sources", &self.sources.borrow().len()).finish_non_exhaustive()
    }
}

/// Most answers that are kept; beyond that they are looked up anew.
const MOST_KNOWN: usize = 1 << 21;

/// Returns `true` if the kernel can have code at an address, on a machine of 32 or 64 bits.
fn may_be_kernel(address: u64) -> bool {
    address >= 1 << 47 || (0x8000_0000..=u64::from(u32::MAX)).contains(&address)
}

impl<'m> Symbols<'m> {
    /// Names from the trace alone.
    #[must_use]
    pub fn new(machine: &'m Machine) -> Symbols<'m> {
        Symbols {
            machine,
            store: None,
            sources: RefCell::default(),
            mappings: RefCell::default(),
            known: RefCell::default(),
            modules: RefCell::default(),
            plain: false,
        }
    }

    /// No names at all: addresses stay addresses.
    #[must_use]
    pub fn plain(machine: &'m Machine) -> Symbols<'m> {
        Symbols { plain: true, ..Symbols::new(machine) }
    }

    /// Returns `true` if addresses stay addresses.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Looks into symbol files too.
    #[must_use]
    pub fn with_store(mut self, store: impl SymbolStore + 'm) -> Symbols<'m> {
        self.store = Some(Box::new(store));
        self
    }

    /// Describes an address of a process, or of the kernel (process 0). `time` (raw) selects among
    /// several users of one address; if nothing was mapped there at that time, the last mapping applies.
    #[must_use]
    pub fn locate(&self, pid: u32, address: u64, time: i64) -> Option<Location> {
        if self.plain {
            return None;
        }
        let (image, now) = self.image(pid, address, time);
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

    /// The same for an address that a call returns to. The function is that of the call: where it never
    /// returns, nothing of its function need follow.
    #[must_use]
    pub fn locate_return(&self, pid: u32, address: u64, time: i64) -> Option<Location> {
        let call = address.checked_sub(1).and_then(|call| self.locate(pid, call, time));
        match call {
            Some(call) if call.symbol.is_some() => Some(Location { offset: call.offset + 1, ..call }),
            _ => self.locate(pid, address, time),
        }
    }

    /// The raw time until which the answers for an address of now hold, for callers who go forward in time and keep
    /// them; [`None`] when they should not be kept.
    #[must_use]
    pub fn holds_until(&self, pid: u32, address: u64, time: i64) -> Option<i64> {
        if let Some(method) = self.machine.methods().at(pid, address, time) {
            // The last description applies to all times after it.
            return Some(if method.time < time {
                tracewell_state::ONCE
            } else {
                method.time.saturating_add(1)
            });
        }
        self.machine.image_at(pid, address, time).map(|image| image.end)
    }

    /// The frames at an address from the symbol source, innermost first; empty if no symbols cover it. For
    /// a return address, set `call` to get the frames of the call.
    #[must_use]
    pub fn frames(&self, pid: u32, address: u64, time: i64, call: bool) -> Vec<SourceFrame> {
        let address = if call { address.saturating_sub(1) } else { address };
        if self.plain || self.machine.methods().at(pid, address, time).is_some() {
            return Vec::new();
        }
        let Some(image) = self.image(pid, address, time).0 else { return Vec::new() };
        let Ok(distance) = u32::try_from(address - image.value.base) else { return Vec::new() };
        self.source(&image.value).map_or_else(Vec::new, |source| source.frames(distance))
    }

    /// The image at an address, and whether it is there at that time. An address of the kernel's that a process has in a
    /// stack is one of the kernel's images.
    fn image(&self, pid: u32, address: u64, time: i64) -> (Option<&'m Span<Image>>, bool) {
        let found = self.image_of(pid, address, time);
        if found.0.is_none() && pid != 0 && may_be_kernel(address) {
            return self.image_of(0, address, time);
        }
        found
    }

    fn image_of(&self, pid: u32, address: u64, time: i64) -> (Option<&'m Span<Image>>, bool) {
        match self.machine.image_at(pid, address, time) {
            Some(image) => (Some(image), true),
            None => (self.machine.image_ever(pid, address), false),
        }
    }

    fn module(&self, image: &Image) -> Rc<str> {
        let mut modules = self.modules.borrow_mut();
        let name = modules.entry(image.module).or_insert_with(|| {
            let name = self.machine.name(image.module);
            // On Unix, the part after a dot belongs to the name: `libc.so.6`.
            let unix = self.machine.name(image.file).starts_with('/');
            if unix { name } else { stem(name) }.into()
        });
        Rc::clone(name)
    }

    fn find(&self, pid: u32, address: u64, time: i64, image: Option<&Span<Image>>) -> Option<Location> {
        if let Some(method) = self.machine.methods().at(pid, address, time) {
            let names = self.machine.names();
            let (space, name) = (names.get(method.namespace), names.get(method.name));
            let dot = if space.is_empty() { "" } else { "." };
            return Some(Location {
                module: image.map_or_else(|| Rc::from(JIT), |image| self.module(&image.value)),
                symbol: Some(Rc::from(format!("{space}{dot}{name}"))),
                offset: address - method.start,
                code: Code::Managed,
            });
        }
        let image = &image?.value;
        let module = self.module(image);
        let code = if image.pid == 0 { Code::Kernel } else { Code::Native };
        let distance = address - image.base;
        let function = self.source(image).and_then(|source| source.function(u32::try_from(distance).ok()?));
        Some(match function {
            Some(function) => Location {
                module,
                symbol: Some(function.name),
                offset: distance.saturating_sub(u64::from(function.start)),
                code,
            },
            None => Location { module, symbol: None, offset: distance, code },
        })
    }

    fn source(&self, image: &Image) -> Found {
        let store = self.store.as_deref()?;
        let mapping = (image.pid, image.base, image.module, image.time_stamp, image.size);
        if let Some(known) = self.mappings.borrow().get(&mapping) {
            return known.clone();
        }
        let request = SymbolRequest::new(self.machine, image);
        let known = self.sources.borrow().get(&request).cloned();
        let found = known.unwrap_or_else(|| {
            let found = store.symbols(&request);
            self.sources.borrow_mut().insert(request, found.clone());
            found
        });
        self.mappings.borrow_mut().insert(mapping, found.clone());
        found
    }
}

/// A file name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
