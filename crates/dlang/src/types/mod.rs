//! The type model: C types under one data model, plus D's `string`.
//!
//! Types live in one arena, [`Types`], and are named by [`TypeId`]. Equal types have equal numbers, and every
//! type knows its *canonical* form, in which all typedefs are undone, so that comparing two types is comparing
//! two numbers.

mod layout;
mod parse;
mod text;

use rustc_hash::FxHashMap;

/// A type in a [`Types`] arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

/// A struct or union in a [`Types`] arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(u32);

/// An enumeration in a [`Types`] arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnumId(u32);

/// Things that expressions can be which have no C type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dynamic {
    /// The type of an action, which has no value.
    Action,
    /// An aggregation.
    Aggregation,
    /// A kernel or user stack, as a key or a recorded value.
    Stack,
    /// An address to be shown as a symbol.
    Symbol,
}

/// The type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// An integer.
    Int {
        /// Size in bytes: 1, 2, 4 or 8.
        bytes: u8,
        /// Signed.
        signed: bool,
        /// One of the `char` types, shown as a character by `print()`.
        character: bool,
        /// Its name in C.
        name: &'static str,
    },
    /// A floating type of 4, 8 or 16 bytes.
    Float {
        /// Size in bytes.
        bytes: u8,
        /// Its name in C.
        name: &'static str,
    },
    /// D's string.
    String,
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array(TypeId, u64),
    /// A function.
    Function {
        /// The type of its result.
        result: TypeId,
        /// The types of its parameters.
        params: Vec<TypeId>,
        /// `...` follows.
        varargs: bool,
    },
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// Another name of a type.
    Typedef(String, TypeId),
    /// Not a C type.
    Dynamic(Dynamic),
}

/// A member before it has a place.
#[derive(Clone, Debug)]
pub struct MemberDef {
    /// Its name; empty when unnamed.
    pub(crate) name: String,
    /// Its type.
    pub(crate) ty: TypeId,
    /// Width of a bit-field.
    pub(crate) bits: Option<u8>,
}

/// Why a struct or union cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// The type of that member has no known size.
    Incomplete(usize),
    /// The name of that member occurs twice.
    Duplicate(usize),
    /// The whole is larger than can be addressed.
    TooBig,
}

/// Room for a `string` member of a struct, and `sizeof (string)`: the default of the option `strsize`.
pub const STRING_BYTES: u64 = 256;

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for an unnamed struct or union, whose members count as the outer one's.
    pub(crate) name: String,
    /// Its type.
    pub(crate) ty: TypeId,
    /// Byte offset; of the storage unit for a bit-field.
    pub(crate) offset: u64,
    /// First bit, counted in the storage unit of the declared type, and width.
    pub(crate) bits: Option<(u8, u8)>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// `union` rather than `struct`.
    pub(crate) is_union: bool,
    /// The tag; empty when it has none.
    pub(crate) tag: String,
    /// The members; none while the type is incomplete.
    pub(crate) fields: Option<Vec<Field>>,
    /// Size in bytes.
    pub(crate) size: u64,
    /// Alignment in bytes.
    pub(crate) align: u64,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The tag; empty when it has none.
    pub(crate) tag: String,
    /// Names and values; none while it is incomplete.
    pub(crate) items: Option<Vec<(String, i64)>>,
}

/// A member found by name, through unnamed members.
#[derive(Clone, Copy, Debug)]
pub struct FoundField {
    /// Its type.
    pub(crate) ty: TypeId,
    /// Offset from the start of the outer record.
    pub(crate) offset: u64,
    /// First bit and width of a bit-field.
    pub(crate) bits: Option<(u8, u8)>,
}

struct Entry {
    kind: Type,
    canon: TypeId,
}

/// The arena of types of one compilation.
pub struct Types {
    entries: Vec<Entry>,
    known: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enumeration>,
    tags: FxHashMap<String, TypeId>,
    typedefs: FxHashMap<String, TypeId>,
    pointer_bytes: u8,
    basic: Basic,
}

/// The types that the checker needs by name.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Basic {
    pub(crate) void: TypeId,
    pub(crate) char_: TypeId,
    pub(crate) int: TypeId,
    pub(crate) unsigned: TypeId,
    pub(crate) long: TypeId,
    pub(crate) ulong: TypeId,
    pub(crate) longlong: TypeId,
    pub(crate) ulonglong: TypeId,
    pub(crate) string: TypeId,
    pub(crate) int64: TypeId,
    pub(crate) uint64: TypeId,
    pub(crate) uintptr: TypeId,
    pub(crate) size: TypeId,
    pub(crate) void_ptr: TypeId,
    pub(crate) action: TypeId,
    pub(crate) aggregation: TypeId,
    pub(crate) stack: TypeId,
    pub(crate) symbol: TypeId,
}

