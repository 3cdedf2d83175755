//! The maps that the programs of a session share.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use crate::ring::BpfRing;
use crate::sample::{FRAMES, LARGEST};
use crate::sys::{Map, MapSpec};

/// Types of maps (linux/bpf.h).
pub(crate) mod kind {
    pub(crate) const HASH: u32 = 1;
    pub(crate) const ARRAY: u32 = 2;
    pub(crate) const PER_CPU_HASH: u32 = 5;
    pub(crate) const PER_CPU_ARRAY: u32 = 6;
    pub(crate) const STACKS: u32 = 7;
    pub(crate) const ARRAY_OF_MAPS: u32 = 12;
    pub(crate) const RING: u32 = 27;
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

/// What makes a map: the kernel, or a test.
pub(crate) type Make<'m> = dyn FnMut(MapSpec<'_>) -> io::Result<Map> + 'm;

/// Makes a ring of `size` bytes for each of the processors.
pub(crate) fn rings(possible: u32, size: u32, make: &mut Make<'_>) -> io::Result<Vec<Map>> {
    let spec = MapSpec { kind: kind::RING, entries: size, name: "tw_ring", ..MapSpec::default() };
    (0..possible).map(|_| make(spec)).collect()
}

impl Rings {
    /// Makes them available to programs.
    fn of(rings: Vec<Map>, make: &mut Make<'_>) -> io::Result<Rings> {
        let Some(first) = rings.first() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let possible = rings.len() as u32;
        if possible <= FEW {
            return Ok(Rings::Few(rings));
        }
        let all = make(all_rings(possible, Some(first.as_fd())))?;
        for (cpu, ring) in (0..).zip(&rings) {
            all.update(cpu, &ring.as_fd().as_raw_fd().to_ne_bytes())?;
        }
        Ok(Rings::Many(all))
    }
}

/// The map of the rings of so many processors.
pub(crate) fn all_rings(possible: u32, inner: Option<BorrowedFd<'_>>) -> MapSpec<'_> {
    MapSpec {
        kind: kind::ARRAY_OF_MAPS,
        key: 4,
        value: 4,
        entries: possible,
        inner,
        name: "tw_rings",
        ..MapSpec::default()
    }
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
        let mut make = |spec: MapSpec<'_>| Map::create(spec);
        let rings = rings(possible, size, &mut make)?;
        let readers = rings.iter().map(|ring| BpfRing::map(ring.as_fd(), size)).collect::<io::Result<_>>()?;
        let rings = Rings::of(rings, &mut make)?;
        Ok((Maps::with(rings, possible, programs, &mut make)?, readers))
    }

    /// Makes the maps beside the rings.
    pub(crate) fn with(rings: Rings, possible: u32, programs: u32, make: &mut Make<'_>) -> io::Result<Maps> {
        let mut per_cpu = |name, entries, value| {
            let (kind, per_cpu) = (kind::PER_CPU_ARRAY, Some(possible));
            make(MapSpec { kind, key: 4, value, entries, per_cpu, name, ..MapSpec::default() })
        };
        let scratch = (LARGEST + 2 * 8 * FRAMES) as u32;
        let lost = per_cpu("tw_lost", 1, 16)?;
        let scratch = per_cpu("tw_scratch", programs.max(1), scratch)?;
        let slots = per_cpu("tw_slots", SLOTS, 8)?;
        let calls = make(MapSpec {
            kind: kind::ARRAY,
            key: 4,
            value: 4,
            entries: CALLS,
            name: "tw_calls",
            ..MapSpec::default()
        })?;
        Ok(Maps { rings, lost, scratch, slots, calls, possible })
    }

    /// Of each processor: how many samples were lost so far, and when the last.
    pub(crate) fn losses(&self) -> io::Result<Vec<(u64, u64)>> {
        let mut bytes = vec![0; 16 * self.possible as usize];
        self.lost.lookup(0, &mut bytes)?;
        let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u64::from_ne_bytes(*word));
        Ok(bytes.chunks_exact(16).map(|each| (word(each), word(&each[8..]))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_programs_have_a_few_rings_by_themselves() {
        let mut made = Vec::new();
        let mut make = |spec: MapSpec<'_>| {
            made.push((spec.kind, spec.entries, spec.key, spec.value, spec.inner.is_some()));
            Ok(Map::without_kernel(spec))
        };
        let few = rings(FEW, 4096, &mut make).unwrap();
        assert!(matches!(Rings::of(few, &mut make), Ok(Rings::Few(rings)) if rings.len() == FEW as usize));
        let more = rings(FEW + 1, 4096, &mut make).unwrap();
        // Without a kernel no map can be put into another one.
        assert!(Rings::of(more, &mut make).is_err());
        assert!(Rings::of(Vec::new(), &mut make).is_err());
        assert_eq!(made.len() as u32, 2 * FEW + 2);
        assert_eq!(made[0], (kind::RING, 4096, 0, 0, false));
        assert_eq!(made.last(), Some(&(kind::ARRAY_OF_MAPS, FEW + 1, 4, 4, true)));
    }
}
