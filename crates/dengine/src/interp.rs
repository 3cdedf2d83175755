//! The interpreter: one loop over the instructions of a clause.

use crate::action;
use crate::context::Context;
use crate::dx;
use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use crate::pack::{Into, extend, pack, pad_key};
use crate::state::State;
use crate::subr;
use tracewell_dlang::builtins::{BuiltinVar, Subr};
use tracewell_dlang::ir::{Inst, Op, Region};

/// The registers of a clause. They are not cleared: the verifier has seen that none is read unset.
pub(crate) type Registers = [u64; 256];

/// How a section of code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At this instruction, the stretch's end or beyond.
    At(usize),
    /// An action ended the clause: its record is not wanted.
    Abandoned,
    /// This instruction faulted; the fault is in the state, which keeps this type small.
    Fault(usize),
}

/// How to continue after an instruction that is executed outside the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Next,
    Abandon,
    /// The fault is in the state.
    Fault,
}

/// Runs the instructions from `pc` up to `end`.
///
/// The loop and [`value`] hold what registers alone decide. All else is in functions that are not inlined: they would
/// cost the loop its registers, and every firing the saving of them.
#[inline(never)]
pub(crate) fn run<H: Host>(
    code: &[Inst],
    mut pc: usize,
    end: usize,
    regs: &mut Registers,
    cx: &mut Context<'_, H>,
) -> End {
    let code = code.get(..end).unwrap_or(code);
    while let Some(&inst) = code.get(pc) {
        let Inst { op, d, a, b, imm } = inst;
        macro_rules! a {
            () => {
                regs[a as usize]
            };
        }
        macro_rules! b {
            () => {
                regs[b as usize]
            };
        }
        macro_rules! set {
            ($value:expr) => {
                regs[d as usize] = $value
            };
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Some(value) => value,
                    None => return End::Fault(pc),
                }
            };
        }
        macro_rules! branch {
            ($condition:expr) => {
                if $condition {
                    pc = imm as usize;
                    continue;
                }
            };
        }
        match op {
            Op::Ret => return End::At(usize::MAX),
            Op::Jmp => branch!(true),
            Op::Jz => branch!(a!() == 0),
            Op::Jnz => branch!(a!() != 0),
            Op::JEq => branch!(a!() == b!()),
            Op::JNe => branch!(a!() != b!()),
            Op::JSlt => branch!((a!() as i64) < b!() as i64),
            Op::JSle => branch!(a!() as i64 <= b!() as i64),
            Op::JUlt => branch!(a!() < b!()),
            Op::JUle => branch!(a!() <= b!()),
            Op::JEqI => branch!(a!() as i64 == i64::from(inst.short())),
            Op::JNeI => branch!(a!() as i64 != i64::from(inst.short())),
            Op::JSltI => branch!((a!() as i64) < i64::from(inst.short())),
            Op::JSgeI => branch!(a!() as i64 >= i64::from(inst.short())),
            Op::JUltI => branch!(a!() < i64::from(inst.short()) as u64),
            Op::JUgeI => branch!(a!() >= i64::from(inst.short()) as u64),
            Op::Rounds => cx.state.rounds = cx.state.loopmax,
            Op::SetX => set!(cx.program.consts.get(imm as usize).copied().unwrap_or(0)),
            Op::SDiv | Op::UDiv | Op::SRem | Op::URem => {
                set!(check!(divide(op, a!(), b!(), &mut cx.state.fault)))
            }
            Op::LdS8 => set!(check!(load::<H, 1>(cx, a!())) as i8 as u64),
            Op::LdS16 => set!(check!(load::<H, 2>(cx, a!())) as i16 as u64),
            Op::LdS32 => set!(check!(load::<H, 4>(cx, a!())) as i32 as u64),
            Op::LdU8 => set!(check!(load::<H, 1>(cx, a!())) as u8 as u64),
            Op::LdU16 => set!(check!(load::<H, 2>(cx, a!())) as u16 as u64),
            Op::LdU32 => set!(check!(load::<H, 4>(cx, a!())) as u32 as u64),
            Op::Ld64 => set!(check!(load::<H, 8>(cx, a!()))),
            Op::LdG | Op::LdL => {
                set!(match cx.state.slots.get(imm as usize) {
                    Some(slot) if slot.size == 0 => slot.value,
                    Some(slot) if slot.present => slot.address,
                    _ => 0,
                });
            }
            Op::StG | Op::StL => match cx.state.slots.get_mut(imm as usize) {
                Some(slot) if slot.size == 0 => slot.value = a!(),
                _ => check!(store_slot(cx, imm as usize, a!())),
            },
            Op::LdB => {
                set!(match u16::try_from(imm).ok().and_then(BuiltinVar::from_number) {
                    Some(var) => cx.state.firing.builtin(var, cx.host),
                    None => 0,
                });
            }
            Op::LdArg => match cx.state.firing.arg(imm as u32, cx.host) {
                Some(value) => set!(value),
                None => {
                    cx.state.fault = Fault::address(0);
                    return End::Fault(pc);
                }
            },
            Op::Agg => check!(aggregate(inst, regs, cx)),
            _ => match value(inst, regs) {
                Some(value) => set!(value),
                None => match apart(inst, regs, cx) {
                    Then::Next => branch!(op == Op::Back),
                    Then::Abandon => return End::Abandoned,
                    Then::Fault => return End::Fault(pc),
                },
            },
        }
        pc += 1;
    }
    End::At(pc)
}

