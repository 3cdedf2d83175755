//! Every field of a payload in order.

use tracewell_schema::{Field, FieldType, Length, Version};

use crate::walk::Payload;
use crate::{DecodeError, EventFormat, Lack, Problem, Value};

/// Walks a payload along its layout.
///
/// Iteration ends after the last field, or where the payload stops following the layout; then
/// [`Fields::error`] says why and [`Fields::rest`] gives the bytes that were not understood.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    fields: &'a [Field],
    payload: Payload<'a>,
    base: usize,
    at: usize,
    index: usize,
    error: Option<DecodeError>,
}

/// A field with its value.
#[derive(Clone, Copy, Debug)]
pub struct NamedValue<'a> {
    /// The description of the field.
    pub field: &'a Field,
    /// What it holds in this payload.
    pub value: Value<'a>,
}

impl<'a> Fields<'a> {
    /// Starts at the beginning of `payload`, logged by a machine with pointers of `pointer_size` bytes.
    #[must_use]
    pub fn new(layout: &'a Version, payload: &'a [u8], pointer_size: u8) -> Fields<'a> {
        Fields::at(&layout.fields, Payload { bytes: payload, pointer_size }, 0)
    }

    pub(crate) fn at(fields: &'a [Field], payload: Payload<'a>, at: usize) -> Fields<'a> {
        Fields { fields, payload, base: at, at, index: 0, error: None }
    }

    /// The bytes after the fields yielded so far. After the last field these are bytes outside of
    /// the layout.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.payload.bytes.get(self.at..).unwrap_or_default()
    }

    /// Why iteration stopped before the last field.
    #[must_use]
    pub fn error(&self) -> Option<DecodeError> {
        self.error
    }

    /// Goes to the end and returns what was left over, or what was wrong.
    ///
    /// # Errors
    ///
    /// When the payload does not follow the layout.
    pub fn finish(mut self) -> Result<&'a [u8], DecodeError> {
        while self.next().is_some() {}
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.rest()),
        }
    }
}

impl Fields<'_> {
    /// Why the payload was not, or not in full, decoded by its own description: of a format, and after its fields. An event
    /// without a payload needs no description.
    #[must_use]
    pub fn lack(mut self, format: &EventFormat) -> Option<Lack> {
        while self.next().is_some() {}
        let understood = self.error.is_none() && self.rest().is_empty();
        match format.lack() {
            Some(Lack::Description | Lack::Version | Lack::Part) | None if understood => None,
            lack => Some(lack.unwrap_or(Lack::Payload)),
        }
    }
}

impl<'a> Fields<'a> {
    /// None of them, as the payload cannot be what the layout says.
    pub(crate) fn unfit(self) -> Fields<'a> {
        let error = DecodeError { field: 0, offset: self.base, problem: Problem::Unfit };
        Fields { fields: &[], at: self.base, index: 0, error: Some(error), ..self }
    }

    /// Returns `true` if the payload can have this layout: it does not end inside a field, and does not end in a text with half a
    /// letter. (Invalid identifiers are already errors.) There may be more bytes after the fields.
    #[must_use]
    pub fn are_plausible(mut self) -> bool {
        self.go_on_plausibly()
    }

    /// As [`Fields::are_plausible`], and the payload ends with the last field.
    pub(crate) fn fill_the_payload(mut self) -> bool {
        self.go_on_plausibly() && self.rest().is_empty()
    }

    fn go_on_plausibly(&mut self) -> bool {
        loop {
            let start = self.at;
            let Some(NamedValue { field, .. }) = self.next() else { return self.error.is_none() };
            let all = self.payload.bytes;
            if field.ty == FieldType::Utf16(Length::Nul) && self.at == all.len() {
                let text = all.get(start..).unwrap_or_default();
                if text.len() % 2 != 0 {
                    return false;
                }
            }
        }
    }
}

impl Fields<'_> {
    /// Returns `true` if the payload ends where a field does, the last or one before it.
    pub(crate) fn end_with_the_payload(mut self) -> bool {
        while self.next().is_some() {}
        self.at == self.payload.bytes.len()
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = NamedValue<'a>;

    #[inline]
    fn next(&mut self) -> Option<NamedValue<'a>> {
        let field = self.fields.get(self.index)?;
        if self.error.is_none()
            && let Some((value, next)) = Value::of_usual(field, self.payload, self.at)
        {
            self.at = next;
            self.index += 1;
            return Some(NamedValue { field, value });
        }
        self.other(field)
    }
}

impl<'a> Fields<'a> {
    /// The next field when it is more than a number or a text with a terminator.
    #[inline(never)]
    fn other(&mut self, field: &'a Field) -> Option<NamedValue<'a>> {
        if self.error.is_some() || (field.optional && self.at == self.payload.bytes.len()) {
            return None;
        }
        match Value::of_field(field, self.payload, self.at, self.fields, self.base) {
            Ok((value, next)) => {
                self.at = next;
                self.index += 1;
                Some(NamedValue { field, value })
            }
            Err(problem) => {
                self.error = Some(DecodeError { field: self.index, offset: self.at, problem });
                None
            }
        }
    }
}
