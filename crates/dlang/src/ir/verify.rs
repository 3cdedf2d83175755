//! Checks that a program keeps the rules that an engine relies on.
//!
//! Registers lie below the clause's count and are set on every path before they are read; jumps go
//! forward to an instruction of the clause, or backward with a count of rounds; numbers of tables, built-ins and actions exist; the last
//! instruction is `ret`.

use super::{Op, Operand};
use crate::builtins::{BuiltinVar, Subr};
use crate::logged::{LoggedEvent, LoggedValue};
use crate::program::{ActionKind, Clause, Program};
use std::fmt;

/// An error in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The clause, from 0.
    pub clause: usize,
    /// The instruction, from 0; [`None`] when the clause as a whole is at fault.
    pub inst: Option<usize>,
    /// The error.
    pub kind: VerifyErrorKind,
}

/// Kinds of [`VerifyError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyErrorKind {
    /// There is no code, or it does not end with `ret`.
    NoRet,
    /// More code than an instruction number can name.
    TooLong,
    /// The predicate reaches past the code.
    Predicate,
    /// A register at or above the clause's count.
    Register(u16),
    /// A register that some path reads before it is set.
    Unset(u16),
    /// A jump that does not go forward, or leaves the clause.
    Jump,
    /// A table has no entry of this number.
    Index(Operand),
    /// An action names a format or an aggregation that does not exist.
    Action,
    /// More actions than a record can number.
    Actions,
    /// A size is negative.
    Size,
    /// The rounds of loops are allowed anew within the clause.
    Rounds,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clause {}", self.clause)?;
        if let Some(inst) = self.inst {
            write!(f, ", instruction {inst}")?;
        }
        match self.kind {
            VerifyErrorKind::NoRet => write!(f, ": the code does not end with ret"),
            VerifyErrorKind::TooLong => write!(f, ": the code is too long"),
            VerifyErrorKind::Predicate => write!(f, ": the predicate reaches past the code"),
            VerifyErrorKind::Register(r) => write!(f, ": register r{r} is not one of the clause's"),
            VerifyErrorKind::Unset(r) => write!(f, ": register r{r} may be read before it is set"),
            VerifyErrorKind::Jump => write!(f, ": the jump does not go forward in the clause"),
            VerifyErrorKind::Index(what) => write!(f, ": {what:?} has no such number"),
            VerifyErrorKind::Action => write!(f, ": an action names what does not exist"),
            VerifyErrorKind::Actions => write!(f, ": too many actions"),
            VerifyErrorKind::Rounds => write!(f, ": rounds may be allowed at the start only"),
            VerifyErrorKind::Size => write!(f, ": a size is negative"),
        }
    }
}

impl std::error::Error for VerifyError {}

/// A set of registers.
type Set = [u64; 4];

fn has(set: &Set, r: usize) -> bool {
    (set[(r / 64) & 3] >> (r % 64)) & 1 != 0
}

/// Checks a whole program.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    program.clauses.iter().enumerate().try_for_each(|(number, clause)| {
        verify_clause(program, clause).map_err(|(inst, kind)| VerifyError { clause: number, inst, kind })
    })
}

type Fault = (Option<usize>, VerifyErrorKind);

/// Checks what holds for a clause as a whole.
fn verify_outline(program: &Program, clause: &Clause) -> Result<(), Fault> {
    let code = &clause.code;
    if code.last().is_none_or(|i| i.op != Op::Ret) {
        return Err((None, VerifyErrorKind::NoRet));
    }
    if i32::try_from(code.len()).is_err() {
        return Err((None, VerifyErrorKind::TooLong));
    }
    if clause.predicate_end as usize >= code.len() {
        return Err((None, VerifyErrorKind::Predicate));
    }
    if u16::try_from(clause.actions.len()).is_err() {
        return Err((None, VerifyErrorKind::Actions));
    }
    for action in &clause.actions {
        if let ActionKind::EtwTrace(event) = action.kind {
            let event = program.events.get(event as usize);
            let valued = |event: &LoggedEvent| {
                event.fields.iter().filter(|field| field.ty.value != LoggedValue::Structure).count()
            };
            if event.is_none_or(|event| action.args.len() != 2 + valued(event)) {
                return Err((None, VerifyErrorKind::Action));
            }
        }
        let (format, aggs): (Option<u32>, &[u32]) = match &action.kind {
            ActionKind::Printf(f) | ActionKind::System(f) | ActionKind::Freopen(f) => (Some(*f), &[]),
            ActionKind::Printa { format, aggs } => (*format, aggs),
            ActionKind::Clear(a)
            | ActionKind::Trunc(a)
            | ActionKind::Normalize(a)
            | ActionKind::Denormalize(a) => (None, std::slice::from_ref(a)),
            _ => (None, &[]),
        };
        if format.is_some_and(|f| f as usize >= program.formats.len())
            || aggs.iter().any(|a| *a as usize >= program.aggs.len())
        {
            return Err((None, VerifyErrorKind::Action));
        }
    }
    Ok(())
}

