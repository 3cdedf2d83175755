//! What the code of hooks calls, and the loop that makes system calls for `dtrace`.
//!
//! # Conditions
//!
//! 1. The shared memory has the layout of [`tracewell_types::hook`] and stays mapped. `dtrace` writes the header before it lets the
//!    process run.
//! 2. A slot is in use from the moment it is taken from a list until its stub runs, or until the return address on the stack is no
//!    longer that of its stub: then no code can return to it.

use core::arch::asm;
use core::ptr::{addr_of, addr_of_mut};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tracewell_types::hit::PIECE;
use tracewell_types::hook::{self, agent, detail, flag, header, record, state};

use crate::layout::{LISTS, SLOT, SLOTS};

/// How many searches for unused slots are left out after one that found none.
const SKIPPED: u32 = 4096;

unsafe extern "C" {
    static mut tw_stubs: [[u8; SLOT]; SLOTS];
    static mut tw_slots: [Slot; SLOTS];
    static tw_free: [List; LISTS];
    static mut tw_on: u8;
    static mut tw_shared: *mut u8;
    static mut tw_ring: *mut u8;
    static mut tw_mask: u64;
    static mut tw_capacity: u64;
    static mut tw_record: u64;
    fn tw_return();
    fn tw_enter();
    fn tw_enter_count();
    fn tw_changed();
    fn tw_release();
}

/// What belongs to a stub.
#[repr(C)]
struct Slot {
    caller: u64,
    /// The address of the return address, with a generation in the upper 16 bits; 0 if no stub is to be found there.
    place: AtomicU64,
    hook: u64,
    next: u32,
    chain: u32,
}

/// A list of free slots.
#[repr(C, align(64))]
struct List {
    head: AtomicU64,
    used: AtomicU32,
    lock: AtomicU32,
    /// Searches for unused slots that are left out, because the last one found none.
    skipped: AtomicU32,
}

/// Numbers of system calls.
mod call {
    pub(super) const OPEN: u64 = 2;
    pub(super) const CLOSE: u64 = 3;
    pub(super) const MMAP: u64 = 9;
    pub(super) const MPROTECT: u64 = 10;
    pub(super) const MUNMAP: u64 = 11;
    pub(super) const MADVISE: u64 = 28;
    pub(super) const GETPID: u64 = 39;
    pub(super) const KILL: u64 = 62;
    pub(super) const FUTEX: u64 = 202;
    pub(super) const READ_MEMORY: u64 = 310;
}

