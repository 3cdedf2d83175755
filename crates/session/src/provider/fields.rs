//! Payloads: values that append their bytes to a record.

use tracewell_types::Guid;

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

/// What is borrowed is as what it is borrowed from, so that texts and bytes can stand in tuples.
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