/// The basic integer types by the words that name them, before the data model's `long`.
const fn int(bytes: u8, signed: bool, character: bool, name: &'static str) -> Type {
    Type::Int { bytes, signed, character, name }
}

/// The integer types of C: bytes (none for those of a pointer), whether signed, whether a character, name.
const INTEGERS: [(Option<u8>, bool, bool, &str); 11] = [
    (Some(1), true, true, "char"),
    (Some(1), true, true, "signed char"),
    (Some(1), false, true, "unsigned char"),
    (Some(2), true, false, "short"),
    (Some(2), false, false, "unsigned short"),
    (Some(4), true, false, "int"),
    (Some(4), false, false, "unsigned int"),
    (None, true, false, "long"),
    (None, false, false, "unsigned long"),
    (Some(8), true, false, "long long"),
    (Some(8), false, false, "unsigned long long"),
];

/// Types of the system that D programs use, and the integer types behind them.
const TYPEDEFS: [(&str, &str); 47] = [
    ("int8_t", "signed char"),
    ("int16_t", "short"),
    ("int32_t", "int"),
    ("uint8_t", "unsigned char"),
    ("uint16_t", "unsigned short"),
    ("uint32_t", "unsigned int"),
    ("intptr_t", "long"),
    ("uintptr_t", "unsigned long"),
    ("ptrdiff_t", "long"),
    ("size_t", "unsigned long"),
    ("ssize_t", "long"),
    ("uchar_t", "unsigned char"),
    ("ushort_t", "unsigned short"),
    ("uint_t", "unsigned int"),
    ("ulong_t", "unsigned long"),
    ("longlong_t", "long long"),
    ("u_longlong_t", "unsigned long long"),
    ("u_char", "unsigned char"),
    ("u_short", "unsigned short"),
    ("u_int", "unsigned int"),
    ("u_long", "unsigned long"),
    ("id_t", "int"),
    ("pid_t", "int"),
    ("uid_t", "unsigned int"),
    ("gid_t", "unsigned int"),
    ("zoneid_t", "int"),
    ("taskid_t", "int"),
    ("projid_t", "int"),
    ("poolid_t", "int"),
    ("processorid_t", "int"),
    ("psetid_t", "int"),
    ("chipid_t", "int"),
    ("lgrp_id_t", "int"),
    ("dev_t", "unsigned long"),
    ("ino_t", "unsigned long"),
    ("off_t", "long"),
    ("mode_t", "unsigned int"),
    ("nlink_t", "unsigned int"),
    ("time_t", "long"),
    ("clock_t", "long"),
    ("hrtime_t", "long long"),
    ("key_t", "int"),
    ("minor_t", "unsigned int"),
    ("major_t", "unsigned int"),
    // A wide character is a UTF-16 unit: the data is Windows'.
    ("wchar_t", "unsigned short"),
    ("in_addr_t", "unsigned int"),
    ("ipaddr_t", "unsigned int"),
];

impl Types {
    /// A fresh arena with the built-in types; `pointer_bytes` is 8, or 4 for the 32-bit model.
    #[must_use]
    pub fn new(pointer_bytes: u8) -> Types {
        let zero = TypeId(0);
        let mut types = Types {
            entries: Vec::new(),
            known: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            tags: FxHashMap::default(),
            typedefs: FxHashMap::default(),
            pointer_bytes,
            basic: Basic {
                void: zero,
                char_: zero,
                int: zero,
                unsigned: zero,
                long: zero,
                ulong: zero,
                longlong: zero,
                ulonglong: zero,
                string: zero,
                int64: zero,
                uint64: zero,
                uintptr: zero,
                size: zero,
                void_ptr: zero,
                action: zero,
                aggregation: zero,
                stack: zero,
                symbol: zero,
            },
        };
        types.fill();
        types
    }

