//! Which other events of the kernel a program needs: those of its probes, where the tests of whom they concern hold at the head of
//! their predicates. A source that knows them need not log the others, which fire nothing.

use tracewell_dengine::Engine;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::Op;
use tracewell_dlang::program::{Clause, ProbeId};
use tracewell_schema::kernel::{self, hook};
use tracewell_types::call::{CallTest, NeededEvent};

use super::calls;
use crate::catalog::{Kind, ProbeCatalog};
use crate::table::Fire;

/// A context switch.
const SWITCH: (&str, u8) = ("Thread", hook::THREAD_CSWITCH as u8);

/// The events of the kernel that the enabled probes of a program need; [`None`] if it may need any. Probes on system calls by name
/// and on samples have their own needs.
pub(super) fn needed(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Option<Vec<NeededEvent>> {
    let mut all = Events(Vec::new());
    let program = engine.program();
    let clauses = &program.clauses;
    let on = |id: ProbeId| clauses.iter().filter(move |clause| clause.probes.contains(&id));
    for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        match kind {
            Kind::Begin | Kind::End | Kind::Error | Kind::Timer(_) | Kind::Call(..) => {}
            // It comes with other events, as a stack does.
            Kind::Class(class, opcode) if !has_flag(class, opcode) => return None,
            Kind::Fixed(def) if kernel::class(def.class).is_some() => {
                for clause in on(info.id) {
                    let tests = if concerns_who_acts(def.fire) {
                        calls::tests(program, clause, None, &mut |_| None)
                    } else {
                        Vec::new()
                    };
                    def.opcodes.iter().for_each(|opcode| all.add((def.class, *opcode), &tests));
                }
                def.fire.depends_on().iter().for_each(|event| all.add(*event, &[]));
            }
            Kind::Class(class, opcode) => {
                on(info.id).for_each(|clause| {
                    all.add((class, opcode), &calls::tests(program, clause, None, &mut |_| None))
                });
            }
            _ => return None,
        }
        // Where a thread ran and waited before, all switches say.
        if on(info.id).any(|clause| reads_threads(clause, kind)) {
            all.add(SWITCH, &[]);
        }
    }
    Some(all.0)
}

/// Returns `true` if a session can ask for an event by a flag.
fn has_flag(class: &str, opcode: u8) -> bool {
    kernel::class(class)
        .is_some_and(|class| kernel::flags(class, opcode).iter().any(|flag| flag.bit().is_some()))
}

/// Events by class and type.
struct Events(Vec<NeededEvent>);

impl Events {
    fn add(&mut self, (class, opcode): (&str, u8), tests: &[CallTest]) {
        let Some(class) = kernel::class(class) else { return };
        let event = NeededEvent { class: class.guid, opcode, tests: tests.to_vec() };
        if !self.0.contains(&event) {
            self.0.push(event);
        }
    }
}

/// Returns `true` if a probe fires with the thread that its event belongs to, or with one of those of a switch, whatever was
/// logged before.
fn concerns_who_acts(fire: Fire) -> bool {
    matches!(
        fire,
        Fire::Fields(_)
            | Fire::Net
            | Fire::Packet
            | Fire::Wakeup
            | Fire::OnCpu
            | Fire::OffCpu
            | Fire::Goes(_)
            | Fire::Event
    )
}

/// Returns `true` if a clause reads where or how long a thread ran or waited: in its native record, in that of a processor, or as
/// its time on processors.
fn reads_threads(clause: &Clause, kind: Kind) -> bool {
    const READ: [BuiltinVar; 3] = [BuiltinVar::Curthread, BuiltinVar::CurcpuNative, BuiltinVar::Vtimestamp];
    const TYPES: [&str; 2] = ["etw_thread_t *", "etw_cpu_t *"];
    let on_threads =
        matches!(kind, Kind::Fixed(def) if def.args.iter().any(|arg| TYPES.contains(&arg.native)));
    clause.code.iter().any(|inst| match inst.op {
        Op::LdB => READ.iter().any(|var| i32::from(*var as u16) == inst.imm),
        Op::LdArg => on_threads,
        _ => false,
    })
}
