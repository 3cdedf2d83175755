//! Libraries for Windows that have no code: all of their functions lead to other libraries.
//!
//! Such a library takes the place of one of Wine's. It leads to a copy of that one and, because it imports from it, has Wine
//! load the library that replaces the event tracing functions.

use std::collections::BTreeMap;

use object::LittleEndian as LE;
use object::read::pe::PeFile64;

/// A function of a library, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forward {
    pub(crate) ordinal: u32,
    /// `None` for a function that has only its ordinal.
    pub(crate) name: Option<String>,
    /// `LIBRARY.NAME` or `LIBRARY.#ORDINAL`.
    pub(crate) target: String,
}

/// The functions of a library of Wine, each leading to the same function of `library` or, if `replaced` lists it, to that of
/// another library. A function of `replaced` that the library lacks is added.
///
/// # Errors
/// The file is not a library for Windows on x86-64.
pub(crate) fn forwards(
    wine: &[u8],
    library: &str,
    replaced: &BTreeMap<&str, &str>,
) -> Result<Vec<Forward>, String> {
    let file = PeFile64::parse(wine).map_err(|error| error.to_string())?;
    let table = file.export_table().map_err(|error| error.to_string())?.ok_or("it exports nothing")?;
    let base = u32::from(table.ordinal_base());
    let mut names = BTreeMap::<u32, Vec<String>>::new();
    for (name, index) in table.name_iter() {
        let name = table.name_from_pointer(name).map_err(|error| error.to_string())?;
        let name = std::str::from_utf8(name).map_err(|_| "it exports a name that is not text")?;
        names.entry(u32::from(index.0)).or_default().push(name.to_owned());
    }
    let mut found = Vec::new();
    for (index, address) in (0_u32..).zip(table.addresses()) {
        let ordinal = base.saturating_add(index);
        let names = names.remove(&index).unwrap_or_default();
        if names.is_empty() && address.get(LE) != 0 {
            found.push(Forward { ordinal, name: None, target: format!("{library}.#{ordinal}") });
        }
        for name in names {
            let library = replaced.get(&*name).unwrap_or(&library);
            found.push(Forward { ordinal, target: format!("{library}.{name}"), name: Some(name) });
        }
    }
    let mut next = found.iter().map(|forward| forward.ordinal).max().unwrap_or(0) + 1;
    for (name, library) in replaced {
        if !found.iter().any(|forward| forward.name.as_deref() == Some(name)) {
            let (name, target) = (Some((*name).to_owned()), format!("{library}.{name}"));
            found.push(Forward { ordinal: next, name, target });
            next += 1;
        }
    }
    Ok(found)
}

/// Address of the only section, and the alignment of sections in memory.
const SECTION: u32 = 0x1000;
/// Bytes of the headers, and the alignment of sections in the file.
const HEADERS: u32 = 0x200;
/// Offset of the headers proper. What lies before it identifies Wine's own libraries.
const NEW_HEADER: u32 = 0x80;

/// The bytes of a section, which refer to each other by their addresses.
#[derive(Debug, Default)]
struct Section(Vec<u8>);

impl Section {
    /// The address of the next byte.
    fn here(&self) -> u32 {
        SECTION + self.0.len() as u32
    }

