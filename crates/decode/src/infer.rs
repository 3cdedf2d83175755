//! Layouts that payloads show when the headers of their records are wrong.
//!
//! Tools that write events of the kernel's classes themselves may log 64-bit payloads with 32-bit headers, or versions that the
//! tables do not have; providers may log a payload of another version than their headers state. [`infer`] looks at a part of a
//! trace and finds the pointer size and version that fit the payloads of many events exactly. A trace that is
//! [read](Trace::read_as) by the result delivers records with that [reading](tracewell_etl::Record::reading), and their formats
//! are marked ([`Lack::Inferred`](crate::Lack::Inferred)).

mod events;
mod fit;

use rustc_hash::FxHashMap;
use tracewell_etl::{Readable, Readings, Record, Trace};
use tracewell_schema::{EventClass, Version, kernel};

use fit::{LEAST_EVENTS, MOST_BYTES, MOST_SAMPLES, begins, fits, other};

/// Most bytes of records and most buffers that are looked at. Expanding more of them would cost more than the answer to a short
/// question. The first buffer holds no events of a session.
const MOST_LOOKED_AT: u64 = 320 << 10;
const MOST_BUFFERS: usize = 5;

/// Events of one class that have one version and one pointer size in their headers.
#[derive(Debug)]
struct Seen {
    class: &'static EventClass,
    /// Version and pointer size.
    header: (u8, u8),
    /// Number of events that follow the layout of their header.
    sound: u32,
    /// Number of those that follow no layout of another pointer size.
    decided: u32,
    /// Type and payload of the events that do not.
    unsound: Vec<(u8, Box<[u8]>)>,
    /// Whether enough was seen.
    settled: bool,
}

/// A kind of record: its hook or the position of its class, and the version and pointer size in the header.
type Kind = (u32, u8, u8);

/// The pointer sizes and versions by which payloads of the trace must be read although their headers say otherwise; empty for
/// almost every trace. Looks at evenly spread buffers only.
#[must_use]
pub fn infer(trace: &Trace<'_>) -> Readings {
    let mut bytes = MOST_LOOKED_AT;
    let mut seen = Sightings::default();
    let mut events = events::Samples::default();
    let mut learned = Learned::default();
    let buffers = trace.buffers().len();
    let step = buffers.div_ceil(MOST_BUFFERS).max(1);
    for buffer in (0..buffers).step_by(step) {
        let mut records = trace.records_of(buffer..buffer + 1);
        let mut size = 0;
        let most = bytes.min(MOST_LOOKED_AT / 2);
        while size < most
            && let Some(record) = records.next_past((&mut size, most), |word| learned.has(word))
            && size < most
        {
            size += record.bytes().len() as u64;
            if record.is_event() {
                events.observe(&record);
            } else if seen.observe(&record) {
                learned.add(&record);
            }
        }
        bytes = bytes.saturating_sub(size);
        if bytes == 0 {
            break;
        }
    }
    let mut readings = seen.readings();
    events.infer(trace, &mut readings);
    readings
}

/// The first bytes of kernel records, without the size, of kinds from which nothing more is to be learned. Most records are of
/// such kinds. A later kind may take the place of another, which then only takes longer.
#[derive(Debug)]
struct Learned([u64; 256]);

impl Default for Learned {
    fn default() -> Learned {
        // No record begins with zeros.
        Learned([0; 256])
    }
}

impl Learned {
    /// Version, type of header and hook.
    const KIND: u64 = !(0xFFFF << 32);

    fn place(kind: u64) -> usize {
        (kind.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
    }

    #[inline]
    fn has(&self, word: u64) -> bool {
        let kind = word & Learned::KIND;
        self.0[Learned::place(kind)] == kind
    }

    fn add(&mut self, record: &Record<'_>) {
        if let Some(word) = record.bytes().first_chunk() {
            let kind = u64::from_le_bytes(*word) & Learned::KIND;
            self.0[Learned::place(kind)] = kind;
        }
    }
}

#[derive(Debug, Default)]
struct Sightings {
    /// Places in `all`; [`None`] for records without a class.
    kinds: FxHashMap<Kind, Option<usize>>,
    all: Vec<Seen>,
    /// The kind looked at last, which the next record often shares.
    last: Option<(Kind, Option<usize>)>,
}

impl Sightings {
    /// Returns `true` if nothing is to be learned from further kernel records with this hook and this header.
    fn observe(&mut self, record: &Record<'_>) -> bool {
        let hook = record.hook();
        let number = match hook {
            Some(hook) => hook.into(),
            None if record.is_class() => {
                let guid = record.guid();
                let Some(at) = kernel::classes().iter().position(|class| class.guid == guid) else {
                    return false;
                };
                1 << 16 | at as u32
            }
            None => return false,
        };
        let kind = (number, record.version(), record.pointer_size());
        let at = match self.last {
            Some((last, at)) if last == kind => at,
            _ => {
                let at = self.kinds.get(&kind).copied().unwrap_or_else(|| self.place(kind, record));
                self.last = Some((kind, at));
                at
            }
        };
        let seen = at.and_then(|at| self.all.get_mut(at));
        let settled = seen.is_none_or(|seen| {
            if !seen.settled {
                seen.observe(record);
            }
            seen.settled
        });
        settled && hook.is_some()
    }

