//! What lies at addresses, as text: the same in every run, while the addresses differ.

use std::collections::HashMap;

use tracewell_dlang::program::SymbolKind;

use crate::host::Names;

/// What lies at an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The symbol, or the address where no module is known.
    pub found: Found,
    /// The functions of the source, innermost first, if the run showed them.
    pub source: Vec<Function>,
}

/// A symbol, or an address without one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    /// An address that has no name.
    Address(u64),
    /// A part of a module.
    Symbol {
        /// Module or image.
        module: String,
        /// Function, when one is known.
        symbol: Option<String>,
        /// Bytes from the function's start, or from the module's.
        offset: u64,
    },
}

/// A function of the source at an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether its code is part of the function that follows.
    pub inlined: bool,
    /// File and line.
    pub line: Option<(String, u32)>,
}

impl Place {
    /// Bytes of memory that it takes: it is in the list, and the key of its number.
    pub(super) fn cost(&self) -> u64 {
        let text = match &self.found {
            Found::Address(_) => 0,
            Found::Symbol { module, symbol, .. } => module.len() + symbol.as_ref().map_or(0, String::len),
        };
        let function = |function: &Function| {
            let file = function.line.as_ref().map_or(0, |(file, _)| file.len());
            size_of::<Function>() + function.name.len() + file
        };
        let source: usize = self.source.iter().map(function).sum();
        2 * (size_of::<Place>() + text + source) as u64
    }
}

/// Places by number. Keys of aggregations contain the numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    list: Vec<Place>,
    numbers: HashMap<Place, u64>,
}

impl Places {
    /// The number of a place.
    pub(super) fn number(&mut self, place: Place) -> u64 {
        let next = self.list.len() as u64;
        let number = *self.numbers.entry(place.clone()).or_insert(next);
        if number == next {
            self.list.push(place);
        }
        number
    }

    /// The number of a place, which takes room if it is new; [`None`] if there is none.
    pub(super) fn within(&mut self, place: &Place, room: &mut u64) -> Option<u64> {
        if let Some(&number) = self.numbers.get(place) {
            return Some(number);
        }
        *room = room.checked_sub(place.cost())?;
        Some(self.number(place.clone()))
    }

    pub(super) fn get(&self, number: u64) -> Option<&Place> {
        self.list.get(usize::try_from(number).ok()?)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Place> {
        self.list.iter()
    }
}

/// Which text an address has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// The key of `sym()` and similar functions.
    Symbol(SymbolKind),
    /// The innermost frame of a stack.
    Innermost,
    /// A frame that called another.
    Caller,
}

/// Resolves the addresses of a run.
pub(super) struct Resolver<'n> {
    names: &'n dyn Names,
    /// Frames show lines or inlined functions.
    with_source: bool,
    known: HashMap<(Role, Option<u64>, u64), u64>,
}

impl<'n> Resolver<'n> {
    pub(super) fn new(names: &'n dyn Names, with_source: bool) -> Resolver<'n> {
        Resolver { names, with_source, known: HashMap::new() }
    }

    /// The number of the place at an address, by the text that it is shown as: what is shown alike is one place.
    /// [`None`] if there is no room for it.
    pub(super) fn number(
        &mut self,
        (places, room): (&mut Places, &mut u64),
        role: Role,
        pid: Option<u64>,
        address: u64,
    ) -> Option<u64> {
        if let Some(&number) = self.known.get(&(role, pid, address)) {
            return Some(number);
        }
        let number = places.within(&self.place(role, pid, address), room)?;
        self.known.insert((role, pid, address), number);
        Some(number)
    }

    fn place(&self, role: Role, pid: Option<u64>, address: u64) -> Place {
        let called = role == Role::Caller;
        let found = if called { self.names.caller(pid, address) } else { self.names.symbol(pid, address) };
        let found = match found {
            None => Found::Address(address),
            Some(symbol) => {
                let (module, offset) = (symbol.module.into_owned(), symbol.offset);
                let symbol = symbol.symbol.map(|name| name.into_owned());
                match role {
                    Role::Symbol(SymbolKind::Mod | SymbolKind::UMod) => {
                        Found::Symbol { module, symbol: None, offset: 0 }
                    }
                    Role::Symbol(SymbolKind::Sym | SymbolKind::USym) if symbol.is_some() => {
                        Found::Symbol { module, symbol, offset: 0 }
                    }
                    _ => Found::Symbol { module, symbol, offset },
                }
            }
        };
        let source = match role {
            Role::Innermost | Role::Caller if self.with_source => {
                let frames = self.names.source(pid, address, called).into_iter();
                let function = |frame: crate::host::SourceFrame<'_>| Function {
                    name: frame.function.into_owned(),
                    inlined: frame.inlined,
                    line: frame.line.map(|(file, line)| (file.into_owned(), line)),
                };
                frames.map(function).collect()
            }
            _ => Vec::new(),
        };
        Place { found, source }
    }
}
