//! The header of a buffer as bytes.

use crate::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags, BufferType, at};

/// The fields of a buffer's header; see [`at`] for the layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferHeader {
    /// Bytes of the buffer in the file, header included.
    pub size: u32,
    /// End of the used bytes, header included; of a compressed buffer: after expansion.
    pub used: u32,
    /// Raw time of the flush.
    pub time: i64,
    /// Number of the buffer in its session.
    pub sequence: i64,
    /// The processor that wrote it.
    pub cpu: u16,
    /// Number of the session.
    pub logger_id: u16,
    /// State; of the header buffer of a compressed file: the compression format.
    pub state: u32,
    /// Flags. [`BufferFlags::PROCESSOR_INDEX`] belongs to a `cpu` of 16 bits.
    pub flags: BufferFlags,
    /// Type.
    pub kind: BufferType,
}

impl BufferHeader {
    /// The header at the start of a buffer; fields that readers ignore are zero.
    #[must_use]
    pub fn encode(&self) -> [u8; BUFFER_HEADER_SIZE] {
        let mut bytes = [0; BUFFER_HEADER_SIZE];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(at::BUFFER_SIZE, &self.size.to_le_bytes());
        put(at::SAVED_OFFSET, &self.used.to_le_bytes());
        put(at::CURRENT_OFFSET, &self.used.to_le_bytes());
        put(at::TIME_STAMP, &self.time.to_le_bytes());
        put(at::SEQUENCE_NUMBER, &self.sequence.to_le_bytes());
        put(at::PROCESSOR, &self.cpu.to_le_bytes());
        put(at::LOGGER_ID, &self.logger_id.to_le_bytes());
        put(at::STATE, &self.state.to_le_bytes());
        put(at::OFFSET, &self.used.to_le_bytes());
        put(at::FLAGS, &self.flags.0.to_le_bytes());
        put(at::TYPE, &self.kind.0.to_le_bytes());
        bytes
    }
}
