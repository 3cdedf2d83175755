//! Probes on functions of processes: `pid123:module:function:entry`.

use tracewell_dlang::builtins::Subr;
use tracewell_dlang::catalog::ProbeDesc;
use tracewell_dlang::ir::Op;
use tracewell_dlang::program::Program;

/// A probe on a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionProbe {
    /// The name of the module.
    pub module: String,
    /// The name of the function.
    pub function: String,
    /// `entry`, `return`, or what else the provider offers.
    pub name: String,
    /// The number of the place, by which its source knows it. Descriptions that match the same place yield the same number.
    pub site: u32,
}

/// Finds functions of processes for descriptions.
pub trait Functions {
    /// The probes that a description matches; [`None`] if its provider is not one of this source.
    ///
    /// # Errors
    /// Why there is none, for the user.
    fn find(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, String>>;
}

/// Returns `true` if a provider has the name of one with functions of a process: `pid123`, `fpid123`.
#[must_use]
pub fn is_of_process(provider: &str) -> bool {
    let number = provider.strip_prefix('f').unwrap_or(provider).strip_prefix("pid");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'*'))
}

/// Returns `true` if a clause of a program reads the memory of a process.
#[must_use]
pub fn reads_memory(program: &Program) -> bool {
    let reading = [Subr::Copyin, Subr::Copyinstr, Subr::Copyinto].map(|subr| subr as i32);
    let mut code = program.clauses.iter().flat_map(|clause| &clause.code);
    code.any(|inst| inst.op == Op::Call && reading.contains(&inst.imm))
}
