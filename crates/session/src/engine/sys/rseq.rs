//! Restartable sequences, see condition 4.

use super::ring::{Event, Ring};
use crate::engine::layout::{CPU_STRIDE, at};
use std::arch::asm;
use std::mem::offset_of;
use std::sync::atomic::{AtomicIsize, AtomicPtr, Ordering};

pub(super) const DONE: u32 = 0;
pub(super) const FULL: u32 = 1;
pub(super) const NONE: u32 = 2;
pub(super) const AGAIN: u32 = 3;
pub(super) const TOO_LONG: u32 = 4;

const UNKNOWN: isize = isize::MIN;
const ABSENT: isize = isize::MIN + 1;
/// Distance of a thread's area from its thread pointer.
static OFFSET: AtomicIsize = AtomicIsize::new(UNKNOWN);

#[cold]
#[inline(never)]
fn find() -> isize {
    // SAFETY: the names are C strings; the symbols are a `ptrdiff_t` and an `unsigned int` (glibc 2.35).
    let offset = unsafe {
        let offset = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>();
        let size = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()).cast::<u32>();
        if offset.is_null() || size.is_null() || size.read() == 0 || !invariant_clock() {
            ABSENT
        } else {
            offset.read()
        }
    };
    OFFSET.store(offset, Ordering::Relaxed);
    offset
}

/// Returns `true` if the time stamp counter runs at one rate, in all states (leaf 0x80000007, EDX
/// bit 8).
pub(super) fn invariant_clock() -> bool {
    use std::arch::x86_64::__cpuid;
    static KNOWN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *KNOWN.get_or_init(|| __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & 1 << 8 != 0)
}

#[inline]
pub(super) fn usable() -> bool {
    let offset = OFFSET.load(Ordering::Relaxed);
    let offset = if offset == UNKNOWN { find() } else { offset };
    offset != ABSENT
}

/// The `struct rseq` of this thread.
#[inline]
pub(super) fn area() -> Option<*mut u8> {
    let mut offset = OFFSET.load(Ordering::Relaxed);
    if offset == UNKNOWN {
        offset = find();
    }
    if offset == ABSENT {
        return None;
    }
    let thread: *mut u8;
    // SAFETY: the first word of the thread control block is its own address (x86-64 ABI).
    unsafe {
        asm!("mov {}, qword ptr fs:[0]", out(reg) thread, options(nostack, preserves_flags, readonly, pure));
    }
    Some(thread.wrapping_offset(offset))
}

/// A sequence: describes itself to the kernel, finds the ring and the control block of this processor
/// (`{ring}` and `{control}`) and its cursor (`{cursor}`), runs the body, which ends by falling through after its
/// commit (label 23), or jumps to 26 (status 1), 27 (status 2), 29 (status 3) or 32 (status 4).
macro_rules! sequence {
    ($($body:literal),* ; $area:expr, $slot:expr, $generation:expr, $status:ident ; $($operands:tt)*) => {
        asm!(
            ".pushsection __rseq_cs, \"aw\"",
            ".balign 32",
            "20:",
            ".long 0, 0",
            ".quad 22f, 23f - 22f, 24f",
            ".popsection",
            "21:",
            "lea {control}, [rip + 20b]",
            "mov qword ptr [{area} + 8], {control}",
            "22:",
            "mov {ring}, qword ptr [{slot}]",
            "test {ring}, {ring}",
            "jz 27f",
            "cmp dword ptr [{ring} + {ring_generation}], {generation:e}",
            "jne 27f",
            "cmp dword ptr [{ring} + {ring_restartable}], 0",
            "je 27f",
            "mov {cpu:e}, dword ptr [{area} + 4]",
            "cmp {cpu:e}, dword ptr [{ring} + {ring_cpus}]",
            "jae 27f",
            "mov {control}, {cpu}",
            "shl {control}, 12",
            "add {control}, qword ptr [{ring} + {ring_control}]",
            "mov {cursor}, qword ptr [{control}]",
            $($body,)*
            "23:",
            "xor eax, eax",
            "jmp 28f",
            // An undefined instruction with the signature, in front of the abort handler.
            ".byte 0x0f, 0xb9, 0x3d",
            ".long 0x53053053",
            "24:",
            "jmp 21b",
            "26:",
            "mov eax, 1",
            "jmp 28f",
            "27:",
            "mov eax, 2",
            "jmp 28f",
            "32:",
            "mov eax, 4",
            "jmp 28f",
            "29:",
            "mov eax, 3",
            "28:",
            area = in(reg) $area,
            slot = in(reg) $slot,
            generation = in(reg) $generation,
            ring = out(reg) _,
            control = out(reg) _,
            cpu = out(reg) _,
            cursor = out(reg) _,
            out("eax") $status,
            ring_generation = const offset_of!(Ring, generation),
            ring_restartable = const offset_of!(Ring, restartable),
            ring_cpus = const offset_of!(Ring, cpus),
            ring_control = const offset_of!(Ring, control),
            $($operands)*
        )
    };
}

