//! Events that describe themselves: TraceLogging and self-describing EventSource.
//!
//! Such a record carries its event name and field list in an extended item ([`parse`]) and its
//! provider's name in another ([`ProviderTraits`]). The layout of both is documented in the comments of
//! the Windows SDK's `TraceLoggingProvider.h`: the size of the whole (`u16`), tags, the name with its NUL, then the fields to the
//! end. Each has a name with its NUL, a type byte, a byte of hints if the type has 0x80, tags if the hints have 0x80, and a `u16`
//! count if the type has 0x20; with 0x40 the payload has the count, and 0x60 is a type of the provider's choice. Tags have 7 bits
//! in a byte, the highest first, and 0x80 in each byte but the last.

use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use rustc_hash::FxHasher;
use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_schema::{Count, Field, FieldType, Hint, Length, Version};
use tracewell_types::Guid;

/// The description that one event carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSchema {
    /// The name of the event.
    pub name: Box<str>,
    /// The event's tag, 28 bits of the provider's own use.
    pub tags: u32,
    /// The layout of the payload; where the description [is not understood](EventSchema::stopped) to its end, of the fields
    /// before.
    pub layout: Version,
    /// Why the layout ends before the description does: what cannot be read there.
    pub stopped: Option<SchemaError>,
}

/// Why a description cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// The blob ends inside an element; the number is the offset of that element.
    Truncated(usize),
    /// A field has an unknown type: the offset of the type byte and the type.
    UnknownType(usize, u8),
    /// A struct claims more members than there are fields, or structs nest too deep.
    BadStruct(usize),
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemaError::Truncated(at) => write!(f, "the event description ends inside byte {at}"),
            SchemaError::UnknownType(at, ty) => write!(f, "unknown field type {ty} at byte {at}"),
            SchemaError::BadStruct(at) => write!(f, "impossible struct at byte {at}"),
        }
    }
}

impl std::error::Error for SchemaError {}

/// Deepest nesting of structs.
const MAX_DEPTH: u8 = 16;

/// Parses the data of a schema item (extended type 11).
///
/// An unknown type, or truncated data, ends the layout, because the offsets after it are unknown. The name and the
/// fields before stay ([`EventSchema::stopped`]).
///
/// # Errors
///
/// If not even the name can be read.
pub fn parse(blob: &[u8]) -> Result<EventSchema, SchemaError> {
    let mut reader = Reader { blob, at: 0 };
    let size = usize::from(reader.u16()?);
    if let Some(inside) = blob.get(..size) {
        reader.blob = inside;
    }
    let tags = reader.tags()?;
    let name = reader.text()?;
    let mut fields = Vec::new();
    let mut stopped = None;
    while reader.at < reader.blob.len() && stopped.is_none() {
        match reader.field(0) {
            Ok(field) => fields.push(field),
            Err(Stop { error, sure }) => {
                fields.extend(sure);
                stopped = Some(error);
            }
        }
    }
    Ok(EventSchema { name: name.into(), tags, layout: Version::from_fields(0, fields), stopped })
}

/// A field that cannot be read, and what is sure of it: of a struct the members before.
struct Stop {
    error: SchemaError,
    sure: Option<Field>,
}

impl From<SchemaError> for Stop {
    fn from(error: SchemaError) -> Stop {
        Stop { error, sure: None }
    }
}

