//! Processes, threads and switches as performance events show them, for kernels that take no programs of ours.
//!
//! They become the samples that programs would write. What events do not have is read from `/proc` when a sample is handed out,
//! some milliseconds later; a process that is gone by then has the short name that the event has.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flags as flag;
use crate::sample::{CLONE_THREAD, Exec, Exit, Head, NewTask, Rename, Sample, Switch, TEXT, UNKNOWN};
use crate::table::From;
use crate::translate::{Facts, INTERRUPTIBLE};

/// The flags that are served without programs.
pub(crate) const FLAGS: u32 = flag::PROCESS
    | flag::THREAD
    | flag::IMAGE_LOAD
    | flag::PROFILE
    | flag::CSWITCH
    | flag::MEMORY_HARD_FAULTS;
/// The tracepoints that these events replace.
const INSTEAD: [&str; 5] =
    ["task_newtask", "sched_process_exec", "sched_process_exit", "task_rename", "sched_switch"];
/// The kernel's usual priority: these events have none.
const USUAL: u32 = 120;
/// The id of a thread that has been taken out of the tables.
const GONE: u32 = u32::MAX;

/// Returns `true` if a source is served without programs.
pub(crate) fn serve(from: From) -> bool {
    match from {
        From::Tracepoint(name, _) => INSTEAD.contains(&name),
        From::Perf(_) | From::Proc(_) => true,
    }
}

/// A process and one of its threads.
pub(crate) type Ids = (u32, u32);

/// What happened to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task<'a> {
    /// One was made.
    Forked { parent: Ids, child: Ids },
    /// It ended.
    Ended(Ids),
    /// It has another name, in a new program if `exec` is set.
    Named { ids: Ids, name: &'a [u8], exec: bool },
    /// A processor left it for another one.
    Switched { from: Ids, to: Ids, preempted: bool },
    /// A processor came to it.
    Came(Ids),
}

/// The state of threads, as far as samples need it.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    /// The threads of each process.
    threads: FxHashMap<u32, FxHashSet<u32>>,
    /// The thread that each processor runs.
    running: FxHashMap<u16, Ids>,
}

/// What `/proc` has of a process.
pub(crate) struct Program {
    /// Its real user; [`UNKNOWN`] if the process is gone.
    pub(crate) uid: u32,
    pub(crate) path: Option<String>,
    pub(crate) arguments: Vec<u8>,
}

impl Tasks {
    /// Takes note of a process that a rundown found.
    pub(crate) fn found(&mut self, facts: &Facts) {
        let threads = self.threads.entry(facts.pid).or_default();
        threads.extend(facts.threads.iter().map(|(tid, _)| *tid));
    }

