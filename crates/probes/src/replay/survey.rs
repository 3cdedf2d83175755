//! The first pass: what a program needs to know about a trace before events are delivered.

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::format::Piece;
use tracewell_dlang::program::{Program, Repr, Uses};
use tracewell_etl::Trace;
use tracewell_etl::read::Ledger;
use tracewell_state::{Machine, MachineBuilder, Needs, StackBuilder, Stacks};

/// What of the machine a program asks for.
#[must_use]
pub fn needs(program: &Program) -> Needs {
    // File names reach a script only through the arguments of file probes, and images only through
    // addresses that are shown as symbols. A stack or an address in a format needs no `uses`.
    let symbolic = |reprs: &[Repr]| reprs.iter().any(|r| matches!(r, Repr::Stack { .. } | Repr::Symbol(_)));
    let address = |piece: &Piece| matches!(piece, Piece::Conv(conv) if matches!(conv.conv, b'a' | b'A'));
    let images = program.formats.iter().any(|f| f.pieces.iter().any(address))
        || program.aggs.iter().any(|a| symbolic(&a.keys))
        || program.vars.iter().any(|v| symbolic(&v.keys))
        || program.clauses.iter().any(|c| c.uses.stacks || c.actions.iter().any(|a| symbolic(&a.args)));
    Needs { files: program.clauses.iter().any(|c| c.uses.args), images, stacks: false }
}

/// The first pass, in file order: the machine over time. Calls `progress` occasionally with the number of bytes read.
/// Also returns the number of defining events that could not be read.
pub fn survey(traces: &[Trace<'_>], needs: Needs, progress: impl FnMut(u64)) -> (Machine, u64) {
    let (machine, unread, _) = survey_all(traces, needs, progress);
    (machine, unread)
}

/// Like [`survey`], with the ledger of each trace: all damage in it, needed or not.
pub fn survey_all(
    traces: &[Trace<'_>],
    needs: Needs,
    mut progress: impl FnMut(u64),
) -> (Machine, u64, Vec<Ledger>) {
    let mut ledgers = Vec::with_capacity(traces.len());
    let mut builder = MachineBuilder::new().only(needs);
    let wanted = needs.records();
    let (mut records, mut before) = (0u64, 0);
    for trace in traces {
        let mut cursor = trace.file_order().only(wanted.clone());
        while let Some(record) = cursor.next() {
            builder.observe(&record);
            records += 1;
            if records & 0xfff == 0 {
                progress(before + cursor.bytes_done());
            }
        }
        before += trace.extent().end - trace.extent().start;
        let mut ledger = trace.ledger().clone();
        ledger.absorb(cursor.ledger());
        ledgers.push(ledger);
    }
    if !needs.stacks && !builder.has_thread_rundown() {
        // Without a list of threads, reading the owners from stacks is worth a second pass over the
        // trace.
        for trace in traces {
            let mut cursor = trace.file_order().only(Needs::stack_records());
            while let Some(record) = cursor.next() {
                builder.observe(&record);
            }
        }
    }
    let unread = builder.unread();
    (builder.finish(), unread, ledgers)
}

/// Returns `true` if a clause with these uses takes a call stack.
pub fn takes_stacks(uses: &Uses) -> bool {
    use BuiltinVar::{Caller, Stackdepth, Ucaller, Ustackdepth};
    uses.stacks
        || [Caller, Ucaller, Stackdepth, Ustackdepth].iter().any(|v| uses.builtins.contains(&(*v as u16)))
}

/// The pass that collects call stacks, in file order; [`None`] when no clause of the program takes any.
pub fn stacks(traces: &[Trace<'_>], program: &Program) -> Option<Stacks> {
    if !program.clauses.iter().any(|clause| takes_stacks(&clause.uses)) {
        return None;
    }
    let wanted = StackBuilder::wanted();
    let mut builder = StackBuilder::new();
    for trace in traces {
        builder.next_trace();
        let mut cursor = trace.file_order().only(wanted.clone());
        while let Some(record) = cursor.next() {
            builder.observe(&record);
        }
    }
    Some(builder.finish())
}

#[cfg(test)]
mod tests {
    use tracewell_dlang::format::{Conv, Format};
    use tracewell_dlang::program::{
        Action, ActionKind, AggFunc, Aggregation, Clause, Scope, StackPart, SymbolKind, Variable,
    };

    use super::*;

    #[test]
    fn issue_23_programs_need_what_they_show() {
        let number = Repr::Int { bytes: 8, signed: true };
        let reprs = |symbolic: bool| {
            let stack = Repr::Stack { part: StackPart::User, frames: 0, strsize: 0 };
            if symbolic {
                vec![vec![number.clone(), stack], vec![Repr::Symbol(SymbolKind::Sym)]]
            } else {
                vec![vec![], vec![Repr::Str]]
            }
        };
        let action = |args| Action { kind: ActionKind::Expr, args, number: 1, line: 1 };
        let clause = |uses| Clause { uses, ..Clause::default() };
        let found = |program: &Program| {
            let needs = needs(program);
            assert!(!needs.stacks);
            (needs.files, needs.images)
        };
        for symbolic in [false, true] {
            for keys in reprs(symbolic) {
                let agg = Aggregation {
                    name: String::new(),
                    func: AggFunc::Count,
                    keys: keys.clone(),
                    signed: true,
                    time: None,
                };
                let var = Variable {
                    name: String::new(),
                    scope: Scope::Global,
                    keys: keys.clone(),
                    associative: true,
                    repr: number.clone(),
                    size: 0,
                };
                let acts = Clause { actions: vec![action(vec![]), action(keys)], ..Clause::default() };
                for program in [
                    Program { aggs: vec![agg], ..Program::default() },
                    Program { vars: vec![var], ..Program::default() },
                    Program { clauses: vec![Clause::default(), acts], ..Program::default() },
                ] {
                    assert_eq!(found(&program), (false, symbolic), "{program:?}");
                }
            }
        }
        for (conv, images) in [(b'a', true), (b'A', true), (b'd', false), (b'p', false)] {
            let pieces = vec![Piece::Text(b"a".to_vec()), Piece::Conv(Conv { conv, ..Conv::default() })];
            let program =
                Program { formats: vec![Format { pieces: vec![] }, Format { pieces }], ..Program::default() };
            assert_eq!(found(&program), (false, images));
        }
        for (uses, expected) in [
            (Uses { args: true, ..Uses::default() }, (true, false)),
            (Uses { stacks: true, ..Uses::default() }, (false, true)),
            (Uses::default(), (false, false)),
        ] {
            let clauses = vec![Clause::default(), clause(uses)];
            assert_eq!(found(&Program { clauses, ..Program::default() }), expected);
        }
    }

    #[test]
    fn issue_23_variables_of_stacks_take_stacks() {
        for (var, expected) in [
            (BuiltinVar::Caller, true),
            (BuiltinVar::Ucaller, true),
            (BuiltinVar::Stackdepth, true),
            (BuiltinVar::Ustackdepth, true),
            (BuiltinVar::Pid, false),
        ] {
            let uses = Uses { builtins: vec![BuiltinVar::Tid as u16, var as u16], ..Uses::default() };
            assert_eq!(takes_stacks(&uses), expected, "{var:?}");
        }
        assert!(takes_stacks(&Uses { stacks: true, ..Uses::default() }) && !takes_stacks(&Uses::default()));
    }
}