/// The result of an instruction that only computes with registers.
#[inline(always)]
fn value(inst: Inst, regs: &Registers) -> Option<u64> {
    let a = || regs[usize::from(inst.a)];
    let b = || regs[usize::from(inst.b)];
    let imm = inst.imm as i64 as u64;
    Some(match inst.op {
        Op::Mov => a(),
        Op::SetI => imm,
        Op::SetS => Region::CONST.address(inst.imm as u64),
        Op::Add => a().wrapping_add(b()),
        Op::AddI => a().wrapping_add(imm),
        Op::Sub => a().wrapping_sub(b()),
        Op::Mul => a().wrapping_mul(b()),
        Op::And => a() & b(),
        Op::Or => a() | b(),
        Op::Xor => a() ^ b(),
        Op::Shl => a() << (b() & 63),
        Op::Shr => a() >> (b() & 63),
        Op::Sar => ((a() as i64) >> (b() & 63)) as u64,
        Op::Not => !a(),
        Op::Neg => a().wrapping_neg(),
        Op::Sx8 => extend(a(), 1, true),
        Op::Sx16 => extend(a(), 2, true),
        Op::Sx32 => extend(a(), 4, true),
        Op::Zx8 => extend(a(), 1, false),
        Op::Zx16 => extend(a(), 2, false),
        Op::Zx32 => extend(a(), 4, false),
        Op::Eq => u64::from(a() == b()),
        Op::Ne => u64::from(a() != b()),
        Op::Slt => u64::from((a() as i64) < b() as i64),
        Op::Sle => u64::from((a() as i64) <= b() as i64),
        Op::Ult => u64::from(a() < b()),
        Op::Ule => u64::from(a() <= b()),
        Op::EqI => u64::from(a() == imm),
        Op::IsZero => u64::from(a() == 0),
        _ => return None,
    })
}

/// Divisions. Overflow (the least number by -1) faults as division by zero does, as on the processors that trap it.
#[inline(never)]
fn divide(op: Op, x: u64, y: u64, fault: &mut Fault) -> Option<u64> {
    let result = match op {
        Op::SDiv => (x as i64).checked_div(y as i64).map(|n| n as u64),
        Op::SRem => (x as i64).checked_rem(y as i64).map(|n| n as u64),
        Op::UDiv => x.checked_div(y),
        _ => x.checked_rem(y),
    };
    if result.is_none() {
        *fault = Fault::new(FaultKind::DivZero);
    }
    result
}

