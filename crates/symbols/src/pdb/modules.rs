//! The modules of a database by their numbers.

use pdb2::{DebugInformation, FallibleIterator, Module};
use rustc_hash::FxHashMap;
use self_cell::self_cell;

type Listed<'list> = Vec<Module<'list>>;

self_cell! {
    /// The list that a database has of its modules. Its records have no fixed length, so one is only found by
    /// walking over all before it: that is done once, as a program has tens of thousands of modules.
    pub(super) struct Modules {
        owner: DebugInformation<'static>,
        #[covariant]
        dependent: Listed,
    }
}

impl Modules {
    /// Reads the list. Damage ends the list, and is returned with the entries before it.
    pub(super) fn read(debug: DebugInformation<'static>) -> (Modules, Option<pdb2::Error>) {
        let mut damage = None;
        let modules = Modules::new(debug, |debug| {
            let mut listed = Vec::new();
            match debug.modules() {
                Ok(mut records) => loop {
                    match records.next() {
                        Ok(Some(module)) => listed.push(module),
                        Ok(None) => break,
                        Err(error) => {
                            damage = Some(error);
                            break;
                        }
                    }
                },
                Err(error) => damage = Some(error),
            }
            listed.shrink_to_fit();
            listed
        });
        (modules, damage)
    }

    /// Their numbers by name, in lower case.
    pub(super) fn names(&self) -> FxHashMap<String, u32> {
        let named = self.borrow_dependent().iter().zip(0..);
        named.map(|(module, number)| (module.module_name().to_ascii_lowercase(), number)).collect()
    }

    pub(super) fn get(&self, number: u32) -> Option<&Module<'_>> {
        self.borrow_dependent().get(number as usize)
    }
}