    fn fill(&mut self) {
        let word = self.pointer_bytes;
        let void = self.add(Type::Void);
        let known = INTEGERS.map(|(bytes, signed, character, name)| {
            (name, self.add(int(bytes.unwrap_or(word), signed, character, name)))
        });
        let of = |name: &str| known.iter().find(|(known, _)| *known == name).map_or(void, |(_, ty)| *ty);
        let (uchar, unsigned) = (of("unsigned char"), of("unsigned int"));
        let string = self.add(Type::String);
        let caddr = self.pointer(of("char"));
        let wide = if word == 8 { ("long", "unsigned long") } else { ("long long", "unsigned long long") };
        for (name, target) in TYPEDEFS {
            self.define_typedef(name, of(target));
        }
        self.define_typedef("int64_t", of(wide.0));
        self.define_typedef("uint64_t", of(wide.1));
        self.define_typedef("caddr_t", caddr);
        let named = |types: &Types, name: &str| types.typedefs.get(name).copied().unwrap_or(void);
        self.basic = Basic {
            void,
            char_: of("char"),
            int: of("int"),
            unsigned,
            long: of("long"),
            ulong: of("unsigned long"),
            longlong: of("long long"),
            ulonglong: of("unsigned long long"),
            string,
            int64: named(self, "int64_t"),
            uint64: named(self, "uint64_t"),
            uintptr: named(self, "uintptr_t"),
            size: named(self, "size_t"),
            void_ptr: self.pointer(void),
            action: self.add(Type::Dynamic(Dynamic::Action)),
            aggregation: self.add(Type::Dynamic(Dynamic::Aggregation)),
            stack: self.add(Type::Dynamic(Dynamic::Stack)),
            symbol: self.add(Type::Dynamic(Dynamic::Symbol)),
        };
        // Addresses of the internet families, which the library's subroutines take by pointer.
        let in_addr = self.add_record(false, "in_addr");
        let bytes16 = self.array(uchar, 16);
        let in6_addr = self.add_record(false, "in6_addr");
        for (record, member, ty) in [(in_addr, "s_addr", unsigned), (in6_addr, "__s6_addr", bytes16)] {
            let plain = MemberDef { name: member.to_owned(), ty, bits: None };
            // Cannot fail: both members are complete.
            let _ = self.complete_record(record, vec![plain]);
        }
        self.define_typedef("in6_addr_t", in6_addr);
    }

    /// The types that have a field in [`Basic`].
    #[must_use]
    pub fn basic(&self) -> Basic {
        self.basic
    }

    /// Size of a pointer in bytes.
    #[must_use]
    pub fn pointer_bytes(&self) -> u8 {
        self.pointer_bytes
    }

    /// The number of a type, which is added when it is new.
    pub fn add(&mut self, kind: Type) -> TypeId {
        if let Some(&id) = self.known.get(&kind) {
            return id;
        }
        let next = TypeId(self.entries.len() as u32);
        let canon = match &kind {
            Type::Typedef(_, target) => self.canon(*target),
            Type::Pointer(target) => {
                let inner = self.canon(*target);
                if inner == *target { next } else { self.add(Type::Pointer(inner)) }
            }
            Type::Array(element, count) => {
                let inner = self.canon(*element);
                if inner == *element { next } else { self.add(Type::Array(inner, *count)) }
            }
            Type::Function { result, params, varargs } => {
                let plain = Type::Function {
                    result: self.canon(*result),
                    params: params.iter().map(|&p| self.canon(p)).collect(),
                    varargs: *varargs,
                };
                if plain == kind { next } else { self.add(plain) }
            }
            Type::Int { bytes, signed, .. } => self
                .entries
                .iter()
                .position(|e| matches!(e.kind, Type::Int { bytes: b, signed: s, .. } if (b, s) == (*bytes, *signed)))
                .map_or(next, |at| TypeId(at as u32)),
            _ => next,
        };
        // Adding the canonical form may have taken the number that was foreseen.
        let id = TypeId(self.entries.len() as u32);
        let canon = if canon == next && id != next { id } else { canon };
        self.entries.push(Entry { kind: kind.clone(), canon });
        self.known.insert(kind, id);
        id
    }

