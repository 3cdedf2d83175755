//! Decoded fields as Tcl values, in the forms TWAPI gives them.

use std::net::{Ipv4Addr, Ipv6Addr};

use tracewell_decode::{Array, Fields, Value};
use tracewell_schema::{Field, FieldType, Hint, MapRef};
use tracewell_types::FileTime;

use crate::controller::guid_obj;
use crate::sys::Obj;

/// Adds the fields to a dictionary: each name with the list of its values. Returns the number of fields that
/// could not be decoded. With `bare`, a value that is not an array is added without a list around it.
pub(crate) fn put_all(mut fields: Fields<'_>, pointer_size: u8, bare: bool, dict: &Obj) -> u64 {
    for named in fields.by_ref() {
        let values = match named.value {
            Value::Array(array) => Obj::list(&elements(array, named.field, pointer_size)),
            value if bare => one(value, named.field, pointer_size),
            value => Obj::list(&[one(value, named.field, pointer_size)]),
        };
        dict.put(&Obj::new(&named.field.name), &values);
    }
    u64::from(fields.error().is_some())
}

fn elements(array: Array<'_>, field: &Field, pointer_size: u8) -> Vec<Obj> {
    // Characters in a row are a text.
    if field.hint == Hint::Character && matches!(field.ty, FieldType::U8 | FieldType::I8) {
        return vec![ansi(until_nul(array.bytes()))];
    }
    if field.hint == Hint::Character && matches!(field.ty, FieldType::U16 | FieldType::I16) {
        let (text, _) = tracewell_types::Utf16Str::until_nul(array.bytes());
        return vec![Obj::utf16(text.units())];
    }
    array.map(|value| one(value, field, pointer_size)).collect()
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// 8-bit text: as UTF-8 where it is that, else each byte as the character of the same number.
fn ansi(bytes: &[u8]) -> Obj {
    match std::str::from_utf8(bytes) {
        Ok(text) => Obj::new(text),
        Err(_) => Obj::utf16(bytes.iter().map(|byte| u16::from(*byte))),
    }
}

/// Hexadecimal digits that a number of this type has.
fn digits(ty: &FieldType, pointer_size: u8) -> usize {
    2 * ty.fixed_size(pointer_size).unwrap_or(8).clamp(1, 8)
}

fn hex(number: u64, digits: usize) -> Obj {
    Obj::new(&format!("0x{number:0digits$x}"))
}

/// A number by the names in its map: one text, or a list of the names of its bits. `None` if the map has no name for
/// it.
fn mapped(number: u64, field: &Field) -> Option<Obj> {
    // Our tables have names for values of the kernel; Windows has not, and scripts compare numbers.
    let MapRef::Shared(map) = field.map.as_ref()? else { return None };
    if !map.bits {
        return map.name_of(number).or_else(|| map.name_of(u64::from(number as u32))).map(Obj::new);
    }
    let set = |bits: &u32| *bits != 0 && number & u64::from(*bits) == u64::from(*bits);
    let names: Vec<&str> =
        map.entries.iter().filter(|(bits, _)| set(bits)).map(|(_, name)| &**name).collect();
    (!names.is_empty()).then(|| Obj::texts(names))
}

fn one(value: Value<'_>, field: &Field, pointer_size: u8) -> Obj {
    if field.map.is_some()
        && let Some(number) = value.as_u64()
        && let Some(text) = mapped(number, field)
    {
        return text;
    }
    match value {
        Value::Unsigned(number) => match (&field.ty, field.hint) {
            (FieldType::Pointer, Hint::None | Hint::Hex | Hint::Address)
            | (_, Hint::Hex | Hint::Address | Hint::NtStatus | Hint::HResult | Hint::Win32Error) => {
                hex(number, digits(&field.ty, pointer_size))
            }
            (_, Hint::Boolean) => Obj::int(number != 0),
            (_, Hint::Character) => Obj::utf16(std::iter::once(number as u16)),
            _ => Obj::unsigned(number),
        },
        Value::Signed(number) => match field.hint {
            // The exit status of a process, which Windows reports as a number.
            Hint::NtStatus if field.map.is_some() => Obj::int(number),
            Hint::Hex | Hint::Address | Hint::NtStatus | Hint::HResult | Hint::Win32Error => {
                let digits = digits(&field.ty, pointer_size);
                let mask = u64::MAX >> (64 - 4 * digits);
                hex(number.cast_unsigned() & mask, digits)
            }
            Hint::Boolean => Obj::int(number != 0),
            Hint::Character => Obj::utf16(std::iter::once(number as u16)),
            _ => Obj::int(number),
        },
        Value::Bool(on) => Obj::int(on),
        Value::F32(number) => Obj::double(number.into()),
        Value::F64(number) => Obj::double(number),
        Value::Guid(guid) => guid_obj(&guid),
        Value::FileTime(time) => file_time(time),
        Value::SystemTime([year, month, _, day, hour, minute, second, milli]) => {
            Obj::new(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"))
        }
        Value::Ipv4(address) => Obj::new(&Ipv4Addr::from(address).to_string()),
        Value::Ipv6(address) => Obj::new(&Ipv6Addr::from(address).to_string()),
        Value::Sid(Some(sid)) => Obj::new(&sid.to_string()),
        Value::Utf16(text) => Obj::utf16(text.units()),
        Value::Ansi(text) => ansi(text),
        Value::Binary(bytes) => Obj::bytes(bytes),
        Value::Struct(members) => {
            let dict = Obj::dict();
            put_all(members.fields(), pointer_size, false, &dict);
            dict
        }
        Value::Array(array) => Obj::list(&elements(array, field, pointer_size)),
        Value::Sid(None) => Obj::empty(),
        _ => Obj::empty(),
    }
}

/// `YYYY-MM-DDThh:mm:ss.mmmZ`
fn file_time(time: FileTime) -> Obj {
    let milliseconds = time.ticks().div_euclid(10_000);
    let (days, in_day) = (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000));
    // Days are counted from 1 March 0, where leap days end the year; 1601-01-01 is day 584,694 of that count.
    let z = days + 584_694;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, milli) = (in_day / 1_000 % 60, in_day % 1_000);
    Obj::new(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"))
}
