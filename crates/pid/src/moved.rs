//! What a hook at the entry of a function needs: the first instructions, which it moves to make room for a jump.

use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Decoder, DecoderOptions, FlowControl, Instruction,
    InstructionBlock,
};
use tracewell_symbols::{CodeFunction, ElfCode};

/// Bytes of the jump to a hook.
pub(crate) const JUMP: usize = 5;
/// Functions whose return address is no usual one: they return twice, begin with something else on top of the stack, or change
/// where they return to. A star means any end.
const KEEP_RETURNS: [&str; 18] = [
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "vfork",
    "__vfork",
    "__libc_vfork",
    "getcontext",
    "__getcontext",
    "swapcontext",
    "__swapcontext",
    "setcontext",
    "__start_context",
    "__restore_rt",
    "_dl_runtime_resolve*",
    "_dl_tlsdesc_*",
    "_Unwind_*",
];

/// Returns `true` if the return address of a function must stay as it is.
pub(crate) fn keeps_return(symbol: &str) -> bool {
    // Versions of libraries: `setjmp@@GLIBC_2.2.5`.
    let name = symbol.split('@').next().unwrap_or_default();
    KEEP_RETURNS.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *known,
    })
}

/// Maximum number of bytes that are searched for jumps from the beginning of a function on.
const LONGEST: u64 = 16 << 20;
/// The bytes between functions that a jump may overwrite.
const PADDING: u64 = 15;

fn decoded(bytes: &[u8], address: u64) -> Decoder<'_> {
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE)
}

/// Returns `true` for a call whose return address the function could see.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "mechanisms of Linux call it"))]
fn calls(instruction: &Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
}

/// The addresses that jumps in a program or library lead to, in order. Functions jump into others, in assembly at least.
pub(crate) fn targets(code: &ElfCode) -> Vec<u64> {
    let starts = code.functions.iter().map(|function| function.address);
    let ends = starts.clone().skip(1).chain([u64::MAX]);
    let mut targets = Vec::new();
    for (start, end) in starts.zip(ends).filter(|(start, end)| start < end) {
        // Also what no name is known for.
        let bytes = code.bytes(start, (end - start).min(LONGEST));
        for instruction in decoded(bytes, start) {
            if matches!(
                instruction.flow_control(),
                FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
            ) {
                targets.push(instruction.near_branch_target());
            }
        }
    }
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The first bytes of a function, whose instructions a hook has to move.
///
/// # Errors
/// Why the function cannot have a hook, for the user. `targets` are those of [`targets`].
pub(crate) fn moved<'c>(
    code: &'c ElfCode,
    function: &CodeFunction,
    targets: &[u64],
) -> Result<&'c [u8], String> {
    let (start, shown) = (function.address, &function.name);
    let size = if function.size == 0 { u64::MAX } else { function.size };
    let refused = |why: &str| Err(format!("{shown} cannot have a hook: {why}; use pid"));
    let bytes = code.bytes(start, 64);
    let mut length = 0;
    // What follows a return is never reached, so it need not be moved.
    for instruction in decoded(bytes, start) {
        if instruction.is_invalid() || instruction.code() == Code::Int3 {
            return refused("its first bytes are no instructions");
        }
        length += instruction.len();
        let ends = matches!(
            instruction.flow_control(),
            FlowControl::Return | FlowControl::UnconditionalBranch | FlowControl::IndirectBranch
        );
        let enough = length >= JUMP;
        match instruction.flow_control() {
            FlowControl::IndirectCall => return refused("it begins with a call"),
            FlowControl::Call if !enough => return refused("it begins with a call"),
            FlowControl::XbeginXabortXend => return refused("it begins with a transaction"),
            _ => {}
        }
        if ends || enough {
            break;
        }
    }
    let needed = length.max(JUMP) as u64;
    if needed > size && !is_padding(code, function, needed) {
        return refused("it is too short");
    }
    let Some(bytes) = bytes.get(..length).filter(|_| bytes.len() >= JUMP) else {
        return refused("it is too short");
    };
    let first = targets.partition_point(|target| *target <= start);
    if targets.get(first).is_some_and(|target| *target < start + JUMP as u64) {
        return refused("a jump leads into its first bytes");
    }
    Ok(bytes)
}

/// Returns `true` if no code of another function is among the first bytes, and what follows the function is never run.
fn is_padding(code: &ElfCode, function: &CodeFunction, needed: u64) -> bool {
    let end = function.address + function.size;
    if needed - function.size > PADDING {
        return false;
    }
    let next = code.functions.iter().map(|other| other.address).filter(|address| *address >= end).min();
    if next.is_some_and(|next| next < function.address + needed) {
        return false;
    }
    let bytes = code.bytes(end, PADDING);
    let filler = |instruction: &Instruction| match instruction.code() {
        Code::Int3
        | Code::Nopd
        | Code::Nopw
        | Code::Nopq
        | Code::Nop_rm16
        | Code::Nop_rm32
        | Code::Nop_rm64 => true,
        // xchg %ax,%ax and the zeros of some assemblers.
        _ => false,
    };
    let mut covered = end;
    for instruction in decoded(bytes, end) {
        if covered >= function.address + needed {
            break;
        }
        if !filler(&instruction) {
            return false;
        }
        covered += instruction.len() as u64;
    }
    covered >= function.address + needed
}

