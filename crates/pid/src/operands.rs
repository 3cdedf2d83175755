//! The arguments of probes that programs contain, as their notes describe them: `8@%rdi -4@-20(%rbp) 8@$5`.
//!
//! Each argument is `[-]SIZE[f]@OPERAND`: a minus sign means that the value has a sign, `f` that it is a floating-point number.
//! Operands are those of x86-64 in the notation of the AT&T assemblers.

use tracewell_types::hit::ARGUMENTS;
use tracewell_types::operand::{Operand, Place};

/// What the operands of a note refer to.
pub(crate) struct Around<'a> {
    /// The address of the probe's instruction.
    pub(crate) address: u64,
    /// The address of a variable by its name.
    pub(crate) symbol: &'a dyn Fn(&str) -> Option<u64>,
}

/// Reads the description of a probe's arguments; the first [`ARGUMENTS`] count.
pub(crate) fn parse(text: &str, around: &Around<'_>) -> Vec<Operand> {
    text.split_ascii_whitespace().take(ARGUMENTS).map(|word| operand(word, around)).collect()
}

fn operand(word: &str, around: &Around<'_>) -> Operand {
    // Without a size an argument is a word of the machine.
    let (kind, place) = word.split_once('@').unwrap_or(("-8", word));
    let signed = kind.starts_with('-');
    let kind = kind.trim_start_matches('-');
    let float = kind.ends_with('f');
    let size: u8 = kind.trim_end_matches('f').parse().unwrap_or(0);
    let place = match size {
        1 | 2 | 4 | 8 => read(place, around),
        _ => None,
    };
    let size = if matches!(size, 1 | 2 | 4 | 8) { size } else { 8 };
    Operand { size, signed, float, place: place.unwrap_or(Place::Unreadable) }
}

fn read(text: &str, around: &Around<'_>) -> Option<Place> {
    if let Some(constant) = text.strip_prefix('$') {
        return sum(constant, around).map(Place::Constant);
    }
    if text.starts_with('%') && !text.contains(['(', ':']) {
        let (register, high) = register(text)?;
        return Some(Place::Register { register, high });
    }
    // A segment register has an address that programs of the kernel do not see.
    if text.contains(':') {
        return None;
    }
    let Some((displacement, rest)) = text.split_once('(') else {
        let displacement = sum(text, around)?;
        return Some(Place::Memory { base: None, index: None, displacement });
    };
    let mut parts = rest.strip_suffix(')')?.split(',').map(str::trim);
    let displacement = if displacement.is_empty() { 0 } else { sum(displacement, around)? };
    let base = match parts.next().filter(|base| !base.is_empty()) {
        // The assembler has subtracted the address of the instruction from that of a variable.
        Some("%rip") => {
            let distance = displacement.wrapping_sub(around.address.cast_signed());
            return Some(Place::Memory { base: Some(IP), index: None, displacement: distance });
        }
        Some(base) => Some(whole(base)?),
        None => None,
    };
    let index = match parts.next().filter(|index| !index.is_empty()) {
        Some(index) => {
            let scale: u8 = parts.next().unwrap_or("1").parse().ok()?;
            Some((whole(index)?, [1, 2, 4, 8].iter().position(|known| *known == scale)? as u8))
        }
        None => None,
    };
    Some(Place::Memory { base, index, displacement })
}

/// A sum of numbers and names: `-20`, `counter`, `4+counter`, `counter-8`.
fn sum(text: &str, around: &Around<'_>) -> Option<i64> {
    let mut total = 0i64;
    let mut rest = text;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let negative = rest.starts_with('-');
        let term = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let end = term.find(['+', '-']).unwrap_or(term.len());
        let value = value(&term[..end], around)?;
        total = if negative { total.wrapping_sub(value) } else { total.wrapping_add(value) };
        rest = &term[end..];
    }
    Some(total)
}

fn value(term: &str, around: &Around<'_>) -> Option<i64> {
    let number = match term.strip_prefix("0x").or_else(|| term.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => term.parse().ok(),
    };
    match number {
        Some(number) => Some(number.cast_signed()),
        None if term.starts_with(|first: char| first.is_ascii_digit()) => None,
        None => (around.symbol)(term).map(u64::cast_signed),
    }
}

/// Place of the instruction pointer in `struct pt_regs`.
const IP: u8 = 16;

/// Registers by their names without size, and their places in `struct pt_regs`.
const REGISTERS: [(&str, u8); 16] = [
    ("r15", 0),
    ("r14", 1),
    ("r13", 2),
    ("r12", 3),
    ("bp", 4),
    ("bx", 5),
    ("r11", 6),
    ("r10", 7),
    ("r9", 8),
    ("r8", 9),
    ("ax", 10),
    ("cx", 11),
    ("dx", 12),
    ("si", 13),
    ("di", 14),
    ("sp", 19),
];

