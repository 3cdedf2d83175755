//! The bytes of a record behind its header.

/// A payload: fields one after the other, little-endian, without padding.
#[derive(Debug, Default)]
pub(crate) struct Payload(Vec<u8>);

impl Payload {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Payload {
        self.0.push(value);
        self
    }

    pub(crate) fn u16(&mut self, value: u16) -> &mut Payload {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Payload {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Payload {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Payload {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn zeros(&mut self, count: usize) -> &mut Payload {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    /// 8-bit text with its NUL.
    pub(crate) fn ansi(&mut self, text: &str) -> &mut Payload {
        self.0.extend(text.bytes().filter(|byte| *byte != 0));
        self.u8(0)
    }

    /// UTF-16 with its NUL.
    pub(crate) fn utf16(&mut self, text: &str) -> &mut Payload {
        for unit in text.encode_utf16().filter(|unit| *unit != 0).chain([0]) {
            self.0.extend_from_slice(&unit.to_le_bytes());
        }
        self
    }
}
