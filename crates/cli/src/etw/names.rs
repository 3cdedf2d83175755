//! Names that a command line speaks of: whether there is anything of that name, and what was meant if not.

use std::collections::BTreeSet;

use tracewell_decode::{Decoder, EventFormat};
use tracewell_dlang::nearest;
use tracewell_etl::Trace;
use tracewell_schema::{Field, FieldType, kernel, providers};

use super::glob::matches_glob;

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Provider,
    /// A kind of event: task and opcode, or the name of a TraceLogging event.
    Event,
    /// A field of the payload.
    Field,
}

impl Sort {
    fn word(self) -> &'static str {
        match self {
            Sort::Provider => "provider",
            Sort::Event => "event",
            Sort::Field => "field",
        }
    }

    /// Calls `each` with every name of this sort that a format has: members of structs behind the names of these.
    fn of(self, format: &EventFormat, each: &mut dyn FnMut(&str)) {
        match (self, &format.layout) {
            (Sort::Field, Some(layout)) => paths(&layout.fields, "", MOST_NESTED, each),
            (Sort::Field, None) => {}
            (Sort::Provider, _) => each(&format.provider),
            (Sort::Event, _) => each(&format.name),
        }
    }
}

/// Structs in structs are followed so deep.
const MOST_NESTED: u32 = 8;

/// The names of fields, and `name.member` of their members.
fn paths(fields: &[Field], before: &str, nested: u32, each: &mut dyn FnMut(&str)) {
    for field in fields {
        match &field.ty {
            FieldType::Struct(members) if nested > 0 => {
                let path = format!("{before}{}", field.name);
                each(&path);
                paths(members, &format!("{path}."), nested - 1, each);
            }
            _ if before.is_empty() => each(&field.name),
            _ => each(&format!("{before}{}", field.name)),
        }
    }
}

/// The name that descriptions of the kernel's own events have for their provider.
const KERNEL: &str = "Windows Kernel";

/// A name as it was given, with what it is to be a name of. `*` and `?` stand for letters.
#[derive(Clone, Debug)]
pub(super) struct Name<'a> {
    pub(super) sort: Sort,
    pub(super) text: &'a str,
}

impl Name<'_> {
    /// Whether it is this one, without regard to case. Events may be called as their probes are, with `_` for `/`.
    pub(super) fn is(&self, known: &str) -> bool {
        if self.text.contains(['*', '?']) {
            let glob: Vec<char> = self.text.chars().collect();
            let is = |known: &str| matches_glob(&glob, &known.chars().collect::<Vec<_>>());
            return is(known) || (self.is_of_probe(known) && is(&known.replace('/', "_")));
        }
        let same =
            |given: u8, known: u8| given.eq_ignore_ascii_case(&known) || (given == b'_' && known == b'/');
        self.text.eq_ignore_ascii_case(known)
            || (self.is_of_probe(known)
                && self.text.len() == known.len()
                && self.text.bytes().zip(known.bytes()).all(|(given, known)| same(given, known)))
    }

    /// Whether it may be the name of the event's probe.
    fn is_of_probe(&self, known: &str) -> bool {
        self.sort == Sort::Event && known.contains('/') && !self.text.contains('/')
    }
}

/// The names of one sort that the tables of the kernel's events and of providers know.
fn built_in(sort: Sort) -> Vec<String> {
    let events =
        kernel::classes().iter().flat_map(|class| class.events.iter().map(move |event| (class, event)));
    match sort {
        Sort::Provider => {
            let registered = providers::all().map(|(_, name)| name.to_owned());
            registered.chain([KERNEL.to_owned()]).collect()
        }
        Sort::Event => events.map(|(class, event)| format!("{}/{}", class.name, event.name)).collect(),
        Sort::Field => {
            let mut names = Vec::new();
            for version in events.flat_map(|(_, event)| event.versions) {
                paths(&version.fields, "", MOST_NESTED, &mut |path| names.push(path.to_owned()));
            }
            names
        }
    }
}

/// Answers the first of `names` that is the name of nothing that any description or trace knows, as a whole message.
/// `others` are further names that would have done.
///
/// The decoder must have seen all that describes the traces' events. The traces are read once more only for a name that no
/// description has.
pub(super) fn unknown(
    names: &[Name<'_>],
    others: &[&str],
    traces: &[Trace<'_>],
    decoder: &mut Decoder,
) -> Option<String> {
    let mut found = Found::default();
    let mut open: Vec<&Name<'_>> = Vec::new();
    for name in names {
        let table = built_in(name.sort);
        if !table.iter().any(|known| name.is(known)) {
            open.push(name);
            found.names[name.sort as usize].extend(table);
        }
    }
    if open.is_empty() {
        return None;
    }
    let known = |open: &mut Vec<&Name<'_>>, found: &mut Found, format: &EventFormat| {
        open.retain(|name| {
            let mut is_there = false;
            name.sort.of(format, &mut |known| is_there |= name.is(known));
            !is_there
        });
        for name in open.iter() {
            found.add(name.sort, format);
        }
    };
    for (_, _, format) in decoder.schemas().described() {
        known(&mut open, &mut found, &format);
    }
    // What is described only by itself.
    let mut seen = BTreeSet::new();
    for trace in traces {
        if open.is_empty() {
            break;
        }
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            let id = decoder.id(&record);
            if seen.len() >= Found::MOST {
                seen.clear();
            }
            if seen.insert(id) {
                known(&mut open, &mut found, decoder.get(id));
            }
        }
    }
    let name = open.first()?;
    let word = name.sort.word();
    let among = found.of(name.sort).iter().map(String::as_str).chain(others.iter().copied());
    let meant = nearest(name.text, among).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    Some(format!("there is no {word} '{}' in the traces or in any description{meant}", name.text))
}

/// Names that there are, for those that there are not.
#[derive(Default)]
struct Found {
    names: [BTreeSet<String>; 3],
}

impl Found {
    /// So many names of one sort are remembered.
    const MOST: usize = 1 << 16;

    fn add(&mut self, sort: Sort, format: &EventFormat) {
        let names = &mut self.names[sort as usize];
        sort.of(format, &mut |name| {
            if names.len() < Found::MOST && !names.contains(name) {
                names.insert(name.to_owned());
            }
        });
    }

    fn of(&self, sort: Sort) -> &BTreeSet<String> {
        &self.names[sort as usize]
    }
}