/// The `N` bytes at an address, as a number.
#[inline(never)]
fn load<H: Host, const N: usize>(cx: &mut Context<'_, H>, address: u64) -> Option<u64> {
    let loaded = cx.state.memory.load::<H, N>(cx.host, address);
    let bytes = cx.note(loaded)?;
    let mut word = [0; 8];
    word[..N].copy_from_slice(&bytes);
    Some(u64::from_le_bytes(word))
}

/// Carries out an instruction that the loop does not.
#[inline(never)]
fn apart<H: Host>(inst: Inst, regs: &mut Registers, cx: &mut Context<'_, H>) -> Then {
    match carry_out(inst, regs, cx) {
        Ok(then) => then,
        Err(fault) => {
            cx.state.fault = fault;
            Then::Fault
        }
    }
}

#[inline(always)]
fn carry_out<H: Host>(inst: Inst, regs: &mut Registers, cx: &mut Context<'_, H>) -> Result<Then, Fault> {
    let Inst { op, d, a, b, imm } = inst;
    let (x, y) = (regs[usize::from(a)], regs[usize::from(b)]);
    let number = imm as usize;
    let result = match op {
        Op::Back => return Ok(if dx::again(cx.state)? { Then::Next } else { Then::Abandon }),
        Op::HasD => {
            dyn_key(cx, number, range(regs, inst))?;
            u64::from(cx.state.dynvars.find(&cx.state.memory.dynamic, &cx.state.key).is_some())
        }
        Op::CountD => {
            dyn_key_head(cx, number)?;
            cx.state.dynvars.count(&cx.state.memory.dynamic, &cx.state.key)
        }
        Op::SCmp => {
            let x = cx.state.memory.string_or_empty(cx.host, x)?;
            let y = cx.state.memory.string_or_empty(cx.host, y)?;
            x.cmp(y) as i64 as u64
        }
        Op::St8 | Op::St16 | Op::St32 | Op::St64 => {
            let n = match op {
                Op::St8 => 1,
                Op::St16 => 2,
                Op::St32 => 4,
                _ => 8,
            };
            cx.state.memory.writable(x, n)?.copy_from_slice(&y.to_le_bytes()[..n]);
            return Ok(Then::Next);
        }
        Op::Copy => {
            copy(cx, x, y, number)?;
            return Ok(Then::Next);
        }
        Op::CopyS => {
            copy_string(cx, x, y, number)?;
            return Ok(Then::Next);
        }
        Op::LdAG | Op::LdAL => cx.state.slots.get_mut(number).map_or(0, |slot| {
            slot.present = true;
            slot.address
        }),
        Op::LdD => {
            dyn_key(cx, number, range(regs, inst))?;
            load_dyn(cx.state, number)
        }
        Op::StD => {
            dyn_key(cx, number, range(regs, inst))?;
            store_dyn(cx, number, regs[usize::from(d)])?;
            return Ok(Then::Next);
        }
        Op::LdAD => {
            dyn_key(cx, number, range(regs, inst))?;
            address_dyn(cx.state, number)
        }
        Op::LdBA => {
            let var = u16::try_from(imm).ok().and_then(BuiltinVar::from_number);
            var.and_then(|var| cx.host.array(var, x)).ok_or_else(|| Fault::address(x))?
        }
        Op::Call => {
            let subr = u16::try_from(imm).ok().and_then(Subr::from_number);
            let subr = subr.ok_or_else(|| Fault::new(FaultKind::IllegalOp))?;
            subr::call(subr, range(regs, inst), cx)?
        }
        Op::Act => {
            let going_on = action::perform(number, range(regs, inst), cx)?;
            return Ok(if going_on { Then::Next } else { Then::Abandon });
        }
        // All others are the loop's.
        _ => return Err(Fault::new(FaultKind::IllegalOp)),
    };
    regs[usize::from(d)] = result;
    Ok(Then::Next)
}

/// The registers that an instruction reads as a range.
#[inline]
fn range(regs: &Registers, inst: Inst) -> &[u64] {
    let first = usize::from(inst.a);
    regs.get(first..first + usize::from(inst.b)).unwrap_or_default()
}

