//! Probes on system calls by name: `syscall::read:entry`.

use super::{Kind, ProbeCatalog};
use crate::calls::{CallEnd, Calls, ENDS, EXEC_ENDS, EXECS, PROC, SYSCALL};

impl<'s> ProbeCatalog<'s> {
    /// Sets the function that finds the system calls. Where they have names, `syscall:::entry` and `syscall:::return`
    /// are the probes on calls by name, and otherwise those on any call.
    pub fn name_calls_by<C: Into<Calls>>(&mut self, mut calls: impl FnMut() -> C + 's) {
        self.find_calls = Some(Box::new(move || calls().into()));
    }

    /// Adds the probes on system calls by name, if that has not been done.
    pub(super) fn add_calls(&mut self) {
        let Some(mut find) = self.find_calls.take() else { return };
        let Calls { names, functions } = find();
        self.call_functions = functions;
        for name in names {
            let index = self.calls.len() as u32;
            for (probe, end) in ENDS.iter().zip([CallEnd::Begins, CallEnd::Returns]) {
                self.add((SYSCALL, "", &name, probe.0), Vec::new(), Kind::Call(index, end));
            }
            for (probe, end) in EXEC_ENDS.into_iter().filter(|_| EXECS.contains(&&*name)) {
                self.add((PROC, "", &name, probe), Vec::new(), Kind::Call(index, end));
            }
            self.calls.push(name);
        }
    }

    /// Returns `true` if system calls have names.
    pub(super) fn names_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// The functions that carry out calls, with their names, where records do not name calls.
    pub(crate) fn call_functions(&self) -> &[(u64, String)] {
        &self.call_functions
    }

    /// The name of a system call.
    pub(crate) fn call(&self, index: u32) -> Option<&str> {
        self.calls.get(index as usize).map(String::as_str)
    }
}
