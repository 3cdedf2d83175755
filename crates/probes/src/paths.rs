//! Texts that the host creates: DOS paths of files, and the texts for unknown paths.

use rustc_hash::FxHashMap;
use tracewell_state::{Machine, NameId};

use crate::regions;

/// NUL-terminated texts that last for the run, in region [`regions::TEXTS`].
#[derive(Debug)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    paths: FxHashMap<NameId, u32>,
    /// The same in UTF-16, of those that were asked for so.
    wide: FxHashMap<NameId, u32>,
}

/// `execname` of a process that the trace does not know.
const UNKNOWN: &[u8] = b"<unknown>\0";
/// The path of a transfer that belongs to no known file.
const NONE: &[u8] = b"<none>\0";

impl Texts {
    pub(crate) fn new() -> Texts {
        Texts { bytes: [UNKNOWN, NONE].concat(), paths: FxHashMap::default(), wide: FxHashMap::default() }
    }

    pub(crate) fn unknown(&self) -> u64 {
        regions::TEXTS.address(0)
    }

    pub(crate) fn none(&self) -> u64 {
        regions::TEXTS.address(UNKNOWN.len() as u64)
    }

    pub(crate) fn empty(&self) -> u64 {
        // The NUL that ends the first text.
        regions::TEXTS.address(UNKNOWN.len() as u64 - 1)
    }

    pub(crate) fn memory(&self, offset: u64) -> Option<&[u8]> {
        self.bytes.get(usize::try_from(offset).ok()?..)
    }

    /// The address of a text that lasts for the run.
    pub(crate) fn add(&mut self, text: &str) -> u64 {
        let start = self.bytes.len() as u64;
        self.bytes.extend(text.bytes().filter(|&b| b != 0));
        self.bytes.push(0);
        regions::TEXTS.address(start)
    }

    /// The address of a path, with the drive letter that the traced machine gave its volume.
    pub(crate) fn path(&mut self, machine: &Machine, id: NameId) -> u64 {
        let start = *self.paths.entry(id).or_insert_with(|| {
            let start = self.bytes.len() as u32;
            let nt = machine.names().get(id);
            let (drive, rest) = machine.volumes().to_dos(nt).unwrap_or(("", nt));
            for text in [drive, rest] {
                self.bytes.extend(text.bytes().filter(|&b| b != 0));
            }
            self.bytes.push(0);
            start
        });
        regions::TEXTS.address(u64::from(start))
    }

    /// The address of a path in UTF-16, for arguments of type `wchar_t *`; without a path, the address of the text for
    /// unknown paths.
    pub(crate) fn wide_path(&mut self, machine: &Machine, id: Option<NameId>) -> u64 {
        // The empty name is no file's.
        let key = id.unwrap_or(NameId::EMPTY);
        if let Some(&start) = self.wide.get(&key) {
            return regions::TEXTS.address(u64::from(start));
        }
        let text = match id {
            Some(id) => {
                let nt = machine.names().get(id);
                let (drive, rest) = machine.volumes().to_dos(nt).unwrap_or(("", nt));
                format!("{drive}{rest}")
            }
            None => "<none>".to_owned(),
        };
        let start = self.bytes.len() as u32;
        self.bytes
            .extend(text.encode_utf16().filter(|&unit| unit != 0).chain([0]).flat_map(u16::to_le_bytes));
        self.wide.insert(key, start);
        regions::TEXTS.address(u64::from(start))
    }
}
