//! Manifests as they are registered on machines, to hold the collections against.

use std::collections::HashMap;
use std::path::Path;

use tracewell_decode::manifest;
use tracewell_schema::Field;
use tracewell_types::Guid;

/// The layouts of versions of events, one from each manifest that has it.
#[derive(Default)]
pub(super) struct Layouts(HashMap<(Guid, u16, u8), Vec<Vec<Field>>>);

impl Layouts {
    pub(super) fn of(&self, guid: &Guid, id: u16, version: u8) -> &[Vec<Field>] {
        self.0.get(&(*guid, id, version)).map_or(&[], |known| known)
    }
}

/// Reads all files `*.xml` of the folders. Files that are not manifests are counted and reported.
pub(super) fn read(folders: &[impl AsRef<Path>]) -> Result<Layouts, String> {
    let mut layouts = Layouts::default();
    for folder in folders.iter().map(AsRef::as_ref) {
        let (mut read, mut unread) = (0, 0);
        for entry in std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.extension().is_none_or(|extension| extension != "xml") {
                continue;
            }
            let Ok(found) = manifest::parse(&crate::workspace::text(&path)?) else {
                unread += 1;
                continue;
            };
            read += 1;
            for provider in found.providers {
                for event in provider.events.iter() {
                    let known = layouts.0.entry((provider.guid, event.id, event.layout.number)).or_default();
                    known.push(event.layout.fields.to_vec());
                }
            }
        }
        println!("{}: {read} manifests, {unread} that cannot be read", folder.display());
    }
    Ok(layouts)
}
