//! Where fields begin and end: the one place that knows how many bytes a field takes.

use tracewell_schema::{Count, Field, FieldType, Length};
use tracewell_types::{Sid, Utf16Str};

use crate::Problem;

/// Deepest nesting of structs that is followed.
const MAX_DEPTH: u8 = 32;
/// Integers of a list whose places are remembered during a walk.
const REMEMBERED: usize = 32;

/// How deep a walk is, and which integers of the list it has passed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nest<'k> {
    depth: u8,
    known: Option<&'k Known>,
}

impl Nest<'_> {
    /// A list one level below.
    fn below(self) -> Nest<'static> {
        Nest { depth: self.depth.saturating_add(1), known: None }
    }
}

/// The last integers that a walk over a list has passed: number and offset. Counts and lengths usually refer to one of them, or to
/// a field before all of variable size.
#[derive(Clone, Copy, Debug)]
struct Known {
    places: [(u16, u32); REMEMBERED],
    count: usize,
}

impl Known {
    fn note(&mut self, index: usize, field: &Field, at: usize) {
        if is_reference(field)
            && let (Ok(index), Ok(at)) = (u16::try_from(index), u32::try_from(at))
            && let Some(place) = self.places.get_mut(self.count % REMEMBERED)
        {
            *place = (index, at);
            self.count += 1;
        }
    }

    fn start_of(&self, index: usize) -> Option<usize> {
        let used = self.places.get(..self.count.min(REMEMBERED))?;
        used.iter().find(|(known, _)| usize::from(*known) == index).map(|(_, at)| *at as usize)
    }
}

/// Returns `true` if a count or length can refer to this field.
fn is_reference(field: &Field) -> bool {
    field.ty.is_integer() && !field.ty.is_signed() && field.count == Count::One
}

/// A payload together with the pointer size of the machine that logged it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) pointer_size: u8,
}

/// The bytes of one element: all it takes, and the part of it that is content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The offset of the first content byte.
    pub(crate) start: usize,
    /// The offset after the last content byte.
    pub(crate) end: usize,
    /// The offset at which the next element begins; terminators lie before it.
    pub(crate) next: usize,
}

