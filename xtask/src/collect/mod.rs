//! Generates `collected.events`: the events of Windows' own providers, from public, licensed collections.
//!
//! Two collections were made independently of the manifests registered on machines, and complement each other:
//! `windows/etw-providers` of OTRF/OSSEM-DD (MIT) has names, types and event names, airbus-cert/etl-parser (Apache-2.0) has GUIDs
//! and lengths. Together they give most layouts to the last byte ([`layout`]). Manifests from machines ([`registered`]) decide
//! where a collection allows two readings, which field counts an array, and where a layout becomes uncertain: because builds of
//! Windows differ without a new version, or because a field is a struct, which both collections misread ([`structs`]). There the
//! layout ends; the rest of the payload is shown as bytes and counted as undecoded.

mod ends;
mod etl_parser;
mod events;
mod layout;
pub(crate) mod ossem;
mod published;
mod registered;
mod structs;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use tracewell_schema::text::{self, Described, Kind};
use tracewell_schema::{Provider, ProviderEvent, Version, bundled, providers};
use tracewell_types::Guid;

use ends::Ends;
use events::{Events, bare};

/// The generated table, below the folder of the schema crate.
const TABLE: &str = "tables/collected.events";

/// The ends of some layouts.
const ENDS: &str = "tables/collected.ends";

const HEAD: &str = "\
# Events of Windows' own providers, from public collections. Made by `cargo run -p xtask -- collect`; not to be\n\
# edited. `collected.md` beside it says what was put together how, and names sources and licences.\n\n";

