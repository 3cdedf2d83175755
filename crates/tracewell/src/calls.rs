//! The system calls in traces, with their names.

use tracewell_etl::Trace;
use tracewell_probes::{Calls, UNNAMED, call_functions, call_names, replay};
use tracewell_state::Needs;
use tracewell_symbols::{SymbolStore, Symbols};

/// The system calls in traces. Linux records their names; on Windows they are those of the functions of the kernel, which its
/// symbols name.
#[must_use]
pub fn calls_in(traces: &[Trace<'_>], store: Option<&dyn SymbolStore>) -> Calls {
    let functions = call_functions(traces);
    if functions.is_empty() {
        return call_names(traces).into();
    }
    let needs = Needs { images: true, files: false, stacks: false };
    let (machine, _) = replay::survey(traces, needs, |_| {});
    let symbols = match store {
        Some(store) => Symbols::new(&machine).with_store(store),
        None => Symbols::new(&machine),
    };
    let named = |(address, time): (u64, i64)| {
        let found = symbols.locate(KERNEL, address, time).filter(|found| found.offset == 0)?;
        Some((address, found.symbol?.to_string()))
    };
    let functions: Vec<(u64, String)> = functions.into_iter().filter_map(named).collect();
    let mut names: Vec<String> = functions.iter().map(|(_, name)| name.clone()).collect();
    if !names.is_empty() {
        names.push(UNNAMED.to_owned());
    }
    names.sort_unstable();
    names.dedup();
    Calls { names, functions }
}

/// The process that has the addresses of the kernel.
const KERNEL: u32 = 0;
