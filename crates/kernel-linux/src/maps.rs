//! The maps that the programs of a session share.

use std::io;
use std::os::fd::{AsFd, AsRawFd};

use crate::ring::BpfRing;
use crate::sample::{FRAMES, LARGEST};
use crate::sys::{Map, MapSpec};

/// Types of maps (linux/bpf.h).
pub(crate) mod kind {
    pub(crate) const ARRAY: u32 = 2;
    pub(crate) const PER_CPU_HASH: u32 = 5;
    pub(super) const PER_CPU_ARRAY: u32 = 6;
    pub(crate) const STACKS: u32 = 7;
    pub(super) const ARRAY_OF_MAPS: u32 = 12;
    pub(super) const RING: u32 = 27;
}

/// Number of system calls that programs distinguish.
pub(crate) const CALLS: u32 = 512;
/// Places for times: see [`slot`].
const SLOTS: u32 = 4;

/// What the places for times are used for.
pub(crate) mod slot {
    /// When the interrupt began that is handled.
    pub(crate) const INTERRUPT: u32 = 0;
    /// When the softirq began that runs.
    pub(crate) const SOFT_IRQ: u32 = 1;
}

/// Maximum number of processors whose rings programs have by themselves.
const FEW: u32 = 32;

/// The rings of all processors, as programs find them.
#[derive(Debug)]
pub(crate) enum Rings {
    /// Each by itself. The kernel waits for all processors, some milliseconds, when a map is put into another one.
    Few(Vec<Map>),
    /// In a map of maps.
    Many(Map),
}

/// The maps of a session.
#[derive(Debug)]
pub(crate) struct Maps {
    /// The ring of each processor.
    pub(crate) rings: Rings,
    /// Of each processor: how many samples were lost, and when the last.
    pub(crate) lost: Map,
    /// Of each processor and program: a sample under construction.
    pub(crate) scratch: Map,
    /// Of each processor: times.
    pub(crate) slots: Map,
    /// Of each system call: what it is to us.
    pub(crate) calls: Map,
    possible: u32,
}

impl Maps {
    /// Makes the maps, and a ring of `size` bytes for each of the processors.
    pub(crate) fn create(possible: u32, size: u32, programs: u32) -> io::Result<(Maps, Vec<BpfRing>)> {
        let per_cpu = |name, entries, value| {
            Map::create(MapSpec {
                kind: kind::PER_CPU_ARRAY,
                key: 4,
                value,
                entries,
                per_cpu: Some(possible),
                name,
                ..MapSpec::default()
            })
        };
        let mut rings = Vec::new();
        let mut readers = Vec::new();
        for _ in 0..possible {
            let spec = MapSpec { kind: kind::RING, entries: size, name: "tw_ring", ..MapSpec::default() };
            let ring = Map::create(spec)?;
            readers.push(BpfRing::map(ring.as_fd(), size)?);
            rings.push(ring);
        }
        let Some(first) = rings.first() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let all = if possible <= FEW {
            Rings::Few(rings)
        } else {
            let all = Map::create(MapSpec {
                kind: kind::ARRAY_OF_MAPS,
                key: 4,
                value: 4,
                entries: possible,
                inner: Some(first.as_fd()),
                name: "tw_rings",
                ..MapSpec::default()
            })?;
            for (cpu, ring) in (0..).zip(&rings) {
                all.update(cpu, &ring.as_fd().as_raw_fd().to_ne_bytes())?;
            }
            Rings::Many(all)
        };
        let calls = Map::create(MapSpec {
            kind: kind::ARRAY,
            key: 4,
            value: 4,
            entries: CALLS,
            name: "tw_calls",
            ..MapSpec::default()
        })?;
        let scratch = (LARGEST + 2 * 8 * FRAMES) as u32;
        let maps = Maps {
            rings: all,
            lost: per_cpu("tw_lost", 1, 16)?,
            scratch: per_cpu("tw_scratch", programs.max(1), scratch)?,
            slots: per_cpu("tw_slots", SLOTS, 8)?,
            calls,
            possible,
        };
        Ok((maps, readers))
    }

    /// Of each processor: how many samples were lost so far, and when the last.
    pub(crate) fn losses(&self) -> io::Result<Vec<(u64, u64)>> {
        let mut bytes = vec![0; 16 * self.possible as usize];
        self.lost.lookup(0, &mut bytes)?;
        let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u64::from_ne_bytes(*word));
        Ok(bytes.chunks_exact(16).map(|each| (word(each), word(&each[8..]))).collect())
    }
}
