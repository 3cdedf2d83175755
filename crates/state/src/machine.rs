//! The tables that the first pass yields.

use rustc_hash::FxHashMap;

use crate::files::FileName;
use crate::images::{Image, ImageIdentity, Images};
use crate::methods::Methods;
use crate::names::{NameId, Names};
use crate::processes::{Process, ProcessIndex};
use crate::spans::{FOREVER, ONCE, Sighting, Span, Spans, join};
use crate::threads::{Thread, ThreadIndex};
use crate::volumes::Volumes;

/// Everything that a trace contains about the machine, by time. Immutable once built.
///
/// A lookup returns the last owner of an id that began by the given time, whether or not it has
/// ended since: events about a process or thread may come shortly after its end, and until the id
/// is reused, only that owner is possible. [`Span::contains`] distinguishes the two cases.
#[derive(Debug, Default)]
pub struct Machine {
    names: Names,
    processes: Spans<u32, Process>,
    threads: Spans<u32, Thread>,
    images: Images,
    files: Spans<u64, FileName>,
    keys: Spans<u64, FileName>,
    volumes: Volumes,
    methods: Methods,
    /// For each processor the time of its first context switch and the thread that left.
    first_switch: FxHashMap<u16, (i64, u32)>,
}

/// The result of the first pass.
pub(crate) struct Tables {
    pub(crate) names: Names,
    pub(crate) processes: Vec<Sighting<u32, Process>>,
    pub(crate) threads: Vec<Sighting<u32, Thread>>,
    pub(crate) images: Vec<Sighting<(u32, u64), Image>>,
    pub(crate) files: Vec<Sighting<u64, FileName>>,
    pub(crate) keys: Vec<Sighting<u64, FileName>>,
    pub(crate) identities: FxHashMap<(u32, u64), ImageIdentity>,
    /// Link time stamps by process and base, which older load records do not contain.
    pub(crate) image_stamps: FxHashMap<(u32, u64), u32>,
    pub(crate) volumes: Volumes,
    pub(crate) methods: Methods,
    pub(crate) first_switch: FxHashMap<u16, (i64, u32)>,
    pub(crate) owners: FxHashMap<(u32, u32), (i64, i64)>,
}

impl Machine {
    pub(crate) fn build(tables: Tables) -> Machine {
        let Tables {
            mut names,
            processes,
            threads,
            images,
            files,
            keys,
            identities,
            image_stamps,
            volumes,
            methods,
            first_switch,
            owners,
        } = tables;

        let mut processes = join(processes);
        if processes.first().is_none_or(|(pid, _)| *pid != 0) {
            processes.insert(0, (0, idle_process(&mut names)));
        }
        let processes = Spans::index(processes);

        let mut threads = join(threads);
        if threads.first().is_none_or(|(tid, _)| *tid != 0) {
            let idle = Span { start: FOREVER, end: ONCE, value: Thread::new(0, 0, ONCE) };
            threads.insert(0, (0, idle));
        }
        let mut threads = add_undefined(threads, owners);
        for (_, span) in &mut threads {
            // The process begins before its first thread and the thread is seen before the pid is used anew.
            let known = span.value.seen.min(span.end);
            span.value.process = processes.at(span.value.pid, known).map(ProcessIndex);
            span.value.changes = changes(&names, processes.run(span.value.pid), span);
        }
        let threads = Spans::index(threads);

        let mut images = Spans::build(images);
        for ((pid, base), span) in images.entries_mut() {
            let identity = identities.get(&(*pid, *base)).or_else(|| identities.get(&(0, *base)));
            span.value.identity = identity.copied();
            let stamp = image_stamps.get(&(*pid, *base)).or_else(|| image_stamps.get(&(0, *base)));
            // A rundown may have written none.
            span.value.time_stamp = span.value.time_stamp.filter(|stamp| *stamp != 0).or(stamp.copied());
        }
        names.seal();
        Machine {
            names,
            processes,
            threads,
            images: Images::new(images),
            files: Spans::build(files),
            keys: Spans::build(keys),
            volumes,
            methods,
            first_switch,
        }
    }

