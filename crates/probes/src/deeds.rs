//! What the kernel does to a process at a hit: the clauses whose conditions and values it can calculate, as steps.
//!
//! A clause becomes steps only if nothing in it before its last deed can fail, or depends on what the kernel does not have: variables,
//! names, and memory. Other clauses act when the reader runs them. A deed has the number that it has among all of the program.

use std::collections::BTreeMap;

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::{Inst, Op, Operand};
use tracewell_dlang::program::{Action, ActionKind, Clause, ProbeId, Program, Repr};
use tracewell_types::deed::{Calculation, Comparison, MOST, MOST_STEPS, Origin, SLOTS, Step, Steps};
use tracewell_types::hit::{ARGUMENTS, REGISTERS};

/// The deeds of the clauses on a probe, in their order; none if the kernel cannot do any of them. `stop` is the signal that stops a
/// process.
#[must_use]
pub fn of_probe(program: &Program, probe: ProbeId, stop: u8) -> Vec<Steps> {
    let mut first = 0_u32;
    let mut all: Vec<Steps> = Vec::new();
    let mut any = false;
    for clause in &program.clauses {
        let count = clause.actions.iter().filter(|action| action.kind.is_deed()).count() as u32;
        let exits = |action: &Action| matches!(action.kind, ActionKind::Exit);
        let acts = count > 0 || clause.actions.iter().any(exits);
        if acts && clause.probes.contains(&probe) && first + count <= u32::from(MOST) {
            let steps = Translation::new(program, clause, (first as u8, stop)).steps();
            any |= count > 0 && steps.is_some();
            all.extend(steps);
        }
        first = first.saturating_add(count);
    }
    let size: usize = all.iter().map(Vec::len).sum();
    if any && size <= MOST_STEPS { all } else { Vec::new() }
}

/// What is known about a value; nothing is kept of numbers that the kernel does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// Something that the kernel does not have, but that can be used without a failure.
    Unknown,
    /// A number in a slot; the number itself, if it is a constant.
    Number(u8, Option<u64>),
}

/// What is known at an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    registers: BTreeMap<u8, Value>,
}

impl State {
    /// What is known whichever way the clause has come.
    fn or(mut self, other: &State) -> State {
        self.registers.retain(|register, _| other.registers.contains_key(register));
        for (register, value) in &mut self.registers {
            let Some(theirs) = other.registers.get(register).filter(|theirs| *theirs != value) else {
                continue;
            };
            *value = match (*value, *theirs) {
                (Value::Number(slot, _), Value::Number(same, _)) if slot == same => Value::Number(slot, None),
                _ => Value::Unknown,
            };
        }
        self
    }
}

struct Translation<'p> {
    program: &'p Program,
    clause: &'p Clause,
    /// The number of the first deed, and the signal of `stop()`.
    deeds: (u8, u8),
    steps: Steps,
    /// The instruction that a jump goes to, by its step.
    jumps: Vec<(usize, usize)>,
    /// What is known where jumps go to.
    ahead: BTreeMap<usize, State>,
    /// [`None`] after an instruction that goes on elsewhere.
    state: Option<State>,
}

