//! The processes that watched ones start, where these are followed.

use rustc_hash::FxHashMap;
use tracewell_probes::replay::LiveProcess;

/// Maximum number of processes of each kind, so that memory stays bounded: beyond, all are asked for again.
const MOST: usize = 1 << 16;

/// The children that are known, and what may become known as one.
#[derive(Debug, Default)]
pub(crate) struct Children {
    known: FxHashMap<u32, LiveProcess>,
    /// What other processes of the machine have mapped. A child may have ended before its first call is read.
    others: FxHashMap<u32, LiveProcess>,
}

impl Children {
    /// A child that is known.
    pub(crate) fn get(&self, pid: u32) -> Option<&LiveProcess> {
        self.known.get(&pid)
    }

    /// Adds an image that a process has mapped: base, size and path. Returns `true` if it is a child that is known. `ask` describes
    /// processes that run.
    pub(crate) fn map(
        &mut self,
        pid: u32,
        image: (u64, u64, String),
        ask: impl Fn(u32) -> Option<LiveProcess>,
    ) -> bool {
        if let Some(known) = self.known.get_mut(&pid) {
            // It may run another program by now: what that has is not beside what the old one had.
            match ask(pid).filter(|now| !now.images.is_empty()) {
                Some(now) => *known = now,
                None => known.images.push(image),
            }
            return true;
        }
        if self.others.len() >= MOST {
            self.others.clear();
        }
        let other = self.others.entry(pid).or_insert_with(|| {
            // A program is mapped before its libraries.
            let name = image.2.rsplit('/').next().unwrap_or_default().to_owned();
            LiveProcess { pid, name, ..LiveProcess::default() }
        });
        other.images.push(image);
        false
    }

    /// Meets the process of a call. Returns `true` if it is new. One that has ended is described by what it mapped; without that it was
    /// a copy of its parent.
    pub(crate) fn meet(
        &mut self,
        pid: u32,
        parent: Option<&LiveProcess>,
        ask: impl Fn(u32) -> Option<LiveProcess>,
    ) -> bool {
        if self.known.contains_key(&pid) {
            return false;
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let mapped = self.others.remove(&pid);
        let child = ask(pid).filter(|now| !now.images.is_empty()).unwrap_or_else(|| {
            let parent = parent.cloned().unwrap_or_default();
            match mapped {
                Some(mapped) => LiveProcess { parent: Some(parent.pid), uid: parent.uid, ..mapped },
                None => LiveProcess { pid, parent: Some(parent.pid), ..parent },
            }
        });
        self.known.insert(pid, child);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(base: u64, path: &str) -> (u64, u64, String) {
        (base, 16, path.to_owned())
    }

    fn process(pid: u32, name: &str, images: &[(u64, u64, String)]) -> LiveProcess {
        LiveProcess {
            pid,
            name: name.to_owned(),
            images: images.to_vec(),
            uid: Some(7),
            ..LiveProcess::default()
        }
    }

    fn shown(children: &Children, pid: u32) -> (String, Option<u32>, Vec<u64>) {
        let child = children.get(pid).unwrap();
        (child.name.clone(), child.parent, child.images.iter().map(|image| image.0).collect())
    }

    #[test]
    fn issue_17_children_that_have_ended_are_described_by_what_they_mapped() {
        let parent = process(1, "make", &[image(1, "/bin/make")]);
        let gone = |_| None;
        let mut children = Children::default();
        // A copy of its parent; a program with a library; one that runs; one that ended, and is not reaped.
        assert!(
            !children.map(3, image(10, "/usr/bin/cc1"), gone)
                && !children.map(3, image(11, "/lib/libc"), gone)
        );
        assert!(!children.map(5, image(20, "/bin/as"), gone));
        let runs = |pid| Some(process(pid, "sleeper", &[image(30, "/bin/sleeper")]));
        let empty = |pid| Some(process(pid, "as", &[]));
        assert!(children.meet(2, Some(&parent), gone) && children.meet(3, Some(&parent), gone));
        assert!(children.meet(4, Some(&parent), runs) && children.meet(5, Some(&parent), empty));
        assert!(!children.meet(4, Some(&parent), gone), "it is known");
        let make = || "make".to_owned();
        assert_eq!(shown(&children, 2), (make(), Some(1), vec![1]));
        assert_eq!(shown(&children, 3), ("cc1".to_owned(), Some(1), vec![10, 11]));
        assert_eq!(shown(&children, 4), ("sleeper".to_owned(), None, vec![30]));
        assert_eq!(shown(&children, 5), ("as".to_owned(), Some(1), vec![20]));
        assert_eq!(children.get(3).unwrap().uid, Some(7), "that of its parent");
        // A known one maps a library, or runs another program.
        assert!(children.map(2, image(12, "/lib/a"), gone));
        assert_eq!(shown(&children, 2), (make(), Some(1), vec![1, 12]));
        assert!(children.map(2, image(31, "/lib/b"), runs));
        assert_eq!(shown(&children, 2), ("sleeper".to_owned(), None, vec![30]));
        assert!(children.meet(9, None, gone));
        assert!(children.get(10).is_none());
    }

    #[test]
    fn issue_17_any_number_of_children_takes_bounded_memory() {
        let mut children = Children::default();
        for pid in 0..2 * MOST as u32 + 9 {
            children.meet(pid, None, |_| None);
            children.map(pid + (1 << 20), image(1, "/bin/a"), |_| None);
            assert!(children.known.len() <= MOST && children.others.len() <= MOST);
        }
        assert!(children.get(2 * MOST as u32 + 8).is_some());
    }
}
