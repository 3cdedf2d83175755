//! Providers that come with this crate: the .NET runtime and the providers that Windows traces contain
//! most often.
//!
//! A description in the trace or given by the user fits the machine better; these tables make the events
//! readable without one. They are [`text`] in `tables/bundled`, one file per provider, parsed when a
//! provider is first requested. `tables/bundled/README.md` lists their sources.

use std::borrow::Cow;
use std::sync::OnceLock;

use tracewell_types::Guid;

use crate::{Provider, collected, text};

/// A file of `tables/bundled`.
macro_rules! table {
    ($name:literal) => {
        include_str!(concat!("../tables/bundled/", $name, ".events"))
    };
}

/// Every table; a test holds the list against the folder.
static TEXTS: [&str; 17] = [
    table!("Microsoft-Windows-DNS-Client"),
    table!("Microsoft-Windows-DotNETRuntime"),
    table!("Microsoft-Windows-DotNETRuntimePrivate"),
    table!("Microsoft-Windows-DotNETRuntimeRundown"),
    table!("Microsoft-Windows-DxgKrnl"),
    table!("Microsoft-Windows-HttpService"),
    table!("Microsoft-Windows-Kernel-EventTracing"),
    table!("Microsoft-Windows-Kernel-File"),
    table!("Microsoft-Windows-Kernel-Network"),
    table!("Microsoft-Windows-Kernel-Process"),
    table!("Microsoft-Windows-NDIS-PacketCapture"),
    table!("Microsoft-Windows-PowerShell"),
    table!("Microsoft-Windows-TCPIP"),
    table!("Microsoft-Windows-Win32k"),
    table!("Microsoft-Windows-Win32k-Windows7"),
    table!("System.Diagnostics.Eventing.FrameworkEventSource"),
    table!("System.Threading.Tasks.TplEventSource"),
];

/// A table, read when its events are asked for.
struct Table {
    guid: Guid,
    name: &'static str,
    text: &'static str,
    provider: OnceLock<Option<Provider>>,
}

impl Table {
    /// The table with the contents of its first line that is not a comment: `provider NAME GUID`.
    fn new(text: &'static str) -> Option<Table> {
        let head = text.lines().find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let mut words = head.split_whitespace().skip(1);
        let (name, guid) = (words.next()?, Guid::try_parse(words.next()?.as_bytes())?);
        Some(Table { guid, name, text, provider: OnceLock::new() })
    }

    fn provider(&self) -> Option<&Provider> {
        let read = || text::parse(self.text).ok()?.pop().map(|described| described.provider);
        self.provider.get_or_init(read).as_ref()
    }
}

/// The tables by ascending bytes of the GUID.
fn tables() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables: Vec<Table> = TEXTS.iter().filter_map(|text| Table::new(text)).collect();
        tables.sort_by(|a, b| a.guid.as_bytes().cmp(b.guid.as_bytes()));
        tables
    })
}

/// The provider with this GUID.
#[must_use]
pub fn provider(guid: &Guid) -> Option<&'static Provider> {
    match table(guid) {
        Some(table) => table.provider(),
        None => collected::provider(guid),
    }
}

/// The provider with this GUID, with the descriptions of the events with these ids and possibly others. Unless all of the table was
/// read before, little more than those is read, and names for keywords, levels and channels are missing.
#[must_use]
pub fn events(guid: &Guid, ids: &[u16]) -> Option<Cow<'static, Provider>> {
    let Some(table) = table(guid) else { return collected::events(guid, ids) };
    match table.provider.get() {
        Some(known) => known.as_ref().map(Cow::Borrowed),
        None => Some(Cow::Owned(text::some::parse_some(table.text, ids).ok()?.pop()?.provider)),
    }
}

/// Returns `true` if the provider with this GUID is one of the [`common`] ones.
#[must_use]
pub fn is_common(guid: &Guid) -> bool {
    table(guid).is_some()
}

