//! Damaged and hostile input: nothing panics, nothing is skipped silently, memory stays bounded.

mod made;

use made::{Random, config, damage, sample};
use tracewell_etl::compress::ExpandError;
use tracewell_etl::def::buffer::{CompressionFormat, at};
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::read::{Damage, DamageReason, Ledger, Limits, StreamReader};
use tracewell_etl::write::TraceConfig;
use tracewell_etl::{FileTime, HeaderKind, OpenError, Record, RecordFault, Trace};

/// Everything a record can be asked.
fn touch(record: &Record<'_>) -> usize {
    let ids = (record.pid(), record.tid(), record.cpu_times(), record.instance_ids(), record.parent_class());
    let words = (record.level(), record.channel(), record.task(), record.keyword(), record.event_property());
    let items: usize = record.extended().map(|item| 1 + item.data.len()).sum();
    let counters = record.counters().count() + usize::from(record.pebs_index().is_some());
    let text = format!("{record:?} {:?} {ids:?} {words:?} {:?}", record.identity(), record.fault());
    assert!(record.payload_offset() <= record.bytes().len());
    assert_eq!(record.payload(), &record.bytes()[record.payload_offset()..]);
    text.len() + items + counters + record.payload().len()
}

struct Outcome {
    records: usize,
    /// Of the index and of the cursor in file order.
    ledger: Ledger,
    faults: Vec<RecordFault>,
}

/// Reads a trace in every way there is and checks that the ways agree.
fn read(file: &[u8], limits: Limits) -> Result<Outcome, OpenError> {
    let opened = Trace::open_with(file, limits);
    let streamed = StreamReader::open_with(file, limits);
    assert_eq!(opened.is_ok(), streamed.is_ok());
    let trace = opened?;
    let mut faults = Vec::new();
    let mut records = 0;
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        touch(&record);
        faults.extend(record.fault());
        records += 1;
    }
    let mut ledger = trace.ledger().clone();
    ledger.absorb(cursor.ledger());
    let mut by_time = trace.by_time();
    let mut count = 0;
    while by_time.next().is_some() {
        count += 1;
    }
    // Only the order of the file looks into records for what is wrong inside.
    assert_eq!(by_time.ledger().count() + faults.len() as u64, cursor.ledger().count());
    assert_eq!(count, records, "both orders give the same number of records");
    // A stream cannot look back for buffers, so it may find others after damage, but then there is damage.
    let mut stream = streamed.unwrap();
    let mut count = 0;
    while let Some(record) = stream.next().unwrap() {
        touch(&record);
        count += 1;
    }
    let clean = |ledger: &Ledger| ledger.is_clean();
    assert!(count == records || !clean(stream.ledger()) && !clean(trace.ledger()));
    Ok(Outcome { records, ledger, faults })
}

fn reasons(ledger: &Ledger) -> Vec<DamageReason> {
    ledger.damage().iter().map(|damage| damage.reason).collect()
}

