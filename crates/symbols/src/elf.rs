//! Programs and libraries of Linux: their functions by address.

use std::path::Path;

use object::read::elf::{ElfFile32, ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSymbol, SymbolKind, elf};

use crate::demangle::{LONGEST_NAME, demangle};
use crate::file;
use crate::guard::guarded;
use crate::pdb::DatabaseError;
use crate::table::{SymbolTable, TableEntry};

/// Larger files are not read.
const LARGEST: u64 = 2 << 30;
/// Bytes of a page.
const PAGE: u64 = 4096;

/// A program or library, as far as symbols need it.
#[derive(Clone, Debug)]
pub struct ElfImage {
    /// Its functions: all of them, or those that it has for others where its own were stripped.
    pub functions: SymbolTable,
    /// Whether those are only what it has for others.
    pub exports_only: bool,
    /// The build id that its linker gave this build; empty if it has none.
    pub build_id: Vec<u8>,
    /// Bytes that it takes in memory, in whole pages.
    pub size: u64,
}

impl ElfImage {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no such file, or its headers are damaged.
    pub fn open(path: &Path) -> Result<ElfImage, DatabaseError> {
        let bytes = file::read(path, LARGEST).map_err(DatabaseError::Io)?;
        ElfImage::parse(&bytes.ok_or(DatabaseError::Kind("no program"))?)
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// It is no such file, or its headers are damaged.
    pub fn parse(bytes: &[u8]) -> Result<ElfImage, DatabaseError> {
        let damaged = |error: object::Error| DatabaseError::Damaged(error.to_string());
        let image = match (bytes.get(..4), bytes.get(4)) {
            (Some(b"\x7fELF"), Some(1)) => {
                guarded(|| ElfFile32::<Endianness>::parse(bytes).map(|f| image_of(&f)))
            }
            (Some(b"\x7fELF"), Some(2)) => {
                guarded(|| ElfFile64::<Endianness>::parse(bytes).map(|f| image_of(&f)))
            }
            _ => return Err(DatabaseError::Kind("no program")),
        };
        image.ok_or_else(|| DatabaseError::Damaged("its reader gave up".to_owned()))?.map_err(damaged)
    }
}

/// The parts of a file that are needed; its functions by their offset from the load address.
fn image_of<'d, Elf: FileHeader>(file: &object::read::elf::ElfFile<'d, Elf>) -> ElfImage {
    let endian = file.endian();
    let loaded = || {
        file.elf_program_headers().iter().filter_map(|segment| {
            use object::read::elf::ProgramHeader;
            let (start, size): (u64, u64) = (segment.p_vaddr(endian).into(), segment.p_memsz(endian).into());
            (segment.p_type(endian) == elf::PT_LOAD).then_some((start, start.saturating_add(size)))
        })
    };
    // Pages are mapped whole.
    let base = loaded().map(|(start, _)| start).min().unwrap_or(0) & !(PAGE - 1);
    let end = loaded().map(|(_, end)| end).max().unwrap_or(0);
    let size = end.saturating_sub(base).checked_next_multiple_of(PAGE).unwrap_or(0);
    let entry = |symbol: &dyn Fn() -> Option<(u64, u64, String)>| {
        let (address, size, name) = symbol()?;
        let start = u32::try_from(address.checked_sub(base)?).ok()?;
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        Some(TableEntry { start, size, name: name.into() })
    };
    let read = |symbols: object::read::elf::ElfSymbolIterator<'d, '_, Elf>| -> Vec<TableEntry> {
        let functions = symbols.filter(|s| s.is_definition() && s.kind() == SymbolKind::Text);
        let mut functions: Vec<_> = functions.collect();
        // Of several names for one function the first counts.
        functions.sort_by_cached_key(|function| {
            let name = own_name(function).unwrap_or_default();
            (rank(function, name), name)
        });
        functions
            .into_iter()
            .filter_map(|symbol| {
                entry(&|| {
                    let name = own_name(&symbol)?;
                    Some((symbol.address(), symbol.size(), demangle(&String::from_utf8_lossy(name), false)))
                })
            })
            .collect()
    };
    let all = read(file.symbols());
    let exports_only = all.is_empty();
    let functions = SymbolTable::new(if exports_only { read(file.dynamic_symbols()) } else { all });
    let build_id = file.build_id().ok().flatten().unwrap_or_default().to_vec();
    ElfImage { functions, exports_only, build_id, size }
}

/// The name of a symbol, without the version that the linker adds to some: `pthread_mutex_lock@@GLIBC_2.2.5`; [`None`] for
/// one without a name, or with too long a name.
pub(crate) fn own_name<'d>(symbol: &impl ObjectSymbol<'d>) -> Option<&'d [u8]> {
    let name = symbol.name_bytes().ok().filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME)?;
    match name.iter().position(|byte| *byte == b'@') {
        Some(at) if at > 0 => name.get(..at),
        _ => Some(name),
    }
}

/// The order of the names that a function has: the one that others know it by comes first, as its author wrote it, which is
/// without underscores in front and not weak.
pub(crate) fn rank<'d>(symbol: &impl ObjectSymbol<'d>, name: &[u8]) -> (bool, usize, bool) {
    let underscores = name.iter().take_while(|byte| **byte == b'_').count();
    (!symbol.is_global(), underscores, symbol.is_weak())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::SymbolSource;

    #[test]
    fn this_program_has_this_function() {
        let path = std::env::current_exe().unwrap();
        let image = ElfImage::open(&path).unwrap();
        let here = this_program_has_this_function as fn() as usize as u64;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let first = maps.lines().find(|line| line.ends_with(path.to_str().unwrap())).unwrap();
        let base = u64::from_str_radix(first.split('-').next().unwrap(), 16).unwrap();
        let function = image.functions.function(u32::try_from(here - base).unwrap()).unwrap();
        assert!(function.name.contains("this_program_has_this_function"), "{}", function.name);
        assert_eq!(u64::from(function.start), here - base);
    }

    /// The name of a function in a stack is the one that a probe on it has.
    #[test]
    fn issue_17_functions_have_one_name() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let of_library = maps
            .lines()
            .find_map(|line| line.split(' ').next_back().filter(|path| path.contains("/libc.so")));
        let path = of_library.map(std::path::PathBuf::from).unwrap_or(std::env::current_exe().unwrap());
        let image = ElfImage::open(&path).unwrap();
        let code = crate::ElfCode::open(&path, Path::new("/")).unwrap();
        let mut compared = 0;
        for function in code.functions.iter().filter(|function| !function.alias && !function.indirect) {
            let Ok(address) = u32::try_from(function.address) else { continue };
            let Some(found) = image.functions.function(address).filter(|found| found.start == address) else {
                continue;
            };
            assert_eq!(*found.name, *function.name, "{address:#x}");
            compared += 1;
        }
        assert!(compared > 500, "{compared} of {}", code.functions.len());
        assert!(code.functions.iter().all(|function| !function.name.contains("@")));
    }

    #[test]
    fn what_is_cut_off_or_changed_does_no_harm() {
        let whole = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        for end in (0..whole.len()).step_by(whole.len() / 40).chain(0..200) {
            let _ = ElfImage::parse(&whole[..end]);
        }
        // The headers, where everything else is found by.
        let mut changed = whole[..whole.len().min(1 << 20)].to_vec();
        for at in 4..120 {
            let before = changed[at];
            for value in [0, 1, 0x7F, 0xFF] {
                changed[at] = value;
                let _ = ElfImage::parse(&changed);
            }
            changed[at] = before;
        }
        assert!(matches!(ElfImage::parse(b"MZ"), Err(DatabaseError::Kind(_))));
    }
}
