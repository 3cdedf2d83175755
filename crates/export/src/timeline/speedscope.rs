//! Sampled stacks for Speedscope: one profile a thread, in its JSON form.
//!
//! Source: the schema that Speedscope publishes beside its releases (`file-format-schema.json`). Frames are shared
//! by all profiles; a sample is the list of its frames, outermost first, and its weight is the time between samples.
//! The viewer places a sample behind the weights of those before it, so the time between two samples that no sample
//! covers is an empty stack of that weight: the viewer's axis is the time of the trace.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

use super::model::{
    Format, Heading, Moment, Process, ProcessId, Thread, ThreadId, Timeline, What, since_start,
};
use super::stacks::{CallStacks, FrameId, StackId, label};

/// Stacks of samples by thread. Everything else that a timeline has is not part of this format.
#[derive(Debug)]
pub struct Speedscope {
    heading: Heading,
    processes: Vec<String>,
    threads: Vec<OfThread>,
}

#[derive(Debug)]
struct OfThread {
    name: String,
    /// Time since the start of the trace and stack of each sample, in order of time.
    samples: Vec<(u64, StackId)>,
}

/// The default sampling interval of Windows, for traces that do not contain theirs.
const DEFAULT_INTERVAL: u64 = 1_000_000;

/// A stretch of a profile: a sample, or time without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    stack: Option<StackId>,
    weight: u64,
}

/// Lays samples out on the axis of time. Each lasts one interval. The time since the end of the sample before is empty;
/// a sample that comes before that end starts late, by less than one interval, and is shorter if it would be more.
fn stretches(samples: &[(u64, StackId)], interval: u64) -> impl Iterator<Item = Stretch> {
    let mut end = 0u64;
    samples.iter().flat_map(move |&(time, stack)| {
        let gap = time.saturating_sub(end);
        let start = end.max(time);
        let limit = time.saturating_add(interval.saturating_mul(2));
        end = start.saturating_add(interval).min(limit).max(start);
        let empty = (gap > 0).then_some(Stretch { stack: None, weight: gap });
        empty.into_iter().chain(Some(Stretch { stack: Some(stack), weight: end - start }))
    })
}

impl Speedscope {
    /// Nothing yet.
    #[must_use]
    pub fn new(heading: Heading) -> Speedscope {
        Speedscope { heading, processes: Vec::new(), threads: Vec::new() }
    }
}

/// The format of [`Speedscope`].
pub(super) const FORMAT: Format = Format {
    name: "speedscope",
    about: "Write for Speedscope: samples with stacks by thread",
    viewer: "https://www.speedscope.app",
    ending: "speedscope.json",
    is_text: true,
    keeps_machines_apart: true,
    start: |heading| Box::new(Speedscope::new(heading)),
};

impl Timeline for Speedscope {
    fn process(&mut self, process: &Process<'_>, _: &mut Vec<u8>) -> ProcessId {
        self.processes.push(format!("{} ({})", process.name, process.pid));
        ProcessId((self.processes.len() - 1) as u32)
    }

    fn thread(&mut self, thread: &Thread<'_>, _: &mut Vec<u8>) -> ThreadId {
        let process = self.processes.get(thread.process.0 as usize).map_or("", String::as_str);
        let space = if thread.name.is_empty() { "" } else { " " };
        let name = format!("{process} thread {}{space}{}", thread.tid, thread.name);
        self.threads.push(OfThread { name, samples: Vec::new() });
        ThreadId((self.threads.len() - 1) as u32)
    }

    fn moment(&mut self, moment: &Moment<'_>, _: &CallStacks, _: &mut Vec<u8>) -> bool {
        let What::Sample(stack) = moment.what else { return false };
        match moment.thread.and_then(|thread| self.threads.get_mut(thread.0 as usize)) {
            Some(thread) => {
                thread.samples.push((since_start(moment.time), stack));
                true
            }
            None => false,
        }
    }

    fn finish(self: Box<Self>, stacks: &CallStacks, out: &mut dyn io::Write) -> io::Result<()> {
        let mut threads: Vec<&OfThread> = self.threads.iter().filter(|t| !t.samples.is_empty()).collect();
        // The busiest first: that is the one shown when the file is opened.
        threads.sort_by_key(|t| std::cmp::Reverse(t.samples.len()));
        let interval = self.heading.interval.unwrap_or(DEFAULT_INTERVAL);
        let frames = (0..stacks.frame_count()).map(|n| {
            let (module, name) = stacks.name(FrameId::at(n));
            Frame { name: label(module, name), file: (!module.is_empty()).then_some(module) }
        });
        let profiles = threads.iter().map(|thread| Profile {
            kind: "sampled",
            name: &thread.name,
            unit: "nanoseconds",
            start: 0,
            end: stretches(&thread.samples, interval).map(|stretch| stretch.weight).sum(),
            samples: Samples { samples: &thread.samples, interval, stacks },
            weights: Weights { samples: &thread.samples, interval },
        });
        let document = Document {
            schema: "https://www.speedscope.app/file-format-schema.json",
            name: &self.heading.title,
            active: 0,
            exporter: concat!("tracewell ", env!("CARGO_PKG_VERSION")),
            shared: Shared { frames: frames.collect() },
            profiles: profiles.collect(),
        };
        serde_json::to_writer(&mut *out, &document)?;
        out.write_all(b"\n")
    }
}

#[derive(Serialize)]
struct Document<'d> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: &'d str,
    #[serde(rename = "activeProfileIndex")]
    active: u32,
    exporter: &'static str,
    shared: Shared<'d>,
    profiles: Vec<Profile<'d>>,
}

#[derive(Serialize)]
struct Shared<'d> {
    frames: Vec<Frame<'d>>,
}

#[derive(Serialize)]
struct Frame<'d> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'d str>,
}

#[derive(Serialize)]
struct Profile<'d> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'d str,
    unit: &'static str,
    #[serde(rename = "startValue")]
    start: u64,
    #[serde(rename = "endValue")]
    end: u64,
    samples: Samples<'d>,
    weights: Weights<'d>,
}

/// Each stack as the numbers of its frames; put together only while it is written.
struct Samples<'d> {
    samples: &'d [(u64, StackId)],
    interval: u64,
    stacks: &'d CallStacks,
}

impl Serialize for Samples<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut frames: Vec<usize> = Vec::new();
        for stretch in stretches(self.samples, self.interval) {
            frames.clear();
            if let Some(stack) = stretch.stack {
                frames.extend(self.stacks.frames(stack).map(FrameId::index));
                frames.reverse();
            }
            list.serialize_element(&frames)?;
        }
        list.end()
    }
}

/// The duration of each sample.
struct Weights<'d> {
    samples: &'d [(u64, StackId)],
    interval: u64,
}

impl Serialize for Weights<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(stretches(self.samples, self.interval).map(|stretch| stretch.weight))
    }
}
