//! The kernel's own description of its types (BTF), for the offsets of fields and the ids of tracepoints.
//!
//! Format: Documentation/bpf/btf.rst of the kernel. Only what offsets need is read: sizes, members, and what pointers,
//! typedefs and qualifiers lead to. The bytes come from the kernel, yet every offset in them is checked.

use rustc_hash::{FxHashMap, FxHasher};
use std::fmt;
use std::hash::Hasher;

const MAGIC: u16 = 0xEB9F;
/// What the names of the typedefs of tracepoints begin with.
const TRACEPOINT: &[u8] = b"btf_trace_";

/// Kinds of types.
mod kind {
    pub(super) const INT: u32 = 1;
    pub(super) const PTR: u32 = 2;
    pub(super) const ARRAY: u32 = 3;
    pub(super) const STRUCT: u32 = 4;
    pub(super) const UNION: u32 = 5;
    pub(super) const ENUM: u32 = 6;
    pub(super) const TYPEDEF: u32 = 8;
    pub(super) const VOLATILE: u32 = 9;
    pub(super) const CONST: u32 = 10;
    pub(super) const RESTRICT: u32 = 11;
    pub(super) const FUNC_PROTO: u32 = 13;
    pub(super) const VAR: u32 = 14;
    pub(super) const DATASEC: u32 = 15;
    pub(super) const DECL_TAG: u32 = 17;
    pub(super) const TYPE_TAG: u32 = 18;
    pub(super) const ENUM64: u32 = 19;
}

/// Why a kernel's types do not answer a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BtfError {
    /// The bytes are not a description of types.
    Damaged(&'static str),
    /// The kernel has no such type or field.
    Missing(String),
}

impl fmt::Display for BtfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BtfError::Damaged(what) => write!(f, "the kernel's type description (BTF) is damaged: {what}"),
            BtfError::Missing(what) => write!(f, "this kernel has no {what}"),
        }
    }
}

/// Where a field lies in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// In bytes.
    pub(crate) offset: i16,
    /// In bytes.
    pub(crate) size: u32,
}

/// The types of a kernel.
#[derive(Debug)]
pub(crate) struct Btf<'b> {
    types: &'b [u8],
    strings: &'b [u8],
    /// Where each type begins; number 0 is `void`.
    places: Vec<u32>,
    /// Structures and unions by the hash of their names.
    structs: FxHashMap<u64, u32>,
    /// Typedefs of tracepoints by the name of the tracepoint.
    tracepoints: FxHashMap<Box<str>, u32>,
}

