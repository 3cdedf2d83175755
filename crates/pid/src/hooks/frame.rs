//! The frame of a signal on a stack: what the kernel restores a thread from.
//!
//! A thread that is made to call a function returns from it into the C library's code that ends signal handlers. The kernel then
//! restores all registers from such a frame. So the thread goes on where it was also if `dtrace` is killed meanwhile.

use tracewell_kernel_linux::threads::Registers;

/// The code that ends signal handlers: `mov $15,%rax; syscall`.
pub(crate) const RESTORER: [u8; 9] = [0x48, 0xC7, 0xC0, 15, 0, 0, 0, 0x0F, 0x05];
/// The number of the system call that restores.
pub(crate) const SIGRETURN: u64 = 15;
/// Bytes of a frame before the state of the vector registers: return address, context, and description of the signal.
const CONTEXT: usize = 8 + 304 + 128;
/// Where the context has the address of the next instruction, from the return address on.
const IP: usize = 8 + 40 + 16 * 8;
/// Bytes below the stack pointer that belong to functions.
const RED_ZONE: u64 = 128;
/// Where the state has the marks of its format; and the sizes of parts of it.
const FORMAT: usize = 464;
const LEGACY: usize = 512;
/// The state of tiles, which threads must ask for before they may use it, begins here; the bit that says whether it is in use.
const TILES: (usize, u64) = (2816, 1 << 18);

/// Errors that mark an interrupted system call, which the kernel is to begin again.
const RESTARTS: [i64; 3] = [-512, -513, -514];
/// The same, for a call that goes on with the rest of its time.
const RESTARTS_REST: i64 = -516;
/// The system call that does so.
const RESTART: u64 = 219;
const INTERRUPTED: i64 = -4;
/// Bytes of the instruction that makes a system call.
const SYSCALL: u64 = 2;

/// Registers by which a thread that was stopped in a system call begins it again by itself. `rest` says whether the kernel still
/// has the rest of its time.
pub(crate) fn restarted(registers: &Registers, rest: bool) -> Registers {
    let mut again = *registers;
    if registers.orig_rax.cast_signed() >= 0 {
        let error = registers.rax.cast_signed();
        if RESTARTS.contains(&error) {
            again.rax = registers.orig_rax;
            again.rip = registers.rip.wrapping_sub(SYSCALL);
        } else if error == RESTARTS_REST && rest {
            again.rax = RESTART;
            again.rip = registers.rip.wrapping_sub(SYSCALL);
        } else if error == RESTARTS_REST {
            again.rax = INTERRUPTED.cast_unsigned();
        }
    }
    again.orig_rax = u64::MAX;
    again
}

/// A frame, and where it is.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    /// The address of the text that follows the frame.
    pub(crate) text: u64,
}

