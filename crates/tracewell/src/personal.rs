//! What is personal in a trace, for programs that blank it: found by the types and names of fields, and by the
//! form of texts wherever they are.

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::net::{Ipv4Addr, Ipv6Addr};

use regex_lite::Regex;
use tracewell_decode::{Decoder, NamedValue, Schemas, Value};
use tracewell_etl::{Record, Trace};
use tracewell_relog::{Fill, Pattern, Redaction, Spot, redact};
use tracewell_schema::Hint;
use tracewell_types::{Sid, Utf16Str};

/// Hosts in the names of XML vocabularies: no program asks them, and manifests cannot be read without.
const VOCABULARIES: [&str; 3] = ["schemas.microsoft.com", "manifests.microsoft.com", "www.w3.org"];

/// What a personal value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The name of a computer.
    Computer,
    /// The name of a user.
    User,
    /// A security identifier.
    Sid,
    /// An address of a network.
    Address,
    /// A name in DNS.
    Dns,
    /// The title of a window.
    Window,
    /// The id of a volume.
    Volume,
}

impl Kind {
    /// Its name, for one and for several.
    #[must_use]
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Kind::Computer => ("computer name", "computer names"),
            Kind::User => ("user name", "user names"),
            Kind::Sid => ("security identifier", "security identifiers"),
            Kind::Address => ("network address", "network addresses"),
            Kind::Dns => ("DNS name", "DNS names"),
            Kind::Window => ("window title", "window titles"),
            Kind::Volume => ("volume id", "volume ids"),
        }
    }

    /// The kind of the text in a field of that name.
    fn of_field(name: &str) -> Option<Kind> {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        FIELDS.iter().find(|(_, names)| names.contains(&plain.as_str())).map(|(kind, _)| *kind)
    }
}

/// Names of fields by what their text is, in lower case without punctuation.
const FIELDS: &[(Kind, &[&str])] = &[
    (
        Kind::Computer,
        &[
            "computername",
            "computer",
            "machinename",
            "machine",
            "netbiosname",
            "workstation",
            "workstationname",
            "clientname",
            "servername",
            "devicename2",
            "domainname",
            "logonserver",
            "userdomain",
        ],
    ),
    (
        Kind::User,
        &[
            "username",
            "user",
            "accountname",
            "account",
            "userprincipalname",
            "upn",
            "subjectusername",
            "targetusername",
            "useraccount",
            "userid2",
            "email",
            "emailaddress",
        ],
    ),
    (Kind::Sid, &["sid", "usersid", "subjectusersid", "targetusersid"]),
    (
        Kind::Address,
        &[
            "ipaddress",
            "ipaddresses",
            "clientip",
            "remoteaddress",
            "localaddress",
            "sourceaddress",
            "destaddress",
            "destinationaddress",
            "dnsserveripaddress",
            "address",
            "queryresults",
        ],
    ),
    (
        Kind::Dns,
        &[
            "queryname",
            "dnsname",
            "dnshostname",
            "hostname",
            "host",
            "nodename",
            "fqdn",
            "dnssuffix",
            "serverfqdn",
        ],
    ),
    (Kind::Window, &["windowtitle", "windowtext", "wndtitle", "title", "caption", "windowname"]),
    (
        Kind::Volume,
        &[
            "volumeguid",
            "volumeid",
            "volumeguidpath",
            "volumeserial",
            "volumeserialnumber",
            "diskserialnumber",
        ],
    ),
];

/// A personal value: its kind and its text; for a binary value, its bytes with the number of those that stay.
type Key = (Kind, String);

/// What was found in traces.
#[derive(Clone, Debug, Default)]
pub struct Personal {
    values: BTreeMap<Key, Option<(Vec<u8>, usize)>>,
    /// Times that a value was met that is blanked in its record alone, by its key.
    alone: BTreeMap<Key, u64>,
    /// More were there than are kept.
    pub too_many: bool,
}

/// Most values that are kept.
const MOST: usize = 5000;

/// Shorter user names are part of many words: they are blanked in paths and fields alone.
const SHORTEST_NAME: usize = 5;

/// User names that are also common words: these are blanked in paths alone.
const COMMON: [&str; 12] = [
    "user",
    "admin",
    "administrator",
    "test",
    "system",
    "guest",
    "owner",
    "home",
    "windows",
    "desktop",
    "service",
    "temp",
];