/// The number of things that an operand is an index of, where it is one.
fn count_of(operand: Operand, program: &Program, clause: &Clause) -> Option<usize> {
    Some(match operand {
        Operand::Const => program.consts.len(),
        Operand::Data => program.rodata.len(),
        Operand::GlobalVar | Operand::LocalVar | Operand::DynVar => program.vars.len(),
        Operand::Builtin => BuiltinVar::ALL.len(),
        Operand::Subr => Subr::ALL.len(),
        Operand::Action => clause.actions.len(),
        Operand::Agg => program.aggs.len(),
        Operand::D
        | Operand::A
        | Operand::B
        | Operand::Range
        | Operand::Imm
        | Operand::Short
        | Operand::Target
        | Operand::Back => return None,
    })
}

/// Notes that a path reaches an instruction with these registers set.
fn flow(at: &mut [Option<Set>], to: usize, set: Set) {
    if let Some(slot) = at.get_mut(to) {
        *slot = Some(match *slot {
            None => set,
            Some(other) => std::array::from_fn(|k| other[k] & set[k]),
        });
    }
}

fn verify_clause(program: &Program, clause: &Clause) -> Result<(), Fault> {
    verify_outline(program, clause)?;
    let code = &clause.code;
    // The registers that are certainly set when an instruction is reached: the intersection over
    // all paths to it. Jumps go forward, so one pass in order sees every path before the
    // instruction itself.
    let mut at: Vec<Option<Set>> = vec![None; code.len()];
    at[0] = Some([0; 4]);
    for (i, inst) in code.iter().enumerate() {
        let fail = |kind| Err((Some(i), kind));
        let Some(mut set) = at[i] else { continue };
        let register = |r: usize| {
            if r >= usize::from(clause.registers) || r > 255 {
                Err((Some(i), VerifyErrorKind::Register(r as u16)))
            } else {
                Ok(())
            }
        };
        let read = |set: &Set, r: usize| {
            register(r)?;
            if has(set, r) { Ok(()) } else { Err((Some(i), VerifyErrorKind::Unset(r as u16))) }
        };
        let mut written = None;
        let mut target = None;
        // A loop must not come by its allowance again.
        if inst.op == Op::Rounds && i != 0 {
            return fail(VerifyErrorKind::Rounds);
        }
        for &operand in inst.op.operands() {
            if let Some(count) = count_of(operand, program, clause)
                && !usize::try_from(inst.imm).is_ok_and(|n| n < count)
            {
                return fail(VerifyErrorKind::Index(operand));
            }
            match operand {
                Operand::D if inst.op == Op::StD => read(&set, usize::from(inst.d))?,
                Operand::D => {
                    register(usize::from(inst.d))?;
                    written = Some(usize::from(inst.d));
                }
                Operand::A => read(&set, usize::from(inst.a))?,
                Operand::B => read(&set, usize::from(inst.b))?,
                Operand::Range => {
                    for r in usize::from(inst.a)..usize::from(inst.a) + usize::from(inst.b) {
                        read(&set, r)?;
                    }
                }
                Operand::Imm => {
                    if matches!(inst.op, Op::Copy | Op::CopyS | Op::LdArg) && inst.imm < 0 {
                        return fail(VerifyErrorKind::Size);
                    }
                }
                Operand::Target => {
                    let to = usize::try_from(inst.imm).unwrap_or(0);
                    if to <= i || to >= code.len() {
                        return fail(VerifyErrorKind::Jump);
                    }
                    target = Some(to);
                }
                Operand::Back => {
                    let to = usize::try_from(inst.imm).unwrap_or(usize::MAX);
                    // Whatever a round takes to be set must be set when it begins again.
                    let Some(Some(assumed)) = at.get(to).filter(|_| to > 0 && to <= i) else {
                        return fail(VerifyErrorKind::Jump);
                    };
                    if let Some(r) = (0..256).find(|&r| has(assumed, r) && !has(&set, r)) {
                        return fail(VerifyErrorKind::Unset(r as u16));
                    }
                }
                Operand::Short
                | Operand::Const
                | Operand::Data
                | Operand::GlobalVar
                | Operand::LocalVar
                | Operand::DynVar
                | Operand::Builtin
                | Operand::Subr
                | Operand::Action
                | Operand::Agg => {}
            }
        }
        if let Some(r) = written {
            set[(r / 64) & 3] |= 1 << (r % 64);
        }
        if let Some(to) = target {
            flow(&mut at, to, set);
        }
        if !matches!(inst.op, Op::Ret | Op::Jmp | Op::Back) {
            flow(&mut at, i + 1, set);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Inst;

    fn check(code: Vec<Inst>) -> Result<(), VerifyErrorKind> {
        let clause = Clause { code, registers: 4, ..Clause::default() };
        verify(&Program { clauses: vec![clause], consts: vec![7], ..Program::default() }).map_err(|e| e.kind)
    }

    fn inst(op: Op, d: u8, a: u8, b: u8, imm: i32) -> Inst {
        Inst { op, d, a, b, imm }
    }

    const RET: Inst = Inst::new(Op::Ret);

    #[test]
    fn rules() {
        let seti = |d| inst(Op::SetI, d, 0, 0, 1);
        for (code, want) in [
            (vec![RET], Ok(())),
            (vec![], Err(VerifyErrorKind::NoRet)),
            (vec![seti(0)], Err(VerifyErrorKind::NoRet)),
            (vec![seti(4), RET], Err(VerifyErrorKind::Register(4))),
            (vec![inst(Op::Mov, 1, 0, 0, 0), RET], Err(VerifyErrorKind::Unset(0))),
            (
                vec![seti(0), inst(Op::Jz, 0, 0, 0, 3), seti(1), inst(Op::Mov, 2, 1, 0, 0), RET],
                Err(VerifyErrorKind::Unset(1)),
            ),
            (vec![seti(0), inst(Op::Jz, 0, 0, 0, 4), seti(1), inst(Op::Mov, 2, 1, 0, 0), RET], Ok(())),
            (vec![inst(Op::Jmp, 0, 0, 0, 0), RET], Err(VerifyErrorKind::Jump)),
            (vec![inst(Op::Jmp, 0, 0, 0, 2), RET], Err(VerifyErrorKind::Jump)),
            (vec![inst(Op::SetX, 0, 0, 0, 0), RET], Ok(())),
            (vec![inst(Op::SetX, 0, 0, 0, 1), RET], Err(VerifyErrorKind::Index(Operand::Const))),
            (vec![inst(Op::LdB, 0, 0, 0, 9999), RET], Err(VerifyErrorKind::Index(Operand::Builtin))),
            (vec![inst(Op::Act, 0, 0, 0, 0), RET], Err(VerifyErrorKind::Index(Operand::Action))),
            (vec![seti(0), inst(Op::Call, 1, 0, 2, 0), RET], Err(VerifyErrorKind::Unset(1))),
            (vec![inst(Op::Rounds, 0, 0, 0, 0), seti(0), inst(Op::Back, 0, 0, 0, 1), RET], Ok(())),
            (vec![seti(0), inst(Op::Back, 0, 0, 0, 0), RET], Err(VerifyErrorKind::Jump)),
            (vec![seti(0), inst(Op::Back, 0, 0, 0, 2), RET], Err(VerifyErrorKind::Jump)),
            (vec![seti(0), inst(Op::Rounds, 0, 0, 0, 0), RET], Err(VerifyErrorKind::Rounds)),
            (
                // A register set in the first iteration may be unset in a later one, because the jump over the
                // assignment leads into the loop.
                vec![
                    seti(0),
                    inst(Op::Jz, 0, 0, 0, 4),
                    seti(1),
                    inst(Op::Mov, 2, 1, 0, 0),
                    seti(3),
                    inst(Op::Back, 0, 0, 0, 3),
                    RET,
                ],
                Err(VerifyErrorKind::Unset(1)),
            ),
            (vec![inst(Op::Agg, 0, 250, 200, 0), RET], Err(VerifyErrorKind::Index(Operand::Agg))),
        ] {
            assert_eq!(check(code.clone()), want, "{code:?}");
        }
    }
}
