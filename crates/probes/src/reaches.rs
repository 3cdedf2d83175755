//! What memory of a process the clauses on functions read beyond that which arguments point to: it has to be read when the
//! function is called, by the steps that lead there.

use std::collections::BTreeSet;

use tracewell_dlang::ir::{Inst, Op, Operand};
use tracewell_dlang::program::{Clause, Repr};
use tracewell_types::hit::{ARGUMENTS, PIECE};
use tracewell_types::operand::Reach;

/// Maximum number of pieces of memory.
const MOST: usize = 16;
/// Maximum number of pointers that lead to a piece.
const DEEPEST: usize = 6;

/// The memory that clauses read, at most [`MOST`] pieces of it.
pub(crate) fn of_clauses<'c>(clauses: impl Iterator<Item = &'c Clause>) -> Vec<Reach> {
    let mut found = BTreeSet::new();
    for clause in clauses {
        let mut reader = Reader::default();
        for inst in &clause.code {
            reader.follow(inst, clause);
        }
        found.append(&mut reader.found);
    }
    let mut pieces: Vec<Reach> = Vec::new();
    for (argument, steps, last) in found {
        // Pieces are in order, so the one before may hold this one.
        let held = pieces.last().is_some_and(|piece| {
            (piece.argument, &piece.steps) == (argument, &steps) && last - piece.last < PIECE as i64 / 2
        });
        // What arguments point to is read anyway.
        if !held
            && pieces.len() < MOST
            && !(argument < 6 && steps.is_empty() && (0..PIECE as i64 / 2).contains(&last))
        {
            pieces.push(Reach { argument, steps, last });
        }
    }
    pieces
}

/// Returns `true` if a clause reads what an argument points to, other than through `copyin` and its like.
pub(crate) fn reads_arguments(clause: &Clause) -> bool {
    let mut reader = Reader::default();
    for inst in &clause.code {
        reader.follow(inst, clause);
    }
    !reader.found.is_empty()
}

/// The arguments whose memory a clause reads: bit 0 for the first.
pub(crate) fn arguments_read(clause: &Clause) -> u8 {
    let mut reader = Reader::default();
    clause.code.iter().for_each(|inst| reader.follow(inst, clause));
    bits(reader.found.into_iter().map(|(argument, ..)| argument))
}

/// The arguments that a clause keeps in variables: bit 0 for the first.
pub(crate) fn arguments_kept(clause: &Clause) -> u8 {
    let mut reader = Reader::default();
    let mut kept = 0;
    for inst in &clause.code {
        let value = match inst.op {
            Op::StG => Some(inst.a),
            Op::StD => Some(inst.d),
            _ => None,
        };
        let path = value.and_then(|register| reader.path(register)).filter(|(_, steps, _)| steps.is_empty());
        kept |= bits(path.map(|(argument, ..)| *argument).into_iter());
        reader.follow(inst, clause);
    }
    kept
}

fn bits(arguments: impl Iterator<Item = u8>) -> u8 {
    arguments.filter(|argument| *argument < 6).fold(0, |all, argument| all | 1 << argument)
}

/// An address: the argument that it begins with, the distances at which pointers are read, and the distance from the last.
type Path = (u8, Vec<i64>, i64);

/// The addresses in registers and variables, as far as they come from arguments. Jumps are not followed: code that does not run
/// only makes more memory known.
struct Reader {
    registers: Vec<Option<Path>>,
    locals: Vec<(i32, Option<Path>)>,
    found: BTreeSet<Path>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader { registers: vec![None; 256], locals: Vec::new(), found: BTreeSet::new() }
    }
}

impl Reader {
    fn path(&self, register: u8) -> Option<&Path> {
        self.registers.get(usize::from(register))?.as_ref()
    }

    fn set(&mut self, register: u8, path: Option<Path>) {
        if let Some(place) = self.registers.get_mut(usize::from(register)) {
            *place = path;
        }
    }

    fn reads(&mut self, register: u8) {
        if let Some(path) = self.path(register).cloned() {
            self.found.insert(path);
        }
    }

