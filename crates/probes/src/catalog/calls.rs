//! Probes on system calls by name: `syscall::read:entry`.

use super::{Kind, ProbeCatalog};
use crate::calls::{ENDS, SYSCALL};

impl<'s> ProbeCatalog<'s> {
    /// Sets the function that finds the names of system calls. Where it returns some, `syscall:::entry` and `syscall:::return`
    /// are the probes on calls by name, and otherwise those on any call.
    pub fn name_calls_by(&mut self, names: impl FnMut() -> Vec<String> + 's) {
        self.find_calls = Some(Box::new(names));
    }

    /// Adds the probes on system calls by name, if that has not been done.
    pub(super) fn add_calls(&mut self) {
        let Some(mut find) = self.find_calls.take() else { return };
        for name in find() {
            let index = self.calls.len() as u32;
            for (end, returns) in ENDS.iter().zip([false, true]) {
                self.add((SYSCALL, "", &name, end.0), Vec::new(), Kind::Call(index, returns));
            }
            self.calls.push(name);
        }
    }

    /// Returns `true` if system calls have names.
    pub(super) fn names_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// The name of a system call.
    pub(crate) fn call(&self, index: u32) -> Option<&str> {
        self.calls.get(index as usize).map(String::as_str)
    }
}
