//! Trace message format files (TMF): the text that WPP's tools extract from a program's symbols.
//!
//! A section begins with a line `GUID module // ...`; each message in it is a `#typev` line with the number and
//! the format, and a list of arguments in braces. Arguments are numbered from 10 on. The form is that of
//! Microsoft's public documentation of WPP and of the files themselves.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use tracewell_schema::{
    Enabling, Field, FieldType, Hint, Length, MapEntry, MapRef, Provider, ProviderEvent, ValueMap, Version,
};
use tracewell_types::Guid;

use crate::manifest::ManifestProblem;

/// What a TMF file declares.
#[derive(Clone, Debug, Default)]
pub struct Tmf {
    /// One provider for each message GUID; the ids of its events are the message numbers. The messages have
    /// `%1`, `%2` and so on where arguments go, as those of manifests.
    pub messages: Vec<Provider>,
    /// The parts that could not be used, each with its line. The rest of the text is valid.
    pub problems: Vec<ManifestProblem>,
}

impl Tmf {
    /// The enumerations that arguments have for types. Only the program's symbols know their members.
    pub(crate) fn enumerations(&self) -> HashSet<String> {
        let events = self.messages.iter().flat_map(|provider| provider.events.iter());
        let maps = events.flat_map(|event| event.layout.fields.iter()).filter_map(|field| field.map.as_ref());
        let unknown = maps.map(MapRef::get).filter(|map| map.entries.is_empty());
        unknown.map(|map| map.name.to_string()).collect()
    }

    /// Gives the arguments that are enumerations the names of their members.
    pub(crate) fn name_members(&mut self, known: &HashMap<String, Vec<MapEntry>>) {
        let mut made: HashMap<(String, bool), MapRef> = HashMap::new();
        for event in self.messages.iter_mut().flat_map(|provider| provider.events.to_mut()) {
            for map in event.layout.fields.to_mut().iter_mut().filter_map(|field| field.map.as_mut()) {
                let (name, bits) = (map.get().name.to_string(), map.get().bits);
                if let Some(members) = known.get(&name).filter(|_| map.get().entries.is_empty()) {
                    let named = made.entry((name.clone(), bits)).or_insert_with(|| {
                        MapRef::Shared(Arc::new(ValueMap::new(name, bits, members.clone())))
                    });
                    *map = named.clone();
                }
            }
        }
    }
}

/// Why a text is no TMF file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TmfError {
    /// It declares no message.
    NoMessages,
}

impl fmt::Display for TmfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TmfError::NoMessages => f.write_str("the TMF text declares no messages"),
        }
    }
}

impl std::error::Error for TmfError {}

/// Most problems that are kept.
const MAX_PROBLEMS: usize = 1000;

/// The number of the first argument.
const FIRST_ARGUMENT: usize = 10;

/// Most arguments of a message: `%1` to `%99`.
const MAX_ARGUMENTS: usize = 89;

/// Reads a TMF file.
///
/// # Errors
///
/// When it declares no messages. Single messages that cannot be used are [problems](Tmf::problems) instead.
pub fn parse(text: &str) -> Result<Tmf, TmfError> {
    let mut reader = Reader::default();
    let mut lines = text.lines().zip(1u32..);
    while let Some((text, line)) = lines.next() {
        let text = text.trim();
        if let Some(declaration) = text.strip_prefix("#typev ") {
            let arguments = arguments(&mut lines.clone());
            if let Err(what) = reader.message(declaration, &arguments) {
                reader.problem(line, what);
            }
        } else if let Some((guid, rest)) = text.split_once(char::is_whitespace)
            && let Some(guid) = Guid::try_parse(guid.as_bytes())
        {
            reader.section(guid, rest);
        }
    }
    let sections = reader.sections.into_iter().filter(|section| !section.events.is_empty());
    let messages: Vec<Provider> =
        sections.map(|section| Provider::new(section.module, section.guid, section.events)).collect();
    if messages.is_empty() {
        return Err(TmfError::NoMessages);
    }
    Ok(Tmf { messages, problems: reader.problems })
}

/// The lines between the braces after a `#typev` line.
fn arguments<'t>(lines: &mut dyn Iterator<Item = (&'t str, u32)>) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut open = false;
    for (line, _) in lines {
        let line = line.trim();
        match line {
            "" => {}
            "{" if !open => open = true,
            _ if !open || line.starts_with('}') || line.starts_with('#') => break,
            _ => found.push(line),
        }
        if found.len() > MAX_ARGUMENTS {
            break;
        }
    }
    found
}

