//! Losses are reported with their processor and time, from every place that records them.

mod made;

use std::io::Cursor;

use made::config;
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{CompressionFormat, at};
use tracewell_etl::read::{Loss, LossSource};
use tracewell_etl::write::{Full, System, TraceWriter};
use tracewell_types::{FileTime, Guid};

#[test]
fn every_place_that_reports_a_loss_is_listed() {
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config(CompressionFormat::NONE)).unwrap();
    for (round, time) in [100, 200, 300, 400].into_iter().enumerate() {
        for cpu in [0, 3] {
            if (round, cpu) == (1, 3) {
                writer.events_lost(3, 7);
            }
            if (round, cpu) == (2, 0) {
                writer.buffers_lost(0, 2);
            }
            let time = time + i64::from(cpu);
            writer.system(cpu, &System { time, group: 5, opcode: 36, ..System::default() }, &[]).unwrap();
            writer.flush_cpu(cpu).unwrap();
        }
    }
    for opcode in [32, 33, 34] {
        let guid = Guid::parse("6a399ae0-4bc6-4de9-870b-3657f8947e7e");
        writer.full(1, &Full { time: 500, guid, opcode, ..Full::default() }, &[]).unwrap();
    }
    let mut file = writer.finish(FileTime(1)).unwrap().into_inner();
    // The last buffer is the twelfth: two are missing before it.
    let last = file.len() - 4096 + at::SEQUENCE_NUMBER;
    let number = i64::from_le_bytes(*file[last..].first_chunk().unwrap());
    file[last..last + 8].copy_from_slice(&(number + 2).to_le_bytes());
    let trace = Trace::open(&file).unwrap();
    let mut ledger = trace.loss_ledger();
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        ledger.observe(&record);
    }
    let loss = |source, cpu, after, before, count| Loss { source, cpu, after, before, count };
    let told = |source| loss(source, Some(1), None, Some(500), None);
    assert_eq!(
        ledger.losses(),
        [
            loss(LossSource::HeaderEvents, None, None, None, Some(7)),
            loss(LossSource::HeaderBuffers, None, None, None, Some(2)),
            loss(LossSource::BufferFlag, Some(0), Some(200), Some(300), None),
            loss(LossSource::EventsFlag, Some(3), Some(103), Some(303), None),
            loss(LossSource::SequenceGap, None, Some(403), Some(500), Some(2)),
            told(LossSource::EventsRecord),
            told(LossSource::BufferRecord),
            told(LossSource::FileRecord),
        ]
    );
    assert_eq!((ledger.count(), ledger.of(LossSource::EventsFlag).count()), (8, 1));
}