    /// Appends what a program would have written; nothing if it says nothing new.
    pub(crate) fn sample(
        &mut self,
        (cpu, time): (u16, u64),
        task: Task<'_>,
        look: impl Fn(u32) -> Program,
        out: &mut Vec<u8>,
    ) {
        out.clear();
        match task {
            Task::Forked { parent, child } => {
                let same = parent.0 == child.0;
                let threads = self.threads.entry(child.0).or_default();
                if !same {
                    threads.clear();
                }
                threads.insert(child.1);
                let flags = if same { CLONE_THREAD } else { 0 };
                let uid = if same { 0 } else { look(child.0).uid };
                put(
                    NewTask { tid: child.1, pid: child.0, flags, uid, priority: USUAL, ..made(time, parent) },
                    out,
                );
            }
            Task::Ended(ids) => {
                let threads = self.threads.get_mut(&ids.0);
                let last = threads.map_or(ids.0 == ids.1, |threads| {
                    threads.remove(&ids.1);
                    threads.is_empty()
                });
                if last {
                    self.threads.remove(&ids.0);
                }
                put(Exit { last: u32::from(last), code: UNKNOWN, ..made(time, ids) }, out);
            }
            Task::Named { ids, name, exec: false } => {
                let mut rename = Rename { tid: ids.1, pid: ids.0, ..made(time, ids) };
                fill(&mut rename.comm, name);
                put(rename, out);
            }
            Task::Named { ids, name, exec: true } => {
                // Its other threads are gone, and it has the first one's id.
                self.threads.insert(ids.0, std::iter::once(ids.1).collect());
                let program = look(ids.0);
                let mut exec = Exec { old_tid: ids.1, uid: program.uid, ..made(time, ids) };
                let named = |path: &&String| {
                    path.rsplit('/').next().is_some_and(|base| base.as_bytes().starts_with(name))
                };
                // It may run yet another program by now.
                let path = program.path.as_ref().filter(named);
                fill(&mut exec.path, path.map_or(name, |path| path.as_bytes()));
                let arguments = if path.is_some() { program.arguments.as_slice() } else { name };
                exec.arguments_size = arguments.len().min(TEXT) as u64;
                fill(&mut exec.arguments, arguments);
                put(exec, out);
            }
            Task::Came(ids) => {
                self.running.insert(cpu, ids);
            }
            Task::Switched { from, to, preempted } => {
                let ran = self.running.insert(cpu, to);
                let from = if from.1 == GONE { ran.unwrap_or_default() } else { from };
                put(
                    Switch {
                        next: to.1,
                        next_pid: to.0,
                        state: INTERRUPTIBLE,
                        priority: USUAL,
                        next_priority: USUAL,
                        preempted: u32::from(preempted),
                        ..made(time, from)
                    },
                    out,
                );
            }
        }
    }
}

/// A sample of a thread at a time.
fn made<S: Sample>(time: u64, (pid, tid): Ids) -> S {
    let mut sample = S::default();
    *sample.head_mut() = Head { kind: S::KIND, row: 0, time, tid, pid };
    sample
}

fn put<S: Sample>(sample: S, out: &mut Vec<u8>) {
    out.extend_from_slice(sample.as_bytes());
}

/// Fills a field, of which the last byte stays NUL.
fn fill(field: &mut [u8], text: &[u8]) {
    let room = field.len() - 1;
    for (to, from) in field.iter_mut().zip(text.iter().take(room)) {
        *to = *from;
    }
}