struct Section {
    guid: Guid,
    module: String,
    events: Vec<ProviderEvent>,
}

#[derive(Default)]
struct Reader {
    sections: Vec<Section>,
    known: HashMap<Guid, usize>,
    current: Option<usize>,
    problems: Vec<ManifestProblem>,
}

impl Reader {
    fn problem(&mut self, line: u32, what: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(ManifestProblem { line, what });
        }
    }

    fn section(&mut self, guid: Guid, rest: &str) {
        let at = *self.known.entry(guid).or_insert_with(|| {
            let module = rest.split("//").next().unwrap_or_default().trim().to_owned();
            self.sections.push(Section { guid, module, events: Vec::new() });
            self.sections.len() - 1
        });
        self.current = Some(at);
    }

    fn message(&mut self, declaration: &str, arguments: &[&str]) -> Result<(), String> {
        let section = self.current.and_then(|at| self.sections.get_mut(at));
        let section = section.ok_or("a message before the first GUID")?;
        let (head, rest) = declaration.split_once('"').ok_or("a message without a format")?;
        let (format, comment) = quoted(rest).ok_or("a format without an end")?;
        let mut head = head.split_whitespace();
        let (name, number) = (head.next().unwrap_or_default(), head.next().unwrap_or_default());
        let number: u16 = number.parse().map_err(|_| format!("`{number}` is no message number"))?;
        let tag = |name: &str| {
            let at = comment.find(name)?;
            let value = comment.get(at + name.len()..)?.trim_start_matches('=');
            value.split_whitespace().next()
        };
        if arguments.len() > MAX_ARGUMENTS {
            return Err(format!("message {number} has too many arguments"));
        }
        let mut fields = Vec::with_capacity(arguments.len());
        let mut numbers = Vec::with_capacity(arguments.len());
        let mut stopped = None;
        for argument in arguments {
            let argument = Argument::parse(argument)
                .ok_or_else(|| format!("message {number}: `{argument}` is no argument"))?;
            let Some((ty, hint)) = stored(argument.item) else {
                // Nothing behind it has a known place; the text and what goes before it stay.
                stopped = Some(format!(
                    "message {number}: the type `{}` is unknown; it and what follows it stay bytes",
                    argument.item
                ));
                break;
            };
            if argument.item == "ItemMLString" {
                // Two bytes whose meaning is not documented go before the text.
                fields.push(Field::named(format!("{} head", argument.name), FieldType::U16).hint(Hint::Hex));
                numbers.push(0);
            }
            let mut field = Field::named(argument.name.to_owned(), ty).hint(hint);
            field.map = argument.values().map(|map| MapRef::Shared(Arc::new(map)));
            fields.push(field);
            numbers.push(argument.number);
        }
        let function = tag("FUNC=").unwrap_or_default();
        let message =
            message_text(&format, &numbers, &mut fields, function, tag("LEVEL=").unwrap_or_default());
        section.events.push(ProviderEvent {
            id: number,
            task: if function.is_empty() { name.to_owned() } else { function.to_owned() }.into(),
            opcode: "".into(),
            message: message.into(),
            enabling: tag("LEVEL=").and_then(level).map(|level| Enabling::new(level, 0)),
            layout: Version::from_fields(0, fields),
        });
        stopped.map_or(Ok(()), Err)
    }
}

/// The number of a level by its name: a constant of WPP's (`TRACE_LEVEL_ERROR`) or what programs usually call it.
fn level(name: &str) -> Option<u8> {
    const LEVELS: [(&str, u8); 10] = [
        ("CRITICAL", 1),
        ("FATAL", 1),
        ("ERROR", 2),
        ("WARNING", 3),
        ("WARN", 3),
        ("INFORMATION", 4),
        ("INFO", 4),
        ("VERBOSE", 5),
        ("NOISE", 5),
        ("DEBUG", 5),
    ];
    let name = name.to_ascii_uppercase();
    let word = name.rsplit('_').next().unwrap_or_default();
    LEVELS.iter().find(|(known, _)| *known == word).map(|(_, level)| *level)
}

