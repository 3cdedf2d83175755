//! The interpreter: one loop over the instructions of a clause.

use crate::action;
use crate::dx;
use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use crate::pack::{Into, extend, pack, pad_key};
use crate::state::{Firing, State};
use crate::subr;
use tracewell_dlang::builtins::{BuiltinVar, Subr};
use tracewell_dlang::ir::{Inst, Op, Region};
use tracewell_dlang::program::{Clause, Program};

/// The registers of a clause. They are not cleared: the verifier has seen that none is read unset.
pub(crate) type Registers = [u64; 256];

/// What a clause runs against.
pub(crate) struct Context<'a, H> {
    pub(crate) program: &'a Program,
    pub(crate) clause: &'a Clause,
    pub(crate) state: &'a mut State,
    pub(crate) host: &'a mut H,
    pub(crate) firing: &'a mut Firing,
    /// The fault behind an [`End::Fault`].
    pub(crate) fault: Fault,
}

/// How a stretch of code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At this instruction, the stretch's end or beyond.
    At(usize),
    /// An action ended the clause: its record is not wanted.
    Abandoned,
    /// This instruction faulted; the fault is in the context, which keeps this type small.
    Fault(usize),
}

/// Runs the instructions from `pc` up to `end`.
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
                    Ok(value) => value,
                    Err(fault) => {
                        cx.fault = fault;
                        return End::Fault(pc);
                    }
                }
            };
        }
        macro_rules! load {
            ($n:literal, $ty:ty) => {{
                let bytes = check!(cx.state.memory.load::<H, $n>(cx.host, a!()));
                set!(<$ty>::from_le_bytes(bytes) as u64)
            }};
        }
        macro_rules! store {
            ($n:literal) => {{
                let value = b!().to_le_bytes();
                let to = check!(cx.state.memory.writable(a!(), $n));
                to.copy_from_slice(&value[..$n]);
            }};
        }
        macro_rules! branch {
            ($condition:expr) => {
                if $condition {
                    pc = imm as usize;
                    continue;
                }
            };
        }
        macro_rules! range {
            () => {
                regs.get(a as usize..a as usize + b as usize).unwrap_or_default()
            };
        }
        match op {
            Op::Ret => return End::At(usize::MAX),
            Op::Mov => set!(a!()),
            Op::SetI => set!(imm as i64 as u64),
            Op::SetX => set!(cx.program.consts.get(imm as usize).copied().unwrap_or(0)),
            Op::SetS => set!(Region::CONST.address(imm as u64)),
            Op::Add => set!(a!().wrapping_add(b!())),
            Op::AddI => set!(a!().wrapping_add(imm as i64 as u64)),
            Op::Sub => set!(a!().wrapping_sub(b!())),
            Op::Mul => set!(a!().wrapping_mul(b!())),
            Op::SDiv | Op::SRem => {
                let (x, y) = (a!() as i64, b!() as i64);
                // Overflow (the least number by -1) faults as well, as on the processors that trap it.
                let result = if op == Op::SDiv { x.checked_div(y) } else { x.checked_rem(y) };
                set!(check!(result.ok_or_else(|| Fault::new(FaultKind::DivZero))) as u64);
            }
            Op::UDiv | Op::URem => {
                let (x, y) = (a!(), b!());
                if y == 0 {
                    cx.fault = Fault::new(FaultKind::DivZero);
                    return End::Fault(pc);
                }
                set!(if op == Op::UDiv { x / y } else { x % y });
            }
            Op::And => set!(a!() & b!()),
            Op::Or => set!(a!() | b!()),
            Op::Xor => set!(a!() ^ b!()),
            Op::Shl => set!(a!() << (b!() & 63)),
            Op::Shr => set!(a!() >> (b!() & 63)),
            Op::Sar => set!(((a!() as i64) >> (b!() & 63)) as u64),
            Op::Not => set!(!a!()),
            Op::Neg => set!(a!().wrapping_neg()),
            Op::Sx8 => set!(extend(a!(), 1, true)),
            Op::Sx16 => set!(extend(a!(), 2, true)),
            Op::Sx32 => set!(extend(a!(), 4, true)),
            Op::Zx8 => set!(extend(a!(), 1, false)),
            Op::Zx16 => set!(extend(a!(), 2, false)),
            Op::Zx32 => set!(extend(a!(), 4, false)),
            Op::Eq => set!(u64::from(a!() == b!())),
            Op::Ne => set!(u64::from(a!() != b!())),
            Op::Slt => set!(u64::from((a!() as i64) < b!() as i64)),
            Op::Sle => set!(u64::from((a!() as i64) <= b!() as i64)),
            Op::Ult => set!(u64::from(a!() < b!())),
            Op::Ule => set!(u64::from(a!() <= b!())),
            Op::EqI => set!(u64::from(a!() == imm as i64 as u64)),
            Op::IsZero => set!(u64::from(a!() == 0)),
            Op::SCmp => {
                let x = check!(cx.state.memory.string_or_empty(cx.host, a!()));
                let y = check!(cx.state.memory.string_or_empty(cx.host, b!()));
                set!(x.cmp(y) as i64 as u64);
            }
            Op::Jmp => {
                pc = imm as usize;
                continue;
            }
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
            Op::Back => {
                if !check!(dx::again(cx)) {
                    return End::Abandoned;
                }
                pc = imm as usize;
                continue;
            }
            Op::LdS8 => load!(1, i8),
            Op::LdS16 => load!(2, i16),
            Op::LdS32 => load!(4, i32),
            Op::LdU8 => load!(1, u8),
            Op::LdU16 => load!(2, u16),
            Op::LdU32 => load!(4, u32),
            Op::Ld64 => load!(8, u64),
            Op::St8 => store!(1),
            Op::St16 => store!(2),
            Op::St32 => store!(4),
            Op::St64 => store!(8),
            Op::Copy => check!(copy(cx, a!(), b!(), imm as usize)),
            Op::CopyS => check!(copy_string(cx, a!(), b!(), imm as usize)),
            Op::LdG | Op::LdL => {
                set!(match cx.state.slots.get(imm as usize) {
                    Some(slot) if slot.size == 0 => slot.value,
                    Some(slot) if slot.present => slot.address,
                    _ => 0,
                });
            }
            Op::StG | Op::StL => check!(store_slot(cx, imm as usize, a!())),
            Op::LdAG | Op::LdAL => {
                let slot = cx.state.slots.get_mut(imm as usize);
                set!(slot.map_or(0, |slot| {
                    slot.present = true;
                    slot.address
                }));
            }
            Op::LdD => {
                check!(dyn_key(cx, imm as usize, range!()));
                set!(load_dyn(cx.state, imm as usize));
            }
            Op::StD => {
                check!(dyn_key(cx, imm as usize, range!()));
                check!(store_dyn(cx, imm as usize, regs[d as usize]));
            }
            Op::LdAD => {
                check!(dyn_key(cx, imm as usize, range!()));
                set!(address_dyn(cx.state, imm as usize));
            }
            Op::HasD => {
                check!(dyn_key(cx, imm as usize, range!()));
                set!(u64::from(cx.state.dynvars.find(&cx.state.memory.dynamic, &cx.state.key).is_some()));
            }
            Op::CountD => {
                check!(dyn_key_head(cx, imm as usize));
                set!(cx.state.dynvars.count(&cx.state.memory.dynamic, &cx.state.key));
            }
            Op::LdB => set!(builtin(cx, imm)),
            Op::LdArg => {
                set!(match cx.firing.error_args {
                    Some(args) => args.get(imm as usize).copied().unwrap_or(0),
                    None => cx.host.arg(imm as u32),
                });
            }
            Op::LdBA => {
                let element = u16::try_from(imm)
                    .ok()
                    .and_then(BuiltinVar::from_number)
                    .and_then(|var| cx.host.array(var, a!()));
                set!(check!(element.ok_or_else(|| Fault::address(a!()))));
            }
            Op::Call => {
                let number = u16::try_from(imm).ok().and_then(Subr::from_number);
                let subr = check!(number.ok_or_else(|| Fault::new(FaultKind::IllegalOp)));
                set!(check!(subr::call(subr, range!(), cx)));
            }
            Op::Act => {
                if !check!(action::perform(imm as usize, range!(), cx)) {
                    return End::Abandoned;
                }
            }
            Op::Agg => check!(aggregate(cx, imm as usize, range!())),
        }
        pc += 1;
    }
    End::At(pc)
}