fn hash(name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    hasher.finish()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

impl<'b> Btf<'b> {
    /// Indexes the types of a kernel.
    pub(crate) fn parse(bytes: &'b [u8]) -> Result<Btf<'b>, BtfError> {
        let bad = BtfError::Damaged;
        let head = |at| word(bytes, at).ok_or(bad("it is too short"));
        if head(0)? & 0xFFFF != u32::from(MAGIC) {
            return Err(bad("it does not begin with its magic number"));
        }
        let [header, types_at, types_len, strings_at, strings_len] =
            [head(4)?, head(8)?, head(12)?, head(16)?, head(20)?].map(|word| word as usize);
        let part = |at: usize, len: usize| {
            let start = header.checked_add(at)?;
            bytes.get(start..start.checked_add(len)?)
        };
        let types = part(types_at, types_len).ok_or(bad("its types lie outside it"))?;
        let strings = part(strings_at, strings_len).ok_or(bad("its names lie outside it"))?;
        let mut btf = Btf {
            types,
            strings,
            // Types have some 25 bytes on average.
            places: Vec::with_capacity(types_len / 20),
            structs: FxHashMap::default(),
            tracepoints: FxHashMap::default(),
        };
        btf.places.push(u32::MAX);
        btf.index()?;
        Ok(btf)
    }

    fn index(&mut self) -> Result<(), BtfError> {
        let mut at = 0;
        while at < self.types.len() {
            let id = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
            let info = word(self.types, at + 4).ok_or(BtfError::Damaged("a type is cut short"))?;
            let count = (info & 0xFFFF) as usize;
            let kind = info >> 24 & 0x1F;
            let more = match kind {
                kind::INT | kind::VAR | kind::DECL_TAG => 4,
                kind::ARRAY => 12,
                kind::STRUCT | kind::UNION | kind::DATASEC | kind::ENUM64 => 12 * count,
                kind::ENUM | kind::FUNC_PROTO => 8 * count,
                0 | 20.. => return Err(BtfError::Damaged("it has a type of an unknown kind")),
                _ => 0,
            };
            if matches!(kind, kind::STRUCT | kind::UNION | kind::TYPEDEF) {
                let name = self.bytes_of(word(self.types, at).unwrap_or(0), kind == kind::TYPEDEF);
                match (kind, name.strip_prefix(TRACEPOINT)) {
                    (kind::TYPEDEF, Some(point)) => {
                        let point = str::from_utf8(point).unwrap_or_default();
                        self.tracepoints.insert(point.into(), id);
                    }
                    (kind::TYPEDEF, None) => {}
                    _ if name.is_empty() => {}
                    _ => {
                        // The first of several structures with one name is the kernel's own.
                        self.structs.entry(hash(name)).or_insert(id);
                    }
                }
            }
            self.places.push(u32::try_from(at).map_err(|_| BtfError::Damaged("it is too long"))?);
            at += 12 + more;
        }
        Ok(())
    }

    fn string(&self, at: u32) -> &'b [u8] {
        let rest = self.strings.get(at as usize..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == 0).unwrap_or(0);
        rest.get(..end).unwrap_or_default()
    }

    /// A name; with `point`, an empty one if it is not that of a tracepoint.
    fn bytes_of(&self, at: u32, point: bool) -> &'b [u8] {
        let rest = self.strings.get(at as usize..).unwrap_or_default();
        if point && !rest.starts_with(TRACEPOINT) { &[] } else { self.string(at) }
    }

    /// The structure or union of a name.
    fn structure(&self, name: &str) -> Option<u32> {
        let id = *self.structs.get(&hash(name.as_bytes()))?;
        let (place, ..) = self.ty(id)?;
        (self.string(word(self.types, place)?) == name.as_bytes()).then_some(id)
    }

    /// Place, kind, number of members, and size or type of a type.
    fn ty(&self, id: u32) -> Option<(usize, u32, usize, u32)> {
        let place = *self.places.get(id as usize)? as usize;
        let info = word(self.types, place.checked_add(4)?)?;
        Some((place, info >> 24 & 0x1F, (info & 0xFFFF) as usize, word(self.types, place + 8)?))
    }

    /// The type behind typedefs and qualifiers. A description that goes in circles ends at some type.
    fn plain(&self, mut id: u32) -> Option<(usize, u32, usize, u32)> {
        for _ in 0..32 {
            let ty = self.ty(id)?;
            match ty.1 {
                kind::TYPEDEF | kind::VOLATILE | kind::CONST | kind::RESTRICT | kind::TYPE_TAG => id = ty.3,
                _ => return Some(ty),
            }
        }
        None
    }

    fn size(&self, id: u32, depth: u32) -> Option<u32> {
        let (place, kind, _, size) = self.plain(id)?;
        match kind {
            kind::PTR => Some(8),
            kind::ARRAY if depth < 8 => {
                let (of, count) = (word(self.types, place + 12)?, word(self.types, place + 20)?);
                self.size(of, depth + 1)?.checked_mul(count)
            }
            kind::INT | kind::STRUCT | kind::UNION | kind::ENUM | kind::ENUM64 => Some(size),
            _ => None,
        }
    }

    /// The id of the type of a tracepoint, which programs attach to.
    pub(crate) fn tracepoint(&self, name: &str) -> Option<u32> {
        self.tracepoints.get(name).copied()
    }

    /// The number of arguments of a tracepoint.
    pub(crate) fn arguments(&self, name: &str) -> Option<usize> {
        let (_, kind::PTR, _, function) = self.plain(self.tracepoint(name)?)? else { return None };
        let (_, kind::FUNC_PROTO, count, _) = self.plain(function)? else { return None };
        // The first argument is the kernel's own.
        count.checked_sub(1)
    }

    /// Bytes of a structure.
    #[cfg(test)]
    pub(crate) fn size_of(&self, name: &str) -> Option<u32> {
        self.size(self.structure(name)?, 0)
    }

    /// Where a field lies: `task_struct.pid`, `sock.__sk_common.skc_dport`. Members without a name are looked through.
    pub(crate) fn field(&self, path: &str) -> Result<Field, BtfError> {
        let missing = || BtfError::Missing(format!("structure field {path}"));
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or_default();
        let mut id = self.structure(first).ok_or_else(missing)?;
        let mut bits = 0_u64;
        for part in parts {
            let (at, ty) = self.member(id, part, 0).ok_or_else(missing)?;
            bits += at;
            id = ty;
        }
        let size = self.size(id, 0).ok_or_else(missing)?;
        let offset = i16::try_from(bits / 8).map_err(|_| missing())?;
        Ok(Field { offset, size })
    }

    /// Where a member lies in bits, and its type.
    fn member(&self, id: u32, name: &str, depth: u32) -> Option<(u64, u32)> {
        let (place, kind::STRUCT | kind::UNION, count, _) = self.plain(id)? else { return None };
        let packed = word(self.types, place + 4)? >> 31 == 1;
        let mut nameless = Vec::new();
        for at in (0..count).map(|index| place + 12 + 12 * index) {
            let (label, ty, bits) =
                (word(self.types, at)?, word(self.types, at + 4)?, word(self.types, at + 8)?);
            let bits = u64::from(if packed { bits & 0xFF_FFFF } else { bits });
            if label == 0 {
                nameless.push((bits, ty));
            } else if self.string(label) == name.as_bytes() {
                return Some((bits, ty));
            }
        }
        if depth >= 8 {
            return None;
        }
        nameless.into_iter().find_map(|(bits, ty)| {
            let (inner, found) = self.member(ty, name, depth + 1)?;
            Some((bits + inner, found))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A description made of types, each with its words, and names.
    fn made(types: &[&[u32]], names: &[&str]) -> Vec<u8> {
        let types: Vec<u8> =
            types.iter().flat_map(|words| words.iter().flat_map(|w| w.to_le_bytes())).collect();
        let mut strings = vec![0];
        for name in names {
            strings.extend(name.bytes().chain([0]));
        }
        let mut out = Vec::new();
        out.extend(MAGIC.to_le_bytes());
        out.extend([1, 0]);
        let (types_len, strings_len) = (types.len() as u32, strings.len() as u32);
        for word in [24, 0, types_len, types_len, strings_len] {
            out.extend(u32::to_le_bytes(word));
        }
        out.extend(types);
        out.extend(strings);
        out
    }

    /// Names: 1 `outer`, 7 `first`, 13 `inner`, 19 `deep`, 24 `btf_trace_go`.
    fn sample() -> Vec<u8> {
        let kind = |kind: u32, count: u32| kind << 24 | count;
        made(
            &[
                // 1: a 4-byte integer; 2: a nameless union with `deep`; 3: an array of 6 of them.
                &[0, kind(1, 0), 4, 32],
                &[0, kind(5, 1), 24, 19, 3, 0],
                &[0, kind(3, 0), 0, 1, 1, 6],
                // 4: `outer` { first: 1, (nameless) 2 at byte 8, inner: const pointer at byte 32 }
                &[1, kind(4, 3), 40, 7, 1, 0, 0, 2, 64, 13, 5, 256],
                &[0, kind(10, 0), 6],
                &[0, kind(2, 0), 4],
                // 7, 8, 9: a function of (void *, int), a pointer to it, and the typedef of a tracepoint.
                &[0, kind(13, 2), 0, 0, 6, 0, 1],
                &[0, kind(2, 0), 7],
                &[24, kind(8, 0), 8],
            ],
            &["outer", "first", "inner", "deep", "btf_trace_go"],
        )
    }

    #[test]
    fn fields_have_their_places() {
        let sample = sample();
        let btf = Btf::parse(&sample).unwrap();
        let field = |path| btf.field(path).map(|field| (field.offset, field.size));
        assert_eq!(field("outer.first"), Ok((0, 4)));
        assert_eq!(field("outer.deep"), Ok((8, 24)), "through a member without a name");
        assert_eq!(field("outer.inner"), Ok((32, 8)));
        assert_eq!(btf.size_of("outer"), Some(40));
        for missing in ["outer.absent", "absent.first", "outer.first.deep", ""] {
            assert!(matches!(field(missing), Err(BtfError::Missing(_))), "{missing}");
        }
        assert_eq!((btf.tracepoint("go"), btf.arguments("go")), (Some(9), Some(1)));
        assert_eq!((btf.tracepoint("stop"), btf.arguments("stop")), (None, None));
    }

    #[test]
    fn damaged_descriptions_are_refused() {
        let whole = sample();
        assert!(Btf::parse(&[]).is_err());
        assert!(Btf::parse(&whole[..20]).is_err());
        for cut in 24..whole.len() {
            assert!(Btf::parse(&whole[..cut]).is_err(), "cut at {cut}");
        }
        // Any byte may be anything: an error or an answer, never a panic.
        for at in 0..whole.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                if let Ok(btf) = Btf::parse(&bytes) {
                    let _ = (btf.field("outer.deep"), btf.field("outer.inner"), btf.arguments("go"));
                }
            }
        }
    }

    #[test]
    fn types_that_refer_to_each_other_end() {
        let kind = |kind: u32| kind << 24;
        let circle = made(&[&[1, kind(8), 2], &[1, kind(8), 1], &[1, kind(4) | 1, 8, 1, 1, 0]], &["x"]);
        let btf = Btf::parse(&circle).unwrap();
        assert!(btf.field("x.x").is_err());
    }
}
