//! Functions of a module, and public symbols of the whole image, by address.

use std::rc::Rc;

use pdb2::{AddressMap, FallibleIterator, ImageSectionHeader, SymbolData};

use super::parser::Parser;
use crate::demangle::demangle;
use crate::source::Function;

/// Kind of the record of a public symbol (S_PUB32).
const PUBLIC: u16 = 0x110e;
/// The code may be executed (IMAGE_SCN_MEM_EXECUTE).
const EXECUTABLE: u32 = 0x2000_0000;

/// Maximum distance in records at which the function of split-off code is searched.
const NEAR: usize = 64;
/// Images have no more sections than this.
const MOST_SECTIONS: usize = 96;

/// Public symbols in code, by address; their names as the linker wrote them.
#[derive(Debug, Default)]
pub(super) struct Publics {
    /// Start, and where the name is in `names`.
    entries: Vec<(u32, u32, u32)>,
    names: String,
}

impl Publics {
    pub(super) fn read(
        table: &pdb2::SymbolTable<'_>,
        map: &AddressMap<'_>,
        sections: &[ImageSectionHeader],
    ) -> pdb2::Result<Publics> {
        let executable: Vec<_> = sections
            .iter()
            .take(MOST_SECTIONS)
            .filter(|s| s.characteristics.0 & EXECUTABLE != 0)
            .map(|s| (s.virtual_address, s.virtual_size.max(s.size_of_raw_data)))
            .collect();
        let mut publics = Publics::default();
        let mut symbols = table.iter();
        while let Some(symbol) = symbols.next()? {
            if symbol.raw_kind() != PUBLIC {
                continue;
            }
            let Ok(SymbolData::Public(public)) = symbol.parse() else { continue };
            let Some(start) = public.offset.to_rva(map) else { continue };
            // Functions in assembler are often marked as nothing.
            let code = || executable.iter().any(|(from, size)| start.0.wrapping_sub(*from) < *size);
            if !(public.function || public.code || code()) {
                continue;
            }
            let name = public.name.to_string();
            let (Ok(at), Ok(length)) = (u32::try_from(publics.names.len()), u32::try_from(name.len())) else {
                break;
            };
            publics.names.push_str(&name);
            publics.entries.push((start.0, at, length));
        }
        // Of several names of one function the linker's first is kept.
        publics.entries.sort_by_key(|e| e.0);
        publics.entries.dedup_by_key(|e| e.0);
        publics.entries.shrink_to_fit();
        Ok(publics)
    }

    /// The last symbol at or before an address.
    pub(super) fn at(&self, address: u32) -> Option<(u32, &str)> {
        let after = self.entries.partition_point(|e| e.0 <= address);
        let (start, at, length) = *self.entries.get(after.checked_sub(1)?)?;
        let name = self.names.get(at as usize..(at as usize).checked_add(length as usize)?)?;
        Some((start, name))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A piece of a function's code.
#[derive(Debug)]
struct Piece {
    start: u32,
    end: u32,
    /// Start of the function, which differs for code that was split off.
    function: u32,
    name: Rc<str>,
}

/// The functions of a module.
#[derive(Debug, Default)]
pub(super) struct Functions {
    pieces: Vec<Piece>,
    size: usize,
}

impl Functions {
    pub(super) fn read(parser: &mut Parser, module: u32) -> pdb2::Result<Functions> {
        let Some(module) = parser.modules.get(module) else { return Ok(Functions::default()) };
        // Many modules have no symbols.
        let Some(info) = parser.pdb.module_info(module)? else { return Ok(Functions::default()) };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut size = 0;
        // The function whose records are being read: split off code belongs to it.
        let mut symbols = info.symbols()?;
        while let Some(symbol) = symbols.next()? {
            let (offset, length, name) = match symbol.parse() {
                Ok(SymbolData::Procedure(p)) => (p.offset, p.len, p.name.to_string()),
                Ok(SymbolData::Thunk(t)) => (t.offset, u32::from(t.len), t.name.to_string()),
                Ok(SymbolData::SeparatedCode(code)) => {
                    let (Some(start), Some(parent)) =
                        (code.offset.to_rva(&parser.map), code.parent_offset.to_rva(&parser.map))
                    else {
                        continue;
                    };
                    // Its function's record is not far before.
                    let mut near = pieces.iter().rev().take(NEAR);
                    let known = near.find(|p| p.start <= parent.0 && parent.0 < p.end);
                    if let Some((name, function)) = known.map(|p| (Rc::clone(&p.name), p.function)) {
                        let end = start.0.saturating_add(code.len);
                        pieces.push(Piece { start: start.0, end, function, name });
                        size += size_of::<Piece>();
                    }
                    continue;
                }
                _ => continue,
            };
            let Some(start) = offset.to_rva(&parser.map) else { continue };
            // Names in records are readable and undecorated, except those of languages that are mangled.
            let name: Rc<str> = match name.as_bytes().first() {
                Some(b'?' | b'_') => demangle(&name, false).into(),
                _ => Rc::from(&*name),
            };
            size += size_of::<Piece>() + name.len();
            let end = start.0.saturating_add(length.max(1));
            pieces.push(Piece { start: start.0, end, function: start.0, name });
        }
        pieces.sort_by_key(|p| p.start);
        pieces.dedup_by_key(|p| p.start);
        pieces.shrink_to_fit();
        Ok(Functions { pieces, size })
    }

    pub(super) fn at(&self, address: u32) -> Option<Function> {
        let after = self.pieces.partition_point(|p| p.start <= address);
        let piece = self.pieces.get(after.checked_sub(1)?)?;
        // Code that was split off and lies before its function has no honest distance from it.
        let start = if piece.function <= address { piece.function } else { piece.start };
        (address < piece.end).then(|| Function { name: Rc::clone(&piece.name), start })
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }
}
