//! Programs that tests make up, as modules of a process.

use tracewell_corpus::Scratch;
pub(crate) use tracewell_corpus::elf::{CODE, DATA, FUNCTION, INDIRECT, Made, VARIABLE};

use crate::modules::Module;

/// A file as a module.
pub(crate) trait AsModule {
    /// Writes the file and returns it as a module, which is the program itself if it has an entry.
    fn module(&self, folder: &Scratch, name: &str) -> Module;
}

impl AsModule for Made {
    fn module(&self, folder: &Scratch, name: &str) -> Module {
        let path = self.write(folder, name);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        Module { name, path, program: self.entry != 0, mapped: None }
    }
}
