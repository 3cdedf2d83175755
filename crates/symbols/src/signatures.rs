//! The types of functions' parameters and results, from the debug information of a program or library (DWARF).
//!
//! Only the compilation units that contain a wanted function are read, and those that its types refer to.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, SectionId, Unit, UnitHeader,
    UnitOffset, constants as dw,
};
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection};
use rustc_hash::FxHashMap;

use crate::file;
use crate::guard::guarded;

/// Larger files are not read.
const LARGEST: u64 = 2 << 30;
/// Maximum number of entries that are read for one question.
const MOST_ENTRIES: u64 = 50_000_000;
/// Maximum number of types of an answer.
const MOST_TYPES: usize = 4096;
/// Maximum number of members of a structure, and of enumerators.
const MOST_MEMBERS: usize = 4096;
/// Maximum number of entries that a reference to another one leads through.
const MOST_STEPS: usize = 8;

/// The number of a type in [`Signatures::types`].
pub type TypeIndex = u32;

/// A type of the language C, or what is like one of another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// What has no value, or a type that is not described.
    Void,
    /// An integer.
    Int {
        /// Bytes.
        size: u64,
        /// It has a sign.
        signed: bool,
        /// It is a character.
        character: bool,
    },
    /// A floating-point number of so many bytes.
    Float(u64),
    /// A pointer or a reference.
    Pointer(TypeIndex),
    /// Elements of a type, and their number.
    Array(TypeIndex, u64),
    /// A structure, union or class.
    Struct(DebugStruct),
    /// An enumeration.
    Enum {
        /// Its name; empty for none.
        name: String,
        /// Bytes.
        size: u64,
        /// Names and values.
        values: Vec<(String, i64)>,
    },
    /// Something else of so many bytes.
    Opaque(u64),
}

/// A structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugStruct {
    /// Its name; empty for none.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// All members begin at the same place.
    pub union: bool,
    /// Name, place and type of each member; bit fields are left out.
    pub members: Vec<(String, u64, TypeIndex)>,
}

/// The parameters and the result of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Name and type of each parameter.
    pub parameters: Vec<(String, TypeIndex)>,
    /// The type of the result; [`None`] if there is none.
    pub result: Option<TypeIndex>,
}

/// The signatures of functions.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    /// By the function's address.
    pub functions: FxHashMap<u64, Signature>,
    /// The types that they refer to.
    pub types: Vec<DebugType>,
}

/// Finds the signatures of the functions at addresses of a file, in its debug information or in the first of the files
/// `apart` that has some.
///
/// # Errors
/// There is no debug information, or it cannot be read: why, for the user.
pub fn signatures(path: &Path, apart: &[PathBuf], addresses: &[u64]) -> Result<Signatures, String> {
    answered(path, apart, |reader| reader.find(addresses))
}

/// What a name of a type has before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeWord {
    /// `struct`: also a class.
    Struct,
    /// `union`.
    Union,
    /// `enum`.
    Enum,
    /// Nothing: any type that has a name.
    None,
}

/// Finds a type by its name, as [`signatures`] finds functions. [`None`] if the debug information describes no such type.
///
/// # Errors
/// As [`signatures`].
pub fn named_type(
    path: &Path,
    apart: &[PathBuf],
    (word, name): (TypeWord, &str),
) -> Result<Option<(Signatures, TypeIndex)>, String> {
    answered(path, apart, |reader| reader.find_type(word, name))
}