#[inline]
fn builtin<H: Host>(cx: &mut Context<'_, H>, number: i32) -> u64 {
    let Some(var) = u16::try_from(number).ok().and_then(BuiltinVar::from_number) else { return 0 };
    match var {
        BuiltinVar::Cpu => u64::from(cx.firing.cpu),
        BuiltinVar::Id => u64::from(cx.firing.probe.0),
        BuiltinVar::Epid => u64::from(cx.firing.epid),
        _ => cx.host.builtin(cx.firing.probe, var),
    }
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

#[inline]
fn store_slot<H: Host>(cx: &mut Context<'_, H>, var: usize, value: u64) -> Result<(), Fault> {
    let Some(slot) = cx.state.slots.get_mut(var) else { return Ok(()) };
    if slot.size == 0 {
        slot.value = value;
        return Ok(());
    }
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
        let tid = match cx.firing.tid {
            Some(tid) => tid,
            None => {
                let tid = cx.host.thread_key(cx.firing.probe);
                cx.firing.tid = Some(tid);
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
        pack(cx.state, cx.host, cx.firing, &var.keys, keys, Into::Key)?;
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

#[inline]
fn store_dyn<H: Host>(cx: &mut Context<'_, H>, var: usize, value: u64) -> Result<(), Fault> {
    let state = &mut *cx.state;
    if value == 0 {
        state.dynvars.remove(&state.memory.dynamic, &state.key);
        return Ok(());
    }
    let Some(Some(kind)) = state.dyn_kinds.get(var) else { return Ok(()) };
    let (storage, string) = (kind.storage, kind.string);
    let handle = match state.dynvars.find(&state.memory.dynamic, &state.key) {
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

#[inline]
fn aggregate<H: Host>(cx: &mut Context<'_, H>, agg: usize, values: &[u64]) -> Result<(), Fault> {
    let Some(aggregation) = cx.program.aggs.get(agg) else { return Ok(()) };
    let fed = |keys: usize| {
        let value = values.get(keys).copied().unwrap_or(0) as i64;
        let increment = values.get(keys + 1).map_or(1, |&v| v as i64);
        (value, increment)
    };
    let mut remember = None;
    if let Some(table) = cx.state.aggs.get_mut(agg)
        && let Some(memo) = &table.memo
        && let Some(keys) = memo.keys(values, |address| cx.host.is_lasting(address))
    {
        if let Some(entry) = memo.find(&keys) {
            let (value, increment) = fed(aggregation.keys.len());
            table.update(entry, value, increment);
            return Ok(());
        }
        remember = Some(keys);
    }
    cx.state.key.clear();
    let keys = pack(cx.state, cx.host, cx.firing, &aggregation.keys, values, Into::Key)?;
    pad_key(&mut cx.state.key);
    let (value, increment) = fed(keys);
    let state = &mut *cx.state;
    let Some(table) = state.aggs.get_mut(agg) else { return Ok(()) };
    match table.entry(&state.key, &mut state.agg_room) {
        Some(entry) => {
            table.update(entry, value, increment);
            if let (Some(keys), Some(memo)) = (remember, &mut table.memo) {
                memo.note(keys, entry);
            }
        }
        None => state.drops.aggregation += 1,
    }
    Ok(())
}