/// A text up to its closing quote, and what follows.
fn quoted(rest: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut escaped = false;
    for (at, character) in rest.char_indices() {
        match (escaped, character) {
            (false, '"') => return Some((text, rest.get(at + 1..)?)),
            (false, '\\') => {}
            (true, 'n') => text.push('\n'),
            (true, 't') => text.push('\t'),
            (true, 'r') => {}
            (true, other @ ('"' | '\\')) => text.push(other),
            (true, other) => text.extend(['\\', other]),
            (false, other) => text.push(other),
        }
        escaped = !escaped && character == '\\';
    }
    None
}

struct Argument<'t> {
    name: &'t str,
    item: &'t str,
    /// The text in parentheses after the item.
    list: &'t str,
    number: usize,
}

impl<'t> Argument<'t> {
    /// `name, ItemType -- number`; the name is an expression and may contain commas.
    fn parse(line: &'t str) -> Option<Argument<'t>> {
        let (front, number) = line.rsplit_once("--")?;
        let at = front.find(", Item")?;
        let item = front.get(at + 2..)?.trim();
        let (item, list) = item.split_once('(').unwrap_or((item, ""));
        Some(Argument {
            name: front.get(..at)?.trim(),
            item: item.trim(),
            list: list.trim_end_matches(')'),
            number: number.trim().parse().ok().filter(|number| *number >= FIRST_ARGUMENT)?,
        })
    }
}

impl Argument<'_> {
    /// The names in the list of an `ItemList...`, from 0 on unless `NAME=NUMBER` says otherwise, or `ItemSet...`,
    /// from the lowest bit on. An enumeration has only the name of the type, and its map is empty.
    fn values(&self) -> Option<ValueMap> {
        let bits = self.item.starts_with("ItemSet") || self.item == "ItemFlagsEnum";
        if self.list.is_empty() {
            return None;
        }
        if matches!(self.item, "ItemEnum" | "ItemFlagsEnum") {
            return Some(ValueMap::new(self.list.trim().to_owned(), bits, Vec::new()));
        }
        if !bits && !self.item.starts_with("ItemList") {
            return None;
        }
        let mut entries = Vec::new();
        let mut next = Some(0u32);
        for entry in self.list.split(',') {
            let (name, number) = entry.split_once('=').map_or((entry, None), |(name, n)| (name, Some(n)));
            let index = number.map_or(next, |number| number.trim().parse().ok());
            next = index.and_then(|index| index.checked_add(1));
            let value = index.and_then(|index| if bits { 1u32.checked_shl(index) } else { Some(index) });
            entries.extend(value.map(|value| (value, name.trim().to_owned().into())));
        }
        Some(ValueMap::new(self.name.to_owned(), bits, entries))
    }
}

