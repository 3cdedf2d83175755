//! Programs and libraries of Linux: their functions by address.

use std::io::Read;
use std::path::Path;

use object::read::elf::{ElfFile32, ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSymbol, SymbolKind, elf};

use crate::demangle::LONGEST_NAME;
use crate::guard::guarded;
use crate::{DatabaseError, SymbolTable, TableEntry, demangle};

/// Larger files are not read.
const LARGEST: u64 = 2 << 30;

/// A program or library, as far as symbols need it.
#[derive(Clone, Debug)]
pub struct ElfImage {
    /// Its functions: all of them, or those that it has for others where its own were stripped.
    pub functions: SymbolTable,
}

impl ElfImage {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no such file, or its headers are damaged.
    pub fn open(path: &Path) -> Result<ElfImage, DatabaseError> {
        let file = std::fs::File::open(path).map_err(DatabaseError::Io)?;
        if file.metadata().is_ok_and(|data| !data.is_file() || data.len() > LARGEST) {
            return Err(DatabaseError::Kind("no program"));
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).map_err(DatabaseError::Io)?;
        ElfImage::parse(&bytes)
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// It is no such file, or its headers are damaged.
    pub fn parse(bytes: &[u8]) -> Result<ElfImage, DatabaseError> {
        let damaged = |error: object::Error| DatabaseError::Damaged(error.to_string());
        let functions = match (bytes.get(..4), bytes.get(4)) {
            (Some(b"\x7fELF"), Some(1)) => {
                guarded(|| ElfFile32::<Endianness>::parse(bytes).map(|f| functions(&f)))
            }
            (Some(b"\x7fELF"), Some(2)) => {
                guarded(|| ElfFile64::<Endianness>::parse(bytes).map(|f| functions(&f)))
            }
            _ => return Err(DatabaseError::Kind("no program")),
        };
        let functions = functions
            .ok_or_else(|| DatabaseError::Damaged("its reader gave up".to_owned()))?
            .map_err(damaged)?;
        Ok(ElfImage { functions })
    }
}

/// The functions, by their distance from where the file is loaded.
fn functions<'d, Elf: FileHeader>(file: &object::read::elf::ElfFile<'d, Elf>) -> SymbolTable {
    let endian = file.endian();
    let loaded = file.elf_program_headers().iter().filter_map(|segment| {
        use object::read::elf::ProgramHeader;
        let address: u64 = segment.p_vaddr(endian).into();
        (segment.p_type(endian) == elf::PT_LOAD).then_some(address)
    });
    // Pages are mapped whole.
    let base = loaded.min().unwrap_or(0) & !0xFFF;
    let entry = |symbol: &dyn Fn() -> Option<(u64, u64, String)>| {
        let (address, size, name) = symbol()?;
        let start = u32::try_from(address.checked_sub(base)?).ok()?;
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        Some(TableEntry { start, size, name: name.into() })
    };
    let read = |symbols: object::read::elf::ElfSymbolIterator<'d, '_, Elf>| -> Vec<TableEntry> {
        let functions = symbols.filter(|s| s.is_definition() && s.kind() == SymbolKind::Text);
        functions
            .filter_map(|symbol| {
                entry(&|| {
                    let name =
                        symbol.name_bytes().ok().filter(|n| !n.is_empty() && n.len() <= LONGEST_NAME)?;
                    Some((symbol.address(), symbol.size(), demangle(&String::from_utf8_lossy(name), false)))
                })
            })
            .collect()
    };
    let all = read(file.symbols());
    SymbolTable::new(if all.is_empty() { read(file.dynamic_symbols()) } else { all })
}