/// Makes the table from a checkout of each collection and any number of manifests: files are published ones, which are taken as
/// they are, or headers (`.h`), which name events; folders hold registered ones.
pub(crate) fn run(ossem: &Path, etl_parser: &Path, manifests: &[PathBuf]) -> Result<(), String> {
    let named = ossem::read(ossem)?;
    let known = etl_parser::read(etl_parser)?;
    let (files, folders): (Vec<&PathBuf>, Vec<&PathBuf>) = manifests.iter().partition(|path| path.is_file());
    let (headers, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.into_iter().partition(|path| path.extension().is_some_and(|extension| extension == "h"));
    let registered = registered::read(&folders)?;
    let mut published = published::read(&files)?;
    let headers = published::headers(&headers)?;
    let sources = Sources::new(named, known, &registered);
    println!("{} providers, {} of them without a known GUID", sources.providers.len(), sources.without_guid);

    let mut tally = Tally::default();
    let mut described = Vec::new();
    for (guid, source) in &sources.providers {
        if bundled::common().any(|own| own.guid == *guid) {
            continue;
        }
        let name = providers::name(guid).unwrap_or(&source.name).to_owned();
        let mut events = source.events(guid, &registered, &mut tally);
        let published = published.remove(guid);
        // The provider's own manifest has precedence.
        let own = published.as_ref().map(|provider| provider.events.to_vec()).unwrap_or_default();
        events.splice(0..0, own);
        // A header has only names, for events that no collection describes.
        for event in headers.get(guid).into_iter().flatten() {
            if !events.iter().any(|known| (known.id, known.layout.number) == (event.id, event.layout.number))
            {
                events.push(event.clone());
            }
        }
        if !events.is_empty() {
            let provider = with_names(Provider::new(name, *guid, events), published);
            described.push(Described { kind: Kind::Events, provider });
        }
    }
    for (guid, provider) in published {
        if !bundled::common().any(|own| own.guid == guid) {
            described.push(Described { kind: Kind::Events, provider });
        }
    }
    described.sort_by(|a, b| (&a.provider.name, a.provider.guid).cmp(&(&b.provider.name, b.provider.guid)));
    tally.print(described.len());
    write(described)
}

/// Ends layouts of the table that is there, as [`run`] does of the one that it makes.
pub(crate) fn end() -> Result<(), String> {
    let target = crate::workspace::schema_crate().join(TABLE);
    let table = std::fs::read_to_string(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    write(text::parse(&table).map_err(|error| format!("{}: {error}", target.display()))?)
}

fn write(mut described: Vec<Described>) -> Result<(), String> {
    let folder = crate::workspace::schema_crate();
    let path = folder.join(ENDS);
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let list = std::fs::read_to_string(&path).map_err(|error| fail(&error))?;
    Ends::parse(&list).map_err(|error| fail(&error))?.apply(&mut described);
    let target = folder.join(TABLE);
    let table = format!("{HEAD}{}", text::write(&described));
    if text::parse(&table) != Ok(described) {
        return Err("what was written is not read back as it was".to_owned());
    }
    std::fs::write(&target, table).map_err(|error| format!("{}: {error}", target.display()))?;
    println!("{}; now `cargo run -p xtask -- schema` packs it", target.display());
    Ok(())
}

/// The provider with the names that its published manifest has for parts of its events' headers.
fn with_names(provider: Provider, published: Option<Provider>) -> Provider {
    match published {
        Some(published) => provider
            .with_keywords(published.keywords.to_vec())
            .with_levels(published.levels.to_vec())
            .with_channels(published.channels.to_vec()),
        None => provider,
    }
}

/// A provider in both collections.
#[derive(Default)]
struct Source {
    name: String,
    ossem: Events<ossem::Event>,
    etl_parser: Events<Vec<etl_parser::Field>>,
}

/// The providers of both collections by GUID.
struct Sources {
    providers: BTreeMap<Guid, Source>,
    without_guid: usize,
}

impl Sources {
    fn new(
        named: BTreeMap<String, Events<ossem::Event>>,
        known: etl_parser::Providers,
        registered: &registered::Layouts,
    ) -> Sources {
        let guids: HashMap<String, Guid> =
            known.iter().map(|(guid, (name, _))| (bare(name), *guid)).collect();
        let mut all: BTreeMap<Guid, Source> = known
            .into_iter()
            .map(|(guid, (name, events))| (guid, Source { name, etl_parser: events, ..Source::default() }))
            .collect();
        let mut without_guid = 0;
        for (name, events) in named {
            let own = guids.get(&bare(&name)).copied().or_else(|| {
                // The names of classes of the old kind are not those of providers, so a name has to be one of Microsoft's.
                // Of several providers with a name, it is the one whose manifests have the same events.
                let guids = providers::guids(&name).filter(|_| name.starts_with("Microsoft-"));
                let known = |guid: &Guid| {
                    events
                        .keys()
                        .filter(|(id, version)| !registered.of(guid, *id, *version).is_empty())
                        .count()
                };
                guids.max_by_key(known)
            });
            match own {
                Some(guid) => {
                    let source = all.entry(guid).or_default();
                    if source.name.is_empty() {
                        source.name = name;
                    }
                    source.ossem.extend(events);
                }
                None => without_guid += 1,
            }
        }
        Sources { providers: all, without_guid }
    }
}

impl Source {
    fn events(&self, guid: &Guid, registered: &registered::Layouts, tally: &mut Tally) -> Vec<ProviderEvent> {
        let keys: BTreeSet<(u16, u8)> = self.ossem.keys().chain(self.etl_parser.keys()).copied().collect();
        let mut structs = structs::Structs::default();
        for event in self.ossem.values() {
            structs.add(event.fields.iter().map(|(name, ty)| (&**name, &**ty)));
        }
        for fields in self.etl_parser.values() {
            structs.add(fields.iter().map(|field| (&*field.name, field.form.word())));
        }
        let mut events = Vec::new();
        for (id, version) in keys {
            let named = self.ossem.get(&(id, version));
            let sized = self.etl_parser.get(&(id, version)).map(|fields| &**fields);
            let drafts = layout::drafts(named.map(|event| &*event.fields), sized, &structs);
            let others = registered.of(guid, id, version);
            let fields = layout::settle(&drafts, others);
            tally.add(&drafts, fields.len(), others.len());
            let (task, opcode) =
                named.map(|event| (event.task.clone(), event.opcode.clone())).unwrap_or_default();
            if fields.is_empty() && task.is_empty() {
                continue;
            }
            events.push(ProviderEvent {
                id,
                task: task.into(),
                opcode: opcode.into(),
                message: "".into(),
                enabling: None,
                layout: Version::from_fields(version, fields),
            });
        }
        events
    }
}

/// Statistics of the layouts.
#[derive(Default)]
struct Tally {
    layouts: usize,
    whole: usize,
    compared: usize,
    fields: usize,
    left_out: usize,
}

impl Tally {
    fn add(&mut self, drafts: &layout::Drafts, kept: usize, compared: usize) {
        self.layouts += 1;
        self.whole += usize::from(drafts.fields.len() == kept && drafts.whole);
        self.compared += usize::from(compared > 0);
        self.fields += kept;
        self.left_out += drafts.fields.len() - kept;
    }

    fn print(&self, providers: usize) {
        let Tally { layouts, whole, compared, fields, left_out } = self;
        println!(
            "{providers} providers, {layouts} layouts, {whole} of them whole; {compared} compared with manifests"
        );
        println!("{fields} fields; at least {left_out} are left out");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_the_table_have_ended_where_they_should() {
        let folder = crate::workspace::schema_crate();
        let described = text::parse(&std::fs::read_to_string(folder.join(TABLE)).unwrap()).unwrap();
        let list = std::fs::read_to_string(folder.join(ENDS)).unwrap();
        let mut ended = described.clone();
        Ends::parse(&list).unwrap().apply(&mut ended);
        assert!(ended == described, "`cargo run -p xtask -- collect` ends them");
    }
}