struct Reader<'a> {
    blob: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8, SchemaError> {
        let byte = self.blob.get(self.at).copied().ok_or(SchemaError::Truncated(self.at))?;
        self.at += 1;
        Ok(byte)
    }

    fn u16(&mut self) -> Result<u16, SchemaError> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    /// Seven bits a byte, most significant first; the high bit says that another byte follows.
    fn tags(&mut self) -> Result<u32, SchemaError> {
        let mut tags = 0u32;
        loop {
            let byte = self.byte()?;
            tags = tags << 7 | u32::from(byte & 0x7F);
            if byte & 0x80 == 0 {
                return Ok(tags);
            }
        }
    }

    /// UTF-8 text up to its NUL; what is not UTF-8 is replaced.
    fn text(&mut self) -> Result<String, SchemaError> {
        let tail = self.blob.get(self.at..).unwrap_or_default();
        let end = tail.iter().position(|b| *b == 0).ok_or(SchemaError::Truncated(self.at))?;
        self.at += end + 1;
        Ok(String::from_utf8_lossy(tail.get(..end).unwrap_or_default()).into_owned())
    }

    fn field(&mut self, depth: u8) -> Result<Field, Stop> {
        const HAS_OUT_TYPE: u8 = 0x80;
        const COUNT_MASK: u8 = 0x60;
        let name = self.text()?;
        let type_at = self.at;
        let in_type = self.byte()?;
        let mut out_type = 0;
        if in_type & HAS_OUT_TYPE != 0 {
            let byte = self.byte()?;
            out_type = byte & 0x7F;
            if byte & 0x80 != 0 {
                self.tags()?;
            }
        }
        let mut custom = false;
        let count = match in_type & COUNT_MASK {
            0x20 => Count::Fixed(self.u16()?),
            0x40 => Count::Prefixed,
            0x60 => {
                // Custom type information, which only its provider can read, and a counted payload.
                let size = usize::from(self.u16()?);
                self.at += size;
                if self.at > self.blob.len() {
                    return Err(SchemaError::Truncated(type_at).into());
                }
                custom = true;
                Count::One
            }
            _ => Count::One,
        };
        let base = in_type & 0x1F;
        let ty = match base {
            _ if custom => FieldType::Binary(Length::Prefixed),
            STRUCT => return self.structure(name, out_type, count, (type_at, depth)),
            other => stored(other, out_type).ok_or(SchemaError::UnknownType(type_at, other))?,
        };
        Ok(Field::named(name, ty).count(count).hint(hint(base, out_type)))
    }

    /// The members of a struct, which follow it.
    fn structure(
        &mut self,
        name: String,
        number: u8,
        count: Count,
        (type_at, depth): (usize, u8),
    ) -> Result<Field, Stop> {
        if depth >= MAX_DEPTH {
            return Err(SchemaError::BadStruct(type_at).into());
        }
        let mut members = Vec::new();
        let mut problem = None;
        for _ in 0..number {
            if self.at >= self.blob.len() {
                problem = Some(SchemaError::BadStruct(type_at));
                break;
            }
            match self.field(depth + 1) {
                Ok(member) => members.push(member),
                Err(Stop { error, sure }) => {
                    members.extend(sure);
                    problem = Some(error);
                    break;
                }
            }
        }
        let is_empty = members.is_empty();
        let field = Field::named(name, FieldType::Struct(members.into())).count(count);
        match problem {
            None => Ok(field),
            // Of an array not even the first element ends where the known members do.
            Some(error) => Err(Stop { error, sure: (count == Count::One && !is_empty).then_some(field) }),
        }
    }
}

/// The in type of a struct, whose size is not fixed.
const STRUCT: u8 = 24;

/// The out types that change how a value is stored or read, as `TlgOut_t` of the SDK numbers them.
const OUT_BOOLEAN: u8 = 3;
const OUT_HEX: u8 = 4;
const OUT_PORT: u8 = 7;
const OUT_IPV4: u8 = 8;
const OUT_IPV6: u8 = 9;
const OUT_FILETIME: u8 = 16;
const OUT_SIGNED: u8 = 17;
const OUT_UNSIGNED: u8 = 18;

/// The storage of a value of these types; `None` for unknown in types (`TlgIn_t`).
fn stored(in_type: u8, out_type: u8) -> Option<FieldType> {
    let signed = |plain: FieldType, other: FieldType| if out_type == OUT_SIGNED { other } else { plain };
    // What shows the bits of a number shows them without a sign.
    let bits = matches!(out_type, OUT_HEX | OUT_UNSIGNED);
    let unsigned = |plain: FieldType, other: FieldType| if bits { other } else { plain };
    Some(match in_type {
        0 => FieldType::Binary(Length::Fixed(0)),
        1 => FieldType::Utf16(Length::Nul),
        2 => FieldType::Ansi(Length::Nul),
        3 => unsigned(FieldType::I8, FieldType::U8),
        4 if out_type == OUT_BOOLEAN => FieldType::Bool8,
        4 => signed(FieldType::U8, FieldType::I8),
        5 => unsigned(FieldType::I16, FieldType::U16),
        6 if out_type == OUT_PORT => FieldType::Port,
        6 => signed(FieldType::U16, FieldType::I16),
        7 => unsigned(FieldType::I32, FieldType::U32),
        8 if out_type == OUT_IPV4 => FieldType::Ipv4,
        8 | 20 => signed(FieldType::U32, FieldType::I32),
        9 | 10 if out_type == OUT_FILETIME => FieldType::FileTime,
        9 => unsigned(FieldType::I64, FieldType::U64),
        10 | 21 => signed(FieldType::U64, FieldType::I64),
        11 => FieldType::F32,
        12 => FieldType::F64,
        13 => FieldType::Bool32,
        14 | 25 => FieldType::Binary(Length::Prefixed),
        15 => FieldType::Guid,
        16 => FieldType::Pointer,
        17 => FieldType::FileTime,
        18 => FieldType::SystemTime,
        19 => FieldType::Sid,
        22 => FieldType::Utf16(Length::Prefixed),
        23 => FieldType::Ansi(Length::Prefixed),
        _ => return None,
    })
}

