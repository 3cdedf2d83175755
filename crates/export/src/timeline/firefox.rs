//! Timelines for the Firefox Profiler, in its processed profile format.
//!
//! The format is written by `fxprof-processed-profile`, which the viewer's own recorder uses. The whole profile
//! is kept until the end: the format is made of columns by thread.

use std::io;

use fxprof_processed_profile::{
    CategoryColor, CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, MarkerFieldFlags,
    MarkerFieldFormat, MarkerTiming, ProcessHandle, Profile, ReferenceTimestamp, SamplingInterval,
    StackHandle, StaticSchemaMarker, StaticSchemaMarkerField, StringHandle, ThreadHandle, Timestamp,
};
use rustc_hash::FxHashMap;

use super::model::{
    Format, Heading, Lane, Moment, Process, ProcessId, Thread, ThreadId, Timeline, What, since_start,
};
use super::stacks::{CallStacks, FrameId, StackId, label};

/// A profile: samples with processor time, disk transfers, interrupts and other events as markers. Context switches are
/// not shown, but give the processor time of each sample; readied threads are not in the format.
pub struct Firefox {
    profile: Profile,
    interval: u64,
    categories: Categories,
    processes: Vec<OfProcess>,
    threads: Vec<OfThread>,
    /// The pseudo-process for activity without a thread, by processor.
    machine: Option<ProcessHandle>,
    cpus: FxHashMap<u16, ThreadHandle>,
    /// The thread on each processor, and the time up to which its processor time was counted.
    running: FxHashMap<u16, (ThreadId, i64)>,
    labels: FxHashMap<FrameId, StringHandle>,
}

impl std::fmt::Debug for Firefox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Firefox").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
struct Categories {
    user: CategoryHandle,
    kernel: CategoryHandle,
    disk: CategoryHandle,
    interrupts: CategoryHandle,
    events: CategoryHandle,
}

struct OfProcess {
    handle: ProcessHandle,
    threads: u32,
}

struct OfThread {
    handle: ThreadHandle,
    stacks: FxHashMap<StackId, StackHandle>,
    /// Processor time since its last sample, in nanoseconds.
    ran: u64,
}

/// A marker: an event with its fields in one text.
struct Mark {
    name: StringHandle,
    category: CategoryHandle,
    source: StringHandle,
    details: StringHandle,
}

impl StaticSchemaMarker for Mark {
    const UNIQUE_MARKER_TYPE_NAME: &'static str = "Event";
    const CHART_LABEL: Option<&'static str> = Some("{marker.data.details}");
    const TABLE_LABEL: Option<&'static str> = Some("{marker.data.source}: {marker.data.details}");
    const FIELDS: &'static [StaticSchemaMarkerField] = &[
        StaticSchemaMarkerField {
            key: "source",
            label: "Logged by",
            format: MarkerFieldFormat::String,
            flags: MarkerFieldFlags::SEARCHABLE,
        },
        StaticSchemaMarkerField {
            key: "details",
            label: "Fields",
            format: MarkerFieldFormat::SanitizedString,
            flags: MarkerFieldFlags::SEARCHABLE,
        },
    ];

    fn name(&self, _: &mut Profile) -> StringHandle {
        self.name
    }

    fn category(&self, _: &mut Profile) -> CategoryHandle {
        self.category
    }

    fn string_field_value(&self, field: u32) -> StringHandle {
        if field == 0 { self.source } else { self.details }
    }

    fn number_field_value(&self, _: u32) -> f64 {
        0.0
    }
}

/// The default sampling interval of Windows: one millisecond.
const USUAL_INTERVAL: u64 = 1_000_000;

