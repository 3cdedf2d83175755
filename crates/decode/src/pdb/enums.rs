//! The enumerations of a program database's type stream.
//!
//! The form is that of Microsoft's published CodeView sources and LLVM's documentation of the stream: a header, then
//! records of a size, a kind and a content; types are numbered from the header's first index on.

use std::collections::HashMap;

use tracewell_schema::MapEntry;

/// `LF_ENUM` and what lists its members, `LF_FIELDLIST` of `LF_ENUMERATE`s and perhaps an `LF_INDEX` of one more list.
const ENUM: u16 = 0x1507;
const FIELD_LIST: u16 = 0x1203;
const ENUMERATE: u16 = 0x1502;
const INDEX: u16 = 0x1404;

/// The property of an enumeration that is only announced; another record has its members.
const FORWARD: u16 = 0x80;

/// Most lists that members of one enumeration are spread over.
const MAX_LISTS: usize = 64;

/// Most bytes of all names together. Enumerations may share lists, so a small file could ask for any number.
const MAX_NAMES: usize = 16 << 20;

/// Reads the members of the enumerations that are asked for by name. What is damaged ends the search: the
/// enumerations found so far are good.
pub(super) fn read(stream: &[u8], wanted: &dyn Fn(&str) -> bool) -> HashMap<String, Vec<MapEntry>> {
    let types = Types::of(stream).unwrap_or_default();
    let mut found = HashMap::new();
    let mut left = MAX_NAMES;
    for record in &types.records {
        if let Some((name, list)) = enumeration(record)
            && wanted(&name)
            && !found.contains_key(&name)
        {
            found.insert(name, types.members(list, &mut left));
        }
    }
    found
}

/// The records of a type stream.
#[derive(Default)]
struct Types<'a> {
    first: u32,
    /// The kind of each and what follows it.
    records: Vec<&'a [u8]>,
}

impl<'a> Types<'a> {
    fn of(stream: &'a [u8]) -> Option<Types<'a>> {
        let head = u32_at(stream, 4)? as usize;
        let first = u32_at(stream, 8)?;
        let mut rest = stream.get(head..)?;
        let mut records = Vec::new();
        while let Some((size, tail)) = rest.split_first_chunk::<2>() {
            let Some((record, tail)) = tail.split_at_checked(usize::from(u16::from_le_bytes(*size))) else {
                break;
            };
            records.push(record);
            rest = tail;
        }
        Some(Types { first, records })
    }

    /// The members of a list with their values; those beyond 32 bits have none here.
    fn members(&self, list: u32, left: &mut usize) -> Vec<MapEntry> {
        let mut members = Vec::new();
        let mut next = Some(list);
        for _ in 0..MAX_LISTS {
            let record = next.and_then(|list| self.records.get(list.checked_sub(self.first)? as usize));
            let Some(body) = record.and_then(|record| content(record, FIELD_LIST)) else { break };
            next = read_list(body, &mut members, left);
        }
        members
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// What follows the kind of a record, if it is this one.
fn content(record: &[u8], kind: u16) -> Option<&[u8]> {
    (u16_at(record, 0)? == kind).then(|| record.get(2..)).flatten()
}

/// A text up to its NUL, and what follows.
fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((String::from_utf8_lossy(bytes.get(..end)?).into_owned(), bytes.get(end + 1..)?))
}

/// The name of an enumeration and the index of the list of its members.
fn enumeration(record: &[u8]) -> Option<(String, u32)> {
    let body = content(record, ENUM)?;
    if u16_at(body, 2)? & FORWARD != 0 {
        return None;
    }
    Some((text(body.get(12..)?)?.0, u32_at(body, 8)?))
}

/// Takes the members out of a list; answers with the list that goes on.
fn read_list(mut body: &[u8], members: &mut Vec<MapEntry>, left: &mut usize) -> Option<u32> {
    loop {
        match u16_at(body, 0)? {
            ENUMERATE => {
                let (value, rest) = number(body.get(4..)?)?;
                let (name, rest) = text(rest)?;
                *left = left.checked_sub(name.len() + size_of::<MapEntry>())?;
                members.extend(value.map(|value| (value, name.into())));
                // Members begin at multiples of four; the bytes between are 0xF1 and up.
                let filler = rest.iter().take(3).take_while(|byte| **byte > 0xF0).count();
                body = rest.get(filler..)?;
            }
            INDEX => return u32_at(body, 4),
            _ => return None,
        }
    }
}

/// A number: itself when it is small, else its kind and then the number. As the low 32 bits, in which enumerations are
/// logged; none when it does not fit.
fn number(bytes: &[u8]) -> Option<(Option<u32>, &[u8])> {
    let (kind, rest) = bytes.split_first_chunk::<2>()?;
    let kind = u16::from_le_bytes(*kind);
    let size = match kind {
        ..0x8000 => return Some((Some(u32::from(kind)), rest)),
        0x8000 => 1,
        0x8001 | 0x8002 => 2,
        0x8003 | 0x8004 => 4,
        0x8009 | 0x800A => 8,
        _ => return None,
    };
    let (digits, rest) = rest.split_at_checked(size)?;
    let signed = matches!(kind, 0x8000 | 0x8001 | 0x8003 | 0x8009);
    let negative = signed && digits.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut whole = [if negative { 0xFF } else { 0 }; 8];
    for (into, byte) in whole.iter_mut().zip(digits) {
        *into = *byte;
    }
    let whole = i64::from_le_bytes(whole);
    let value = u32::try_from(whole).ok().or_else(|| i32::try_from(whole).ok().map(i32::cast_unsigned));
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_kind() {
        let read = |bytes: &[u8]| number(bytes).map(|(value, rest)| (value, rest.len()));
        assert_eq!(read(&[7, 0, 1]), Some((Some(7), 1)));
        assert_eq!(read(&[0, 0x80, 0xFF]), Some((Some(u32::MAX), 0)));
        assert_eq!(read(&[1, 0x80, 0xFE, 0xFF]), Some((Some(0xFFFF_FFFE), 0)));
        assert_eq!(read(&[2, 0x80, 0, 0x80]), Some((Some(0x8000), 0)));
        assert_eq!(read(&[4, 0x80, 0, 0, 0, 0x80]), Some((Some(0x8000_0000), 0)));
        assert_eq!(read(&[0x0A, 0x80, 0, 0, 0, 0, 1, 0, 0, 0]), Some((None, 0)));
        assert_eq!(read(&[5, 0x80, 0, 0, 0, 0]), None);
        assert_eq!(read(&[3, 0x80, 0, 0]), None);
    }
}