#[test]
fn derived_files_are_read_as_far_as_they_are_sound() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let open = |name: &str| {
        let file = std::fs::read(folder.join("derived").join(name)).unwrap();
        read(&file, Limits::default())
    };
    // Records of a file the derived ones were made from, in some of its buffers.
    let sound = |name: &str, buffers: &[usize]| -> usize {
        let file = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&file).unwrap();
        let mut count = 0;
        for &buffer in buffers {
            let mut cursor = trace.records_of(buffer..buffer + 1);
            while cursor.next().is_some() {
                count += 1;
            }
        }
        count
    };
    assert_eq!(open("empty.etl").err(), Some(OpenError::Empty));
    assert_eq!(open("header-40-bytes.etl").err(), Some(OpenError::Short { size: 40 }));

    let outcome = open("header-only-half.etl").unwrap();
    assert_eq!(outcome.records, 1);
    assert_eq!(reasons(&outcome.ledger), [DamageReason::TruncatedBuffer { size: 8192 }]);

    // Twelve whole buffers, and what is there of the thirteenth.
    let outcome = open("truncated-midbuffer.etl").unwrap();
    let truncated = DamageReason::TruncatedBuffer { size: 8192 };
    assert_eq!(reasons(&outcome.ledger)[0], truncated);
    let before = sound("krabsetw/powershell.etl", &Vec::from_iter(0..12));
    let with = sound("krabsetw/powershell.etl", &Vec::from_iter(0..13));
    assert!((before + 1..with).contains(&outcome.records), "{before} {} {with}", outcome.records);

    let outcome = open("zeroed-buffer-3.etl").unwrap();
    let zeroed = Damage { offset: 3 * 8192, length: 8192, reason: DamageReason::BufferHeader };
    assert_eq!(outcome.ledger.damage(), [zeroed]);
    assert_eq!(outcome.records, sound("tx/HTTP_Server.etl", &[0, 1, 2, 4, 5, 6, 7]));

    let outcome = open("bad-buffer-size.etl").unwrap();
    let bad = Damage { offset: 5 * 8192, length: 8192, reason: DamageReason::BufferHeader };
    assert_eq!(outcome.ledger.damage(), [bad]);
    assert_eq!(outcome.records, sound("tx/HTTP_Server.etl", &[0, 1, 2, 3, 4, 6, 7]));

    let outcome = open("bad-record-sizes.etl").unwrap();
    let kind = HeaderKind::EVENT64;
    let faults: Vec<_> = outcome
        .ledger
        .damage()
        .iter()
        .map(|damage| match damage.reason {
            DamageReason::Record { position: 0, fault } => (damage.offset, fault),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(faults[0], (2 * 8192 + 72, RecordFault::Short { kind, size: 0 }));
    assert!(matches!(faults[1], (offset, RecordFault::Long { size: 0xFFFF, .. }) if offset == 4 * 8192 + 72));
    assert_eq!(faults.len(), 2);
    assert_eq!(outcome.records, sound("tx/HTTP_Server.etl", &[0, 1, 3, 5, 6, 7]));

    let outcome = open("bad-compressed-payload.etl").unwrap();
    assert!(matches!(
        reasons(&outcome.ledger)[0],
        DamageReason::Compression(_) | DamageReason::Record { .. }
    ));

    let outcome = open("huge-decompressed-size.etl").unwrap();
    assert_eq!(reasons(&outcome.ledger), [DamageReason::ExpandedSize { size: 0x7FFF_FFFF }]);
    assert_eq!(outcome.records, sound("perfview/SelfDescribingSingleEvent.etl", &[0, 2]));

    let outcome = open("ext-item-zero-size.etl").unwrap();
    assert_eq!(outcome.faults, [RecordFault::Extended]);
    let extended = DamageReason::Record { position: 0, fault: RecordFault::Extended };
    assert_eq!(reasons(&outcome.ledger), [extended], "the ledger has what a record's inside lacks");
}

#[test]
fn a_buffer_after_damage_is_found_again() {
    let file = sample(&mut Random::new(1), config(CompressionFormat::NONE), 1_000);
    let whole = read(&file, Limits::default()).unwrap();
    assert!(whole.ledger.is_clean());
    let buffers = file.len() / 4096;
    for buffer in 1..buffers {
        let mut broken = file.clone();
        broken[buffer * 4096 + at::BUFFER_SIZE..][..4].copy_from_slice(&0xFFFF_FFFF_u32.to_le_bytes());
        let outcome = read(&broken, Limits::default()).unwrap();
        let trace = Trace::open(&broken).unwrap();
        assert_eq!(trace.buffers().len(), buffers - 1);
        let damage =
            Damage { offset: buffer as u64 * 4096, length: 4096, reason: DamageReason::BufferHeader };
        assert_eq!(outcome.ledger.damage(), [damage]);
    }
}

#[test]
fn even_when_the_log_file_header_gives_no_buffer_size() {
    let mut file = sample(&mut Random::new(1), config(CompressionFormat::NONE), 200);
    let size_in_header = 72 + 32;
    file[size_in_header..size_in_header + 4].fill(0);
    file[4096..4100].fill(0);
    let outcome = read(&file, Limits::default()).unwrap();
    let damage = Damage { offset: 4096, length: 4096, reason: DamageReason::BufferHeader };
    assert_eq!(outcome.ledger.damage(), [damage]);
}

#[test]
fn in_a_compressed_file_too() {
    let file = sample(&mut Random::new(1), config(CompressionFormat::XPRESS), 1_000);
    let starts: Vec<u64> = Trace::open(&file).unwrap().buffers().iter().map(|b| b.offset).collect();
    for pair in starts.windows(2).skip(1) {
        let mut broken = file.clone();
        broken[pair[0] as usize..][..4].fill(0);
        let outcome = read(&broken, Limits::default()).unwrap();
        let damage =
            Damage { offset: pair[0], length: pair[1] - pair[0], reason: DamageReason::BufferHeader };
        assert_eq!(outcome.ledger.damage(), [damage]);
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_came_before() {
    for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let file = sample(&mut Random::new(2), config(format), 300);
        let mut last = 0;
        for end in (0..=file.len()).step_by(53) {
            match read(&file[..end], Limits::default()) {
                Ok(outcome) => {
                    assert!(outcome.records >= last, "{end}: {} after {last}", outcome.records);
                    last = outcome.records;
                }
                Err(error) => assert!(end < 600, "{end}: {error}"),
            }
        }
        assert!(last > 280, "{last}");
        assert_eq!(read(&file, Limits::default()).unwrap().records, 301);
    }
}

const SMALL: Limits = Limits { buffer_size: 1 << 20, expanded: 4 << 20 };

#[test]
fn random_damage_to_real_traces_never_panics() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut random = Random::new(12);
    let mut opened = 0;
    for name in tracewell_corpus::census(&folder).keys() {
        let file = std::fs::read(folder.join(name)).unwrap();
        if file.len() < 300_000 {
            for _ in 0..60 {
                let mut broken = file.clone();
                damage(&mut random, &mut broken);
                opened += u32::from(read(&broken, SMALL).is_ok());
            }
        }
    }
    assert!(opened > 300, "{opened}");
}

#[test]
fn random_damage_never_panics() {
    let mut random = Random::new(4);
    let mut opened = 0;
    let mut damaged = 0;
    for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let file = sample(&mut random, config(format), 400);
        for _ in 0..700 {
            let mut broken = file.clone();
            damage(&mut random, &mut broken);
            if let Ok(outcome) = read(&broken, SMALL) {
                opened += 1;
                damaged += u32::from(!outcome.ledger.is_clean());
            }
        }
    }
    assert!(opened > 500 && damaged > 300, "{opened} opened, {damaged} damaged");
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random::new(8);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.next() as u8).collect();
        let _ = read(&bytes, Limits::default()).map(|outcome| outcome.records);
        // A record of any kind over random bytes.
        let mut bytes = bytes;
        if bytes.len() >= 8 {
            let size = (bytes.len() as u16).to_le_bytes();
            bytes[2] = random.below(24) as u8;
            bytes[3] |= 0x80;
            bytes[..2].copy_from_slice(&size);
            bytes[4..6].copy_from_slice(&size);
            if let Ok(record) = Record::parse(&bytes, 0) {
                assert!(touch(&record) > 0);
            }
        }
    }
}