impl Firefox {
    /// Nothing yet.
    #[must_use]
    pub fn new(heading: &Heading) -> Firefox {
        let interval = heading.interval.filter(|&ns| ns > 0).unwrap_or(USUAL_INTERVAL);
        let start = heading.unix_ns as f64 / 1e6;
        let mut profile = Profile::new(
            &heading.title,
            ReferenceTimestamp::from_millis_since_unix_epoch(start),
            SamplingInterval::from_nanos(interval),
        );
        profile.set_os_name(&heading.system);
        profile.set_symbolicated(true);
        let categories = Categories {
            user: profile.add_category("User", CategoryColor::Yellow),
            kernel: profile.add_category("Kernel", CategoryColor::Orange),
            disk: profile.add_category("Disk", CategoryColor::Blue),
            interrupts: profile.add_category("Interrupts", CategoryColor::Red),
            events: profile.add_category("Events", CategoryColor::Green),
        };
        Firefox {
            profile,
            interval,
            categories,
            processes: Vec::new(),
            threads: Vec::new(),
            machine: None,
            cpus: FxHashMap::default(),
            running: FxHashMap::default(),
            labels: FxHashMap::default(),
        }
    }

    /// The stack as the profile of its thread knows it. Callers that are known already end the way.
    fn stack(&mut self, thread: ThreadId, stack: StackId, stacks: &CallStacks) -> Option<StackHandle> {
        let of = self.threads.get_mut(thread.0 as usize)?;
        let mut way = Vec::new();
        let mut at = Some(stack);
        let mut caller = None;
        while let Some(here) = at {
            if let Some(&known) = of.stacks.get(&here) {
                caller = Some(known);
                break;
            }
            let (next, frame) = stacks.split(here)?;
            way.push((here, frame));
            at = next;
        }
        for (here, frame) in way.into_iter().rev() {
            let profile = &mut self.profile;
            let text = *self.labels.entry(frame).or_insert_with(|| {
                let (module, name) = stacks.name(frame);
                profile.intern_string(&label(module, name))
            });
            let category =
                if stacks.is_kernel(frame) { self.categories.kernel } else { self.categories.user };
            let info = FrameInfo {
                frame: Frame::Label(text),
                category_pair: category.into(),
                flags: FrameFlags::empty(),
            };
            let frame = profile.intern_frame(of.handle, info);
            let known = profile.intern_stack(of.handle, caller, frame);
            of.stacks.insert(here, known);
            caller = Some(known);
        }
        caller
    }

    /// Counts the time of the thread that runs on a processor up to now.
    fn settle(&mut self, cpu: u16, now: i64) {
        if let Some((thread, since)) = self.running.get_mut(&cpu) {
            if let Some(of) = self.threads.get_mut(thread.0 as usize) {
                of.ran = of.ran.saturating_add(since_start(now.saturating_sub(*since)));
            }
            *since = now;
        }
    }

    /// The line for what belongs to a processor rather than to a thread.
    fn cpu_line(&mut self, cpu: u16) -> ThreadHandle {
        let zero = Timestamp::from_nanos_since_reference(0);
        let profile = &mut self.profile;
        let machine = *self.machine.get_or_insert_with(|| profile.add_process("Machine", 0, zero));
        *self.cpus.entry(cpu).or_insert_with(|| {
            let thread = profile.add_thread(machine, cpu.into(), zero, cpu == 0);
            profile.set_thread_name(thread, &format!("CPU {cpu}"));
            thread
        })
    }
}

fn at(time: i64) -> Timestamp {
    Timestamp::from_nanos_since_reference(since_start(time))
}

