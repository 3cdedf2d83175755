//! What errors and damage are shown as, text by text. `TRACEWELL_BLESS=1` rewrites `texts.golden`.

#![allow(missing_docs)]

use std::error::Error as _;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use tracewell_etl::compress::ExpandError;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::read::{Damage, DamageReason, LossSource, StreamError};
use tracewell_etl::write::WriteError;
use tracewell_etl::{HeaderKind, OpenError, RecordFault};

#[test]
fn issue_23_errors_and_damage_have_their_texts() {
    let mut text = String::new();
    let mut show = |kind: &str, all: &[&dyn std::fmt::Display]| {
        for each in all {
            let _ = writeln!(text, "{kind}: {each}");
        }
    };
    let kind = HeaderKind::PERFINFO64;
    let faults = [
        RecordFault::Cut { left: 3 },
        RecordFault::Marker(0x41),
        RecordFault::Kind(99),
        RecordFault::Short { kind, size: 8 },
        RecordFault::Long { kind, size: 80, left: 16 },
        RecordFault::Extended,
    ];
    for fault in &faults {
        show("record", &[fault]);
    }
    show(
        "open",
        &[
            &OpenError::Empty,
            &OpenError::Short { size: 12 },
            &OpenError::BufferHeader { size: 5, used: 6 },
            &OpenError::FirstRecord(RecordFault::Extended),
            &OpenError::NoLogFileHeader,
            &OpenError::NoBuffer,
        ],
    );
    let reasons = [
        DamageReason::BufferHeader,
        DamageReason::BufferSize { size: 11 },
        DamageReason::AnotherTrace,
        DamageReason::Filler { position: 12 },
        DamageReason::TruncatedBuffer { size: 13 },
        DamageReason::CutBuffer { size: 14 },
        DamageReason::RepeatedBuffer { first: 15 },
        DamageReason::UsedBytes { end: 16 },
        DamageReason::ExpandedSize { size: 17 },
        DamageReason::ExpandedTotal,
        DamageReason::Compression(ExpandError::TooLong),
        DamageReason::Record { position: 18, fault: RecordFault::Cut { left: 2 } },
    ];
    for (length, reason) in (0..).zip(reasons) {
        let limit = if reason.is_limit() { " (a limit)" } else { "" };
        show("damage", &[&format_args!("{}{limit}", Damage { offset: 1000, length, reason })]);
    }
    let produced = 7;
    show(
        "expand",
        &[
            &ExpandError::Truncated { produced },
            &ExpandError::BadOffset { produced },
            &ExpandError::BadCode { produced },
            &ExpandError::TooShort { produced },
            &ExpandError::TooLong,
            &ExpandError::Format(CompressionFormat::NONE),
        ],
    );
    show(
        "loss",
        &[
            &LossSource::HeaderEvents,
            &LossSource::HeaderBuffers,
            &LossSource::EventsFlag,
            &LossSource::BufferFlag,
            &LossSource::SequenceGap,
            &LossSource::EventsRecord,
            &LossSource::BufferRecord,
            &LossSource::FileRecord,
        ],
    );
    let full = || io::Error::new(io::ErrorKind::StorageFull, "no space");
    for (error, causes) in [
        (WriteError::Io(full()), true),
        (WriteError::RecordTooLong { size: 70_000, limit: 65_528 }, false),
        (WriteError::Record(RecordFault::Marker(0)), true),
        (WriteError::BufferSize(12), false),
        (WriteError::Compression(CompressionFormat::LZNT1), false),
    ] {
        assert_eq!(error.source().is_some(), causes, "{error}");
        show("write", &[&error]);
    }
    let failed = StreamError::Io { position: 44, source: full() };
    assert!(failed.source().is_some());
    let no_trace = StreamError::Open(OpenError::Empty);
    assert!(no_trace.source().is_none());
    show("stream", &[&failed, &no_trace]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts.golden");
    tracewell_corpus::golden(&path, &text).unwrap_or_else(|why| panic!("{why}"));
}
