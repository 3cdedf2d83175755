//! Limits on the sizes that a reader accepts, allocates and keeps.

use crate::map::Mapping;

/// Limits on the sizes that a reader accepts and allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest buffer, in the file or expanded, in bytes.
    pub buffer_size: u32,
    /// Most bytes a cursor keeps in expanded buffers at a time, over all processors; less for a small file, see
    /// [`Limits::expanded_of`].
    pub expanded: usize,
}

/// A file of any size may have so many bytes of expanded buffers at a time,
const EXPANDED_LEAST: usize = 64 << 20;

/// and for each of its bytes so many more: several times what records can be compressed to.
const EXPANSION: usize = 64;

impl Limits {
    /// Most bytes that a cursor over a file of `size` bytes keeps in expanded buffers: 64 MiB and 64 times the size, at most
    /// [`Limits::expanded`]. So a few KiB that expand to gigabytes cannot take them.
    #[must_use]
    pub fn expanded_of(&self, size: usize) -> usize {
        size.saturating_mul(EXPANSION).saturating_add(EXPANDED_LEAST).min(self.expanded)
    }
}

impl Default for Limits {
    /// 64 MiB a buffer (the largest Windows can make is 16), 512 MiB in expanded buffers.
    fn default() -> Limits {
        Limits { buffer_size: 64 << 20, expanded: 512 << 20 }
    }
}

/// The part of a mapped trace that was read since its pages were last released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PagesRead(usize);

impl PagesRead {
    /// After so many bytes pages are given back: 32 MiB.
    pub const WINDOW: usize = 32 << 20;
    /// Files up to this size stay mapped whole: 128 MiB.
    pub const KEPT: u64 = 128 << 20;

    #[inline]
    pub(crate) fn add(&mut self, bytes: usize, map: &Mapping) {
        self.0 = self.0.saturating_add(bytes);
        if self.0 >= PagesRead::WINDOW {
            self.0 = 0;
            map.release();
        }
    }

    /// Ends a pass over the file. Small files stay in memory.
    pub(crate) fn end(&mut self, map: &Mapping) {
        if map.len() >= PagesRead::WINDOW {
            self.add(PagesRead::WINDOW, map);
        }
    }
}