impl<'p> Translation<'p> {
    fn new(program: &'p Program, clause: &'p Clause, deeds: (u8, u8)) -> Translation<'p> {
        Translation {
            program,
            clause,
            deeds,
            steps: Vec::new(),
            jumps: Vec::new(),
            ahead: BTreeMap::new(),
            state: Some(State::default()),
        }
    }

    fn action(&self, inst: &Inst) -> Option<&'p Action> {
        self.clause.actions.get(usize::try_from(inst.imm).ok().filter(|_| inst.op == Op::Act)?)
    }

    /// The steps of the clause; [`None`] if the kernel cannot do its deeds.
    fn steps(mut self) -> Option<Steps> {
        let acts = |inst: &Inst| {
            self.action(inst)
                .is_some_and(|action| action.kind.is_deed() || matches!(action.kind, ActionKind::Exit))
        };
        let last = self.clause.code.iter().rposition(acts)?;
        let mut starts = Vec::new();
        for (number, inst) in self.clause.code.get(..=last)?.iter().enumerate() {
            if let Some(ahead) = self.ahead.remove(&number) {
                self.state = Some(match self.state.take() {
                    Some(state) => state.or(&ahead),
                    None => ahead,
                });
            }
            starts.push(self.steps.len());
            if let Some(mut state) = self.state.take() {
                self.state = if self.follow(inst, &mut state)? { Some(state) } else { None };
            }
        }
        let end = self.steps.len();
        for (step, target) in self.jumps {
            let to = starts.get(target).copied().unwrap_or(end);
            match self.steps.get_mut(step)? {
                Step::Jump(place) | Step::JumpIf(.., place) => *place = to,
                _ => {}
            }
        }
        Some(self.steps)
    }

    fn slot(register: u8) -> Option<u8> {
        // The last two are for constants of comparisons and calculations.
        (register < SLOTS - 2).then_some(register)
    }

    fn number(state: &State, register: u8) -> Option<(u8, Option<u64>)> {
        match state.registers.get(&register)? {
            Value::Number(slot, number) => Some((*slot, *number)),
            Value::Unknown => None,
        }
    }

    /// Sets a register to a number that comes from somewhere.
    fn set(&mut self, state: &mut State, register: u8, from: Origin) -> Option<()> {
        let slot = Self::slot(register)?;
        self.steps.push(Step::Set(slot, from));
        let number = if let Origin::Number(number) = from { Some(number) } else { None };
        state.registers.insert(register, Value::Number(slot, number));
        Some(())
    }

    /// Another constant than those of the program.
    fn constant(&mut self, place: u8, number: i64) -> u8 {
        let slot = SLOTS - 1 - place;
        self.steps.push(Step::Set(slot, Origin::Number(number.cast_unsigned())));
        slot
    }

    fn jump(&mut self, state: &State, target: i32, step: Step) -> Option<()> {
        let target = usize::try_from(target).ok()?;
        self.jumps.push((self.steps.len(), target));
        self.steps.push(step);
        let known = match self.ahead.remove(&target) {
            Some(known) => known.or(state),
            None => state.clone(),
        };
        self.ahead.insert(target, known);
        Some(())
    }

    /// Follows an instruction; returns `false` if the next one does not come after it, and [`None`] if the kernel cannot do this.
    fn follow(&mut self, inst: &Inst, state: &mut State) -> Option<bool> {
        match inst.op {
            Op::Ret => {
                self.jumps.push((self.steps.len(), usize::MAX));
                self.steps.push(Step::Jump(0));
                return Some(false);
            }
            Op::Mov => match state.registers.get(&inst.a).copied() {
                Some(value) => self.keep(state, inst.d, value)?,
                None => state.registers.remove(&inst.d).map_or((), |_| ()),
            },
            Op::SetI => self.set(state, inst.d, Origin::Number(i64::from(inst.imm).cast_unsigned()))?,
            Op::SetX => {
                let number = *self.program.consts.get(usize::try_from(inst.imm).ok()?)?;
                self.set(state, inst.d, Origin::Number(number))?;
            }
            Op::LdArg => {
                let argument = u8::try_from(inst.imm).ok().filter(|n| usize::from(*n) < ARGUMENTS)?;
                self.set(state, inst.d, Origin::Argument(argument))?;
            }
            Op::LdBA => {
                let (_, index) = Self::number(state, inst.a)?;
                let index = u8::try_from(index?).ok().filter(|index| usize::from(*index) < REGISTERS)?;
                if inst.imm != i32::from(BuiltinVar::Uregs as u16) {
                    return None;
                }
                self.set(state, inst.d, Origin::Register(index))?;
            }
            Op::LdB => match BuiltinVar::from_number(u16::try_from(inst.imm).ok()?)? {
                BuiltinVar::Pid => self.set(state, inst.d, Origin::Process)?,
                BuiltinVar::Tid => self.set(state, inst.d, Origin::Thread)?,
                _ => self.unknown(state, inst),
            },
            Op::Jmp => {
                self.jump(state, inst.imm, Step::Jump(0))?;
                return Some(false);
            }
            Op::StG | Op::StL => {
                let repr = &self.program.vars.get(usize::try_from(inst.imm).ok()?)?.repr;
                Self::are_usable(state, &Inst { b: 1, ..*inst }, std::slice::from_ref(repr))?;
            }
            Op::LdG | Op::LdL | Op::SetS | Op::CountD => self.unknown(state, inst),
            Op::Act => return self.act(state, inst),
            Op::Agg => {
                let keys = &self.program.aggs.get(usize::try_from(inst.imm).ok()?)?.keys;
                Self::are_usable(state, inst, keys)?;
            }
            Op::LdD | Op::StD | Op::HasD => {
                let variable = self.program.vars.get(usize::try_from(inst.imm).ok()?)?;
                Self::are_usable(state, inst, &variable.keys)?;
                if inst.op == Op::StD {
                    let value = Inst { a: inst.d, b: 1, ..*inst };
                    Self::are_usable(state, &value, std::slice::from_ref(&variable.repr))?;
                } else {
                    self.unknown(state, inst);
                }
            }
            _ => self.calculate(state, inst)?,
        }
        Some(true)
    }

    fn unknown(&mut self, state: &mut State, inst: &Inst) {
        state.registers.insert(inst.d, Value::Unknown);
    }

    /// Sets a register to a value that another one has.
    fn keep(&mut self, state: &mut State, register: u8, value: Value) -> Option<()> {
        let value = match value {
            Value::Number(from, number) => {
                let slot = Self::slot(register)?;
                if slot != from {
                    let zero = self.constant(0, 0);
                    self.steps.push(Step::Calculate(slot, Calculation::Add, from, zero));
                }
                Value::Number(slot, number)
            }
            Value::Unknown => Value::Unknown,
        };
        state.registers.insert(register, value);
        Some(())
    }

    /// Fails if using the registers of an instruction reads memory that may not be there.
    fn are_usable(state: &State, inst: &Inst, reprs: &[Repr]) -> Option<()> {
        // Stacks take no register.
        let reprs: Vec<&Repr> = reprs.iter().filter(|repr| !matches!(repr, Repr::Stack { .. })).collect();
        for number in 0..inst.b {
            let is_number =
                matches!(reprs.get(usize::from(number)), Some(Repr::Int { .. } | Repr::Symbol(_)));
            let value = state.registers.get(&inst.a.wrapping_add(number));
            if !is_number && matches!(value, Some(Value::Number(..)) | None) {
                // A value of an aggregation is a number, and comes after its keys.
                let is_key = usize::from(number) < reprs.len();
                if is_key {
                    return None;
                }
            }
        }
        Some(())
    }

    fn act(&mut self, state: &mut State, inst: &Inst) -> Option<bool> {
        let action = self.action(inst)?;
        let index = usize::try_from(inst.imm).ok()?;
        let before = self.clause.actions.get(..index)?.iter().filter(|action| action.kind.is_deed()).count();
        let deed = self.deeds.0.checked_add(u8::try_from(before).ok()?)?;
        let number = |at: u8| Self::number(state, inst.a.wrapping_add(at));
        match &action.kind {
            ActionKind::Stop => {
                let signal = self.constant(0, self.deeds.1.into());
                self.steps.push(Step::Raise(deed, signal));
            }
            ActionKind::Raise => {
                let (signal, _) = number(0)?;
                self.steps.push(Step::Raise(deed, signal));
            }
            ActionKind::Exit => {
                self.steps.push(Step::Exit);
                return Some(false);
            }
            ActionKind::Chill
            | ActionKind::Copyout
            | ActionKind::Copyoutstr
            | ActionKind::Tracemem { .. } => return None,
            _ => Self::are_usable(state, inst, &action.args)?,
        }
        Some(true)
    }

    /// Calculations, comparisons and jumps.
    fn calculate(&mut self, state: &mut State, inst: &Inst) -> Option<()> {
        use Calculation as C;
        use Comparison::{Below, BelowOrEqual, Equal, Less, LessOrEqual, NotEqual};
        let operands = inst.op.operands();
        let (a, b) = (Self::number(state, inst.a), Self::number(state, inst.b));
        let number = match inst.op {
            Op::Jz | Op::Jnz | Op::IsZero => Some(0),
            Op::EqI | Op::AddI => Some(i64::from(inst.imm)),
            _ if operands.contains(&Operand::Short) => Some(i64::from(inst.short())),
            _ => None,
        };
        let calculation = match inst.op {
            Op::Add | Op::AddI => Some(C::Add),
            Op::Sub => Some(C::Subtract),
            Op::Mul => Some(C::Multiply),
            Op::And => Some(C::And),
            Op::Or => Some(C::Or),
            Op::Xor => Some(C::Xor),
            Op::Shl => Some(C::ShiftLeft),
            Op::Shr => Some(C::ShiftRight),
            Op::Sar => Some(C::ShiftRightSigned),
            _ => None,
        };
        // Whether the operands change places, and the comparison.
        let comparison = match inst.op {
            Op::Jz | Op::IsZero | Op::EqI | Op::Eq | Op::JEq | Op::JEqI => Some((false, Equal)),
            Op::Jnz | Op::Ne | Op::JNe | Op::JNeI => Some((false, NotEqual)),
            Op::Slt | Op::JSlt | Op::JSltI => Some((false, Less)),
            Op::Sle | Op::JSle => Some((false, LessOrEqual)),
            Op::Ult | Op::JUlt | Op::JUltI => Some((false, Below)),
            Op::Ule | Op::JUle => Some((false, BelowOrEqual)),
            Op::JSgeI => Some((true, LessOrEqual)),
            Op::JUgeI => Some((true, BelowOrEqual)),
            _ => None,
        };
        if calculation.is_none() && comparison.is_none() {
            let alters = matches!(
                inst.op,
                Op::Sx8 | Op::Sx16 | Op::Sx32 | Op::Zx8 | Op::Zx16 | Op::Zx32 | Op::Not | Op::Neg
            );
            return match a {
                Some(number) => self.alter(state, inst, number),
                None if alters => {
                    state.registers.remove(&inst.d);
                    Some(())
                }
                None => None,
            };
        }
        let jumps = operands.contains(&Operand::Target);
        let knows_both = a.is_some() && (number.is_some() || b.is_some());
        if !knows_both {
            // What is calculated with an address may be one that cannot be read.
            if jumps {
                return None;
            }
            // It may be no address any more.
            state.registers.remove(&inst.d);
            return Some(());
        }
        let first = a?.0;
        let second = match number {
            Some(number) => self.constant(0, number),
            None => b?.0,
        };
        if let Some(calculation) = calculation {
            let slot = Self::slot(inst.d)?;
            self.steps.push(Step::Calculate(slot, calculation, first, second));
            state.registers.insert(inst.d, Value::Number(slot, None));
            return Some(());
        }
        let (swaps, comparison) = comparison?;
        let (first, second) = if swaps { (second, first) } else { (first, second) };
        if jumps {
            return self.jump(state, inst.imm, Step::JumpIf(comparison, first, second, 0));
        }
        // The slot of the result may be that of an operand.
        let (slot, result) = (Self::slot(inst.d)?, SLOTS - 2);
        let here = self.steps.len();
        self.steps.push(Step::Set(result, Origin::Number(1)));
        self.steps.push(Step::JumpIf(comparison, first, second, here + 3));
        self.steps.push(Step::Set(result, Origin::Number(0)));
        let zero = self.constant(0, 0);
        self.steps.push(Step::Calculate(slot, Calculation::Add, result, zero));
        state.registers.insert(inst.d, Value::Number(slot, None));
        Some(())
    }

    /// Operations with one number.
    fn alter(&mut self, state: &mut State, inst: &Inst, (from, _): (u8, Option<u64>)) -> Option<()> {
        let slot = Self::slot(inst.d)?;
        let extend = |bits, signed| Step::Extend(slot, from, bits, signed);
        let step = match inst.op {
            Op::Sx8 => extend(8, true),
            Op::Sx16 => extend(16, true),
            Op::Sx32 => extend(32, true),
            Op::Zx8 => extend(8, false),
            Op::Zx16 => extend(16, false),
            Op::Zx32 => extend(32, false),
            Op::Not => Step::Calculate(slot, Calculation::Xor, from, self.constant(0, -1)),
            Op::Neg => Step::Calculate(slot, Calculation::Subtract, self.constant(0, 0), from),
            _ => return None,
        };
        self.steps.push(step);
        state.registers.insert(inst.d, Value::Number(slot, None));
        Some(())
    }
}
