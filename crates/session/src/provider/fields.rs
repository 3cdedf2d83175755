//! Payloads: values that append their bytes to a record.

use tracewell_types::{FileTime, Guid};

/// Where the bytes of a payload go.
pub struct Sink<'a> {
    push: SinkKind<'a>,
}

enum SinkKind<'a> {
    #[cfg(target_os = "linux")]
    Record(crate::engine::sys::Staging<'a>),
    #[allow(dead_code, reason = "for back ends that take the payload as one piece")]
    Vector(&'a mut Vec<u8>),
}

impl<'a> Sink<'a> {
    #[cfg(target_os = "linux")]
    #[inline(always)]
    pub(crate) fn record(record: crate::engine::sys::Staging<'a>) -> Sink<'a> {
        Sink { push: SinkKind::Record(record) }
    }

    /// The record that was given to [`Sink::record`], with what was appended.
    #[cfg(target_os = "linux")]
    #[inline(always)]
    pub(crate) fn into_record(self) -> Option<crate::engine::sys::Staging<'a>> {
        match self.push {
            SinkKind::Record(record) => Some(record),
            SinkKind::Vector(_) => None,
        }
    }

    /// A sink that gathers the bytes.
    #[must_use]
    pub fn vector(bytes: &'a mut Vec<u8>) -> Sink<'a> {
        Sink { push: SinkKind::Vector(bytes) }
    }

    /// Appends bytes.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.push {
            #[cfg(target_os = "linux")]
            SinkKind::Record(record) => record.push(bytes),
            SinkKind::Vector(vector) => vector.extend_from_slice(bytes),
        }
    }
}

/// The payload of an event: a tuple of up to sixteen fields, bytes as they are, pieces, or a closure that appends to the sink.
pub trait Fields {
    /// Appends the bytes of all fields.
    fn put(&self, sink: &mut Sink<'_>);
}

/// A value that can be a field, with its TraceLogging type.
pub trait Field {
    /// TraceLogging type of the value (`TlgIn`).
    const IN_TYPE: u8;
    /// TraceLogging hint (`TlgOut`); 0 for none.
    const OUT_TYPE: u8 = 0;
    /// Appends the bytes of the value.
    fn put(&self, sink: &mut Sink<'_>);
}

macro_rules! integers {
    ($($type:ty = $number:literal;)*) => {$(
        impl Field for $type {
            const IN_TYPE: u8 = $number;
            #[inline(always)]
            fn put(&self, sink: &mut Sink<'_>) {
                sink.push(&self.to_le_bytes());
            }
        }
    )*};
}

integers! { i8 = 3; u8 = 4; i16 = 5; u16 = 6; i32 = 7; u32 = 8; i64 = 9; u64 = 10; f32 = 11; f64 = 12; }

impl Field for bool {
    const IN_TYPE: u8 = 4;
    const OUT_TYPE: u8 = 3;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(&[u8::from(*self)]);
    }
}

/// Text: UTF-8 with its length in front.
impl Field for str {
    const IN_TYPE: u8 = 23;
    const OUT_TYPE: u8 = 35;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        counted(self.as_bytes(), sink);
    }
}

/// Bytes with their length in front.
impl Field for [u8] {
    const IN_TYPE: u8 = 14;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        counted(self, sink);
    }
}

/// The bit of a TraceLogging type that makes it an array, which is preceded by its length in 16 bits (`TlgInVcount`).
const ARRAY: u8 = 0x40;

/// An array: its length in 16 bits, and as many items as that can say.
#[inline(always)]
fn array<T: Field>(items: &[T], sink: &mut Sink<'_>) {
    let length = u16::try_from(items.len()).unwrap_or(u16::MAX);
    sink.push(&length.to_le_bytes());
    for item in items.get(..usize::from(length)).unwrap_or_default() {
        item.put(sink);
    }
}

macro_rules! arrays {
    ($($type:ty),*) => {$(
        impl Field for [$type] {
            const IN_TYPE: u8 = <$type as Field>::IN_TYPE | ARRAY;
            const OUT_TYPE: u8 = <$type as Field>::OUT_TYPE;
            #[inline(always)]
            fn put(&self, sink: &mut Sink<'_>) {
                array(self, sink);
            }
        }
        impl<const N: usize> Field for [$type; N] {
            const IN_TYPE: u8 = <$type as Field>::IN_TYPE | ARRAY;
            const OUT_TYPE: u8 = <$type as Field>::OUT_TYPE;
            #[inline(always)]
            fn put(&self, sink: &mut Sink<'_>) {
                array(self, sink);
            }
        }
    )*};
}

// Of bytes there are blobs instead.
arrays! { i8, i16, u16, i32, u32, i64, u64, f32, f64, bool, Guid, FileTime, &str, String }

/// An owned text is as a borrowed one.
impl Field for String {
    const IN_TYPE: u8 = str::IN_TYPE;
    const OUT_TYPE: u8 = str::OUT_TYPE;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        str::put(self, sink);
    }
}

/// A time in UTC (`TlgInFILETIME`).
impl Field for FileTime {
    const IN_TYPE: u8 = 17;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(&self.0.to_le_bytes());
    }
}

/// A number that is shown in hexadecimal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hex<T>(pub T);

impl<T: Field> Field for Hex<T> {
    const IN_TYPE: u8 = T::IN_TYPE;
    /// `TlgOutHEX`.
    const OUT_TYPE: u8 = 4;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        self.0.put(sink);
    }
}

/// An address (`TlgInPOINTER`), as wide as those of the program.
impl<T> Field for *const T {
    const IN_TYPE: u8 = if size_of::<usize>() == 8 { 21 } else { 20 };
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(&self.addr().to_le_bytes());
    }
}

