//! Which system calls a program needs: by the names in its probes, and the tests of numbers at the head of their predicates. A source that knows them need not log the others, which fire nothing.

use std::collections::{BTreeMap, BTreeSet};

use tracewell_dengine::Engine;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::{Inst, Op, Operand};
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_types::call::{CallTest, Distinguished, Relation, Subject};

use super::merge;
use crate::calls::{self, CallEnd};
use crate::catalog::{Kind, ProbeCatalog};
use crate::{functions, reaches};

/// System calls that a clause needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededCall {
    /// The name; [`None`] for all calls.
    pub name: Option<String>,
    /// The tests that have to hold, all of them.
    pub tests: Vec<CallTest>,
}

/// Memory of the process that a program reads at system calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeededMemory {
    /// The arguments that point to it: bit 0 for the first.
    pub arguments: u8,
    /// The calls at which it is read: any of these.
    pub calls: Vec<NeededCall>,
}

/// The system calls that a program needs when they begin and when they return: any of these; [`None`] for all.
pub type NeededCalls = [Option<Vec<NeededCall>>; 2];

/// What a program distinguishes system calls by when they begin and when they return; [`None`] if each is an event to it.
pub(super) type Merging = [Option<Distinguished>; 2];

/// Maximum number of names that calls are distinguished by.
const MOST_NAMES: usize = 16;

/// What an enabled probe needs.
enum Needs<'c> {
    Nothing,
    /// Calls that begin or return, by name.
    Calls(usize, Option<&'c str>),
    /// The same, each by itself.
    Each(usize, Option<&'c str>),
    /// All calls that begin or return, as events.
    Events(usize),
    /// Perhaps any event.
    Anything,
}

fn needs<'c>(catalog: &'c ProbeCatalog<'_>, id: ProbeId) -> Needs<'c> {
    let of = |class: &str, opcode: u8| {
        let end = calls::ENDS.iter().position(|(_, end)| *end == opcode).filter(|_| class == "PerfInfo");
        end.map_or(Needs::Nothing, Needs::Events)
    };
    match catalog.kind(id) {
        Some(Kind::Call(index, end @ (CallEnd::Begins | CallEnd::Returns))) => {
            Needs::Calls(usize::from(end.returns()), catalog.call(index))
        }
        // How a call ended is no part of what clauses see of equal calls.
        Some(Kind::Call(index, end)) => Needs::Each(usize::from(end.returns()), catalog.call(index)),
        Some(Kind::Fixed(def)) => match def.opcodes {
            [opcode] => of(def.class, *opcode),
            _ => Needs::Nothing,
        },
        Some(Kind::Class(class, opcode)) => of(class, opcode),
        Some(Kind::Begin | Kind::End | Kind::Error | Kind::Timer(_) | Kind::Event(_) | Kind::Function(_)) => {
            Needs::Nothing
        }
        _ => Needs::Anything,
    }
}

/// The system calls that the enabled probes of a program need, and what it distinguishes them by when they begin and when they
/// return; [`None`] if each is an event.
pub(super) fn needed(engine: &Engine, catalog: &ProbeCatalog<'_>) -> (NeededCalls, Merging) {
    let program = engine.program();
    let mut merging = [Some(Distinguished::default()); 2];
    // The names for each list of tests; `None` among them for all calls.
    let mut all: [BTreeMap<Vec<CallTest>, BTreeSet<Option<&str>>>; 2] = Default::default();
    for (info, _) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let (end, name, by_name) = match needs(catalog, info.id) {
            Needs::Nothing => continue,
            Needs::Calls(end, name) => (end, name, Some(end)),
            Needs::Each(end, name) => {
                merging[end] = None;
                (end, name, None)
            }
            Needs::Events(end) => (end, None, None),
            Needs::Anything => return ([None, None], [None; 2]),
        };
        for clause in program.clauses.iter().filter(|clause| clause.probes.contains(&info.id)) {
            merging[end] =
                merging[end].and_then(|before| merge::by(program, clause).map(|more| before.and(more)));
            all[end].entry(tests(program, clause, by_name, &mut |_| None)).or_default().insert(name);
        }
    }
    let calls = all.map(|by_tests| {
        let each = by_tests.into_iter().flat_map(|(tests, names)| {
            let any = names.contains(&None) || names.len() > MOST_NAMES;
            let names = if any { BTreeSet::from([None]) } else { names };
            names
                .into_iter()
                .map(move |name| NeededCall { name: name.map(str::to_owned), tests: tests.clone() })
        });
        Some(each.collect())
    });
    (calls, merging)
}

