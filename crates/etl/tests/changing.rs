//! A trace whose file another process changes while it is read: bytes are not what they were a moment before. Nothing panics, and
//! no copy leaves its buffer (debug builds check each block that the expander copies).

#![cfg(unix)]

mod made;

use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use made::{Random, config, sample};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::map::Mapping;

/// Ends the thread that changes the file, also when the reader fails.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn issue_14_a_file_that_changes_while_it_is_read_ends_nothing() {
    let folder = tracewell_corpus::Scratch::new("changing");
    for (number, format) in [CompressionFormat::NONE, CompressionFormat::XPRESS].into_iter().enumerate() {
        let path = folder.join(format!("{number}.etl"));
        let whole = sample(&mut Random::new(7 + number as u64), config(format), 300);
        std::fs::write(&path, &whole).unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        let (over, changes) = (AtomicBool::new(false), AtomicUsize::new(0));
        let rounds = std::thread::scope(|scope| {
            // Damages a few bytes at a time, and writes the original again.
            let changer = scope.spawn(|| {
                let mut random = Random::new(99);
                while !over.load(Ordering::Relaxed) {
                    let at = random.below(whole.len() - 2) as u64;
                    let noise = [random.below(256) as u8, random.below(256) as u8];
                    file.write_all_at(&noise, at).unwrap();
                    if random.below(8) == 0 {
                        file.write_all_at(&whole, 0).unwrap();
                    }
                    changes.fetch_add(1, Ordering::Relaxed);
                }
            });
            let _over = Over(&over);
            let mut rounds = 0;
            while (rounds < 300 || changes.load(Ordering::Relaxed) < 20_000) && !changer.is_finished() {
                let mapping = Mapping::open(&path).unwrap();
                let Ok(trace) = Trace::open(&mapping) else { continue };
                rounds += 1;
                let mut records = trace.file_order();
                while let Some(record) = records.next() {
                    assert!(record.payload_offset() <= record.bytes().len());
                }
                let mut records = trace.by_time();
                while records.next().is_some() {}
                let mut out = Vec::new();
                for buffer in 0..trace.buffers().len() {
                    let _ = trace.expand_buffer(buffer, &mut out);
                }
            }
            rounds
        });
        assert!(rounds > 0, "it was a trace at times");
    }
}