/// Borrowed values are encoded like the values themselves, so that texts and bytes can be in
/// tuples.
impl<T: Field + ?Sized> Field for &T {
    const IN_TYPE: u8 = T::IN_TYPE;
    const OUT_TYPE: u8 = T::OUT_TYPE;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        T::put(self, sink);
    }
}

impl Field for Guid {
    const IN_TYPE: u8 = 15;
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(self.as_bytes());
    }
}

/// A length of 16 bits, and as many bytes as it can say.
#[inline(always)]
fn counted(bytes: &[u8], sink: &mut Sink<'_>) {
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    sink.push(&length.to_le_bytes());
    sink.push(bytes.get(..usize::from(length)).unwrap_or_default());
}

/// UTF-16 text with a terminator, as manifests and classes call a Unicode string.
#[derive(Clone, Copy, Debug)]
pub struct Utf16<'a>(pub &'a str);

/// 8-bit text with a terminator.
#[derive(Clone, Copy, Debug)]
pub struct Ansi<'a>(pub &'a str);

impl Field for Utf16<'_> {
    const IN_TYPE: u8 = 1;
    fn put(&self, sink: &mut Sink<'_>) {
        // A zero inside would end the text early.
        for unit in self.0.encode_utf16().take_while(|unit| *unit != 0) {
            sink.push(&unit.to_le_bytes());
        }
        sink.push(&[0, 0]);
    }
}

impl Field for Ansi<'_> {
    const IN_TYPE: u8 = 2;
    const OUT_TYPE: u8 = 35;
    fn put(&self, sink: &mut Sink<'_>) {
        let text = self.0.split('\0').next().unwrap_or_default();
        sink.push(text.as_bytes());
        sink.push(&[0]);
    }
}

impl<F: Fn(&mut Sink<'_>)> Fields for F {
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        self(sink);
    }
}

/// Bytes as they are.
impl Fields for [u8] {
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(self);
    }
}

impl<const N: usize> Fields for [u8; N] {
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(self);
    }
}

impl Fields for &[u8] {
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        sink.push(self);
    }
}

/// The pieces one after the other, as with `EVENT_DATA_DESCRIPTOR`.
impl Fields for [&[u8]] {
    fn put(&self, sink: &mut Sink<'_>) {
        self.iter().for_each(|piece| sink.push(piece));
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Field),*> Fields for ($($name,)*) {
            #[inline(always)]
            #[allow(non_snake_case)]
            fn put(&self, _sink: &mut Sink<'_>) {
                let ($($name,)*) = self;
                $($name.put(_sink);)*
            }
        }
    )*};
}

tuples! {
    () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L) (A B C D E F G H I J K L M)
    (A B C D E F G H I J K L M N) (A B C D E F G H I J K L M N O) (A B C D E F G H I J K L M N O P)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 6: arrays and structures in events that describe themselves.
    #[test]
    fn arrays_and_structures_are_those_of_tracelogging() {
        use crate::provider::{FieldInfo, event_metadata, event_metadata_size};
        const FIELDS: &[FieldInfo] = crate::event_fields!(@info []
            ids: [u32] = [],
            buyer: { name: str = "", home: { street: str = "", number: u16 = 7 }, },
            mask: Hex<u64> = Hex(1_u64),
            when: FileTime = FileTime(0),
        );
        const EVENT: [u8; event_metadata_size("Ev", FIELDS)] = event_metadata("Ev", FIELDS);
        let expected = b"\x46\0\0Ev\0ids\0\x48buyer\0\x98\x02name\0\x97\x23home\0\x98\x02street\0\x97\x23number\0\x06mask\0\x8a\x04when\0\x11";
        assert_eq!(EVENT[2..], expected[2..]);
        assert_eq!(usize::from(u16::from_le_bytes([EVENT[0], EVENT[1]])), EVENT.len());
        let (ids, street) = (vec![7_u32, 8], String::from("Main"));
        let put = |sink: &mut Sink<'_>| {
            crate::event_fields!(@put sink
                ids: [u32] = ids,
                buyer: { name: str = "Ada", home: { street: str = street, number: u16 = 7_u16 } },
                notes: [&str] = ["a", "bc"],
                fixed: [bool; 2] = [true, false],
                mask: Hex<u16> = Hex(0x1234_u16),
            );
        };
        let mut bytes = Vec::new();
        Fields::put(&put, &mut Sink::vector(&mut bytes));
        assert_eq!(
            bytes,
            b"\x02\0\x07\0\0\0\x08\0\0\0\x03\0Ada\x04\0Main\x07\0\x02\0\x01\0a\x02\0bc\x02\0\x01\0\x34\x12"
        );
    }

    /// Issue 6: a payload as it is easiest to write.
    #[test]
    fn tuples_hold_texts_and_bytes_and_up_to_sixteen_fields() {
        let bytes = |fields: &dyn Fields| {
            let mut bytes = Vec::new();
            fields.put(&mut Sink::vector(&mut bytes));
            bytes
        };
        let mixed = (7_u32, "abc", &[1_u8, 2][..], Ansi("x"), Utf16("y"), true);
        assert_eq!(bytes(&mixed), b"\x07\0\0\0\x03\0abc\x02\0\x01\x02x\0y\0\0\0\x01");
        let many = (
            1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, 8_u8, 9_u8, 10_u8, 11_u8, 12_u8, 13_u8, 14_u8, 15_u8,
            16_u8,
        );
        assert_eq!(bytes(&many), (1..=16).collect::<Vec<u8>>());
    }
}
