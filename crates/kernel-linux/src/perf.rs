//! Performance events: samples of what runs, mappings of programs and libraries, and page faults that read from disks.
//!
//! Layouts: linux/perf_event.h. The ring of an event is read by the clock; its records are checked against their own lengths.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;

use crate::filter::Filter;
use crate::ring::{Fill, PerfRing};
use crate::sys::{PerfAttr, perf_enable, perf_filter, perf_open, perf_redirect};
use crate::tasks::Task;
use crate::translate::Image;
use crate::unwind::{self, User};

/// Types of records.
mod record {
    pub(super) const LOST: u32 = 2;
    pub(super) const COMM: u32 = 3;
    pub(super) const EXIT: u32 = 4;
    pub(super) const FORK: u32 = 7;
    pub(super) const SAMPLE: u32 = 9;
    pub(super) const MMAP2: u32 = 10;
    pub(super) const SWITCH_CPU_WIDE: u32 = 15;
}
/// A processor leaves a thread; or: a new name comes with a new program.
const SWITCH_OUT: u16 = 1 << 13;
const COMM_EXEC: u16 = 1 << 13;
/// The thread that it leaves could go on.
const PREEMPTED: u16 = 1 << 14;
/// The record contains a build id.
const HAS_BUILD_ID: u16 = 1 << 14;
/// `PROT_EXEC`.
const EXECUTABLE: u32 = 4;
/// What parts a chain of frames, and the first of its kind: no address is as high.
const CONTEXTS: u64 = (-4095_i64).cast_unsigned();
const USER_CONTEXT: u64 = (-512_i64).cast_unsigned();
/// Bytes of ids, time and processor behind every record that is not a sample.
const TRAILER: usize = 24;

/// What the ring of a processor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Samples of what runs, with the nanoseconds between two, and mappings.
    Clock { interval: Option<u64>, mappings: bool, frames: bool },
    /// Mappings of all processes, with their files, and threads that begin to run a program.
    Mappings,
    /// Page faults that read from disks.
    Faults,
    /// Records of tracepoints.
    Tracepoints { frames: bool },
    /// Threads that begin, end and get names; and which one each processor runs.
    Tasks { switches: bool },
}

/// A performance event of one processor.
#[derive(Debug)]
pub(crate) struct PerfEvent {
    event: File,
    ring: PerfRing,
    /// Events that write to the same ring, by the numbers of their tracepoints.
    others: Vec<(u16, File)>,
    /// Records that events which have ended lost.
    ended: u64,
    /// Losses that were reported.
    pub(crate) reported: u64,
    pub(crate) role: Role,
    pub(crate) cpu: u16,
}

impl Role {
    /// Returns `true` if its records are those of tracepoints.
    pub(crate) fn is_of_tracepoints(self) -> bool {
        matches!(self, Role::Tracepoints { .. })
    }

    /// Returns `true` if its records are about threads.
    fn is_of_tasks(self) -> bool {
        matches!(self, Role::Tasks { .. })
    }