fn copy<H: Host>(cx: &mut Context<'_, H>, to: u64, from: u64, len: usize) -> Result<(), Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    temp.clear();
    temp.extend_from_slice(memory.bytes(cx.host, from, len)?);
    memory.writable(to, len)?.copy_from_slice(temp);
    Ok(())
}

fn copy_string<H: Host>(cx: &mut Context<'_, H>, to: u64, from: u64, len: usize) -> Result<(), Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    let text = memory.string_or_empty(cx.host, from)?;
    temp.clear();
    temp.extend_from_slice(text);
    temp.truncate(len.saturating_sub(1));
    temp.push(0);
    let n = temp.len().min(len);
    memory.writable(to, n)?.copy_from_slice(&temp[..n]);
    Ok(())
}

/// Assigns to a by-reference variable; [`None`] with the fault noted.
#[inline(never)]
fn store_slot<H: Host>(cx: &mut Context<'_, H>, var: usize, value: u64) -> Option<()> {
    let stored = assign_slot(cx, var, value);
    cx.note(stored)
}

fn assign_slot<H: Host>(cx: &mut Context<'_, H>, var: usize, value: u64) -> Result<(), Fault> {
    let Some(slot) = cx.state.slots.get_mut(var) else { return Ok(()) };
    let (address, size, string) = (slot.address, slot.size as usize, slot.string);
    if string {
        slot.present = value != 0;
        if value != 0 && value != address {
            copy_string(cx, address, value, size)?;
        }
    } else if value == 0 {
        cx.state.memory.writable(address, size)?.fill(0);
    } else if value != address {
        copy(cx, address, value, size)?;
    }
    Ok(())
}

/// Packs what the keys of all elements of a dynamic variable begin with: its number and its thread.
#[inline]
fn dyn_key_head<H: Host>(cx: &mut Context<'_, H>, var: usize) -> Result<(), Fault> {
    cx.state.key.clear();
    cx.state.key.extend_from_slice(&(var as u64).to_le_bytes());
    let Some(Some(kind)) = cx.state.dyn_kinds.get(var) else { return Ok(()) };
    if kind.thread {
        let tid = match cx.state.firing.tid {
            Some(tid) => tid,
            None => {
                let tid = cx.host.thread_key(cx.state.firing.probe);
                cx.state.firing.tid = Some(tid);
                tid
            }
        };
        cx.state.key.extend_from_slice(&tid.to_le_bytes());
    }
    Ok(())
}

/// Packs the key of a dynamic variable: its number, its thread, its keys.
#[inline]
fn dyn_key<H: Host>(cx: &mut Context<'_, H>, var: usize, keys: &[u64]) -> Result<(), Fault> {
    dyn_key_head(cx, var)?;
    if let Some(var) = cx.program.vars.get(var).filter(|v| !v.keys.is_empty()) {
        pack(cx.state, cx.host, &var.keys, keys, Into::Key)?;
        pad_key(&mut cx.state.key);
    }
    Ok(())
}

/// The value, or the storage's address, of the dynamic variable whose key is packed; 0 for none.
#[inline]
fn load_dyn(state: &State, var: usize) -> u64 {
    let Some(handle) = state.dynvars.find(&state.memory.dynamic, &state.key) else { return 0 };
    match state.dyn_kinds.get(var) {
        Some(Some(kind)) if kind.storage > 0 => Region::DYNAMIC.address(state.dynvars.storage(handle)),
        _ => state.dynvars.value(handle),
    }
}

/// The storage's address of the dynamic variable whose key is packed, created if need be; 0 when it was
/// dropped.
fn address_dyn(state: &mut State, var: usize) -> u64 {
    let Some(Some(kind)) = state.dyn_kinds.get(var) else { return 0 };
    let handle = state.dynvars.find(&state.memory.dynamic, &state.key).or_else(|| {
        state.dynvars.create(&mut state.memory.dynamic, &state.key, kind.storage, kind.classic_size)
    });
    match handle {
        Some(handle) => Region::DYNAMIC.address(state.dynvars.storage(handle)),
        None => {
            state.drops.dynamic += 1;
            0
        }
    }
}

