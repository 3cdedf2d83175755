//! Actions at the moment of the firing: most leave their values in the record for the consumer.

use crate::agg::classic_size;
use crate::buffer::CLASSIC_HEADER;
use crate::context::Context;
use crate::fault::{Fault, FaultKind};
use crate::host::{Deed, Destructive, Host, number_of};
use crate::pack::{Into, pack};
use crate::state::Target;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Action, ActionKind, Clause, Repr};

/// Returns `true` if an action leaves an entry in the record.
pub(crate) fn records(kind: &ActionKind) -> bool {
    !matches!(
        kind,
        ActionKind::Expr
            | ActionKind::Speculate
            | ActionKind::Commit
            | ActionKind::Discard
            | ActionKind::Stop
            | ActionKind::Raise
            | ActionKind::Panic
            | ActionKind::Breakpoint
            | ActionKind::Chill
            | ActionKind::Copyout
            | ActionKind::Copyoutstr
    )
}

/// Bytes of a clause's record in the original: what counts against buffer sizes. 0 when it leaves none;
/// an `empty` body leaves the default action's.
pub(crate) fn classic_record(clause: &Clause, strsize: u64, empty: bool) -> u64 {
    if !empty && !clause.default_action && !clause.actions.iter().any(|a| records(&a.kind)) {
        return 0;
    }
    let mut size = CLASSIC_HEADER;
    for action in clause.actions.iter().filter(|a| records(&a.kind)) {
        match &action.kind {
            ActionKind::Tracemem { size: n } => size += u64::from(*n),
            // The original records a number where there is nothing to record.
            ActionKind::Printf(_) if action.args.is_empty() => size = size.next_multiple_of(8) + 8,
            ActionKind::Trace
            | ActionKind::Printf(_)
            | ActionKind::Print(_)
            | ActionKind::EtwTrace(_)
            | ActionKind::Show
            | ActionKind::System(_)
            | ActionKind::Freopen(_)
            | ActionKind::Setopt => {
                for repr in &action.args {
                    let n = classic_size(repr, strsize);
                    let align = match repr {
                        Repr::Int { bytes, .. } => u64::from(*bytes).max(1),
                        Repr::Str => 1,
                        _ => 8,
                    };
                    size = size.next_multiple_of(align) + n;
                }
            }
            _ => size += 4,
        }
    }
    size.next_multiple_of(4)
}

/// Longest `chill()`, in nanoseconds.
const MOST_CHILL: u64 = 500_000_000;

/// Performs an action with its values. `false` ends the clause without a record.
pub(crate) fn perform<H: Host>(index: usize, values: &[u64], cx: &mut Context<'_, H>) -> Result<bool, Fault> {
    let program = cx.program;
    let clause = program.clauses.get(cx.state.firing.clause as usize);
    let Some(action) = clause.and_then(|c| c.actions.get(index)) else { return Ok(true) };
    let first = values.first().copied().unwrap_or(0);
    if action.kind.is_deed()
        && let Some(done) = cx.host.done()
    {
        let number = number_of(program, cx.state.firing.clause as usize, index);
        if number.is_some_and(|number| done.has(number)) {
            return Ok(true);
        }
    }
    match &action.kind {
        ActionKind::Expr => {}
        ActionKind::Speculate => return Ok(speculate(first, cx)),
        ActionKind::Commit => {
            if !cx.state.speculations.commit(first, &mut cx.state.principal) {
                cx.state.drops.speculation += 1;
            }
        }
        ActionKind::Discard => cx.state.speculations.discard(first),
        ActionKind::Stop => destroy(Destructive::Stop, cx),
        ActionKind::Raise => destroy(Destructive::Raise(first), cx),
        ActionKind::Panic => destroy(Destructive::Panic, cx),
        ActionKind::Breakpoint => destroy(Destructive::Breakpoint, cx),
        ActionKind::Chill if first > MOST_CHILL => return Err(Fault::new(FaultKind::IllegalOp)),
        ActionKind::Chill => destroy(Destructive::Chill(first), cx),
        // Nothing of a process is writable to an engine that works on events.
        ActionKind::Copyout | ActionKind::Copyoutstr => {
            return Err(Fault::address(values.get(1).copied().unwrap_or(0)));
        }
        ActionKind::Exit => {
            cx.state.exit = Some(first as i32);
            record(index, action, values, cx)?;
        }
        ActionKind::Tracemem { size } => tracemem(index, *size, values, cx)?,
        _ => record(index, action, values, cx)?,
    }
    Ok(true)
}

/// Notes a destructive action for the driver. Those that find no room are counted.
fn destroy<H: Host>(action: Destructive, cx: &mut Context<'_, H>) {
    const MOST: usize = 1 << 12;
    if cx.state.deeds.len() < MOST {
        let pid = cx.host.builtin(cx.state.firing.probe, BuiltinVar::Pid);
        cx.state.deeds.push(Deed { pid: u32::try_from(pid).ok(), action });
    } else {
        cx.state.deeds_left_out += 1;
    }
}

fn begin<H: Host>(index: usize, cx: &mut Context<'_, H>) {
    cx.state.firing.records = true;
    cx.state.record.extend_from_slice(&(index as u16).to_le_bytes());
}

fn record<H: Host>(
    index: usize,
    action: &Action,
    values: &[u64],
    cx: &mut Context<'_, H>,
) -> Result<(), Fault> {
    begin(index, cx);
    pack(cx.state, cx.host, &action.args, values, Into::Record)?;
    Ok(())
}

fn tracemem<H: Host>(index: usize, size: u32, values: &[u64], cx: &mut Context<'_, H>) -> Result<(), Fault> {
    begin(index, cx);
    let size = match values.get(1) {
        Some(&dynamic) => u64::from(size).min(dynamic) as usize,
        None => size as usize,
    };
    let address = values.first().copied().unwrap_or(0);
    let bytes = cx.state.memory.bytes(cx.host, address, size)?;
    cx.state.record.extend_from_slice(&(size as u32).to_le_bytes());
    cx.state.record.extend_from_slice(bytes);
    Ok(())
}

/// Turns the rest of the clause's record over to a speculation. One that is full, or not in use, ends the
/// clause.
fn speculate<H: Host>(id: u64, cx: &mut Context<'_, H>) -> bool {
    let Some(clause) = cx.program.clauses.get(cx.state.firing.clause as usize) else { return false };
    let cost = classic_record(clause, cx.state.memory.classic_strsize, false);
    match cx.state.speculations.reserve(id, cost) {
        Some(true) => cx.state.firing.target = Target::Speculation(id),
        Some(false) => {
            cx.state.drops.speculation += 1;
            return false;
        }
        None => return false,
    }
    true
}
