//! The model: what a payload consists of.

use std::borrow::Cow;

use tracewell_types::Guid;

use crate::{MapRef, Provider, ProviderEvent};

/// A class of classic events: one GUID, and for the kernel's classes one group of hook ids.
///
/// Layouts come from Microsoft's public documentation of the `MSNT_SystemTrace` MOF classes, checked
/// against real traces.
#[derive(Debug)]
pub struct EventClass {
    /// The name of the MOF class, such as `Process`.
    pub name: &'static str,
    /// The GUID that a `FULL_HEADER` record of this class carries.
    pub guid: Guid,
    /// The group byte of short-header kernel records, when the class has one.
    pub group: Option<u8>,
    /// The events by ascending opcode.
    pub events: &'static [Event],
}

/// An event type of a class: an opcode with the layouts its payload has had over time.
#[derive(Debug)]
pub struct Event {
    /// The opcode ("event type" in MOF).
    pub opcode: u8,
    /// The name of the event type, such as `Start`.
    pub name: &'static str,
    /// The layouts by ascending version number.
    pub versions: &'static [Version],
}

/// The layout of a payload: its fields in order, packed, without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The version number of the event this layout belongs to.
    pub number: u8,
    /// The fields in payload order.
    pub fields: Cow<'static, [Field]>,
}

/// One field of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, as the source of the description spells it.
    pub name: Cow<'static, str>,
    /// The storage type of an element.
    pub ty: FieldType,
    /// The number of elements.
    pub count: Count,
    /// How to display the value.
    pub hint: Hint,
    /// Whether the payload may end before this field. Microsoft appends fields to some layouts
    /// without a new version number; a payload that ends here is complete all the same.
    pub optional: bool,
    /// The names of the values of an integer, when they have names.
    pub map: Option<MapRef>,
}

/// The storage type of a field's element. All numbers are little-endian unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldType {
    /// A signed byte.
    I8,
    /// An unsigned byte.
    U8,
    /// A signed 16-bit number.
    I16,
    /// An unsigned 16-bit number.
    U16,
    /// A signed 32-bit number.
    I32,
    /// An unsigned 32-bit number.
    U32,
    /// A signed 64-bit number.
    I64,
    /// An unsigned 64-bit number.
    U64,
    /// An unsigned number as wide as a pointer of the machine that logged it: 4 or 8 bytes.
    Pointer,
    /// An IEEE 754 single.
    F32,
    /// An IEEE 754 double.
    F64,
    /// A truth value of one byte.
    Bool8,
    /// A truth value of four bytes (the Windows `BOOL`).
    Bool32,
    /// A GUID in its usual mixed-endian form, 16 bytes.
    Guid,
    /// A `FILETIME`: 100-ns ticks since 1601, 8 bytes.
    FileTime,
    /// A `SYSTEMTIME`: eight 16-bit numbers, 16 bytes.
    SystemTime,
    /// An IPv4 address in network order, 4 bytes.
    Ipv4,
    /// An IPv6 address in network order, 16 bytes.
    Ipv6,
    /// A TCP or UDP port in network order, 2 bytes.
    Port,
    /// A security identifier, `8 + 4 * sub-authority count` bytes.
    Sid,
    /// The kernel's "token user" block: a zero `u32` alone when there is no identifier; otherwise two
    /// pointer-size words and then a [`FieldType::Sid`] (MOF extension `Sid`).
    TokenUser,
    /// UTF-16LE text; the length counts 16-bit units.
    Utf16(Length),
    /// 8-bit text in an unnamed code page, or UTF-8; the length counts bytes.
    Ansi(Length),
    /// Bytes without further meaning.
    Binary(Length),
    /// Fields in a row that belong together.
    Struct(Cow<'static, [Field]>),
}

