//! Instructions of x86-64: where they begin, which return, and which the kernel steps through.

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction};
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
