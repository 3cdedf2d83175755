//! Readers of the two kinds of rings: those of eBPF programs, and those of performance events.
//!
//! Both are memory that the kernel fills and this process empties: a position that the kernel moves on, and one that the
//! reader does. What is read is copied out, and every length in it is checked against the ring.

use std::io;
use std::os::fd::BorrowedFd;

use crate::sys::{Shared, page_size};

/// Header of a record in a ring of eBPF programs: its length, with two flags.
const BUSY: u32 = 1 << 31;
const DISCARDED: u32 = 1 << 30;
const HEADER: u64 = 8;

/// The ring of one processor that eBPF programs write to.
#[derive(Debug)]
pub(crate) struct BpfRing {
    consumer: Shared,
    /// The position of the kernel, and behind it the data, twice in a row.
    producer: Shared,
    page: usize,
    size: u64,
}

impl BpfRing {
    /// Maps a ring of `size` bytes.
    pub(crate) fn map(ring: BorrowedFd<'_>, size: u32) -> io::Result<BpfRing> {
        let page = page_size();
        Ok(BpfRing {
            consumer: Shared::map(ring, 0, page, true)?,
            producer: Shared::map(ring, page, page + 2 * size as usize, false)?,
            page,
            size: size.into(),
        })
    }

    /// Gives every record that is complete to `take`, by copy, and its room back. Stops at one that is being written.
    pub(crate) fn read(&self, bytes: &mut Vec<u8>, mut take: impl FnMut(&mut Vec<u8>, usize)) {
        let mut at = self.consumer.load64(0);
        loop {
            let end = self.producer.load64(0);
            if at >= end {
                break;
            }
            while at < end {
                let place = self.page + (at & (self.size - 1)) as usize;
                let header = self.producer.load32(place);
                if header & BUSY != 0 {
                    self.consumer.store64(0, at);
                    return;
                }
                let size = u64::from(header & !DISCARDED);
                if header & DISCARDED == 0 && size <= self.size {
                    let start = bytes.len();
                    self.producer.copy(place + HEADER as usize, size as usize, bytes);
                    take(bytes, start);
                }
                at += (size + HEADER).next_multiple_of(8);
            }
            self.consumer.store64(0, at);
        }
    }
}

/// Where the positions of a ring of performance events lie in its first page (`struct perf_event_mmap_page`).
const DATA_HEAD: usize = 1024;
const DATA_TAIL: usize = 1032;

/// The ring of one processor that the kernel writes samples and mappings to.
#[derive(Debug)]
pub(crate) struct PerfRing {
    memory: Shared,
    page: usize,
    size: u64,
}

impl PerfRing {
    /// Maps a ring with `size` bytes of data, a power of 2.
    pub(crate) fn map(event: BorrowedFd<'_>, size: u32) -> io::Result<PerfRing> {
        let page = page_size();
        let memory = Shared::map(event, 0, page + size as usize, true)?;
        Ok(PerfRing { memory, page, size: size.into() })
    }

    /// Bytes of data.
    pub(crate) fn bytes(&self) -> u32 {
        self.size as u32
    }

    /// Appends what the ring holds to `out` and gives its room back. Records may be cut by nothing: the kernel moves its
    /// position by whole ones.
    pub(crate) fn read(&self, out: &mut Vec<u8>) {
        let head = self.memory.load64(DATA_HEAD);
        let tail = self.memory.load64(DATA_TAIL);
        let size = head.wrapping_sub(tail).min(self.size);
        let from = tail & (self.size - 1);
        let first = size.min(self.size - from);
        self.memory.copy(self.page + from as usize, first as usize, out);
        self.memory.copy(self.page, (size - first) as usize, out);
        self.memory.store64(DATA_TAIL, head);
    }
}