/// The frame from which the kernel restores a thread, and a text behind it.
pub(crate) fn frame(
    registers: &Registers,
    (state, blocked): (&[u8], u64),
    restorer: u64,
    text: &[u8],
) -> Frame {
    let word = |at: usize| {
        state.get(at..at + 8).and_then(|word| word.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
    };
    // The kernel refuses more than the thread may use.
    let used = word(LEGACY);
    let size = if used & TILES.1 == 0 { state.len().min(TILES.0) } else { state.len() };
    let mut state = state.get(..size).unwrap_or_default().to_vec();
    let features = word(FORMAT);
    let mut mark = |at: usize, bytes: &[u8]| {
        if let Some(place) = state.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    };
    // Marks, size of all, features, size of the state.
    mark(FORMAT, &0x4650_5853_u32.to_le_bytes());
    mark(FORMAT + 4, &(size as u32 + 4).to_le_bytes());
    mark(FORMAT + 8, &features.to_le_bytes());
    mark(FORMAT + 16, &(size as u32).to_le_bytes());
    state.extend(0x4650_5845_u32.to_le_bytes());
    state.resize(state.len().next_multiple_of(8), 0);

    let whole = (CONTEXT + 64 + state.len() + text.len()) as u64;
    // The stack pointer at the beginning of a function is 8 bytes below a multiple of 16.
    let address = (registers.rsp.wrapping_sub(RED_ZONE + whole) & !63).wrapping_sub(8);
    let at = (address + CONTEXT as u64).next_multiple_of(64);
    let again = restarted(registers, false);
    // Extended state; the stack segment is there, and restored as it is.
    const FLAGS: u64 = 1 | 2 | 4;
    let segments = (again.cs & 0xFFFF) | (again.ss & 0xFFFF) << 48;
    // The kernel leaves the stack for signals as it is if it cannot understand this.
    const UNKNOWN: u64 = 4;
    let words = [
        restorer,
        FLAGS,
        0,
        0,
        UNKNOWN,
        0,
        again.r8,
        again.r9,
        again.r10,
        again.r11,
        again.r12,
        again.r13,
        again.r14,
        again.r15,
        again.rdi,
        again.rsi,
        again.rbp,
        again.rbx,
        again.rdx,
        again.rax,
        again.rcx,
        again.rsp,
        again.rip,
        again.eflags,
        segments,
        0,
        0,
        0,
        0,
        at,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        blocked,
    ];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize((at - address) as usize, 0);
    bytes.extend(state);
    let text_at = address + bytes.len() as u64;
    bytes.extend(text);
    Frame { address, bytes, text: text_at }
}

/// Where code goes on that signal handlers have interrupted, by the frames on a stack.
pub(crate) fn interrupted(stack: &[u8], restorer: u64) -> Vec<u64> {
    let words = stack.as_chunks::<8>().0;
    let of_frame = |at: usize| words.get(at + IP / 8).map(|word| u64::from_le_bytes(*word));
    let frames = words.iter().enumerate().filter(|(_, word)| u64::from_le_bytes(**word) == restorer);
    frames.filter_map(|(at, _)| of_frame(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers() -> Registers {
        let [r8, r9, r10, r11, r12, r13, r14, r15] = [8, 9, 10, 11, 12, 13, 14, 15];
        let (rdi, rsi, rbp, rbx, rdx, rcx) = (20, 21, 22, 23, 24, 26);
        let (rsp, rip) = (0x7FFF_0000_1230, 0x40_1002);
        let (rax, orig_rax, eflags, cs, ss) = (25, u64::MAX, 0x246, 0x33, 0x2B);
        let [fs_base, gs_base, ds, es, fs, gs] = [0; 6];
        Registers {
            r15,
            r14,
            r13,
            r12,
            rbp,
            rbx,
            r11,
            r10,
            r9,
            r8,
            rax,
            rcx,
            rdx,
            rsi,
            rdi,
            orig_rax,
            rip,
            cs,
            eflags,
            rsp,
            ss,
            fs_base,
            gs_base,
            ds,
            es,
            fs,
            gs,
        }
    }

    #[test]
    fn issue_17_interrupted_system_calls_begin_again() {
        for (call, result, rest, expected) in [
            (u64::MAX, -512, true, (-512, 0)),
            (35, -512, true, (35, 2)),
            (35, -513, false, (35, 2)),
            (35, -514, true, (35, 2)),
            (35, -516, true, (219, 2)),
            (35, -516, false, (-4, 0)),
            (35, -515, true, (-515, 0)),
            (35, 7, true, (7, 0)),
        ] {
            let before = Registers { orig_rax: call, rax: i64::cast_unsigned(result), ..registers() };
            let again = restarted(&before, rest);
            let found = (again.rax.cast_signed(), before.rip - again.rip);
            assert_eq!((found, again.orig_rax), (expected, u64::MAX), "{call} {result} {rest}");
        }
    }

    #[test]
    fn issue_17_a_frame_has_all_that_the_kernel_restores() {
        for (size, used, kept) in [(832, 7, 832), (11_008, 7, 2816), (11_008, 1 << 18, 11_008)] {
            let mut state: Vec<u8> = (0..size).map(|at| at as u8).collect();
            state[512..520].copy_from_slice(&u64::to_le_bytes(used));
            state[464..472].copy_from_slice(&0x602E7_u64.to_le_bytes());
            let made = frame(&registers(), (&state, 0x77), 0x7000, b"text\0");
            assert_eq!(made.address % 16, 8);
            assert!(made.address + made.bytes.len() as u64 <= registers().rsp - RED_ZONE);
            let word = |at: usize| u64::from_le_bytes(*made.bytes[at..].first_chunk().unwrap());
            let words: Vec<u64> = (0..39).map(|index| word(8 * index)).collect();
            assert_eq!(words[..6], [0x7000, 7, 0, 0, 4, 0]);
            assert_eq!(
                words[6..22],
                [8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, registers().rsp]
            );
            assert_eq!(words[22..25], [0x40_1002, 0x246, 0x2B << 48 | 0x33]);
            assert_eq!((words[38], word(IP)), (0x77, 0x40_1002));
            let place = words[29];
            assert_eq!(place % 64, 0);
            let at = (place - made.address) as usize;
            assert!(at >= CONTEXT);
            assert_eq!(made.bytes[at..at + FORMAT], state[..FORMAT]);
            assert_eq!(word(at + FORMAT), 0x4650_5853 | (kept + 4) << 32);
            assert_eq!((word(at + FORMAT + 8), word(at + FORMAT + 16) as u32), (0x602E7, kept as u32));
            assert_eq!(word(at + kept as usize) as u32, 0x4650_5845);
            let text = (made.text - made.address) as usize;
            assert_eq!(&made.bytes[text..], b"text\0");
        }
    }

    #[test]
    fn issue_17_code_that_signal_handlers_interrupted_is_found() {
        let mut stack = vec![0; 16];
        let made = frame(&registers(), (&[0; 832], 0), 0x7000, b"");
        stack.extend(made.bytes);
        assert_eq!(interrupted(&stack, 0x7000), [0x40_1002]);
        assert!(interrupted(&stack, 0x7001).is_empty());
        assert!(interrupted(&stack[..100], 0x7000).is_empty());
    }
}