impl<'a> Payload<'a> {
    fn tail(&self, at: usize) -> Result<&'a [u8], Problem> {
        self.bytes.get(at..).ok_or(Problem::Truncated)
    }

    fn fixed(&self, at: usize, size: usize) -> Result<Extent, Problem> {
        let end = at.checked_add(size).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(Problem::Truncated)?;
        Ok(Extent { start: at, end, next: end })
    }

    /// A little-endian number of `size` bytes, without a sign.
    pub(crate) fn unsigned(&self, at: usize, size: usize) -> Option<u64> {
        read_unsigned(self.bytes, at, size)
    }

    /// Where an element of `ty` at `at` ends. `siblings` are the fields of the same list and `base` is
    /// where that list began, for lengths kept in other fields.
    pub(crate) fn element(
        &self,
        ty: &FieldType,
        at: usize,
        siblings: &[Field],
        base: usize,
        nest: Nest<'_>,
    ) -> Result<Extent, Problem> {
        match ty {
            FieldType::Utf16(length) => match length {
                Length::Nul => {
                    let tail = self.tail(at)?;
                    if tail.is_empty() {
                        return Err(Problem::Truncated);
                    }
                    let (text, used) = Utf16Str::until_nul(tail);
                    Ok(Extent { start: at, end: at + text.as_bytes().len(), next: at + used })
                }
                _ => self.run(*length, 2, at, siblings, base, nest),
            },
            FieldType::Ansi(length) => match length {
                Length::Nul => {
                    let tail = self.tail(at)?;
                    if tail.is_empty() {
                        return Err(Problem::Truncated);
                    }
                    let text = tail.iter().position(|b| *b == 0).unwrap_or(tail.len());
                    Ok(Extent { start: at, end: at + text, next: at + (text + 1).min(tail.len()) })
                }
                _ => self.run(*length, 1, at, siblings, base, nest),
            },
            FieldType::Binary(length) => self.run(*length, 1, at, siblings, base, nest),
            FieldType::Sid => {
                let sid = Sid::parse(self.tail(at)?).ok_or(Problem::BadSid)?;
                self.fixed(at, sid.as_bytes().len())
            }
            FieldType::TokenUser => self.token_user(at),
            FieldType::Struct(fields) => {
                if nest.depth >= MAX_DEPTH {
                    return Err(Problem::Degenerate);
                }
                let end = self.skip(fields, at, nest.below())?;
                Ok(Extent { start: at, end, next: end })
            }
            _ => {
                let size = ty.fixed_size(self.pointer_size).ok_or(Problem::Degenerate)?;
                self.fixed(at, size)
            }
        }
    }

    /// Text or bytes whose length is not found by looking for a NUL.
    fn run(
        &self,
        length: Length,
        unit: usize,
        at: usize,
        siblings: &[Field],
        base: usize,
        nest: Nest<'_>,
    ) -> Result<Extent, Problem> {
        match length {
            Length::Fixed(units) => self.fixed(at, usize::from(units) * unit),
            Length::Prefixed => {
                let size = self.unsigned(at, 2).ok_or(Problem::Truncated)?;
                self.fixed(at + 2, usize::try_from(size).unwrap_or(usize::MAX))
            }
            Length::PrefixedBig => {
                let size = self.bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(Problem::Truncated)?;
                self.fixed(at + 2, usize::from(u16::from_be_bytes(*size)))
            }
            Length::PrefixedWide => {
                let size = self.unsigned(at, 4).ok_or(Problem::Truncated)?;
                self.fixed(at + 4, usize::try_from(size).unwrap_or(usize::MAX))
            }
            Length::Field(index) => {
                let units = self.referred(index, siblings, base, nest)?;
                self.fixed(at, units.checked_mul(unit).ok_or(Problem::Truncated)?)
            }
            Length::Nul | Length::Rest => self.fixed(at, self.tail(at)?.len()),
            _ => Err(Problem::BadReference),
        }
    }

    /// The kernel's token-user block. A single zero word means "no identifier"; a whole block is two
    /// pointer-size words, whose values are ignored, and the identifier. A block written by a program
    /// instead of the kernel may also begin with zero words, so a zero word is only treated as empty if
    /// no identifier of the usual revision follows the two words.
    fn token_user(&self, at: usize) -> Result<Extent, Problem> {
        let first = self.unsigned(at, 4).ok_or(Problem::Truncated)?;
        let sid_at = at + 2 * usize::from(self.pointer_size);
        let sid = self.bytes.get(sid_at..).and_then(Sid::parse);
        if first == 0 && !sid.is_some_and(|sid| is_usual(sid.as_bytes())) {
            return Ok(Extent { start: at + 4, end: at + 4, next: at + 4 });
        }
        let sid = sid.ok_or(Problem::BadSid)?;
        let end = sid_at + sid.as_bytes().len();
        Ok(Extent { start: sid_at, end, next: end })
    }

    /// The value of the integer field `index` of a list of fields that begins at `base`.
    fn referred(
        &self,
        index: u16,
        siblings: &[Field],
        base: usize,
        nest: Nest<'_>,
    ) -> Result<usize, Problem> {
        let index = usize::from(index);
        let before = siblings.get(..index).ok_or(Problem::BadReference)?;
        let field = siblings.get(index).ok_or(Problem::BadReference)?;
        if !is_reference(field) {
            return Err(Problem::BadReference);
        }
        // A walk must not begin another one: with each reference the time would multiply.
        let at = match nest.known {
            Some(known) => known.start_of(index).or_else(|| self.skip_fixed(before, base)),
            None => Some(self.skip(before, base, nest.below())?),
        };
        let at = at.ok_or(Problem::Degenerate)?;
        let size = field.ty.fixed_size(self.pointer_size).ok_or(Problem::BadReference)?;
        let value = self.unsigned(at, size).ok_or(Problem::Truncated)?;
        usize::try_from(value).map_err(|_| Problem::Truncated)
    }

    /// Where a list of fields that begins at `at` ends, if all of them have a fixed size.
    fn skip_fixed(&self, fields: &[Field], at: usize) -> Option<usize> {
        fields.iter().try_fold(at, |at, field| {
            let count = match field.count {
                Count::One => 1,
                Count::Fixed(count) => usize::from(count),
                _ => return None,
            };
            at.checked_add(field.ty.fixed_size(self.pointer_size)?.checked_mul(count)?)
        })
    }

    /// The number of elements of `field` at `at` and the offset of the first one. `None` means "as
    /// many as fit".
    pub(crate) fn elements(
        &self,
        field: &Field,
        at: usize,
        siblings: &[Field],
        base: usize,
        nest: Nest<'_>,
    ) -> Result<(Option<usize>, usize), Problem> {
        Ok(match field.count {
            Count::One => (Some(1), at),
            Count::Fixed(n) => (Some(usize::from(n)), at),
            Count::Prefixed => {
                let n = self.unsigned(at, 2).ok_or(Problem::Truncated)?;
                (Some(usize::try_from(n).unwrap_or(usize::MAX)), at + 2)
            }
            Count::Field(index) => (Some(self.referred(index, siblings, base, nest)?), at),
            Count::Rest => (None, at),
            _ => return Err(Problem::BadReference),
        })
    }

    /// Where a whole field, array or not, ends.
    pub(crate) fn end_of(
        &self,
        field: &Field,
        at: usize,
        siblings: &[Field],
        base: usize,
        nest: Nest<'_>,
    ) -> Result<usize, Problem> {
        if nest.depth > MAX_DEPTH {
            return Err(Problem::Degenerate);
        }
        let (count, mut at) = self.elements(field, at, siblings, base, nest)?;
        if let Some(size) = field.ty.fixed_size(self.pointer_size) {
            let count = match count {
                Some(count) => count,
                None => self.tail(at)?.len().checked_div(size).ok_or(Problem::Degenerate)?,
            };
            let total = size.checked_mul(count).ok_or(Problem::Truncated)?;
            return self.fixed(at, total).map(|extent| extent.next);
        }
        let mut left = count.unwrap_or(usize::MAX);
        while left > 0 && !(count.is_none() && at >= self.bytes.len()) {
            let next = self.element(&field.ty, at, siblings, base, nest)?.next;
            if next == at && field.count != Count::One {
                // A count could otherwise be worked off without using up the payload.
                return Err(Problem::Degenerate);
            }
            at = next;
            left -= 1;
        }
        Ok(at)
    }

    /// Where a list of fields that begins at `at` ends.
    pub(crate) fn skip(&self, fields: &[Field], at: usize, nest: Nest<'_>) -> Result<usize, Problem> {
        let base = at;
        let mut at = at;
        let mut known = Known { places: [(0, 0); REMEMBERED], count: 0 };
        for (index, field) in fields.iter().enumerate() {
            if field.optional && at == self.bytes.len() {
                break;
            }
            let end = self.end_of(field, at, fields, base, Nest { known: Some(&known), ..nest })?;
            known.note(index, field, at);
            at = end;
        }
        Ok(at)
    }
}

/// A little-endian number of 1, 2, 4 or 8 bytes.
#[inline]
pub(crate) fn read_unsigned(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let tail = bytes.get(at..)?;
    Some(match size {
        1 => u64::from(*tail.first()?),
        2 => u64::from(u16::from_le_bytes(*tail.first_chunk()?)),
        4 => u64::from(u32::from_le_bytes(*tail.first_chunk()?)),
        8 => u64::from_le_bytes(*tail.first_chunk()?),
        _ => return None,
    })
}

/// Returns `true` if bytes that parse as an identifier look like one in use: revision 1, at least
/// one sub-authority, and an authority that fits one byte.
fn is_usual(sid: &[u8]) -> bool {
    matches!(sid, [1, count, 0, 0, 0, 0, 0, _, ..] if *count > 0)
}
