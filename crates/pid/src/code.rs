//! Instructions of x86-64: where they begin, which return, and which the kernel steps through.

use iced_x86::{
    Code, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, Mnemonic, OpCodeTableKind,
};
use tracewell_symbols::{CodeFunction, ElfCode};

/// Longer functions are not decoded.
const LONGEST: u64 = 16 << 20;

fn instructions(code: &ElfCode, start: u64, size: u64) -> impl Iterator<Item = Instruction> {
    let bytes = code.bytes(start, size.min(LONGEST));
    Decoder::with_ip(64, bytes, start, DecoderOptions::NONE).into_iter()
}

/// Returns `true` if an instruction begins at an address of a function.
pub(crate) fn begins_at(code: &ElfCode, start: u64, size: u64, address: u64) -> bool {
    instructions(code, start, size)
        .take_while(|instruction| instruction.ip() <= address)
        .any(|instruction| instruction.ip() == address && !instruction.is_invalid())
}

/// The instructions of a function, by address.
pub(crate) fn starts(code: &ElfCode, start: u64, size: u64) -> Vec<u64> {
    let valid = instructions(code, start, size).take_while(|instruction| !instruction.is_invalid());
    valid.map(|instruction| instruction.ip()).collect()
}

/// The instructions by which a function returns, or goes on in another function that returns in its place.
pub(crate) fn returns(code: &ElfCode, function: &CodeFunction) -> Vec<u64> {
    // The compiler puts what is seldom reached elsewhere.
    let cold = format!("{}.cold", function.symbol);
    let mut parts = vec![(function.address, function.size)];
    let others = code.functions.iter().filter(|part| part.symbol == cold);
    parts.extend(others.map(|part| (part.address, part.size)));
    let inside = |address: u64| {
        parts.iter().any(|(start, size)| address.checked_sub(*start).is_some_and(|at| at < *size))
    };
    let mut found = Vec::new();
    for (start, size) in &parts {
        for instruction in instructions(code, *start, *size) {
            let leaves = match instruction.flow_control() {
                FlowControl::Return => !instruction.is_invalid(),
                FlowControl::UnconditionalBranch => !inside(instruction.near_branch_target()),
                _ => false,
            };
            if leaves {
                found.push(instruction.ip());
            }
        }
    }
    found
}

/// Returns `true` if the kernel single-steps the instruction at an address instead of emulating it.
pub(crate) fn is_stepped(code: &ElfCode, address: u64) -> bool {
    let Some(instruction) = instructions(code, address, 15).next() else { return true };
    let emulated = match instruction.code() {
        Code::Nopd | Code::Nopw | Code::Nopq | Code::Nop_rm16 | Code::Nop_rm32 | Code::Nop_rm64 => true,
        Code::Push_r64 => true,
        _ => matches!(
            instruction.flow_control(),
            FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch | FlowControl::Call
        ),
    };
    !emulated
}

/// Returns `true` if the instruction at an address must have no breakpoint of the kernel: it is refused, or changed.
///
/// Measured on Linux 6.18 (`--test pid issue_17_instructions`). The kernel looks at the last byte of the opcode, whatever the
/// encoding. So it refuses vector instructions that share this byte with instructions that 64-bit programs may not use. It takes
/// others for jumps, calls and `nop`, and leaves them out, as it does with an exchange with `r8`. Flags that are pushed while it
/// steps have the trap flag. A system call is stepped together with the instruction behind it, which may return to a wrong place.
pub(crate) fn is_unfit(code: &ElfCode, address: u64) -> bool {
    let Some(instruction) = instructions(code, address, 15).next() else { return false };
    let bytes = code.bytes(address, instruction.len() as u64);
    let mut prefixes = bytes.iter().take_while(|byte| {
        matches!(byte, 0x26 | 0x2E | 0x36 | 0x3E | 0x64 | 0x65 | 0x66 | 0x67 | 0xF0 | 0xF2 | 0xF3)
    });
    // Segments that do not exist any more, and a locked bus.
    if prefixes.any(|byte| matches!(byte, 0x26 | 0x2E | 0x36 | 0x3E | 0xF0)) {
        return true;
    }
    let opcode = instruction.op_code();
    let last = opcode.op_code() & 0xFF;
    match opcode.encoding() {
        EncodingKind::Legacy | EncodingKind::D3NOW => {
            let is_exchange = bytes.last() == Some(&0x90) && instruction.mnemonic() == Mnemonic::Xchg;
            let is_plain = opcode.table() == OpCodeTableKind::Normal;
            let is_refused = matches!(last, 0x6C..=0x6F | 0xCC..=0xCF | 0xE4..=0xE7 | 0xEC..=0xEF | 0xF1 | 0xF4 | 0xFA | 0xFB);
            let spoils =
                matches!(instruction.mnemonic(), Mnemonic::Pushf | Mnemonic::Pushfq | Mnemonic::Syscall);
            is_exchange || spoils || (is_plain && is_refused)
        }
        _ => matches!(
            last,
            0x16 | 0x17 | 0x2F | 0x60..=0x62 | 0x6C..=0x7F | 0x90 | 0xD4..=0xD6 | 0xE4..=0xEF | 0xF1 | 0xF4 | 0xFA | 0xFB
        ),
    }
}

