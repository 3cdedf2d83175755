//! Interned names.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};
use tracewell_types::Utf16Str;

/// A name in [`Names`]. Equal names have equal ids, as long as they are interned by the same arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NameId(pub u32);

impl NameId {
    /// The empty name.
    pub const EMPTY: NameId = NameId(0);
}

/// Names in one block of memory, each followed by a NUL so that an address inside the block is a C
/// string. UTF-16 is kept as UTF-8, with what is not text replaced by U+FFFD.
#[derive(Clone, Debug)]
pub struct Names {
    bytes: Vec<u8>,
    /// The start of each name; it ends one byte before the next begins.
    starts: Vec<u32>,
    /// Hash to the last name that has it.
    known: FxHashMap<u64, NameId>,
    scratch: Vec<u8>,
}

impl Default for Names {
    fn default() -> Names {
        let mut names =
            Names { bytes: Vec::new(), starts: Vec::new(), known: FxHashMap::default(), scratch: Vec::new() };
        names.intern("");
        names
    }
}

impl Names {
    /// All names with their NULs; see [`Names::offset`].
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The start of the name in [`Names::bytes`].
    #[must_use]
    pub fn offset(&self, id: NameId) -> Option<usize> {
        self.starts.get(id.0 as usize).map(|start| *start as usize)
    }

    /// Returns the number of names; ids are below this number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: the empty name is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The name without its NUL; empty for an id of another arena.
    #[must_use]
    pub fn get(&self, id: NameId) -> &str {
        std::str::from_utf8(self.raw(id)).unwrap_or_default()
    }

    /// The bytes of the name without its NUL.
    fn raw(&self, id: NameId) -> &[u8] {
        let at = id.0 as usize;
        let Some(start) = self.starts.get(at) else { return &[] };
        let next = self.starts.get(at + 1).map_or(self.bytes.len(), |next| *next as usize);
        self.bytes.get(*start as usize..next.saturating_sub(1)).unwrap_or_default()
    }

    /// Interns a name. A NUL inside ends it.
    pub fn intern(&mut self, name: &str) -> NameId {
        self.intern_utf8(name.as_bytes())
    }

    /// Interns bytes that are known to be UTF-8.
    fn intern_utf8(&mut self, name: &[u8]) -> NameId {
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        let name = name.get(..end).unwrap_or(name);
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(name);
        if let Some(&id) = self.known.get(&hash)
            && self.raw(id) == name
        {
            return id;
        }
        // Offsets are 32 bits wide; a trace cannot define four gigabytes of different names in practice,
        // and beyond that names are lost rather than mixed up.
        let (Ok(start), Ok(id)) = (u32::try_from(self.bytes.len()), u32::try_from(self.starts.len())) else {
            return NameId::EMPTY;
        };
        self.bytes.extend_from_slice(name);
        self.bytes.push(0);
        self.starts.push(start);
        self.known.insert(hash, NameId(id));
        NameId(id)
    }

    /// Interns UTF-16 text.
    pub(crate) fn intern_utf16(&mut self, text: Utf16Str<'_>) -> NameId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        if !narrow(text.as_bytes(), &mut scratch) {
            scratch.clear();
            let mut buffer = [0; 4];
            for c in text.chars_lossy() {
                scratch.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            }
        }
        let id = self.intern_utf8(&scratch);
        self.scratch = scratch;
        id
    }

    /// Interns 8-bit text: as UTF-8 where it is that, else each byte as the character of its number.
    pub(crate) fn intern_ansi(&mut self, text: &[u8]) -> NameId {
        match std::str::from_utf8(text) {
            Ok(text) => self.intern(text),
            Err(_) => {
                let text: String = text.iter().map(|byte| char::from(*byte)).collect();
                self.intern(&text)
            }
        }
    }

    /// Interns the last component of a path in ASCII lower case.
    pub(crate) fn intern_base_lower(&mut self, id: NameId) -> NameId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let base = self.raw(id).rsplit(|byte| matches!(byte, b'\\' | b'/')).next();
        scratch.extend_from_slice(base.unwrap_or_default());
        scratch.make_ascii_lowercase();
        let id = self.intern_utf8(&scratch);
        self.scratch = scratch;
        id
    }

    /// Drops the data that only interning needs.
    pub(crate) fn seal(&mut self) {
        self.scratch = Vec::new();
        self.bytes.shrink_to_fit();
        self.starts.shrink_to_fit();
    }
}

/// Takes the low bytes of UTF-16 units while all units are ASCII, four at a time; false when one is not.
/// Names are ASCII with few exceptions.
fn narrow(units: &[u8], into: &mut Vec<u8>) -> bool {
    const NOT_ASCII: u64 = 0xFF80_FF80_FF80_FF80;
    let (fours, rest) = units.as_chunks::<8>();
    for four in fours {
        if u64::from_le_bytes(*four) & NOT_ASCII != 0 {
            return false;
        }
        into.extend_from_slice(&[four[0], four[2], four[4], four[6]]);
    }
    for unit in rest.as_chunks::<2>().0 {
        if !(unit[0].is_ascii() && unit[1] == 0) {
            return false;
        }
        into.push(unit[0]);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_share_an_id_and_are_c_strings() {
        let mut names = Names::default();
        let (a, b) = (names.intern("System"), names.intern("Idle"));
        assert_eq!(names.intern("System"), a);
        assert_ne!(a, b);
        let at = names.offset(b).unwrap();
        assert_eq!(&names.bytes()[at..at + 5], b"Idle\0");
        assert_eq!((names.get(a), names.get(NameId::EMPTY), names.get(NameId(99))), ("System", "", ""));
        assert_eq!(names.intern("System\0more"), a);
        assert_eq!((names.len(), names.is_empty()), (3, false));
        let new = Names::default();
        assert_eq!((new.len(), new.is_empty()), (1, false), "the empty name is always there");
    }

    #[test]
    fn text_of_every_sort_becomes_utf8() {
        let mut names = Names::default();
        let wide: Vec<u8> = "Überwachung.EXE".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide = names.intern_utf16(Utf16Str::from_bytes(&wide));
        assert_eq!(names.get(wide), "Überwachung.EXE");
        for text in ["", "a", "abc", "abcd", "abcde", "abcdefghi", "abcdéfghi", "é", "abcdefgh€"] {
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let id = names.intern_utf16(Utf16Str::from_bytes(&wide));
            assert_eq!(names.get(id), text);
        }
        let narrow = names.intern_ansi(b"\xDCber.exe");
        assert_eq!(names.get(narrow), "Über.exe");
        let path = names.intern("\\Device\\X\\POWERPNT.EXE");
        let base = names.intern_base_lower(path);
        assert_eq!(names.get(base), "powerpnt.exe");
    }
}