#[test]
fn an_expansion_bomb_is_refused_without_being_expanded() {
    let mut file = sample(&mut Random::new(6), config(CompressionFormat::XPRESS), 200);
    let second = Trace::open(&file).unwrap().buffers()[1].offset as usize;
    let size = Trace::open(&file).unwrap().header().buffer_size;
    for claim in [(64 << 20) + 1, 64 << 20, size + 1] {
        file[second + at::SAVED_OFFSET..][..4].copy_from_slice(&claim.to_le_bytes());
        let outcome = read(&file, Limits::default()).unwrap();
        assert_eq!(reasons(&outcome.ledger), [DamageReason::ExpandedSize { size: claim }]);
    }
    // What a buffer can have is expanded, and found to be shorter.
    file[second + at::SAVED_OFFSET..][..4].copy_from_slice(&size.to_le_bytes());
    let outcome = read(&file, Limits::default()).unwrap();
    let short = |reason| matches!(reason, DamageReason::Compression(ExpandError::TooShort { .. }));
    assert!(outcome.ledger.count() > 0 && reasons(&outcome.ledger).into_iter().all(short));
}

/// Issue 3: the sound buffers inside were gone without a word.
#[test]
fn a_buffer_that_claims_too_much_loses_only_itself() {
    for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let mut file = sample(&mut Random::new(6), config(compression), 2_000);
        let sound = read(&file, Limits::default()).unwrap();
        assert!(sound.ledger.is_clean());
        let starts: Vec<usize> =
            Trace::open(&file).unwrap().buffers().iter().map(|info| info.offset as usize).collect();
        assert!(starts.len() > 8);
        // Up to the beginning of a later buffer, so that all seems well behind it.
        let claim = (starts[7] - starts[2]) as u32;
        file[starts[2] + at::BUFFER_SIZE..][..4].copy_from_slice(&claim.to_le_bytes());
        let outcome = read(&file, Limits::default()).unwrap();
        assert_eq!(outcome.records, sound.records, "{compression:?}");
        let damage =
            Damage { offset: starts[2] as u64, length: 0, reason: DamageReason::BufferSize { size: claim } };
        assert_eq!(outcome.ledger.damage(), [damage]);
    }
}

