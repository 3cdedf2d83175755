//! The bodies of the fuzz targets for what other processes send and write: messages of both sockets, and the contents of
//! ring sets.
//!
//! They are here because both forms are private to the engine. The tests run them over the kept inputs; with the feature
//! `fuzzing` they are public, for the programs of `fuzz/`.

use std::fmt::Debug;
use std::sync::atomic::Ordering;

use tracewell_etl::Record;
use tracewell_types::FileTime;

use super::check::Checked;
use super::clock::Calibration;
use super::identity::Guard;
use super::layout::{Geometry, at};
use super::plan::plan;
use super::ring::{Owner, RingSet};
use super::source::Feed;
use super::wire::{
    Answer, Asked, FromProcess, KeptListening, KeptProvider, KeptRing, KeptSession, KeptTap, Key, Request,
    ToKeeper, ToProcess, Wire, version_of_process,
};

/// A target's name and body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[("messages", messages), ("ring", ring)];

/// Returns the message that bytes are. If there is one, its own bytes are the same message.
fn message<T: Wire + Debug>(bytes: &[u8]) -> Option<T> {
    let message = T::decode(bytes)?;
    assert_eq!(message.encode(), bytes, "{message:?} has one form");
    Some(message)
}

/// A message, whose kind the first byte selects. What can be read can be written again, and no other bytes mean the same.
pub fn messages(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    match kind % 12 {
        0 => match Asked::of(rest) {
            Asked::Request(Request::Start { properties, .. }) => {
                for cpus in [1, 2, 4096] {
                    let Ok((planned, geometry)) = plan(&properties, cpus) else { continue };
                    assert!(geometry.is_valid(), "{geometry:?}");
                    let size = u64::from(planned.buffer_size) << 10;
                    assert_eq!(size, u64::from(geometry.buffer_size), "{planned:?}");
                }
            }
            Asked::Request(_) | Asked::Stranger(_) | Asked::Nonsense => {}
        },
        1 => drop(message::<Request>(rest)),
        2 => drop(message::<Answer>(rest)),
        3 => {
            let said = message::<FromProcess>(rest);
            if let Some(FromProcess::Hello { version, .. }) = said {
                assert_eq!(version_of_process(rest), Some(version));
            }
        }
        4 => drop(message::<ToProcess>(rest)),
        5 => drop(message::<KeptSession>(rest)),
        6 => drop(message::<KeptRing>(rest)),
        7 => drop(message::<KeptProvider>(rest)),
        8 => drop(message::<KeptTap>(rest)),
        9 => drop(message::<KeptListening>(rest)),
        10 => drop(message::<Key>(rest)),
        _ => drop(message::<ToKeeper>(rest)),
    }
}

/// The contents of a ring set: cursor, lost events, ends of the two buffers, a byte of choices, then what the buffers
/// contain. The session takes whole records only, of processes of the user, with times of the session; it ends by itself.
pub fn ring(bytes: &[u8]) {
    let geometry = Geometry { buffer_size: 4096, buffers: 2, cpus: 1, overwrite: false };
    let user = rustix::process::geteuid().as_raw();
    let owner = Owner::User { uid: user, space: 0 };
    let Ok((set, mut feed)) = RingSet::new(1, owner, geometry) else { return };
    let Ok(file) = set.file().try_clone_to_owned() else { return };
    let Some(memory) = RingSet::map(&file, &geometry) else { return };
    let Some((head, contents)) = bytes.split_at_checked(25) else { return };
    let word =
        |at: usize| head.get(at..at + 8).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b));
    let choices = head.last().copied().unwrap_or(0);
    let data = geometry.data_offset();
    for (index, chunk) in contents.chunks(8).take(geometry.cpu_bytes() / 8).enumerate() {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        memory.atomic64(data + 8 * index).store(u64::from_le_bytes(eight), Ordering::Relaxed);
    }
    memory.atomic64(at::CURSOR).store(word(0), Ordering::Relaxed);
    memory.atomic64(at::LOST).store(word(8), Ordering::Relaxed);
    memory.atomic64(at::FILLED).store(word(16), Ordering::Relaxed);
    let mut untaken = 0;
    feed.untaken(0, &mut |records| untaken += records.len());
    feed.snapshot(0, &mut |records| untaken += records.len());
    assert!(untaken <= 2 * geometry.cpu_bytes(), "{untaken}");
    let lost = feed.lost(0);
    assert!(lost <= word(8));
    let times = 1000..=1 << 40;
    let calibration = Calibration { raw: 1000, time: FileTime(77_000), frequency: 10_000_000 };
    let convert = (choices & 1 == 1).then_some(&calibration);
    let mut identities = owner.identities();
    let room = geometry.buffer_size as usize - at::FIRST_RECORD as usize;
    for _ in 0..2 * geometry.buffers {
        let Ok(Some(waiting)) = feed.waiting(0, true) else { break };
        if waiting.bytes > room || !waiting.bytes.is_multiple_of(8) {
            break;
        }
        let mut records = vec![0; waiting.bytes];
        let mut guard = Guard { identities: &mut identities, times: times.clone() };
        let mut checked = Checked::of(&feed);
        let piece = if choices & 2 == 0 { 512 } else { 4096 };
        let mut there = 0;
        while there < records.len() {
            let end = (there + piece).min(records.len());
            feed.copy(0, &waiting, there, &mut records[there..end]);
            there = end;
            checked.walk_guarded(&mut records, there, convert, Some(&mut guard));
        }
        assert!(checked.bytes <= waiting.bytes);
        let mut rest = &records[..checked.bytes];
        let mut all = 0;
        while !rest.is_empty() {
            let Ok(record) = Record::parse(rest, 0) else { panic!("a damaged record was taken") };
            assert!(record.fault().is_none(), "{record:?}");
            if convert.is_none() {
                assert!(times.contains(&record.time()), "{record:?}");
            }
            let process = record.pid().filter(|_| record.ids_offset().is_some());
            assert!(process.is_none_or(|id| guard.identities.of_record(id, 0).is_some()), "{record:?}");
            all += 1;
            let next = record.bytes().len().next_multiple_of(8).min(rest.len());
            rest = &rest[next..];
        }
        assert!(checked.events <= all, "a stack is a record and no event");
        feed.release(0, &waiting);
        if !waiting.whole || checked.fault.is_some() {
            break;
        }
    }
}

