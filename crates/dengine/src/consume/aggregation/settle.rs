//! Keys that are shown alike are one key.
//!
//! A firing keeps addresses as they are: looking up what they are called is the consumer's business. So several
//! entries may come to be shown by one name, of a module or a function, or as one stack of functions at other
//! addresses in each process. Before the consumer does anything with an aggregation they are put together: what
//! `trunc()` keeps, what is sorted and what is shown are the keys that a reader sees.

use std::collections::HashMap;

use tracewell_dlang::program::Repr;

use crate::agg::AggTable;
use crate::consume::scene::Scene;
use crate::consume::value;
use crate::pack::{Reader, Value};

/// Puts together what is shown alike in these aggregations. All of them get the same key for it, so that they can
/// be joined.
pub(crate) fn settle(aggs: &[usize], tables: &mut [AggTable], scene: &Scene<'_>) {
    let mut shown = Shown { scene, frames: HashMap::new(), texts: HashMap::new(), line: Vec::new() };
    let mut keys: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    for &agg in aggs {
        let Some(table) = tables.get_mut(agg) else { continue };
        if !table.key_reprs.iter().any(is_address) {
            continue;
        }
        let reprs = table.key_reprs.clone();
        table.rekey(|key| keys.entry(shown.key(&reprs, key)).or_insert_with(|| key.to_vec()).clone());
    }
}

/// Returns `true` if what is shown of a key is not the key itself, but what lies at its addresses.
pub(crate) fn is_address(repr: &Repr) -> bool {
    matches!(repr, Repr::Symbol(_) | Repr::Stack { .. })
}

/// The displayed form of keys.
struct Shown<'s> {
    scene: &'s Scene<'s>,
    /// Number of the text of each frame seen: its process, its address, and whether it called another frame.
    frames: HashMap<(Option<u64>, u64, bool), u32>,
    texts: HashMap<Vec<u8>, u32>,
    line: Vec<u8>,
}

impl Shown<'_> {
    /// Bytes that are equal for keys that are shown alike, and for no others.
    fn key(&mut self, reprs: &[Repr], key: &[u8]) -> Vec<u8> {
        let mut reader = Reader::key(key);
        let mut out = Vec::with_capacity(key.len());
        for repr in reprs {
            let before = reader.rest();
            match reader.value(repr) {
                Some(Value::Symbol { kind, pid, address }) => {
                    out.extend_from_slice(value::symbol(kind, pid, address, self.scene).as_bytes());
                    out.push(0);
                }
                Some(stack @ Value::Stack { pid, .. }) => {
                    out.extend_from_slice(&(stack.frames().count() as u32).to_le_bytes());
                    for (depth, frame) in stack.frames().enumerate() {
                        out.extend_from_slice(&self.frame(pid, frame, depth > 0).to_le_bytes());
                    }
                }
                Some(_) => out.extend_from_slice(&before[..before.len() - reader.rest().len()]),
                None => {}
            }
        }
        out
    }

    /// The number of the text that a frame is shown as.
    fn frame(&mut self, pid: Option<u64>, frame: u64, called: bool) -> u32 {
        let Shown { scene, frames, texts, line } = self;
        *frames.entry((pid, frame, called)).or_insert_with(|| {
            line.clear();
            value::frame(line, pid, frame, called, scene, 0);
            let next = texts.len() as u32;
            match texts.get(line.as_slice()) {
                Some(&known) => known,
                None => *texts.entry(line.clone()).or_insert(next),
            }
        })
    }
}
