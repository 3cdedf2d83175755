//! The symbols of one image, by address.

use std::rc::Rc;

use crate::source::{Function, SymbolSource};

/// A symbol: where it starts, relative to the image's base, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// Bytes from the base of the image.
    pub start: u32,
    /// Bytes it covers; 0 when that is not known: then it reaches to the next one.
    pub size: u32,
    /// Its name, readable.
    pub name: Rc<str>,
}

/// The symbols of one image.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    entries: Vec<TableEntry>,
}

impl SymbolTable {
    /// Puts entries in order; of several at one address the first is kept.
    #[must_use]
    pub fn new(mut entries: Vec<TableEntry>) -> SymbolTable {
        entries.sort_by_key(|e| e.start);
        entries.dedup_by_key(|e| e.start);
        SymbolTable { entries }
    }

    /// The symbol that holds an address, and where it starts.
    #[must_use]
    pub fn at(&self, address: u32) -> Option<(&Rc<str>, u32)> {
        let after = self.entries.partition_point(|e| e.start <= address);
        let entry = self.entries.get(after.checked_sub(1)?)?;
        (entry.size == 0 || address - entry.start < entry.size).then_some((&entry.name, entry.start))
    }

    /// Returns the number of symbols.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl SymbolSource for SymbolTable {
    fn function(&self, address: u32) -> Option<Function> {
        let (name, start) = self.at(address)?;
        Some(Function { name: Rc::clone(name), start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_belong_to_the_symbol_before() {
        let entry = |start, size, name: &str| TableEntry { start, size, name: name.into() };
        let table = SymbolTable::new(vec![entry(0x30, 0, "c"), entry(0x10, 8, "a"), entry(0x20, 0, "b")]);
        let at = |address| table.function(address).map(|f| (f.name.to_string(), f.start));
        let found = |name: &str, start| Some((name.to_owned(), start));
        assert_eq!(at(0xf), None);
        assert_eq!(at(0x17), found("a", 0x10));
        assert_eq!(at(0x18), None, "beyond its size");
        assert_eq!(at(0x2f), found("b", 0x20));
        assert_eq!(at(u32::MAX), found("c", 0x30));
        assert_eq!(table.len(), 3);
        assert!(SymbolTable::default().is_empty());
    }
}