/// How the arguments of each type are stored in a message: the types that WPP's own configuration defines, and those
/// of the databases that Windows' programs come with; and those of the samples for trace consumers in Microsoft's older
/// SDKs, which TMF files may name as well. What an `ItemKSid`, `ItemVariant` or `ItemOptArgs` looks like is not documented.
#[rustfmt::skip]
const ITEMS: [(&str, FieldType, Hint); 61] = [
    ("ItemChar", FieldType::I8, Hint::None),
    ("ItemCharShort", FieldType::I8, Hint::None),
    ("ItemCharSign", FieldType::Ansi(Length::Fixed(2)), Hint::None),
    ("ItemWChar", FieldType::U16, Hint::Character),
    ("ItemFloat", FieldType::F32, Hint::None),
    ("ItemNWString", FieldType::Utf16(Length::Rest), Hint::None),
    ("ItemDSString", FieldType::Ansi(Length::PrefixedBig), Hint::None),
    ("ItemDSWString", FieldType::Utf16(Length::PrefixedBig), Hint::None),
    ("ItemMLString", FieldType::Ansi(Length::Nul), Hint::None),
    ("ItemNTerror", FieldType::U32, Hint::NtStatus),
    ("ItemMerror", FieldType::U32, Hint::Hex),
    ("ItemNETEVENT", FieldType::U32, Hint::Hex),
    ("ItemTimeStamp", FieldType::FileTime, Hint::None),
    ("ItemUshort", FieldType::U16, Hint::None),
    ("ItemUChar", FieldType::U8, Hint::None),
    ("ItemChar4", FieldType::Ansi(Length::Fixed(4)), Hint::None),
    ("ItemShort", FieldType::I16, Hint::None),
    ("ItemUShort", FieldType::U16, Hint::None),
    ("ItemLong", FieldType::I32, Hint::None),
    ("ItemULong", FieldType::U32, Hint::None),
    ("ItemLongX", FieldType::U32, Hint::Hex),
    ("ItemULongX", FieldType::U32, Hint::Hex),
    ("ItemLongLong", FieldType::I64, Hint::None),
    ("ItemULongLong", FieldType::U64, Hint::None),
    ("ItemLongLongO", FieldType::U64, Hint::Hex),
    ("ItemLongLongX", FieldType::U64, Hint::Hex),
    ("ItemLongLongXX", FieldType::U64, Hint::Hex),
    ("ItemDouble", FieldType::F64, Hint::None),
    ("ItemPtr", FieldType::Pointer, Hint::Hex),
    ("ItemString", FieldType::Ansi(Length::Nul), Hint::None),
    ("ItemRString", FieldType::Ansi(Length::Nul), Hint::None),
    ("ItemWString", FieldType::Utf16(Length::Nul), Hint::None),
    ("ItemRWString", FieldType::Utf16(Length::Nul), Hint::None),
    ("ItemPString", FieldType::Ansi(Length::Prefixed), Hint::None),
    ("ItemPWString", FieldType::Utf16(Length::Prefixed), Hint::None),
    ("ItemHexDump", FieldType::Binary(Length::Prefixed), Hint::None),
    ("ItemSid", FieldType::Sid, Hint::None),
    ("ItemGuid", FieldType::Guid, Hint::None),
    ("ItemCLSID", FieldType::Guid, Hint::None),
    ("ItemIID", FieldType::Guid, Hint::None),
    ("ItemLIBID", FieldType::Guid, Hint::None),
    ("ItemTimestamp", FieldType::FileTime, Hint::None),
    ("ItemTimeDelta", FieldType::I64, Hint::None),
    ("ItemWaitTime", FieldType::I64, Hint::None),
    ("ItemIPAddr", FieldType::Ipv4, Hint::None),
    ("ItemIPV6Addr", FieldType::Ipv6, Hint::None),
    ("ItemPort", FieldType::Port, Hint::None),
    ("ItemMACAddr", FieldType::Binary(Length::Fixed(6)), Hint::None),
    ("ItemNTSTATUS", FieldType::U32, Hint::NtStatus),
    ("ItemNDIS_STATUS", FieldType::U32, Hint::NtStatus),
    ("ItemNDIS_OID", FieldType::U32, Hint::Hex),
    ("ItemHRESULT", FieldType::U32, Hint::HResult),
    ("ItemWINERROR", FieldType::U32, Hint::Win32Error),
    ("ItemListByte", FieldType::U8, Hint::None),
    ("ItemListShort", FieldType::U16, Hint::None),
    ("ItemListLong", FieldType::U32, Hint::None),
    ("ItemSetByte", FieldType::U8, Hint::Hex),
    ("ItemSetShort", FieldType::U16, Hint::Hex),
    ("ItemSetLong", FieldType::U32, Hint::Hex),
    ("ItemEnum", FieldType::I32, Hint::None),
    ("ItemFlagsEnum", FieldType::U32, Hint::Hex),
];

/// How an argument of this type is stored in the message.
fn stored(item: &str) -> Option<(FieldType, Hint)> {
    let (_, ty, hint) = ITEMS.iter().find(|(name, ..)| *name == item)?;
    Some((ty.clone(), *hint))
}

/// The format with `%1!...!` for the first argument and so on. The `printf` conversion after an argument
/// determines whether a number is hexadecimal or unsigned.
fn message_text(
    format: &str,
    numbers: &[usize],
    fields: &mut [Field],
    function: &str,
    level: &str,
) -> String {
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at + 1..).unwrap_or_default();
        if let Some(name) = rest.strip_prefix('!')
            && let Some((name, after)) = name.split_once('!')
        {
            out.push_str(&match name {
                "FUNC" => function.replace('%', "%%"),
                "LEVEL" => level.replace('%', "%%"),
                // The usual prefix repeats what the columns of a dump show.
                "STDPREFIX" => String::new(),
                other => format!("%%!{other}!"),
            });
            rest = after;
            continue;
        }
        let digits = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let Some(number) = rest.get(..digits).and_then(|digits| digits.parse::<usize>().ok()) else {
            let doubled = rest.starts_with('%');
            out.push_str("%%");
            rest = rest.get(usize::from(doubled)..).unwrap_or_default();
            continue;
        };
        rest = rest.get(digits..).unwrap_or_default();
        let mut conversion = "";
        if let Some(inside) = rest.strip_prefix('!')
            && let Some((text, after)) = inside.split_once('!')
        {
            (conversion, rest) = (text, after);
        }
        if number < FIRST_ARGUMENT {
            // `%0` means the usual prefix.
            continue;
        }
        match numbers.iter().position(|known| *known == number) {
            Some(at) => {
                out.push_str(&format!(
                    "%{}!{}!",
                    at + 1,
                    if conversion.is_empty() { "s" } else { conversion }
                ));
                if let Some(field) = fields.get_mut(at) {
                    convert(field, conversion);
                }
            }
            None => out.push_str(&format!("%%{number}")),
        }
    }
    out.push_str(rest);
    out
}