/// Returns `true` if the layouts of the provider with this GUID come from the collections alone: builds of Windows may differ from
/// them. So do those of a common one whose file begins with `# Collected:`.
#[must_use]
pub fn is_collected(guid: &Guid) -> bool {
    table(guid).is_none_or(|table| table.text.starts_with(COLLECTED))
}

/// The beginning of a file whose layouts come from the collections.
const COLLECTED: &str = "# Collected:";

fn table(guid: &Guid) -> Option<&'static Table> {
    let tables = tables();
    tables.get(tables.binary_search_by(|known| known.guid.as_bytes().cmp(guid.as_bytes())).ok()?)
}

/// The providers that nearly every trace has, by ascending bytes of the GUID.
pub fn common() -> impl Iterator<Item = &'static Provider> {
    tables().iter().filter_map(Table::provider)
}

/// Every bundled provider: the [`common`] ones, then the many others, each sort by ascending bytes of the GUID. All tables are
/// read for it.
pub fn all() -> impl Iterator<Item = &'static Provider> {
    common().chain(collected::all())
}

/// The name and GUID of each, without reading its table. Windows has had providers of one name and two GUIDs.
pub fn names() -> impl Iterator<Item = (&'static str, Guid)> {
    tables().iter().map(|table| (table.name, table.guid)).chain(collected::names())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::check;

    #[test]
    fn every_table_is_read_and_well_formed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/bundled");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut texts: Vec<String> = files
            .filter(|path| path.extension().is_some_and(|e| e == "events"))
            .map(|path| std::fs::read_to_string(path).unwrap().replace("\r\n", "\n"))
            .collect();
        texts.sort();
        let mut listed: Vec<String> = TEXTS.iter().map(|text| text.replace("\r\n", "\n")).collect();
        listed.sort();
        assert!(texts == listed, "TEXTS and the folder differ");
        for text in TEXTS {
            let found = text::parse(text).unwrap();
            assert_eq!(found.len(), 1);
            assert!(found[0].provider.events.len() > 10, "{}", found[0].provider.name);
            for event in found[0].provider.events.iter() {
                check(&event.layout.fields, &format!("{} {}", found[0].provider.name, event.id));
            }
        }
        assert_eq!(common().count(), TEXTS.len());
        for known in common() {
            assert_eq!(provider(&known.guid).map(|p| &p.name), Some(&known.name));
            assert!(names().any(|(name, guid)| name == known.name && guid == known.guid));
        }
    }

    #[test]
    fn issue_13_events_are_read_alone_as_they_are_with_their_table() {
        for text in TEXTS {
            let whole = text::parse(text).unwrap().remove(0).provider;
            for event in whole.events.iter() {
                let part = text::some::parse_some(text, &[event.id]).unwrap().remove(0).provider;
                let layouts = |of: &Provider| {
                    of.versions(event.id).iter().map(|event| event.layout.clone()).collect::<Vec<_>>()
                };
                assert_eq!(layouts(&part), layouts(&whole), "{} {}", whole.name, event.id);
            }
        }
    }

    /// What is exported is read back as it was.
    #[test]
    fn every_table_is_written_and_read_again() {
        for text in TEXTS {
            let found = text::parse(text).unwrap();
            assert_eq!(text::parse(&text::write(&found)), Ok(found));
        }
    }

    /// Issue 3: names of bits were those of an old runtime, and no event of it had a message.
    #[test]
    fn the_runtimes_flags_have_names_and_its_events_messages() {
        let runtime = provider(&crate::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap()).unwrap();
        let map = |id, version, field| {
            let layout = &runtime.event(id, version).unwrap().layout;
            layout.field(field).unwrap().map.as_ref().unwrap().get().clone()
        };
        assert_eq!(map(152, 2, "ModuleFlags").name_of(0x10), Some("IbcOptimized"));
        assert_eq!(map(143, 1, "MethodFlags").name_of(0x10), Some("JitHelper"));
        assert_eq!(map(88, 0, "StubFlags").name_of(0x40), Some("StructStub"));
        assert_eq!(&*runtime.event(1, 0).unwrap().message, "Count=%1;%nReason=%2");
        let with_messages = runtime.events.iter().filter(|event| !event.message.is_empty()).count();
        assert!(with_messages > 150, "{with_messages}");
        assert_eq!(runtime.event(280, 0).unwrap().opcode, "Settings");
    }

    #[test]
    fn channels_of_providers_have_names() {
        let channels =
            |name: &str| provider(&crate::providers::guid(name).unwrap()).unwrap().channels.to_vec();
        assert_eq!(channels("Microsoft-Windows-DNS-Client").len(), 1);
        let shell = channels("Microsoft-Windows-PowerShell");
        assert!(shell.contains(&(17, "Microsoft-Windows-PowerShell/Analytic".into())), "{shell:?}");
    }

    #[test]
    fn a_collection_start_has_its_reason_by_name() {
        let runtime = crate::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
        let start = provider(&runtime).unwrap().event(1, 2).unwrap();
        assert_eq!((&*start.task, &*start.opcode), ("GC", "Start"));
        let reason = start.layout.field("Reason").unwrap();
        assert_eq!(reason.map.as_ref().unwrap().get().name_of(1), Some("Induced"));
    }

    /// The events in PresentMon's public headers (MIT), by provider: id and version. All of them are described.
    #[test]
    #[rustfmt::skip]
    fn issue_15_the_events_of_the_graphics_headers_are_described() {
        const HEADERS: [(&str, &[(u16, u8)]); 6] = [
            ("802ec45a-1e99-4b83-9920-87c98277ba9d", &[(17, 0), (27, 2), (28, 2), (29, 2), (30, 0), (31, 0), (32, 0), (33, 3), (34, 3), (35, 3), (116, 0), (166, 0), (168, 0), (171, 2), (172, 2), (175, 1), (177, 1), (178, 1), (180, 1), (184, 1), (215, 2), (244, 1), (245, 2), (250, 0), (252, 0), (259, 3), (266, 3), (273, 4), (382, 2), (386, 8), (422, 0), (424, 0), (450, 0), (451, 0), (501, 0)]),
            ("8c416c79-d49b-4f01-a467-e56d3aa8234c", &[(63, 0), (73, 0), (201, 1), (225, 0), (301, 1)]),
            ("9e9bba3c-2e38-40cb-99f4-9e8281425164", &[(15, 0), (64, 0), (69, 0), (70, 0), (101, 0), (196, 0)]),
            ("5d8087dd-3a9b-4f56-90df-49196cdc4f11", &[(155, 0), (156, 0)]),
            ("ca11c036-0102-4a2d-a6ad-f03cfed5d3c9", &[(10, 0), (42, 0), (43, 0), (45, 0), (55, 0), (56, 0)]),
            ("783aca0a-790e-4d7f-8451-aa850511c6b9", &[(1, 0), (2, 0)]),
        ];
        for (guid, events) in HEADERS {
            let provider = provider(&Guid::parse(guid)).unwrap_or_else(|| panic!("{guid} is not described"));
            for &(id, version) in events {
                assert!(provider.event(id, version).is_some_and(|event| !event.task.is_empty()), "{guid}: {id} version {version}");
            }
        }
    }

    /// Opcodes keep their spaces, and events have the messages that Windows shows.
    #[test]
    fn issue_15_names_and_messages_of_kernel_network_are_those_of_windows() {
        let network = provider(&crate::providers::guid("Microsoft-Windows-Kernel-Network").unwrap()).unwrap();
        assert_eq!(network.events.len(), 22);
        assert!(
            network.events.iter().all(|event| event.message.contains('%') && event.opcode.ends_with('.'))
        );
        let received = network.event(11, 0).unwrap();
        assert_eq!(&*received.opcode, "Data received.");
        assert_eq!(&*received.message, "TCPv4: %2 bytes received from %4:%6 to %3:%5.");
    }
}