/// The length of a run of units (16-bit units or bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Length {
    /// Up to and including a NUL unit. A payload that ends without one ends the text.
    Nul,
    /// Exactly so many units; text may end earlier at a NUL inside them.
    Fixed(u16),
    /// A `u16` in front holds the size in **bytes**.
    Prefixed,
    /// A big-endian `u16` in front holds the size in **bytes** (MOF's `ReverseCounted`, `TDH_INTYPE_REVERSEDCOUNTEDSTRING`).
    PrefixedBig,
    /// A `u32` in front holds the size in **bytes** (`TDH_INTYPE_HEXDUMP`).
    PrefixedWide,
    /// The integer field with this index, earlier in the same list of fields, holds the number of units.
    Field(u16),
    /// Everything up to the end of the payload.
    Rest,
}

/// The number of elements of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Count {
    /// One: the field is not an array.
    One,
    /// An array of exactly so many elements.
    Fixed(u16),
    /// A `u16` in front holds the number of elements.
    Prefixed,
    /// The integer field with this index, earlier in the same list of fields, holds the number.
    Field(u16),
    /// As many elements as fit up to the end of the payload.
    Rest,
}

/// How a value should be shown, and what an integer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// The natural form of the type.
    None,
    /// Hexadecimal.
    Hex,
    /// A process id.
    Pid,
    /// A thread id.
    Tid,
    /// An address of code or data.
    Address,
    /// An `NTSTATUS`.
    NtStatus,
    /// An `HRESULT`.
    HResult,
    /// A Win32 error code.
    Win32Error,
    /// A raw time stamp of the trace's clock (MOF extension `WmiTime`).
    TraceTime,
    /// A size in bytes.
    Bytes,
    /// A truth value kept in an integer.
    Boolean,
    /// A character code kept in an integer.
    Character,
    /// 8-bit text is UTF-8.
    Utf8,
    /// Text is XML.
    Xml,
    /// Text is JSON.
    Json,
    /// Bytes are a `SOCKADDR`: family, port and address.
    SocketAddress,
    /// Uninitialised memory of the logging program, such as the value of a pointer, without meaning for a reader.
    Leftover,
    /// Bytes are an IPv4 (four) or IPv6 (sixteen) address in network order.
    IpAddress,
    /// A `SYSTEMTIME` is in UTC; without this hint its time zone is unknown.
    Utc,
}

/// The result of [`EventClass::event`].
#[derive(Clone, Copy, Debug)]
pub struct EventMatch {
    /// The event of the wanted opcode.
    pub event: &'static Event,
    /// The layout to use.
    pub version: &'static Version,
    /// Whether the layout has the requested version. Otherwise it is that of the nearest lower
    /// version (or the lowest of all), and a payload may be longer than the layout.
    pub exact: bool,
}

impl EventClass {
    /// The class in the form of what is known at run time: its events with their opcodes in the place of ids.
    #[must_use]
    pub fn to_provider(&self) -> Provider {
        let mut events = Vec::new();
        for event in self.events {
            events.extend(event.versions.iter().map(|version| ProviderEvent {
                id: event.opcode.into(),
                task: self.name.into(),
                opcode: event.name.into(),
                message: "".into(),
                enabling: None,
                layout: version.clone(),
            }));
        }
        Provider::new(self.name.to_owned(), self.guid, events)
    }

    /// Finds the layout for `opcode` at `version`: the exact one, else the nearest lower, else the
    /// lowest known. `None` when the class does not know the opcode.
    #[must_use]
    pub fn event(&self, opcode: u8, version: u8) -> Option<EventMatch> {
        let event = self.event_by_opcode(opcode)?;
        let best = event.versions.iter().rev().find(|v| v.number <= version).or(event.versions.first())?;
        Some(EventMatch { event, version: best, exact: best.number == version })
    }

    /// The event with this opcode.
    #[must_use]
    pub fn event_by_opcode(&self, opcode: u8) -> Option<&'static Event> {
        let at = self.events.binary_search_by_key(&opcode, |e| e.opcode).ok()?;
        self.events.get(at)
    }

    /// The event with this name, ignoring ASCII case.
    #[must_use]
    pub fn event_by_name(&self, name: &str) -> Option<&'static Event> {
        self.events.iter().find(|e| e.name.eq_ignore_ascii_case(name))
    }
}

impl Version {
    /// A layout built at run time.
    #[must_use]
    pub fn from_fields(number: u8, fields: Vec<Field>) -> Version {
        Version { number, fields: Cow::Owned(fields) }
    }

