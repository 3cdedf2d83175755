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
    /// Where each name begins; it ends one byte before the next begins.
    starts: Vec<u32>,
    /// Hash to the last name that has it.
    known: FxHashMap<u64, NameId>,
    scratch: String,
}

impl Default for Names {
    fn default() -> Names {
        let mut names = Names {
            bytes: Vec::new(),
            starts: Vec::new(),
            known: FxHashMap::default(),
            scratch: String::new(),
        };
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

    /// Where the name begins in [`Names::bytes`].
    #[must_use]
    pub fn offset(&self, id: NameId) -> Option<usize> {
        self.starts.get(id.0 as usize).map(|start| *start as usize)
    }

    /// How many names there are; ids are below this number.
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
        let name = name.split('\0').next().unwrap_or_default();
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(name.as_bytes());
        if let Some(&id) = self.known.get(&hash)
            && self.raw(id) == name.as_bytes()
        {
            return id;
        }
        // Offsets are 32 bits wide; a trace cannot define four gigabytes of different names in practice,
        // and beyond that names are lost rather than mixed up.
        let (Ok(start), Ok(id)) = (u32::try_from(self.bytes.len()), u32::try_from(self.starts.len())) else {
            return NameId::EMPTY;
        };
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.starts.push(start);
        self.known.insert(hash, NameId(id));
        NameId(id)
    }

    /// Interns UTF-16 text.
    pub(crate) fn intern_utf16(&mut self, text: Utf16Str<'_>) -> NameId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(text.chars_lossy());
        let id = self.intern(&scratch);
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
        let name = self.get(id);
        let base = name.rsplit(['\\', '/']).next().unwrap_or_default().to_ascii_lowercase();
        self.intern(&base)
    }

    /// Gives up what only interning needs.
    pub(crate) fn seal(&mut self) {
        self.scratch = String::new();
        self.bytes.shrink_to_fit();
        self.starts.shrink_to_fit();
    }
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
        assert_eq!(names.len(), 3);
    }

    #[test]
    fn text_of_every_sort_becomes_utf8() {
        let mut names = Names::default();
        let wide: Vec<u8> = "Überwachung.EXE".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide = names.intern_utf16(Utf16Str::from_bytes(&wide));
        assert_eq!(names.get(wide), "Überwachung.EXE");
        let narrow = names.intern_ansi(b"\xDCber.exe");
        assert_eq!(names.get(narrow), "Über.exe");
        let path = names.intern("\\Device\\X\\POWERPNT.EXE");
        let base = names.intern_base_lower(path);
        assert_eq!(names.get(base), "powerpnt.exe");
    }
}
