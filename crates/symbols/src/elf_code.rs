//! The code of a program or library of Linux: its functions by name, with the places in the file at which they begin.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile64, FileHeader, ProgramHeader, Sym};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, elf};
use rustc_hash::FxHashMap;

use crate::demangle::{LONGEST_NAME, demangle};
use crate::elf::{own_name, rank};
use crate::elf_probes::{self, StaticProbe};
use crate::file;
use crate::guard::guarded;
use crate::pdb::DatabaseError;

/// Larger files are not read.
const LARGEST: u64 = 2 << 30;
/// The folder of distributions for symbols of stripped builds.
const DEBUG: &str = "/usr/lib/debug";

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeFunction {
    /// The linker's name.
    pub symbol: String,
    /// The readable name: that of the source.
    pub name: String,
    /// Its address, as the file has it.
    pub address: u64,
    /// Bytes; 0 if the file does not report them.
    pub size: u64,
    /// The linker's symbol is one of several for this address, and not the preferred one.
    pub alias: bool,
    /// The symbol names a function that selects the actual function when the program is loaded.
    pub indirect: bool,
}

impl CodeFunction {
    /// The symbol names a seldom used part of a function, which begins elsewhere.
    #[must_use]
    pub fn is_part(&self) -> bool {
        let end = self.symbol.rsplit_once(".cold").map(|(_, end)| end);
        end.is_some_and(|end| end.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit()))
    }
}

/// A part of the file that is mapped into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    address: u64,
    size: u64,
    offset: u64,
    executable: bool,
}

/// The code of a program or library.
#[derive(Clone, Debug)]
pub struct ElfCode {
    /// The functions, by address.
    pub functions: Vec<CodeFunction>,
    /// The probes that the program contains.
    pub probes: Vec<StaticProbe>,
    /// The functions are only those that others may call: the file is stripped, and no file with its symbols was found.
    pub exports_only: bool,
    /// Return addresses on the stack must not be changed: the program was compiled by Go, which moves its stacks, or by C++ or
    /// Rust, whose exceptions and panics would end the program where they meet an unknown address.
    pub keeps_returns: bool,
    /// The machine is an x86-64.
    pub x86_64: bool,
    /// The address at which the program begins.
    pub entry: u64,
    /// The program that loads this one.
    pub interpreter: Option<PathBuf>,
    /// Where the symbols of a stripped file may be.
    pub apart: Vec<PathBuf>,
    bytes: Vec<u8>,
    segments: Vec<Segment>,
    symbols: OnceCell<FxHashMap<String, u64>>,
}

impl ElfCode {
    /// Reads a file. `root` is put before the folder with the symbols of stripped files.
    ///
    /// # Errors
    /// The file cannot be read, is not a program of 64 bits, or is damaged.
    pub fn open(path: &Path, root: &Path) -> Result<ElfCode, DatabaseError> {
        let bytes = read(path)?;
        let mut code = parse(&bytes)?;
        let apart = guarded(|| places_apart(&bytes, path, root)).unwrap_or_default();
        if code.exports_only {
            let apart = guarded(|| separate(&apart)).flatten();
            if let Some(functions) = apart.filter(|functions| !functions.is_empty()) {
                code.functions = functions;
                code.exports_only = false;
            }
        }
        code.bytes = bytes;
        code.apart = apart;
        Ok(code)
    }

    /// The offset in the file of an address; [`None`] if no part of the file is mapped there.
    #[must_use]
    pub fn offset(&self, address: u64) -> Option<u64> {
        self.place(address, false)
    }

    fn place(&self, address: u64, executable: bool) -> Option<u64> {
        let segment = self.segments.iter().find(|segment| {
            (!executable || segment.executable)
                && address.checked_sub(segment.address).is_some_and(|inside| inside < segment.size)
        })?;
        (address - segment.address).checked_add(segment.offset)
    }

    /// The offset in the file of an instruction; [`None`] if the address is not that of code.
    #[must_use]
    pub fn code_offset(&self, address: u64) -> Option<u64> {
        self.place(address, true)
    }

