//! Names of providers, events, fields and values: how commands print and accept them.
//!
//! Names come from the descriptions of events. All commands of `etw` print them alike: the provider as it is registered
//! (`Microsoft-Windows-DotNETRuntime`; the kernel is `Windows Kernel`), the event as task and opcode (`GC/Start`,
//! `DiskIo/Read`) or by its single name in TraceLogging. D uses probe names, which cannot contain all letters:
//! `microsoft-windows-dotnetruntime:::GC_Start`, `kernel:::DiskIo_Read`.
//!
//! Accepts every spelling that a command prints, ignoring case: the names, the names of probes, an event after its provider
//! (`Microsoft-Windows-DotNETRuntime/GC/Start`, as in text output) and `event-ID`. A provider can also be given by GUID, the
//! kernel by one of its classes (`DiskIo`). In names, `*` and `?` match letters.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use tracewell_decode::{Decoder, EventFormat, HeaderNames, KERNEL_PROVIDER};
pub use tracewell_decode::{event_number, guid_of};
use tracewell_dlang::nearest;
use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::{Record, Trace};
use tracewell_probes::events;
use tracewell_schema::{EventClass, Field, FieldType, Hint, Provider, ProviderEvent, kernel, providers};
use tracewell_types::Guid;

use super::glob::matches_glob;
use super::header::Header;
use super::values;

/// The thing that a name identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort<'a> {
    /// A provider.
    Provider,
    /// A kind of event: task and opcode, or the name of a TraceLogging event.
    Event,
    /// A field of the payload.
    Field,
    /// A value of the field of this name.
    Value(&'a str),
    /// A number of the header, by the property of this name; of events that have a field of this name, a value of that.
    Header(Header, &'a str),
}

impl Sort<'_> {
    /// Returns `true` if it is that of a number, for which another number does.
    fn is_of_values(self) -> bool {
        matches!(self, Sort::Value(_) | Sort::Header(..))
    }
}

/// A name as it was given, with what it is to be a name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name<'a> {
    /// What it is to be a name of.
    pub sort: Sort<'a>,
    /// The text.
    pub text: &'a str,
}

/// An event type that can be named on the command line.
#[derive(Clone, Copy)]
struct Kind<'a> {
    provider: &'a str,
    /// The name of the kernel's class.
    class: Option<&'a str>,
    event: &'a str,
    fields: &'a [Field],
    /// The names of numbers in the header, and the name of the opcode.
    header: Option<(&'a HeaderNames, &'a str)>,
}