/// How a value of these types is shown. The out types of TraceLogging are not those of manifests; 1 (not printed), 33
/// (dates as every culture reads them) and 36 (a signature) say nothing that changes how we show a value.
fn hint(in_type: u8, out_type: u8) -> Hint {
    match (in_type, out_type) {
        (16, OUT_UNSIGNED) | (20 | 21, OUT_UNSIGNED | OUT_SIGNED) => Hint::None,
        (16 | 20 | 21, 0..=4 | 35) => Hint::Hex,
        (_, 2) => Hint::Character,
        (_, OUT_BOOLEAN) => Hint::Boolean,
        (_, OUT_HEX) => Hint::Hex,
        (_, 5) => Hint::Pid,
        (_, 6) => Hint::Tid,
        (14 | 25, OUT_IPV6 | OUT_IPV4) => Hint::IpAddress,
        (14 | 25, 10) => Hint::SocketAddress,
        (_, 11) => Hint::Xml,
        (_, 12) => Hint::Json,
        (_, 13) => Hint::Win32Error,
        (_, 14) => Hint::NtStatus,
        (_, 15) => Hint::HResult,
        (_, 35) => Hint::Utf8,
        (_, 37) => Hint::Address,
        (18, 38) => Hint::Utc,
        (16 | 20 | 21, _) => Hint::Hex,
        _ => Hint::None,
    }
}

/// The descriptions seen so far, each parsed once: looked up by the bytes of the blob.
#[derive(Debug, Default)]
pub struct SchemaCache {
    known: std::collections::HashMap<Box<[u8]>, Known, BuildHasherDefault<FxHasher>>,
    /// The bytes of all keys together.
    bytes: usize,
}

type Known = Result<Arc<EventSchema>, SchemaError>;

impl SchemaCache {
    /// Maximum total size of cached descriptions, so that a trace with only different descriptions
    /// cannot exhaust memory. Usual traces stay far below.
    pub const MAX_BYTES: usize = 8 << 20;

    /// An empty cache.
    #[must_use]
    pub fn new() -> SchemaCache {
        SchemaCache::default()
    }

    /// The description in the data of a schema item.
    ///
    /// # Errors
    ///
    /// As [`parse`]; errors are remembered too.
    pub fn get(&mut self, blob: &[u8]) -> Known {
        if let Some(known) = self.known.get(blob) {
            return known.clone();
        }
        let parsed = parse(blob).map(Arc::new);
        if self.bytes + blob.len() > SchemaCache::MAX_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        self.bytes += blob.len();
        self.known.insert(blob.into(), parsed.clone());
        parsed
    }

    /// The description a record carries; `None` when it carries none.
    pub fn of_record(&mut self, record: &Record<'_>) -> Option<Known> {
        let item = record.extended().find(|item| item.kind == ExtendedKind::SCHEMA)?;
        Some(self.get(item.data))
    }

    /// How many descriptions are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns `true` if no description is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// The provider description in a record (extended type 12). Ordinary manifest events of EventSource
/// providers have it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderTraits<'a> {
    /// The name of the provider, UTF-8 as a rule.
    pub name: &'a [u8],
    /// The provider group it belongs to.
    pub group: Option<Guid>,
}