    /// The address of an offset in the file.
    #[must_use]
    pub fn address(&self, offset: u64) -> Option<u64> {
        let segment = self
            .segments
            .iter()
            .find(|segment| offset.checked_sub(segment.offset).is_some_and(|inside| inside < segment.size))?;
        (offset - segment.offset).checked_add(segment.address)
    }

    /// The bytes of the code from an address on, at most `size`.
    #[must_use]
    pub fn bytes(&self, address: u64, size: u64) -> &[u8] {
        let bytes = || {
            let start = usize::try_from(self.code_offset(address)?).ok()?;
            let rest = self.bytes.get(start..)?;
            Some(&rest[..rest.len().min(usize::try_from(size).unwrap_or(usize::MAX))])
        };
        bytes().unwrap_or_default()
    }

    /// The address of a variable or function by the linker's name.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols
            .get_or_init(|| guarded(|| symbols_of(&self.bytes)).unwrap_or_default())
            .get(name)
            .copied()
    }

    /// The function that contains an address.
    #[must_use]
    pub fn function_at(&self, address: u64) -> Option<&CodeFunction> {
        let after = self.functions.partition_point(|function| function.address <= address);
        let last = self.functions.get(after.checked_sub(1)?)?.address;
        let first = self.functions.partition_point(|function| function.address < last);
        self.functions
            .get(first..after)?
            .iter()
            .find(|function| address - function.address < function.size.max(1))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, DatabaseError> {
    file::read(path, LARGEST).map_err(DatabaseError::Io)?.ok_or(DatabaseError::Kind("no program"))
}

fn parse(bytes: &[u8]) -> Result<ElfCode, DatabaseError> {
    match bytes.get(..5) {
        Some(b"\x7fELF\x02") => {}
        Some(b"\x7fELF\x01") => return Err(DatabaseError::Kind("program of 64 bits")),
        _ => return Err(DatabaseError::Kind("program")),
    }
    let damaged = |error: object::Error| DatabaseError::Damaged(error.to_string());
    guarded(|| ElfFile64::<Endianness>::parse(bytes).map(|file| code_of(&file)))
        .ok_or_else(|| DatabaseError::Damaged("its reader gave up".to_owned()))?
        .map_err(damaged)
}

type File<'d> = ElfFile64<'d, Endianness>;

fn code_of(file: &File<'_>) -> ElfCode {
    let endian = file.endian();
    let mut segments = Vec::new();
    for header in file.elf_program_headers() {
        if header.p_type(endian) == elf::PT_LOAD {
            segments.push(Segment {
                address: header.p_vaddr(endian),
                size: header.p_filesz(endian),
                offset: header.p_offset(endian),
                executable: header.p_flags(endian).contains(elf::PF_X),
            });
        }
    }
    let interpreter = file.elf_program_headers().iter().find_map(|header| {
        let text = header.interpreter(endian, file.data()).ok()??;
        Some(PathBuf::from(String::from_utf8_lossy(text).into_owned()))
    });
    let section = |name| file.section_by_name(name).is_some();
    let functions = functions_of(file, false);
    let exports_only = functions.is_empty();
    ElfCode {
        functions: if exports_only { functions_of(file, true) } else { functions },
        probes: elf_probes::in_file(file),
        exports_only,
        keeps_returns: section(".note.go.buildid") || section(".go.buildinfo") || unwinds(file),
        x86_64: file.elf_header().e_machine(endian) == elf::EM_X86_64,
        entry: file.entry(),
        interpreter,
        apart: Vec::new(),
        bytes: Vec::new(),
        segments,
        symbols: OnceCell::new(),
    }
}

/// Returns `true` if exceptions or panics unwind the stack through a program or library.
fn unwinds(file: &File<'_>) -> bool {
    const OF_CPP: &[u8] = b"__gxx_personality_v0";
    const OF_RUST: &[u8] = b"rust_eh_personality";
    let compiler = file.section_by_name(".comment").and_then(|section| section.data().ok());
    let by_rust = compiler.is_some_and(|text| text.windows(5).any(|word| word == b"rustc"));
    by_rust
        || file.dynamic_symbols().chain(file.symbols()).any(|symbol| {
            symbol.name_bytes().is_ok_and(|name| {
                // A reference to it may have a prefix.
                name.ends_with(OF_CPP) || name.ends_with(OF_RUST)
            })
        })
}

/// The addresses of all that has a name.
fn symbols_of(bytes: &[u8]) -> FxHashMap<String, u64> {
    let Ok(file) = File::parse(bytes) else { return FxHashMap::default() };
    let defined = file.dynamic_symbols().chain(file.symbols()).filter(ObjectSymbol::is_definition);
    let named = defined.filter_map(|symbol| {
        let name = symbol.name().ok().filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME)?;
        Some((name.to_owned(), symbol.address()))
    });
    named.collect()
}