impl Personal {
    fn add(&mut self, kind: Kind, text: &str, bytes: Option<(&[u8], usize)>) {
        let text = text.trim();
        let least = if bytes.is_some() { 1 } else { 2 };
        if text.chars().count() < least || is_blank(text) {
            return;
        }
        let key = (kind, text.to_owned());
        if self.values.len() >= MOST && !self.values.contains_key(&key) {
            self.too_many = true;
            return;
        }
        let known = self.values.entry(key).or_default();
        if known.is_none() {
            *known = bytes.map(|(bytes, keep)| (bytes.to_vec(), keep));
        }
    }

    /// Returns `true` if nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.alone.is_empty()
    }

    /// What to search for, each with the value that it is for.
    fn patterns(&self) -> Vec<(Pattern, Key)> {
        let mut patterns = Vec::new();
        for (key, bytes) in &self.values {
            let (kind, text) = key;
            if let Some((bytes, keep)) = bytes {
                patterns.push((Pattern::Bytes { bytes: bytes.clone(), keep: *keep }, key.clone()));
            }
            let is_word = *kind == Kind::User
                && (text.chars().count() < SHORTEST_NAME
                    || COMMON.iter().any(|word| text.eq_ignore_ascii_case(word)));
            match kind {
                Kind::User if is_word => {
                    for folder in ["Users", "home", "Documents and Settings"] {
                        patterns.push((Pattern::Path(format!("\\{folder}\\{text}")), key.clone()));
                    }
                }
                // Short titles and words are part of everything; those of fields are blanked where they are.
                Kind::Window if text.chars().count() < 8 => {}
                _ => patterns.push((Pattern::Text(text.clone()), key.clone())),
            }
        }
        // What cannot be blanked everywhere is blanked where a field has it, and else reported as what remains.
        patterns.retain(|(pattern, _)| Redaction::new(vec![pattern.clone()]).is_ok());
        patterns
    }

    /// What blanks all values.
    ///
    /// # Errors
    /// A pattern cannot be searched for.
    pub fn redaction(&self, more: Vec<Pattern>) -> Result<Redaction, String> {
        let own = self.patterns().into_iter().map(|(pattern, _)| pattern);
        Redaction::new(more.into_iter().chain(own).collect()).map_err(|error| error.to_string())
    }

    /// The values with how often each occurs in a trace, of one kind after the other.
    ///
    /// # Errors
    /// A pattern cannot be searched for, or the trace cannot be copied.
    pub fn counted(&self, trace: &Trace<'_>) -> Result<Vec<(Kind, String, u64)>, String> {
        let patterns = self.patterns();
        let redaction = Redaction::new(patterns.iter().map(|(pattern, _)| pattern.clone()).collect());
        let redaction = redaction.map_err(|error| error.to_string())?;
        let (_, report) =
            redact(trace, &redaction, Nowhere(0, 0), &mut |_| {}).map_err(|error| error.to_string())?;
        let mut counts: BTreeMap<&Key, u64> = self.values.keys().map(|key| (key, 0)).collect();
        // What is searched for everywhere is found in fields too.
        for (key, count) in
            self.alone.iter().filter(|(key, _)| patterns.iter().all(|(_, known)| known != *key))
        {
            *counts.entry(key).or_default() += count;
        }
        for ((_, key), count) in patterns.iter().zip(&report.blanked) {
            *counts.entry(key).or_default() += count;
        }
        Ok(counts.into_iter().map(|((kind, text), count)| (*kind, text.clone(), count)).collect())
    }

    /// The number of different values of each kind.
    #[must_use]
    pub fn by_kind(&self) -> BTreeMap<Kind, u64> {
        let mut kinds: BTreeMap<Kind, u64> = BTreeMap::new();
        for (kind, _) in
            self.values.keys().chain(self.alone.keys().filter(|key| !self.values.contains_key(*key)))
        {
            *kinds.entry(*kind).or_default() += 1;
        }
        kinds
    }
}

/// Whether a text is what blanked text looks like, in part at least: a value that holds a blanked one is not personal any more.
fn is_blank(text: &str) -> bool {
    text.contains("xxx")
}

/// A sink that keeps nothing.
struct Nowhere(u64, u64);

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        self.1 = self.1.max(self.0);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Nowhere {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0 = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.1.saturating_add_signed(by),
            SeekFrom::Current(by) => self.0.saturating_add_signed(by),
        };
        Ok(self.0)
    }
}

/// Finds personal values in records.
pub struct Scanner {
    decoder: Decoder,
    forms: Vec<Form>,
}

