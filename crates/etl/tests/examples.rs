//! The examples do what they say.
#![allow(dead_code, reason = "an example's `main` is not called")]

#[path = "../examples/decompress.rs"]
mod decompress;
#[path = "../examples/providers.rs"]
mod providers;
#[path = "../examples/records.rs"]
mod records;
#[path = "../examples/write.rs"]
mod write;

use std::io::Cursor;
use std::path::PathBuf;

use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::{ByTime, FileOrder, Mapping, Merge, Record, StreamReader, Trace};

/// A folder for the files of one test, which goes with it.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let room = std::env::temp_dir().join(format!("tracewell-etl-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&room).unwrap();
        Room(room)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn made() -> Vec<u8> {
    write::write(Cursor::new(Vec::new())).unwrap().into_inner()
}

#[test]
fn providers_are_counted() {
    let room = Room::new("providers");
    let path = room.0.join("made.etl");
    std::fs::write(&path, made()).unwrap();
    let mut out = Vec::new();
    providers::count(&path, &mut out).unwrap();
    let expected = "         3  provider 0d2a8c1e-3b1f-4c55-9d6a-6f1f5a2b7c01\n         1  kernel EventTrace\n         1  \
                    kernel Thread\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn records_are_shown_from_a_file_and_from_a_stream() {
    let room = Room::new("records");
    let path = room.0.join("made.etl");
    std::fs::write(&path, made()).unwrap();
    let (mut file, mut stream) = (Vec::new(), Vec::new());
    records::show_file(&path, &mut file).unwrap();
    records::show_stream(&made()[..], &mut stream).unwrap();
    // One processor logged everything, so both orders are the same.
    let text = String::from_utf8(file).unwrap();
    assert_eq!(text, String::from_utf8(stream).unwrap());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[1].starts_with("      0.001000 ms  cpu 1  process 0 thread 0  SYSTEM64 Kernel"), "{text}");
    assert!(lines[4].ends_with("  related-activity-id of 16 bytes  02000000"), "{text}");
}

#[test]
fn a_compressed_trace_is_rewritten_plain() {
    let room = Room::new("decompress");
    let (packed, plain) = (room.0.join("packed.etl"), room.0.join("plain.etl"));
    std::fs::write(&packed, made()).unwrap();
    assert_eq!(decompress::decompress(&packed, &plain).unwrap(), 5);
    let (before, after) = (Mapping::open(&packed).unwrap(), Mapping::open(&plain).unwrap());
    let (before, after) = (Trace::open_mapped(&before).unwrap(), Trace::open_mapped(&after).unwrap());
    assert_eq!(before.compression(), CompressionFormat::XPRESS);
    assert!(
        after.compression() == CompressionFormat::NONE && after.buffers().iter().all(|b| !b.compressed())
    );
    let (mut a, mut b) = (before.by_time(), after.by_time());
    // The log file header contains the compression, so it differs.
    assert!(a.next().is_some() && b.next().is_some());
    while let Some(record) = a.next() {
        assert_eq!(b.next().map(|other| other.bytes().to_vec()), Some(record.bytes().to_vec()));
    }
    assert!(b.next().is_none());
}

#[test]
fn readers_go_to_other_threads() {
    fn both<T: Send + Sync>() {}
    both::<Mapping>();
    both::<Trace<'_>>();
    both::<Record<'_>>();
    both::<FileOrder<'_>>();
    both::<ByTime<'_>>();
    both::<Merge<'_>>();
    both::<StreamReader<std::fs::File>>();
    both::<tracewell_etl::write::TraceWriter<std::fs::File>>();
}

#[test]
fn errors_are_what_others_can_hand_on() {
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    error::<tracewell_etl::OpenError>();
    error::<tracewell_etl::RecordFault>();
    error::<tracewell_etl::read::StreamError>();
    error::<tracewell_etl::write::WriteError>();
    error::<tracewell_etl::compress::ExpandError>();
    // What is said once is not said again by the cause.
    let failed = StreamReader::open(&b""[..]).unwrap_err();
    let cause = std::error::Error::source(&failed).map(ToString::to_string);
    assert_eq!((failed.to_string().as_str(), cause), ("not an event trace: the file is empty", None));
}