    /// What to open for the role, or for a tracepoint of it.
    fn attr(self, ring: u32, tracepoint: Option<u16>) -> PerfAttr {
        const TRACEPOINT: u64 = 2;
        const SOFTWARE: u64 = 1;
        const SIZE: u64 = size_of::<PerfAttr>() as u64;
        const CPU_CLOCK: u64 = 0;
        const MAJOR_FAULTS: u64 = 6;
        const DUMMY: u64 = 9;
        const IP: u64 = 1;
        const TID: u64 = 2;
        const TIME: u64 = 4;
        const ADDR: u64 = 8;
        const CALL_CHAIN: u64 = 32;
        const CPU: u64 = 128;
        const RAW: u64 = 1024;
        const USER_REGISTERS: u64 = 1 << 12;
        const USER_STACK: u64 = 1 << 13;
        const DISABLED: u64 = 1;
        const MMAP: u64 = 1 << 8;
        const COMM: u64 = 1 << 9;
        const TASK: u64 = 1 << 13;
        const WATERMARK: u64 = 1 << 14;
        const SAMPLE_ID_ALL: u64 = 1 << 18;
        const MMAP2: u64 = 1 << 23;
        const COMM_EXEC: u64 = 1 << 24;
        const USE_CLOCK: u64 = 1 << 25;
        const CONTEXT_SWITCH: u64 = 1 << 26;
        const BUILD_ID: u64 = 1 << 34;
        const MONOTONIC: u64 = libc::CLOCK_MONOTONIC as u64;

        let mut kinds = IP | TID | TIME | CPU;
        let mut flags = DISABLED | WATERMARK | SAMPLE_ID_ALL | USE_CLOCK;
        let (config, period) = match self {
            Role::Clock { interval, mappings, frames } => {
                kinds |= if frames { CALL_CHAIN | USER_REGISTERS | USER_STACK } else { 0 };
                flags |= if mappings { MMAP | MMAP2 | BUILD_ID } else { 0 };
                interval.map_or((DUMMY, 1), |interval| (CPU_CLOCK, interval))
            }
            Role::Mappings => {
                flags |= MMAP | MMAP2 | COMM | COMM_EXEC;
                (DUMMY, 1)
            }
            Role::Faults => {
                kinds |= ADDR;
                (MAJOR_FAULTS, 1)
            }
            Role::Tracepoints { frames } => {
                kinds |= RAW | if frames { CALL_CHAIN } else { 0 };
                (DUMMY, 1)
            }
            Role::Tasks { switches } => {
                flags |= COMM | COMM_EXEC | TASK | if switches { CONTEXT_SWITCH } else { 0 };
                (DUMMY, 1)
            }
        };
        let (kind, config) = tracepoint.map_or((SOFTWARE, config), |id| (TRACEPOINT, id.into()));
        // No process waits for the ring, so it wakes its readers as late as possible.
        let wake = u64::from(ring);
        [
            kind | SIZE << 32,
            config,
            period,
            kinds,
            COUNTS_LOSSES,
            flags,
            wake,
            0,
            0,
            0,
            unwind::REGISTERS,
            u64::from(unwind::STACK) | MONOTONIC << 32,
            0,
            0,
        ]
    }
}

/// What reading an event returns: its count, and how many records it lost (`PERF_FORMAT_LOST`).
const COUNTS_LOSSES: u64 = 16;
const READ_FORMAT: usize = 4;

/// Opens an event that counts its losses, where the kernel does.
fn open(mut attr: PerfAttr, cpu: u16) -> io::Result<File> {
    let opened = perf_open(&attr, cpu.into()).or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput => {
            attr[READ_FORMAT] = 0;
            perf_open(&attr, cpu.into())
        }
        _ => Err(error),
    });
    opened.map(File::from)
}

/// Returns `true` if this process may watch all threads of a processor.
pub(crate) fn may_open(cpu: u16) -> bool {
    open(Role::Tasks { switches: true }.attr(1 << 16, None), cpu).is_ok()
}

/// Records that an event lost; [`None`] if the kernel does not count them.
fn losses(mut event: &File) -> Option<u64> {
    let mut counts = [0; 16];
    let read = event.read(&mut counts).unwrap_or(0);
    // Without the second number the kernel does not count losses.
    if read == counts.len() { u64_at(&counts, 8) } else { None }
}

/// Records that an event lost, as far as the kernel says.
fn lost(event: &File) -> u64 {
    losses(event).unwrap_or(0)
}

impl PerfEvent {
    /// Opens the event on a processor, stopped, with a ring of so many bytes.
    pub(crate) fn open(role: Role, cpu: u16, size: u32) -> io::Result<PerfEvent> {
        let event = open(role.attr(size, None), cpu)?;
        let ring = PerfRing::map(event.as_fd(), size)?;
        Ok(PerfEvent { event, ring, others: Vec::new(), ended: 0, reported: 0, role, cpu })
    }

