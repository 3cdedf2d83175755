//! The only `unsafe` code of the engine: shared memory, and writing records into it.
//!
//! # Conditions
//!
//! 1. **Shared memory is never a Rust reference to data.** Other processes write to it at any time, so this module
//!    hands out atomics at checked, aligned places ([`Mapping::atomic64`], [`Mapping::atomic32`]) and copies
//!    ([`Mapping::copy_out`], made of atomic loads). A [`Mapping`] lives as long as the borrows of it do. The
//! 1. **Shared memory is never a Rust reference to data.** Other processes write to it at any time, so this module
//!    returns atomics at checked, aligned offsets ([`Mapping::atomic64`], [`Mapping::atomic32`]) and copies
//!    ([`Mapping::copy_out`], made of atomic loads). A [`Mapping`] lives as long as its borrows. The
//!    memory behind it cannot shrink: callers map only sealed files or files they made (a shrunk file would raise
//!    SIGBUS, which is a crash and not undefined behaviour).
//! 2. **A writer trusts nothing it reads in shared memory.** The position of a record is computed from the
//!    process-private [`ring::Ring`] and a cursor from shared memory; offset plus size is compared with the buffer size
//!    and the buffer number is masked, so that every value of the cursor leads to a position inside the mapping.
//! 3. **A ring may be removed while threads write.** On the restartable path, every access to a [`ring::Ring`] and to its
//!    memory is inside a restartable sequence that begins by loading the pointer from its [`RingSlot`].
//!    [`RingSlot::clear`] stores null ([`RingSlot::set`] another ring) and then issues the `RSEQ` membarrier, after which no
//!    thread can still be inside a sequence that loaded the old pointer; only then the ring is freed. On the locked path the
//!    pointer is loaded and used under the lock of the slot, which both take.
//! 4. **Restartable sequences** (x86-64): between `start` and the commit there are no calls, and stores go only to the
//!    scratch area after the cursor; the commit is one store. The C library registers the area of the thread,
//!    and `__rseq_offset` contains its position; its alignment and layout are ABI (`struct rseq`, linux/rseq.h). Without
//!    such an area the locked path is used.
//! 5. `after_fork` gives the C library a plain function that only stores to atomics and a thread-local cell.
//! 6. A [`Region`] is a slice, so only its owner may access its memory: it is anonymous, or part of a file without a name
//!    whose descriptor only daemons and their keeper have. Keepers map nothing, and a daemon starts after the former one ended.
//! 7. A process forks only while it has one thread, so that its child may continue normally.
//! 8. The data about an image in `dl_iterate_phdr` is valid during the callback: its name, its headers, and the
//!    memory that these describe as loaded, which remains mapped as long as the image is.

mod images;
mod memory;
mod process;
mod ring;
#[cfg(target_arch = "x86_64")]
mod rseq;
mod staging;

pub(crate) use images::{LoadedImage, loaded_images};
pub(crate) use memory::{Mapping, Pointer, Region, slot_of};
pub(crate) use process::{
    Clock, Terminations, allow_descriptors, block_signals, call_stack, counts_cycles, detach, fork, forks,
    function_of, has_raised_rights, hurry, most_descriptors, nanoseconds_of, peer_of, process_id,
    share_memory, thread_times, timestamp, who,
};
pub(crate) use ring::{Event, Outcome, RingSlot, restartable, wait_for_any};
pub(crate) use staging::{Space, Staging};