/// The names of what is served without programs, for an error.
pub(crate) fn names() -> String {
    let served = |flag: &&(&str, u32)| FLAGS & flag.1 != 0;
    flag::NAMES.iter().filter(served).map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ROWS;

    const SH: Ids = (10, 10);
    fn sample<S: Sample>(tasks: &mut Tasks, cpu: u16, task: Task<'_>) -> S {
        let mut out = Vec::new();
        let look = |pid| Program {
            uid: 1000 + pid,
            path: Some("/usr/bin/sleeper".to_owned()),
            arguments: b"sleeper\x001\0".to_vec(),
        };
        tasks.sample((cpu, 7), task, look, &mut out);
        let (sample, rest) = S::read_from_prefix(&out).unwrap();
        assert!(rest.is_empty());
        sample
    }

    #[test]
    fn issue_16_a_process_ends_with_its_last_thread() {
        let mut tasks = Tasks::default();
        tasks.found(&Facts {
            pid: 10,
            threads: vec![(10, "sh".into()), (11, "a".into())],
            ..Facts::default()
        });
        let forked = |child| Task::Forked { parent: SH, child };
        let new: NewTask = sample(&mut tasks, 0, forked((10, 12)));
        assert_eq!((new.head.pid, new.head.tid, new.head.time, new.head.kind), (10, 10, 7, NewTask::KIND));
        assert_eq!((new.pid, new.tid, new.flags, new.uid, new.priority), (10, 12, CLONE_THREAD, 0, USUAL));
        let new: NewTask = sample(&mut tasks, 0, forked((20, 20)));
        assert_eq!((new.pid, new.tid, new.flags, new.uid), (20, 20, 0, 1020));
        // A thread that the rundown found, and of which an event comes, counts once.
        sample::<NewTask>(&mut tasks, 0, forked((10, 11)));
        let mut ended = |ids| sample::<Exit>(&mut tasks, 0, Task::Ended(ids)).last;
        let all = [(10, 10), (10, 12), (20, 20), (10, 11), (30, 30), (30, 31)].map(&mut ended);
        assert_eq!(all, [0, 0, 1, 1, 1, 0]);
    }

    /// The end of the process that had the id before may not have been seen.
    #[test]
    fn issue_23_a_process_with_an_id_that_is_used_again_has_its_own_threads() {
        let mut tasks = Tasks::default();
        let threads = vec![(20, "old".into()), (21, "old".into())];
        tasks.found(&Facts { pid: 20, threads, ..Facts::default() });
        sample::<NewTask>(&mut tasks, 0, Task::Forked { parent: SH, child: (20, 20) });
        sample::<NewTask>(&mut tasks, 0, Task::Forked { parent: (20, 20), child: (20, 22) });
        let mut ended = |ids| sample::<Exit>(&mut tasks, 0, Task::Ended(ids)).last;
        assert_eq!([(20, 22), (20, 20)].map(&mut ended), [0, 1]);
    }

    #[test]
    fn issue_16_a_new_program_is_that_of_its_name() {
        let mut tasks = Tasks::default();
        tasks.found(&Facts {
            pid: 10,
            threads: vec![(10, "sh".into()), (11, "a".into())],
            ..Facts::default()
        });
        let named = |name: &'static [u8], exec| Task::Named { ids: SH, name, exec };
        let exec: Exec = sample(&mut tasks, 0, named(b"sleeper", true));
        assert_eq!((exec.uid, crate::sample::text(&exec.path)), (1010, &b"/usr/bin/sleeper"[..]));
        assert_eq!(&exec.arguments[..exec.arguments_size as usize], b"sleeper\x001\0");
        // The process runs another one by now.
        let exec: Exec = sample(&mut tasks, 0, named(b"ls", true));
        assert_eq!((crate::sample::text(&exec.path), exec.arguments_size), (&b"ls"[..], 2));
        let rename: Rename = sample(&mut tasks, 0, named(b"a name that is long", false));
        assert_eq!((rename.pid, rename.tid, &rename.comm), (10, 10, b"a name that is \0"));
        // The other thread went with the old program.
        assert_eq!(sample::<Exit>(&mut tasks, 0, Task::Ended(SH)).last, 1);
    }

    #[test]
    fn issue_16_a_thread_that_is_gone_is_the_one_that_ran() {
        let mut tasks = Tasks::default();
        let mut out = vec![1];
        tasks.sample((1, 5), Task::Came((10, 11)), |_| unreachable!(), &mut out);
        assert!(out.is_empty(), "a processor that comes to a thread has left another");
        let from = (GONE, GONE);
        let switch: Switch = sample(&mut tasks, 1, Task::Switched { from, to: (20, 21), preempted: false });
        assert_eq!((switch.head.pid, switch.head.tid, switch.next_pid, switch.next), (10, 11, 20, 21));
        assert_eq!((switch.state, switch.preempted), (INTERRUPTIBLE, 0));
        let switch: Switch = sample(&mut tasks, 1, Task::Switched { from, to: (0, 0), preempted: true });
        assert_eq!((switch.head.tid, switch.next, switch.preempted), (21, 0, 1));
        // Another processor is another one's.
        let switch: Switch = sample(&mut tasks, 0, Task::Switched { from, to: (5, 5), preempted: false });
        assert_eq!((switch.head.tid, switch.next), (0, 5));
    }

    #[test]
    fn issue_16_rows_that_need_no_programs_serve_their_flags() {
        for (name, bit) in flag::NAMES {
            let mut rows = ROWS.iter().filter(|row| row.flags & bit != 0 && !row.events.is_empty());
            let first = rows.find(|row| serve(row.from));
            assert_eq!(first.is_some(), FLAGS & bit != 0, "{name}");
        }
        for name in INSTEAD {
            assert!(ROWS.iter().any(|row| row.from.name() == name), "{name}");
        }
        assert_eq!(names(), "PROCESS, THREAD, IMAGE_LOAD, CSWITCH, MEMORY_HARD_FAULTS, PROFILE");
    }
}