    /// All names.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// A name; see [`Names::get`].
    #[must_use]
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }

    /// Every process, by pid and start.
    pub fn processes(&self) -> impl ExactSizeIterator<Item = &Span<Process>> {
        self.processes.entries().iter().map(|(_, span)| span)
    }

    /// A process by its index.
    #[inline]
    #[must_use]
    pub fn process(&self, index: ProcessIndex) -> Option<&Span<Process>> {
        self.processes.get(index.0)
    }

    /// The last process that had this id by `time` (raw).
    #[inline]
    #[must_use]
    pub fn process_at(&self, pid: u32, time: i64) -> Option<ProcessIndex> {
        self.processes.at(pid, time).map(ProcessIndex)
    }

    /// Every process that ever had this id, by start.
    pub fn processes_of(&self, pid: u32) -> impl ExactSizeIterator<Item = &Span<Process>> {
        self.processes.run(pid).iter().map(|(_, span)| span)
    }

    /// Every thread, by tid and start.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = &Span<Thread>> {
        self.threads.entries().iter().map(|(_, span)| span)
    }

    /// A thread by its index.
    #[inline]
    #[must_use]
    pub fn thread(&self, index: ThreadIndex) -> Option<&Span<Thread>> {
        self.threads.get(index.0)
    }

    /// The last thread that had this id by `time` (raw).
    #[inline]
    #[must_use]
    pub fn thread_at(&self, tid: u32, time: i64) -> Option<ThreadIndex> {
        self.threads.at(tid, time).map(ThreadIndex)
    }

    /// Every image mapping, by pid, base address and start.
    pub fn images(&self) -> impl ExactSizeIterator<Item = &Span<Image>> {
        self.images.all()
    }

    /// The image that was last mapped at `base` by `time`.
    #[must_use]
    pub fn image_at_base(&self, pid: u32, base: u64, time: i64) -> Option<&Span<Image>> {
        self.images.at_base(pid, base, time)
    }

    /// The image that holds an address of a process: its own, or a driver, which are listed under
    /// process 0.
    #[must_use]
    pub fn image_at(&self, pid: u32, address: u64, time: i64) -> Option<&Span<Image>> {
        let own = self.images.at_address(pid, address, time);
        if pid == 0 { own } else { own.or_else(|| self.images.at_address(0, address, time)) }
    }

    /// The image that held an address of a process (or of the kernel) at any time: the one mapped there
    /// last.
    #[must_use]
    pub fn image_ever(&self, pid: u32, address: u64) -> Option<&Span<Image>> {
        let own = self.images.ever(pid, address);
        if pid == 0 { own } else { own.or_else(|| self.images.ever(0, address)) }
    }

    /// Methods that the .NET runtime compiled.
    #[must_use]
    pub fn methods(&self) -> &Methods {
        &self.methods
    }

    /// The path of the file that an event names by `key` at `time`.
    #[inline]
    #[must_use]
    pub fn file_at(&self, key: u64, time: i64) -> Option<NameId> {
        let span = self.files.get(self.files.at(key, time)?)?;
        Some(span.value.path)
    }

    /// The path of the file whose bytes were read or written for `key` at `time`.
    ///
    /// A file is read while it is being opened, and named only when that is done: so before its first name a key counts as
    /// that file's here.
    #[inline]
    #[must_use]
    pub fn transferred_file_at(&self, key: u64, time: i64) -> Option<NameId> {
        self.file_at(key, time).or_else(|| self.files.run(key).first().map(|(_, span)| span.value.path))
    }

    /// The path of the registry key whose control block was at `key` at `time`.
    #[must_use]
    pub fn registry_key_at(&self, key: u64, time: i64) -> Option<NameId> {
        Some(self.keys.get(self.keys.at(key, time)?)?.value.path)
    }

    /// Every file name, by key and start.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &Span<FileName>> {
        self.files.entries().iter().map(|(_, span)| span)
    }

    /// The volume mappings of the traced machine.
    #[must_use]
    pub fn volumes(&self) -> &Volumes {
        &self.volumes
    }

    /// The thread that ran on a processor when the trace began, from its first context switch.
    #[must_use]
    pub fn first_on_cpu(&self, cpu: u16) -> Option<u32> {
        self.first_switch.get(&cpu).map(|(_, tid)| *tid)
    }

    /// For each processor with context switches: the processor, the time of the first one, and the
    /// thread that left.
    pub(crate) fn first_switches(&self) -> impl Iterator<Item = (u16, i64, u32)> {
        self.first_switch.iter().map(|(cpu, (time, tid))| (*cpu, *time, *tid))
    }
}

