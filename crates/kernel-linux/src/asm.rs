//! An assembler of eBPF: instructions as words, with labels for jumps.
//!
//! Encoding: RFC 9669. Jumps go forwards or backwards to a label that is placed once; [`Asm::finish`] fails if one never was.

use std::os::fd::{AsRawFd, BorrowedFd};

/// A register. `R0` is what calls return, `R1` to `R5` their arguments, `R6` to `R9` survive calls, `R10` is the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[expect(dead_code, reason = "the set of registers is that of the machine")]
pub(crate) enum Reg {
    R0,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
    R10,
}

/// How many bytes a load or store moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    B,
    H,
    W,
    D,
}

impl Size {
    /// The size of a field of so many bytes.
    pub(crate) fn of(bytes: u32) -> Option<Size> {
        match bytes {
            1 => Some(Size::B),
            2 => Some(Size::H),
            4 => Some(Size::W),
            8 => Some(Size::D),
            _ => None,
        }
    }

    fn code(self) -> u8 {
        match self {
            Size::W => 0x00,
            Size::H => 0x08,
            Size::B => 0x10,
            Size::D => 0x18,
        }
    }
}

/// A comparison of a jump; those with `S` have a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum If {
    Eq = 0x10,
    Gt = 0x20,
    Ge = 0x30,
    Set = 0x40,
    Ne = 0x50,
    SGt = 0x60,
    SGe = 0x70,
    Lt = 0xA0,
    Le = 0xB0,
    SLt = 0xC0,
    SLe = 0xD0,
}

/// An operation on 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    Add = 0x00,
    Sub = 0x10,
    Mul = 0x20,
    Or = 0x40,
    And = 0x50,
    Shl = 0x60,
    Shr = 0x70,
    Xor = 0xA0,
    Sar = 0xC0,
    Mov = 0xB0,
}

/// A function of the kernel that programs may call (linux/bpf.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Helper {
    MapLookup = 1,
    MapUpdate = 2,
    MapDelete = 3,
    Nanoseconds = 5,
    Processor = 8,
    PidTgid = 14,
    Uid = 15,
    StackNumber = 27,
    CurrentTask = 35,
    Stack = 67,
    SendSignal = 109,
    ReadUser = 112,
    ReadKernel = 113,
    ReadUserText = 114,
    ReadKernelText = 115,
    RingOutput = 130,
    RingReserve = 131,
    RingSubmit = 132,
    CopyUser = 148,
    CurrentTaskTyped = 158,
    Cookie = 174,
    SymbolAddress = 179,
}

/// A place that jumps go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(usize);

/// A program under construction.
#[derive(Debug, Default)]
pub(crate) struct Asm {
    code: Vec<u64>,
    labels: Vec<Option<usize>>,
    jumps: Vec<(usize, Label)>,
}

fn word(code: u8, dst: u8, src: u8, offset: i16, imm: i32) -> u64 {
    u64::from(code)
        | u64::from(dst | src << 4) << 8
        | u64::from(offset.cast_unsigned()) << 16
        | u64::from(imm.cast_unsigned()) << 32
}

impl Asm {
    fn push(&mut self, code: u8, dst: Reg, src: Reg, offset: i16, imm: i32) {
        self.code.push(word(code, dst as u8, src as u8, offset, imm));
    }

    /// `dst = dst OP number`.
    pub(crate) fn imm(&mut self, op: Op, dst: Reg, imm: i32) {
        self.push(0x07 | op as u8, dst, Reg::R0, 0, imm);
    }

    /// `dst = dst OP src`.
    pub(crate) fn reg(&mut self, op: Op, dst: Reg, src: Reg) {
        self.push(0x0F | op as u8, dst, src, 0, 0);
    }

    /// `dst = src`.
    pub(crate) fn mov(&mut self, dst: Reg, src: Reg) {
        self.reg(Op::Mov, dst, src);
    }

    /// `dst = number`.
    pub(crate) fn set(&mut self, dst: Reg, imm: i32) {
        self.imm(Op::Mov, dst, imm);
    }

    /// `dst = number`, of 64 bits.
    pub(crate) fn set_wide(&mut self, dst: Reg, number: u64) {
        self.code.push(word(0x18, dst as u8, 0, 0, (number as u32).cast_signed()));
        self.code.push(word(0, 0, 0, 0, ((number >> 32) as u32).cast_signed()));
    }

    /// `dst = map`.
    pub(crate) fn map(&mut self, dst: Reg, map: BorrowedFd<'_>) {
        self.code.push(word(0x18, dst as u8, 1, 0, map.as_raw_fd()));
        self.code.push(0);
    }

    /// `dst = address of the first value of an array`.
    pub(crate) fn map_value(&mut self, dst: Reg, map: BorrowedFd<'_>) {
        self.code.push(word(0x18, dst as u8, 2, 0, map.as_raw_fd()));
        self.code.push(0);
    }

