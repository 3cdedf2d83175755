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

    /// Gives every record that is complete to `take`, by copy, and its room back. Stops at one that is being written. Returns how
    /// full the ring was.
    pub(crate) fn read(&self, bytes: &mut Vec<u8>, mut take: impl FnMut(&mut Vec<u8>, usize)) -> Fill {
        let mut at = self.consumer.load64(0);
        let fill = Fill { held: self.producer.load64(0).saturating_sub(at), size: self.size };
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
                    return fill;
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
        fill
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
    /// position by whole ones. Returns how full the ring was.
    pub(crate) fn read(&self, out: &mut Vec<u8>) -> Fill {
        let head = self.memory.load64(DATA_HEAD);
        let tail = self.memory.load64(DATA_TAIL);
        let size = head.wrapping_sub(tail).min(self.size);
        let from = tail & (self.size - 1);
        let first = size.min(self.size - from);
        self.memory.copy(self.page + from as usize, first as usize, out);
        self.memory.copy(self.page, (size - first) as usize, out);
        self.memory.store64(DATA_TAIL, head);
        Fill { held: size, size: self.size }
    }
}

/// How full a ring was when it was read, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fill {
    held: u64,
    size: u64,
}

impl Fill {
    /// Returns `true` if the ring was more than a quarter full. It may overflow before the usual next reading.
    pub(crate) fn is_much(self) -> bool {
        self.held > self.size / 4
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileExt;

    use tracewell_corpus::{Random, Scratch};

    use super::*;

    const SIZE: u32 = 4096;

    /// A file that has the memory of a ring, with so many bytes of data.
    fn file(data: usize) -> File {
        let folder = Scratch::new("ring");
        let path = folder.join("ring");
        let file = File::options().read(true).write(true).create_new(true).open(path).unwrap();
        file.set_len((2 * page_size() + data) as u64).unwrap();
        file
    }

    /// Writes bytes at a position of a ring whose data begin at an offset.
    fn write(file: &File, start: usize, at: u64, bytes: &[u8], is_double: bool) {
        for (index, byte) in (at..).zip(bytes) {
            let place = start as u64 + index % u64::from(SIZE);
            file.write_all_at(&[*byte], place).unwrap();
            if is_double {
                file.write_all_at(&[*byte], place + u64::from(SIZE)).unwrap();
            }
        }
    }

    fn word(file: &File, at: usize) -> u64 {
        let mut word = [0; 8];
        file.read_exact_at(&mut word, at as u64).unwrap();
        u64::from_ne_bytes(word)
    }

    fn set(file: &File, at: usize, value: u64) {
        file.write_all_at(&value.to_ne_bytes(), at as u64).unwrap();
    }

    #[test]
    fn issue_23_rings_of_programs_hand_over_what_is_complete() {
        let page = page_size();
        let file = file(2 * SIZE as usize);
        let ring = BpfRing::map(file.as_fd(), SIZE).unwrap();
        let (mut random, mut produced, mut busy) = (Random(1), 0_u64, Vec::new());
        let mut sizes = [0; 3];
        for _ in 0..400 {
            let mut expected: Vec<Vec<u8>> = Vec::new();
            let (mut end, mut is_busy) = (produced, false);
            for _ in 0..random.bits() % 5 {
                let size = (random.bits() % 300) as usize;
                let bytes: Vec<u8> = (0..size).map(|_| random.bits() as u8).collect();
                let (kind, header) = match random.bits() % 6 {
                    0 => (1, size as u32 | DISCARDED),
                    1 => (2, size as u32),
                    _ => (0, size as u32),
                };
                sizes[kind] += 1;
                if kind == 2 {
                    busy.push((end, header));
                }
                let shown = if kind == 2 { header | BUSY } else { header };
                write(&file, 2 * page, end, &u32::to_ne_bytes(shown), true);
                write(&file, 2 * page, end + HEADER, &bytes, true);
                end += (size as u64 + HEADER).next_multiple_of(8);
                is_busy |= kind == 2;
                if !is_busy {
                    expected.extend((kind == 0).then_some(bytes));
                    produced = end;
                }
            }
            set(&file, page, end);
            let (mut bytes, mut read) = (vec![7], Vec::new());
            let held = end - word(&file, 0);
            let fill = ring.read(&mut bytes, |bytes, start| read.push(bytes[start..].to_vec()));
            assert_eq!(fill, Fill { held, size: SIZE.into() });
            assert_eq!(read, expected);
            assert_eq!(bytes, [&[7], &*expected.concat()].concat());
            assert_eq!(word(&file, 0), produced, "room is given back");
            // The rest is read once it is complete.
            for (at, header) in busy.drain(..) {
                write(&file, 2 * page, at, &u32::to_ne_bytes(header), true);
            }
            ring.read(&mut bytes, |_, _| {});
            produced = end;
            assert_eq!(word(&file, 0), end);
        }
        assert!(sizes.iter().all(|count| *count > 50), "{sizes:?}");
    }

    #[test]
    fn issue_23_rings_of_events_hand_over_what_is_there() {
        let page = page_size();
        let file = file(SIZE as usize);
        let ring = PerfRing::map(file.as_fd(), SIZE).unwrap();
        assert_eq!(ring.bytes(), SIZE);
        let (mut random, mut at) = (Random(2), 0);
        for _ in 0..200 {
            let size = [0, 8, 1000, 4095, 4096][(random.bits() % 5) as usize];
            let bytes: Vec<u8> = (0..size).map(|_| random.bits() as u8).collect();
            write(&file, page, at, &bytes, false);
            at += size;
            set(&file, DATA_HEAD, at);
            let mut out = vec![9];
            let fill = ring.read(&mut out);
            assert_eq!((fill, fill.is_much()), (Fill { held: size, size: SIZE.into() }, size > 1024));
            assert_eq!(out, [&[9], &*bytes].concat());
            assert_eq!(word(&file, DATA_TAIL), at, "room is given back");
        }
    }
}