/// Asks the debug information of a file, or that of the first of the files `apart` that has some.
fn answered<T>(
    path: &Path,
    apart: &[PathBuf],
    question: impl Fn(Reader<'_>) -> gimli::Result<T>,
) -> Result<T, String> {
    let mut refused = "it has no debug information (compile with -g)".to_owned();
    for place in std::iter::once(path).chain(apart.iter().map(PathBuf::as_path)) {
        let Ok(Some(bytes)) = file::read(place, LARGEST) else { continue };
        match guarded(|| of_bytes(&bytes, &question)) {
            Some(Ok(Some(found))) => return Ok(found),
            Some(Ok(None)) => {}
            Some(Err(error)) => refused = error,
            None => refused = "the reader of its debug information gave up".to_owned(),
        }
    }
    Err(refused)
}

/// The answer of a file; [`None`] if it has no debug information.
fn of_bytes<T>(bytes: &[u8], question: impl Fn(Reader<'_>) -> gimli::Result<T>) -> Result<Option<T>, String> {
    let Ok(file) = ElfFile64::<Endianness>::parse(bytes) else { return Ok(None) };
    let Some(info) = file.section_by_name(".debug_info") else { return Ok(None) };
    if !file.is_little_endian() {
        return Ok(None);
    }
    if info.compressed_file_range().is_ok_and(|range| range.format != object::CompressionFormat::None) {
        return Err("its debug information is compressed".to_owned());
    }
    let load = |id: SectionId| -> Result<EndianSlice<'_, LittleEndian>, gimli::Error> {
        let section = file.section_by_name(id.name());
        Ok(EndianSlice::new(
            section.and_then(|section| section.data().ok()).unwrap_or_default(),
            LittleEndian,
        ))
    };
    let damaged = |error: gimli::Error| format!("its debug information is damaged: {error}");
    let dwarf = Dwarf::load(load).map_err(damaged)?;
    let reader = Reader::new(dwarf).map_err(damaged)?;
    let left = Rc::clone(&reader.left);
    question(reader).map(Some).map_err(|error| match left.get() {
        0 => format!("its debug information has more than {MOST_ENTRIES} entries"),
        _ => damaged(error),
    })
}

type Slice<'d> = EndianSlice<'d, LittleEndian>;
type Entry<'u, 'd> = DebuggingInformationEntry<'u, 'u, Slice<'d>>;
type Value<'d> = AttributeValue<Slice<'d>>;

/// An entry: the number of its unit, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    unit: usize,
    offset: UnitOffset,
}

struct Reader<'d> {
    dwarf: Dwarf<Slice<'d>>,
    headers: Vec<UnitHeader<Slice<'d>>>,
    units: RefCell<FxHashMap<usize, Rc<Unit<Slice<'d>>>>>,
    /// Entries that may still be read.
    left: Rc<Cell<u64>>,
    /// The first one is no type.
    types: RefCell<Vec<DebugType>>,
    /// Where the types after the first one are described, and how many of them have their parts.
    places: RefCell<Vec<Place>>,
    filled: Cell<usize>,
    known: RefCell<FxHashMap<Place, TypeIndex>>,
}

impl<'d> Reader<'d> {
    fn new(dwarf: Dwarf<Slice<'d>>) -> gimli::Result<Reader<'d>> {
        let mut headers = Vec::new();
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            headers.push(header);
        }
        Ok(Reader {
            dwarf,
            headers,
            units: RefCell::default(),
            left: Rc::new(Cell::new(MOST_ENTRIES)),
            types: RefCell::new(vec![DebugType::Void]),
            places: RefCell::default(),
            filled: Cell::new(0),
            known: RefCell::default(),
        })
    }

    fn find(self, addresses: &[u64]) -> gimli::Result<Signatures> {
        let mut wanted = addresses.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let mut functions = FxHashMap::default();
        for number in 0..self.headers.len() {
            if wanted.is_empty() {
                break;
            }
            // A unit that is damaged does not hide the others.
            let Ok(unit) = self.unit(number) else { continue };
            if !self.holds_any(&unit, &wanted) {
                continue;
            }
            let Ok(found) = self.functions_in(number, &unit, &wanted) else { continue };
            wanted.retain(|address| !found.iter().any(|(at, _)| at == address));
            for (address, place) in found {
                if let Ok(signature) = self.signature(place) {
                    functions.insert(address, signature);
                }
            }
        }
        Ok(Signatures { functions, types: self.types.into_inner() })
    }

    fn find_type(self, word: TypeWord, name: &str) -> gimli::Result<Option<(Signatures, TypeIndex)>> {
        for number in 0..self.headers.len() {
            // A unit that is damaged does not hide the others.
            let Ok(unit) = self.unit(number) else { continue };
            let found = self.type_in(number, &unit, word, name);
            // What was not read may describe it.
            if self.left.get() == 0 {
                self.spend()?;
            }
            let Ok(Some(place)) = found else { continue };
            let index = self.type_at(place)?;
            self.fill()?;
            return Ok(Some((
                Signatures { functions: FxHashMap::default(), types: self.types.into_inner() },
                index,
            )));
        }
        Ok(None)
    }