/// The code that runs moved instructions at another address and goes on behind them.
///
/// # Errors
/// What they refer to is too far from there.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "mechanisms of Linux call it"))]
pub(crate) fn relocated(bytes: &[u8], address: u64, to: u64) -> Result<Vec<u8>, String> {
    let mut instructions: Vec<Instruction> = decoded(bytes, address).into_iter().collect();
    let behind = address + bytes.len() as u64;
    let last = instructions.last().copied().unwrap_or_default();
    let call = calls(&last).then(|| last.near_branch_target());
    let ends = matches!(
        last.flow_control(),
        FlowControl::Return | FlowControl::UnconditionalBranch | FlowControl::IndirectBranch
    );
    if call.is_some() {
        instructions.pop();
    } else if !ends {
        let jump = Instruction::with_branch(Code::Jmp_rel32_64, behind).map_err(|error| error.to_string())?;
        instructions.push(jump);
    }
    let block = InstructionBlock::new(&instructions, to);
    let mut code = match instructions.is_empty() {
        true => Vec::new(),
        false => {
            BlockEncoder::encode(64, block, BlockEncoderOptions::NONE)
                .map_err(|error| error.to_string())?
                .code_buffer
        }
    };
    // The called function has to find the true return address: push it, jump.
    if let Some(target) = call {
        code.extend([0xFF, 0x35, 6, 0, 0, 0, 0xFF, 0x25, 8, 0, 0, 0]);
        code.extend(behind.to_le_bytes());
        code.extend(target.to_le_bytes());
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &[u8], address: u64) -> Vec<String> {
        use std::fmt::Write as _;
        let show = |instruction: Instruction| {
            let mut text = String::new();
            let _ = write!(text, "{:?} {:x}", instruction.code(), instruction.near_branch_target());
            if instruction.is_ip_rel_memory_operand() {
                let _ = write!(text, " [{:x}]", instruction.ip_rel_memory_address());
            }
            text
        };
        decoded(code, address).into_iter().map(show).collect()
    }

    #[test]
    fn issue_17_functions_that_return_in_an_unusual_way_are_known() {
        for (name, expected) in [
            ("setjmp", true),
            ("__sigsetjmp", true),
            ("setjmp@@GLIBC_2.2.5", true),
            ("setjmps", false),
            ("_dl_runtime_resolve_xsavec", true),
            ("_Unwind_Resume", true),
            ("main", false),
        ] {
            assert_eq!(keeps_return(name), expected, "{name}");
        }
    }

    /// Moved instructions refer to the same addresses, and the code goes on behind them.
    #[test]
    fn issue_17_moved_instructions_refer_to_the_same_addresses() {
        let (from, to) = (0x40_1000, 0x50_0000);
        for (bytes, expected) in [
            // push %rbp; mov %rsp,%rbp; sub $16,%rsp
            (
                &[0x55, 0x48, 0x89, 0xE5, 0x48, 0x83, 0xEC, 0x10][..],
                &["Push_r64 0", "Mov_rm64_r64 0", "Sub_rm64_imm8 0", "Jmp_rel32_64 401008"][..],
            ),
            // mov 0x10(%rip),%eax
            (&[0x8B, 0x05, 0x10, 0, 0, 0], &["Mov_r32_rm32 0 [401016]", "Jmp_rel32_64 401006"]),
            // test %edi,%edi; je +16; nop
            (
                &[0x85, 0xFF, 0x74, 0x10, 0x90],
                &["Test_rm32_r32 0", "Je_rel32_64 401014", "Nopd 0", "Jmp_rel32_64 401005"],
            ),
            // ret
            (&[0xC3], &["Retnq 0"]),
            // jmp -0x100
            (&[0xE9, 0xFB, 0xFE, 0xFF, 0xFF], &["Jmp_rel32_64 400f00"]),
        ] {
            let code = relocated(bytes, from, to).unwrap();
            assert_eq!(shown(&code, to), expected);
        }
        // sub $8,%rsp; call +0x100: the return address is that of the original.
        let code = relocated(&[0x48, 0x83, 0xEC, 8, 0xE8, 0, 1, 0, 0], from, to).unwrap();
        let (jumps, words) = code.split_at(code.len() - 16);
        assert_eq!(shown(jumps, to), ["Sub_rm64_imm8 0", "Push_rm64 0 [500010]", "Jmp_rm64 0 [500018]"]);
        assert_eq!(words[..8], 0x40_1009u64.to_le_bytes());
        assert_eq!(words[8..], 0x40_1109u64.to_le_bytes());
        // Too far.
        assert!(relocated(&[0x8B, 0x05, 0x10, 0, 0, 0], 1 << 45, 1 << 40).is_err());
    }
}
