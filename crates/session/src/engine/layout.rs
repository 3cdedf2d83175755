//! What lies where in a ring set: the memory that the writers of one user share with the session.
//!
//! A ring set is one sealed memory file: a control block of 4 KiB for each possible processor, then for each
//! processor its buffers, then a page of slack. A buffer has the form it has in a file: 72 bytes for the buffer
//! header, which writers leave alone, then records at multiples of 8.

/// Bytes from one control block to the next.
pub(crate) const CPU_STRIDE: usize = 4096;

/// Most buffers of a processor: so many sizes fit into a control block.
pub(crate) const MOST_BUFFERS: u32 = 512;

/// Least and most bytes of a buffer.
pub(crate) const BUFFER_SIZES: std::ops::RangeInclusive<u32> = 4096..=16 << 20;

/// Most bytes of a ring set.
pub(crate) const MOST_BYTES: usize = 8 << 30;

/// Offsets in a control block.
pub(crate) mod at {
    /// `u64`: number of the buffer in the upper half, offset of the next record in it in the lower half. Only the
    /// processor's own threads write it, by one store for each record.
    pub(crate) const CURSOR: usize = 0;
    /// `u64`: events lost because no buffer was free.
    pub(crate) const LOST: usize = 16;
    /// `u32`: number of the first buffer that the session has not taken yet. The session writes it.
    pub(crate) const CONSUMED: usize = 64;
    /// `u32`: not zero when the session sleeps and wants to be woken at a change of buffer.
    pub(crate) const SLEEPING: usize = 68;
    /// `u64`: position of the next record to take, as in the cursor. Only used by a session that continues after its
    /// daemon was killed; the session writes it.
    pub(crate) const TAKEN: usize = 72;
    /// `u32` for each buffer: where its records end, when it is full.
    pub(crate) const FILLED: usize = 1024;
    /// Offset of the first record in a buffer.
    pub(crate) const FIRST_RECORD: u64 = 72;
}

const _: () = assert!(at::FILLED + 4 * MOST_BUFFERS as usize <= CPU_STRIDE);

/// Sizes of a ring set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// Bytes of a buffer; a multiple of 8.
    pub(crate) buffer_size: u32,
    /// Buffers of a processor; a power of two.
    pub(crate) buffers: u32,
    /// Possible processors.
    pub(crate) cpus: u32,
    /// Whether the oldest buffers are overwritten when none is free.
    pub(crate) overwrite: bool,
}

impl Geometry {
    /// Returns `true` if the sizes are ones that [`Geometry::size`] and the writers can work with.
    pub(crate) fn is_valid(&self) -> bool {
        BUFFER_SIZES.contains(&self.buffer_size)
            && self.buffer_size.is_multiple_of(4096)
            && self.buffers.is_power_of_two()
            && (2..=MOST_BUFFERS).contains(&self.buffers)
            && (1..=4096).contains(&self.cpus)
            && self.size() <= MOST_BYTES
    }

    /// Bytes of the buffers of one processor.
    pub(crate) fn cpu_bytes(&self) -> usize {
        self.buffers as usize * self.buffer_size as usize
    }

    /// Where the buffers of the first processor start.
    pub(crate) fn data_offset(&self) -> usize {
        self.cpus as usize * CPU_STRIDE
    }

    /// Bytes of the whole set.
    pub(crate) fn size(&self) -> usize {
        (self.cpus as usize).saturating_mul(CPU_STRIDE + self.cpu_bytes()).saturating_add(4096)
    }

    /// Bytes from the beginning up to the end of the buffers of so many processors.
    pub(crate) fn size_of_cpus(&self, cpus: u32) -> usize {
        if cpus >= self.cpus { self.size() } else { self.buffer_offset(cpus, 0) }
    }

    /// Where a buffer starts.
    pub(crate) fn buffer_offset(&self, cpu: u32, number: u32) -> usize {
        let index = (number & (self.buffers - 1)) as usize;
        self.data_offset() + cpu as usize * self.cpu_bytes() + index * self.buffer_size as usize
    }
}
