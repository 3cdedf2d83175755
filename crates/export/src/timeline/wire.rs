//! The wire format of protocol buffers, as far as writing needs it.
//!
//! Source: the public encoding description at protobuf.dev. A nested message is written behind a length of
//! four bytes that is filled in afterwards; readers take such lengths, though shorter ones would do.

/// Appends fields of messages to bytes.
#[derive(Debug)]
pub(super) struct Wire<'o>(pub(super) &'o mut Vec<u8>);

impl Wire<'_> {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A number (`uint32`, `uint64`, `int32`, `int64`, `bool`, an enumeration).
    pub(super) fn number(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3);
        self.varint(value);
    }

    /// A signed number (`sint32`, `sint64`).
    pub(super) fn signed(&mut self, field: u32, value: i64) {
        self.number(field, ((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    /// A text.
    pub(super) fn text(&mut self, field: u32, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    /// Bytes.
    pub(super) fn bytes(&mut self, field: u32, value: &[u8]) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    /// A message.
    pub(super) fn message(&mut self, field: u32, fill: impl FnOnce(&mut Wire<'_>)) {
        self.varint(u64::from(field) << 3 | 2);
        let at = self.0.len();
        self.0.extend_from_slice(&[0; 4]);
        fill(&mut Wire(self.0));
        let length = self.0.len() - at - 4;
        // Four bytes hold 2^28; what is put into one message here stays far below.
        debug_assert!(length < 1 << 28);
        let bytes =
            [length | 0x80, length >> 7 | 0x80, length >> 14 | 0x80, length >> 21 & 0x7f].map(|b| b as u8);
        if let Some(place) = self.0.get_mut(at..at + 4) {
            place.copy_from_slice(&bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_as_the_encoding_says() {
        let mut out = Vec::new();
        let mut wire = Wire(&mut out);
        wire.number(1, 150);
        wire.signed(2, -1);
        wire.text(16, "ab");
        wire.message(3, |inner| inner.number(1, 1));
        assert_eq!(out[..3], [0x08, 0x96, 0x01]);
        assert_eq!(out[3..5], [0x10, 0x01]);
        assert_eq!(out[5..10], [0x82, 0x01, 2, b'a', b'b']);
        assert_eq!(out[10..], [0x1a, 0x82, 0x80, 0x80, 0x00, 0x08, 0x01]);
    }
}