#[cfg(test)]
#[path = "../../../../fuzz/corpora.rs"]
mod corpora;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::{Enable, Properties, SessionStatus};
    use tracewell_types::Guid;

    #[test]
    fn kept_inputs_break_no_rule() {
        for (name, body) in TARGETS {
            corpora::check(name, *body, 2000);
        }
    }

    /// Writes first inputs for the targets: `cargo test -p tracewell-session --lib -- --ignored first_inputs`.
    #[test]
    #[ignore = "writes into the repository"]
    fn first_inputs() {
        let root = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        let put = |target: &str, name: &str, bytes: &[u8]| {
            std::fs::create_dir_all(root.join(target)).unwrap();
            std::fs::write(root.join(target).join(name), bytes).unwrap();
        };
        let said = |kind: u8, message: Vec<u8>| [&[kind][..], &message].concat();
        let properties =
            Properties { name: "shop".into(), log_file: "/tmp/shop%d.etl".into(), ..Properties::default() };
        let start = Request::Start { properties: properties.clone(), empty_kernel_logger: false };
        put("messages", "start", &said(0, super::super::wire::ask(&start, super::super::wire::VERSION)));
        let guid = Guid::new(1, 2, 3, [4; 8]);
        let enable = Enable { processes: vec![7], ..Enable::all_of(guid) };
        put(
            "messages",
            "enable",
            &said(1, Request::Enable { name: "shop".into(), enable: enable.clone() }.encode()),
        );
        let sessions = vec![SessionStatus { properties, ..SessionStatus::default() }; 2];
        put("messages", "sessions", &said(2, Answer::Sessions { sessions, last: true }.encode()));
        put("messages", "register", &said(3, FromProcess::Register { guid, name: "Shop".into() }.encode()));
        let control = ToProcess::Control { order: 1, guid, session: 2, generation: 3, control: 1, enable };
        put("messages", "control", &said(4, control.encode()));
        let record = |kind: u8, size: u16, time: i64| {
            let mut bytes = vec![0; usize::from(size).next_multiple_of(8)];
            bytes[..2].copy_from_slice(&size.to_le_bytes());
            bytes[2..4].copy_from_slice(&[kind, 0xC0]);
            bytes[8..12].copy_from_slice(&std::process::id().to_le_bytes());
            bytes[12..16].copy_from_slice(&std::process::id().to_le_bytes());
            bytes[16..24].copy_from_slice(&time.to_le_bytes());
            bytes
        };
        let records =
            [record(19, 80, 2000), record(19, 96, 3000), record(20, 60, 4000), record(18, 80, 5)].concat();
        let contents = |cursor: u64, filled: u64, choices: u8| {
            let head = [cursor, 3, filled].map(u64::to_le_bytes).concat();
            let mut buffer = [&[0; 72][..], &records].concat();
            buffer.resize(4096, 0);
            [&head[..], &[choices], &buffer, &[0; 72], &records].concat()
        };
        let end = 72 + records.len() as u64;
        put("ring", "partial", &contents(end, 0, 0));
        put("ring", "full", &contents(1 << 32 | end, end | end << 32, 3));
        put("ring", "ahead", &contents(9 << 32 | end, end, 2));
    }
}
