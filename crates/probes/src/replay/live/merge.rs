//! Which system calls a program cannot distinguish: a source may deliver equal ones as one record that says how many they are.
//!
//! This is so if all clauses on the calls only feed aggregations, with values that depend only on the thread, the call, its
//! arguments and its stacks. Such a clause runs once for the record, and feeds its aggregations as often as there were calls.

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::{Inst, Op};
use tracewell_dlang::program::{ActionKind, Clause, ProbeId, Program, Repr, StackPart};
use tracewell_types::call::Distinguished;

/// What a clause distinguishes; [`None`] if each call is an event to it.
pub(super) fn by(program: &Program, clause: &Clause) -> Option<Distinguished> {
    let only_feeds = clause.actions.iter().all(|action| matches!(action.kind, ActionKind::Expr));
    if clause.default_action || !only_feeds {
        return None;
    }
    let mut all = Distinguished::default();
    for inst in &clause.code {
        match inst.op {
            op if is_pure(op) => {}
            Op::LdArg => all.arguments = all.arguments.max(u8::try_from(inst.imm).ok()? + 1),
            Op::LdB => see(&mut all, BuiltinVar::from_number(u16::try_from(inst.imm).ok()?)?)?,
            Op::Agg => {
                let keys = &program.aggs.get(usize::try_from(inst.imm).ok()?)?.keys;
                for key in keys {
                    if let Repr::Stack { part, .. } = key {
                        all.kernel_stack |= *part != StackPart::User;
                        all.user_stack |= part.has_user();
                    }
                }
            }
            _ => return None,
        }
    }
    Some(all)
}

/// Returns `true` if a clause only counts: no argument, thread, processor, time or stack makes a difference to it.
fn distinguishes_nothing(program: &Program, clause: &Clause) -> bool {
    let of_thread = [BuiltinVar::Tid, BuiltinVar::Cpu].map(|var| i32::from(var as u16));
    let reads = |inst: &Inst| inst.op == Op::LdB && of_thread.contains(&inst.imm);
    by(program, clause) == Some(Distinguished::default()) && !clause.code.iter().any(reads)
}

/// Adds what a variable shows; [`None`] for one that differs from call to call.
fn see(all: &mut Distinguished, var: BuiltinVar) -> Option<()> {
    match var {
        // Those of the process change only when it runs another program.
        BuiltinVar::Cpu
        | BuiltinVar::Epid
        | BuiltinVar::Execname
        | BuiltinVar::Gid
        | BuiltinVar::Id
        | BuiltinVar::Pid
        | BuiltinVar::Ppid
        | BuiltinVar::Probefunc
        | BuiltinVar::Probemod
        | BuiltinVar::Probename
        | BuiltinVar::Probeprov
        | BuiltinVar::Tid
        | BuiltinVar::Uid => {}
        BuiltinVar::Errno => all.arguments = all.arguments.max(1),
        BuiltinVar::Caller | BuiltinVar::Stackdepth => all.kernel_stack = true,
        BuiltinVar::Ucaller | BuiltinVar::Ustackdepth => all.user_stack = true,
        _ => return None,
    }
    Some(())
}

/// Returns `true` if all clauses on some probes only count: how many hits there were is all that makes a difference to them.
pub fn only_counts(program: &Program, on: impl Fn(ProbeId) -> bool) -> bool {
    let mut clauses = program.clauses.iter().filter(|clause| clause.probes.iter().any(|id| on(*id)));
    clauses.all(|clause| distinguishes_nothing(program, clause))
}