    /// Starts or stops it, and what shares its ring.
    pub(crate) fn enable(&self, on: bool) -> io::Result<()> {
        for (_, other) in &self.others {
            perf_enable(other.as_fd(), on)?;
        }
        perf_enable(self.event.as_fd(), on)
    }

    /// Has a tracepoint write to the ring what passes a filter, from now on.
    pub(crate) fn add(&mut self, tracepoint: u16, filter: &Filter) -> io::Result<()> {
        let other = open(self.role.attr(self.ring.bytes(), Some(tracepoint)), self.cpu)?;
        perf_redirect(other.as_fd(), self.event.as_fd())?;
        if let Filter::Where(filter) = filter {
            // A kernel that does not understand it logs all.
            let _ = perf_filter(other.as_fd(), filter);
        }
        perf_enable(other.as_fd(), true)?;
        self.others.push((tracepoint, other));
        Ok(())
    }

    /// Returns `true` if a tracepoint writes to the ring.
    pub(crate) fn has(&self, tracepoint: u16) -> bool {
        self.others.iter().any(|(id, _)| *id == tracepoint)
    }

    /// Ends tracepoints, except some.
    pub(crate) fn keep(&mut self, kept: impl Fn(u16) -> bool) {
        let ended = self.others.extract_if(.., |(id, _)| !kept(*id));
        self.ended += ended.map(|(_, event)| lost(&event)).sum::<u64>();
    }

    /// How many records were lost so far; [`None`] if the kernel does not say.
    pub(crate) fn lost(&self) -> Option<u64> {
        losses(&self.event)
    }

    /// Losses that were not reported: the ring has a record about a loss only when another record comes.
    pub(crate) fn unreported(&self) -> u64 {
        let others = self.others.iter().map(|(_, event)| lost(event)).sum::<u64>();
        (lost(&self.event) + others + self.ended).saturating_sub(self.reported)
    }

    /// Appends what the ring holds, and returns how full it was.
    pub(crate) fn read(&self, out: &mut Vec<u8>) -> Fill {
        self.ring.read(out)
    }
}

/// A record of a ring.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event<'a> {
    Sample {
        ids: (u32, u32),
        ip: u64,
        address: u64,
        chain: &'a [u8],
        user: Option<User<'a>>,
    },
    Mapped {
        ids: (u32, u32),
        image: Image,
    },
    /// A record of a tracepoint: its number, and its bytes.
    Traced {
        ids: (u32, u32),
        id: u16,
        chain: &'a [u8],
        record: &'a [u8],
    },
    /// Something happened to a thread.
    Task(Task<'a>),
    Lost(u64),
    Other,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Divides the bytes of a ring into records. What is behind one that is damaged cannot be read.
pub(crate) fn records(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let size = usize::from(u16::from_ne_bytes(*bytes.get(6..)?.first_chunk()?));
        let record = bytes.get(..size).filter(|record| record.len() >= 8)?;
        bytes = bytes.get(size..)?;
        Some(record)
    })
}

/// When a record was made.
pub(crate) fn time(record: &[u8]) -> Option<u64> {
    let at = match u32_at(record, 0)? {
        record::SAMPLE => 8 + 8 + 8,
        _ => record.len().checked_sub(TRAILER)? + 8,
    };
    u64_at(record, at)
}