/// The memory that a program reads at system calls, when they begin and when they return. When a call returns, it is the memory
/// at the addresses that it began with: a program keeps them in variables.
pub(super) fn memory(engine: &Engine, catalog: &ProbeCatalog<'_>) -> [NeededMemory; 2] {
    let program = engine.program();
    let clauses = &program.clauses;
    let mut all: [NeededMemory; 2] = Default::default();
    let mut kept = 0;
    for (info, _) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let Needs::Calls(end, name) = needs(catalog, info.id) else { continue };
        for clause in clauses.iter().filter(|clause| clause.probes.contains(&info.id)) {
            let read = reaches::arguments_read(clause);
            let reads = if end == 0 { read != 0 } else { functions::reads_memory_in(clause) };
            if end == 0 {
                kept |= reaches::arguments_kept(clause);
                all[0].arguments |= read;
            }
            if reads {
                let tests = tests(program, clause, Some(end), &mut |_| None);
                all[end].calls.push(NeededCall { name: name.map(str::to_owned), tests });
            }
        }
    }
    all[1].arguments = if all[1].calls.is_empty() { 0 } else { kept };
    all
}

/// The number of an error that a system call returns is at most this one, and the result its negative.
const MOST_ERRORS: i32 = 4095;

/// A number in a record that an argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InRecord {
    /// The argument.
    pub(super) argument: i32,
    /// Bytes from the start of the record.
    pub(super) offset: i32,
    /// How the number is loaded.
    pub(super) op: Op,
}

/// Finds the number of an event that is in a record.
pub(super) type Find<'f> = &'f mut dyn FnMut(InRecord) -> Option<Subject>;

/// The tests at the head of a clause's predicate: where one fails, nothing of the clause has an effect. The clause is on calls by
/// name that begin (0) or return (1), or on others, whose records have the numbers that `find` finds.
pub(super) fn tests(program: &Program, clause: &Clause, end: Option<usize>, find: Find<'_>) -> Vec<CallTest> {
    let predicate = clause.code.get(..clause.predicate_end as usize).unwrap_or_default();
    let exit = i32::try_from(clause.code.len()).unwrap_or(0) - 1;
    let mut tests = Vec::new();
    // In a clause without actions, a predicate that holds ends at the same place.
    if i32::try_from(predicate.len()).is_ok_and(|end| end >= exit) {
        return tests;
    }
    let mut rest = predicate;
    while let Some((test, size)) = test(rest, exit, (end, find)).or_else(|| name_test(program, rest, exit)) {
        tests.push(test);
        rest = rest.get(size..).unwrap_or_default();
    }
    tests
}

/// What an instruction loads that a source can test.
enum Loaded {
    Number(Subject),
    Errno,
}