#[cfg(test)]
mod tests {
    use tracewell_corpus::Scratch;

    use super::*;
    use crate::made::{AsModule as _, Made};

    fn read(made: &Made) -> ElfCode {
        let folder = Scratch::new("code");
        let module = made.module(&folder, "made");
        ElfCode::open(&module.path, &folder).unwrap()
    }

    fn function<'c>(code: &'c ElfCode, symbol: &str) -> &'c CodeFunction {
        code.functions.iter().find(|function| function.symbol == symbol).unwrap()
    }

    #[test]
    fn issue_23_instructions_begin_where_those_before_end() {
        let mut made = Made::default();
        // push rbp; mov rbp, rsp; je +1; ret; pop rbp; ret; then no instruction
        let start =
            made.function("plain", &[0x55, 0x48, 0x89, 0xE5, 0x74, 0x01, 0xC3, 0x5D, 0xC3, 0x06, 0x90]);
        let code = read(&made);
        let places = [0, 1, 4, 6, 7, 8].map(|offset| start + offset);
        assert_eq!(starts(&code, start, 11), places);
        assert_eq!(starts(&code, start, 4), places[..2]);
        for offset in 0..10 {
            let address = start + offset;
            assert_eq!(begins_at(&code, start, 11, address), places.contains(&address), "{offset}");
        }
        assert!(!begins_at(&code, start, 11, start + 11));
        // je, push, mov, ret and pop: jumps and pushes are emulated.
        let stepped = [0, 1, 4, 6, 7].map(|offset| is_stepped(&code, start + offset));
        assert_eq!(stepped, [false, true, false, true, true]);
        assert!(is_stepped(&code, 0x9999_0000), "nothing is there");
    }

    #[test]
    fn issue_23_which_instructions_the_kernel_emulates() {
        for (bytes, stepped) in [
            (&[0x90][..], false),
            (&[0x66, 0x90], false),
            (&[0x0F, 0x1F, 0x00], false),
            (&[0x0F, 0x1F, 0x44, 0x00, 0x00], false),
            (&[0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00], false),
            (&[0x41, 0x54], false),
            (&[0x6A, 0x01], true),
            (&[0xE8, 0, 0, 0, 0], false),
            (&[0xEB, 0x00], false),
            (&[0x48, 0x83, 0xEC, 0x08], true),
            (&[0xF3, 0x0F, 0x1E, 0xFA], true),
        ] {
            let mut made = Made::default();
            let start = made.function("one", bytes);
            assert_eq!(is_stepped(&read(&made), start), stepped, "{bytes:02x?}");
        }
    }

    #[test]
    fn issue_17_what_must_have_no_breakpoint() {
        for (bytes, unfit) in [
            // vpor, vpsubsb, vpsubsw, vmovd to a register, vpshufd, vpcmpeqd, vzeroupper, kmovq from memory
            (&[0xC5, 0xF9, 0xEB, 0xC1][..], true),
            (&[0xC5, 0xF9, 0xE8, 0xC1], true),
            (&[0xC5, 0xF9, 0xE9, 0xC1], true),
            (&[0xC5, 0xF9, 0x7E, 0xC0], true),
            (&[0xC5, 0xF9, 0x70, 0xC1, 0x00], true),
            (&[0xC5, 0xF9, 0x76, 0xC0], true),
            (&[0xC5, 0xF8, 0x77], true),
            (&[0xC4, 0xE1, 0xF8, 0x90, 0x4C, 0x24, 0xF0], true),
            // vpbroadcastb to ymm17: strchr() of glibc begins with it
            (&[0x62, 0xE2, 0x7D, 0x28, 0x7A, 0xCE], true),
            // vpxor, vmovd from a register, vmovdqu from memory, vpunpckldq, vpaddb, lock incq, int, int3, in, hlt, a segment
            (&[0xC5, 0xF9, 0xEF, 0xC0], true),
            (&[0xC5, 0xF9, 0x6E, 0xC7], true),
            (&[0xC5, 0xFA, 0x6F, 0x44, 0x24, 0xF0], true),
            (&[0xC5, 0xF9, 0x62, 0xC0], true),
            (&[0xC5, 0xF9, 0xFC, 0xC0], false),
            (&[0xF0, 0x48, 0xFF, 0x44, 0x24, 0xF8], true),
            (&[0xCD, 0x80], true),
            (&[0xCC], true),
            (&[0xEC], true),
            (&[0xF4], true),
            (&[0x2E, 0x0F, 0x1F, 0x00], true),
            (&[0x66, 0x3E, 0x8B, 0x07], true),
            // those of old instructions with two bytes are not: movdqa, pxor
            (&[0x66, 0x0F, 0x6F, 0xC0], false),
            (&[0x66, 0x0F, 0xEF, 0xC0], false),
            // vpaddd, vxorps, kmovd from a register, mulx
            (&[0xC5, 0xF9, 0xFE, 0xC1], false),
            (&[0xC5, 0xF8, 0x57, 0xC0], false),
            (&[0xC5, 0xFB, 0x92, 0xCF], false),
            (&[0xC4, 0xE2, 0xFB, 0xF6, 0xCF], false),
            // por, pcmpeqb, je, call, jmp, nop, pause
            (&[0x66, 0x0F, 0xEB, 0xC1], false),
            (&[0x66, 0x0F, 0x74, 0xC1], false),
            (&[0x74, 0x00], false),
            (&[0xE8, 0, 0, 0, 0], false),
            (&[0xEB, 0x00], false),
            (&[0x90], false),
            (&[0xF3, 0x90], false),
            // xchg %r8,%rax; xchg %eax,%r8d; xchg %rcx,%rax; xchg %r9,%rax
            (&[0x49, 0x90], true),
            (&[0x41, 0x90], true),
            (&[0x48, 0x91], false),
            (&[0x49, 0x91], false),
            // pushf, popf, syscall, rdtsc, endbr64
            (&[0x9C], true),
            (&[0x66, 0x9C], true),
            (&[0x9D], false),
            (&[0x0F, 0x05], true),
            (&[0x0F, 0x31], false),
            (&[0xF3, 0x0F, 0x1E, 0xFA], false),
        ] {
            let mut made = Made::default();
            let start = made.function("one", bytes);
            assert_eq!(is_unfit(&read(&made), start), unfit, "{bytes:02x?}");
        }
        assert!(!is_unfit(&read(&Made::default()), 0x9999_0000), "nothing is there");
    }

    #[test]
    fn issue_23_functions_return_where_they_leave() {
        let mut made = Made::default();
        let other = made.function("other", &[0xC3]);
        // je +3; jmp +1 (inside); nop; ret; jmp other; ret 8
        let start =
            made.function("plain", &[0x74, 0x03, 0xEB, 0x01, 0x90, 0xC3, 0xEB, 0xF7, 0xC2, 0x08, 0x00]);
        let code = read(&made);
        assert_eq!(other + 8, start + 7);
        assert_eq!(returns(&code, function(&code, "plain")), [5, 6, 8].map(|offset| start + offset));
        assert_eq!(returns(&code, function(&code, "other")), [other]);

        // A part that is seldom reached belongs to it; that of another function does not.
        let mut made = Made::default();
        let cold = made.function("plain.cold", &[0x90, 0xC3]);
        let strange = made.function("other.cold", &[0x90, 0xC3]);
        // jmp plain.cold; jmp other.cold
        let start = made.function("plain", &[0xEB, 0xFA, 0xEB, 0xFA]);
        assert_eq!((start + 2 - 6, start + 4 - 6), (cold, strange));
        let code = read(&made);
        assert_eq!(returns(&code, function(&code, "plain")), [start + 2, cold + 1]);
    }
}
