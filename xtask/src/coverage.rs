//! Measures how many events of outside manifests our tables describe, and writes `docs/coverage.md`.
//!
//! The manifests are those that dissect.etl carries: an outside tool's collection, used only to measure. Nothing of it is copied:
//! the page has counts, and names of providers from our own table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use tracewell_decode::manifest;
use tracewell_schema::{Provider, bundled, kernel, providers};
use tracewell_types::Guid;
use tracewell_types::number::grouped;

/// The generated page, below the root.
const PAGE: &str = "docs/coverage.md";

/// The provider of the moments that Visual Studio measures.
const CODE_MARKERS: Guid = Guid::parse("641d7f6c-481c-42e8-ab7e-d18dc5e5cb9e");

/// Counts of events, each version of an event for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Events in the manifests.
    events: u64,
    /// Events that our tables describe in the same version.
    described: u64,
    /// Events that our tables describe only in other versions.
    other_version: u64,
    /// Events with fields.
    with_fields: u64,
    /// Events with fields that our tables describe in the same version.
    with_fields_described: u64,
    /// Of these, events of which they have at least as many fields.
    complete: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.events += other.events;
        self.described += other.described;
        self.other_version += other.other_version;
        self.with_fields += other.with_fields;
        self.with_fields_described += other.with_fields_described;
        self.complete += other.complete;
    }

    /// Events without a description of their version.
    fn missing(&self) -> u64 {
        self.events - self.described
    }
}

/// Where our description of a provider is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Table {
    Kernel,
    Bundled,
    Collected,
    None,
}

impl Table {
    fn of(guid: &Guid) -> Table {
        match bundled::provider(guid) {
            None if kernel::by_guid(guid).is_some() => Table::Kernel,
            Some(_) if bundled::is_common(guid) => Table::Bundled,
            Some(_) => Table::Collected,
            None => Table::None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Table::Kernel => "[classes of the kernel](../crates/schema/tables/kernel.classes)",
            Table::Bundled => "[bundled](../crates/schema/tables/bundled/README.md)",
            Table::Collected => "[collected](../crates/schema/tables/collected.md)",
            Table::None => "none",
        }
    }
}

/// The measured coverage.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    manifests: u64,
    unread: u64,
    providers: BTreeMap<Guid, Counts>,
}

