//! Numbers of functions that another module of the program defines.
//!
//! Code that is generated for the program as a whole names a function by a number that holds for one module only: the
//! module's list of imports says which module's number that is, and the list of exports of that module which number of
//! the whole database.

use pdb2::{CrossModuleExports, CrossModuleImports, CrossModuleRef, IdIndex, ItemIndex, PDB, StringTable};
use rustc_hash::FxHashMap;

use super::modules::Modules;
use super::source::Bounded;

/// Resolves the numbers that one module uses.
pub(super) struct GlobalIds<'i> {
    imports: Option<CrossModuleImports<'i>>,
    known: FxHashMap<u32, IdIndex>,
    /// Modules by name in lower case; made when a number of another module is first met.
    names: Option<FxHashMap<String, u32>>,
    exports: FxHashMap<u32, Option<CrossModuleExports>>,
}

impl<'i> GlobalIds<'i> {
    pub(super) fn new(imports: Option<CrossModuleImports<'i>>) -> GlobalIds<'i> {
        GlobalIds { imports, known: FxHashMap::default(), names: None, exports: FxHashMap::default() }
    }

    /// The number of the whole database; the same number when it cannot be found, which names nothing then.
    pub(super) fn global(
        &mut self,
        id: IdIndex,
        pdb: &mut PDB<'static, Bounded>,
        modules: &Modules,
        strings: &StringTable<'_>,
    ) -> IdIndex {
        if !id.is_cross_module() {
            return id;
        }
        if let Some(&known) = self.known.get(&id.0) {
            return known;
        }
        let found = self.resolve(id, pdb, modules, strings).unwrap_or(id);
        self.known.insert(id.0, found);
        found
    }

    fn resolve(
        &mut self,
        id: IdIndex,
        pdb: &mut PDB<'static, Bounded>,
        modules: &Modules,
        strings: &StringTable<'_>,
    ) -> Option<IdIndex> {
        let CrossModuleRef(module, local) = self.imports.as_ref()?.resolve_import(id).ok()?;
        let name = module.0.to_string_lossy(strings).ok()?.to_ascii_lowercase();
        let names = self.names.get_or_insert_with(|| modules.names());
        let number = *names.get(&name)?;
        let exports = self.exports.entry(number).or_insert_with(|| {
            let info = pdb.module_info(modules.get(number)?).ok()??;
            info.exports().ok()
        });
        exports.as_ref()?.resolve_import(local).ok()?
    }
}