    fn follow(&mut self, inst: &Inst, clause: &Clause) {
        match inst.op {
            Op::LdArg => {
                let argument = u8::try_from(inst.imm).ok().filter(|n| usize::from(*n) < ARGUMENTS);
                self.set(inst.d, argument.map(|argument| (argument, Vec::new(), 0)));
            }
            Op::Mov => self.set(inst.d, self.path(inst.a).cloned()),
            Op::AddI => {
                let moved = self.path(inst.a).cloned().and_then(|(argument, steps, last)| {
                    Some((argument, steps, last.checked_add(i64::from(inst.imm))?))
                });
                self.set(inst.d, moved);
            }
            Op::Ld64 => {
                self.reads(inst.a);
                let behind = self.path(inst.a).cloned().and_then(|(argument, mut steps, last)| {
                    steps.push(last);
                    (steps.len() <= DEEPEST).then_some((argument, steps, 0))
                });
                self.set(inst.d, behind);
            }
            Op::StL => {
                let path = self.path(inst.a).cloned();
                self.locals.retain(|(known, _)| *known != inst.imm);
                self.locals.push((inst.imm, path));
            }
            Op::LdL => {
                let known = self.locals.iter().find(|(known, _)| *known == inst.imm);
                let path = known.and_then(|(_, path)| path.clone());
                self.set(inst.d, path);
            }
            Op::Act => {
                let action = usize::try_from(inst.imm).ok().and_then(|at| clause.actions.get(at));
                for number in 0..inst.b {
                    let repr = action.and_then(|action| action.args.get(usize::from(number)));
                    if !matches!(repr, Some(Repr::Int { .. })) {
                        self.reads(inst.a.wrapping_add(number));
                    }
                }
            }
            _ => self.other(inst),
        }
    }

    fn other(&mut self, inst: &Inst) {
        match inst.op {
            Op::LdS8 | Op::LdS16 | Op::LdS32 | Op::LdU8 | Op::LdU16 | Op::LdU32 => self.reads(inst.a),
            Op::Copy | Op::CopyS => self.reads(inst.b),
            Op::SCmp => {
                self.reads(inst.a);
                self.reads(inst.b);
            }
            Op::Call => (0..inst.b).for_each(|number| self.reads(inst.a.wrapping_add(number))),
            // Arguments are usually numbers here, and what pointers lead to may be texts.
            Op::Agg | Op::LdD | Op::StD | Op::HasD => {
                (0..inst.b).for_each(|number| self.reads_behind(inst.a.wrapping_add(number)));
                if inst.op == Op::StD {
                    self.reads_behind(inst.d);
                }
            }
            Op::StG => self.reads_behind(inst.a),
            _ => {}
        }
        if inst.op != Op::StD && inst.op.operands().contains(&Operand::D) {
            self.set(inst.d, None);
        }
    }

    fn reads_behind(&mut self, register: u8) {
        if self.path(register).is_some_and(|(_, steps, _)| !steps.is_empty()) {
            self.reads(register);
        }
    }
}

#[cfg(test)]
mod tests {
    use tracewell_dlang::program::{Action, ActionKind};

    use super::*;

    #[test]
    fn issue_16_arguments_are_read_or_kept() {
        let argument = |register, number| Inst { d: register, imm: number, ..Inst::new(Op::LdArg) };
        let call = |first, count| Inst { a: first, b: count, ..Inst::new(Op::Call) };
        let keep = |register| Inst { d: register, ..Inst::new(Op::StD) };
        let global = |register| Inst { a: register, ..Inst::new(Op::StG) };
        let moved = |to, from| Inst { d: to, a: from, imm: 8, ..Inst::new(Op::AddI) };
        for (code, read, kept) in [
            (&[argument(0, 1), call(0, 1)][..], 0b10, 0),
            (&[argument(0, 1), moved(1, 0), call(1, 1)], 0b10, 0),
            (&[argument(0, 1), argument(1, 5), call(0, 2)], 0b10_0010, 0),
            (&[argument(0, 1), keep(0)], 0, 0b10),
            (&[argument(0, 3), global(0), argument(0, 0), keep(0)], 0, 0b1001),
            (&[argument(0, 3), argument(1, 4), call(1, 1), keep(1)], 0b1_0000, 0b1_0000),
            // What is not an argument of a call.
            (&[argument(0, 7), call(0, 1), keep(0)], 0, 0),
            (&[Inst { imm: 1, ..Inst::new(Op::SetI) }, keep(0)], 0, 0),
        ] {
            let clause = Clause { code: code.to_vec(), ..Clause::default() };
            assert_eq!((arguments_read(&clause), arguments_kept(&clause)), (read, kept), "{code:?}");
        }
    }

