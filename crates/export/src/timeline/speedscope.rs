//! Sampled stacks for Speedscope: one profile a thread, in its JSON form.
//!
//! Source: the schema that Speedscope publishes beside its releases (`file-format-schema.json`). Frames are shared
//! by all profiles; a sample is the list of its frames, outermost first, and its weight is the time between samples.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

use super::model::{Heading, Moment, Process, ProcessId, Thread, ThreadId, Timeline, What};
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
    samples: Vec<StackId>,
}

impl Speedscope {
    /// Nothing yet.
    #[must_use]
    pub fn new(heading: Heading) -> Speedscope {
        Speedscope { heading, processes: Vec::new(), threads: Vec::new() }
    }
}

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
                thread.samples.push(stack);
                true
            }
            None => false,
        }
    }

    fn finish(self: Box<Self>, stacks: &CallStacks, out: &mut dyn io::Write) -> io::Result<()> {
        let mut threads: Vec<&OfThread> = self.threads.iter().filter(|t| !t.samples.is_empty()).collect();
        // The busiest first: that is the one shown when the file is opened.
        threads.sort_by_key(|t| std::cmp::Reverse(t.samples.len()));
        let (unit, weight) = match self.heading.interval {
            Some(interval) => ("nanoseconds", interval),
            None => ("none", 1),
        };
        let frames = (0..stacks.frame_count()).map(|n| {
            let (module, name) = stacks.name(FrameId::at(n));
            Frame { name: label(module, name), file: (!module.is_empty()).then_some(module) }
        });
        let profiles = threads.iter().map(|thread| Profile {
            kind: "sampled",
            name: &thread.name,
            unit,
            start: 0,
            end: weight.saturating_mul(thread.samples.len() as u64),
            samples: Samples(&thread.samples, stacks),
            weights: Weights(weight, thread.samples.len()),
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
    weights: Weights,
}

/// Each stack as the numbers of its frames; put together only while it is written.
struct Samples<'d>(&'d [StackId], &'d CallStacks);

impl Serialize for Samples<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        let mut frames: Vec<usize> = Vec::new();
        for stack in self.0 {
            frames.clear();
            frames.extend(self.1.frames(*stack).map(FrameId::index));
            frames.reverse();
            list.serialize_element(&frames)?;
        }
        list.end()
    }
}

/// The same weight so many times.
struct Weights(u64, usize);

impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(std::iter::repeat_n(self.0, self.1))
    }
}