impl Coverage {
    /// Compares all manifests of a folder with our tables.
    pub(crate) fn of(folder: &Path) -> Result<Coverage, String> {
        let fail = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let mut coverage = Coverage::default();
        for entry in std::fs::read_dir(folder).map_err(|error| fail(folder, &error))? {
            let path = entry.map_err(|error| fail(folder, &error))?.path();
            if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("xml")) {
                continue;
            }
            let bytes = std::fs::read(&path).map_err(|error| fail(&path, &error))?;
            coverage.take(&String::from_utf8_lossy(&bytes));
        }
        if coverage.manifests == 0 {
            return Err(format!("{}: no manifest (*.xml) in this folder can be read", folder.display()));
        }
        Ok(coverage)
    }

    fn take(&mut self, text: &str) {
        match manifest::parse(text.trim_start_matches('\u{FEFF}')) {
            Ok(found) => {
                self.manifests += 1;
                for provider in &found.providers {
                    self.providers.entry(provider.guid).or_default().add(compare(provider));
                }
            }
            Err(_) => self.unread += 1,
        }
    }

    fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.providers.values().for_each(|counts| total.add(*counts));
        total
    }

    /// The sentence of the README.
    pub(crate) fn sentence(&self) -> String {
        let total = self.total();
        format!(
            "{} of the {} events in {} published manifests ({}), and {} of those with fields",
            percent(total.described, total.events),
            grouped(total.events),
            grouped(self.manifests),
            "[docs/coverage.md](docs/coverage.md)",
            percent(total.with_fields_described, total.with_fields)
        )
    }

    /// The generated page.
    fn page(&self) -> String {
        let total = self.total();
        let mut out = String::from("# Coverage of descriptions\n\n");
        let _ = writeln!(
            out,
            "Generated by `cargo run -p xtask -- coverage FOLDER`; do not edit it. FOLDER has the manifests of dissect.etl 3.14, an outside\n\
             tool, against which the tables are measured and of which they contain nothing. Every version of an event counts for itself.\n\n\
             {} manifests could be read, {} could not.\n",
            grouped(self.manifests),
            grouped(self.unread)
        );
        out.push_str("| table | providers | events | described | | with fields | described | |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
        for table in [Table::Kernel, Table::Bundled, Table::Collected, Table::None] {
            let mut counts = Counts::default();
            let of: Vec<_> = self.providers.iter().filter(|(guid, _)| Table::of(guid) == table).collect();
            of.iter().for_each(|(_, each)| counts.add(**each));
            row(&mut out, table.name(), of.len(), counts);
        }
        row(&mut out, "all", self.providers.len(), total);
        let _ = writeln!(
            out,
            "\nOf the {} described events with fields, {} have all of them; the others end before a field on which the sources differ.\n\
             {} further events are described in another version only, and are read by it where the payload allows.\n\n\
             ## What is missing\n\n\
             Providers with events that no table describes in their version. {} of these {} events have no fields: they are decoded\n\
             completely, since they have no payload, and only their names are missing. The last column says which source would describe\n\
             them, and why it is not used:\n\n\
             * **a** Events without fields. Neither [collection](../crates/schema/tables/collected.md) lists them; registered manifests do. Of the\n\
               public sets of these, nasbench/EVTX-ETW-Resources (MIT) has more files than could be fetched, and repnz/etw-providers-docs and\n\
               jdu2600/Windows10EtwEvents state no licence. Other public lists of providers name no events.\n\
             * **b** Events with fields, of builds of Windows of which neither collection was made. The same sets have them.\n\
             * **c** Providers of which no source with a licence has the GUID, such as those of programs apart from Windows. We know\n\
               no published manifest of them.\n\
             * **d** `CodeMarkers` of Visual Studio and Office. Its events are the members of an enumeration. dotnet/winforms (MIT) has some\n\
               fifty of these members; of the one public copy with nearly all of them, neither repository nor licence could be found.\n\n\
             Events of a trace that carries descriptions, or for which `etw schema import` keeps some, are decoded by these.\n",
            grouped(total.with_fields_described),
            grouped(total.complete),
            grouped(total.other_version),
            grouped(total.missing() - (total.with_fields - total.with_fields_described)),
            grouped(total.missing())
        );
        out.push_str(
            "| provider | table | events missing | of them with fields | of | why |\n|---|---|--:|--:|--:|---|\n",
        );
        let mut missing: Vec<_> = self.providers.iter().filter(|(_, counts)| counts.missing() > 0).collect();
        missing.sort_by_key(|(guid, counts)| (std::cmp::Reverse(counts.missing()), **guid));
        for (guid, counts) in missing {
            let name = providers::name(guid).map_or_else(|| guid.to_string(), str::to_owned);
            let table = match Table::of(guid) {
                Table::Kernel => "kernel",
                Table::Bundled => "bundled",
                Table::Collected => "collected",
                Table::None => "none",
            };
            let fields = counts.with_fields - counts.with_fields_described;
            let numbers = [counts.missing(), fields, counts.events].map(grouped);
            let why = match (providers::name(guid), counts.missing() > fields, fields > 0) {
                _ if *guid == CODE_MARKERS => "d",
                (None, ..) if Table::of(guid) == Table::None => "c",
                (_, true, true) => "a, b",
                (_, true, false) => "a",
                _ => "b",
            };
            let _ = writeln!(out, "| {name} | {table} | {} | {why} |", numbers.join(" | "));
        }
        out
    }
}

fn row(out: &mut String, name: &str, providers: usize, counts: Counts) {
    let _ = writeln!(
        out,
        "| {name} | {} | {} | {} | {} | {} | {} | {} |",
        grouped(providers as u64),
        grouped(counts.events),
        grouped(counts.described),
        percent(counts.described, counts.events),
        grouped(counts.with_fields),
        grouped(counts.with_fields_described),
        percent(counts.with_fields_described, counts.with_fields)
    );
}