    /// `argument:step:step:distance` for each piece.
    fn pieces(code: &[Inst], actions: Vec<Action>) -> String {
        let clause = Clause { code: code.to_vec(), actions, ..Clause::default() };
        let shown = of_clauses([&clause].into_iter()).into_iter().map(|Reach { argument, steps, last }| {
            let path = steps.iter().chain([&last]).map(i64::to_string).collect::<Vec<_>>();
            format!("{argument}:{}", path.join(":"))
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn issue_23_memory_is_reached_by_the_steps_of_the_code() {
        let one = |op, d, a, b, imm| Inst { d, a, b, imm, ..Inst::new(op) };
        let argument = |register, number| one(Op::LdArg, register, 0, 0, number);
        let moved = |to, from, by| one(Op::AddI, to, from, 0, by);
        let pointer = |to, from| one(Op::Ld64, to, from, 0, 0);
        let byte = |from| one(Op::LdU8, 9, from, 0, 0);
        let kept = |at, register| one(Op::StL, 0, register, 0, at);
        let again = |register, at| one(Op::LdL, register, 0, 0, at);
        // Up to six pointers lead to a piece.
        for (pointers, expected) in [
            (0, "0:200"),
            (1, "0:200 0:200:0"),
            (6, "0:200 0:200:0 0:200:0:0 0:200:0:0:0 0:200:0:0:0:0 0:200:0:0:0:0:0 0:200:0:0:0:0:0:0"),
            (7, "0:200 0:200:0 0:200:0:0 0:200:0:0:0 0:200:0:0:0:0 0:200:0:0:0:0:0 0:200:0:0:0:0:0:0"),
        ] {
            let mut code = vec![argument(0, 0), moved(0, 0, 200)];
            code.extend((0..pointers).map(|_| pointer(0, 0)));
            code.push(byte(0));
            assert_eq!(pieces(&code, Vec::new()), expected, "{pointers}");
        }
        let far = moved(0, 0, 128);
        for (code, expected) in [
            // What the first half of a piece behind an argument has is read anyway, and so is what a piece before it holds.
            (vec![argument(0, 5), moved(0, 0, 127), byte(0)], ""),
            (vec![argument(0, 5), far, byte(0)], "5:128"),
            (vec![argument(0, 5), moved(0, 0, -1), byte(0)], "5:-1"),
            (vec![argument(0, 6), byte(0)], "6:0"),
            (vec![argument(0, 9), byte(0)], "9:0"),
            (vec![argument(0, 10), far, byte(0)], ""),
            (vec![argument(0, 1), far, byte(0), moved(0, 0, 127), byte(0)], "1:128"),
            (vec![argument(0, 1), far, byte(0), moved(0, 0, 128), byte(0)], "1:128 1:256"),
            (vec![argument(0, 1), far, byte(0), argument(0, 2), moved(0, 0, 129), byte(0)], "1:128 2:129"),
            (vec![argument(0, 1), far, pointer(1, 0), byte(1), byte(0)], "1:128 1:128:0"),
            // Addresses move with registers and variables, and are forgotten where others take their place.
            (vec![argument(0, 1), far, one(Op::Mov, 3, 0, 0, 0), byte(0), byte(3)], "1:128"),
            (vec![argument(0, 1), far, one(Op::SetI, 0, 0, 0, 5), byte(0)], ""),
            (vec![argument(0, 1), far, one(Op::LdU8, 0, 0, 0, 0), byte(0)], "1:128"),
            (
                vec![argument(0, 1), far, kept(4, 0), argument(0, 2), far, kept(5, 0), again(7, 4), byte(7)],
                "1:128",
            ),
            (
                vec![argument(0, 1), far, kept(4, 0), argument(0, 2), far, kept(4, 0), again(7, 4), byte(7)],
                "2:128",
            ),
            (vec![argument(0, 1), far, kept(4, 0), kept(4, 8), again(0, 4), byte(0)], ""),
            (vec![argument(0, 1), far, again(0, 4), byte(0)], ""),
            // Who reads which of its registers.
            (vec![argument(0, 1), far, one(Op::Copy, 5, 6, 0, 0)], "1:128"),
            (vec![argument(0, 1), far, one(Op::Copy, 5, 0, 6, 0)], ""),
            (vec![argument(0, 1), far, one(Op::CopyS, 5, 6, 0, 0)], "1:128"),
            (
                vec![argument(0, 1), far, argument(1, 2), moved(1, 1, 200), one(Op::SCmp, 5, 0, 1, 0)],
                "1:128 2:200",
            ),
            (vec![argument(0, 1), far, argument(2, 2), moved(2, 2, 200), one(Op::Call, 5, 0, 2, 0)], "1:128"),
            (
                vec![argument(0, 1), far, argument(2, 2), moved(2, 2, 200), one(Op::Call, 5, 0, 3, 0)],
                "1:128 2:200",
            ),
        ] {
            assert_eq!(pieces(&code, Vec::new()), expected, "{code:?}");
        }
        for op in [Op::LdS8, Op::LdS16, Op::LdS32, Op::LdU8, Op::LdU16, Op::LdU32, Op::Ld64] {
            assert_eq!(pieces(&[argument(0, 1), far, one(op, 5, 0, 0, 0)], Vec::new()), "1:128", "{op:?}");
        }
        // Arguments are numbers where values are kept or counted; what pointers lead to may be a text.
        for (op, b, own) in [
            (Op::Agg, 1, false),
            (Op::LdD, 1, false),
            (Op::StD, 1, true),
            (Op::HasD, 1, false),
            (Op::StG, 0, false),
        ] {
            let code = |register| vec![argument(0, 1), far, pointer(1, 0), one(op, 8, register, b, 0)];
            assert_eq!(pieces(&code(0), Vec::new()), "1:128", "{op:?}");
            assert_eq!(pieces(&code(1), Vec::new()), "1:128 1:128:0", "{op:?}");
            let code = [argument(0, 1), far, pointer(1, 0), one(op, 1, 8, b, 0)];
            let expected = if own { "1:128 1:128:0" } else { "1:128" };
            assert_eq!(pieces(&code, Vec::new()), expected, "{op:?}");
        }
        // A value that a variable of a thread takes stays in its register.
        let code = [argument(0, 1), far, one(Op::StD, 0, 8, 1, 0), byte(0)];
        assert_eq!(pieces(&code, Vec::new()), "1:128");
    }

    #[test]
    fn issue_23_actions_read_texts_and_not_numbers_and_pieces_are_limited() {
        let one = |op, d, a, b, imm| Inst { d, a, b, imm, ..Inst::new(op) };
        let far = |register, number| {
            [one(Op::LdArg, register, 0, 0, number), one(Op::AddI, register, register, 0, 300)]
        };
        let action = |args| Action { kind: ActionKind::Trace, args, number: 1, line: 1 };
        let number = || Repr::Int { bytes: 8, signed: false };
        let code = [&far(0, 0)[..], &far(1, 1), &far(2, 2), &[one(Op::Act, 0, 0, 2, 1)]].concat();
        for (args, expected) in [
            (vec![number(), number()], ""),
            (vec![Repr::Str, number()], "0:300"),
            (vec![number(), Repr::Str], "1:300"),
            (vec![Repr::Str, Repr::Str, Repr::Str], "0:300 1:300"),
        ] {
            assert_eq!(
                pieces(&code, vec![action(vec![Repr::Str; 3]), action(args.clone())]),
                expected,
                "{args:?}"
            );
        }
        let mut code = vec![one(Op::LdArg, 0, 0, 0, 0)];
        for _ in 0..20 {
            code.extend([one(Op::AddI, 0, 0, 0, 128), one(Op::LdU8, 1, 0, 0, 0)]);
        }
        let expected = (1..=16).map(|at| format!("0:{}", at * 128)).collect::<Vec<_>>().join(" ");
        assert_eq!(pieces(&code, Vec::new()), expected);
    }
}
