//! Names of system calls whose records have the function of the kernel that carries them out, as on Windows.

use rustc_hash::FxHashMap;

use crate::calls::UNNAMED;

/// Maximum number of threads in calls that are remembered, so that a trace in which every call is of a new thread cannot exhaust memory.
const MOST: usize = 1 << 16;

/// The functions with names, and which of them threads are in.
#[derive(Debug, Default)]
pub(super) struct CallFunctions {
    /// By address: its place among the names.
    addresses: FxHashMap<u64, usize>,
    names: Vec<Box<[u8]>>,
    /// By thread: the place of the name of the call that it is in.
    threads: FxHashMap<u32, usize>,
}

impl CallFunctions {
    pub(super) fn new(functions: &[(u64, String)]) -> CallFunctions {
        let addresses = functions.iter().enumerate().map(|(at, (address, _))| (*address, at)).collect();
        let names = functions.iter().map(|(_, name)| name.as_bytes().into()).collect();
        CallFunctions { addresses, names, threads: FxHashMap::default() }
    }

    /// The name of a call of a thread: of that which begins with this function, or else of that which returns now.
    pub(super) fn name(&mut self, tid: Option<u32>, function: Option<u64>) -> &[u8] {
        let at = match (function, tid) {
            (Some(function), tid) => {
                let at = self.addresses.get(&function).copied();
                if self.threads.len() >= MOST {
                    self.threads.clear();
                }
                match (tid, at) {
                    (Some(tid), Some(at)) => drop(self.threads.insert(tid, at)),
                    // What returns next is not what began before.
                    (Some(tid), None) => drop(self.threads.remove(&tid)),
                    (None, _) => {}
                }
                at
            }
            (None, Some(tid)) => self.threads.remove(&tid),
            (None, None) => None,
        };
        at.and_then(|at| self.names.get(at)).map_or(UNNAMED.as_bytes(), |name| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_19_a_return_has_the_name_of_the_call_that_began() {
        let functions = [(10, "NtClose".to_owned()), (20, "NtReadFile".to_owned())];
        let mut calls = CallFunctions::new(&functions);
        let mut name = |tid, function| String::from_utf8_lossy(calls.name(tid, function)).into_owned();
        for (tid, function, expected) in [
            // It began before the trace.
            (Some(1), None, UNNAMED),
            (Some(1), Some(10), "NtClose"),
            (Some(2), Some(20), "NtReadFile"),
            (Some(1), None, "NtClose"),
            (Some(1), None, UNNAMED),
            (Some(2), None, "NtReadFile"),
            // One that never returned, and one without a name.
            (Some(1), Some(10), "NtClose"),
            (Some(1), Some(30), UNNAMED),
            (Some(1), None, UNNAMED),
            (None, Some(20), "NtReadFile"),
            (None, None, UNNAMED),
        ] {
            assert_eq!(name(tid, function), expected, "{tid:?} {function:?}");
        }
    }

    #[test]
    fn issue_19_any_number_of_threads_takes_bounded_memory() {
        let mut calls = CallFunctions::new(&[(10, "NtClose".to_owned())]);
        for tid in 0..2 * MOST as u32 + 5 {
            calls.name(Some(tid), Some(10));
            assert!(calls.threads.len() <= MOST);
        }
        assert_eq!(calls.name(Some(2 * MOST as u32 + 4), None), b"NtClose");
    }
}
