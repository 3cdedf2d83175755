//! Which records of a row are needed: those by which readers need its events, unless others depend on them.

use crate::limits::CallLimit;
use crate::table::{Knows, ROWS, Row};
use tracewell_schema::kernel::hook;
use tracewell_types::call::{CallTest, NeededEvent, Subject};

/// The event type of a switch.
const SWITCH: u8 = hook::THREAD_CSWITCH as u8;

/// Returns `true` if an event is one of a row.
fn is_of(row: &Row, event: &NeededEvent) -> bool {
    row.types().any(|(class, opcode)| class.guid == event.class && opcode == event.opcode)
}

/// Returns `true` if a row makes one of the needed events.
fn makes_any(row: &Row, needed: &[NeededEvent]) -> bool {
    needed.iter().any(|event| is_of(row, event))
}

/// The only records of a row that are needed, each with or without a stack; [`None`] for all.
pub(crate) fn limits(row: &Row, needed: Option<&[NeededEvent]>, stacks: bool) -> Option<Vec<CallLimit>> {
    let needed = needed?;
    let mut others = ROWS.iter().filter(|other| other.knows == Knows::Nothing);
    match row.knows {
        Knows::Nothing => return None,
        // The records of these do not say whom they concern: switches do. The priorities of threads are those of all switches.
        Knows::Switch => {
            let of_row = needed.iter().filter(|event| is_of(row, event));
            let mut more = of_row.filter(|event| event.opcode != SWITCH);
            if others.any(|other| makes_any(other, needed)) || more.next().is_some() {
                return None;
            }
        }
        // Other events of the group show what was learned from these.
        Knows::Thread | Knows::Process => {
            if others.any(|other| other.flags & row.flags != 0 && makes_any(other, needed)) {
                return None;
            }
        }
    }
    let of_row = needed.iter().filter(|event| is_of(row, event));
    let limit = |event: &NeededEvent| CallLimit {
        number: None,
        tests: event.tests.iter().filter(|test| decides(row.knows, test, stacks)).copied().collect(),
    };
    let mut limits: Vec<CallLimit> = Vec::new();
    for limit in of_row.map(limit) {
        if !limits.contains(&limit) {
            limits.push(limit);
        }
    }
    Some(limits)
}