/// Process 0 has this name on every Windows, also when the trace has no event about it.
pub(crate) fn idle_process(names: &mut Names) -> Span<Process> {
    let image = names.intern("Idle");
    let value = Process {
        pid: 0,
        parent: None,
        session: None,
        exit_status: None,
        flags: None,
        page_directory: None,
        image,
        image_lower: names.intern_base_lower(image),
        command_line: NameId::EMPTY,
        package: NameId::EMPTY,
        application: NameId::EMPTY,
        user: NameId::EMPTY,
        key: None,
    };
    Span { start: FOREVER, end: ONCE, value }
}

/// Adds threads that no event defines but that record headers or stacks show in a process.
/// Definitions have precedence: such evidence only fills times at which the id has no owner.
fn add_undefined(
    defined: Vec<(u32, Span<Thread>)>,
    owners: FxHashMap<(u32, u32), (i64, i64)>,
) -> Vec<(u32, Span<Thread>)> {
    let mut evidence: Vec<(u32, i64, i64, u32)> =
        owners.into_iter().map(|((tid, pid), (first, last))| (tid, first, last, pid)).collect();
    evidence.sort_unstable();
    let mut added = Vec::new();
    for run in evidence.chunk_by(|a, b| a.0 == b.0) {
        let Some(&(tid, ..)) = run.first() else { continue };
        let from = defined.partition_point(|(t, _)| *t < tid);
        let to = defined.partition_point(|(t, _)| *t <= tid);
        let known = defined.get(from..to).unwrap_or_default();
        for (at, &(_, first, last, pid)) in run.iter().enumerate() {
            let before = known.partition_point(|(_, span)| span.start <= last);
            let previous = before.checked_sub(1).and_then(|i| known.get(i)).map(|(_, span)| span);
            if previous.is_some_and(|span| span.end >= first || span.value.pid == pid) {
                continue;
            }
            // The first sighting may be long after the beginning; a second process counts from when it
            // is first seen.
            let since = previous.map_or(FOREVER, |span| span.end.saturating_add(1));
            let start = if at == 0 { since } else { since.max(first) };
            let next = known.get(before).map_or(ONCE, |(_, span)| span.start.saturating_sub(1));
            let following = run.get(at + 1).map_or(ONCE, |(_, first, ..)| first.saturating_sub(1));
            let end = next.min(following).max(start);
            added.push((tid, Span { start, end, value: Thread::new(tid, pid, last) }));
        }
    }
    let mut all = defined;
    all.append(&mut added);
    all.sort_by_key(|(tid, span)| (*tid, span.start));
    all
}

/// What the security identifier of a user of Unix begins with, as Samba has it; the number of the user follows.
pub const UNIX_USER: &str = "S-1-22-1-";

/// Returns `true` if a process runs one program directly after another while a thread is there. Only those of Unix do: another
/// process of Windows that has the same number may also follow directly, where the end of the first one is not in the trace.
fn changes(names: &Names, programs: &[(u32, Span<Process>)], thread: &Span<Thread>) -> bool {
    let of_unix = |process: &Process| names.get(process.user).starts_with(UNIX_USER);
    programs.array_windows().any(|[(_, before), (_, after)]| {
        before.end.saturating_add(1) == after.start
            && thread.start <= before.end
            && after.start <= thread.end
            && of_unix(&before.value)
            && of_unix(&after.value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_16_a_thread_runs_several_programs_in_turn() {
        let mut names = Names::default();
        let mut process = idle_process(&mut names).value;
        process.user = names.intern("S-1-22-1-1000");
        let changes = |programs: &[_], thread: &_| changes(&names, programs, thread);
        let program = |start, end| (7, Span { start, end, value: process.clone() });
        let thread = |start, end| Span { start, end, value: Thread::new(7, 7, start) };
        let in_turn = [program(FOREVER, 99), program(100, 199), program(200, ONCE)];
        assert!(changes(&in_turn, &thread(FOREVER, ONCE)));
        assert!(changes(&in_turn, &thread(99, 100)));
        assert!(changes(&in_turn, &thread(150, ONCE)));
        // A thread of one of the programs, and other processes that had the number one after the other.
        assert!(!changes(&in_turn, &thread(FOREVER, 99)));
        assert!(!changes(&in_turn, &thread(100, 199)));
        assert!(!changes(&[program(FOREVER, 99), program(120, ONCE)], &thread(FOREVER, ONCE)));
        assert!(!changes(&in_turn[..1], &thread(FOREVER, ONCE)));
        let mut of_windows = in_turn.clone();
        of_windows.iter_mut().for_each(|(_, span)| span.value.user = NameId::EMPTY);
        assert!(!changes(&of_windows, &thread(FOREVER, ONCE)));
    }
}