    /// The position of the field with this name, ignoring ASCII case (MOF names are not
    /// case-sensitive). The first one wins.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name.eq_ignore_ascii_case(name))
    }

    /// The field with this name; see [`Version::position`].
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(self.position(name)?)
    }
}

impl Field {
    /// A single mandatory field without a hint.
    #[must_use]
    pub const fn new(name: &'static str, ty: FieldType) -> Field {
        Field {
            name: Cow::Borrowed(name),
            ty,
            count: Count::One,
            hint: Hint::None,
            optional: false,
            map: None,
        }
    }

    /// A single mandatory field with a name built at run time.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>, ty: FieldType) -> Field {
        Field { name: name.into(), ty, count: Count::One, hint: Hint::None, optional: false, map: None }
    }

    /// The same field with another hint.
    #[must_use]
    pub const fn hint(mut self, hint: Hint) -> Field {
        self.hint = hint;
        self
    }

    /// The same field as an array.
    #[must_use]
    pub const fn count(mut self, count: Count) -> Field {
        self.count = count;
        self
    }

    /// The same field, which may be missing at the end of the payload.
    #[must_use]
    pub const fn optional(mut self) -> Field {
        self.optional = true;
        self
    }

    /// The same field with names for its values.
    #[must_use]
    pub const fn values(mut self, map: &'static crate::ValueMap) -> Field {
        // Nothing is dropped: a field under construction has no map yet.
        std::mem::forget(self.map.replace(MapRef::Static(map)));
        self
    }

    /// The bytes this field takes when that is known without a payload; `None` when it varies or when
    /// the field is optional.
    #[must_use]
    pub fn fixed_size(&self, pointer_size: u8) -> Option<usize> {
        if self.optional {
            return None;
        }
        let one = self.ty.fixed_size(pointer_size)?;
        match self.count {
            Count::One => Some(one),
            Count::Fixed(n) => one.checked_mul(usize::from(n)),
            Count::Prefixed | Count::Field(_) | Count::Rest => None,
        }
    }
}

impl FieldType {
    /// The bytes of one element when that is known without a payload.
    #[must_use]
    pub fn fixed_size(&self, pointer_size: u8) -> Option<usize> {
        Some(match self {
            FieldType::I8 | FieldType::U8 | FieldType::Bool8 => 1,
            FieldType::I16 | FieldType::U16 | FieldType::Port => 2,
            FieldType::I32 | FieldType::U32 | FieldType::F32 | FieldType::Bool32 | FieldType::Ipv4 => 4,
            FieldType::I64 | FieldType::U64 | FieldType::F64 | FieldType::FileTime => 8,
            FieldType::Pointer => usize::from(pointer_size),
            FieldType::Guid | FieldType::SystemTime | FieldType::Ipv6 => 16,
            FieldType::Utf16(Length::Fixed(n)) => 2 * usize::from(*n),
            FieldType::Ansi(Length::Fixed(n)) | FieldType::Binary(Length::Fixed(n)) => usize::from(*n),
            FieldType::Struct(fields) => {
                let mut sum = 0usize;
                for field in fields.iter() {
                    sum = sum.checked_add(field.fixed_size(pointer_size)?)?;
                }
                sum
            }
            FieldType::Sid
            | FieldType::TokenUser
            | FieldType::Utf16(_)
            | FieldType::Ansi(_)
            | FieldType::Binary(_) => return None,
        })
    }

    /// Returns `true` if a value of this type is a whole number (pointers, ports and truth values
    /// included).
    #[must_use]
    pub const fn is_integer(&self) -> bool {
        matches!(
            self,
            FieldType::I8
                | FieldType::U8
                | FieldType::I16
                | FieldType::U16
                | FieldType::I32
                | FieldType::U32
                | FieldType::I64
                | FieldType::U64
                | FieldType::Pointer
                | FieldType::Bool8
                | FieldType::Bool32
                | FieldType::FileTime
                | FieldType::Port
        )
    }

    /// Returns `true` if a value of this type is a signed whole number.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        matches!(self, FieldType::I8 | FieldType::I16 | FieldType::I32 | FieldType::I64)
    }
}
