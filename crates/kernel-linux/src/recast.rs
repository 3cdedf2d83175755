//! How the payload of a provider's event is made of that of the kernel record: parts of it in another order.

use rustc_hash::FxHashMap;
use tracewell_types::FileTime;

/// A part of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Bytes of the record's payload: offset and number.
    Bytes(usize, usize),
    /// The rest of the record's payload, from an offset on.
    Rest(usize),
    /// Fields that Linux does not have.
    Zeros(usize),
    /// When the process began, which has its id at that offset.
    Created(usize),
    /// The time of the event.
    Now,
    /// The text at an offset, in UTF-16; its bytes end with a NUL.
    Wide(usize),
    /// The same, as it is.
    Text(usize),
}

use Part::{Bytes, Created, Now, Rest, Text, Wide, Zeros};

/// The same payload.
pub(crate) const SAME: &[Part] = &[Rest(0)];

/// Places in the payload of a Process record, as this source writes it.
mod process {
    pub(super) const PID: usize = 8;
    pub(super) const PARENT: usize = 12;
    pub(super) const STATUS: usize = 20;
    pub(super) const FLAGS: usize = 32;
    /// Behind the user: 16 bytes, and a SID of 16.
    pub(super) const NAME: usize = 68;
}

/// ProcessID, CreateTime, ParentProcessID and SessionID, Flags, ImageName.
pub(crate) const PROCESS_START: &[Part] = &[
    Bytes(process::PID, 4),
    Created(process::PID),
    Bytes(process::PARENT, 8),
    Bytes(process::FLAGS, 4),
    Wide(process::NAME),
];
/// The same; checksum, time of the build, and no package.
pub(crate) const PROCESS_RUNDOWN: &[Part] = &[
    Bytes(process::PID, 4),
    Created(process::PID),
    Bytes(process::PARENT, 8),
    Bytes(process::FLAGS, 4),
    Wide(process::NAME),
    Zeros(12),
];
/// ProcessID, CreateTime, ExitTime, ExitCode; kind of token, handles, memory; ImageName.
pub(crate) const PROCESS_STOP: &[Part] = &[
    Bytes(process::PID, 4),
    Created(process::PID),
    Now,
    Bytes(process::STATUS, 4),
    Zeros(24),
    Text(process::NAME),
];
/// ProcessID, ThreadID, stacks; StartAddr, for which the kernel record has no place; Win32StartAddr, TebBase, SubProcessTag.
pub(crate) const THREAD_START: &[Part] = &[Bytes(0, 40), Zeros(8), Bytes(48, 20)];
/// The same without SubProcessTag.
pub(crate) const THREAD_STOP: &[Part] = &[Bytes(0, 40), Zeros(8), Bytes(48, 16)];
/// ImageBase to TimeDateStamp, DefaultBase, ImageName.
pub(crate) const IMAGE: &[Part] = &[Bytes(0, 28), Bytes(32, 8), Rest(56)];
/// All but IssuingThreadId.
pub(crate) const TRANSFER: &[Part] = &[Bytes(0, 48)];
pub(crate) const FLUSH: &[Part] = &[Bytes(0, 24)];

/// When processes began, as files of `/proc` and the events themselves show.
#[derive(Debug, Default)]
pub(crate) struct Beginnings(FxHashMap<u32, u64>);

impl Beginnings {
    /// Maximum number of processes that are remembered.
    const MOST: usize = 1 << 16;

    /// Notes that a process begins now.
    pub(crate) fn begins(&mut self, payload: &[u8]) {
        if self.0.len() >= Self::MOST {
            self.0.clear();
        }
        self.0.insert(number(payload, process::PID), now());
    }

    /// Forgets a process that has ended.
    pub(crate) fn ended(&mut self, payload: &[u8]) {
        self.0.remove(&number(payload, process::PID));
    }

    /// When a process began; 0 if it is gone, and began before the session.
    fn of(&mut self, pid: u32) -> u64 {
        if let Some(known) = self.0.get(&pid) {
            return *known;
        }
        // The folder of a process is made when it is looked at first; its files say when it began.
        let began = crate::machine::began(pid).map_or(0, |ns| FileTime::from_unix_ns(ns).0.cast_unsigned());
        if self.0.len() < Self::MOST {
            self.0.insert(pid, began);
        }
        began
    }
}

