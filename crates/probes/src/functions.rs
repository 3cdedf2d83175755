//! Probes on functions of processes: `pid123:module:function:entry`, and those that programs contain: `python123:::line`.

use std::rc::Rc;

use tracewell_dlang::builtins::Subr;
use tracewell_dlang::catalog::{ProbeArg, ProbeDesc};
use tracewell_dlang::ir::{Inst, Op};
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_dlang::tags::Tag;
use tracewell_symbols::{Signatures, TypeIndex, TypeWord};
use tracewell_types::operand::Reach;

use crate::reaches;

/// A probe on a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionProbe {
    /// The name of the provider, with the number of the process.
    pub provider: String,
    /// The name of the module.
    pub module: String,
    /// The name of the function.
    pub function: String,
    /// `entry`, `return`, or what else the provider offers.
    pub name: String,
    /// The number of the place, by which its source knows it. Descriptions that match the same place yield the same number.
    pub site: u32,
    /// The types of the arguments, where they are known.
    pub args: Vec<ProbeArg>,
}

/// Why a description matches no function of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The tag of the error.
    pub tag: Tag,
    /// The reason, for the user.
    pub why: String,
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { tag: Tag::PdescZero, why }
    }
}

/// Finds functions of processes for descriptions.
pub trait Functions {
    /// The probes that a description matches; [`None`] if its provider is not one of this source. A pattern may match those of
    /// other sources, too.
    ///
    /// # Errors
    /// Why there is none, for the user.
    fn find(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, Refusal>>;

    /// What debug information reports about functions, by the numbers of their places; an error is the reason, for the user.
    fn described(&mut self, provider: &str, sites: &[u32]) -> Vec<(u32, Result<Described, String>)> {
        let _ = (provider, sites);
        Vec::new()
    }

    /// A type of a process. The scope is the process, `pid` or `pid123`, and a module behind a back-quote, if one is named. [`None`] if
    /// this source has no processes.
    ///
    /// # Errors
    /// There is no such type: why, for the user.
    fn named_type(&mut self, scope: &str, word: TypeWord, name: &str) -> Option<Result<NamedType, String>> {
        let _ = (scope, word, name);
        None
    }
}

/// A type in the debug information of a program or library.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The types that were found with it.
    pub known: Signatures,
    /// Its number among these.
    pub index: TypeIndex,
    /// The name of the program or library.
    pub module: String,
}

/// A function in the debug information of its program.
#[derive(Clone, Debug)]
pub struct Described {
    /// The functions that were found with it.
    pub known: Rc<Signatures>,
    /// Its address there.
    pub address: u64,
    /// The probe fires when it returns.
    pub returns: bool,
}

/// Returns `true` if a provider has the name of one with functions of a process: `pid123`, `fpid123`.
#[must_use]
pub fn is_of_process(provider: &str) -> bool {
    let number = provider.strip_prefix('f').unwrap_or(provider).strip_prefix("pid");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'*'))
}

/// Returns `true` if a clause on some probes reads arguments, registers or memory.
pub fn reads_hits(program: &Program, on: impl Fn(ProbeId) -> bool) -> bool {
    reads_memory(program, &on)
        || clauses_on(program, &on).any(|clause| {
            clause.uses.args || clause.code.iter().any(|inst| matches!(inst.op, Op::LdBA | Op::LdArg))
        })
}

/// Returns `true` if a clause on some probes reads what arguments point to.
pub fn reads_memory(program: &Program, on: impl Fn(ProbeId) -> bool) -> bool {
    clauses_on(program, &on).any(reads_memory_in)
}

/// Returns `true` if a clause reads memory of the process.
pub(crate) fn reads_memory_in(clause: &Clause) -> bool {
    let reading = [Subr::Copyin, Subr::Copyinstr, Subr::Copyinto].map(|subr| subr as i32);
    let reads = |inst: &Inst| inst.op == Op::Call && reading.contains(&inst.imm);
    clause.code.iter().any(reads) || reaches::reads_arguments(clause)
}

/// The memory that the clauses on some probes read by following pointers.
pub fn reaches(program: &Program, on: impl Fn(ProbeId) -> bool) -> Vec<Reach> {
    reaches::of_clauses(clauses_on(program, &on))
}

fn clauses_on(program: &Program, on: impl Fn(ProbeId) -> bool) -> impl Iterator<Item = &Clause> {
    program.clauses.iter().filter(move |clause| clause.probes.iter().any(|id| on(*id)))
}
