//! Probes on functions of libraries that a process loads while it is watched.
//!
//! The kernel reports each file that a process maps. If a description of the program names the file, its functions are probed
//! from then on. Calls between the two are not seen; [`Later::closing`] reports how long that was.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use tracewell_dlang::catalog::{ProbeDesc, glob};
use tracewell_dlang::program::{ProbeId, Program};
use tracewell_pid::{Finder, Mapped, Mechanism, Way, provider_pid};
use tracewell_probes::names::MOST_LATER;

/// Nanoseconds of the clock of hits.
pub(crate) fn monotonic() -> i64 {
    #[cfg(target_os = "linux")]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
    #[cfg(not(target_os = "linux"))]
    0
}

/// Maximum number of files of a run that are looked at, and so of those that a program can have it read.
const MOST_FILES: usize = 1000;
/// Maximum number of bytes of these files, which are kept while the run goes on.
const MOST_BYTES: u64 = 1 << 30;
/// Files that are named at the end of a run.
const SHOWN: usize = 4;

/// A probe that was placed while the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    /// Its number.
    pub(crate) id: ProbeId,
    /// Provider, module, function and name.
    pub(crate) names: [String; 4],
    /// The clauses on it, by their places in the program.
    pub(crate) clauses: Vec<u32>,
}

/// The probes that were placed and that the engine does not know yet.
pub(crate) type Arrivals = Rc<RefCell<Vec<Arrived>>>;

/// A description of functions, and the clauses on it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Description {
    desc: ProbeDesc,
    /// By their places in the program. A clause that has the description twice fires twice.
    clauses: Vec<u32>,
}

/// What is looked for in the files that processes map.
#[derive(Debug, Default)]
pub(crate) struct Later {
    /// By process.
    descriptions: BTreeMap<u32, Vec<Description>>,
    next: u32,
    /// How many probes there may be.
    limit: usize,
    placed: usize,
    files: usize,
    bytes: u64,
    arrivals: Arrivals,
    /// What was placed: file, probes, and milliseconds after the file was mapped.
    modules: Vec<(String, usize, u64)>,
    /// What could not be placed, and why.
    failed: BTreeSet<String>,
}

impl Later {
    /// The descriptions of a program. Probes have numbers from `first` on, and at most `limit` are placed, or [`MOST_LATER`] if those
    /// are fewer.
    pub(crate) fn of(program: &Program, first: ProbeId, limit: usize) -> Later {
        let mut descriptions: BTreeMap<u32, Vec<Description>> = BTreeMap::new();
        for (number, clause) in (0..).zip(&program.clauses) {
            for desc in clause.described.iter().filter_map(|(text, _)| ProbeDesc::split(text).ok()) {
                let Some((Way::Kernel, pid)) = provider_pid(&desc.provider) else { continue };
                let of_process = descriptions.entry(pid).or_default();
                match of_process.iter_mut().find(|known| known.desc == desc) {
                    Some(known) => known.clauses.push(number),
                    None => of_process.push(Description { desc, clauses: vec![number] }),
                }
            }
        }
        Later { descriptions, next: first.0, limit: limit.min(MOST_LATER), ..Later::default() }
    }

    /// Returns `true` if no further file is looked at.
    fn is_full(&self) -> bool {
        self.files > MOST_FILES || self.bytes > MOST_BYTES
    }

    /// What the engine is to be given.
    pub(crate) fn arrivals(&self) -> Arrivals {
        Rc::clone(&self.arrivals)
    }

    /// Looks for functions in a file that a process has mapped, and has them watched.
    pub(crate) fn map(
        &mut self,
        Mapped { pid, image: (_, _, path), time }: &Mapped,
        finder: &mut Finder,
        watching: &mut dyn Mechanism,
    ) {
        let Some(descriptions) = self.descriptions.get(pid) else { return };
        if !path.starts_with('/') || self.is_full() {
            return;
        }
        let Some((module, size)) = finder.arrive(Path::new(path)) else { return };
        self.files += 1;
        self.bytes = self.bytes.saturating_add(size);
        if self.is_full() {
            return;
        }
        // A function that several descriptions match has the clauses of all, in their order.
        let mut found: BTreeMap<u32, (tracewell_pid::Found, &str, Vec<u32>)> = BTreeMap::new();
        for Description { desc, clauses } in descriptions {
            match finder.find_later(glob, [&desc.module, &desc.function, &desc.name], module) {
                Ok(all) => {
                    for one in all {
                        let known = found.entry(one.site).or_insert((one, &desc.provider, Vec::new()));
                        known.2.extend(clauses);
                    }
                }
                Err(refusal) => {
                    self.failed.insert(format!("{path}: {}", refusal.why));
                }
            }
        }
        if found.is_empty() {
            return;
        }
        if self.placed + found.len() > self.limit {
            self.failed.insert(format!(
                "{path}: it has {} functions that match, and the limit is {} with those before: name fewer, or raise it with \
                 -x pidlimit=N (at most {MOST_LATER} for libraries that are loaded later)",
                found.len(),
                self.limit
            ));
            return;
        }
        let first = self.next;
        // Places that are watched in spite of an error keep their numbers.
        self.next = self.next.saturating_add(found.len() as u32);
        let numbers = first..;
        let watches: Vec<_> =
            numbers.zip(found.keys()).flat_map(|(id, site)| finder.watches(*site, id)).collect();
        if let Err(why) = watching.watch_later(&watches) {
            self.failed.insert(why);
            return;
        }
        self.placed += found.len();
        let after =
            if *time == 0 { 0 } else { monotonic().cast_unsigned().saturating_sub(*time) / 1_000_000 };
        self.modules.push((path.clone(), found.len(), after));
        let arrived = (first..).zip(found.into_values()).map(|(id, (found, provider, mut clauses))| {
            clauses.sort_unstable();
            let names = [provider.to_owned(), found.module, found.function, found.name];
            Arrived { id: ProbeId(id), names, clauses }
        });
        self.arrivals.borrow_mut().extend(arrived);
    }

    /// Lines about what was not seen.
    pub(crate) fn closing(&self) -> Vec<String> {
        let line = |(path, probes, after): &(String, usize, u64)| {
            let probes = tracewell::text::counted(*probes as u64, "probe was", "probes were");
            format!(
                "{path} was loaded while the program ran: {probes} placed {after} ms later, and earlier calls are not counted"
            )
        };
        let mut lines: Vec<String> = self.modules.iter().take(SHOWN).map(line).collect();
        if let Some(more) = self.modules.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            lines.push(format!(
                "the same holds for {}",
                tracewell::text::counted(more as u64, "other file", "other files")
            ));
        }
        let failed = self.failed.iter().take(SHOWN);
        lines.extend(
            failed.map(|why| format!("functions of a library that was loaded later are not probed: {why}")),
        );
        if self.is_full() {
            lines.push(format!(
                "the program loaded more than {MOST_FILES} files, or {} MiB, while it ran: functions of those after them are not \
                 probed",
                MOST_BYTES >> 20
            ));
        }
        lines
    }
}

#[cfg(test)]
#[path = "later_tests.rs"]
mod tests;
