//! Places: reading, writing, and changing variables, memory and bit-fields.

use super::Generator;
use crate::diag::{Result, fail};
use crate::ir::{Inst, Op};
use crate::program::Scope;
use crate::sema::tree::{Node, Place};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{STRING_BYTES, Type, TypeId};

/// The instructions that access a variable.
enum Storage {
    Global,
    Clause,
    Dynamic,
}

impl Generator<'_> {
    fn storage(&self, index: u32, span: Span) -> Result<Storage> {
        match self.program.vars.get(index as usize) {
            Some(var) if var.associative || var.scope == Scope::Thread => Ok(Storage::Dynamic),
            Some(var) if var.scope == Scope::Clause => Ok(Storage::Clause),
            Some(_) => Ok(Storage::Global),
            None => fail(Tag::CgExpr, span, "the variable is not there"),
        }
    }

    pub(super) fn keys(&mut self, keys: &[Node], d: usize) -> Result<()> {
        for (at, key) in keys.iter().enumerate() {
            self.expr(key, d + at)?;
        }
        Ok(())
    }

    /// Loads a variable into `d`; its keys lie from `first` on.
    pub(super) fn load_variable(
        &mut self,
        index: u32,
        keys: usize,
        first: usize,
        d: usize,
        span: Span,
    ) -> Result<()> {
        let op = match self.storage(index, span)? {
            Storage::Global => Op::LdG,
            Storage::Clause => Op::LdL,
            Storage::Dynamic => Op::LdD,
        };
        self.variable(op, index, keys, first, d, span)
    }

    pub(super) fn variable(
        &mut self,
        op: Op,
        index: u32,
        keys: usize,
        first: usize,
        d: usize,
        span: Span,
    ) -> Result<()> {
        let d = self.register(d, span)?;
        let (a, b) = match op {
            Op::LdD | Op::StD | Op::LdAD if keys > 0 => {
                self.register(first + keys - 1, span)?;
                (self.register(first, span)?, keys as u8)
            }
            _ => (0, 0),
        };
        self.emit(Inst { op, d, a, b, imm: index as i32 }, span)
    }

    /// Stores register `value` into a variable; its keys lie from `first` on.
    pub(super) fn store_variable(
        &mut self,
        index: u32,
        keys: usize,
        first: usize,
        value: usize,
        span: Span,
    ) -> Result<()> {
        let op = match self.storage(index, span)? {
            Storage::Global => Op::StG,
            Storage::Clause => Op::StL,
            Storage::Dynamic => return self.variable(Op::StD, index, keys, first, value, span),
        };
        let a = self.register(value, span)?;
        self.emit(Inst { op, d: 0, a, b: 0, imm: index as i32 }, span)
    }

    /// Loads what lies at the address in register `a`.
    fn load(&mut self, ty: TypeId, a: usize, d: usize, span: Span) -> Result<()> {
        if self.by_address(ty) {
            if a != d {
                let (d, a) = (self.register(d, span)?, self.register(a, span)?);
                self.emit(Inst { op: Op::Mov, d, a, b: 0, imm: 0 }, span)?;
            }
            return Ok(());
        }
        let (bytes, signed) = self.types.integer(ty).unwrap_or((self.types.pointer_bytes(), false));
        self.load_int(bytes, signed, a, d, span)
    }

    fn load_int(&mut self, bytes: u8, signed: bool, a: usize, d: usize, span: Span) -> Result<()> {
        let op = match (bytes, signed) {
            (1, true) => Op::LdS8,
            (2, true) => Op::LdS16,
            (4, true) => Op::LdS32,
            (1, false) => Op::LdU8,
            (2, false) => Op::LdU16,
            (4, false) => Op::LdU32,
            _ => Op::Ld64,
        };
        let (d, a) = (self.register(d, span)?, self.register(a, span)?);
        self.emit(Inst { op, d, a, b: 0, imm: 0 }, span)
    }

    /// Stores register `value` as a type at the address in register `a`.
    fn store(&mut self, ty: TypeId, a: usize, value: usize, span: Span) -> Result<()> {
        let (a, b) = (self.register(a, span)?, self.register(value, span)?);
        if let Type::String = self.types.resolve(ty) {
            return self.emit(Inst { op: Op::CopyS, d: 0, a, b, imm: STRING_BYTES as i32 }, span);
        }
        if self.by_address(ty) {
            let imm = self.types.size(ty).and_then(|n| i32::try_from(n).ok()).unwrap_or(0);
            return self.emit(Inst { op: Op::Copy, d: 0, a, b, imm }, span);
        }
        let bytes = self.types.integer(ty).map_or(self.types.pointer_bytes(), |(bytes, _)| bytes);
        self.store_int(bytes, a, b, span)
    }

    fn store_int(&mut self, bytes: u8, a: u8, b: u8, span: Span) -> Result<()> {
        let op = match bytes {
            1 => Op::St8,
            2 => Op::St16,
            4 => Op::St32,
            _ => Op::St64,
        };
        self.emit(Inst { op, d: 0, a, b, imm: 0 }, span)
    }

    /// Reads a place into `d`.
    pub(super) fn read(&mut self, place: &Place, ty: TypeId, d: usize, span: Span) -> Result<()> {
        match place {
            Place::Var { index, keys } => {
                self.keys(keys, d)?;
                self.load_variable(*index, keys.len(), d, d, span)
            }
            Place::Memory(address) => {
                let at = self.operand(address, d)?;
                self.load(ty, at, d, span)
            }
            Place::Bits { address, .. } => {
                self.expr(address, d)?;
                self.load_bits(place, d, d, span)
            }
        }
    }

    /// The address of a place into `d`.
    pub(super) fn address(&mut self, place: &Place, d: usize, span: Span) -> Result<()> {
        match place {
            Place::Var { index, keys } => {
                let op = match self.storage(*index, span)? {
                    Storage::Global => Op::LdAG,
                    Storage::Clause => Op::LdAL,
                    Storage::Dynamic => Op::LdAD,
                };
                self.keys(keys, d)?;
                self.variable(op, *index, keys.len(), d, d, span)
            }
            Place::Memory(address) | Place::Bits { address, .. } => self.expr(address, d),
        }
    }

    fn load_bits(&mut self, place: &Place, a: usize, d: usize, span: Span) -> Result<()> {
        let Place::Bits { unit, shift, width, signed, .. } = place else { return Ok(()) };
        self.load_int(*unit, false, a, d, span)?;
        let up = 64_u32.saturating_sub(u32::from(*shift) + u32::from(*width));
        let down = 64_u32.saturating_sub(u32::from(*width));
        self.constant(d + 1, u64::from(up), span)?;
        self.two(Op::Shl, d, d, d + 1, span)?;
        self.constant(d + 1, u64::from(down), span)?;
        self.two(if *signed { Op::Sar } else { Op::Shr }, d, d, d + 1, span)
    }

    /// Stores register `value` into the bits at the address in register `a`, with two registers from `free` on.
    fn store_bits(&mut self, place: &Place, a: usize, value: usize, free: usize, span: Span) -> Result<()> {
        let Place::Bits { unit, shift, width, .. } = place else { return Ok(()) };
        let mask = if *width >= 64 { u64::MAX } else { (1 << *width) - 1 };
        let (unit_value, part) = (free, free + 1);
        self.load_int(*unit, false, a, unit_value, span)?;
        self.constant(part, !(mask << *shift), span)?;
        self.two(Op::And, unit_value, unit_value, part, span)?;
        self.constant(part, mask, span)?;
        self.two(Op::And, part, value, part, span)?;
        if *shift > 0 {
            self.constant(part + 1, u64::from(*shift), span)?;
            self.two(Op::Shl, part, part, part + 1, span)?;
        }
        self.two(Op::Or, unit_value, unit_value, part, span)?;
        let (a, b) = (self.register(a, span)?, self.register(unit_value, span)?);
        self.store_int(*unit, a, b, span)
    }

    /// Stores a value; it stays in `d`.
    pub(super) fn assign(
        &mut self,
        place: &Place,
        value: &Node,
        ty: TypeId,
        d: usize,
        span: Span,
    ) -> Result<()> {
        self.expr(value, d)?;
        match place {
            Place::Var { index, keys } => {
                self.keys(keys, d + 1)?;
                self.store_variable(*index, keys.len(), d + 1, d, span)
            }
            Place::Memory(address) => {
                self.expr(address, d + 1)?;
                self.store(ty, d + 1, d, span)
            }
            Place::Bits { address, .. } => {
                self.expr(address, d + 1)?;
                self.store_bits(place, d + 1, d, d + 2, span)
            }
        }
    }

    /// Changes a place; the old or the new value is left in `d`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one tree node, and where it goes")]
    pub(super) fn modify(
        &mut self,
        place: &Place,
        slot: u32,
        value: &Node,
        post: bool,
        ty: TypeId,
        d: usize,
        span: Span,
    ) -> Result<()> {
        // The keys or the address are computed once and kept above the old value.
        let next = match place {
            Place::Var { index, keys } => {
                self.keys(keys, d + 1)?;
                self.load_variable(*index, keys.len(), d + 1, d, span)?;
                d + 1 + keys.len()
            }
            Place::Memory(address) => {
                self.expr(address, d + 1)?;
                self.load(ty, d + 1, d, span)?;
                d + 2
            }
            Place::Bits { address, .. } => {
                self.expr(address, d + 2)?;
                self.load_bits(place, d + 2, d, span)?;
                d + 3
            }
        };
        let outer = self.slots.insert(slot, d);
        let result = self.expr(value, next);
        match outer {
            Some(outer) => self.slots.insert(slot, outer),
            None => self.slots.remove(&slot),
        };
        result?;
        match place {
            Place::Var { index, keys } => self.store_variable(*index, keys.len(), d + 1, next, span)?,
            Place::Memory(_) => self.store(ty, d + 1, next, span)?,
            Place::Bits { .. } => self.store_bits(place, d + 2, next, next + 1, span)?,
        }
        if !post {
            let (d, a) = (self.register(d, span)?, self.register(next, span)?);
            self.emit(Inst { op: Op::Mov, d, a, b: 0, imm: 0 }, span)?;
        }
        Ok(())
    }
}
