//! Probes that programs contain (USDT), as the notes of their files report them.

use std::path::Path;

use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, ReadCache, ReadRef, elf};

use crate::demangle::LONGEST_NAME;
use crate::guard::guarded;

/// Maximum number of bytes of the notes of a file.
const LARGEST: u64 = 64 << 20;

/// A note about a probe that the program contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticProbe {
    /// Provider.
    pub provider: String,
    /// Name of the probe.
    pub name: String,
    /// Address of the instruction.
    pub address: u64,
    /// Address of the counter of its users; 0 for none.
    pub semaphore: u64,
    /// Where the arguments are, as assemblers write operands: `8@%rdi -4@$5`.
    pub arguments: String,
}

/// The probes of a program or library; none if it cannot be read. Only its headers and notes are read.
#[must_use]
pub fn static_probes(path: &Path) -> Vec<StaticProbe> {
    let read = || {
        // A pipe would wait for a writer.
        let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
        let file = file.and_then(|_| std::fs::File::open(path).ok())?;
        let cache = ReadCache::new(file);
        let file = ElfFile64::<Endianness, _>::parse(&cache).ok()?;
        Some(in_file(&file))
    };
    guarded(read).flatten().unwrap_or_default()
}

/// The names of what an object file for x86-64 contains, and needs from others.
///
/// # Errors
/// Why the file is none, for the user.
pub fn object_names(path: &Path) -> Result<Vec<String>, String> {
    let is_file = std::fs::metadata(path).map_err(|error| error.to_string())?.is_file();
    // A pipe would wait for a writer.
    let file = if is_file {
        std::fs::File::open(path).map_err(|error| error.to_string())?
    } else {
        return Err("it is not a file".to_owned());
    };
    let read = || {
        let cache = ReadCache::new(file);
        let file = ElfFile64::<Endianness, _>::parse(&cache).ok()?;
        let header = file.elf_header();
        let endian = file.endian();
        if header.e_type(endian) != elf::ET_REL || header.e_machine(endian) != elf::EM_X86_64 {
            return None;
        }
        let named = file.symbols().filter_map(|symbol| {
            symbol.name().ok().filter(|name| name.len() <= LONGEST_NAME).map(str::to_owned)
        });
        Some(named.collect())
    };
    guarded(read).flatten().ok_or_else(|| "it is not an object file for x86-64 (of 64 bits)".to_owned())
}

/// The notes of the section `.note.stapsdt`.
pub(crate) fn in_file<'d, R: ReadRef<'d>>(file: &ElfFile64<'d, Endianness, R>) -> Vec<StaticProbe> {
    let section = file.section_by_name(".note.stapsdt").filter(|section| section.size() <= LARGEST);
    let Some(notes) = section.and_then(|section| section.data().ok()) else { return Vec::new() };
    // Addresses in the notes move with this section when the file is prelinked.
    let base = file.section_by_name(".stapsdt.base").map(|section| section.address());
    if !file.elf_header().is_class_64() || !file.is_little_endian() {
        return Vec::new();
    }
    parse(notes, base)
}

fn parse(notes: &[u8], base: Option<u64>) -> Vec<StaticProbe> {
    const KIND: u32 = 3;
    let number = |at: usize| notes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    let mut probes = Vec::new();
    let mut at = 0;
    while let (Some(name), Some(size), Some(kind)) = (number(at), number(at + 4), number(at + 8)) {
        let start = at + 12 + (name as usize).next_multiple_of(4);
        let Some(note) = start.checked_add(size as usize).and_then(|end| notes.get(start..end)) else {
            break;
        };
        at = start + (size as usize).next_multiple_of(4);
        let word = |index: usize| note.get(8 * index..)?.first_chunk().map(|word| u64::from_le_bytes(*word));
        let (KIND, Some(address), Some(was), Some(semaphore)) = (kind, word(0), word(1), word(2)) else {
            continue;
        };
        let mut texts = note.get(24..).unwrap_or_default().split(|byte| *byte == 0);
        let mut text =
            || texts.next().map(|text| String::from_utf8_lossy(text).into_owned()).unwrap_or_default();
        let (provider, name, arguments) = (text(), text(), text());
        let moved = base.map_or(0, |base| base.wrapping_sub(was));
        let semaphore = if semaphore == 0 { 0 } else { semaphore.wrapping_add(moved) };
        probes.push(StaticProbe {
            provider,
            name,
            address: address.wrapping_add(moved),
            semaphore,
            arguments,
        });
    }
    probes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(words: [u64; 3], texts: &[u8]) -> Vec<u8> {
        let size = 24 + texts.len() as u32;
        let mut bytes = Vec::new();
        bytes.extend([8u32, size, 3].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(b"stapsdt\0");
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(texts);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    #[test]
    fn issue_17_notes_are_read_and_moved_and_cut_ones_end_them() {
        let first = note([0x1000, 0x5000, 0x7000], b"a\0b__c\08@%rdi -4@$5\0");
        let second = note([0x1010, 0x5000, 0], b"a\0d\0\0");
        let all = [first.clone(), second].concat();
        let probes = parse(&all, Some(0x5100));
        let seen: Vec<_> = probes
            .iter()
            .map(|p| (p.provider.as_str(), p.name.as_str(), p.address, p.semaphore, p.arguments.as_str()))
            .collect();
        assert_eq!(seen, [("a", "b__c", 0x1100, 0x7100, "8@%rdi -4@$5"), ("a", "d", 0x1110, 0, "")]);
        // The last note is whole without the bytes that align the next one.
        let whole = [first.len(), all.len().next_multiple_of(4) - 3];
        for end in 0..all.len() {
            let count = whole.iter().filter(|&&whole| end >= whole).count();
            assert_eq!(parse(&all[..end], None).len(), count, "{end}");
        }
        // Sizes beyond the section.
        let mut hostile = all;
        hostile[4..8].fill(0xFF);
        assert!(parse(&hostile, None).is_empty());
        hostile[..4].fill(0xFF);
        assert!(parse(&hostile, None).is_empty());
    }
}