fn functions_of(file: &File<'_>, exported: bool) -> Vec<CodeFunction> {
    const INDIRECT: u8 = 10;
    let endian = file.endian();
    let symbols = if exported { file.dynamic_symbols() } else { file.symbols() };
    let mut found = Vec::new();
    for symbol in symbols {
        let kind = symbol.elf_symbol().st_type();
        let indirect = kind == elf::SymbolType(INDIRECT);
        let defined = symbol.is_definition() || indirect && !symbol.is_undefined();
        if !defined || !(kind == elf::STT_FUNC || indirect) {
            continue;
        }
        let Some(name) = own_name(&symbol) else { continue };
        let symbol_name = String::from_utf8_lossy(name).into_owned();
        let rank = rank(&symbol, symbol_name.as_bytes());
        let name = demangle(&symbol_name, false);
        let function = CodeFunction {
            symbol: symbol_name,
            name,
            address: symbol.elf_symbol().st_value(endian),
            size: symbol.elf_symbol().st_size(endian),
            alias: false,
            indirect,
        };
        found.push((rank, function));
    }
    found.sort_by(|(rank, function), (other_rank, other)| {
        (function.address, rank, &function.symbol).cmp(&(other.address, other_rank, &other.symbol))
    });
    let mut functions: Vec<CodeFunction> = Vec::with_capacity(found.len());
    for (_, mut function) in found {
        match functions.last() {
            Some(last) if last.symbol == function.symbol && last.address == function.address => continue,
            Some(last) => function.alias = last.address == function.address,
            None => {}
        }
        functions.push(function);
    }
    functions
}

/// Maximum number of folders in which a file has libraries looked for, and of bytes of the name of one.
const MOST_FOLDERS: usize = 64;
const LONGEST_FOLDER: usize = 4096;

/// The folders in which a program or library has the loader look for libraries (`DT_RPATH`, `DT_RUNPATH`), as they are written:
/// with `$ORIGIN` for the folder of the file. At most 64; none if the file cannot be read.
#[must_use]
pub fn library_folders(path: &Path) -> Vec<String> {
    let Ok(bytes) = read(path) else { return Vec::new() };
    guarded(|| folders_in(&bytes)).flatten().unwrap_or_default()
}

fn folders_in(bytes: &[u8]) -> Option<Vec<String>> {
    let file = File::parse(bytes).ok()?;
    let data = |name| file.section_by_name(name)?.data().ok();
    Some(folders(data(".dynamic")?, data(".dynstr")?))
}