/// Bytes of storage for the string at an address: in steps, so that few longer ones need more.
fn room_for<H: Host>(state: &State, host: &H, address: u64) -> Result<u32, Fault> {
    const LEAST: usize = 32;
    let window = state.memory.tail(host, address)?;
    let window = window.get(..state.memory.strsize).unwrap_or(window);
    let len = crate::memory::find_nul(window).unwrap_or(window.len());
    Ok((len + 1).max(LEAST).next_power_of_two() as u32)
}

#[inline]
fn store_dyn<H: Host>(cx: &mut Context<'_, H>, var: usize, value: u64) -> Result<(), Fault> {
    let state = &mut *cx.state;
    if value == 0 {
        state.dynvars.remove(&mut state.memory.dynamic, &state.key);
        return Ok(());
    }
    let Some(Some(kind)) = state.dyn_kinds.get(var) else { return Ok(()) };
    let (mut storage, string) = (kind.storage, kind.string);
    let mut found = state.dynvars.find(&state.memory.dynamic, &state.key);
    if kind.fits {
        storage = room_for(state, cx.host, value)?.min(storage);
        if let Some(handle) = found
            && state.dynvars.room(handle) < storage
        {
            // What is assigned does not lie in the storage that is given up: it would fit there.
            state.dynvars.remove(&mut state.memory.dynamic, &state.key);
            found = None;
        }
    }
    let handle = match found {
        Some(handle) => handle,
        None => {
            let made =
                state.dynvars.create(&mut state.memory.dynamic, &state.key, storage, kind.classic_size);
            match made {
                Some(handle) => handle,
                None => {
                    state.drops.dynamic += 1;
                    return Ok(());
                }
            }
        }
    };
    if storage == 0 {
        state.dynvars.set(handle, value);
        return Ok(());
    }
    let address = Region::DYNAMIC.address(state.dynvars.storage(handle));
    match (value == address, string) {
        (true, _) => Ok(()),
        (false, true) => copy_string(cx, address, value, storage as usize),
        (false, false) => copy(cx, address, value, storage as usize),
    }
}

/// Feeds an aggregation; [`None`] with the fault noted.
#[inline(never)]
fn aggregate<H: Host>(inst: Inst, regs: &Registers, cx: &mut Context<'_, H>) -> Option<()> {
    let fed = feed(cx, inst.imm as usize, range(regs, inst));
    cx.note(fed)
}

#[inline(always)]
fn feed<H: Host>(cx: &mut Context<'_, H>, agg: usize, values: &[u64]) -> Result<(), Fault> {
    let Some(aggregation) = cx.program.aggs.get(agg) else { return Ok(()) };
    let fed = |keys: usize| {
        let value = values.get(keys).copied().unwrap_or(0) as i64;
        let increment = values.get(keys + 1).map_or(1, |&v| v as i64);
        (value, increment)
    };
    let times = cx.state.firing.times;
    let mut remember = None;
    if let Some(table) = cx.state.aggs.get_mut(agg)
        && let Some(memo) = &table.memo
        && let Some(keys) = memo.keys(values, |address| cx.host.is_lasting(address))
    {
        if let Some(entry) = memo.find(&keys) {
            let (value, increment) = fed(aggregation.keys.len());
            table.update(entry, value, increment, times);
            return Ok(());
        }
        remember = Some(keys);
    }
    cx.state.key.clear();
    let keys = pack(cx.state, cx.host, &aggregation.keys, values, Into::Key)?;
    pad_key(&mut cx.state.key);
    let (value, increment) = fed(keys);
    let state = &mut *cx.state;
    let Some(table) = state.aggs.get_mut(agg) else { return Ok(()) };
    match table.entry(&state.key, &mut state.agg_room) {
        Some(entry) => {
            table.update(entry, value, increment, times);
            if table.keeps_busy() && !cx.host.is_idle() {
                table.update_busy(entry, value, increment, times);
            }
            if let (Some(keys), Some(memo)) = (remember, &mut table.memo) {
                memo.note(keys, entry);
            }
        }
        None => state.drops.aggregation += times,
    }
    Ok(())
}