/// Returns `true` if a test has the same result in the kernel as for a reader of the record. A test that is left out lets records
/// through.
fn decides(knows: Knows, test: &CallTest, stacks: bool) -> bool {
    match (knows, test.subject) {
        (Knows::Nothing, _) | (_, Subject::Argument(_) | Subject::Result | Subject::Field(_)) => false,
        // The stack where a thread waited is known from the switch that took it off, maybe on another processor.
        (Knows::Switch, Subject::Processor) => !stacks,
        (Knows::Thread, _) | (_, Subject::Processor) | (Knows::Switch, Subject::Thread) => true,
        // A reader knows user and name by the process.
        (Knows::Process, subject) => subject != Subject::Thread,
        // To a reader, the idle thread and one that has ended are of no process, whose number is then the highest.
        (Knows::Switch, Subject::Process) => !test.passes(u64::MAX),
        // Then the user is 0, and the name is unknown.
        (Knows::Switch, Subject::User) => !test.passes(0),
        (Knows::Switch, Subject::Name) => test.holds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_schema::kernel;
    use tracewell_types::call::Relation;

    fn test(subject: Subject, relation: Relation, holds: bool) -> CallTest {
        CallTest { subject, relation, holds, number: 7 }
    }

    fn event((class, opcode): (&str, u16), tests: &[CallTest]) -> NeededEvent {
        NeededEvent { class: kernel::class(class).unwrap().guid, opcode: opcode as u8, tests: tests.to_vec() }
    }

    fn row(tracepoint: &str) -> &'static Row {
        ROWS.iter().find(|row| row.from.name() == tracepoint).unwrap()
    }

    const SWITCHES: (&str, u16) = ("Thread", hook::THREAD_CSWITCH);
    const WAKE_UPS: (&str, u16) = ("Thread", hook::THREAD_READY_THREAD);
    const PRIORITIES: (&str, u16) = ("Thread", hook::THREAD_SET_PRIORITY);
    const FAULTS: (&str, u16) = ("PageFault", hook::PAGE_FAULT_DEMAND_ZERO_FAULT);
    const SENDS: (&str, u16) = ("TcpIp", hook::TCP_IP_SEND_IPV4);
    const CONNECTS: (&str, u16) = ("TcpIp", hook::TCP_IP_CONNECT_IPV4);
    const STARTS: (&str, u16) = ("Process", hook::PROCESS_START);

    /// What is needed, and for some tracepoints how many tests each of their limits has; `None` where all records are logged.
    #[test]
    fn issue_16_records_that_others_depend_on_are_logged() {
        use Relation::{Below, Equal};
        use Subject::{Name, Process, Processor, Thread, User};
        let (process, thread) = (test(Process, Equal, true), test(Thread, Equal, true));
        let (not, cpu) = (test(Process, Equal, false), test(Processor, Below, true));
        let (name, other_name) = (test(Name, Equal, true), test(Name, Equal, false));
        let root = CallTest { number: 0, ..test(User, Equal, true) };
        let all = [process, thread, cpu];
        type Limits = (&'static str, Option<&'static [usize]>);
        let rows: &[(Vec<NeededEvent>, &[Limits])] = &[
            (
                vec![event(FAULTS, &all)],
                &[
                    ("page_fault_user", Some(&[3])),
                    ("page_fault_kernel", Some(&[3])),
                    ("sched_switch", Some(&[])),
                ],
            ),
            (vec![event(FAULTS, &[]), event(FAULTS, &all)], &[("page_fault_user", Some(&[0, 3]))]),
            // Each limit comes once.
            (vec![event(FAULTS, &all), event(FAULTS, &all)], &[("page_fault_user", Some(&[3]))]),
            (
                vec![event(WAKE_UPS, &[not])],
                &[("sched_waking", Some(&[1])), ("sched_wakeup_new", Some(&[1]))],
            ),
            (vec![event(SWITCHES, &all), event(WAKE_UPS, &[])], &[("sched_switch", Some(&[3]))]),
            // A thread that has ended is of no process.
            (vec![event(SWITCHES, &[not, thread])], &[("sched_switch", Some(&[1]))]),
            (vec![event(SWITCHES, &all), event(PRIORITIES, &[])], &[("sched_switch", None)]),
            // To a reader, its user is 0, and its name is unknown.
            (
                vec![event(SWITCHES, &[name, test(User, Equal, true)])],
                &[("sched_switch", Some(&[2])), ("sched_waking", Some(&[]))],
            ),
            (vec![event(SWITCHES, &[other_name, root])], &[("sched_switch", Some(&[0]))]),
            (vec![event(WAKE_UPS, &[other_name, root])], &[("sched_waking", Some(&[2]))]),
            (vec![event(SENDS, &[name, root, thread])], &[("sock_send_length", Some(&[2]))]),
            // Who started a process is known by the switches.
            (
                vec![event(SWITCHES, &all), event(STARTS, &all)],
                &[("sched_switch", None), ("task_newtask", None)],
            ),
            (
                vec![event(SENDS, &all)],
                &[
                    ("sock_send_length", Some(&[2])),
                    ("sock_recv_length", Some(&[])),
                    ("tcp_retransmit_skb", None),
                ],
            ),
            // Whose a connection is, those who use it show.
            (
                vec![event(SENDS, &all), event(CONNECTS, &[])],
                &[("sock_send_length", None), ("sock_recv_length", None)],
            ),
        ];
        for (needed, expected) in rows {
            for (tracepoint, tests) in *expected {
                let found = limits(row(tracepoint), Some(needed), false);
                let found = found.map(|all| all.iter().map(|limit| limit.tests.len()).collect::<Vec<_>>());
                assert_eq!(found.as_deref(), *tests, "{tracepoint} {needed:?}");
            }
            for row in ROWS {
                assert_eq!(limits(row, None, true), None);
            }
        }
    }

    /// A thread may come back on another processor than the one where it went to wait.
    #[test]
    fn issue_16_a_processor_limits_no_switches_with_stacks() {
        let needed = [event(
            SWITCHES,
            &[test(Subject::Process, Relation::Equal, true), test(Subject::Processor, Relation::Equal, true)],
        )];
        for (stacks, tests) in [(false, 2), (true, 1)] {
            let found = limits(row("sched_switch"), Some(&needed), stacks).unwrap();
            assert_eq!(found.iter().map(|limit| limit.tests.len()).collect::<Vec<_>>(), [tests]);
        }
        let faults = [event(FAULTS, &[test(Subject::Processor, Relation::Equal, true)])];
        assert_eq!(limits(row("page_fault_user"), Some(&faults), true).unwrap()[0].tests.len(), 1);
    }
}