    /// `dst = *(base + offset)`.
    pub(crate) fn load(&mut self, size: Size, dst: Reg, base: Reg, offset: i16) {
        self.push(0x61 | size.code(), dst, base, offset, 0);
    }

    /// `*(base + offset) = src`.
    pub(crate) fn store(&mut self, size: Size, base: Reg, offset: i16, src: Reg) {
        self.push(0x63 | size.code(), base, src, offset, 0);
    }

    /// `*(base + offset) = number`.
    pub(crate) fn store_imm(&mut self, size: Size, base: Reg, offset: i16, imm: i32) {
        self.push(0x62 | size.code(), base, Reg::R0, offset, imm);
    }

    /// `*(base + offset) += src`, atomically, in 64 bits.
    pub(crate) fn add_atomic(&mut self, base: Reg, offset: i16, src: Reg) {
        self.push(0xDB, base, src, offset, 0);
    }

    /// Calls a function of the kernel.
    pub(crate) fn call(&mut self, helper: Helper) {
        self.push(0x85, Reg::R0, Reg::R0, 0, helper as i32);
    }

    /// Ends the program with what is in `R0`.
    pub(crate) fn exit(&mut self) {
        self.push(0x95, Reg::R0, Reg::R0, 0, 0);
    }

    /// A place for jumps that is not fixed yet.
    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Fixes a place: here.
    pub(crate) fn place(&mut self, label: Label) {
        let here = self.code.len();
        if let Some(place) = self.labels.get_mut(label.0) {
            *place = Some(here);
        }
    }

    /// Goes on at the label.
    pub(crate) fn jump(&mut self, label: Label) {
        self.jumps.push((self.code.len(), label));
        self.push(0x05, Reg::R0, Reg::R0, 0, 0);
    }

    /// Goes on at the label if `dst` compares so with a number, which is extended with its sign.
    pub(crate) fn jump_if(&mut self, test: If, dst: Reg, imm: i32, label: Label) {
        self.jumps.push((self.code.len(), label));
        self.push(0x05 | test as u8, dst, Reg::R0, 0, imm);
    }

    /// Goes on at the label if `dst` compares so with `src`.
    pub(crate) fn jump_if_reg(&mut self, test: If, dst: Reg, src: Reg, label: Label) {
        self.jumps.push((self.code.len(), label));
        self.push(0x0D | test as u8, dst, src, 0, 0);
    }

    /// The instructions, if all labels have their places and all jumps reach them.
    pub(crate) fn finish(mut self) -> Option<Vec<u64>> {
        for (at, label) in &self.jumps {
            let target = (*self.labels.get(label.0)?)?;
            let distance = i64::try_from(target).ok()? - i64::try_from(*at).ok()? - 1;
            let distance = i16::try_from(distance).ok()?;
            *self.code.get_mut(*at)? |= u64::from(distance.cast_unsigned()) << 16;
        }
        Some(self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_those_of_the_standard() {
        let mut asm = Asm::default();
        asm.set(Reg::R0, -1);
        asm.mov(Reg::R6, Reg::R1);
        asm.imm(Op::Shl, Reg::R6, 32);
        asm.load(Size::D, Reg::R2, Reg::R6, 8);
        asm.store(Size::H, Reg::R10, -8, Reg::R2);
        asm.store_imm(Size::W, Reg::R10, -4, 7);
        asm.add_atomic(Reg::R2, 16, Reg::R3);
        asm.call(Helper::Nanoseconds);
        asm.exit();
        asm.imm(Op::Sar, Reg::R8, 56);
        asm.set_wide(Reg::R8, 0x1122_3344_F566_7788);
        assert_eq!(
            asm.finish().unwrap(),
            [
                0xFFFF_FFFF_0000_00B7,
                0x0000_0000_0000_16BF,
                0x0000_0020_0000_0667,
                0x0000_0000_0008_6279,
                0x0000_0000_FFF8_2A6B,
                0x0000_0007_FFFC_0A62,
                0x0000_0000_0010_32DB,
                0x0000_0005_0000_0085,
                0x0000_0000_0000_0095,
                0x0000_0038_0000_08C7,
                0xF566_7788_0000_0818,
                0x1122_3344_0000_0000,
            ]
        );
    }

    #[test]
    fn jumps_reach_their_labels() {
        let mut asm = Asm::default();
        let (start, end) = (asm.label(), asm.label());
        asm.place(start);
        asm.jump_if(If::Eq, Reg::R0, 0, end);
        asm.jump(start);
        asm.place(end);
        asm.exit();
        let offsets: Vec<i16> =
            asm.finish().unwrap().iter().map(|word| ((word >> 16) as u16).cast_signed()).collect();
        assert_eq!(offsets, [1, -2, 0]);

        let mut open = Asm::default();
        let never = open.label();
        open.jump(never);
        assert!(open.finish().is_none(), "a label that is not placed");
    }
}