/// The folders that entries name, at most [`MOST_FOLDERS`]: of so many entries, and so many bytes of each.
fn folders(entries: &[u8], names: &[u8]) -> Vec<String> {
    const RPATH: u64 = 15;
    const RUNPATH: u64 = 29;
    let word = |entry: &[u8], at: usize| Some(u64::from_le_bytes(*entry.get(at..)?.first_chunk()?));
    let list = |entry: &[u8]| match (word(entry, 0)?, word(entry, 8)?) {
        (RPATH | RUNPATH, at) => names.get(usize::try_from(at).ok()?..),
        _ => None,
    };
    let lists = entries.chunks_exact(16).filter_map(list).take(MOST_FOLDERS);
    let folders = lists.flat_map(|list| {
        let list = list.get(..MOST_FOLDERS * LONGEST_FOLDER).unwrap_or(list);
        list.split(|byte| *byte == 0).next().unwrap_or_default().split(|byte| *byte == b':')
    });
    let folders = folders.filter(|name| name.len() <= LONGEST_FOLDER);
    folders.take(MOST_FOLDERS).map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Where the file with the symbols of a stripped one may be, by its build id or by its path.
fn places_apart(bytes: &[u8], path: &Path, root: &Path) -> Vec<PathBuf> {
    let Ok(file) = File::parse(bytes) else { return Vec::new() };
    let id = file.build_id().ok().flatten().unwrap_or_default();
    let debug = root.join(DEBUG.trim_start_matches('/'));
    let mut places = Vec::new();
    if let [first, rest @ ..] = id
        && !rest.is_empty()
    {
        let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
        places.push(debug.join(format!(".build-id/{first:02x}/{rest}.debug")));
    }
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let inside = real.strip_prefix(root).or_else(|_| real.strip_prefix("/")).unwrap_or(&real);
    let mut beside = debug.join(inside).into_os_string();
    beside.push(".debug");
    places.push(beside.into());
    // A file of another build has other addresses.
    places.retain(|place| {
        let Ok(bytes) = read(place) else { return false };
        let found = File::parse(&bytes[..]).ok().map(|file| file.build_id().ok().flatten() == Some(id));
        found.unwrap_or(false)
    });
    places
}

/// The functions in the first of some files with symbols.
fn separate(apart: &[PathBuf]) -> Option<Vec<CodeFunction>> {
    apart.iter().find_map(|place| {
        let bytes = read(place).ok()?;
        let symbols = File::parse(&bytes[..]).ok()?;
        Some(functions_of(&symbols, false))
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn issue_17_parts_of_functions_are_no_functions() {
        for (symbol, expected) in [
            ("f", false),
            ("f.cold", true),
            ("_Z1fv.cold.7", true),
            ("f.cold.x", false),
            ("f.coldest", false),
            ("f.isra.0", false),
        ] {
            let function = CodeFunction {
                symbol: symbol.to_owned(),
                name: String::new(),
                address: 0,
                size: 0,
                alias: false,
                indirect: false,
            };
            assert_eq!(function.is_part(), expected, "{symbol}");
        }
    }

    #[test]
    fn issue_17_folders_of_libraries_are_few_and_short() {
        let entry = |tag: u64, at: u64| [tag.to_le_bytes(), at.to_le_bytes()].concat();
        let names = b"\0/a:$ORIGIN/b\0libz.so\0/c";
        let entries =
            [entry(15, 1), entry(1, 14), entry(29, 22), entry(29, 99), entry(29, u64::MAX)].concat();
        assert_eq!(folders(&entries, names), ["/a", "$ORIGIN/b", "/c"]);
        assert_eq!(folders(&entries[..15], names), [""; 0]);
        // A file that has a million of them, and names that no folder has.
        let many = b"/d:".repeat(MOST_FOLDERS + 1);
        assert_eq!(folders(&entry(29, 0), &many), ["/d"; MOST_FOLDERS]);
        assert_eq!(folders(&entry(29, 0).repeat(1_000_000), b"/e"), ["/e"; MOST_FOLDERS]);
        let longest = "f".repeat(LONGEST_FOLDER);
        assert_eq!(folders(&entry(29, 0), longest.as_bytes()), [&*longest]);
        assert_eq!(folders(&entry(29, 0), format!("{longest}f:/g").as_bytes()), ["/g"]);
    }

    #[test]
    fn issue_17_this_program_has_this_function_in_its_file() {
        let path = std::env::current_exe().unwrap();
        let code = ElfCode::open(&path, Path::new("/")).unwrap();
        let name = "issue_17_this_program_has_this_function_in_its_file";
        let function = code.functions.iter().find(|function| function.name.ends_with(name)).unwrap();
        let offset = code.code_offset(function.address).unwrap();
        assert_eq!(code.address(offset), Some(function.address));
        let file = std::fs::read(&path).unwrap();
        let bytes = code.bytes(function.address, 16);
        assert_eq!(bytes, &file[offset as usize..offset as usize + 16]);
        assert_eq!(code.function_at(function.address + 1).map(|found| found.address), Some(function.address));
        assert!(code.keeps_returns && !code.exports_only && code.code_offset(code.entry).is_some());
        // What is cut off does no harm.
        for end in (0..file.len()).step_by(file.len() / 30).chain(0..200) {
            let _ = parse(&file[..end]);
        }
    }
}
