//! Memory shared between processes.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use rustix::mm::{MapFlags, ProtFlags};

use crate::engine::table::{SLOTS, Slot};

/// A shared mapping of a file, readable and perhaps writable.
#[derive(Debug)]
pub(crate) struct Mapping {
    pub(super) start: NonNull<u8>,
    size: usize,
}

// SAFETY: the mapping is plain memory; all access is by atomics (condition 1).
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps the first `size` bytes of a file.
    pub(crate) fn new(file: impl AsFd, size: usize, writable: bool) -> io::Result<Mapping> {
        Mapping::map(file.as_fd(), 0, size, writable, ptr::null_mut(), MapFlags::SHARED)
    }

    fn map(
        file: BorrowedFd<'_>,
        offset: u64,
        size: usize,
        writable: bool,
        place: *mut u8,
        flags: MapFlags,
    ) -> io::Result<Mapping> {
        let protection = if writable { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
        // SAFETY: without FIXED the kernel picks unused addresses; with it `place` is a mapping of this size that
        // the caller owns and only accesses by atomics.
        let start = unsafe { rustix::mm::mmap(place.cast(), size, protection, flags, file, offset) }?;
        match NonNull::new(start.cast()) {
            Some(start) => Ok(Mapping { start, size }),
            None => Err(io::ErrorKind::OutOfMemory.into()),
        }
    }

    /// Puts other memory in the place of this mapping without a moment in between: the start of `file` when there is
    /// one, else zeros that can only be read.
    pub(crate) fn replace(&self, file: Option<BorrowedFd<'_>>, writable: bool) -> io::Result<()> {
        let place = self.start.as_ptr();
        match file {
            Some(file) => {
                let new =
                    Mapping::map(file, 0, self.size, writable, place, MapFlags::SHARED | MapFlags::FIXED)?;
                std::mem::forget(new);
            }
            None => {
                // SAFETY: the addresses belong to this mapping; readers use atomics and may see old or new values.
                unsafe {
                    rustix::mm::mmap_anonymous(
                        place.cast(),
                        self.size,
                        ProtFlags::READ,
                        MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE,
                    )
                }?;
            }
        }
        Ok(())
    }

    /// Zeros that take address space and no memory.
    pub(crate) fn zeros(size: usize) -> io::Result<Mapping> {
        // SAFETY: the kernel picks unused addresses.
        let start = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                size,
                ProtFlags::READ,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        match NonNull::new(start.cast()) {
            Some(start) => Ok(Mapping { start, size }),
            None => Err(io::ErrorKind::OutOfMemory.into()),
        }
    }

    /// Makes the pages of the first bytes present, so that the first pass of a writer does not fault.
    pub(crate) fn populate(&self, bytes: usize) {
        let bytes = bytes.min(self.size);
        // SAFETY: the range is in this mapping. Without the advice pages come as they are touched.
        let _ = unsafe {
            rustix::mm::madvise(self.start.as_ptr().cast(), bytes, rustix::mm::Advice::LinuxPopulateWrite)
        };
    }

    /// Bytes mapped.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The 64-bit word at a byte offset.
    ///
    /// # Panics
    ///
    /// When the offset is not aligned or outside; offsets are computed from our own constants.
    #[inline]
    pub(crate) fn atomic64(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8) && offset < self.size && self.size - offset >= 8, "word outside");
        // SAFETY: inside the mapping and aligned (mappings start at a page).
        unsafe { AtomicU64::from_ptr(self.start.as_ptr().add(offset).cast()) }
    }

    /// The 32-bit word at a byte offset; see [`Mapping::atomic64`].
    #[inline]
    pub(crate) fn atomic32(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset < self.size && self.size - offset >= 4, "word outside");
        // SAFETY: inside the mapping and aligned.
        unsafe { AtomicU32::from_ptr(self.start.as_ptr().add(offset).cast()) }
    }

    /// Copies memory that others may be writing to. Offset and length are multiples of 8.
    pub(crate) fn copy_out(&self, offset: usize, out: &mut [u8]) {
        let length = out.len();
        assert!(offset.is_multiple_of(8) && offset <= self.size && self.size - offset >= length);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: source and destination are valid for `length` bytes and do not overlap. The copy is made by one
        // instruction, which the language does not see as an access that could race.
        unsafe {
            let source = self.start.as_ptr().add(offset);
            std::arch::asm!(
                "rep movsb",
                inout("rsi") source => _,
                inout("rdi") out.as_mut_ptr() => _,
                inout("rcx") length => _,
                options(nostack, preserves_flags),
            );
        }
        #[cfg(not(target_arch = "x86_64"))]
        for (i, chunk) in out.chunks_mut(8).enumerate() {
            let word = self.atomic64(offset + 8 * i).load(Ordering::Relaxed).to_ne_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and no borrow of it is left.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

/// Private memory: no other process maps it, though another process may have a descriptor of it.
#[derive(Debug)]
pub(crate) struct Region(Mapping);

impl Region {
    /// Zeros.
    pub(crate) fn anonymous(size: usize) -> io::Result<Region> {
        // SAFETY: the kernel picks unused addresses.
        let start = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                size,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE,
            )
        }?;
        match NonNull::new(start.cast()) {
            Some(start) => Ok(Region(Mapping { start, size })),
            None => Err(io::ErrorKind::OutOfMemory.into()),
        }
    }

    /// A part of a file without a name, which only the caller has; each part is mapped once, and the file keeps its
    /// size (condition 6).
    pub(crate) fn of(file: BorrowedFd<'_>, offset: usize, size: usize) -> io::Result<Region> {
        Mapping::map(file, offset as u64, size, true, ptr::null_mut(), MapFlags::SHARED).map(Region)
    }

    /// See [`Mapping::populate`].
    pub(crate) fn populate(&self) {
        self.0.populate(self.0.size);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: condition 6; the memory is mapped and was zeros to begin with.
        unsafe { std::slice::from_raw_parts(self.0.start.as_ptr(), self.0.size) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: condition 6, and the borrow of the region is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.0.start.as_ptr(), self.0.size) }
    }
}

/// A reference to something that lives for ever, which can be exchanged.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Pointer<T: 'static>(AtomicPtr<T>);

impl<T: Sync> Pointer<T> {
    pub(crate) const fn new(target: &'static T) -> Pointer<T> {
        Pointer(AtomicPtr::new(ptr::from_ref(target).cast_mut()))
    }

    pub(crate) fn set(&self, target: &'static T) {
        self.0.store(ptr::from_ref(target).cast_mut(), Ordering::Release);
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> &'static T {
        // SAFETY: only references that live for ever are stored; they are used as shared references only.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }
}

/// The slot of an enable table that stays mapped for ever (what is mapped there may be replaced).
pub(crate) fn slot_of(table: &'static Mapping, slot: u32) -> Option<&'static Slot> {
    if slot >= SLOTS || table.size < SLOTS as usize * size_of::<Slot>() {
        return None;
    }
    // SAFETY: inside the mapping, aligned because mappings start at a page; a slot consists only of atomics, which
    // are only loaded from.
    Some(unsafe { &*table.start.as_ptr().cast::<Slot>().add(slot as usize) })
}