/// Applies the conversion of a number to the field.
fn convert(field: &mut Field, conversion: &str) {
    if field.ty == FieldType::Pointer && conversion.ends_with(['d', 'u']) {
        field.hint = Hint::None;
    }
    if field.hint != Hint::None {
        return;
    }
    let unsigned = match field.ty {
        FieldType::I8 | FieldType::U8 => FieldType::U8,
        FieldType::I16 | FieldType::U16 => FieldType::U16,
        FieldType::I32 | FieldType::U32 => FieldType::U32,
        FieldType::I64 | FieldType::U64 => FieldType::U64,
        _ => return,
    };
    match conversion.chars().next_back() {
        Some('x' | 'X' | 'p') => (field.ty, field.hint) = (unsigned, Hint::Hex),
        Some('u') => field.ty = unsigned,
        Some('c') => (field.ty, field.hint) = (unsigned, Hint::Character),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    const TEXT: &str = r#"// PDB: shop.pdb
0ad614c4-0ef4-4225-8000-0123456789ab shop // SRC=till.c MJ= MN=
#typev till_c42 10 "%0Till %10!d! opened by %11!s!: 100%%, status %12!s! in %!FUNC!" //   LEVEL=Info FUNC=OpenTill
{
till->number(a, b), ItemLong -- 10
who, ItemWString -- 11
status, ItemNTSTATUS -- 12
}
#typev till_c50 11 "%0flags %10!08x!0 \"quoted\"" // FLAGS=X
{
flags, ItemLong -- 10
}
#typev till_c51 12 "%0closed" // FUNC=CloseTill
{
}
#typev till_c52 13 "%0%10!s!" // FUNC=F
{
x, ItemNonsense -- 10
}
"#;

    #[test]
    fn messages_become_layouts_and_inserts() {
        let tmf = parse(TEXT).unwrap();
        let till = &tmf.messages[0];
        assert_eq!((&*till.name, till.events.len()), ("shop", 4));
        let open = till.event(10, 0).unwrap();
        assert_eq!(&*open.task, "OpenTill");
        assert_eq!(&*open.message, "Till %1!d! opened by %2!s!: 100%%, status %3!s! in OpenTill");
        let payload = [0xfe, 0xff, 0xff, 0xff, b'J', 0, b'o', 0, 0, 0, 0x22, 0, 0, 0xc0];
        let fields = Fields::new(&open.layout, &payload, 8);
        let shown: Vec<String> =
            fields.map(|f| format!("{}={}", f.field.name, f.value.display(f.field))).collect();
        assert_eq!(shown, ["till->number(a, b)=-2", "who=Jo", "status=0xc0000022 STATUS_ACCESS_DENIED"]);
        let flags = till.event(11, 0).unwrap();
        assert_eq!(&*flags.message, "flags %1!08x!0 \"quoted\"");
        assert_eq!((&flags.layout.fields[0].ty, flags.layout.fields[0].hint), (&FieldType::U32, Hint::Hex));
        assert_eq!(&*till.event(12, 0).unwrap().message, "closed");
    }

    #[test]
    fn lists_and_sets_have_names() {
        let text = "0ad614c4-0ef4-4225-8000-0123456789ab m\n#typev a 1 \"%10!s! %11!s!\"\n{\n\
                    a, ItemListLong(shut, open) -- 10\nb, ItemSetByte(red,green,blue) -- 11\n}\n";
        let tmf = parse(text).unwrap();
        let event = tmf.messages[0].event(1, 0).unwrap();
        let shown: Vec<String> = Fields::new(&event.layout, &[1, 0, 0, 0, 5], 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect();
        assert_eq!(shown, ["a=open", "b=red|blue"]);
    }

    /// One argument of each of WPP's types, as its code lays them out.
    #[test]
    fn every_type_is_read() {
        let sid = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];
        let rows: &[(&str, &str, &[u8], &str)] = &[
            ("ItemChar", "c", b"A", "A"),
            ("ItemChar", "02x", &[0xF0], "0xf0"),
            ("ItemChar4", "s", b"WdfR", "WdfR"),
            ("ItemShort", "hu", &[0xFF, 0xFF], "65535"),
            ("ItemCharShort", "d", &[0xFE], "-2"),
            ("ItemCharSign", "s", b"ab", "ab"),
            ("ItemWChar", "c", &[b'w', 0], "w"),
            ("ItemFloat", "s", &[0, 0, 0xC0, 0x3F], "1.5"),
            ("ItemNWString", "s", &[b'w', 0, b'x', 0], "wx"),
            ("ItemDSString", "s", &[0, 2, b'h', b'i'], "hi"),
            ("ItemDSWString", "s", &[0, 2, b'u', 0], "u"),
            ("ItemNTerror", "s", &[0x22, 0, 0, 0xC0], "0xc0000022 STATUS_ACCESS_DENIED"),
            ("ItemMerror", "s", &[5, 0, 0, 0], "0x5"),
            ("ItemNETEVENT", "s", &[5, 0, 0, 0], "0x5"),
            ("ItemLong", "d", &[0xFF, 0xFF, 0xFF, 0xFF], "-1"),
            ("ItemLong", "08X", &[1, 2, 0, 0], "0x201"),
            ("ItemLongLong", "I64d", &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "-2"),
            ("ItemULongLong", "I64u", &[9, 0, 0, 0, 0, 0, 0, 0], "9"),
            ("ItemLongLongXX", "I64X", &[0x1F, 0, 0, 0, 0, 0, 0, 0], "0x1f"),
            ("ItemDouble", "s", &[0, 0, 0, 0, 0, 0, 0xF8, 0x3F], "1.5"),
            ("ItemPtr", "p", &[0x10, 0, 0, 0, 0, 0, 0, 0], "0x10"),
            ("ItemPtr", "Iu", &[0x10, 0, 0, 0, 0, 0, 0, 0], "16"),
            ("ItemRString", "s", b"text\0", "text"),
            ("ItemRWString", "s", &[b'w', 0, 0, 0], "w"),
            ("ItemPString", "s", &[2, 0, b'h', b'i'], "hi"),
            ("ItemPWString", "s", &[2, 0, b'u', 0], "u"),
            ("ItemHexDump", "s", &[2, 0, 0xAB, 1], "ab01"),
            ("ItemSid", "s", &sid, "S-1-5-18"),
            ("ItemIID", "s", &[0; 16], "00000000-0000-0000-0000-000000000000"),
            ("ItemTimestamp", "s", &[0; 8], "1601-01-01T00:00:00.0000000Z"),
            ("ItemTimeDelta", "s", &[5, 0, 0, 0, 0, 0, 0, 0], "5"),
            ("ItemIPAddr", "s", &[127, 0, 0, 1], "127.0.0.1"),
            ("ItemPort", "s", &[0, 80], "80"),
            ("ItemNTSTATUS", "s", &[0x22, 0, 0, 0xC0], "0xc0000022 STATUS_ACCESS_DENIED"),
            ("ItemHRESULT", "s", &[5, 0x40, 0, 0x80], "0x80004005 E_FAIL"),
            ("ItemWINERROR", "s", &[5, 0, 0, 0], "5 ERROR_ACCESS_DENIED"),
            ("ItemNDIS_OID", "s", &[1, 1, 1, 0], "0x10101"),
            ("ItemListByte(Low,APC,DPC)", "s", &[2], "DPC"),
            ("ItemListShort(no, some=5, more)", "s", &[6, 0], "more"),
            ("ItemSetLong(1,2,3)", "s", &[5, 0, 0, 0x80], "1|3|0x80000000"),
            ("ItemEnum(_E)", "s", &[0xFF, 0xFF, 0xFF, 0xFF], "-1"),
            ("ItemFlagsEnum(_F)", "s", &[3, 0, 0, 0], "0x3"),
        ];
        for (item, conversion, payload, wanted) in rows {
            let text = format!(
                "0ad614c4-0ef4-4225-8000-0123456789ab m\n#typev a 10 \"%0%10!{conversion}!\" // FUNC=f\n{{\n\
                 value, {item} -- 10\n}}\n"
            );
            let tmf = parse(&text).unwrap();
            assert_eq!(tmf.problems, [], "{item}");
            let mut fields = Fields::new(&tmf.messages[0].events[0].layout, payload, 8);
            let shown: Vec<String> = (&mut fields).map(|f| f.value.display(f.field).to_string()).collect();
            assert_eq!((shown, fields.rest().len()), (vec![(*wanted).to_owned()], 0), "{item}");
        }
    }

    /// Every integer type with every conversion: all bits set, and the letter `A`.
    #[test]
    fn conversions_decide_sign_and_radix() {
        for (item, size) in [
            ("ItemCharShort", 1),
            ("ItemUChar", 1),
            ("ItemShort", 2),
            ("ItemUShort", 2),
            ("ItemLong", 4),
            ("ItemULong", 4),
            ("ItemLongLong", 8),
            ("ItemULongLong", 8),
        ] {
            let is_signed = !item.starts_with("ItemU");
            let highest = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
            let mut letter = vec![0; size];
            letter[0] = b'A';
            let natural = if is_signed { "-1".to_owned() } else { highest.to_string() };
            for (conversion, all, one) in [
                ("d", natural.clone(), "65"),
                ("s", natural, "65"),
                ("u", highest.to_string(), "65"),
                ("08I64u", highest.to_string(), "65"),
                ("x", format!("{highest:#x}"), "0x41"),
                ("#I64X", format!("{highest:#x}"), "0x41"),
                ("p", format!("{highest:#x}"), "0x41"),
                ("c", char::from_u32(highest.min(0xFFFF_FFFF) as u32).unwrap_or('\u{FFFD}').to_string(), "A"),
            ] {
                let text = format!(
                    "0ad614c4-0ef4-4225-8000-0123456789ab m\n#typev a 10 \"%0%10!{conversion}!\" // FUNC=f\n{{\n\
                     value, {item} -- 10\n}}\n"
                );
                let tmf = parse(&text).unwrap();
                for (payload, wanted) in [(&vec![0xFF; size], &*all), (&letter, one)] {
                    let fields = Fields::new(&tmf.messages[0].events[0].layout, payload, 8);
                    let shown: Vec<String> = fields.map(|f| f.value.display(f.field).to_string()).collect();
                    assert_eq!(shown, [wanted], "{item} with {conversion}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_used_is_reported() {
        let told: Vec<String> = parse(TEXT).unwrap().problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            ["line 16: message 13: the type `ItemNonsense` is unknown; it and what follows it stay bytes"]
        );
        // Issue 3: message and fields before it were lost.
        let text = "0ad614c4-0ef4-4225-8000-0123456789ab m\n#typev a 1 \"%10!d!, %11!s!, %12!s!\"\n{\n\
                    n, ItemLong -- 10\nlines, ItemMLString -- 11\nx, ItemKSid -- 12\n}\n";
        let tmf = parse(text).unwrap();
        let event = tmf.messages[0].event(1, 0).unwrap();
        assert_eq!((&*event.message, tmf.problems.len()), ("%1!d!, %3!s!, %%12", 1));
        let mut fields = Fields::new(&event.layout, b"\x07\0\0\0\0\0a\nb\0rest", 8);
        let shown: Vec<String> =
            (&mut fields).map(|f| format!("{}={}", f.field.name, f.value.display(f.field))).collect();
        assert_eq!(
            (shown, fields.rest()),
            (["n=7", "lines head=0x0", "lines=a\nb"].map(str::to_owned).to_vec(), &b"rest"[..])
        );
        assert_eq!(parse("nothing").unwrap_err(), TmfError::NoMessages);
    }

    #[test]
    fn no_part_of_a_text_makes_it_panic() {
        let mut read = 0;
        for at in (0..TEXT.len()).filter(|at| TEXT.is_char_boundary(*at)) {
            read += usize::from(parse(&TEXT[..at]).is_ok());
            let without = format!("{}{}", &TEXT[..at], TEXT.get(at + 5..).unwrap_or_default());
            read += usize::from(parse(&without).is_ok());
        }
        assert!(read > TEXT.len() / 2);
    }
}