/// Compares a provider's manifest with our tables.
fn compare(theirs: &Provider) -> Counts {
    let class = kernel::by_guid(&theirs.guid).map(|class| class.to_provider());
    let ours = bundled::provider(&theirs.guid).or(class.as_ref());
    let mut counts = Counts::default();
    for event in theirs.events.iter() {
        let version = event.layout.number;
        let known = ours.and_then(|ours| ours.event(event.id, version));
        let described = known.is_some();
        let complete = known.is_some_and(|known| known.layout.fields.len() >= event.layout.fields.len());
        let other = ours.is_some_and(|ours| ours.nearest(event.id, version).is_some());
        let fields = !event.layout.fields.is_empty();
        counts.add(Counts {
            events: 1,
            described: described.into(),
            other_version: u64::from(other && !described),
            with_fields: fields.into(),
            with_fields_described: u64::from(fields && described),
            complete: u64::from(fields && complete),
        });
    }
    counts
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

/// Writes the page, or with `check` fails if it differs or the README does not have the sentence.
pub(crate) fn run(folder: &Path, check: bool) -> Result<(), String> {
    let coverage = Coverage::of(folder)?;
    let root = crate::workspace::root();
    let path = root.join(PAGE);
    println!("{}", coverage.sentence());
    if !check {
        return std::fs::write(&path, coverage.page()).map_err(|error| format!("{PAGE}: {error}"));
    }
    let read =
        |name: &str| std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"));
    if read(PAGE)? != coverage.page() {
        return Err(format!("{PAGE} is not up to date: run `cargo run -p xtask -- coverage FOLDER`"));
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !words(&read("README.md")?).contains(&words(&coverage.sentence())) {
        return Err(format!("README.md does not state the measured coverage: {}", coverage.sentence()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A manifest of the .NET runtime with an event of a known version, one of an unknown version, and an unknown one.
    fn outside(guid: &str) -> String {
        let event = |id: u16, version: u8, template: &str| {
            format!("<event value=\"{id}\" version=\"{version}\" {template}/>")
        };
        let events =
            [event(1, 2, "template=\"t\""), event(1, 250, "template=\"t\""), event(64_999, 0, "")].concat();
        format!(
            "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\"><instrumentation><events>\
             <provider name=\"P\" guid=\"{{{guid}}}\" symbol=\"P\"><events>{events}</events><templates><template tid=\"t\">\
             <data name=\"a\" inType=\"win:UInt32\"/></template></templates></provider></events></instrumentation>\
             </instrumentationManifest>"
        )
    }

    #[test]
    fn events_are_counted_by_their_version() {
        let mut coverage = Coverage::default();
        coverage.take(&outside("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"));
        coverage.take("<no manifest");
        let total = coverage.total();
        assert_eq!((coverage.manifests, coverage.unread), (1, 1));
        let expected = Counts {
            events: 3,
            described: 1,
            other_version: 1,
            with_fields: 2,
            with_fields_described: 1,
            complete: 1,
        };
        assert_eq!(total, expected);
        coverage.take(&outside("0ad614c4-0ef4-4225-8000-0123456789ab"));
        let page = coverage.page();
        assert!(page.contains("| Microsoft-Windows-DotNETRuntime | bundled | 2 | 1 | 3 | a, b |"), "{page}");
        assert!(page.contains("| 0ad614c4-0ef4-4225-8000-0123456789ab | none | 3 | 2 | 3 | c |"), "{page}");
        assert!(coverage.sentence().starts_with("16.7 % of the 6 events in 2 published manifests"));
        assert!(coverage.sentence().ends_with("25.0 % of those with fields"), "{}", coverage.sentence());
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    /// The page and the README state what is measured against the manifests of the other reader.
    #[test]
    fn the_page_states_the_measured_coverage() {
        let Some(python) = std::env::var_os("TRACEWELL_DISSECT") else {
            tracewell_corpus::skip("dissect", "set TRACEWELL_DISSECT to a Python with dissect.etl");
            return;
        };
        let program = "import dissect.etl, os; print(os.path.dirname(dissect.etl.__file__), end='')";
        let found = std::process::Command::new(python).args(["-c", program]).output().expect("it runs");
        let folder = Path::new(&String::from_utf8_lossy(&found.stdout).into_owned()).join("manifests/xml");
        run(&folder, true).expect("the page is up to date");
    }
}