    /// Where a unit describes a type.
    fn type_in(
        &self,
        number: usize,
        unit: &Unit<Slice<'d>>,
        word: TypeWord,
        name: &str,
    ) -> gimli::Result<Option<Place>> {
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            self.spend()?;
            let is_meant = match entry.tag() {
                dw::DW_TAG_structure_type | dw::DW_TAG_class_type => {
                    matches!(word, TypeWord::Struct | TypeWord::None)
                }
                dw::DW_TAG_union_type => matches!(word, TypeWord::Union | TypeWord::None),
                dw::DW_TAG_enumeration_type => matches!(word, TypeWord::Enum | TypeWord::None),
                dw::DW_TAG_typedef | dw::DW_TAG_base_type => word == TypeWord::None,
                _ => false,
            };
            // A declaration has no members.
            if !is_meant || entry.attr_value(dw::DW_AT_declaration)?.is_some() {
                continue;
            }
            let Some(value) = entry.attr_value(dw::DW_AT_name)? else { continue };
            if self.dwarf.attr_string(unit, value)?.slice() == name.as_bytes() {
                return Ok(Some(Place { unit: number, offset: entry.offset() }));
            }
        }
        Ok(None)
    }

    fn unit(&self, number: usize) -> gimli::Result<Rc<Unit<Slice<'d>>>> {
        if let Some(unit) = self.units.borrow().get(&number) {
            return Ok(unit.clone());
        }
        let header = *self.headers.get(number).ok_or(gimli::Error::NoEntryAtGivenOffset)?;
        let unit = Rc::new(self.dwarf.unit(header)?);
        self.units.borrow_mut().insert(number, unit.clone());
        Ok(unit)
    }

    fn holds_any(&self, unit: &Unit<Slice<'d>>, wanted: &[u64]) -> bool {
        let Ok(mut ranges) = self.dwarf.unit_ranges(unit) else { return true };
        while let Ok(Some(range)) = ranges.next() {
            let first = wanted.partition_point(|address| *address < range.begin);
            if wanted.get(first).is_some_and(|address| *address < range.end) {
                return true;
            }
        }
        false
    }

    /// The wanted functions of a unit.
    fn functions_in(
        &self,
        number: usize,
        unit: &Unit<Slice<'d>>,
        wanted: &[u64],
    ) -> gimli::Result<Vec<(u64, Place)>> {
        let mut found = Vec::new();
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            self.spend()?;
            if entry.tag() != dw::DW_TAG_subprogram {
                continue;
            }
            let start = match entry.attr_value(dw::DW_AT_low_pc)? {
                Some(AttributeValue::Addr(address)) => address,
                Some(AttributeValue::DebugAddrIndex(index)) => self.dwarf.address(unit, index)?,
                _ => continue,
            };
            if wanted.binary_search(&start).is_ok() {
                found.push((start, Place { unit: number, offset: entry.offset() }));
            }
        }
        Ok(found)
    }

    fn spend(&self) -> gimli::Result<()> {
        let left = self.left.get().checked_sub(1).ok_or(gimli::Error::NoEntryAtGivenOffset)?;
        self.left.set(left);
        Ok(())
    }

    /// Calls a function with an entry.
    fn with<T>(
        &self,
        place: Place,
        each: impl FnOnce(&Unit<Slice<'d>>, &Entry<'_, 'd>) -> gimli::Result<T>,
    ) -> gimli::Result<T> {
        self.spend()?;
        let unit = self.unit(place.unit)?;
        let entry = unit.entry(place.offset)?;
        each(&unit, &entry)
    }

    /// An attribute of an entry, or of the one that it completes, and the unit that it refers to.
    fn attribute(&self, place: Place, name: gimli::DwAt) -> gimli::Result<Option<(usize, Value<'d>)>> {
        let mut at = place;
        for _ in 0..MOST_STEPS {
            let (value, next) = self.with(at, |_, entry| {
                let origin = entry.attr_value(dw::DW_AT_abstract_origin)?;
                let next = match origin {
                    Some(origin) => Some(origin),
                    None => entry.attr_value(dw::DW_AT_specification)?,
                };
                Ok((entry.attr_value(name)?, next))
            })?;
            if let Some(value) = value {
                return Ok(Some((at.unit, value)));
            }
            match next.and_then(|next| self.place(at.unit, &next)) {
                Some(next) => at = next,
                None => break,
            }
        }
        Ok(None)
    }

    /// The entry that an attribute refers to.
    fn place(&self, unit: usize, value: &Value<'d>) -> Option<Place> {
        match *value {
            AttributeValue::UnitRef(offset) => Some(Place { unit, offset }),
            AttributeValue::DebugInfoRef(offset) => {
                let after = self.headers.partition_point(|header| {
                    header.offset().as_debug_info_offset().is_some_and(|start| start.0 <= offset.0)
                });
                let unit = after.checked_sub(1)?;
                Some(Place { unit, offset: offset.to_unit_offset(self.headers.get(unit)?)? })
            }
            _ => None,
        }
    }

    fn name(&self, place: Place) -> gimli::Result<String> {
        let Some((unit, value)) = self.attribute(place, dw::DW_AT_name)? else { return Ok(String::new()) };
        let text = self.dwarf.attr_string(&*self.unit(unit)?, value)?;
        Ok(text.to_string_lossy().into_owned())
    }

    fn number(&self, place: Place, name: gimli::DwAt) -> gimli::Result<Option<u64>> {
        let value = self.attribute(place, name)?;
        Ok(value.and_then(|(_, value)| {
            value.udata_value().or_else(|| value.sdata_value().map(i64::cast_unsigned))
        }))
    }

    /// The entries below an entry that have one of these tags.
    fn below(&self, place: Place, tags: &[gimli::DwTag]) -> gimli::Result<Vec<Place>> {
        let unit = self.unit(place.unit)?;
        let mut tree = unit.entries_tree(Some(place.offset))?;
        let mut children = tree.root()?.children();
        let mut found = Vec::new();
        while let Some(child) = children.next()? {
            self.spend()?;
            if tags.contains(&child.entry().tag()) && found.len() < MOST_MEMBERS {
                found.push(Place { unit: place.unit, offset: child.entry().offset() });
            }
        }
        Ok(found)
    }

    fn signature(&self, place: Place) -> gimli::Result<Signature> {
        let mut parameters = Vec::new();
        for parameter in self.below(place, &[dw::DW_TAG_formal_parameter])? {
            parameters.push((self.name(parameter)?, self.type_of(parameter)?));
        }
        let has_result = self.attribute(place, dw::DW_AT_type)?.is_some();
        let result = if has_result { Some(self.type_of(place)?) } else { None };
        self.fill()?;
        Ok(Signature { parameters, result })
    }

    /// The type of an entry; the first one if it has none.
    fn type_of(&self, place: Place) -> gimli::Result<TypeIndex> {
        let Some((unit, value)) = self.attribute(place, dw::DW_AT_type)? else { return Ok(0) };
        self.place(unit, &value).map_or(Ok(0), |at| self.type_at(at))
    }

    /// The type that an entry describes, or that it is another name of.
    fn type_at(&self, mut at: Place) -> gimli::Result<TypeIndex> {
        let mut alias = String::new();
        // Names and qualities of types lead to the type itself.
        for _ in 0..64 {
            let tag = self.with(at, |_, entry| Ok(entry.tag()))?;
            match tag {
                dw::DW_TAG_typedef => {
                    if alias.is_empty() {
                        alias = self.name(at)?;
                    }
                }
                dw::DW_TAG_const_type
                | dw::DW_TAG_volatile_type
                | dw::DW_TAG_restrict_type
                | dw::DW_TAG_atomic_type => {}
                _ => return self.number_of(at, tag, alias),
            }
            let next = self.with(at, |_, entry| entry.attr_value(dw::DW_AT_type))?;
            match next.and_then(|next| self.place(at.unit, &next)) {
                Some(next) => at = next,
                None => return Ok(0),
            }
        }
        Ok(0)
    }

    /// The number of a type. Its parts are read [later](Reader::fill): types contain themselves.
    fn number_of(&self, at: Place, tag: gimli::DwTag, alias: String) -> gimli::Result<TypeIndex> {
        if let Some(&number) = self.known.borrow().get(&at) {
            return Ok(number);
        }
        let size = self.number(at, dw::DW_AT_byte_size)?.unwrap_or(0);
        let name = match self.name(at)? {
            name if name.is_empty() => alias,
            name => name,
        };
        let made = match tag {
            dw::DW_TAG_base_type => match self.attribute(at, dw::DW_AT_encoding)?.map(|(_, value)| value) {
                Some(AttributeValue::Encoding(dw::DW_ATE_float)) => DebugType::Float(size),
                Some(AttributeValue::Encoding(dw::DW_ATE_signed)) => integer(size, true, false),
                Some(AttributeValue::Encoding(dw::DW_ATE_signed_char)) => integer(size, true, true),
                Some(AttributeValue::Encoding(dw::DW_ATE_unsigned_char)) => integer(size, false, true),
                Some(AttributeValue::Encoding(dw::DW_ATE_complex_float)) => DebugType::Opaque(size),
                _ => integer(size, false, false),
            },
            dw::DW_TAG_structure_type | dw::DW_TAG_class_type | dw::DW_TAG_union_type => {
                let union = tag == dw::DW_TAG_union_type;
                DebugType::Struct(DebugStruct { name, size, union, members: Vec::new() })
            }
            dw::DW_TAG_enumeration_type => DebugType::Enum { name, size, values: Vec::new() },
            dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type | dw::DW_TAG_rvalue_reference_type => {
                DebugType::Pointer(0)
            }
            dw::DW_TAG_array_type => DebugType::Array(0, self.elements(at)?),
            _ => DebugType::Opaque(size),
        };
        let mut types = self.types.borrow_mut();
        // Beyond the limit only the name of a type is lost.
        if types.len() >= MOST_TYPES {
            return Ok(0);
        }
        types.push(made);
        self.places.borrow_mut().push(at);
        let number = types.len() as TypeIndex - 1;
        self.known.borrow_mut().insert(at, number);
        Ok(number)
    }

    /// The number of elements of an array, of all dimensions.
    fn elements(&self, at: Place) -> gimli::Result<u64> {
        let mut total = 1u64;
        for range in self.below(at, &[dw::DW_TAG_subrange_type])? {
            let count = match self.number(range, dw::DW_AT_count)? {
                Some(count) => count,
                None => self.number(range, dw::DW_AT_upper_bound)?.map_or(0, |last| last.wrapping_add(1)),
            };
            total = total.saturating_mul(count);
        }
        Ok(total)
    }

    /// Reads the parts of the types that were numbered; these may be of further types.
    fn fill(&self) -> gimli::Result<()> {
        loop {
            let next = self.filled.get();
            let Some(place) = self.places.borrow().get(next).copied() else { return Ok(()) };
            self.filled.set(next + 1);
            self.fill_one(next + 1, place)?;
        }
    }

    fn fill_one(&self, number: usize, place: Place) -> gimli::Result<()> {
        let kind = self.types.borrow().get(number).cloned();
        let made = match kind {
            Some(DebugType::Pointer(0)) => DebugType::Pointer(self.type_of(place)?),
            Some(DebugType::Array(0, count)) => DebugType::Array(self.type_of(place)?, count),
            Some(DebugType::Struct(known)) if known.members.is_empty() => {
                let mut members = Vec::new();
                for member in self.below(place, &[dw::DW_TAG_member])? {
                    let bits = self.attribute(member, dw::DW_AT_bit_size)?;
                    let place = self.number(member, dw::DW_AT_data_member_location)?;
                    let place = if known.union { Some(place.unwrap_or(0)) } else { place };
                    if let (None, Some(place)) = (bits, place) {
                        members.push((self.name(member)?, place, self.type_of(member)?));
                    }
                }
                DebugType::Struct(DebugStruct { members, ..known })
            }
            Some(DebugType::Enum { name, size, values }) if values.is_empty() => {
                let mut values = Vec::new();
                for value in self.below(place, &[dw::DW_TAG_enumerator])? {
                    let number = self.attribute(value, dw::DW_AT_const_value)?.and_then(|(_, value)| {
                        value.sdata_value().or_else(|| value.udata_value().map(u64::cast_signed))
                    });
                    values.extend(number.map(|number| (self.name(value).unwrap_or_default(), number)));
                }
                DebugType::Enum { name, size, values }
            }
            _ => return Ok(()),
        };
        if let Some(place) = self.types.borrow_mut().get_mut(number) {
            *place = made;
        }
        Ok(())
    }
}