/// Puts a record behind the cursor, with the time in the 8 bytes from `time_at` on, and moves the cursor past it. The time
/// lies inside the record.
#[inline]
pub(super) fn write(
    area: *mut u8,
    slot: &AtomicPtr<Ring>,
    generation: u32,
    record: &[u8],
    time_at: usize,
) -> u32 {
    debug_assert!(time_at + 8 <= record.len());
    let status: u32;
    // SAFETY: conditions 2, 3 and 4; `record` is valid for its length; the time is stored inside of the copy of it.
    unsafe {
        sequence!(
            // Where the record goes: processor, buffer, offset.
            "imul {cpu}, qword ptr [{ring} + {ring_cpu_bytes}]",
            "add {cpu}, qword ptr [{ring} + {ring_data}]",
            "mov eax, {cursor:e}",
            "add {cpu}, rax",
            "add rax, {size}",
            "cmp rax, qword ptr [{ring} + {ring_buffer_size}]",
            "ja 26f",
            "mov rax, {cursor}",
            "shr rax, 32",
            "and rax, qword ptr [{ring} + {ring_mask}]",
            "imul rax, qword ptr [{ring} + {ring_buffer_size}]",
            "add {cpu}, rax",
            // 16 bytes at a time, and 8 that may be left; by words, see `Staging`.
            "xor {ring:e}, {ring:e}",
            "test {size:e}, 8",
            "jz 30f",
            "mov rax, qword ptr [{record}]",
            "mov qword ptr [{cpu}], rax",
            "mov {ring:e}, 8",
            "30:",
            "mov rax, qword ptr [{record} + {ring}]",
            "mov rdx, qword ptr [{record} + {ring} + 8]",
            "mov qword ptr [{cpu} + {ring}], rax",
            "mov qword ptr [{cpu} + {ring} + 8], rdx",
            "add {ring}, 16",
            "cmp {ring}, {size}",
            "jb 30b",
            "rdtsc",
            "shl rdx, 32",
            "or rax, rdx",
            "mov qword ptr [{cpu} + {time_at}], rax",
            "add {cursor}, {size}",
            "mov qword ptr [{control}], {cursor}";
            area, slot, generation, status;
            record = in(reg) record.as_ptr(),
            size = in(reg) record.len(),
            time_at = in(reg) time_at,
            out("rdx") _,
            ring_cpu_bytes = const offset_of!(Ring, cpu_bytes),
            ring_data = const offset_of!(Ring, data),
            ring_buffer_size = const offset_of!(Ring, buffer_size),
            ring_mask = const offset_of!(Ring, mask),
            options(nostack),
        );
    }
    status
}

/// Puts an event behind the cursor, its header from registers and its body from memory, and moves the cursor past it.
/// `size` of the body is a multiple of 8.
#[inline(always)]
pub(super) fn write_event(
    area: *mut u8,
    slot: &AtomicPtr<Ring>,
    generation: u32,
    event: Event<'_>,
    body: &[u8],
) -> u32 {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_set_epi64x};
    let status: u32;
    // SAFETY: conditions 2, 3 and 4; `body` is valid for its length; 16 bytes are loaded of types that have 16.
    unsafe {
        let first = _mm_set_epi64x(event.who.cast_signed(), event.first.cast_signed());
        let provider: __m128i = _mm_loadu_si128(event.provider.as_bytes().as_ptr().cast());
        let descriptor: __m128i = _mm_loadu_si128(std::ptr::from_ref(event.descriptor).cast());
        let [low, high] = [event.activity as u64, (event.activity >> 64) as u64];
        let activity = _mm_set_epi64x(high.cast_signed(), low.cast_signed());
        sequence!(
            "imul {cpu}, qword ptr [{ring} + {ring_cpu_bytes}]",
            "add {cpu}, qword ptr [{ring} + {ring_data}]",
            "mov eax, {cursor:e}",
            "add {cpu}, rax",
            "lea rax, [rax + {size} + 80]",
            "cmp rax, qword ptr [{ring} + {ring_buffer_size}]",
            "ja 26f",
            "mov rax, {cursor}",
            "shr rax, 32",
            "and rax, qword ptr [{ring} + {ring_mask}]",
            "imul rax, qword ptr [{ring} + {ring_buffer_size}]",
            "add {cpu}, rax",
            // The fields have just been stored: this is the time their stores take to reach the cache, so that words made
            // of smaller ones can be loaded below without a wait.
            "rdtsc",
            "shl rdx, 32",
            "or rax, rdx",
            "mov qword ptr [{cpu} + 16], rax",
            "movups xmmword ptr [{cpu}], {first}",
            "movups xmmword ptr [{cpu} + 24], {provider}",
            "movups xmmword ptr [{cpu} + 40], {descriptor}",
            "movups xmmword ptr [{cpu} + 64], {activity}",
            "xor {ring:e}, {ring:e}",
            "mov qword ptr [{cpu} + 56], {ring}",
            "test {size:e}, 8",
            "jz 30f",
            "mov rax, qword ptr [{body}]",
            "mov qword ptr [{cpu} + 80], rax",
            "mov {ring:e}, 8",
            "30:",
            "cmp {ring}, {size}",
            "jae 31f",
            "mov rax, qword ptr [{body} + {ring}]",
            "mov rdx, qword ptr [{body} + {ring} + 8]",
            "mov qword ptr [{cpu} + {ring} + 80], rax",
            "mov qword ptr [{cpu} + {ring} + 88], rdx",
            "add {ring}, 16",
            "jmp 30b",
            "31:",
            "lea {cursor}, [{cursor} + {size} + 80]",
            "mov qword ptr [{control}], {cursor}";
            area, slot, generation, status;
            body = in(reg) body.as_ptr(),
            size = in(reg) body.len(),
            first = in(xmm_reg) first,
            provider = in(xmm_reg) provider,
            descriptor = in(xmm_reg) descriptor,
            activity = in(xmm_reg) activity,
            out("rdx") _,
            ring_cpu_bytes = const offset_of!(Ring, cpu_bytes),
            ring_data = const offset_of!(Ring, data),
            ring_buffer_size = const offset_of!(Ring, buffer_size),
            ring_mask = const offset_of!(Ring, mask),
            options(nostack),
        );
    }
    status
}

