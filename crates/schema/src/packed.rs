//! A provider whose text is compressed, among others.

use tracewell_types::Guid;

use crate::{Provider, text};

/// A provider of the pack.
pub(crate) struct Entry {
    pub(crate) guid: Guid,
    pub(crate) name: &'static str,
    /// The offset of its bytes in the pack.
    pub(crate) at: u32,
    /// Packed size in bytes.
    pub(crate) packed: u32,
    /// Size of the text in bytes.
    pub(crate) text: u32,
}

impl Entry {
    /// Reads the text. A pack is made with its table, so nothing of this fails; if it did, the provider would be unknown.
    pub(crate) fn read(&self, pack: &[u8]) -> Option<Box<Provider>> {
        let described = text::parse(&self.unpack(pack)?).ok()?.pop()?;
        Some(Box::new(described.provider))
    }

    /// Reads the descriptions of the events with these ids, and possibly others; see [`text::some::parse_some`].
    pub(crate) fn read_some(&self, pack: &[u8], ids: &[u16]) -> Option<Provider> {
        Some(text::some::parse_some(&self.unpack(pack)?, ids).ok()?.pop()?.provider)
    }

    fn unpack(&self, pack: &[u8]) -> Option<String> {
        let from = usize::try_from(self.at).ok()?;
        let packed = pack.get(from..)?.get(..usize::try_from(self.packed).ok()?)?;
        let most = usize::try_from(self.text).ok()?;
        let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, most).ok()?;
        String::from_utf8(unpacked).ok()
    }
}