    /// The place of a new kind. Records of one class with different headers are one class.
    #[cold]
    fn place(&mut self, kind: Kind, record: &Record<'_>) -> Option<usize> {
        let class = match record.hook() {
            Some(hook) => kernel::by_hook((hook >> 8) as u8, hook as u8),
            None => kernel::by_guid(&record.guid()),
        };
        let at = class.map(|class| {
            let header = (kind.1, kind.2);
            let is_it = |seen: &Seen| seen.class.guid == class.guid && seen.header == header;
            self.all.iter().position(is_it).unwrap_or_else(|| {
                let (sound, decided, unsound, settled) = (0, 0, Vec::new(), false);
                self.all.push(Seen { class, header, sound, decided, unsound, settled });
                self.all.len() - 1
            })
        });
        self.kinds.insert(kind, at);
        at
    }

    fn readings(&self) -> Readings {
        let mut readings = Readings::default();
        for seen in &self.all {
            let Some(reading) = seen.inferred() else { continue };
            readings.insert(Readable::Class(seen.class.guid), seen.header, reading);
            for hook in 0..=u16::MAX {
                let class = kernel::by_hook((hook >> 8) as u8, hook as u8);
                if class.is_some_and(|class| class.guid == seen.class.guid) {
                    readings.insert(Readable::Hook(hook), seen.header, reading);
                }
            }
        }
        readings
    }
}

impl Seen {
    fn observe(&mut self, record: &Record<'_>) {
        let (opcode, payload) = (record.opcode(), record.payload());
        let (version, size) = self.header;
        let Some(layout) = self.layout(opcode, version) else { return };
        if payload.is_empty() {
            return;
        }
        if fits(layout, payload, size) {
            self.sound += 1;
            self.decided += u32::from(!fits(layout, payload, other(size)));
        } else if payload.len() <= MOST_BYTES {
            self.unsound.push((opcode, payload.into()));
        }
        self.settled =
            self.unsound.len() >= MOST_SAMPLES || (self.unsound.is_empty() && self.sound >= LEAST_EVENTS);
    }

    fn layout(&self, opcode: u8, version: u8) -> Option<&'static Version> {
        self.class.event(opcode, version).map(|found| found.version)
    }

    /// Returns `true` if a type of event has its own layout in the version that the headers state.
    fn is_described(&self, opcode: u8) -> bool {
        self.class.event(opcode, self.header.0).is_some_and(|found| found.exact)
    }

    /// The version and pointer size that fit every payload, if those in the headers do not and no other ones do.
    fn inferred(&self) -> Option<(u8, u8)> {
        if (self.unsound.len() as u32) < LEAST_EVENTS || self.decided > 0 {
            return None;
        }
        let (version, size) = self.header;
        if self.unsound.iter().all(|(opcode, _)| self.is_described(*opcode)) {
            return self.all_fit(version, other(size)).then_some((version, other(size)));
        }
        // A version that is not described usually appends fields to the newest described one, and is read by that.
        if self.unsound.iter().any(|(opcode, payload)| {
            self.layout(*opcode, version).is_none_or(|layout| begins(layout, payload, size))
        }) {
            return None;
        }
        let mut numbers: Vec<u8> =
            self.class.events.iter().flat_map(|event| event.versions).map(|version| version.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let all = numbers.iter().flat_map(|&number| [(number, size), (number, other(size))]);
        let mut fitting: Vec<(u8, u8)> = all.filter(|&(number, size)| self.all_fit(number, size)).collect();
        // Several numbers may name the same layouts.
        fitting.dedup_by(|a, b| a.1 == b.1 && self.are_same(a.0, b.0));
        match fitting.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    fn all_fit(&self, version: u8, size: u8) -> bool {
        let fit = |(opcode, payload): &(u8, Box<[u8]>)| {
            self.layout(*opcode, version).is_some_and(|layout| fits(layout, payload, size))
        };
        self.unsound.iter().all(fit)
    }

    /// Returns `true` if two versions have the same layouts for the events that were seen.
    fn are_same(&self, a: u8, b: u8) -> bool {
        let number = |opcode, version| self.layout(opcode, version).map(|layout| layout.number);
        self.unsound.iter().all(|(opcode, _)| number(*opcode, a) == number(*opcode, b))
    }
}
