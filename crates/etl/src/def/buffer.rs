//! The buffer: the unit a session writes its file in. `WMI_BUFFER_HEADER`, 72 bytes, at the start of each.
//!
//! Names follow Geoff Chappell's studies of the structure and the public symbol files of Windows.

use super::{bit_set, open_enum};

/// Bytes of a buffer header.
pub const BUFFER_HEADER_SIZE: usize = 72;

/// Records start at multiples of this, counted from the end of the buffer header.
pub const RECORD_ALIGNMENT: usize = 8;

/// The byte that fills the unused end of a buffer. Four of them where a record would start end the buffer.
pub const FILLER: u8 = 0xFF;

/// Offsets of the fields of a buffer header.
pub mod at {
    /// `u32`: bytes of the buffer in the file, header included.
    pub const BUFFER_SIZE: usize = 0x00;
    /// `u32`: end of the used bytes, header included; after expansion in a compressed buffer; may be 0 in a header buffer.
    pub const SAVED_OFFSET: usize = 0x04;
    /// `u32`: the writer's reservation pointer; may exceed the size; without meaning to a reader.
    pub const CURRENT_OFFSET: usize = 0x08;
    /// `i32`: writers still at work; without meaning to a reader.
    pub const REFERENCE_COUNT: usize = 0x0C;
    /// `i64`: raw clock or file time of the flush; not fit for ordering.
    pub const TIME_STAMP: usize = 0x10;
    /// `i64`: number of the buffer in its session.
    pub const SEQUENCE_NUMBER: usize = 0x18;
    /// `u64`: clock type in 3 bits and frequency in 61 in memory; leftovers in files.
    pub const CLOCK: usize = 0x20;
    /// `u16`: processor; see [`super::BufferFlags::PROCESSOR_INDEX`].
    pub const PROCESSOR: usize = 0x28;
    /// `u16`: number of the session.
    pub const LOGGER_ID: usize = 0x2A;
    /// `u32`: state; in the header buffer of a compressed file the low half is the compression format.
    pub const STATE: usize = 0x2C;
    /// `u32`: end of the used bytes, header included, when the buffer was flushed.
    pub const OFFSET: usize = 0x30;
    /// `u16`: [`super::BufferFlags`].
    pub const FLAGS: usize = 0x34;
    /// `u16`: [`super::BufferType`].
    pub const TYPE: usize = 0x36;
    /// 16 bytes the kernel uses in memory; without meaning to a reader.
    pub const KERNEL: usize = 0x38;
}

bit_set! {
    /// Flags of a buffer (`BufferFlag`).
    BufferFlags: u16 {
        /// Flushed before it was full, or the last one of a flush.
        FLUSH_MARKER = 0x0001, "flush-marker";
        /// Events that belonged here were lost.
        EVENTS_LOST = 0x0002, "events-lost";
        /// A whole buffer before this one was lost.
        BUFFER_LOST = 0x0004, "buffer-lost";
        /// The real-time backup file is damaged.
        RTBACKUP_CORRUPT = 0x0008, "real-time-backup-corrupt";
        /// Comes from a real-time backup file.
        RTBACKUP = 0x0010, "real-time-backup";
        /// The processor field is one `u16` index (Windows 8 and later) and not a number byte and an alignment byte.
        PROCESSOR_INDEX = 0x0020, "processor-index";
        /// The bytes after the header are compressed.
        COMPRESSED = 0x0040, "compressed";
    }
}

open_enum! {
    /// Type of a buffer (`BufferType`).
    BufferType: u16 {
        /// Ordinary records.
        GENERIC = 0, "generic";
        /// Rundown records.
        RUNDOWN = 1, "rundown";
        /// Context switches only (in memory).
        CONTEXT_SWAP = 2, "context-swap";
        /// A reference time.
        REFERENCE_TIME = 3, "reference-time";
        /// The first buffer of a file, which holds the log file header.
        HEADER = 4, "header";
        /// Batched context switches (in memory).
        BATCHED = 5, "batched";
        /// Contains only a marker.
        EMPTY_MARKER = 6, "empty-marker";
        /// Debug information.
        DEBUG_INFO = 7, "debug-info";
    }
}

open_enum! {
    /// The compression of a file's buffers: the numbers of `RtlCompressBuffer`.
    CompressionFormat: u16 {
        /// Not compressed.
        NONE = 0, "none";
        /// LZNT1.
        LZNT1 = 2, "lznt1";
        /// Plain LZ77 of the Xpress family.
        XPRESS = 3, "xpress";
        /// LZ77 with Huffman coding of the Xpress family.
        XPRESS_HUFFMAN = 4, "xpress-huffman";
    }
}