/// Texts of a form.
struct Form {
    kind: Kind,
    /// What such a text always has, for a quick look.
    mark: &'static str,
    regex: Regex,
}

impl Scanner {
    /// Learns what describes the events of a trace.
    #[must_use]
    pub fn new(trace: &Trace<'_>) -> Scanner {
        let mut schemas = Schemas::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
        }
        let forms: &[(Kind, &str, &str)] = &[
            (Kind::User, "sers", r#"(?i)[\\/]users[\\/]([^\\/:*?"<>|;,%]{1,64})"#),
            (Kind::User, "ettings", r#"(?i)[\\/]documents and settings[\\/]([^\\/:*?"<>|;,%]{1,64})"#),
            (Kind::User, "home/", r#"/(?:home)/([A-Za-z0-9_.-]{1,32})"#),
            (Kind::User, "USERNAME=", r"USERNAME=([^\s;=]{2,64})"),
            (Kind::Sid, "S-1-", r"S-1-(?:5-21|12-1)(?:-[0-9]{1,10}){3,5}"),
            (Kind::Computer, "NAME=", r"COMPUTERNAME=([A-Za-z0-9_-]{2,63})"),
            (Kind::Computer, "USERDOMAIN", r"USERDOMAIN(?:_ROAMINGPROFILE)?=([A-Za-z0-9_-]{2,63})"),
            (Kind::Computer, "LOGONSERVER", r"LOGONSERVER=\\\\([A-Za-z0-9_-]{2,63})"),
            (Kind::Computer, "-", r"\b(?:DESKTOP|LAPTOP|MININT|WIN)-[A-Z0-9]{6,11}\b"),
            (Kind::Computer, r"\\", r#"(?:^|[\s"'=,;(])\\\\([A-Za-z][A-Za-z0-9_-]{2,62})\\[A-Za-z0-9_$]"#),
            (
                Kind::Dns,
                "://",
                r"[a-z]://(?:[^@/\s]{1,64}@)?([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8})",
            ),
            (Kind::Volume, "olume{", r"(?i)volume(\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\})"),
            (Kind::Address, ".", r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b"),
            (
                Kind::Address,
                ":",
                r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3})?",
            ),
        ];
        let form = |&(kind, mark, text): &(Kind, &'static str, &str)| {
            Some(Form { kind, mark, regex: Regex::new(text).ok()? })
        };
        let found: Vec<Form> = forms.iter().filter_map(form).collect();
        debug_assert_eq!(found.len(), forms.len(), "all are expressions");
        Scanner { decoder: Decoder::new(schemas), forms: found }
    }

    /// All of a trace.
    pub fn trace(&mut self, trace: &Trace<'_>, personal: &mut Personal, progress: &mut dyn FnMut(u64)) {
        let mut records = trace.file_order();
        let mut seen = 0_u64;
        while let Some(record) = records.next() {
            self.record(&record, personal, None);
            seen += 1;
            if seen.is_multiple_of(4096) {
                progress(records.bytes_done());
            }
        }
    }

    /// The places in a record that are blanked there alone.
    pub fn spots(&mut self, record: &Record<'_>, spots: &mut Vec<Spot>) {
        self.record(record, &mut Personal::default(), Some(spots));
    }

    fn record(&mut self, record: &Record<'_>, personal: &mut Personal, mut spots: Option<&mut Vec<Spot>>) {
        let only_spots = spots.is_some();
        {
            let format = self.decoder.format(record);
            let mut fields = format.fields(record);
            for field in &mut fields {
                value(&field, personal, &mut spots, 0);
            }
        }
        if only_spots {
            return;
        }
        let items = record.extended().map(|item| item.data);
        for bytes in items.chain([record.payload()]) {
            identifiers(bytes, personal);
            narrow_texts(bytes, &mut |text| self.text(text, personal));
            for odd in 0..2 {
                wide_texts(bytes.get(odd..).unwrap_or_default(), &mut |text| self.text(text, personal));
            }
        }
    }

    /// What is personal in a text by its form.
    fn text(&self, text: &str, personal: &mut Personal) {
        for form in self.forms.iter().filter(|form| text.contains(form.mark)) {
            for found in form.regex.captures_iter(text) {
                let Some(value) = found.get(1).or(found.get(0)) else { continue };
                let value = value.as_str();
                let is_meant = match form.kind {
                    Kind::User => is_user(value),
                    Kind::Address => is_address(value),
                    Kind::Dns => value.parse::<Ipv4Addr>().is_err() && !VOCABULARIES.contains(&value),
                    _ => true,
                };
                if is_meant {
                    personal.add(form.kind, value, None);
                }
            }
        }
    }
}

/// Whether the name of a folder of users is that of one.
fn is_user(name: &str) -> bool {
    const SHARED: [&str; 9] = [
        "public",
        "default",
        "all users",
        "default user",
        "defaultuser0",
        "localservice",
        "networkservice",
        "*",
        ".",
    ];
    !name.trim().is_empty() && !SHARED.iter().any(|shared| name.trim().eq_ignore_ascii_case(shared))
}

/// Whether a text is the address of a machine: neither a version nor this machine itself.
fn is_address(text: &str) -> bool {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return is_of_machine(address);
    }
    text.len() > 3 && text.parse::<Ipv6Addr>().is_ok_and(is_of_machine6) && text.matches(':').count() > 1
}

fn is_of_machine(address: Ipv4Addr) -> bool {
    let [first, .., last] = address.octets();
    first != 0 && !address.is_loopback() && !address.is_broadcast() && last != 0
}

fn is_of_machine6(address: Ipv6Addr) -> bool {
    // Times of day look like short ones.
    !address.is_loopback() && !address.is_unspecified() && address.segments()[0] != 0
}

/// What a field has, by its type and its name.
fn value(named: &NamedValue<'_>, personal: &mut Personal, spots: &mut Option<&mut Vec<Spot>>, depth: usize) {
    const DEEPEST: usize = 8;
    let mut alone = |kind: Kind, text: String, bytes: &[u8], fill: Fill, personal: &mut Personal| {
        if bytes.iter().all(|byte| *byte == 0) {
            return;
        }
        match spots {
            Some(spots) => spots.push(Spot { bytes: bytes.to_vec(), fill }),
            None if is_blank(&text) => {}
            None => *personal.alone.entry((kind, text)).or_default() += 1,
        }
    };
    let mut address = |bytes: &[u8], personal: &mut Personal| match bytes.len() {
        4 => {
            let found = Ipv4Addr::from([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if is_of_machine(found) {
                alone(Kind::Address, found.to_string(), bytes, Fill::Zeros, personal);
            }
        }
        16 => {
            if let Ok(octets) = <[u8; 16]>::try_from(bytes)
                && is_of_machine6(Ipv6Addr::from(octets))
            {
                alone(Kind::Address, Ipv6Addr::from(octets).to_string(), bytes, Fill::Zeros, personal);
            }
        }
        _ => {}
    };
    match (&named.value, named.field.hint) {
        (Value::Ipv4(bytes), _) => address(bytes, personal),
        (Value::Ipv6(bytes), _) => address(bytes, personal),
        (Value::Binary(bytes), Hint::IpAddress) => address(bytes, personal),
        (Value::Binary(bytes), Hint::SocketAddress) => {
            // Family, port, address; of the sixth version a number of the flow before it.
            let at = match bytes.first() {
                Some(2) => 4..8,
                Some(23 | 10) => 8..24,
                _ => 0..0,
            };
            address(bytes.get(at).unwrap_or_default(), personal);
        }
        (Value::Utf16(text), _) => {
            if let Some(kind) = Kind::of_field(&named.field.name) {
                field_text(kind, &text.to_string(), text.as_bytes(), Fill::Wide, personal, &mut alone);
            }
        }
        (Value::Ansi(text), _) => {
            if let Some(kind) = Kind::of_field(&named.field.name) {
                field_text(kind, &String::from_utf8_lossy(text), text, Fill::Narrow, personal, &mut alone);
            }
        }
        (Value::Struct(members), _) if depth < DEEPEST => {
            members.fields().for_each(|member| value(&member, personal, spots, depth + 1));
        }
        (Value::Array(array), _) if depth < DEEPEST => {
            for one in *array {
                value(&NamedValue { field: named.field, value: one }, personal, spots, depth + 1);
            }
        }
        _ => {}
    }
}

/// Takes in a value that is blanked in its record: kind, text, bytes, and what takes their place.
type Alone<'a> = &'a mut dyn FnMut(Kind, String, &[u8], Fill, &mut Personal);

/// A text in a field whose name says what it is: blanked there, and everywhere if it is a name.
fn field_text(kind: Kind, text: &str, bytes: &[u8], fill: Fill, personal: &mut Personal, alone: Alone<'_>) {
    let trimmed = text.trim();
    if trimmed.chars().count() < 2 || is_blank(trimmed) {
        return;
    }
    let is_meant = match kind {
        Kind::Address => trimmed.split([';', ',', ' ']).any(is_address),
        Kind::User => is_user(trimmed) && trimmed != "SYSTEM",
        _ => trimmed.chars().any(char::is_alphabetic),
    };
    if !is_meant {
        return;
    }
    let parts: Vec<&str> = match kind {
        Kind::Address => trimmed.split([';', ',', ' ']).filter(|part| is_address(part)).collect(),
        _ => vec![trimmed],
    };
    for part in &parts {
        personal.add(kind, part, None);
    }
    let first = parts.first().copied().unwrap_or(trimmed);
    alone(kind, first.to_owned(), bytes, fill, personal);
}

/// The identifiers of accounts that are in bytes, in the form that the system keeps: those of a machine, a domain or a
/// directory. Others are the same everywhere.
fn identifiers(bytes: &[u8], personal: &mut Personal) {
    const DOMAIN: [u8; 10] = [0, 0, 0, 0, 0, 5, 21, 0, 0, 0];
    const DIRECTORY: [u8; 10] = [0, 0, 0, 0, 0, 12, 1, 0, 0, 0];
    for (at, start) in bytes.windows(12).enumerate() {
        if start[0] == 1
            && matches!(start[1], 4..=6)
            && (start[2..] == DOMAIN || start[2..] == DIRECTORY)
            && let Some(sid) = bytes.get(at..).and_then(Sid::parse)
            && sid.as_bytes()[12..].iter().any(|byte| *byte != 0)
        {
            personal.add(Kind::Sid, &sid.to_string(), Some((sid.as_bytes(), 12)));
        }
    }
}

/// Shortest text that is looked at.
const SHORTEST: usize = 6;

/// The runs of 8-bit text.
fn narrow_texts(bytes: &[u8], each: &mut dyn FnMut(&str)) {
    for run in bytes.split(|byte| *byte < 0x20 || *byte == 0x7F).filter(|run| run.len() >= SHORTEST) {
        each(&String::from_utf8_lossy(run));
    }
}

/// The runs of UTF-16 text whose units begin at even places.
fn wide_texts(bytes: &[u8], each: &mut dyn FnMut(&str)) {
    let (units, _) = bytes.as_chunks::<2>();
    for run in units.split(|unit| unit[1] == 0 && (unit[0] < 0x20 || unit[0] == 0x7F)) {
        // Pairs of 8-bit letters look like other scripts: all forms need letters of the first one.
        if run.len() >= SHORTEST && run.iter().any(|unit| unit[1] == 0) {
            each(&Utf16Str::from_bytes(run.as_flattened()).to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_forms_of_texts() {
        let sample = tracewell_testkit::sample().expect("the sample can be made");
        let trace = Trace::open(&sample.trace).expect("it is a trace");
        let scanner = Scanner::new(&trace);
        let found = |text: &str| {
            let mut personal = Personal::default();
            scanner.text(text, &mut personal);
            personal
                .values
                .into_keys()
                .map(|(kind, text)| format!("{kind:?} {text}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        for (text, want) in [
            (r"C:\Users\Ada Lovelace\a.txt", "User Ada Lovelace"),
            (r"C:\Users\Public\a.txt", ""),
            (concat!("/ho", "me/ada/x"), "User ada"),
            (r"\REGISTRY\USER\S-1-5-21-1-2-3-1001\x", "Sid S-1-5-21-1-2-3-1001"),
            ("S-1-5-18 and S-1-5-32-544", ""),
            ("at DESKTOP-AB12CD3 now", "Computer DESKTOP-AB12CD3"),
            (r"\\fileserver\share", "Computer fileserver"),
            (
                r"\\?\Volume{0a1b2c3d-0000-1111-2222-333344445555}\",
                "Volume {0a1b2c3d-0000-1111-2222-333344445555}",
            ),
            ("from 192.0.2.17:80", "Address 192.0.2.17"),
            ("version 10.0.19041.1, 1.0.0.0, 0.1.2.3 and 127.0.0.1", ""),
            ("2001:db8::17 at 12:34:56", "Address 2001:db8::17"),
            ("https://intranet.example.org/x", "Dns intranet.example.org"),
            ("nothing of the kind", ""),
        ] {
            assert_eq!(found(text), want, "{text}");
        }
    }
}