/// Makes a system call. Returns its result, or the negative number of an error.
///
/// # Safety
/// The call leaves the memory of this process as Rust expects it.
unsafe fn system(number: u64, arguments: [u64; 6]) -> i64 {
    let [a, b, c, d, e, f] = arguments;
    let result: i64;
    // SAFETY: the caller's.
    unsafe {
        asm!("syscall", inlateout("rax") number => result, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e,
             in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

/// A word of the header.
fn word(base: *mut u8, at: u64) -> *mut u64 {
    base.wrapping_add(at as usize).cast()
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn(i32, *const *const u8, *const *const u8) = start;

/// The loader has loaded the program and its libraries, and has run none of their code.
extern "C" fn start(_: i32, _: *const *const u8, environment: *const *const u8) {
    // SAFETY: the loader hands over the environment: strings, the last one followed by a null pointer.
    let path = unsafe { variable(environment) };
    if path.is_null() {
        return;
    }
    // SAFETY: the path is a string.
    unsafe {
        share(path);
        if !tw_shared.is_null() {
            serve();
        }
    }
}

/// The address of the shared memory, for a `dtrace` that attaches to this process later.
#[unsafe(no_mangle)]
static mut TRACEWELL_FPID_SHARED: u64 = 0;

/// Maps the shared memory of a `dtrace` that attaches to this process. It has removed the hooks of those before it.
#[unsafe(no_mangle)]
extern "C" fn tracewell_fpid_attach(path: *const u8) {
    // SAFETY: `dtrace` passes a string, and no thread runs code of this library: it has looked.
    unsafe {
        let before = tw_shared;
        tw_shared = core::ptr::null_mut();
        share(path);
        if !before.is_null() {
            system(call::MUNMAP, [before as u64, *word(before, header::SIZE), 0, 0, 0, 0]);
        }
    }
}

/// Makes a system call for a `dtrace` that attaches to this process.
#[unsafe(no_mangle)]
extern "C" fn tracewell_fpid_call() {
    // SAFETY: `dtrace` calls this while the shared memory is mapped.
    unsafe { answer(tw_shared) };
}

/// Makes the system call of the header.
///
/// # Safety
/// The shared memory is mapped. `dtrace` asks only for calls that map memory.
unsafe fn answer(shared: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        let mut arguments = [0; 6];
        for (index, argument) in (0..).zip(&mut arguments) {
            *argument = *word(shared, header::CALL + 8 + 8 * index);
        }
        *word(shared, header::RESULT) = system(*word(shared, header::CALL), arguments) as u64;
    }
}

/// Maps the shared memory, and shows `dtrace` where the code is.
///
/// # Safety
/// The path is a string; no hook is active.
unsafe fn share(path: *const u8) {
    // SAFETY: the caller's; a page of the file is mapped where the kernel finds room.
    unsafe {
        let file = system(call::OPEN, [path as u64, 2 | 0o2_000_000, 0, 0, 0, 0]);
        if file < 0 {
            return;
        }
        let map = |size: u64| system(call::MMAP, [0, size, 3, 1, file as u64, 0]);
        let first = map(hook::HEADER);
        if first > 0 {
            let base = first as *mut u8;
            let mine = *word(base, header::MAGIC) == hook::MAGIC
                && i64::from(*base.wrapping_add(header::PROCESS as usize).cast::<u32>())
                    == system(call::GETPID, [0; 6]);
            let size = *word(base, header::SIZE);
            system(call::MUNMAP, [first as u64, hook::HEADER, 0, 0, 0, 0]);
            let whole = if mine { map(size) } else { 0 };
            if whole > 0 {
                prepare(whole as *mut u8);
            }
        }
        system(call::CLOSE, [file as u64, 0, 0, 0, 0, 0]);
    }
}

/// The value of the variable with the path; null if it is not set.
///
/// # Safety
/// The environment is an array of strings that ends with a null pointer, or null.
unsafe fn variable(environment: *const *const u8) -> *const u8 {
    if environment.is_null() {
        return core::ptr::null();
    }
    let mut entry = environment;
    loop {
        // SAFETY: the caller's; strings end with a zero, which no byte of the name equals.
        let mut text = unsafe { *entry };
        if text.is_null() {
            return text;
        }
        let mut name = hook::VARIABLE.bytes().chain([b'=']);
        loop {
            let Some(byte) = name.next() else { return text };
            // SAFETY: as above.
            if unsafe { *text } != byte {
                break;
            }
            text = text.wrapping_add(1);
        }
        entry = entry.wrapping_add(1);
    }
}

/// Writes the stubs, and shows `dtrace` where the code is.
///
/// # Safety
/// The shared memory is mapped, with its header written; no hook is active.
unsafe fn prepare(shared: *mut u8) {
    // SAFETY: the statics belong to this library, which nothing else runs yet; the header has the words that are read.
    unsafe {
        let stubs = addr_of_mut!(tw_stubs).cast::<u8>();
        // Once they are written they are executable; those in use keep their slots.
        let written = TRACEWELL_FPID_SHARED != 0;
        if written {
            forget();
        }
        for number in if written { SLOTS..SLOTS } else { 1..SLOTS } {
            let stub = stubs.wrapping_add(number * SLOT);
            // mov [rsp - 16], rax; mov eax, NUMBER; jmp tw_return
            stub.cast::<u64>().write_unaligned(0xB8_F0_24_44_89_48);
            stub.wrapping_add(6).cast::<u32>().write_unaligned(number as u32);
            stub.wrapping_add(10).write(0xE9);
            let distance = (tw_return as *const u8 as u64).wrapping_sub(stub as u64 + 15);
            stub.wrapping_add(11).cast::<u32>().write_unaligned(distance as u32);
        }
        let on = addr_of_mut!(tw_on);
        let executable = system(call::MPROTECT, [stubs as u64, (SLOTS * SLOT) as u64, 5, 0, 0, 0]) == 0;
        // The children of a fork are not watched.
        const WIPE_ON_FORK: u64 = 18;
        let wiped = system(call::MADVISE, [on as u64, 4096, WIPE_ON_FORK, 0, 0, 0]) == 0;
        if !executable || !wiped {
            return;
        }
        tw_ring = shared.wrapping_add(*word(shared, header::RING) as usize);
        tw_capacity = *word(shared, header::CAPACITY);
        tw_mask = tw_capacity.wrapping_sub(1);
        tw_record = *word(shared, header::RECORD);
        // A page that is written for the first time costs more than all records in it. Kernels before Linux 5.14 cannot.
        const POPULATE_WRITE: u64 = 23;
        system(call::MADVISE, [tw_ring as u64, tw_capacity, POPULATE_WRITE, 0, 0, 0]);
        let at = |place: u64| word(shared, header::AGENT + place);
        *at(agent::SHARED) = shared as u64;
        *at(agent::ON) = on as u64;
        *at(agent::COUNT) = tw_enter_count as *const u8 as u64;
        *at(agent::ENTER) = tw_enter as *const u8 as u64;
        *at(agent::CHANGED) = tw_changed as *const u8 as u64;
        *word(shared, header::STARTS) += 1;
        tw_shared = shared;
        TRACEWELL_FPID_SHARED = shared as u64;
    }
}

/// What stubs of hooks that were removed belong to: it counts for no process.
static mut REMOVED: [u64; (hook::data::SIZE / 8) as usize] = [0; (hook::data::SIZE / 8) as usize];
static mut REMOVED_COUNTERS: [u64; 2] = [0; 2];

/// Has the functions that have not returned yet belong to no hook: their hooks were removed.
///
/// # Safety
/// Hooks are turned off, and no thread runs code of this library but this one.
unsafe fn forget() {
    // SAFETY: the slots belong to this library, and code that runs meanwhile does not look at the hooks of slots.
    unsafe {
        let removed = addr_of_mut!(REMOVED).cast::<u8>();
        *word(removed, hook::data::COUNTER) = addr_of_mut!(REMOVED_COUNTERS) as u64;
        *removed.wrapping_add(hook::data::FLAGS as usize).cast::<u32>() = flag::COUNT;
        let slots = addr_of_mut!(tw_slots).cast::<Slot>();
        for number in 1..SLOTS {
            let slot = slots.wrapping_add(number);
            if (*slot).hook != 0 {
                (*slot).hook = removed as u64;
            }
        }
    }
}

/// Waits until `dtrace` has looked at the process, and makes the system calls that it asks for meanwhile.
///
/// # Safety
/// [`prepare`] has run. `dtrace` asks only for calls that map memory.
unsafe fn serve() {
    // SAFETY: the shared memory is mapped for good.
    unsafe {
        let shared = tw_shared;
        let turn = &*shared.wrapping_add(header::STATE as usize).cast::<AtomicU32>();
        let owner = *shared.wrapping_add(header::OWNER as usize).cast::<u32>();
        turn.store(state::WAITING, Ordering::Release);
        loop {
            match turn.load(Ordering::Acquire) {
                state::CALL => {
                    answer(shared);
                    turn.store(state::WAITING, Ordering::Release);
                }
                state::WAITING => {
                    // A short sleep by the kernel: `dtrace` has no part of the memory mapped, so it wakes no process.
                    let time: [u64; 2] = [0, 100_000];
                    let place = turn.as_ptr() as u64;
                    system(call::FUTEX, [place, 0, u64::from(state::WAITING), time.as_ptr() as u64, 0, 0]);
                    if is_gone(owner) {
                        tw_on = 0;
                        return;
                    }
                }
                _ => return,
            }
        }
    }
}

/// Returns `true` if there is no such process.
fn is_gone(process: u32) -> bool {
    const GONE: i64 = -3;
    // SAFETY: the call changes no memory.
    unsafe { system(call::KILL, [u64::from(process), 0, 0, 0, 0, 0]) == GONE }
}

/// Records find no room: turns the hooks off if there is no `dtrace` any more, and gives the memory of the ring back.
pub(crate) extern "C" fn unread(_: *mut u8, _: *const u8, _: u32, _: *const u64) {
    // SAFETY: the shared memory is mapped; what is given back reads as zeros.
    unsafe {
        if is_gone(*tw_shared.wrapping_add(header::OWNER as usize).cast::<u32>()) {
            tw_on = 0;
            const REMOVE: u64 = 9;
            system(call::MADVISE, [tw_ring as u64, tw_capacity, REMOVE, 0, 0, 0]);
        }
    }
}

/// The loader has changed its libraries, or is about to.
pub(crate) extern "C" fn changed() {
    // SAFETY: `dtrace` writes the address of a word of the loader, which stays mapped.
    unsafe {
        if tw_on == 0 {
            return;
        }
        let changing = *word(tw_shared, header::CHANGING) as *const u32;
        if changing.is_null() || changing.read_volatile() == 0 {
            serve();
        }
    }
}

/// Reads memory of this process that may not be there. Returns the number of bytes.
fn read(from: u64, to: *mut u8, size: u64) -> u64 {
    // Each page is a piece: a piece is read as a whole or not at all.
    let first = size.min(4096 - from % 4096);
    let mine: [u64; 2] = [to as u64, size];
    let theirs: [u64; 4] = [from, first, from.wrapping_add(first), size - first];
    // SAFETY: the kernel writes to the caller's memory only.
    let result = unsafe {
        let pid = *tw_shared.wrapping_add(header::PROCESS as usize).cast::<u32>();
        let pieces = if first < size { 2 } else { 1 };
        system(
            call::READ_MEMORY,
            [u64::from(pid), mine.as_ptr() as u64, 1, theirs.as_ptr() as u64, pieces, 0],
        )
    };
    u64::try_from(result).unwrap_or(0)
}

/// Finds slots of a list that no stub on a stack refers to any more. Returns how many.
pub(crate) extern "C" fn reclaim(_: *mut u8, _: *const u8, number: u32) -> u32 {
    // SAFETY: slots and lists are shared by atomics; a slot that is found unused belongs to this call (condition 2).
    unsafe {
        let Some(list) = (*addr_of!(tw_free)).get(number as usize) else { return 0 };
        let skipped = list.skipped.load(Ordering::Relaxed);
        if skipped > 0 {
            list.skipped.store(skipped - 1, Ordering::Relaxed);
            return 0;
        }
        if list.lock.swap(1, Ordering::Acquire) != 0 {
            return 0;
        }
        let (slots, stubs) = (addr_of!(tw_slots).cast::<Slot>(), addr_of!(tw_stubs) as u64);
        let mut found = 0;
        let mut index = number as usize;
        while index < SLOTS {
            let slot = slots.wrapping_add(index);
            let place = (*slot).place.load(Ordering::Acquire);
            let address = place & ((1 << 48) - 1);
            let mut there = 0u64;
            let stub = stubs + (index * SLOT) as u64;
            let unused = place != 0
                && (read(address, addr_of_mut!(there).cast(), 8) < 8 || there != stub)
                && (*slot).place.compare_exchange(place, 0, Ordering::AcqRel, Ordering::Acquire).is_ok();
            if unused {
                let mut next = (*slot).chain;
                release(slot);
                found += 1;
                while next != 0 {
                    let chained = slots.wrapping_add(next as usize);
                    next = (*chained).chain;
                    release(chained);
                    found += 1;
                }
            }
            index += LISTS;
        }
        if found == 0 {
            list.skipped.store(SKIPPED, Ordering::Relaxed);
        }
        list.lock.store(0, Ordering::Release);
        found
    }
}

/// Puts a slot into its list.
///
/// # Safety
/// The slot is not in use, and in no list.
unsafe fn release(slot: *const Slot) {
    // SAFETY: the function changes only the registers that are named.
    unsafe {
        asm!("call {release}", release = sym tw_release, in("r10") slot, out("rax") _, out("rcx") _, out("rdx") _, out("r11") _);
    }
}

/// Adds to a record what arguments point to, and the stack.
pub(crate) extern "C" fn details(entry: *mut u8, hook: *const u8, returns: u32, _: *const u64) {
    // SAFETY: the record has room for both where its hook has the flags; the reader has computed its size.
    unsafe {
        let flags = *hook.wrapping_add(hook::data::FLAGS as usize).cast::<u32>();
        let mut at = record::FULL;
        if flags & flag::MEMORY != 0 {
            for piece in 0..detail::PIECES {
                let address = match (returns, piece) {
                    (0, _) => *word(entry, record::ARGUMENTS + 8 * piece),
                    (_, 0) => *word(entry, record::RESULT),
                    _ => 0,
                };
                let bytes = entry.wrapping_add((at + 16) as usize);
                let size = if address < 4096 { 0 } else { read(address, bytes, PIECE as u64) };
                *word(entry, at) = address;
                *word(entry, at + 8) = size;
                at += detail::PIECE;
            }
        }
        if flags & flag::REACHES != 0 {
            let count = (*word(tw_shared, header::REACHES)).min(detail::REACHES);
            for number in 0..count {
                let reach = word(tw_shared, header::REACHES + 8 + 8 * detail::REACH * number);
                follow((entry, at), reach, returns);
                at += detail::PIECE;
            }
        }
        if flags & flag::STACK != 0 {
            stack(entry, at);
        }
    }
}

/// Adds the memory that pointers lead to.
///
/// # Safety
/// The record has room for a piece; `reach` has [`detail::REACH`] words.
unsafe fn follow((entry, at): (*mut u8, u64), reach: *const u64, returns: u32) {
    // SAFETY: the caller's.
    unsafe {
        *word(entry, at) = 0;
        *word(entry, at + 8) = 0;
        let argument = *reach;
        let mut address = match (returns, argument) {
            (0, 0..6) => *word(entry, record::ARGUMENTS + 8 * argument),
            (0, 6 | 7) => *word(entry, record::STACKED + 8 * (argument - 6)),
            (0, _) => return,
            (_, 1) => *word(entry, record::RESULT),
            _ => return,
        };
        let steps = (*reach.wrapping_add(1)).min(detail::STEPS);
        for step in 0..steps {
            let place = address.wrapping_add(*reach.wrapping_add(2 + step as usize));
            let mut next = 0u64;
            if read(place, addr_of_mut!(next).cast(), 8) < 8 {
                return;
            }
            address = next;
        }
        address = address.wrapping_add(*reach.wrapping_add(2 + detail::STEPS as usize));
        *word(entry, at) = address;
        *word(entry, at + 8) = read(address, entry.wrapping_add((at + 16) as usize), PIECE as u64);
    }
}

/// Adds the callers by frame pointers.
///
/// # Safety
/// The record has room for [`detail::STACK`] bytes.
unsafe fn stack(entry: *mut u8, at: u64) {
    // SAFETY: the caller's; a stub's slot has the true return address.
    unsafe {
        let (stubs, size) = (addr_of!(tw_stubs) as u64, (SLOTS * SLOT) as u64);
        let mut frame = *word(entry, record::FRAME);
        let mut above = *word(entry, record::PLACE);
        let mut count = 0;
        while count < detail::FRAMES && frame > above && frame.is_multiple_of(8) && frame - above < 16 << 20 {
            let mut pair = [0u64; 2];
            if read(frame, pair.as_mut_ptr().cast(), 16) < 16 || pair[1] == 0 {
                break;
            }
            let mut caller = pair[1];
            if caller.wrapping_sub(stubs) < size {
                caller = *((caller + size) as *const u64);
            }
            *word(entry, at + 8 + 8 * count) = caller;
            count += 1;
            (above, frame) = (frame, pair[0]);
        }
        *word(entry, at) = count;
    }
}
