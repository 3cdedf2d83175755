//! Numbers and sizes of what a process needs to see returns: stubs, their slots, and lists of free slots.

/// Stubs, and slots. Number 0 is not used.
pub(crate) const SLOTS: usize = 1 << 15;
/// Bytes of a stub, and of a slot: the return address, its place with a generation, the hook; next in a list or length of a
/// chain, head of a chain (4 bytes each).
pub(crate) const SLOT: usize = 32;
/// Lists of free slots, so that threads seldom share one.
pub(crate) const LISTS: usize = 16;
/// Bytes of a list: its head with a generation (4 bytes each), the number of slots that were ever in use (4), then what only
/// `reclaim` uses.
pub(crate) const LIST: usize = 64;
/// Maximum number of functions that return at one stub, because each continued in the next one.
pub(crate) const CHAIN: u32 = 64;
/// How many records find no room until it is looked whether any process reads; a power of two.
pub(crate) const UNREAD_EVERY: usize = 4096;
