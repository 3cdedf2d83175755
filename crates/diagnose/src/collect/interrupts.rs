//! Interrupts and deferred procedure calls.

use crate::limits::Limits;
use rustc_hash::FxHashMap;

/// What interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An interrupt service routine.
    Isr,
    /// A deferred procedure call.
    Dpc,
}

/// A routine that handles interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Routine {
    /// Its kind.
    pub kind: Kind,
    /// Vector of an interrupt, else 0.
    pub vector: u16,
    /// Address.
    pub address: u64,
}

/// How often a routine ran, and how long.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Times.
    pub count: u64,
    /// Nanoseconds.
    pub sum: i64,
    /// The longest: duration and start.
    pub longest: (i64, i64),
    /// Nanoseconds by the process whose processor it took; a number of `People`.
    pub victims: FxHashMap<u32, i64>,
}

/// A long interrupt or call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Long {
    /// The routine.
    pub routine: Routine,
    /// Its start.
    pub from: i64,
    /// Its duration.
    pub took: i64,
}

/// Interrupts by routine.
#[derive(Debug, Default)]
pub struct Interrupts {
    /// By routine.
    pub routines: FxHashMap<Routine, Tally>,
    /// Those of at least [`Interrupts::LONG`] nanoseconds: how many by routine.
    pub long: Vec<Long>,
    /// Interrupts of routines, and long ones, beyond the limits.
    pub beyond: [u64; 2],
    pub(crate) limits: Limits,
}

impl Interrupts {
    /// Nanoseconds from which on an interrupt is kept one by one.
    pub const LONG: i64 = 500_000;

    pub(crate) fn add(&mut self, routine: Routine, from: i64, took: i64, victim: Option<u32>) {
        if self.routines.len() >= self.limits.routines && !self.routines.contains_key(&routine) {
            self.beyond[0] += 1;
            return;
        }
        let tally = self.routines.entry(routine).or_default();
        tally.count += 1;
        tally.sum = tally.sum.saturating_add(took);
        if took > tally.longest.0 {
            tally.longest = (took, from);
        }
        if let Some(victim) = victim {
            *tally.victims.entry(victim).or_default() += took;
        }
        match self.long.len() < self.limits.long_interrupts {
            _ if took < Self::LONG => {}
            true => self.long.push(Long { routine, from, took }),
            false => self.beyond[1] += 1,
        }
    }
}