/// What a record says.
pub(crate) fn parse(role: Role, record: &[u8]) -> Option<Event<'_>> {
    let misc = u16::from_ne_bytes(*record.get(4..)?.first_chunk()?);
    match u32_at(record, 0)? {
        record::SAMPLE => {
            let ids = (u32_at(record, 16)?, u32_at(record, 20)?);
            let ip = u64_at(record, 8)?;
            let (address, rest) = match role {
                Role::Faults => (u64_at(record, 32)?, 48),
                Role::Clock { .. } | Role::Mappings | Role::Tracepoints { .. } | Role::Tasks { .. } => {
                    (0, 40)
                }
            };
            let (chain, rest) = match role {
                Role::Clock { frames: true, .. } | Role::Tracepoints { frames: true } => {
                    let size = usize::try_from(u64_at(record, rest)?).ok()?.checked_mul(8)?;
                    (record.get(rest + 8..)?.get(..size)?, rest + 8 + size)
                }
                _ => (&[][..], rest),
            };
            if !role.is_of_tracepoints() {
                let user = match role {
                    Role::Clock { frames: true, .. } => user_of(record.get(rest..)?),
                    _ => None,
                };
                return Some(Event::Sample { ids, ip, address, chain, user });
            }
            let record = record.get(rest + 4..)?.get(..u32_at(record, rest)? as usize)?;
            let id = u16::from_ne_bytes(*record.first_chunk()?);
            Some(Event::Traced { ids, id, chain, record })
        }
        record::MMAP2 => {
            let ids = (u32_at(record, 8)?, u32_at(record, 12)?);
            let (base, size, offset) = (u64_at(record, 16)?, u64_at(record, 24)?, u64_at(record, 32)?);
            let build_id = match misc & HAS_BUILD_ID != 0 {
                true => {
                    let size = usize::from(*record.get(40)?).min(20);
                    record.get(44..44 + size)?.to_vec()
                }
                false => Vec::new(),
            };
            // Without a build id, here are device and number of the file.
            let file = match misc & HAS_BUILD_ID {
                0 => Some((libc::makedev(u32_at(record, 40)?, u32_at(record, 44)?), u64_at(record, 48)?)),
                _ => None,
            };
            let protection = u32_at(record, 64)?;
            let name = record.get(72..record.len().checked_sub(TRAILER)?)?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            let path = String::from_utf8_lossy(name).into_owned();
            // What is mapped without a file takes the place of what was there.
            let is_file = path.starts_with('/') && !path.starts_with("//");
            if protection & EXECUTABLE == 0 || !is_file && role != Role::Mappings {
                return Some(Event::Other);
            }
            Some(Event::Mapped { ids, image: Image { base, size, offset, path, build_id, file } })
        }
        // Events for mappings have these records, too.
        record::FORK | record::EXIT if role.is_of_tasks() => {
            // Process, its parent's, thread, its parent's.
            let [pid, parent, tid, parent_tid] = [8, 12, 16, 20].map(|at| u32_at(record, at));
            let (ids, parent) = ((pid?, tid?), (parent?, parent_tid?));
            Some(Event::Task(match u32_at(record, 0)? {
                record::EXIT => Task::Ended(ids),
                _ => Task::Forked { parent, child: ids },
            }))
        }
        record::COMM => {
            let ids = (u32_at(record, 8)?, u32_at(record, 12)?);
            let name = record.get(16..record.len().checked_sub(TRAILER)?)?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            Some(Event::Task(Task::Named { ids, name, exec: misc & COMM_EXEC != 0 }))
        }
        record::SWITCH_CPU_WIDE => {
            let other = (u32_at(record, 8)?, u32_at(record, 12)?);
            let at = record.len().checked_sub(TRAILER)?;
            let own = (u32_at(record, at)?, u32_at(record, at + 4)?);
            Some(Event::Task(match misc & SWITCH_OUT != 0 {
                true => Task::Switched { from: own, to: other, preempted: misc & PREEMPTED != 0 },
                false => Task::Came(own),
            }))
        }
        record::LOST => Some(Event::Lost(u64_at(record, 16)?)),
        _ => Some(Event::Other),
    }
}

/// The registers and the stack of a thread where it left its program; nothing for threads of the kernel, and for programs of 32
/// bits. Their parts are a kind, registers, a size, bytes, and how many of these are valid.
fn user_of(bytes: &[u8]) -> Option<User<'_>> {
    const OF_64_BITS: u64 = 2;
    if u64_at(bytes, 0)? != OF_64_BITS {
        return None;
    }
    let mut registers = [0; unwind::COUNT];
    for (at, register) in (8..).step_by(8).zip(&mut registers) {
        *register = u64_at(bytes, at)?;
    }
    let rest = bytes.get(8 + 8 * unwind::COUNT..)?;
    let size = usize::try_from(u64_at(rest, 0)?).ok()?;
    let stack = rest.get(8..)?.get(..size)?;
    let valid = usize::try_from(u64_at(rest, 8 + size)?).ok()?;
    Some(User { registers, stack: stack.get(..valid)? })
}

