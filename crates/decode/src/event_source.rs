//! Manifests that EventSource providers log into the trace.
//!
//! Such an event has the id 0xFFFE. Its payload: `u8` format (1), `u8` major and minor version, `u8` 0x5B, `u16`
//! number of chunks, `u16` index of this chunk, then a piece of the manifest as UTF-8. The chunks of one manifest
//! come from one thread, which may change its processor between them, so they can be in any order in the file. The
//! same manifest is often logged several times, and processes may log different manifests for one provider.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_etl::Record;
use tracewell_schema::Provider;
use tracewell_types::Guid;

use crate::manifest;

/// The event id of a manifest chunk.
pub const MANIFEST_EVENT: u16 = 0xFFFE;

/// Returns `true` if a record is a manifest chunk.
#[inline]
#[must_use]
pub fn is_manifest_chunk(record: &Record<'_>) -> bool {
    record.is_event() && record.id() == MANIFEST_EVENT
}

/// Bytes of a chunk before the text, and the byte that marks them.
const HEAD: usize = 8;
const MAGIC: u8 = 0x5B;

/// Most bytes of chunks held while their manifests are not complete, and of a whole manifest.
const MAX_BYTES: usize = 64 << 20;

/// The chunks of one manifest so far: how many there are to be, and those that came.
#[derive(Clone, Debug, Default)]
struct Chunks {
    total: u16,
    come: BTreeMap<u16, Box<[u8]>>,
}

/// A manifest, and the processes that logged it.
#[derive(Clone, Debug)]
struct Logged {
    provider: Arc<Provider>,
    processes: FxHashSet<u32>,
}

/// Puts the manifests of a trace together from their chunks.
#[derive(Clone, Debug, Default)]
pub struct ManifestCollector {
    /// By provider, process and thread.
    open: FxHashMap<(Guid, u32, u32), Chunks>,
    held: usize,
    /// The manifests that were read already, by the hash of their text: which of the provider's `logged` they gave.
    seen: FxHashMap<(Guid, u64), std::ops::Range<usize>>,
    logged: FxHashMap<Guid, Vec<Logged>>,
    bad: u64,
    problems: Vec<String>,
    /// The texts of whole manifests, when they are to be kept.
    texts: Option<Vec<(Guid, String)>>,
}

impl ManifestCollector {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> ManifestCollector {
        ManifestCollector::default()
    }

    /// Keeps the texts of the manifests from here on, for [`ManifestCollector::texts`]: without the chunks, at most
    /// 64 MiB of them.
    pub fn keep_texts(&mut self) {
        self.texts.get_or_insert_default();
    }

    /// The texts of the whole manifests, each once, with the GUID of the events that carried it, in the order
    /// of the trace. Empty unless they were [kept](ManifestCollector::keep_texts).
    #[must_use]
    pub fn texts(&self) -> &[(Guid, String)] {
        self.texts.as_deref().unwrap_or_default()
    }

