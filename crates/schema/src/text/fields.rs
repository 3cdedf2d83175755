//! The lines of fields.

use super::quoted::{Word, words};
use super::{HINTS, PLAIN, PREFIXED, PREFIXED_BIG, PREFIXED_WIDE, by_word};
use crate::{Count, Field, FieldType, Length, MapRef};

/// Deepest nesting of structs.
const MAX_DEPTH: usize = 8;

/// Collects the fields of a layout line by line.
#[derive(Debug, Default)]
pub struct FieldList {
    fields: Vec<Field>,
    /// The open structs, each with the fields of the enclosing list.
    open: Vec<(Field, Vec<Field>)>,
}

impl FieldList {
    /// Reads a line: a field, the beginning of a struct, or its end. `maps` finds the names for values.
    ///
    /// # Errors
    ///
    /// When the line says nothing of the kind; what is wrong with it.
    pub fn line(&mut self, line: &str, maps: &dyn Fn(&str) -> Option<MapRef>) -> Result<(), String> {
        self.words(&words(line)?, maps)
    }

    pub(super) fn words(
        &mut self,
        words: &[Word<'_>],
        maps: &dyn Fn(&str) -> Option<MapRef>,
    ) -> Result<(), String> {
        match words {
            [end] if end.is("}") => {
                let (mut field, outer) = self.open.pop().ok_or("a `}` without a struct")?;
                field.ty = FieldType::Struct(std::mem::replace(&mut self.fields, outer).into());
                self.fields.push(field);
                Ok(())
            }
            [name, ty, rest @ ..] => {
                let (field, opens) = self.field(name, ty, rest, maps)?;
                if !opens {
                    self.fields.push(field);
                } else if self.open.len() < MAX_DEPTH {
                    self.open.push((field, std::mem::take(&mut self.fields)));
                } else {
                    return Err("structs nest too deep".to_owned());
                }
                Ok(())
            }
            _ => Err("a field has a name and a type".to_owned()),
        }
    }

    /// Returns `true` if nothing was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.open.is_empty()
    }

    /// The fields.
    ///
    /// # Errors
    ///
    /// When a struct has not ended.
    pub fn take(&mut self) -> Result<Vec<Field>, String> {
        if self.open.is_empty() {
            Ok(std::mem::take(&mut self.fields))
        } else {
            Err("a struct is not closed".to_owned())
        }
    }

    /// A field, and whether it is a struct whose members follow.
    fn field(
        &self,
        name: &Word<'_>,
        ty: &Word<'_>,
        rest: &[Word<'_>],
        maps: &dyn Fn(&str) -> Option<MapRef>,
    ) -> Result<(Field, bool), String> {
        let (bare, optional) = match name.text.strip_suffix('?') {
            Some(bare) if !name.quoted => (bare, true),
            _ => (&*name.text, name.asked),
        };
        let opens = ty.is("struct");
        let ty = if opens { FieldType::Struct(Vec::new().into()) } else { self.ty(&ty.text)? };
        let mut field = Field::named(bare.to_owned(), ty);
        field.optional = optional;
        let mut rest = rest;
        if let [x, count, more @ ..] = rest
            && x.is("x")
        {
            field.count = match self.extent(&count.text)? {
                Extent::Fixed(n) => Count::Fixed(n),
                Extent::Field(at) => Count::Field(at),
                Extent::Prefixed => Count::Prefixed,
                Extent::Rest => Count::Rest,
            };
            rest = more;
        }
        if let [more @ .., map, name] = rest
            && map.is("map")
        {
            field.map = Some(maps(&name.text).ok_or_else(|| format!("there is no map `{}`", name.text))?);
            rest = more;
        }
        match rest {
            [] if !opens => {}
            [brace] if opens && brace.is("{") => {}
            [hint] if !opens => {
                field.hint = by_word(&HINTS, &hint.text).ok_or_else(|| format!("no hint `{}`", hint.text))?;
            }
            more => {
                let text: Vec<&str> = more.iter().map(|word| &*word.text).collect();
                return Err(format!("cannot read `{}`", text.join(" ")));
            }
        }
        Ok((field, opens))
    }

    fn ty(&self, text: &str) -> Result<FieldType, String> {
        if let Some(plain) = by_word(&PLAIN, text) {
            return Ok(plain);
        }
        let (base, length) = match text.split_once('[') {
            Some((base, length)) => {
                let length = match length.strip_suffix(']').ok_or("a `[` without `]`")? {
                    PREFIXED_BIG => Length::PrefixedBig,
                    PREFIXED_WIDE => Length::PrefixedWide,
                    length => match self.extent(length)? {
                        Extent::Fixed(n) => Length::Fixed(n),
                        Extent::Field(at) => Length::Field(at),
                        Extent::Prefixed => Length::Prefixed,
                        Extent::Rest => Length::Rest,
                    },
                };
                (base, Some(length))
            }
            None => (text, None),
        };
        match (base, length) {
            ("utf16", length) => Ok(FieldType::Utf16(length.unwrap_or(Length::Nul))),
            ("ansi", length) => Ok(FieldType::Ansi(length.unwrap_or(Length::Nul))),
            ("bytes", Some(length)) => Ok(FieldType::Binary(length)),
            ("bytes", None) => Err("bytes need a length".to_owned()),
            _ => Err(format!("no type `{text}`")),
        }
    }

    /// A length or a count.
    fn extent(&self, text: &str) -> Result<Extent, String> {
        match text {
            "*" => return Ok(Extent::Rest),
            PREFIXED => return Ok(Extent::Prefixed),
            _ => {}
        }
        if let Ok(number) = text.parse() {
            return Ok(Extent::Fixed(number));
        }
        let at = match text.strip_prefix('#').and_then(|index| index.parse().ok()) {
            Some(index) => Some(index).filter(|index| *index < self.fields.len()),
            None => self.fields.iter().position(|field| field.name == text),
        };
        let at = at.ok_or_else(|| format!("no earlier field `{text}`"))?;
        Ok(Extent::Field(u16::try_from(at).map_err(|_| "too many fields")?))
    }
}

enum Extent {
    Fixed(u16),
    Field(u16),
    Prefixed,
    Rest,
}