/// The frames of a chain, without what parts them: those of the kernel, then those of the user. Returns how many bytes are those
/// of the kernel.
pub(crate) fn frames(chain: &[u8], out: &mut Vec<u8>) -> usize {
    out.clear();
    let (mut user, mut of_kernel) = (false, 0);
    for frame in chain.as_chunks::<8>().0 {
        let address = u64::from_ne_bytes(*frame);
        if address >= CONTEXTS {
            user |= address == USER_CONTEXT;
        } else if user || address >> 63 == 1 {
            out.extend_from_slice(frame);
            of_kernel += if user { 0 } else { frame.len() };
        }
    }
    of_kernel
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, misc: u16, body: &[u8]) -> Vec<u8> {
        let size = (8 + body.len()) as u16;
        let mut out = kind.to_ne_bytes().to_vec();
        out.extend(misc.to_ne_bytes());
        out.extend(size.to_ne_bytes());
        out.extend(body);
        out
    }

    fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    const CLOCK: Role = Role::Clock { interval: Some(1), mappings: true, frames: true };

    #[test]
    fn samples_have_ids_time_and_frames() {
        let ids = 7_u64 | 8 << 32;
        let kernel = (-128_i64).cast_unsigned();
        let chain = [kernel, 0xFFFF_FFFF_8100_0000, USER_CONTEXT, 0x40_1000, 0x40_2000];
        let mut body = vec![0x1234, ids, 99, 1, chain.len() as u64];
        body.extend(chain);
        // Of a thread of the kernel, then of a program: three of four words of the stack are valid.
        let none = record(record::SAMPLE, 0, &words(&[&body[..], &[0, 0]].concat()));
        let registers = [11; unwind::COUNT];
        body.push(2);
        body.extend(registers);
        body.extend([32, 21, 22, 23, 24, 24]);
        let bytes = record(record::SAMPLE, 0, &words(&body));
        assert_eq!(time(&bytes), Some(99));
        assert!(matches!(parse(CLOCK, &none), Some(Event::Sample { ip: 0x1234, user: None, .. })));
        let Some(Event::Sample { ids, ip, chain, user, .. }) = parse(CLOCK, &bytes) else { panic!() };
        assert_eq!((ids, ip), ((7, 8), 0x1234));
        assert_eq!(user, Some(User { registers, stack: &words(&[21, 22, 23]) }));
        let mut out = Vec::new();
        assert_eq!(frames(chain, &mut out), 8);
        assert_eq!(out, words(&[0xFFFF_FFFF_8100_0000, 0x40_1000, 0x40_2000]));
        // Cut anywhere, it is an error and no panic.
        for cut in 0..bytes.len() {
            let _ = (time(&bytes[..cut]), parse(CLOCK, &bytes[..cut]));
        }
        let fault = record(record::SAMPLE, 0, &words(&[1, 7 | 8 << 32, 99, 0xADD0, 1]));
        let Some(Event::Sample { address, .. }) = parse(Role::Faults, &fault) else { panic!() };
        assert_eq!(address, 0xADD0);
    }

    #[test]
    fn records_of_tracepoints_have_frames_before_them() {
        let ids = 7_u64 | 8 << 32;
        for frames in [false, true] {
            let mut body = words(&[0x1234, ids, 99, 1]);
            body.extend(if frames { words(&[1, 0x40_1000]) } else { Vec::new() });
            body.extend(12_u32.to_ne_bytes());
            let raw = [372_u16.to_ne_bytes().as_slice(), &[5; 10]].concat();
            body.extend(&raw);
            let bytes = record(record::SAMPLE, 0, &body);
            let role = Role::Tracepoints { frames };
            let stack = words(&[0x40_1000]);
            let chain = if frames { stack.as_slice() } else { &[] };
            assert_eq!(time(&bytes), Some(99));
            let expected = Event::Traced { ids: (7, 8), id: 372, chain, record: &raw };
            assert_eq!(parse(role, &bytes), Some(expected));
            for cut in 0..bytes.len() {
                assert_eq!(parse(role, &bytes[..cut]), None, "{cut}");
            }
        }
    }

    #[test]
    fn issue_23_the_shortest_record_is_its_head() {
        let bytes = [record(1, 0, &[]), record(2, 0, &[7; 8]), record(3, 0, &[])].concat();
        assert!(records(&bytes).map(<[u8]>::len).eq([8, 16, 8]));
        let mut short = bytes;
        short[6] = 7;
        assert_eq!(records(&short).count(), 0, "a record is no shorter than its head");
    }

    #[test]
    fn mappings_have_build_ids_and_paths() {
        let mut body = words(&[7 | 7 << 32, 0x7F00_0000, 0x3000, 0x2000]);
        body.extend([20, 0, 0, 0]);
        body.extend([0xAB; 20]);
        body.extend(5_u32.to_ne_bytes());
        body.extend(2_u32.to_ne_bytes());
        body.extend(b"/lib/x.so\0\0\0\0\0\0\0");
        body.extend(words(&[7 | 7 << 32, 42, 1]));
        let bytes = record(record::MMAP2, HAS_BUILD_ID, &body);
        assert_eq!(time(&bytes), Some(42));
        let (path, build_id) = ("/lib/x.so".into(), vec![0xAB; 20]);
        let image = Image { base: 0x7F00_0000, size: 0x3000, offset: 0x2000, path, build_id, file: None };
        assert_eq!(parse(CLOCK, &bytes), Some(Event::Mapped { ids: (7, 7), image }));
        // Without a build id there are the numbers of the file: 8:1, and 0xF11E.
        let mut plain = record(record::MMAP2, 0, &body);
        plain[40..48].copy_from_slice(&words(&[8 | 1 << 32]));
        plain[48..56].copy_from_slice(&words(&[0xF11E]));
        for role in [CLOCK, Role::Mappings] {
            let Some(Event::Mapped { image, .. }) = parse(role, &plain) else { panic!("{role:?}") };
            assert_eq!((image.file, image.build_id), (Some((libc::makedev(8, 1), 0xF11E)), Vec::new()));
        }
        // Memory without a file is of interest only where it takes the place of one.
        plain[72..81].copy_from_slice(b"//anon\0\0\0");
        assert_eq!(parse(CLOCK, &plain), Some(Event::Other));
        let Some(Event::Mapped { image, .. }) = parse(Role::Mappings, &plain) else { panic!() };
        assert_eq!(image.path, "//anon");
        let mut data = bytes.clone();
        data[64] = 1;
        assert_eq!(parse(CLOCK, &data), Some(Event::Other), "data is no image");
        for cut in 0..bytes.len() {
            let _ = (time(&bytes[..cut]), parse(CLOCK, &bytes[..cut]));
        }
    }

    #[test]
    fn issue_16_records_of_threads_say_what_happened() {
        const TASKS: Role = Role::Tasks { switches: true };
        let trailer = words(&[7 | 8 << 32, 42, 1]);
        let pair = |first: u32, second: u32| u64::from(first) | u64::from(second) << 32;
        let forked = words(&[pair(20, 7), pair(21, 8), 41]);
        let named = [words(&[pair(7, 8)]), b"sleeper\0".to_vec()].concat();
        let other = words(&[pair(30, 31)]);
        for (kind, misc, body, expected) in [
            (record::FORK, 0, &forked, Task::Forked { parent: (7, 8), child: (20, 21) }),
            (record::EXIT, 0, &forked, Task::Ended((20, 21))),
            (record::COMM, 0, &named, Task::Named { ids: (7, 8), name: b"sleeper", exec: false }),
            (record::COMM, COMM_EXEC, &named, Task::Named { ids: (7, 8), name: b"sleeper", exec: true }),
            (
                record::SWITCH_CPU_WIDE,
                SWITCH_OUT,
                &other,
                Task::Switched { from: (7, 8), to: (30, 31), preempted: false },
            ),
            (
                record::SWITCH_CPU_WIDE,
                SWITCH_OUT | PREEMPTED,
                &other,
                Task::Switched { from: (7, 8), to: (30, 31), preempted: true },
            ),
            (record::SWITCH_CPU_WIDE, 0, &other, Task::Came((7, 8))),
        ] {
            let bytes = record(kind, misc, &[body.as_slice(), &trailer].concat());
            assert_eq!(time(&bytes), Some(42));
            assert_eq!(parse(TASKS, &bytes), Some(Event::Task(expected)));
            if let record::FORK | record::EXIT = kind {
                assert_eq!(parse(CLOCK, &bytes), Some(Event::Other), "those of mappings are the same again");
            }
            for cut in 0..bytes.len() {
                let _ = (time(&bytes[..cut]), parse(TASKS, &bytes[..cut]));
            }
        }
    }

    #[test]
    fn rings_are_divided_into_records() {
        let mut bytes = record(3, 0, &[1; 8]);
        bytes.extend(record(record::LOST, 0, &words(&[1, 5, 0, 77, 0])));
        let all: Vec<&[u8]> = records(&bytes).collect();
        assert_eq!(all.len(), 2);
        assert_eq!(parse(CLOCK, all[1]), Some(Event::Lost(5)));
        assert_eq!(time(all[1]), Some(77));
        assert_eq!(records(&[0; 16]).count(), 0, "a record without a length ends them");
        assert_eq!(records(&bytes[..20]).count(), 1);
    }

    /// The bits of a request to the kernel, as `perf_event_open(2)` numbers it.
    #[test]
    fn issue_23_each_need_of_a_role_is_asked_for() {
        const ALWAYS: u64 = 1 << 0 | 1 << 14 | 1 << 18 | 1 << 25;
        let clock = |interval, mappings, frames| Role::Clock { interval, mappings, frames };
        for (role, kind, config, period, kinds, more) in [
            (clock(None, false, false), 1, 9, 1, 0, 0),
            (clock(Some(500), false, false), 1, 0, 500, 0, 0),
            (clock(Some(500), true, false), 1, 0, 500, 0, 1 << 8 | 1 << 23 | 1 << 34),
            (clock(None, true, true), 1, 9, 1, 1 << 5 | 1 << 12 | 1 << 13, 1 << 8 | 1 << 23 | 1 << 34),
            (Role::Mappings, 1, 9, 1, 0, 1 << 8 | 1 << 9 | 1 << 23 | 1 << 24),
            (Role::Faults, 1, 6, 1, 1 << 3, 0),
            (Role::Tracepoints { frames: false }, 1, 9, 1, 1 << 10, 0),
            (Role::Tracepoints { frames: true }, 1, 9, 1, 1 << 10 | 1 << 5, 0),
        ] {
            for (tracepoint, kind, config) in [(None, kind, config), (Some(77), 2, 77)] {
                let attr = role.attr(4096, tracepoint);
                let [head, config_now, period_now, kinds_now, format, flags, wake, zeros @ ..] = attr;
                assert_eq!(head, kind | (size_of_val(&attr) as u64) << 32, "{role:?}");
                assert_eq!((config_now, period_now, format), (config, period, 1 << 4), "{role:?}");
                assert_eq!(kinds_now, 1 | 1 << 1 | 1 << 2 | 1 << 7 | kinds, "{role:?}");
                assert_eq!((flags, wake), (ALWAYS | more, 4096), "{role:?}");
                assert_eq!((&zeros[..3], &zeros[5..]), (&[0; 3][..], &[0; 2][..]));
                assert_eq!(zeros[4], u64::from(unwind::STACK) | (libc::CLOCK_MONOTONIC as u64) << 32);
            }
        }
    }
}
