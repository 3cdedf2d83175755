//! Reads `etl/parsers/etw` of etl-parser: one file per provider, one class per version of an event.
//!
//! It contains GUIDs, names, sizes, and which field is the length of another, but not all types: pointers are numbers
//! of eight bytes, and booleans of four bytes are numbers of one byte.

use std::collections::BTreeMap;
use std::path::Path;

use tracewell_types::Guid;

use super::events::Events;

/// A field with how it is parsed there, such as `Int32ul`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) form: Form,
}

/// The parser of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As the word says.
    Plain(String),
    /// This number of bytes.
    Bytes(u16),
    /// As many as the field of this name says.
    BytesOf(String),
    /// Something else.
    Other,
}

impl Form {
    /// The word, where there is one.
    pub(super) fn word(&self) -> &str {
        if let Form::Plain(word) = self { word } else { "" }
    }
}

/// Name and events of providers by GUID.
pub(super) type Providers = BTreeMap<Guid, (String, Events<Vec<Field>>)>;

/// All providers.
pub(super) fn read(checkout: &Path) -> Result<Providers, String> {
    let folder = checkout.join("etl/parsers/etw");
    let mut all = Providers::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "py")
            && let Some((guid, name, events)) = parse(&crate::workspace::text(&path)?)
        {
            all.entry(guid).or_insert_with(|| (name, Events::new())).1.extend(events);
        }
    }
    Ok(all)
}

/// The provider of a file; none when it holds no events.
fn parse(text: &str) -> Option<(Guid, String, Events<Vec<Field>>)> {
    // The text at the head: the name, and `GUID : ` below it.
    let mut lines = text.lines();
    let name = lines.by_ref().skip_while(|line| !line.starts_with("\"\"\"")).nth(1)?.trim().to_owned();
    let guid = Guid::try_parse(lines.next()?.strip_prefix("GUID : ")?.trim().as_bytes())?;
    let mut events = Events::new();
    let mut current: Option<&mut Vec<Field>> = None;
    for line in lines.map(str::trim) {
        if let Some(declared) = line.strip_prefix("@declare(") {
            let number = |key: &str| {
                let after = declared.split_once(key)?.1;
                after.split(|c: char| !c.is_ascii_digit()).next()
            };
            let (id, version) = (number("event_id=")?.parse().ok()?, number("version=")?.parse().ok()?);
            current = Some(events.entry((id, version)).or_default());
        } else if let (Some(fields), Some((name, form))) =
            (current.as_mut(), line.strip_prefix('"').and_then(|line| line.split_once("\" / ")))
        {
            fields.push(Field { name: name.to_owned(), form: form_of(form.trim_end_matches(',')) });
        }
    }
    (!events.is_empty()).then_some((guid, name, events))
}

fn form_of(text: &str) -> Form {
    let Some(size) = text.strip_prefix("Bytes(").and_then(|rest| rest.strip_suffix(')')) else {
        return Form::Plain(text.to_owned());
    };
    if let Ok(size) = size.parse() {
        return Form::Bytes(size);
    }
    // The sizes of some texts have a factor of two, but all of them count characters.
    let field = size.strip_prefix("lambda this: ").map(|field| field.trim_start_matches("2 * "));
    field
        .and_then(|field| field.strip_prefix("this."))
        .map_or(Form::Other, |field| Form::BytesOf(field.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read() {
        let text = "# -*- coding: utf-8 -*-\n\"\"\"\nMade-Up\nGUID : 1c95126e-7eea-49a9-a3fe-a378b03ddb4d\n\"\"\"\n\
                    from x import y\n\n\n@declare(guid=guid(\"1c95126e\"), event_id=12, version=3)\n\
                    class Made_Up_12_3(Etw):\n    pattern = Struct(\n        \"Size\" / Int32ul,\n        \
                    \"Data\" / Bytes(lambda this: this.Size),\n        \"Hash\" / Bytes(16)\n    )\n";
        let (guid, name, events) = parse(text).unwrap();
        assert_eq!((guid.to_string(), &*name), ("1c95126e-7eea-49a9-a3fe-a378b03ddb4d".into(), "Made-Up"));
        let forms: Vec<&Form> = events[&(12, 3)].iter().map(|field| &field.form).collect();
        let wanted = [Form::Plain("Int32ul".into()), Form::BytesOf("Size".into()), Form::Bytes(16)];
        assert_eq!(forms, wanted.iter().collect::<Vec<_>>());
        assert_eq!(parse("import x\n"), None);
    }
}