    /// The type as named.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        self.entries.get(id.0 as usize).map_or(&Type::Void, |e| &e.kind)
    }

    /// The canonical form: no typedefs anywhere, one integer type a size and sign.
    #[must_use]
    pub fn canon(&self, id: TypeId) -> TypeId {
        self.entries.get(id.0 as usize).map_or(id, |e| e.canon)
    }

    /// The type with all typedefs resolved.
    #[must_use]
    pub fn resolve(&self, mut id: TypeId) -> &Type {
        loop {
            match self.get(id) {
                Type::Typedef(_, target) => id = *target,
                other => return other,
            }
        }
    }

    /// The pointer to a type.
    pub fn pointer(&mut self, target: TypeId) -> TypeId {
        self.add(Type::Pointer(target))
    }

    /// The array of `count` elements.
    pub fn array(&mut self, element: TypeId, count: u64) -> TypeId {
        self.add(Type::Array(element, count))
    }

    /// A typedef by name.
    #[must_use]
    pub fn typedef(&self, name: &str) -> Option<TypeId> {
        self.typedefs.get(name).copied()
    }

    /// Names of all typedefs, for the parser and for suggestions.
    pub fn typedef_names(&self) -> impl Iterator<Item = &str> {
        self.typedefs.keys().map(String::as_str)
    }

    /// Makes a typedef known, in place of one of that name.
    pub fn define_typedef(&mut self, name: &str, target: TypeId) -> TypeId {
        let id = self.add(Type::Typedef(name.to_owned(), target));
        self.typedefs.insert(name.to_owned(), id);
        id
    }

    /// A struct, union or enum by its tag, written as `struct foo`.
    #[must_use]
    pub fn tagged(&self, tag: &str) -> Option<TypeId> {
        self.tags.get(tag).copied()
    }

    /// Adds an incomplete struct or union; one without a tag is always new.
    pub fn add_record(&mut self, is_union: bool, tag: &str) -> TypeId {
        let record = RecordId(self.records.len() as u32);
        self.records.push(Record { is_union, tag: tag.to_owned(), fields: None, size: 0, align: 1 });
        let id = self.add(Type::Record(record));
        if !tag.is_empty() {
            let word = if is_union { "union" } else { "struct" };
            self.tags.insert(format!("{word} {tag}"), id);
        }
        id
    }

    /// Adds an enumeration without values.
    pub fn add_enum(&mut self, tag: &str) -> TypeId {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(Enumeration { tag: tag.to_owned(), items: None });
        let id = self.add(Type::Enum(id));
        if !tag.is_empty() {
            self.tags.insert(format!("enum {tag}"), id);
        }
        id
    }

    /// Sets the values of an enumeration.
    pub fn complete_enum(&mut self, id: TypeId, items: Vec<(String, i64)>) {
        if let Type::Enum(e) = *self.resolve(id)
            && let Some(slot) = self.enums.get_mut(e.0 as usize)
        {
            slot.items = Some(items);
        }
    }

    /// The struct or union that a type is.
    #[must_use]
    pub fn record(&self, id: TypeId) -> Option<&Record> {
        match self.resolve(id) {
            Type::Record(r) => self.records.get(r.0 as usize),
            _ => None,
        }
    }

    /// The enumeration that a type is.
    #[must_use]
    pub fn enumeration(&self, id: TypeId) -> Option<&Enumeration> {
        match self.resolve(id) {
            Type::Enum(e) => self.enums.get(e.0 as usize),
            _ => None,
        }
    }

    /// The target type of a pointer.
    #[must_use]
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.resolve(id) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// The target type of a pointer, or the element type of an array.
    #[must_use]
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.resolve(id) {
            Type::Pointer(target) | Type::Array(target, _) => Some(*target),
            _ => None,
        }
    }

    /// Size and sign of an integer or enumeration.
    #[must_use]
    pub fn integer(&self, id: TypeId) -> Option<(u8, bool)> {
        match *self.resolve(id) {
            Type::Int { bytes, signed, .. } => Some((bytes, signed)),
            Type::Enum(_) => Some((4, true)),
            _ => None,
        }
    }

    /// An integer or enumeration.
    #[must_use]
    pub fn is_integer(&self, id: TypeId) -> bool {
        self.integer(id).is_some()
    }

    /// A floating type.
    #[must_use]
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.resolve(id), Type::Float { .. })
    }

    /// A pointer.
    #[must_use]
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.resolve(id), Type::Pointer(_))
    }

    /// An integer, enumeration or pointer.
    #[must_use]
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_pointer(id)
    }

    /// D's string.
    #[must_use]
    pub fn is_string(&self, id: TypeId) -> bool {
        matches!(self.resolve(id), Type::String)
    }

    /// A string, or a pointer to or array of plain characters, which convert to one.
    #[must_use]
    pub fn is_string_like(&self, id: TypeId) -> bool {
        self.is_string(id)
            || self.element(id).is_some_and(|e| {
                matches!(self.resolve(e), Type::Int { bytes: 1, signed: true, character: true, .. })
            })
    }

    /// Not a C type, and which kind.
    #[must_use]
    pub fn dynamic(&self, id: TypeId) -> Option<Dynamic> {
        match *self.resolve(id) {
            Type::Dynamic(kind) => Some(kind),
            _ => None,
        }
    }

    /// Returns `true` if two types are the same, ignoring typedefs.
    #[must_use]
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        self.canon(a) == self.canon(b)
    }

    /// Finds a member by name, through unnamed members.
    #[must_use]
    pub fn field(&self, record: TypeId, name: &str) -> Option<FoundField> {
        self.field_within(record, name, 0)
    }

    fn field_within(&self, record: TypeId, name: &str, depth: u32) -> Option<FoundField> {
        if depth > 32 {
            return None;
        }
        let fields = self.record(record)?.fields.as_ref()?;
        if let Some(f) = fields.iter().find(|f| !f.name.is_empty() && f.name == name) {
            return Some(FoundField { ty: f.ty, offset: f.offset, bits: f.bits });
        }
        fields.iter().filter(|f| f.name.is_empty()).find_map(|f| {
            let mut inner = self.field_within(f.ty, name, depth + 1)?;
            inner.offset += f.offset;
            Some(inner)
        })
    }
}