    fn words(&mut self, words: &[u32]) {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    /// Appends a text with its zero; returns its address.
    fn text(&mut self, text: &str) -> u32 {
        let at = self.here();
        self.0.extend(text.bytes());
        self.0.push(0);
        at
    }

    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn set(&mut self, address: u32, word: u32) {
        let at = (address - SECTION) as usize;
        if let Some(place) = self.0.get_mut(at..at + 4) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// A library with these functions, which imports `import.1` of the library `import.0`.
pub(crate) fn library(name: &str, import: (&str, &str), forwards: &[Forward]) -> Vec<u8> {
    let mut section = Section::default();
    let exports = export_directory(&mut section, name, forwards);
    let export_size = section.here() - exports;
    section.align(16);
    let imports = import_directory(&mut section, import);
    let import_size = 40;
    let size = section.0.len() as u32;
    section.align(HEADERS as usize);

    let mut out = vec![0; NEW_HEADER as usize];
    out[..2].copy_from_slice(b"MZ");
    out[0x3C..0x40].copy_from_slice(&NEW_HEADER.to_le_bytes());
    out.extend(b"PE\0\0");
    // x86-64, one section, no time, no symbols; size of the optional header; a library that may lie anywhere.
    out.extend([0x8664_u16, 1].map(u16::to_le_bytes).as_flattened());
    out.extend([0_u32; 3].map(u32::to_le_bytes).as_flattened());
    out.extend([240_u16, 0x2022].map(u16::to_le_bytes).as_flattened());
    out.extend(optional_header(size, [exports, export_size, imports, import_size]));
    out.extend(b".rdata\0\0");
    for word in [size, SECTION, section.0.len() as u32, HEADERS, 0, 0, 0, 0xC000_0040] {
        out.extend(word.to_le_bytes());
    }
    out.resize(HEADERS as usize, 0);
    out.extend(section.0);
    out
}

/// The optional header of PE32+, with the directories of exports and imports.
fn optional_header(size: u32, directories: [u32; 4]) -> Vec<u8> {
    let image = (SECTION + size).next_multiple_of(SECTION);
    let mut out = Vec::new();
    out.extend([0x20B_u16, 1].map(u16::to_le_bytes).as_flattened());
    // Sizes of code and data; no entry point.
    for word in [0, size, 0, 0, SECTION] {
        out.extend(u32::to_le_bytes(word));
    }
    out.extend(0x1_8000_0000_u64.to_le_bytes());
    out.extend([SECTION, HEADERS].map(u32::to_le_bytes).as_flattened());
    // Versions of the system, of the library, of the subsystem.
    out.extend([6_u16, 0, 0, 0, 6, 0].map(u16::to_le_bytes).as_flattened());
    out.extend([0, image, HEADERS, 0].map(u32::to_le_bytes).as_flattened());
    // Console; may lie anywhere, and has no code on its stack.
    out.extend([3_u16, 0x160].map(u16::to_le_bytes).as_flattened());
    out.extend([0x10_0000_u64, 0x1000, 0x10_0000, 0x1000].map(u64::to_le_bytes).as_flattened());
    out.extend([0, 16].map(u32::to_le_bytes).as_flattened());
    out.extend(directories.map(u32::to_le_bytes).as_flattened());
    out.resize(240, 0);
    out
}

/// Appends the directory of exports. An address inside it is that of a text, which leads to another library.
fn export_directory(section: &mut Section, name: &str, forwards: &[Forward]) -> u32 {
    let base = forwards.iter().map(|forward| forward.ordinal).min().unwrap_or(1);
    let last = forwards.iter().map(|forward| forward.ordinal).max().unwrap_or(0);
    let count = (last + 1).saturating_sub(base);
    let mut named: Vec<(&str, u32)> =
        forwards.iter().filter_map(|f| Some((f.name.as_deref()?, f.ordinal - base))).collect();
    named.sort_unstable();
    let directory = section.here();
    let functions = directory + 40;
    let names = functions + 4 * count;
    let ordinals = names + 4 * named.len() as u32;
    section.words(&[0, 0, 0, 0, base, count, named.len() as u32, functions, names, ordinals]);
    section.0.resize((ordinals - SECTION) as usize, 0);
    for (_, index) in &named {
        section.0.extend((*index as u16).to_le_bytes());
    }
    let own = section.text(name);
    section.set(directory + 12, own);
    for ((name, _), place) in named.iter().zip((names..).step_by(4)) {
        let at = section.text(name);
        section.set(place, at);
    }
    for forward in forwards {
        let at = section.text(&forward.target);
        section.set(functions + 4 * (forward.ordinal - base), at);
    }
    directory
}

/// Appends the directory of imports: one function of one library.
fn import_directory(section: &mut Section, (library, function): (&str, &str)) -> u32 {
    let directory = section.here();
    section.words(&[0; 10]);
    section.align(8);
    let lookup = section.here();
    section.words(&[0; 4]);
    let addresses = section.here();
    section.words(&[0; 4]);
    let hint = section.here();
    section.0.extend([0; 2]);
    section.text(function);
    let name = section.text(library);
    for (place, word) in [(0, lookup), (12, name), (16, addresses)] {
        section.set(directory + place, word);
    }
    section.set(lookup, hint);
    section.set(addresses, hint);
    directory
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::pe::ImageNtHeaders64;
    use object::read::pe::{ExportTarget, Import};

    fn sample() -> Vec<Forward> {
        let forward = |ordinal, name: Option<&str>, target: &str| Forward {
            ordinal,
            name: name.map(str::to_owned),
            target: target.to_owned(),
        };
        vec![
            forward(7, Some("Zeta"), "copy.Zeta"),
            forward(5, Some("Alpha"), "other.Alpha"),
            forward(9, None, "copy.#9"),
        ]
    }

    /// What a reader finds: ordinal, name, target.
    fn read(bytes: &[u8]) -> Vec<(u32, Option<String>, String)> {
        let file = PeFile64::parse(bytes).unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let exports = file.export_table().unwrap().unwrap().exports().unwrap();
        let export = |export: object::read::pe::Export<'_>| {
            let target = match export.target {
                ExportTarget::ForwardByName(library, name) => format!("{}.{}", text(library), text(name)),
                ExportTarget::ForwardByOrdinal(library, ordinal) => format!("{}.#{ordinal}", text(library)),
                ExportTarget::Address(address) => format!("{address:#x}"),
            };
            (u32::from(export.ordinal.0), export.name.map(text), target)
        };
        exports.into_iter().map(export).collect()
    }

    #[test]
    fn issue_18_a_reader_finds_the_functions_and_the_import() {
        let bytes = library("new.dll", ("hooks.dll", "Start"), &sample());
        let mut wanted: Vec<_> = sample().into_iter().map(|f| (f.ordinal, f.name, f.target)).collect();
        wanted.sort();
        let found: Vec<_> = read(&bytes).into_iter().filter(|(.., target)| target != "0x0").collect();
        assert_eq!(found, wanted);
        let file = PeFile64::parse(&*bytes).unwrap();
        let table = file.import_table().unwrap().unwrap();
        let mut imports = table.descriptors().unwrap();
        let first = imports.next().unwrap().unwrap();
        assert_eq!(table.name(first.name.get(LE)).unwrap(), b"hooks.dll");
        let mut thunks = table.thunks(first.original_first_thunk.get(LE)).unwrap();
        let thunk = thunks.next::<ImageNtHeaders64>().unwrap().unwrap();
        let import = table.import::<ImageNtHeaders64>(thunk).unwrap();
        assert!(matches!(import, Import::Name(0, b"Start")), "{import:?}");
        assert!(thunks.next::<ImageNtHeaders64>().unwrap().is_none() && imports.next().unwrap().is_none());
    }

    #[test]
    fn issue_18_functions_lead_to_the_copy_or_to_what_replaces_them() {
        // One library of forwards is the Wine library of the next.
        let wine = library("wine.dll", ("a.dll", "A"), &sample());
        let replaced = BTreeMap::from([("Alpha", "hooks"), ("Added", "hooks")]);
        let mut found = forwards(&wine, "wine_copy", &replaced).unwrap();
        found.sort_by_key(|forward| forward.ordinal);
        let found: Vec<_> = found.iter().map(|f| (f.ordinal, f.name.as_deref(), &*f.target)).collect();
        let wanted = [
            (5, Some("Alpha"), "hooks.Alpha"),
            (7, Some("Zeta"), "wine_copy.Zeta"),
            (9, None, "wine_copy.#9"),
            (10, Some("Added"), "hooks.Added"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn issue_18_what_is_not_a_library_is_an_error() {
        let whole = library("wine.dll", ("a.dll", "A"), &sample());
        for size in 0..whole.len() {
            // No panic, whatever is missing.
            let _ = forwards(&whole[..size], "copy", &BTreeMap::new());
        }
        assert!(forwards(b"MZ", "copy", &BTreeMap::new()).is_err());
    }
}