impl<'a> ProviderTraits<'a> {
    /// Parses the data of a traits item; `None` when it has no whole name.
    #[must_use]
    pub fn parse(blob: &'a [u8]) -> Option<ProviderTraits<'a>> {
        const GROUP_GUID: u8 = 1;
        let size = usize::from(u16::from_le_bytes(*blob.first_chunk()?));
        let blob = blob.get(..size).unwrap_or(blob);
        let text = blob.get(2..)?;
        let end = text.iter().position(|b| *b == 0)?;
        let mut traits = ProviderTraits { name: text.get(..end)?, group: None };
        let mut rest = text.get(end + 1..)?;
        // Each trait: its size with this head, its type, its data.
        while let Some(&[low, high, kind]) = rest.first_chunk() {
            let size = usize::from(u16::from_le_bytes([low, high]));
            let Some(data) = rest.get(3..size) else { break };
            if kind == GROUP_GUID
                && let Some(guid) = data.first_chunk()
            {
                traits.group = Some(Guid::from_bytes(*guid));
            }
            rest = rest.get(size..).unwrap_or_default();
        }
        Some(traits)
    }

    /// The traits a record carries.
    #[must_use]
    pub fn of_record(record: &Record<'a>) -> Option<ProviderTraits<'a>> {
        let item = record.extended().find(|item| item.kind == ExtendedKind::PROVIDER_TRAITS)?;
        ProviderTraits::parse(item.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    fn blob(body: &[u8]) -> Vec<u8> {
        let size = u16::try_from(body.len() + 2).unwrap();
        [&size.to_le_bytes()[..], body].concat()
    }

    fn texts(schema: &EventSchema, payload: &[u8]) -> Vec<String> {
        Fields::new(&schema.layout, payload, 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect()
    }

    #[test]
    fn plain_fields_counts_and_hints() {
        let mut body = vec![0x81, 0x02];
        body.extend(b"Ev\0a\0\x08b\0\x88\x04c\0\x01d\0\x24\x02\0e\0\x47f\0\x17");
        let schema = parse(&blob(&body)).unwrap();
        assert_eq!((&*schema.name, schema.tags), ("Ev", 0x82));
        let mut payload = vec![7, 0, 0, 0, 0xFF, 0, 0, 0, b'x', 0, 0, 0, 1, 2];
        payload.extend([1, 0, 0xFE, 0xFF, 0xFF, 0xFF, 2, 0, b'h', b'i']);
        assert_eq!(texts(&schema, &payload), ["a=7", "b=0xff", "c=x", "d=[1, 2]", "e=[-2]", "f=hi"]);
        assert_eq!(Fields::new(&schema.layout, &payload, 8).finish(), Ok(&[][..]));
    }

    #[test]
    fn structs_take_the_fields_that_follow() {
        let schema = parse(&blob(b"\0Ev\0s\0\x98\x02a\0\x04b\0\x04c\0\x04")).unwrap();
        assert_eq!(texts(&schema, &[1, 2, 3]), ["s={a=1, b=2}", "c=3"]);
        let array = parse(&blob(b"\0Ev\0s\0\xD8\x01a\0\x01")).unwrap();
        let payload = [2, 0, b'x', 0, 0, 0, b'y', 0, 0, 0];
        assert_eq!(texts(&array, &payload), ["s=[{a=x}, {a=y}]"]);
    }

    /// Structs are nested up to the limit, and no further.
    #[test]
    fn structs_are_nested_up_to_a_limit() {
        let most = usize::from(MAX_DEPTH);
        for depth in [1, most - 1, most, most + 1, most + 2] {
            let body = [&b"\0Ev\0"[..], &b"s\0\x98\x01".repeat(depth), b"a\0\x04"].concat();
            let parsed = parse(&blob(&body));
            let shown =
                parsed.ok().filter(|schema| schema.stopped.is_none()).map(|schema| texts(&schema, &[7]));
            let nested = format!("{}a=7{}", "s={".repeat(depth), "}".repeat(depth));
            assert_eq!(shown, (depth <= most).then(|| vec![nested]), "{depth}");
        }
    }

    #[test]
    fn bad_descriptions_are_errors() {
        assert_eq!(parse(&[]), Err(SchemaError::Truncated(0)));
        assert_eq!(parse(&blob(b"\0Ev")), Err(SchemaError::Truncated(3)));
        let stopped = |body: &[u8]| parse(&blob(body)).map(|schema| schema.stopped);
        assert_eq!(stopped(b"\0E\0a\0\x1F"), Ok(Some(SchemaError::UnknownType(7, 31))));
        assert_eq!(stopped(b"\0E\0a\0\x98\x02b\0\x04"), Ok(Some(SchemaError::BadStruct(7))));
        let mut deep = b"\0E\0".to_vec();
        for _ in 0..40 {
            deep.extend(b"s\0\x98\x01");
        }
        deep.extend(b"a\0\x04");
        assert!(matches!(stopped(&deep), Ok(Some(SchemaError::BadStruct(_)))));
    }

    /// Issue 3: a field of an unknown type also removed the name of the event and the fields before
    /// it.
    #[test]
    fn fields_before_an_unknown_type_stay() {
        let schema = parse(&blob(b"\0Ev\0a\0\x08s\0\x98\x02b\0\x04c\0\x1Ed\0\x04")).unwrap();
        assert_eq!((&*schema.name, schema.stopped), ("Ev", Some(SchemaError::UnknownType(18, 30))));
        let payload = [7, 0, 0, 0, 1, 2, 3];
        assert_eq!(texts(&schema, &payload), ["a=7", "s={b=1}"]);
        assert_eq!(Fields::new(&schema.layout, &payload, 8).finish(), Ok(&[2, 3][..]));
        // Elements of arrays have no known size then.
        let array = parse(&blob(b"\0Ev\0a\0\x04s\0\xD8\x02b\0\x04c\0\x1E")).unwrap();
        assert_eq!(texts(&array, &[7, 1, 0, 9, 9]), ["a=7"]);
    }

    /// Every out type of `TlgOut_t` on a type it goes with.
    #[test]
    fn out_types_say_how_values_are_read() {
        let time = 133_000_000_000_000_000i64.to_le_bytes();
        let mut v6 = vec![16, 0];
        v6.extend([0; 15]);
        v6.push(1);
        let rows: &[(u8, u8, &[u8], &str)] = &[
            (8, 1, &[1, 0, 0, 0], "1"),
            (4, 2, b"A", "A"),
            (4, 3, &[1], "true"),
            (13, 3, &[1, 0, 0, 0], "true"),
            (7, 4, &[0xFF, 0xFF, 0xFF, 0xFF], "0xffffffff"),
            (8, 5, &[4, 0, 0, 0], "4"),
            (8, 6, &[4, 0, 0, 0], "4"),
            (6, 7, &[1, 187], "443"),
            (8, 8, &[10, 0, 0, 1], "10.0.0.1"),
            (14, 9, &v6, "::1"),
            (25, 9, &v6, "::1"),
            (14, 10, &[8, 0, 2, 0, 0, 80, 10, 0, 0, 1], "10.0.0.1:80"),
            (2, 11, b"<a/>\0", "<a/>"),
            (2, 12, b"{}\0", "{}"),
            (8, 13, &[5, 0, 0, 0], "5 ERROR_ACCESS_DENIED"),
            (8, 14, &[0x22, 0, 0, 0xC0], "0xc0000022 STATUS_ACCESS_DENIED"),
            (7, 15, &[5, 0x40, 0, 0x80], "0x80004005 E_FAIL"),
            (9, 16, &time, "2022-06-18T04:26:40.0000000Z"),
            (10, 16, &time, "2022-06-18T04:26:40.0000000Z"),
            (10, 17, &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "-2"),
            (20, 17, &[0xFE, 0xFF, 0xFF, 0xFF], "-2"),
            (3, 18, &[0xFE], "254"),
            (21, 18, &[9, 0, 0, 0, 0, 0, 0, 0], "9"),
            (20, 0, &[9, 0, 0, 0], "0x9"),
            (17, 33, &time, "2022-06-18T04:26:40.0000000Z"),
            (2, 35, "\u{e9}\0".as_bytes(), "\u{e9}"),
            (14, 36, &[1, 0, 0xAB], "ab"),
            (16, 37, &[0x10, 0, 0, 0, 0, 0, 0, 0], "0x10"),
            (17, 38, &time, "2022-06-18T04:26:40.0000000Z"),
            (18, 38, &[232, 7, 5, 0, 3, 0, 1, 0, 12, 0, 30, 0, 0, 0, 7, 0], "2024-05-01T12:30:00.007Z"),
        ];
        for (in_type, out_type, payload, wanted) in rows {
            let schema = parse(&blob(&[&b"\0E\0a\0"[..], &[in_type | 0x80, *out_type]].concat())).unwrap();
            assert_eq!(texts(&schema, payload), [format!("a={wanted}")], "{in_type} shown as {out_type}");
            assert_eq!(Fields::new(&schema.layout, payload, 8).finish(), Ok(&[][..]));
        }
    }

    /// Every pair of an in type and an out type: the natural type, unless a row says otherwise.
    #[test]
    fn storage_and_form_of_all_pairs_of_types() {
        use FieldType::{
            Ansi, Binary, Bool8, Bool32, F32, F64, FileTime, Guid, I8, I16, I32, I64, Ipv4, Pointer, Port,
            Sid, SystemTime, U8, U16, U32, U64, Utf16,
        };
        let natural = [
            Binary(Length::Fixed(0)),
            Utf16(Length::Nul),
            Ansi(Length::Nul),
            I8,
            U8,
            I16,
            U16,
            I32,
            U32,
            I64,
            U64,
            F32,
            F64,
            Bool32,
            Binary(Length::Prefixed),
            Guid,
            Pointer,
            FileTime,
            SystemTime,
            Sid,
            U32,
            U64,
            Utf16(Length::Prefixed),
            Ansi(Length::Prefixed),
        ];
        // Signed and unsigned forms, and what only the out type says.
        let other = [
            (3, 4, U8),
            (3, 18, U8),
            (4, 17, I8),
            (4, 3, Bool8),
            (5, 4, U16),
            (5, 18, U16),
            (6, 17, I16),
            (6, 7, Port),
            (7, 4, U32),
            (7, 18, U32),
            (8, 17, I32),
            (8, 8, Ipv4),
            (9, 4, U64),
            (9, 18, U64),
            (9, 16, FileTime),
            (10, 16, FileTime),
            (10, 17, I64),
            (20, 17, I32),
            (21, 17, I64),
        ];
        let hints = [
            (2, Hint::Character),
            (3, Hint::Boolean),
            (4, Hint::Hex),
            (5, Hint::Pid),
            (6, Hint::Tid),
            (11, Hint::Xml),
            (12, Hint::Json),
            (13, Hint::Win32Error),
            (14, Hint::NtStatus),
            (15, Hint::HResult),
            (35, Hint::Utf8),
            (37, Hint::Address),
        ];
        for input in 0..=31u8 {
            for out in 0..=40u8 {
                let known =
                    natural.get(usize::from(input)).or((input == 25).then_some(&Binary(Length::Prefixed)));
                let special = other.iter().find(|row| (row.0, row.1) == (input, out)).map(|row| &row.2);
                assert_eq!(stored(input, out), special.or(known).cloned(), "{input} shown as {out}");
                // Pointers and hexadecimal numbers stay hexadecimal, unless the out type asks for a meaning.
                let is_hex = [16, 20, 21].contains(&input);
                let general = hints.iter().find(|(number, _)| *number == out).map(|(_, hint)| *hint);
                let want = match out {
                    0..=4 | 35 if is_hex => Hint::Hex,
                    18 if is_hex => Hint::None,
                    17 if [20, 21].contains(&input) => Hint::None,
                    8 | 9 if [14, 25].contains(&input) => Hint::IpAddress,
                    10 if [14, 25].contains(&input) => Hint::SocketAddress,
                    38 if input == 18 => Hint::Utc,
                    _ => general.unwrap_or(if is_hex { Hint::Hex } else { Hint::None }),
                };
                assert_eq!(hint(input, out), want, "{input} shown as {out}");
            }
        }
    }

    /// A tiny description and payload must not make the reader work off counts it only claims.
    #[test]
    fn empty_elements_do_not_multiply() {
        let mut body = b"\0E\0".to_vec();
        for _ in 0..10 {
            body.extend(b"s\0\xB8\x01\xFF\xFF");
        }
        body.extend(b"a\0\x00");
        let schema = parse(&blob(&body)).unwrap();
        assert_eq!(Fields::new(&schema.layout, &[], 8).count(), 1);
    }

    #[test]
    fn the_cache_hands_out_the_same_description() {
        let mut cache = SchemaCache::new();
        let one = blob(b"\0Ev\0a\0\x08");
        let (a, b) = (cache.get(&one).unwrap(), cache.get(&one).unwrap());
        assert!(Arc::ptr_eq(&a, &b));
        assert!(cache.get(&[]).is_err() && cache.get(&[]).is_err());
        assert_eq!(cache.len(), 2);
    }

    #[test]
    fn traits_name_the_provider_and_its_group() {
        let mut body = b"Contoso\0\x13\0\x01".to_vec();
        body.extend(1..=16u8);
        let item = blob(&body);
        let traits = ProviderTraits::parse(&item).unwrap();
        assert_eq!(traits.name, b"Contoso");
        assert_eq!(traits.group.map(Guid::to_bytes), Some(std::array::from_fn(|i| i as u8 + 1)));
        assert_eq!(ProviderTraits::parse(b"\x05\0abc"), None);
        let endless = blob(b"A\0\0\0\x01");
        assert_eq!(ProviderTraits::parse(&endless).unwrap().group, None);
    }
}
