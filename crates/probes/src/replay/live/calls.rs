//! Which system calls a program needs: by the names in its probes, and the tests of process and thread at the head of their
//! predicates. A source that knows them need not log the others, which fire nothing.

use std::collections::{BTreeMap, BTreeSet};

use tracewell_dengine::Engine;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::{Inst, Op};
use tracewell_dlang::program::{Clause, ProbeId};

use super::merge::Distinguished;
use crate::calls;
use crate::catalog::{Kind, ProbeCatalog};

/// The ids that a test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallerId {
    /// `pid`
    Process,
    /// `tid`
    Thread,
}

/// A test of who makes a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallerTest {
    /// What is compared.
    pub id: CallerId,
    /// Whether it has to be the number, or another one.
    pub equal: bool,
    /// The number.
    pub number: u32,
}

/// System calls that a clause needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededCall {
    /// The name; [`None`] for all calls.
    pub name: Option<String>,
    /// The tests that have to hold, all of them.
    pub tests: Vec<CallerTest>,
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
    /// Calls that begin or return, by name or all.
    Calls(usize, Option<&'c str>),
    /// Perhaps any event.
    Anything,
}

fn needs<'c>(catalog: &'c ProbeCatalog<'_>, id: ProbeId) -> Needs<'c> {
    let of = |class: &str, opcode: u8| {
        let end = calls::ENDS.iter().position(|(_, end)| *end == opcode).filter(|_| class == "PerfInfo");
        end.map_or(Needs::Nothing, |end| Needs::Calls(end, None))
    };
    match catalog.kind(id) {
        Some(Kind::Call(index, returns)) => Needs::Calls(usize::from(returns), catalog.call(index)),
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
    let mut all: [BTreeMap<Vec<CallerTest>, BTreeSet<Option<&str>>>; 2] = Default::default();
    for (info, _) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let (end, name) = match needs(catalog, info.id) {
            Needs::Nothing => continue,
            Needs::Calls(end, name) => (end, name),
            Needs::Anything => return ([None, None], [None; 2]),
        };
        for clause in program.clauses.iter().filter(|clause| clause.probes.contains(&info.id)) {
            merging[end] = merging[end]
                .and_then(|before| Distinguished::by(program, clause).map(|more| before.and(more)));
            all[end].entry(tests(clause)).or_default().insert(name);
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

/// The tests of process and thread at the head of a clause's predicate: where one fails, nothing of the clause has an effect.
fn tests(clause: &Clause) -> Vec<CallerTest> {
    let predicate = clause.code.get(..clause.predicate_end as usize).unwrap_or_default();
    let exit = i32::try_from(clause.code.len()).unwrap_or(0) - 1;
    let mut tests = Vec::new();
    // In a clause without actions, a predicate that holds ends at the same place.
    if i32::try_from(predicate.len()).is_ok_and(|end| end >= exit) {
        return tests;
    }
    let mut rest = predicate;
    while let Some((test, size)) = test(rest, exit) {
        tests.push(test);
        rest = rest.get(size..).unwrap_or_default();
    }
    tests
}

/// The test that code begins with, and how many instructions it has.
fn test(code: &[Inst], exit: i32) -> Option<(CallerTest, usize)> {
    let [load, compare, ..] = code else { return None };
    if load.op != Op::LdB {
        return None;
    }
    let id = match BuiltinVar::from_number(u16::try_from(load.imm).ok()?)? {
        BuiltinVar::Pid => CallerId::Process,
        BuiltinVar::Tid => CallerId::Thread,
        _ => return None,
    };
    let (jump, number, size) = match (compare.op, code.get(2)) {
        (Op::SetI, Some(jump)) => {
            let compares = (jump.a, jump.b) == (load.d, compare.d) || (jump.a, jump.b) == (compare.d, load.d);
            if !compares || !matches!(jump.op, Op::JEq | Op::JNe) {
                return None;
            }
            (jump, i64::from(compare.imm), 3)
        }
        (Op::JEqI | Op::JNeI, _) if compare.a == load.d => (compare, i64::from(compare.short()), 2),
        _ => return None,
    };
    if jump.imm != exit {
        return None;
    }
    let equal = matches!(jump.op, Op::JNe | Op::JNeI);
    Some((CallerTest { id, equal, number: u32::try_from(number).ok()? }, size))
}