fn integer(size: u64, signed: bool, character: bool) -> DebugType {
    match size {
        1 | 2 | 4 | 8 | 16 => DebugType::Int { size, signed, character },
        _ => DebugType::Opaque(size),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::ElfCode;

    #[inline(never)]
    extern "C" fn issue_17_typed(number: i32, text: *const u8, of: &Inner, float: f64) -> i64 {
        // Parameters whose addresses are taken stay in memory, and in the debug information.
        std::hint::black_box((&number, &text, &of, &float));
        i64::from(of.left) + i64::from(of.next.is_null())
    }

    #[repr(C)]
    struct Inner {
        left: u16,
        next: *const Inner,
        bytes: [u8; 12],
        kind: Kind,
    }

    #[expect(dead_code, reason = "its enumerators are looked up by name")]
    #[derive(Clone, Copy)]
    #[repr(u32)]
    enum Kind {
        First,
        Second = 7,
    }

    #[test]
    fn issue_17_the_types_of_a_function_of_this_program_are_known() {
        let inner = Inner { left: 1, next: std::ptr::null(), bytes: [0; 12], kind: Kind::Second };
        std::hint::black_box((inner.bytes, inner.kind));
        // Called where the compiler does not see it, the function keeps its parameters.
        let typed: extern "C" fn(i32, *const u8, &Inner, f64) -> i64 = issue_17_typed;
        std::hint::black_box(typed)(1, std::ptr::null(), &inner, 1.0);
        let path = std::env::current_exe().unwrap();
        let code = ElfCode::open(&path, Path::new("/")).unwrap();
        let is_meant = |function: &&crate::CodeFunction| function.name.ends_with("::issue_17_typed");
        let address = code.functions.iter().find(is_meant).unwrap().address;
        let found = match signatures(&path, &[], &[address]) {
            Ok(found) => found,
            Err(error) => return tracewell_corpus::skip("debug information", &error),
        };
        let function = &found.functions[&address];
        let names: Vec<_> = function.parameters.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["number", "text", "of", "float"]);
        let of = |number: TypeIndex| &found.types[number as usize];
        let number = |size, signed| DebugType::Int { size, signed, character: false };
        assert_eq!(*of(function.parameters[0].1), number(4, true));
        assert_eq!(*of(function.result.unwrap()), number(8, true));
        assert_eq!(*of(function.parameters[3].1), DebugType::Float(8));
        let DebugType::Pointer(inner) = *of(function.parameters[2].1) else { panic!("a reference") };
        let DebugType::Struct(inner) = of(inner) else { panic!("a structure") };
        let mut members: Vec<_> = inner.members.iter().map(|(name, at, _)| (name.as_str(), *at)).collect();
        members.sort_unstable();
        assert_eq!((inner.name.as_str(), inner.size), ("Inner", 32));
        assert_eq!(members, [("bytes", 16), ("kind", 28), ("left", 0), ("next", 8)]);
        let kind = inner.members.iter().find(|(name, ..)| name == "kind").unwrap();
        let DebugType::Enum { values, .. } = of(kind.2) else { panic!("an enumeration") };
        assert_eq!(*values, [("First".to_owned(), 0), ("Second".to_owned(), 7)]);
        for (word, name, size) in [
            (TypeWord::Struct, "Inner", 32),
            (TypeWord::None, "Inner", 32),
            (TypeWord::Union, "Inner", 0),
            (TypeWord::Enum, "Inner", 0),
            (TypeWord::Struct, "issue_17_no_such_type", 0),
        ] {
            let found = named_type(&path, &[], (word, name)).unwrap();
            let size_of = |(known, index): (Signatures, TypeIndex)| match &known.types[index as usize] {
                DebugType::Struct(of) => of.size,
                other => panic!("{other:?}"),
            };
            assert_eq!(found.map_or(0, size_of), size, "{word:?} {name}");
        }
        // What was not read may have it.
        let bytes = std::fs::read(&path).unwrap();
        let few = |reader: Reader<'_>| {
            reader.left.set(3);
            reader.find_type(TypeWord::Struct, "issue_17_no_such_type")
        };
        let expected = "its debug information has more than 50000000 entries";
        assert_eq!(of_bytes(&bytes, few).err().as_deref(), Some(expected));
        // What is cut off or changed does no harm.
        let whole = std::fs::read(&path).unwrap();
        for end in (0..whole.len()).step_by(whole.len() / 10) {
            let _ = of_bytes(&whole[..end], |reader| reader.find(&[address]));
            let _ = of_bytes(&whole[..end], |reader| reader.find_type(TypeWord::Struct, "Inner"));
        }
    }
}
