//! Where the bytes of a record are put together.

use std::ptr;

/// Most bytes in [`Space`].
const ROOM: usize = 1024;

/// Memory for the bytes, on the stack and not cleared first. Apart from [`Staging`], so that the compiler never moves
/// it.
pub(crate) type Space = std::mem::MaybeUninit<[u64; ROOM / 8]>;

/// Bytes under construction: on the stack while they are few, in a vector when they are many.
///
/// All that changes with each field is one number, and it never has its address taken, so it stays in a register. The
/// sequence that copies the bytes reads them by words of 8: fields that are stored by whole words can be handed on by
/// the processor without a wait.
#[derive(Debug)]
pub(crate) struct Staging<'s> {
    /// Bytes so far. Above [`ROOM`] they are in the vector.
    length: usize,
    space: &'s mut Space,
    many: &'s mut Vec<u8>,
}

impl<'s> Staging<'s> {
    /// Nothing yet. The vector is empty.
    #[inline(always)]
    pub(crate) fn new(space: &'s mut Space, many: &'s mut Vec<u8>) -> Staging<'s> {
        Staging { length: 0, space, many }
    }

    /// Appends.
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let end = self.length.saturating_add(bytes.len());
        if end <= ROOM {
            // SAFETY: there is room; source and destination are different objects.
            unsafe {
                let place = self.space.as_mut_ptr().cast::<u8>().add(self.length);
                ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
            }
        } else {
            push_many(self.space, self.length, self.many, bytes);
        }
        self.length = end;
    }

    /// Stores the first word anew; there is one.
    pub(crate) fn set_first(&mut self, word: u64) {
        if (8..=ROOM).contains(&self.length) {
            // SAFETY: there is room for a word.
            unsafe { self.space.as_mut_ptr().cast::<u64>().write(word) };
        } else if let Some(place) = self.many.first_chunk_mut() {
            *place = word.to_ne_bytes();
        }
    }

    /// Bytes so far.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The bytes, filled up to a multiple of 8 with zeros.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> &[u8] {
        if self.length > ROOM {
            return padded(self.many);
        }
        let size = self.length.next_multiple_of(8);
        // SAFETY: the room is a multiple of 8, so the zeros have place; all of the first `size` bytes are written then.
        unsafe {
            let start = self.space.as_mut_ptr().cast::<u8>();
            if size != self.length {
                start.add(self.length).write_bytes(0, size - self.length);
            }
            std::slice::from_raw_parts(start, size)
        }
    }
}

#[cold]
#[inline(never)]
fn push_many(space: &Space, length: usize, many: &mut Vec<u8>, bytes: &[u8]) {
    if length <= ROOM {
        // SAFETY: so many bytes were written.
        many.extend_from_slice(unsafe { std::slice::from_raw_parts(space.as_ptr().cast(), length) });
    }
    // What is far too long for a record need not be gathered.
    if many.len() <= usize::from(u16::MAX) {
        many.extend_from_slice(bytes);
    }
}

#[cold]
#[inline(never)]
fn padded(many: &mut Vec<u8>) -> &[u8] {
    many.resize(many.len().next_multiple_of(8), 0);
    many
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_bytes_come_out_as_they_went_in() {
        for pieces in [&[0_usize][..], &[1, 2, 3], &[8, 1016], &[1024, 1], &[1000, 25, 7], &[3000, 0, 4]] {
            let (mut space, mut many) = (Space::uninit(), Vec::new());
            let mut staging = Staging::new(&mut space, &mut many);
            let mut expected = Vec::new();
            for (i, size) in pieces.iter().enumerate() {
                let piece = vec![i as u8 + 1; *size];
                staging.push(&piece);
                expected.extend(piece);
            }
            assert_eq!(staging.len(), expected.len());
            if expected.len() >= 8 {
                staging.set_first(u64::MAX);
                expected[..8].fill(0xFF);
            }
            expected.resize(expected.len().next_multiple_of(8), 0);
            assert_eq!(staging.finish(), expected, "{pieces:?}");
        }
    }
}