/// A register, and whether its second byte is meant.
fn register(name: &str) -> Option<(u8, bool)> {
    let name = name.strip_prefix('%')?;
    let place = |short: &str| REGISTERS.iter().find(|(known, _)| *known == short).map(|(_, place)| *place);
    if name.starts_with('r') && name.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return place(name.trim_end_matches(['d', 'w', 'b', 'l'])).map(|place| (place, false));
    }
    let wide = name.strip_prefix(['r', 'e']).filter(|short| short.len() == 2);
    if let Some(found) = wide.and_then(place).or_else(|| place(name)) {
        return Some((found, false));
    }
    // al, ah, sil
    let (short, part) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let letter = match short.len() {
        1 if matches!(short, "a" | "b" | "c" | "d") => place(&format!("{short}x"))?,
        2 if part == "l" && matches!(short, "si" | "di" | "bp" | "sp") => place(short)?,
        _ => return None,
    };
    match part {
        "l" => Some((letter, false)),
        "h" => Some((letter, true)),
        _ => None,
    }
}

/// A register of an address.
fn whole(name: &str) -> Option<u8> {
    let named = name.strip_prefix("%r")?;
    let place = |short: &str| REGISTERS.iter().find(|(known, _)| *known == short).map(|(_, place)| *place);
    place(named).or_else(|| place(&name[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_operands_are_read() {
        let symbol = |name: &str| (name == "counter").then_some(0x4000);
        let around = Around { address: 0x1000, symbol: &symbol };
        let register = |register| Place::Register { register, high: false };
        let memory = |base, index, displacement| Place::Memory { base, index, displacement };
        for (text, size, signed, float, place) in [
            ("8@%rdi", 8, false, false, register(14)),
            ("-4@%eax", 4, true, false, register(10)),
            ("2@%ax", 2, false, false, register(10)),
            ("1@%al", 1, false, false, register(10)),
            ("-1@%ah", 1, true, false, Place::Register { register: 10, high: true }),
            ("1@%bl", 1, false, false, register(5)),
            ("1@%sil", 1, false, false, register(13)),
            ("1@%bpl", 1, false, false, register(4)),
            ("4@%ebp", 4, false, false, register(4)),
            ("8@%r8", 8, false, false, register(9)),
            ("-4@%r9d", 4, true, false, register(8)),
            ("2@%r15w", 2, false, false, register(0)),
            ("1@%r12b", 1, false, false, register(3)),
            ("8@%rsp", 8, false, false, register(19)),
            ("8@$5", 8, false, false, Place::Constant(5)),
            ("-4@$-1", 4, true, false, Place::Constant(-1)),
            ("8@$0x10", 8, false, false, Place::Constant(16)),
            ("8@$counter+8", 8, false, false, Place::Constant(0x4008)),
            ("-8@$-9223372036854775808", 8, true, false, Place::Constant(i64::MIN)),
            ("8@$18446744073709551615", 8, false, false, Place::Constant(-1)),
            ("-4@-20(%rbp)", 4, true, false, memory(Some(4), None, -20)),
            ("8@(%rax)", 8, false, false, memory(Some(10), None, 0)),
            ("8@16(%rsp)", 8, false, false, memory(Some(19), None, 16)),
            ("8@0x10(%r13)", 8, false, false, memory(Some(2), None, 16)),
            ("1@3(%rax,%rbx,8)", 1, false, false, memory(Some(10), Some((5, 3)), 3)),
            ("1@(%rax,%rbx)", 1, false, false, memory(Some(10), Some((5, 0)), 0)),
            ("4@(,%rcx,4)", 4, false, false, memory(None, Some((11, 2)), 0)),
            ("4@counter(%rip)", 4, false, false, memory(Some(16), None, 0x3000)),
            ("4@4+counter(%rip)", 4, false, false, memory(Some(16), None, 0x3004)),
            ("4@counter-4(%rip)", 4, false, false, memory(Some(16), None, 0x2FFC)),
            ("4@counter", 4, false, false, memory(None, None, 0x4000)),
            ("8f@-8(%rbp)", 8, false, true, memory(Some(4), None, -8)),
            ("4f@%xmm0", 4, false, true, Place::Unreadable),
            ("8@%fs:16", 8, false, false, Place::Unreadable),
            ("8@unknown(%rip)", 8, false, false, Place::Unreadable),
            ("16@%rdi", 8, false, false, Place::Unreadable),
            ("%rdi", 8, true, false, register(14)),
            ("8@", 8, false, false, Place::Unreadable),
            ("8@(", 8, false, false, Place::Unreadable),
            ("8@(%rax,%rbx,3)", 8, false, false, Place::Unreadable),
            ("8@(%eax)", 8, false, false, Place::Unreadable),
            ("8@%", 8, false, false, Place::Unreadable),
            ("8@%\u{e9}", 8, false, false, Place::Unreadable),
            ("8@$9x", 8, false, false, Place::Unreadable),
        ] {
            assert_eq!(parse(text, &around), [Operand { size, signed, float, place }], "{text}");
        }
        assert_eq!(parse("8@%rdi  -4@$1", &around).len(), 2);
        assert_eq!(parse(&"8@%rdi ".repeat(30), &around).len(), ARGUMENTS);
        assert!(parse("", &around).is_empty());
    }
}