    /// Takes in a record; only chunks are of interest.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        if is_manifest_chunk(record) {
            self.chunk(record);
        }
    }

    #[cold]
    fn chunk(&mut self, record: &Record<'_>) {
        let payload = record.payload();
        let Some(&[1, _, _, MAGIC, t0, t1, i0, i1]) = payload.first_chunk::<HEAD>() else {
            self.bad += 1;
            return;
        };
        let (total, index) = (u16::from_le_bytes([t0, t1]), u16::from_le_bytes([i0, i1]));
        let text = payload.get(HEAD..).unwrap_or_default();
        if index >= total || self.held + text.len() > MAX_BYTES {
            self.bad += 1;
            return;
        }
        let process = record.pid().unwrap_or(0);
        let key = (record.guid(), process, record.tid().unwrap_or(0));
        let chunks = self.open.entry(key).or_default();
        // Another number of chunks begins another manifest, and so does another text in the place of a chunk that has come.
        if chunks.total != total || chunks.come.get(&index).is_some_and(|old| **old != *text) {
            self.held -= chunks.come.values().map(|chunk| chunk.len()).sum::<usize>();
            *chunks = Chunks { total, come: BTreeMap::new() };
        }
        if chunks.come.insert(index, text.into()).is_none() {
            self.held += text.len();
        }
        if chunks.come.len() == usize::from(total) {
            let chunks = self.open.remove(&key).unwrap_or_default();
            let whole = chunks.come.into_values().collect::<Vec<_>>().concat();
            self.held -= whole.len();
            self.whole(key.0, process, &whole);
        }
    }

    fn whole(&mut self, guid: Guid, process: u32, text: &[u8]) {
        use std::hash::Hasher;
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(text);
        let known = (guid, hasher.finish());
        let logged = self.logged.entry(guid).or_default();
        if let Some(which) = self.seen.get(&known) {
            for manifest in logged.get_mut(which.clone()).into_iter().flatten() {
                manifest.processes.insert(process);
            }
            return;
        }
        let first = logged.len();
        let text = String::from_utf8_lossy(text);
        let text = text.trim_start_matches('\u{FEFF}').trim_end_matches('\0');
        match manifest::parse(text) {
            Ok(found) => {
                if let Some(texts) = &mut self.texts {
                    let kept: usize = texts.iter().map(|(_, text)| text.len()).sum();
                    if kept + text.len() <= MAX_BYTES {
                        texts.push((guid, text.to_owned()));
                    }
                }
                for provider in found.providers {
                    // The GUID of the events counts, whatever the manifest says.
                    self.problems.extend(found.problems.iter().map(|p| format!("{}: {p}", provider.name)));
                    let processes = FxHashSet::from_iter([process]);
                    logged.push(Logged { provider: Arc::new(provider), processes });
                }
            }
            Err(error) => {
                self.bad += 1;
                self.problems.push(format!("{guid}: {error}"));
            }
        }
        self.seen.insert(known, first..logged.len());
    }

    /// The provider's manifests in the trace: the last one logged first.
    pub fn of_provider(&self, guid: &Guid) -> impl Iterator<Item = &Arc<Provider>> {
        self.logged.get(guid).into_iter().flatten().rev().map(|manifest| &manifest.provider)
    }

    /// The manifests that may describe a record: those that its process logged, then those of others, each the last one
    /// logged first.
    pub fn of_record(&self, record: &Record<'_>) -> impl Iterator<Item = &Arc<Provider>> {
        let process = record.pid().unwrap_or(0);
        let all = move || self.logged.get(&record.guid()).into_iter().flatten().rev();
        let own = all().filter(move |manifest| manifest.processes.contains(&process));
        let others = all().filter(move |manifest| !manifest.processes.contains(&process));
        own.chain(others).map(|manifest| &manifest.provider)
    }

    /// Returns `true` if processes logged different manifests for the provider, so that [`ManifestCollector::of_record`]
    /// depends on the process.
    #[must_use]
    pub fn differ(&self, guid: &Guid) -> bool {
        self.logged.get(guid).is_some_and(|manifests| manifests.len() > 1)
    }

    /// Every provider that logged a manifest.
    pub fn providers(&self) -> impl Iterator<Item = &Arc<Provider>> {
        self.logged.values().flatten().map(|manifest| &manifest.provider)
    }

    /// How many chunks and manifests could not be used.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.bad + self.open.len() as u64
    }

    /// What could not be used inside manifests that are good otherwise.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::write::Event;

    const ONE: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    const OTHER: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ac");

    /// The manifest of a provider of this name.
    fn manifest(name: &str) -> String {
        format!(
            "<instrumentationManifest><instrumentation><events>\
             <provider name=\"{name}\" guid=\"{{0ad614c4-0ef4-4225-8000-0123456789ab}}\"/>\
             </events></instrumentation></instrumentationManifest>"
        )
    }

    /// The record of a chunk: provider, process and thread, chunks in all, index, text.
    fn chunk(provider: Guid, (pid, tid): (u32, u32), total: u16, index: u16, text: &str) -> Vec<u8> {
        let head =
            [&[1, 1, 0, MAGIC][..], &total.to_le_bytes(), &index.to_le_bytes(), text.as_bytes()].concat();
        let mut bytes = Vec::new();
        let header = Event { provider, id: MANIFEST_EVENT, pid, tid, ..Event::default() };
        assert!(header.append(&[], &head, &mut bytes));
        bytes
    }

    /// A piece of a manifest that has so many.
    fn piece(name: &str, index: usize, total: usize) -> String {
        let text = manifest(name);
        let size = text.len().div_ceil(total);
        text[(index * size).min(text.len())..((index + 1) * size).min(text.len())].to_owned()
    }

    #[test]
    fn issue_23_manifests_are_put_together_from_their_chunks() {
        let (a, b) = ((1, 10), (1, 11));
        type Chunk = (Guid, (u32, u32), &'static str, u16, u16);
        // (chunks, names of the manifests, what could not be used)
        let table: [(&str, &[Chunk], &[&str], u64); 13] = [
            ("one chunk", &[(ONE, a, "A", 1, 0)], &["A"], 0),
            ("in order", &[(ONE, a, "A", 2, 0), (ONE, a, "A", 2, 1)], &["A"], 0),
            ("backwards", &[(ONE, a, "A", 3, 2), (ONE, a, "A", 3, 1), (ONE, a, "A", 3, 0)], &["A"], 0),
            ("a chunk twice", &[(ONE, a, "A", 2, 0), (ONE, a, "A", 2, 0), (ONE, a, "A", 2, 1)], &["A"], 0),
            ("a chunk is missing", &[(ONE, a, "A", 3, 0), (ONE, a, "A", 3, 2)], &[], 1),
            ("a manifest twice", &[(ONE, a, "A", 1, 0), (ONE, b, "A", 1, 0)], &["A"], 0),
            ("two manifests", &[(ONE, a, "A", 1, 0), (ONE, a, "B", 1, 0)], &["A", "B"], 0),
            (
                "another text in the place of a chunk",
                &[(ONE, a, "A", 2, 0), (ONE, a, "B", 2, 0), (ONE, a, "B", 2, 1)],
                &["B"],
                0,
            ),
            (
                "another text after two chunks",
                &[
                    (ONE, a, "A", 3, 0),
                    (ONE, a, "A", 3, 1),
                    (ONE, a, "Longer", 3, 0),
                    (ONE, a, "Longer", 3, 2),
                    (ONE, a, "Longer", 3, 1),
                ],
                &["Longer"],
                0,
            ),
            (
                "another number of chunks",
                &[(ONE, a, "A", 3, 0), (ONE, a, "A", 3, 1), (ONE, a, "B", 2, 1), (ONE, a, "B", 2, 0)],
                &["B"],
                0,
            ),
            (
                "two threads at once",
                &[(ONE, a, "A", 2, 0), (ONE, b, "B", 2, 0), (ONE, b, "B", 2, 1), (ONE, a, "A", 2, 1)],
                &["B", "A"],
                0,
            ),
            (
                "two providers at once",
                &[(ONE, a, "A", 2, 0), (OTHER, a, "A", 2, 0), (OTHER, a, "A", 2, 1), (ONE, a, "A", 2, 1)],
                &["A", "A"],
                0,
            ),
            ("no such chunk", &[(ONE, a, "A", 2, 2), (ONE, a, "A", 0, 0), (ONE, a, "A", 1, 1)], &[], 3),
        ];
        for (what, chunks, names, unread) in table {
            let mut collector = ManifestCollector::new();
            collector.keep_texts();
            for &(guid, thread, name, total, index) in chunks {
                let text = piece(name, index.into(), total.max(1).into());
                collector.observe(&Record::parse(&chunk(guid, thread, total, index, &text), 0).unwrap());
                let held: usize = collector
                    .open
                    .values()
                    .flat_map(|chunks| chunks.come.values())
                    .map(|text| text.len())
                    .sum();
                assert_eq!(collector.held, held, "{what}");
            }
            let texts: Vec<&str> = collector.texts().iter().map(|(_, text)| &**text).collect();
            assert_eq!(texts, names.iter().map(|name| manifest(name)).collect::<Vec<_>>(), "{what}");
            assert_eq!(collector.unread(), unread, "{what}");
            let mut found: Vec<&str> = collector.providers().map(|provider| &*provider.name).collect();
            let mut names = names.to_vec();
            found.sort_unstable();
            names.sort_unstable();
            assert_eq!(found, names, "{what}");
        }
    }

    /// Another number of chunks begins another manifest, also where it begins with the same text.
    #[test]
    fn issue_23_chunks_of_another_number_are_of_another_manifest() {
        let text = manifest("A");
        let (first, rest) = text.split_at(30);
        let mut collector = ManifestCollector::new();
        for (total, index, text, found) in
            [(4, 0, first, 0), (4, 2, "odd", 0), (4, 3, "", 0), (2, 0, first, 0), (2, 1, rest, 1)]
        {
            collector.observe(&Record::parse(&chunk(ONE, (1, 1), total, index, text), 0).unwrap());
            assert_eq!(collector.of_provider(&ONE).count(), found, "{index} of {total}");
        }
        assert_eq!((collector.unread(), collector.held), (0, 0));
    }

    #[test]
    fn issue_23_what_is_no_chunk_is_counted() {
        let whole = chunk(ONE, (1, 1), 1, 0, &manifest("A"));
        let payload = 80;
        // (byte of the payload, its value, whether the manifest is read)
        for (at, value, good) in [(0, 1, true), (0, 2, false), (1, 9, true), (2, 9, true), (3, 0x5A, false)] {
            let mut bytes = whole.clone();
            bytes[payload + at] = value;
            let mut collector = ManifestCollector::new();
            collector.observe(&Record::parse(&bytes, 0).unwrap());
            let (found, unread) = (collector.of_provider(&ONE).count(), collector.unread());
            assert_eq!((found, unread), if good { (1, 0) } else { (0, 1) }, "{at} {value}");
        }
        // Other events of the provider are none, whatever they hold.
        let mut bytes = whole.clone();
        bytes[40] = 0xFD;
        let mut collector = ManifestCollector::new();
        collector.observe(&Record::parse(&bytes, 0).unwrap());
        assert_eq!((collector.of_provider(&ONE).count(), collector.unread()), (0, 0));
    }
}