/// What code loads at its beginning: the register, and how many instructions that takes.
fn loaded(code: &[Inst], (end, find): (Option<usize>, Find<'_>)) -> Option<(Loaded, u8, usize)> {
    let [load, rest @ ..] = code else { return None };
    if let Some((number, register, size)) = in_record(load, rest) {
        return Some((Loaded::Number(find(number)?), register, 1 + size));
    }
    let number = u16::try_from(load.imm).ok()?;
    let subject = match (load.op, end) {
        (Op::LdB, _) => match BuiltinVar::from_number(number)? {
            BuiltinVar::Pid => Subject::Process,
            BuiltinVar::Tid => Subject::Thread,
            BuiltinVar::Uid => Subject::User,
            BuiltinVar::Cpu => Subject::Processor,
            BuiltinVar::Errno if end == Some(1) => return Some((Loaded::Errno, load.d, 1)),
            _ => return None,
        },
        (Op::LdArg, Some(0)) if number < 6 => Subject::Argument(number as u8),
        (Op::LdArg, Some(_)) if number < 2 => Subject::Result,
        _ => return None,
    };
    Some((Loaded::Number(subject), load.d, 1))
}

/// The number of a record that code loads behind the load of the record's address, its register, and how many instructions there are.
fn in_record(address: &Inst, code: &[Inst]) -> Option<(InRecord, u8, usize)> {
    let (mut offset, mut base, mut size) = (0_i32, address.d, 0);
    while let Some(add) = code.get(size).filter(|add| add.op == Op::AddI && add.a == base) {
        (offset, base, size) = (offset.checked_add(add.imm)?, add.d, size + 1);
    }
    let load = code.get(size)?;
    let loads =
        matches!(load.op, Op::Ld64 | Op::LdS8 | Op::LdS16 | Op::LdS32 | Op::LdU8 | Op::LdU16 | Op::LdU32);
    if address.op != Op::LdArg || !loads || load.a != base {
        return None;
    }
    let number = InRecord { argument: address.imm, offset, op: load.op };
    match code.get(size + 1) {
        Some(moved) if moved.op == Op::Mov && moved.a == load.d => Some((number, moved.d, size + 2)),
        _ => Some((number, load.d, size + 1)),
    }
}

/// The text at an offset of a program's data, if the name of a process is to be compared with it.
fn text_of_name(program: &Program, offset: i32) -> Option<&str> {
    let data = program.rodata.get(usize::try_from(offset).ok()?..)?;
    let text = str::from_utf8(data.split(|byte| *byte == 0).next()?).ok()?;
    // Processes without a known name have this text.
    (!text.is_empty() && !text.contains('<')).then_some(text)
}

/// The comparison of the name of a process with a text that code begins with, and how many instructions it has.
fn name_test(program: &Program, code: &[Inst], exit: i32) -> Option<(CallTest, usize)> {
    let [first, second, compare, zero, relation, jump, ..] = code else { return None };
    let (name, text) = if first.op == Op::LdB { (first, second) } else { (second, first) };
    let is_name = name.op == Op::LdB && name.imm == i32::from(BuiltinVar::Execname as u16);
    let compares = [compare.a, compare.b];
    let are_compared = text.op == Op::SetS
        && compare.op == Op::SCmp
        && (compares == [name.d, text.d] || compares == [text.d, name.d])
        && name.d != text.d;
    let is_zero = zero.op == Op::SetI && zero.imm == 0 && zero.d != compare.d;
    let relates = relation.a == compare.d && relation.b == zero.d;
    if !(is_name && are_compared && is_zero && relates && jump.a == relation.d && jump.imm == exit) {
        return None;
    }
    let holds = match (relation.op, jump.op) {
        (Op::Eq, Op::Jz) | (Op::Ne, Op::Jnz) => true,
        (Op::Ne, Op::Jz) | (Op::Eq, Op::Jnz) => false,
        _ => return None,
    };
    text_of_name(program, text.imm)?;
    Some((CallTest { subject: Subject::Name, relation: Relation::Equal, holds, number: text.imm }, 6))
}

/// The texts of a program with which names of processes may be compared, by the number that a test of them has.
pub(super) fn names(program: &Program) -> Vec<(i32, String)> {
    let code = program
        .clauses
        .iter()
        .flat_map(|clause| clause.code.get(..clause.predicate_end as usize).unwrap_or_default().iter());
    let texts: BTreeSet<i32> = code.filter(|inst| inst.op == Op::SetS).map(|inst| inst.imm).collect();
    texts.into_iter().filter_map(|at| Some((at, text_of_name(program, at)?.to_owned()))).collect()
}

/// The test that code begins with, and how many instructions it has.
fn test(code: &[Inst], exit: i32, of: (Option<usize>, Find<'_>)) -> Option<(CallTest, usize)> {
    // A number may be loaded before what it is compared with.
    let before = code.first().filter(|first| first.op == Op::SetI);
    let at = usize::from(before.is_some());
    let (loaded, register, size) = loaded(code.get(at..)?, of)?;
    let rest = code.get(at + size..)?;
    let after = rest.first().filter(|next| next.op == Op::SetI && before.is_none());
    let jump = rest.get(usize::from(after.is_some()))?;
    let set = before.or(after);
    let (constant, compares) = match set {
        Some(set) => {
            let both = [[register, set.d], [set.d, register]].contains(&[jump.a, jump.b]);
            (Some(set.imm), both && set.d != register && jump.op.operands().contains(&Operand::B))
        }
        None if matches!(jump.op, Op::Jz | Op::Jnz) => (Some(0), jump.a == register),
        None => (None, jump.a == register && jump.op.operands().contains(&Operand::Short)),
    };
    if jump.imm != exit || !compares {
        return None;
    }
    let size = at + size + usize::from(after.is_some()) + 1;
    // The first operand is what was loaded, or the constant.
    let loaded_first = jump.a == register;
    let number = constant.unwrap_or_else(|| jump.short().into());
    let (relation, fails) = match (jump.op, loaded_first) {
        (Op::Jz | Op::JEq | Op::JEqI, _) => (Relation::Equal, true),
        (Op::Jnz | Op::JNe | Op::JNeI, _) => (Relation::Equal, false),
        (Op::JSltI, _) | (Op::JSlt, true) => (Relation::Less, true),
        (Op::JSgeI, _) | (Op::JSle, false) => (Relation::Less, false),
        (Op::JSle, true) => (Relation::LessOrEqual, true),
        (Op::JSlt, false) => (Relation::LessOrEqual, false),
        (Op::JUltI, _) | (Op::JUlt, true) => (Relation::Below, true),
        (Op::JUgeI, _) | (Op::JUle, false) => (Relation::Below, false),
        (Op::JUle, true) => (Relation::BelowOrEqual, true),
        (Op::JUlt, false) => (Relation::BelowOrEqual, false),
        _ => return None,
    };
    let test = |subject, relation, fails: bool, number| CallTest { subject, relation, holds: !fails, number };
    let test = match loaded {
        Loaded::Number(subject @ (Subject::Argument(_) | Subject::Result | Subject::Field(_))) => {
            test(subject, relation, fails, number)
        }
        // Ids, users and processors are numbers without a sign.
        Loaded::Number(subject) if number >= 0 => test(subject, relation, fails, number),
        // Results that are no errors are below those that are.
        Loaded::Errno if relation == Relation::Equal && number == 0 => {
            test(Subject::Result, Relation::Below, fails, -MOST_ERRORS)
        }
        Loaded::Errno if relation == Relation::Equal && (1..=MOST_ERRORS).contains(&number) => {
            test(Subject::Result, relation, fails, -number)
        }
        _ => return None,
    };
    Some((test, size))
}