/// Names and values in one line.
fn details(notes: &[(&str, &str)]) -> String {
    notes.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

/// The format of [`Firefox`].
pub(super) const FORMAT: Format = Format {
    name: "firefox",
    about: "Write for the Firefox Profiler: samples with stacks and processor time by thread; disk transfers, interrupts and other \
            events as markers",
    viewer: "https://profiler.firefox.com",
    ending: "firefox.json",
    is_text: true,
    keeps_machines_apart: true,
    start: |heading| Box::new(Firefox::new(&heading)),
};

impl Timeline for Firefox {
    fn process(&mut self, process: &Process<'_>, _: &mut Vec<u8>) -> ProcessId {
        let handle = self.profile.add_process(process.name, process.pid, at(process.start.unwrap_or(0)));
        if let Some(end) = process.end {
            self.profile.set_process_end_time(handle, at(end));
        }
        self.processes.push(OfProcess { handle, threads: 0 });
        ProcessId((self.processes.len() - 1) as u32)
    }

    fn thread(&mut self, thread: &Thread<'_>, _: &mut Vec<u8>) -> ThreadId {
        let zero = at(thread.start.unwrap_or(0));
        let known = self.processes.get_mut(thread.process.0 as usize);
        let (process, main) = match known {
            Some(process) => {
                process.threads += 1;
                (process.handle, process.threads == 1)
            }
            None => (self.profile.add_process("", 0, zero), true),
        };
        let handle = self.profile.add_thread(process, thread.tid, zero, main);
        if !thread.name.is_empty() {
            self.profile.set_thread_name(handle, thread.name);
        }
        if let Some(end) = thread.end {
            self.profile.set_thread_end_time(handle, at(end));
        }
        self.threads.push(OfThread { handle, stacks: FxHashMap::default(), ran: 0 });
        ThreadId((self.threads.len() - 1) as u32)
    }

    fn moment(&mut self, moment: &Moment<'_>, stacks: &CallStacks, _: &mut Vec<u8>) -> bool {
        match moment.what {
            What::Switch(switch) => {
                self.running.entry(moment.cpu).or_insert((switch.old, moment.time));
                self.settle(moment.cpu, moment.time);
                self.running.insert(moment.cpu, (switch.new, moment.time));
                false
            }
            What::Ready { .. } => false,
            What::Sample(stack) => {
                let Some(thread) = moment.thread else { return false };
                let Some(handle) = self.stack(thread, stack, stacks) else { return false };
                self.settle(moment.cpu, moment.time);
                let scheduled = !self.running.is_empty();
                let Some(of) = self.threads.get_mut(thread.0 as usize) else { return false };
                let ran = if scheduled { std::mem::take(&mut of.ran) } else { self.interval };
                let cpu = CpuDelta::from_nanos(ran);
                self.profile.add_sample(of.handle, at(moment.time), Some(handle), cpu, 1);
                true
            }
            What::Span { lane, start, category: source, name, notes } => {
                let (category, thread) = match lane {
                    Lane::Disk(_) => (self.categories.disk, moment.thread),
                    Lane::Interrupts(_) => (self.categories.interrupts, None),
                    Lane::Spans(_) => (self.categories.events, moment.thread),
                };
                let line = thread.and_then(|t| self.threads.get(t.0 as usize)).map(|t| t.handle);
                let line = line.unwrap_or_else(|| self.cpu_line(moment.cpu));
                let mark = Mark {
                    name: self.profile.intern_string(name),
                    category,
                    source: self.profile.intern_string(source),
                    details: self.profile.intern_string(&details(notes)),
                };
                self.profile.add_marker(line, MarkerTiming::Interval(at(start), at(moment.time)), mark);
                true
            }
            What::Mark { category, name, notes, stack } => {
                let known = moment.thread.and_then(|t| Some((t, self.threads.get(t.0 as usize)?.handle)));
                let line = known.map_or_else(|| self.cpu_line(moment.cpu), |(_, handle)| handle);
                let mark = Mark {
                    name: self.profile.intern_string(name),
                    category: self.categories.events,
                    source: self.profile.intern_string(category),
                    details: self.profile.intern_string(&details(notes)),
                };
                let marker = self.profile.add_marker(line, MarkerTiming::Instant(at(moment.time)), mark);
                if let (Some((thread, _)), Some(stack)) = (known, stack) {
                    let stack = self.stack(thread, stack, stacks);
                    self.profile.set_marker_stack(line, marker, stack);
                }
                true
            }
        }
    }

    fn finish(self: Box<Self>, _: &CallStacks, out: &mut dyn io::Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &self.profile)?;
        out.write_all(b"\n")
    }
}
