//! The events that flags enable.

use tracewell_types::Guid;

use crate::owner;
use crate::table::{From, ROWS, Row};
use crate::tasks;

/// The hook ids of the events that flags enable, for [`Options::stacks`](crate::Options::stacks).
#[must_use]
pub fn events(flags: u32) -> Vec<u16> {
    ROWS.iter().filter(|row| row.flags & flags != 0).flat_map(Row::hooks).collect()
}

/// The classes and types of the events that flags enable and that may have stacks, as a session is asked for them.
#[must_use]
pub fn stack_events(flags: u32) -> Vec<(Guid, u8)> {
    let of_hook = |hook: u16| {
        let [group, opcode] = hook.to_be_bytes();
        Some((tracewell_schema::kernel::by_hook(group, opcode)?.guid, opcode))
    };
    let mut all: Vec<(Guid, u8)> = events(flags).into_iter().filter_map(of_hook).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns `true` if a source of the kernel becomes such an event, given by class and type: with programs in the kernel, or
/// without.
///
/// ```
/// use tracewell_schema::kernel;
///
/// let threads = kernel::class("Thread").unwrap().guid;
/// assert!(tracewell_kernel_linux::logs(&threads, 36, true));
/// assert!(!tracewell_kernel_linux::logs(&threads, 37, true), "a spin lock has no counterpart");
/// assert!(tracewell_kernel_linux::logs(&threads, 36, false));
/// assert!(!tracewell_kernel_linux::logs(&threads, 50, false), "a wake-up needs a program");
/// ```
#[must_use]
pub fn logs(class: &Guid, opcode: u8, programs: bool) -> bool {
    let rows = ROWS.iter().filter(|row| programs || tasks::serve(row.from));
    rows.flat_map(Row::types).any(|(known, event)| known.guid == *class && event == opcode)
}

/// Returns `true` if such an event is logged in sessions that record the processes of one user.
///
/// ```
/// use tracewell_schema::kernel;
///
/// let threads = kernel::class("Thread").unwrap().guid;
/// assert!(tracewell_kernel_linux::logs_owned(&threads, 1));
/// assert!(!tracewell_kernel_linux::logs_owned(&threads, 50), "a wake-up concerns other users, too");
/// ```
#[must_use]
pub fn logs_owned(class: &Guid, opcode: u8) -> bool {
    let is_owned = |row: &&Row| {
        let is_there = match row.from {
            From::Tracepoint(name, _) => owner::TRACEPOINTS.contains(&name),
            From::Perf(name) => name == "mmap2",
            From::Proc(_) => true,
        };
        is_there && row.flags & owner::FLAGS != 0
    };
    let rows = ROWS.iter().filter(is_owned);
    rows.flat_map(Row::types).any(|(known, event)| known.guid == *class && event == opcode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::{CSWITCH, all};

    #[test]
    fn flags_have_events() {
        assert_eq!(events(CSWITCH), [0x0524, 0x0530]);
        let switches = Guid::parse("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
        assert_eq!(stack_events(CSWITCH), [(switches, 36), (switches, 48)]);
        assert!(stack_events(all()).len() <= 256, "a session takes no more");
    }
}