/// Issue 3: records after filler inside the used bytes, or in a buffer that claims to have none, were silently skipped.
#[test]
fn records_that_no_longer_count_are_reported() {
    let file = sample(&mut Random::new(6), config(CompressionFormat::NONE), 2_000);
    let sound = read(&file, Limits::default()).unwrap();
    let third = Trace::open(&file).unwrap().buffers()[2];
    let start = third.offset as usize;
    let mut filled = file.clone();
    filled[start + 72..][..4].fill(0xFF);
    let outcome = read(&filled, Limits::default()).unwrap();
    assert!(outcome.records < sound.records);
    let damage = Damage {
        offset: third.offset + 72,
        length: u64::from(third.used) - 72,
        reason: DamageReason::Filler { position: 0 },
    };
    assert_eq!(outcome.ledger.damage(), [damage]);
    let mut unused = file.clone();
    unused[start + at::OFFSET..][..4].fill(0);
    unused[start + at::SAVED_OFFSET..][..4].fill(0);
    let outcome = read(&unused, Limits::default()).unwrap();
    assert!(outcome.records < sound.records);
    let damage = Damage {
        offset: third.offset,
        length: third.size.into(),
        reason: DamageReason::UsedBytes { end: 0 },
    };
    assert_eq!(outcome.ledger.damage(), [damage]);
    // A buffer that was never used is sound.
    unused[start + 72..start + third.size as usize].fill(0);
    assert!(read(&unused, Limits::default()).unwrap().ledger.is_clean());
}

/// Issue 3: times of the second trace were silently converted with the clock of the first.
#[test]
fn concatenated_traces_are_reported() {
    let first = sample(&mut Random::new(6), config(CompressionFormat::NONE), 200);
    let later = TraceConfig {
        boot_time: FileTime(FileTime::UNIX_EPOCH.0 + 1),
        start_time: FileTime(FileTime::UNIX_EPOCH.0 + 36_000_000_000),
        ..config(CompressionFormat::XPRESS)
    };
    let second = sample(&mut Random::new(7), later, 200);
    let records = |file: &[u8]| read(file, Limits::default()).unwrap().records;
    let whole = [&first[..], &second[..]].concat();
    let outcome = read(&whole, Limits::default()).unwrap();
    assert!(outcome.records > records(&first));
    let found = outcome.ledger.damage().iter().find(|damage| damage.reason == DamageReason::AnotherTrace);
    assert_eq!(found.map(|damage| (damage.offset, damage.length)), Some((first.len() as u64, 0)));
}

/// Issue 3: a file of a session that goes on in other files, cut between buffers, counted as whole.
#[test]
fn a_cut_file_of_several_is_reported() {
    let config = TraceConfig { mode: LogFileMode::NEW_FILE, ..config(CompressionFormat::NONE) };
    let mut file = sample(&mut Random::new(6), config, 2_000);
    let trace = Trace::open(&file).unwrap();
    let (written, fifth) = (trace.header().buffers_written, trace.buffers()[5].offset);
    assert_eq!(trace.buffers_expected(), None);
    file.truncate(fifth as usize);
    assert_eq!(Trace::open(&file).unwrap().buffers_expected(), Some(written.into()));
}

#[test]
fn an_unknown_compression_is_reported_for_every_buffer() {
    let mut file = sample(&mut Random::new(6), config(CompressionFormat::XPRESS), 200);
    file[at::STATE] = 9;
    let outcome = read(&file, Limits::default()).unwrap();
    let unknown = DamageReason::Compression(ExpandError::Format(CompressionFormat(9)));
    assert!(outcome.ledger.count() > 2 && reasons(&outcome.ledger).iter().all(|&reason| reason == unknown));
    assert_eq!(outcome.records, 1);
}

#[test]
fn the_ledger_lists_a_bounded_number_of_entries() {
    let mut file = sample(&mut Random::new(6), config(CompressionFormat::NONE), 10);
    // Many small buffers with one bad record each.
    let mut small = file[4096..4096 + 80].to_vec();
    small[..4].copy_from_slice(&80_u32.to_le_bytes());
    small[at::SAVED_OFFSET..][..4].copy_from_slice(&80_u32.to_le_bytes());
    small[at::OFFSET..][..4].copy_from_slice(&80_u32.to_le_bytes());
    small[72..].fill(0);
    for _ in 0..5_000 {
        file.extend(&small);
    }
    let outcome = read(&file, Limits::default()).unwrap();
    assert_eq!(outcome.ledger.damage().len(), Ledger::LISTED);
    assert_eq!((outcome.ledger.count(), outcome.ledger.bytes()), (5_000, 5_000 * 8));
}
