//! Every tool on damaged traces: no panic; what `repair` writes is sound and has every record that could be read; what the others
//! write has every record that they say they did not leave out.

#[path = "../../etl/tests/made/mod.rs"]
mod made;

use std::io::Cursor;

use made::{Random, config, damage, sample};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::read::{DamageReason, Ledger, Limits};
use tracewell_relog::{Pattern, Redaction, Report, Selection, merge, pack, redact, repair, slice, verify};

/// Mutants of each trace.
const MUTANTS: usize = 600;

fn sink() -> Cursor<Vec<u8>> {
    Cursor::new(Vec::new())
}

fn quiet() -> impl FnMut(u64) {
    |_| ()
}

fn open(file: &[u8]) -> Trace<'_> {
    let limits = Limits { buffer_size: 1 << 20, ..Limits::default() };
    Trace::open_with(file, limits).expect("a trace")
}

fn report(file: &[u8]) -> Report {
    verify(&open(file), &mut quiet())
}

/// Returns `true` if a ledger has damage inside of records, which are still delivered.
fn inside(ledger: &Ledger) -> u64 {
    let inner = |reason: &DamageReason| matches!(reason, DamageReason::Record { .. });
    ledger.damage().iter().filter(|damage| inner(&damage.reason)).count() as u64
}

#[test]
fn tools_skip_damage_and_report_it() {
    let mut random = Random::new(21);
    let (mut damaged, mut repaired) = (0, 0);
    let none = Redaction::new(vec![Pattern::Text("no such text, anywhere".into())]).unwrap();
    for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let sound = sample(&mut random, config(format), 400);
        for round in 0..MUTANTS {
            let mut file = sound.clone();
            damage(&mut random, &mut file);
            if random.below(8) == 0 {
                file.truncate(random.below(file.len()));
            }
            let Ok(trace) = Trace::open_with(&file, open(&sound).limits()) else { continue };
            let before = report(&file);
            damaged += u32::from(!before.is_sound());
            let what = format!("{format} {round}: {:?}", before.ledger.damage());
            // A header buffer may be too broken to be written again; then nothing is.
            if let Ok((sink, told)) = repair(&trace, sink(), &mut quiet()) {
                let after = report(&sink.into_inner());
                // Another trace that begins inside is not repairable damage.
                let left = after.ledger.damage().iter().filter(|d| d.reason != DamageReason::AnotherTrace);
                assert_eq!(left.count(), 0, "{what}, then {:?}", after.ledger.damage());
                assert_eq!(after.records, told.records, "{what}");
                assert!(after.records <= before.records, "{what}");
                assert!(after.records + inside(&before.ledger) >= before.records, "{what}");
                repaired += 1;
            }
            for packed in
                [pack::compress(&trace, sink(), &mut quiet()), pack::decompress(&trace, sink(), &mut quiet())]
            {
                let Ok((sink, told)) = packed else { continue };
                let after = report(&sink.into_inner());
                let left = after.ledger.damage().iter().filter(|d| d.reason != DamageReason::AnotherTrace);
                assert_eq!(left.count(), 0, "{what}, then {:?}", after.ledger.damage());
                assert!(after.records <= before.records, "{what}");
                assert!(after.records + inside(&before.ledger) >= before.records, "{what}");
                assert_eq!(told.ledger.is_clean(), before.ledger.is_clean(), "{what}");
            }
            let all = Selection { exact: true, ..Selection::default() };
            if let Ok((sink, told)) = slice(&trace, &all, sink(), &mut quiet()) {
                let after = report(&sink.into_inner());
                assert_eq!(after.records, told.selected + 1, "{what}");
                assert!(after.ledger.is_clean(), "{what}, then {:?}", after.ledger.damage());
                assert_eq!(told.ledger.is_clean(), before.ledger.is_clean(), "{what}");
            }
            if let Ok((sink, told)) = merge(std::slice::from_ref(&trace), sink(), format, &mut quiet()) {
                let after = report(&sink.into_inner());
                assert_eq!(after.records, told.records, "{what}");
                assert!(after.ledger.is_clean(), "{what}, then {:?}", after.ledger.damage());
                assert_eq!(told.ledgers[0].is_clean(), before.ledger.is_clean(), "{what}");
            }
            if let Ok((sink, _)) = redact(&trace, &none, sink(), &mut quiet()) {
                assert!(report(&sink.into_inner()).records <= before.records, "{what}");
            }
        }
    }
    assert!(damaged > 300 && repaired > 500, "{damaged} {repaired}");
}
