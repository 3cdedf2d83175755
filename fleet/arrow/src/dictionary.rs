//! Texts that many rows share, each kept once.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use rustc_hash::FxHashMap;

/// A dictionary begins anew after a batch in which it got this large, so that a trace with ever new names costs no more memory.
const MOST: usize = 1 << 16;
/// Bytes of texts after which it does.
const MOST_BYTES: usize = 4 << 20;

/// The texts so far. Each batch has all of them, in the same order.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    keys: FxHashMap<Box<str>, i32>,
    texts: Vec<Box<str>>,
    bytes: usize,
    array: Option<Arc<StringArray>>,
}

impl Dictionary {
    /// The key of a text.
    pub(crate) fn key(&mut self, text: &str) -> i32 {
        if let Some(key) = self.keys.get(text) {
            return *key;
        }
        let key = self.texts.len() as i32;
        self.texts.push(text.into());
        self.keys.insert(text.into(), key);
        self.bytes += text.len();
        self.array = None;
        key
    }

    /// The values of a batch.
    pub(crate) fn array(&mut self) -> ArrayRef {
        let texts = &self.texts;
        let array = self.array.get_or_insert_with(|| Arc::new(StringArray::from_iter_values(texts)));
        Arc::clone(array) as ArrayRef
    }

    /// Returns `true` if it should begin anew.
    pub(crate) fn is_full(&self) -> bool {
        self.texts.len() >= MOST || self.bytes >= MOST_BYTES
    }
}
