//! The images of a trace, and where the names of their functions come from.

use rustc_hash::FxHashMap;
use tracewell_etl::Trace;
use tracewell_probes::replay;
use tracewell_state::{Machine, Needs, StackBuilder};
use tracewell_symbols::{FileStore, Origin, Resolution, SymbolRequest, SymbolStore};

use super::stack::carried;

/// An image and what became of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Image {
    /// What was found.
    pub resolution: Resolution,
    /// Frames of the trace's stacks that lie in it.
    pub frames: u64,
}

impl Image {
    /// Returns `true` if the image has a database that was not found.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        !matches!(self.resolution.origin, Origin::Database(_))
    }
}

/// The images of a trace, each once, with the frames in it.
#[derive(Debug)]
pub struct Images {
    requests: Vec<SymbolRequest>,
    frames: FxHashMap<SymbolRequest, u64>,
}

impl Images {
    /// Reads the images of a trace. Calls `progress` occasionally with the number of bytes read.
    #[must_use]
    pub fn of(trace: &Trace<'_>, progress: impl FnMut(u64)) -> Images {
        let needs = Needs { images: true, files: false, stacks: false };
        let (machine, _) = replay::survey(std::slice::from_ref(trace), needs, progress);
        let frames = frames(trace, &machine);
        let mut requests: Vec<SymbolRequest> =
            machine.images().map(|span| SymbolRequest::new(&machine, &span.value)).collect();
        requests.sort_by(|a, b| (&a.image, a.time_stamp, a.size).cmp(&(&b.image, b.time_stamp, b.size)));
        requests.dedup();
        Images { requests, frames }
    }

    /// Keeps only the images that occur in stacks.
    pub fn only_used(&mut self) {
        self.requests.retain(|request| self.frames.contains_key(request));
    }

    /// The number of images.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.requests.len() as u64
    }

    /// Looks for the names of each image in a store that was not used before. Calls `progress` with the number of images that
    /// are done. The most frequent images come first.
    pub fn resolve(&self, store: &FileStore<'_>, mut progress: impl FnMut(u64)) -> Vec<Image> {
        for (done, request) in self.requests.iter().enumerate() {
            let _ = store.symbols(request);
            progress(done as u64 + 1);
        }
        let found = self.requests.iter().zip(store.resolutions());
        let mut images: Vec<Image> = found
            .map(|(request, resolution)| Image {
                resolution,
                frames: self.frames.get(request).copied().unwrap_or(0),
            })
            .collect();
        images.sort_by(|a, b| {
            (b.frames.cmp(&a.frames))
                .then_with(|| a.resolution.request.image.cmp(&b.resolution.request.image))
        });
        images
    }
}

/// The number of stack frames in each image.
fn frames(trace: &Trace<'_>, machine: &Machine) -> FxHashMap<SymbolRequest, u64> {
    let mut builder = StackBuilder::new();
    let mut cursor = trace.file_order().only(StackBuilder::wanted());
    while let Some(record) = cursor.next() {
        builder.observe(&record);
    }
    let stacks = builder.finish();
    // By mapping first: a request takes memory to make.
    let mut mappings: FxHashMap<(u32, u64, i64), u64> = FxHashMap::default();
    let mut count = |pid: u32, address: u64, time: i64| {
        if let Some(span) = machine.image_at(pid, address, time) {
            *mappings.entry((span.value.pid, span.value.base, span.start)).or_default() += 1;
        }
    };
    for half in stacks.all(0) {
        for &address in stacks.frames(half) {
            count(half.pid, address, half.time);
        }
    }
    // And those that events carry.
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        let Some(pid) = record.pid() else { continue };
        for address in carried(&record).flat_map(|(_, own)| own) {
            count(pid, address, record.time());
        }
    }
    let mut frames: FxHashMap<SymbolRequest, u64> = FxHashMap::default();
    for span in machine.images() {
        if let Some(count) = mappings.get(&(span.value.pid, span.value.base, span.start)) {
            *frames.entry(SymbolRequest::new(machine, &span.value)).or_default() += count;
        }
    }
    frames
}
