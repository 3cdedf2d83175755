//! What is kept of an open file to read on.

use pdb2::{AddressMap, PDB, StringTable};

use super::modules::Modules;
use super::source::Bounded;

/// What the parser needs to read on.
pub(super) struct Parser {
    pub(super) pdb: PDB<'static, Bounded>,
    pub(super) modules: Modules,
    /// Names of source files: read when lines are first asked for.
    pub(super) strings: Option<StringTable<'static>>,
    pub(super) map: AddressMap<'static>,
}