fn now() -> u64 {
    FileTime::from_unix_ns(crate::sys::wall().cast_signed()).0.cast_unsigned()
}

fn number(payload: &[u8], at: usize) -> u32 {
    payload.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Makes a payload of parts of another; [`None`] if that is too short.
pub(crate) fn recast(
    parts: &[Part],
    payload: &[u8],
    beginnings: &mut Beginnings,
    out: &mut Vec<u8>,
) -> Option<()> {
    let text = |at: usize| payload.get(at..)?.split_inclusive(|byte| *byte == 0).next();
    for part in parts {
        match *part {
            Bytes(at, count) => out.extend_from_slice(payload.get(at..at + count)?),
            Rest(at) => out.extend_from_slice(payload.get(at..)?),
            Zeros(count) => out.resize(out.len() + count, 0),
            Created(at) => out.extend_from_slice(&beginnings.of(number(payload, at)).to_le_bytes()),
            Now => out.extend_from_slice(&now().to_le_bytes()),
            Wide(at) => {
                let text = String::from_utf8_lossy(text(at)?);
                out.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
            }
            Text(at) => out.extend_from_slice(text(at)?),
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No process has such an id.
    const GONE: u32 = 4_294_967_000;

    fn of(parts: &[Part], payload: &[u8]) -> Option<Vec<u8>> {
        let mut out = vec![0xFF];
        recast(parts, payload, &mut Beginnings::default(), &mut out)?;
        Some(out[1..].to_vec())
    }

    #[test]
    fn issue_23_parts_come_in_their_order() {
        let payload = *b"0123na\xC3\xA4e\0rest";
        let wide: Vec<u8> = "na\u{e4}e\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (parts, expected) in [
            (SAME, payload.to_vec()),
            (&[Bytes(2, 2), Zeros(3), Bytes(0, 1)], b"23\0\0\x000".to_vec()),
            (&[Rest(10), Text(4)], b"restna\xC3\xA4e\0".to_vec()),
            (&[Wide(4)], wide),
            // A text without an end is the rest.
            (&[Text(11)], b"est".to_vec()),
        ] {
            assert_eq!(of(parts, &payload), Some(expected), "{parts:?}");
        }
        for parts in [&[Bytes(12, 3)][..], &[Rest(15)], &[Text(15)], &[Wide(99)], &[Zeros(1), Bytes(14, 1)]] {
            assert_eq!(of(parts, &payload), None, "{parts:?}");
        }
    }

    #[test]
    fn issue_23_processes_begin_when_they_were_seen_to() {
        let payload = [&[0; 8], &GONE.to_le_bytes()[..]].concat();
        let mut beginnings = Beginnings::default();
        assert_eq!(beginnings.of(GONE), 0, "it is gone");
        let before = now();
        beginnings.begins(&payload);
        let began = beginnings.of(GONE);
        assert!((before..=now()).contains(&began));
        let mut out = Vec::new();
        recast(&[Created(8), Now], &payload, &mut beginnings, &mut out).unwrap();
        assert_eq!(out[..8], began.to_le_bytes());
        let (_, time) = out.split_at(8);
        assert!(u64::from_le_bytes(time.try_into().unwrap()) >= began);
        beginnings.ended(&payload);
        assert_eq!(beginnings.of(GONE), 0);
        // One that runs began before now, and it is remembered.
        let me = std::process::id();
        let began = beginnings.of(me);
        assert!(began > 0 && began <= now());
        assert_eq!((beginnings.0[&me], beginnings.of(me)), (began, began));
    }

    #[test]
    fn issue_23_beginnings_are_bounded() {
        let mut beginnings = Beginnings((0..Beginnings::MOST as u32).map(|pid| (pid, 5)).collect());
        assert_eq!(beginnings.of(7), 5);
        assert_eq!((beginnings.of(GONE), beginnings.0.len()), (0, Beginnings::MOST));
        beginnings.begins(&[0; 12]);
        assert_eq!(beginnings.0.len(), 1);
    }
}