impl<'a> Kind<'a> {
    /// A provider of which no event is spoken.
    fn provider(provider: &'a str) -> Kind<'a> {
        Kind { provider, class: None, event: "", fields: &[], header: None }
    }

    fn of(format: &'a EventFormat) -> Kind<'a> {
        Kind {
            provider: &format.provider,
            class: class_of(format),
            event: &format.name,
            fields: format.layout.as_ref().map_or(&[], |layout| &layout.fields),
            header: Some((&format.names, &format.opcode)),
        }
    }
}

/// The name of the class of a kernel event.
fn class_of(format: &EventFormat) -> Option<&str> {
    (*format.provider == *KERNEL_PROVIDER && !format.task.is_empty()).then_some(&*format.task)
}

/// Returns `true` if `wanted` takes a name that the provider of events of a format is shown by.
#[must_use]
pub fn provider_is_shown(format: &EventFormat, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    provider_shown(&format.provider, wanted)
}

/// Returns `true` if `wanted` takes a name that events of a format are shown by.
#[must_use]
pub fn event_is_shown(format: &EventFormat, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    event_shown(&format.provider, &format.name, wanted)
}

fn provider_shown(provider: &str, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    // Of the kernel, probes have another name.
    wanted(provider) || (provider != KERNEL_PROVIDER && wanted(&events::provider_name(provider)))
}

fn provider_called(provider: &str, class: Option<&str>, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    // The group is another name for some classes.
    let group = || KernelGroup(class.and_then(kernel::class)?.group?).name();
    provider == KERNEL_PROVIDER
        && (class.is_some_and(&mut *wanted)
            || group().is_some_and(&mut *wanted)
            || wanted(events::KERNEL)
            || wanted(&events::provider_name(KERNEL_PROVIDER)))
}

fn event_shown(provider: &str, event: &str, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    wanted(event) || wanted(&events::event_part(event)) || wanted(&format!("{provider}/{event}"))
}

impl Name<'_> {
    /// Returns `true` if events of a format have it: what it names is theirs.
    #[must_use]
    pub fn is_of(&self, format: &EventFormat) -> bool {
        self.is_of_kind(Kind::of(format))
    }

    fn is_of_kind(&self, kind: Kind<'_>) -> bool {
        match self.sort {
            Sort::Provider => {
                let is_called = |known: &str| self.text.eq_ignore_ascii_case(known);
                provider_shown(kind.provider, &mut |known| self.is(known))
                    || provider_called(kind.provider, kind.class, &mut |known| is_called(known))
            }
            Sort::Event => event_shown(kind.provider, kind.event, &mut |known| self.is(known)),
            Sort::Field => {
                let mut has = false;
                paths(kind.fields, "", &mut |path, _| has |= self.is(path));
                has
            }
            Sort::Value(wanted) => self.is_value_of(wanted, kind),
            Sort::Header(header, column) => {
                let is_called = |(names, opcode): (&HeaderNames, &str)| {
                    header.number(names, self.text).is_some()
                        || (header == Header::Opcode && opcode.eq_ignore_ascii_case(self.text))
                };
                kind.header.is_some_and(is_called) || self.is_value_of(column, kind)
            }
        }
    }

    /// Returns `true` if a value of the field of this name may be shown so.
    fn is_value_of(&self, wanted: &str, kind: Kind<'_>) -> bool {
        let mut has = false;
        paths(kind.fields, "", &mut |path, field| {
            has |= path.eq_ignore_ascii_case(wanted) && values::may_be(field, self.text);
        });
        has
    }

    /// Returns `true` if the pattern matches a name, ignoring case; `*` and `?` match letters.
    fn is(&self, known: &str) -> bool {
        if self.text.contains(['*', '?']) {
            let glob: Vec<char> = self.text.chars().collect();
            return matches_glob(&glob, &known.chars().collect::<Vec<_>>());
        }
        self.text.eq_ignore_ascii_case(known)
    }
}

/// Structs in structs are followed so deep.
const MOST_NESTED: u32 = 8;

/// Calls `each` with all fields, and with the members of structs as `name.member`.
fn paths(fields: &[Field], before: &str, each: &mut dyn FnMut(&str, &Field)) {
    fn nested(fields: &[Field], before: &str, deep: u32, each: &mut dyn FnMut(&str, &Field)) {
        for field in fields {
            if before.is_empty() {
                each(&field.name, field);
            } else {
                each(&format!("{before}{}", field.name), field);
            }
            if let FieldType::Struct(members) = &field.ty
                && deep > 0
            {
                nested(members, &format!("{before}{}.", field.name), deep - 1, each);
            }
        }
    }
    nested(fields, before, MOST_NESTED, each);
}

/// A provider or event that is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Wish<'a> {
    /// Of a provider or event class, with the class of the kernel that it is.
    Guid(Guid, Option<&'static EventClass>),
    /// With this number; see [`event_number`].
    Number(u32),
    /// With this name.
    Name(Name<'a>),
}

/// Returns `true` if a provider of descriptions, or a class of the kernel, is asked for.
#[must_use]
pub fn is_described(wish: &Wish<'_>, provider: &Provider) -> bool {
    is_called(wish, &provider.name, provider.guid)
}

/// Returns `true` if the provider or class of this name and GUID is asked for.
#[must_use]
pub fn is_called(wish: &Wish<'_>, provider: &str, guid: Guid) -> bool {
    match wish {
        Wish::Guid(wanted, _) => guid == *wanted,
        Wish::Number(_) => false,
        Wish::Name(name) => {
            let class = kernel::by_guid(&guid);
            let of_kernel =
                class.map(|class| Kind { class: Some(class.name), ..Kind::provider(KERNEL_PROVIDER) });
            let kinds = [Some(Kind::provider(provider)), of_kernel];
            kinds.into_iter().flatten().any(|kind| name.is_of_kind(kind))
        }
    }
}

/// Returns `true` if an event of a description is asked for.
#[must_use]
pub fn is_described_event(wish: &Wish<'_>, event: &ProviderEvent, format: &EventFormat) -> bool {
    match wish {
        Wish::Guid(..) => false,
        Wish::Number(number) => u32::from(event.id) == *number,
        Wish::Name(name) => name.is_of(format),
    }
}

impl<'a> Wish<'a> {
    /// The maximum number of formats for which a caller should cache the answer.
    pub const MOST_FORMATS: usize = 1 << 16;

    /// A provider by its name or GUID.
    #[must_use]
    pub fn provider(text: &'a str) -> Wish<'a> {
        match guid(text) {
            Some(guid) => Wish::Guid(guid, kernel::by_guid(&guid)),
            None => Wish::Name(Name { sort: Sort::Provider, text }),
        }
    }

    /// An event by its name or number.
    #[must_use]
    pub fn event(text: &'a str) -> Wish<'a> {
        let number = text.strip_prefix("event-").unwrap_or(text);
        number.parse().map_or(Wish::Name(Name { sort: Sort::Event, text }), Wish::Number)
    }

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(&self) -> Option<Name<'a>> {
        match self {
            Wish::Name(name) => Some(*name),
            Wish::Guid(..) | Wish::Number(_) => None,
        }
    }

    /// Returns `true` if a record of a format is such a one.
    #[must_use]
    pub fn is_met(&self, record: &Record<'_>, format: &EventFormat) -> bool {
        match self {
            Wish::Guid(guid, None) => record.guid() == *guid,
            Wish::Guid(guid, Some(_)) => guid_of(record) == Some(*guid),
            Wish::Number(number) => event_number(record) == *number,
            Wish::Name(name) => name.is_of(format),
        }
    }
}

/// A GUID, in braces or not.
#[must_use]
pub fn guid(text: &str) -> Option<Guid> {
    let bare = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    Guid::try_parse(bare.as_bytes())
}

/// Calls `each` with all kinds of events that the tables of the kernel's have, in each version.
fn kernel_kinds(each: &mut dyn FnMut(Kind<'_>)) {
    for class in kernel::classes() {
        for event in class.events {
            let name = format!("{}/{}", class.name, event.name);
            for version in event.versions {
                each(Kind {
                    provider: KERNEL_PROVIDER,
                    class: Some(class.name),
                    event: &name,
                    fields: &version.fields,
                    header: None,
                });
            }
        }
    }
}

/// Returns the first of `names` that is the name of nothing that any description or trace knows, as a whole message.
/// `others` are further names that would have done.
///
/// The decoder must have seen all that describes the traces' events. The traces are read once more for a name that the
/// kernel's tables do not have, and for values.
#[must_use]
pub fn unknown(
    names: &[Name<'_>],
    others: &[&str],
    traces: &[Trace<'_>],
    decoder: &mut Decoder,
) -> Option<String> {
    let (values, named): (Vec<_>, Vec<_>) = names.iter().copied().partition(|name| name.sort.is_of_values());
    let (headers, values) = values.into_iter().partition(|name| matches!(name.sort, Sort::Header(..)));
    let name = unknown_name(named, traces, decoder)
        .or_else(|| unknown_value(values, traces, decoder))
        .or_else(|| unknown_header(headers, traces, decoder))?;
    let mut found = Found::default();
    each_kind(traces, decoder, &mut |kind| {
        found.add(name.sort, kind);
        true
    });
    if !name.sort.is_of_values() {
        kernel_kinds(&mut |kind| found.add(name.sort, kind));
        for (_, _, format) in &decoder.schemas().described() {
            found.add(name.sort, Kind::of(format));
        }
    }
    if name.sort == Sort::Provider {
        found.names.extend(providers::all().map(|(_, name)| name.to_owned()));
    }
    Some(found.refusal(&name, others))
}

/// The first name that neither descriptions nor traces have.
fn unknown_name<'n>(names: Vec<Name<'n>>, traces: &[Trace<'_>], decoder: &mut Decoder) -> Option<Name<'n>> {
    let mut open = names;
    let known = |open: &mut Vec<Name<'_>>, kind: Kind<'_>| open.retain(|name| !name.is_of_kind(kind));
    if !open.is_empty() {
        kernel_kinds(&mut |kind| known(&mut open, kind));
    }
    if !open.is_empty() {
        for (_, name) in providers::all() {
            known(&mut open, Kind::provider(name));
        }
    }
    if !open.is_empty() {
        each_kind(traces, decoder, &mut |kind| {
            known(&mut open, kind);
            !open.is_empty()
        });
    }
    if !open.is_empty() {
        // Last, for all that comes with us is read for it.
        for (_, _, format) in &decoder.schemas().described() {
            known(&mut open, Kind::of(format));
        }
    }
    open.first().copied()
}

/// Returns the first text that is not the name of a level, channel, keyword or opcode of any provider in the traces or of
/// any described provider.
fn unknown_header<'n>(names: Vec<Name<'n>>, traces: &[Trace<'_>], decoder: &mut Decoder) -> Option<Name<'n>> {
    let mut open = names;
    let known = |open: &mut Vec<Name<'_>>, kind: Kind<'_>| open.retain(|name| !name.is_of_kind(kind));
    let shared = HeaderNames::default();
    known(&mut open, Kind { header: Some((&shared, "")), ..Kind::provider("") });
    if !open.is_empty() {
        each_kind(traces, decoder, &mut |kind| {
            known(&mut open, kind);
            !open.is_empty()
        });
    }
    if !open.is_empty() {
        let mut last = None;
        for (guid, _, format) in &decoder.schemas().described() {
            known(&mut open, Kind { header: Some((&shared, &format.opcode)), ..Kind::provider("") });
            if last.replace(*guid) != Some(*guid) {
                let names = decoder.schemas().header_names(guid);
                known(&mut open, Kind { header: Some((&names, "")), ..Kind::provider("") });
            }
        }
    }
    open.first().copied()
}

/// The first text that no value of its field can be shown as, in any event of the traces that has the field.
fn unknown_value<'n>(values: Vec<Name<'n>>, traces: &[Trace<'_>], decoder: &mut Decoder) -> Option<Name<'n>> {
    let mut open: Vec<(Name<'_>, bool)> = values.into_iter().map(|name| (name, false)).collect();
    if open.is_empty() {
        return None;
    }
    each_kind(traces, decoder, &mut |kind| {
        open.retain_mut(|(name, has_field)| {
            if let Sort::Value(text) = name.sort {
                *has_field |= Name { sort: Sort::Field, text }.is_of_kind(kind);
            }
            !name.is_of_kind(kind)
        });
        !open.is_empty()
    });
    open.into_iter().find(|(_, has_field)| *has_field).map(|(name, _)| name)
}

/// Calls `each` with the kinds of events that traces hold, some perhaps more than once, until it answers `false`.
fn each_kind(traces: &[Trace<'_>], decoder: &mut Decoder, each: &mut dyn FnMut(Kind<'_>) -> bool) {
    let mut seen = FxHashSet::default();
    for trace in traces {
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            let id = decoder.id(&record);
            if seen.len() >= Wish::MOST_FORMATS {
                seen.clear();
            }
            if seen.insert(id) && !each(Kind::of(decoder.get(id))) {
                return;
            }
        }
    }
}

/// The error for an unknown name.
#[must_use]
pub fn absent(word: &str, text: &str) -> String {
    format!("there is no {word} '{text}' in the traces or in any description")
}

/// Names that there are, for one that there is not.
#[derive(Default)]
struct Found {
    names: BTreeSet<String>,
    /// Codes whose names would have done.
    codes: Vec<Hint>,
}

impl Found {
    /// Maximum number of cached names.
    const MOST: usize = 1 << 16;

    /// Takes note of what a kind of events has of a sort.
    fn add(&mut self, sort: Sort<'_>, kind: Kind<'_>) {
        let Found { names, codes } = self;
        let mut add = |name: &str| {
            if names.len() < Found::MOST && !names.contains(name) {
                names.insert(name.to_owned());
            }
        };
        match sort {
            Sort::Provider => kind.class.into_iter().chain([kind.provider]).for_each(add),
            Sort::Event => add(kind.event),
            Sort::Field => paths(kind.fields, "", &mut |path, _| add(path)),
            Sort::Header(header, _) => {
                if let Some((names, opcode)) = kind.header {
                    header.each_name(names, &mut add);
                    if header == Header::Opcode && !opcode.is_empty() {
                        add(opcode);
                    }
                }
            }
            Sort::Value(wanted) => paths(kind.fields, "", &mut |path, field| {
                if !path.eq_ignore_ascii_case(wanted) {
                    return;
                }
                values::each_of_map(field, &mut add);
                if values::is_code(field.hint) && !codes.contains(&field.hint) {
                    codes.push(field.hint);
                }
            }),
        }
    }

    /// The message that there is no such name.
    fn refusal(&self, name: &Name<'_>, others: &[&str]) -> String {
        let text = name.text;
        let mut among: Vec<&str> = self.names.iter().map(String::as_str).collect();
        if !name.sort.is_of_values() {
            among.extend(others);
        }
        for hint in &self.codes {
            for code in values::names_of(*hint) {
                among.push(code);
            }
        }
        let meant = nearest(text, among.iter().copied()).or_else(|| last_part(text, among.iter().copied()));
        let meant = meant.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        let word = match name.sort {
            Sort::Provider => "provider",
            Sort::Event => "event",
            Sort::Field => "field",
            Sort::Header(header, _) => {
                let word = header.word();
                return format!("no {word} is called '{text}'{meant} (any {word} can be given as a number)");
            }
            Sort::Value(field) => {
                return format!(
                    "no value of '{field}' is called '{text}'{meant} (any value can be given as a number)"
                );
            }
        };
        format!("{}{meant}", absent(word, text))
    }
}

/// The shortest name that ends with a text: `ACCESS_DENIED` is meant as `STATUS_ACCESS_DENIED`, `CSwitch` as
/// `Thread/CSwitch`.
fn last_part<'n>(text: &str, among: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let ends = |name: &&str| {
        let start = name.len().checked_sub(text.len()).filter(|start| *start > 0 && text.len() > 3);
        start
            .and_then(|at| name.split_at_checked(at))
            .is_some_and(|(before, end)| before.ends_with(['_', '/', '-']) && end.eq_ignore_ascii_case(text))
    };
    among.filter(ends).min_by_key(|name| name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(sort: Sort<'_>, text: &str, provider: &str, class: Option<&str>, event: &str) -> bool {
        Name { sort, text }.is_of_kind(Kind { provider, class, event, fields: &[], header: None })
    }

    #[test]
    fn events_have_the_names_that_any_command_writes() {
        let runtime = "Microsoft-Windows-DotNETRuntime";
        for text in ["GC/Start", "gc_start", "GC_*", "*/start", "microsoft-windows-dotnetruntime/gc/START"] {
            assert!(is(Sort::Event, text, runtime, None, "GC/Start"), "{text}");
        }
        for text in ["Start", "GC", "GC/Stop", "GC_Start_", "GC-Start", ""] {
            assert!(!is(Sort::Event, text, runtime, None, "GC/Start"), "{text}");
        }
        assert!(is(Sort::Event, "Order_placed", "Shop", None, "(Order placed)"));
        assert!(matches!(Wish::event("event-82"), Wish::Number(82)));
        assert!(matches!(Wish::event("82"), Wish::Number(82)));
        assert!(Wish::event("event-x").name().is_some());
    }

    #[test]
    fn providers_have_the_names_that_any_command_writes() {
        for text in ["Windows Kernel", "kernel", "windows-kernel", "diskio", "Windows*"] {
            assert!(is(Sort::Provider, text, KERNEL_PROVIDER, Some("DiskIo"), "DiskIo/Read"), "{text}");
        }
        for text in ["Thread", "Disk*", "k*", "DiskIo/Read"] {
            assert!(!is(Sort::Provider, text, KERNEL_PROVIDER, Some("DiskIo"), "DiskIo/Read"), "{text}");
        }
        for text in ["Microsoft:Odd (x)", "microsoft-odd--x-", "*odd*"] {
            assert!(is(Sort::Provider, text, "Microsoft:Odd (x)", None, ""), "{text}");
        }
        assert!(!is(Sort::Provider, "kernel", "Shop", None, ""));
        assert!(is(Sort::Provider, "CacheManager", KERNEL_PROVIDER, Some("Cc"), "Cc/Flush"));
        let class = Wish::provider("{3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c}");
        assert!(matches!(class, Wish::Guid(_, Some(class)) if class.name == "DiskIo"));
        assert!(matches!(Wish::provider("AA18EBB0-1111-2222-3333-444455556666"), Wish::Guid(_, None)));
    }

    #[test]
    fn parts_of_names_are_proposed_whole() {
        let names = ["STATUS_ACCESS_DENIED", "STATUS_PROCESS_ACCESS_DENIED", "E_FAIL"];
        assert_eq!(last_part("access_denied", names.into_iter()), Some("STATUS_ACCESS_DENIED"));
        assert_eq!(last_part("DENIED", names.into_iter()), Some("STATUS_ACCESS_DENIED"));
        assert_eq!(last_part("FAIL", names.into_iter()), Some("E_FAIL"));
        assert_eq!(last_part("NIED", names.into_iter()), None);
        assert_eq!(last_part("cswitch", ["Thread/CSwitch"].into_iter()), Some("Thread/CSwitch"));
        assert_eq!(last_part("STATUS_ACCESS_DENIED", names.into_iter()), None);
    }
}
