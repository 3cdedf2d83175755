//! The state of an open file.

use pdb2::{AddressMap, PDB, StringTable};

use super::modules::Modules;
use super::source::Bounded;

/// The state that the parser needs to continue.
pub(super) struct Parser {
    pub(super) pdb: PDB<'static, Bounded>,
    pub(super) modules: Modules,
    /// Names of source files: read when lines are first asked for.
    pub(super) strings: Option<StringTable<'static>>,
    pub(super) map: AddressMap<'static>,
}
