//! The body of the fuzz target for archives: whatever the bytes are, no more is unpacked than the limits allow.
#![allow(dead_code, reason = "each user takes a part")]

use std::cell::Cell;
use std::io::Write;

use tracewell::open::{Meter, traces};

/// A target's name and body.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: &[Target] = &[("archive", archive)];

/// Most expanded bytes.
const LIMIT: u64 = 1 << 20;

/// A limit that also counts.
struct Counting {
    spent: Cell<u64>,
}

impl Meter for Counting {
    fn spend(&self, bytes: u64, to_come: u64) -> Result<(), String> {
        self.spent.set(self.spent.get().saturating_add(bytes));
        if self.spent.get().saturating_add(to_come) > LIMIT { Err("the limit".to_owned()) } else { Ok(()) }
    }
}

/// A file that may be an archive: its traces are opened, and read as far as they are ones.
pub(crate) fn archive(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for the input");
    let meter = Counting { spent: Cell::new(0) };
    let found = traces(file.path(), &meter);
    // One read more than the limit may be counted, and is not kept.
    assert!(meter.spent.get() <= LIMIT + (1 << 20), "{}", meter.spent.get());
    let packed =
        [&b"PK\x03\x04"[..], b"\x1f\x8b\x08", b"MSCF\0\0\0\0"].iter().any(|magic| bytes.starts_with(magic));
    let kept: u64 = found.iter().flatten().map(tracewell::open::TraceFile::size).sum();
    assert!(kept <= if packed { LIMIT } else { bytes.len() as u64 }, "{kept}");
    assert!(found.len() <= 1025, "{}", found.len());
    for file in &found {
        match file {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(file) => {
                let Ok(trace) = file.trace() else { continue };
                let mut records = trace.file_order();
                while records.next().is_some() {}
            }
        }
    }
}