/// Returns `true` for an operation that depends only on its operands, has no other effect than its result, and cannot fail.
fn is_pure(op: Op) -> bool {
    #[rustfmt::skip]
    let pure = matches!(
        op,
        Op::Ret | Op::Mov | Op::SetI | Op::SetX | Op::SetS
            | Op::Add | Op::AddI | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Shr | Op::Sar
            | Op::Not | Op::Neg | Op::Sx8 | Op::Sx16 | Op::Sx32 | Op::Zx8 | Op::Zx16 | Op::Zx32
            | Op::Eq | Op::Ne | Op::Slt | Op::Sle | Op::Ult | Op::Ule | Op::EqI | Op::IsZero | Op::SCmp
            | Op::Jmp | Op::Jz | Op::Jnz | Op::JEq | Op::JNe | Op::JSlt | Op::JSle | Op::JUlt | Op::JUle
            | Op::JEqI | Op::JNeI | Op::JSltI | Op::JSgeI | Op::JUltI | Op::JUgeI
    );
    pure
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_dlang::program::{Action, AggFunc, Aggregation};

    fn builtin(var: BuiltinVar) -> Inst {
        Inst { imm: i32::from(var as u16), ..Inst::new(Op::LdB) }
    }

    fn argument(number: i32) -> Inst {
        Inst { imm: number, ..Inst::new(Op::LdArg) }
    }

    #[test]
    fn issue_17_clauses_that_only_count_are_known() {
        let nothing = |code: &[Inst], keys: &[Repr]| {
            let (program, clause) = clause_of(code, keys);
            distinguishes_nothing(&program, &clause)
        };
        let stack = Repr::Stack { part: StackPart::User, frames: 5, strsize: 0 };
        for (code, keys, expected) in [
            (vec![], vec![], true),
            (vec![builtin(BuiltinVar::Probefunc), builtin(BuiltinVar::Pid)], vec![], true),
            (vec![builtin(BuiltinVar::Tid)], vec![], false),
            (vec![builtin(BuiltinVar::Cpu)], vec![], false),
            (vec![builtin(BuiltinVar::Timestamp)], vec![], false),
            (vec![builtin(BuiltinVar::Ucaller)], vec![], false),
            (vec![argument(0)], vec![], false),
            (vec![], vec![stack], false),
        ] {
            assert_eq!(nothing(&code, &keys), expected, "{code:?}");
        }
    }

    /// What a clause of this code distinguishes that feeds an aggregation with these keys.
    fn by(code: &[Inst], keys: &[Repr]) -> Option<Distinguished> {
        let (program, clause) = clause_of(code, keys);
        super::by(&program, &clause)
    }

    /// A clause of this code that feeds an aggregation with these keys.
    fn clause_of(code: &[Inst], keys: &[Repr]) -> (Program, Clause) {
        let aggregation = Aggregation {
            name: "a".into(),
            func: AggFunc::Count,
            keys: keys.to_vec(),
            signed: true,
            time: None,
        };
        let program = Program { aggs: vec![aggregation], ..Program::default() };
        let code = [code, &[Inst::new(Op::Agg), Inst::new(Op::Ret)]].concat();
        (program, Clause { code, ..Clause::default() })
    }

    #[test]
    fn issue_16_only_equal_calls_are_merged() {
        let none = Distinguished::default();
        let stack = |part| Repr::Stack { part, frames: 0, strsize: 0 };
        let kernel = Distinguished { kernel_stack: true, ..none };
        let user = Distinguished { user_stack: true, ..none };
        let args = |arguments| Distinguished { arguments, ..none };
        for (code, keys, expected) in [
            (&[][..], &[][..], Some(none)),
            (&[builtin(BuiltinVar::Execname), Inst::new(Op::SCmp)], &[Repr::Str], Some(none)),
            (&[argument(0), argument(2), Inst::new(Op::Add)], &[], Some(args(3))),
            (&[builtin(BuiltinVar::Errno)], &[], Some(args(1))),
            (&[builtin(BuiltinVar::Stackdepth)], &[], Some(kernel)),
            (&[builtin(BuiltinVar::Ucaller)], &[], Some(user)),
            (&[], &[stack(StackPart::Kernel)], Some(kernel)),
            (&[], &[stack(StackPart::User)], Some(user)),
            (&[], &[stack(StackPart::Whole)], Some(kernel.and(user))),
            // What differs from call to call, what may fail, and what has an effect.
            (&[builtin(BuiltinVar::Timestamp)], &[], None),
            (&[builtin(BuiltinVar::Vtimestamp)], &[], None),
            (&[builtin(BuiltinVar::Threadname)], &[], None),
            (&[Inst::new(Op::SDiv)], &[], None),
            (&[argument(0), Inst::new(Op::Ld64)], &[], None),
            (&[Inst::new(Op::Call)], &[], None),
            (&[Inst::new(Op::StL)], &[], None),
            (&[Inst::new(Op::LdG)], &[], None),
            (&[Inst::new(Op::Act)], &[], None),
        ] {
            assert_eq!(by(code, keys), expected, "{code:?} {keys:?}");
        }
        let clause = Clause { default_action: true, code: vec![Inst::new(Op::Ret)], ..Clause::default() };
        assert_eq!(super::by(&Program::default(), &clause), None);
        let exits = Action { kind: ActionKind::Exit, args: Vec::new(), number: 1, line: 1 };
        let clause = Clause { actions: vec![exits], code: vec![Inst::new(Op::Ret)], ..Clause::default() };
        assert_eq!(super::by(&Program::default(), &clause), None);
    }
}