/// Goes to the next buffer if a record of `size` does not fit this one. With `DONE` returns the word to wake, null
/// if no thread sleeps; `AGAIN` means that there is room already, `TOO_LONG` that there never will be.
pub(super) fn advance(
    area: *mut u8,
    slot: &AtomicPtr<Ring>,
    generation: u32,
    size: usize,
) -> (u32, *mut u32) {
    let status: u32;
    let word: u64;
    // SAFETY: conditions 3 and 4; the index into the filled sizes is masked to the ring's count, which the layout
    // bounds to what a control block holds.
    unsafe {
        sequence!(
            "lea rax, [{size} + {first}]",
            "cmp rax, qword ptr [{ring} + {ring_buffer_size}]",
            "ja 32f",
            "mov eax, {cursor:e}",
            "add rax, {size}",
            "cmp rax, qword ptr [{ring} + {ring_buffer_size}]",
            "jbe 29f",
            "mov rax, {cursor}",
            "shr rax, 32",
            "lea {cpu:e}, [rax + 1]",
            "test dword ptr [{ring} + {ring_overwrite}], 1",
            "jnz 25f",
            "mov edx, {cpu:e}",
            "sub edx, dword ptr [{control} + {consumed}]",
            "cmp rdx, qword ptr [{ring} + {ring_count}]",
            "jae 26f",
            "25:",
            "and rax, qword ptr [{ring} + {ring_mask}]",
            "mov dword ptr [{control} + rax*4 + {filled}], {cursor:e}",
            "shl {cpu}, 32",
            "or {cpu}, {first}",
            "xor edx, edx",
            "cmp dword ptr [{control} + {sleeping}], 0",
            "je 30f",
            "lea rdx, [{control} + 4]",
            "30:",
            "mov qword ptr [{control}], {cpu}";
            area, slot, generation, status;
            size = in(reg) size,
            out("rdx") word,
            ring_buffer_size = const offset_of!(Ring, buffer_size),
            ring_mask = const offset_of!(Ring, mask),
            ring_count = const offset_of!(Ring, count),
            ring_overwrite = const offset_of!(Ring, overwrite),
            consumed = const at::CONSUMED,
            sleeping = const at::SLEEPING,
            filled = const at::FILLED,
            first = const at::FIRST_RECORD,
            options(nostack),
        );
    }
    (status, word as *mut u32)
}

/// Counts a lost event on this processor.
pub(super) fn lose(area: *mut u8, slot: &AtomicPtr<Ring>, generation: u32) -> u32 {
    let status: u32;
    // SAFETY: conditions 3 and 4.
    unsafe {
        sequence!(
            "inc qword ptr [{control} + {lost}]";
            area, slot, generation, status;
            lost = const at::LOST,
            options(nostack),
        );
    }
    status
}

const _: () = assert!(CPU_STRIDE == 1 << 12, "the sequences shift by 12");
const _: () = assert!(at::CURSOR == 0 && NONE == 2);
