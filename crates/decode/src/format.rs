//! Values as text.

use std::fmt::{self, Write};
use std::net::{Ipv4Addr, Ipv6Addr};

use tracewell_schema::{Hint, ValueMap, codes};

use crate::{Array, Members, Value};

/// A value with the way to show it; writes itself with `Display`.
#[derive(Clone, Copy, Debug)]
pub struct Formatted<'a> {
    value: Value<'a>,
    hint: Hint,
    map: Option<&'a ValueMap>,
}

impl<'a> Formatted<'a> {
    /// A value to be shown as `hint` asks for.
    #[must_use]
    pub fn new(value: Value<'a>, hint: Hint) -> Formatted<'a> {
        Formatted { value, hint, map: None }
    }

    /// The same, with names for integers.
    #[must_use]
    pub fn with_map(mut self, map: Option<&'a ValueMap>) -> Formatted<'a> {
        self.map = map;
        self
    }
}

impl fmt::Display for Formatted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(map), Some(number)) = (self.map, self.value.as_u64()) {
            // A signed value is named by the bits it is stored in.
            if let Some(text) = map.show(number).or_else(|| map.show(u64::from(number as u32))) {
                return write!(f, "{text}");
            }
        }
        // A status with its own names in addition to those of the system is an exit status: small numbers are defined by the
        // program.
        if let (Hint::NtStatus, Some(_), Some(number @ ..0x4000_0000)) =
            (self.hint, self.map, self.value.as_u64())
        {
            return write!(f, "{number}");
        }
        if self.hint == Hint::Leftover {
            return f.write_str("-");
        }
        match self.value {
            Value::Unsigned(n) => number(f, self.hint, n, None),
            Value::Signed(n) => number(f, self.hint, n.cast_unsigned(), Some(n)),
            Value::Bool(b) => write!(f, "{b}"),
            Value::F32(n) => write!(f, "{n}"),
            Value::F64(n) => write!(f, "{n}"),
            Value::Guid(guid) => write!(f, "{guid}"),
            Value::FileTime(time) => write!(f, "{time}"),
            // No date at all.
            Value::SystemTime([0, 0, 0, 0, 0, 0, 0, 0]) => f.write_str("-"),
            // Without a year it is a rule, as time zones have them: in a month, a week of it (5: the last), a day of the week.
            // Written as POSIX does (TZ).
            Value::SystemTime([0, month, weekday, week, hour, minute, second, _]) => {
                write!(f, "M{month}.{week}.{weekday}/{hour:02}:{minute:02}:{second:02}")
            }
            Value::SystemTime([year, month, _, day, hour, minute, second, milli]) => {
                write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}")?;
                if self.hint == Hint::Utc { f.write_char('Z') } else { Ok(()) }
            }
            Value::Ipv4(address) => write!(f, "{}", Ipv4Addr::from(address)),
            Value::Ipv6(address) => write!(f, "{}", Ipv6Addr::from(address)),
            Value::Sid(None) => f.write_str("-"),
            Value::Sid(Some(sid)) => write!(f, "{sid}"),
            Value::Utf16(text) => write!(f, "{text}"),
            Value::Ansi(text) => ansi(f, text),
            Value::Binary(bytes) if self.hint == Hint::SocketAddress => socket_address(f, bytes),
            Value::Binary(bytes) if self.hint == Hint::IpAddress => ip_address(f, bytes),
            Value::Binary(bytes) => hex_dump(f, bytes),
            Value::Struct(members) => structure(f, members),
            Value::Array(array) => list(f, array, *self),
        }
    }
}

fn number(f: &mut fmt::Formatter<'_>, hint: Hint, bits: u64, signed: Option<i64>) -> fmt::Result {
    match (hint, signed) {
        (Hint::Hex | Hint::Address, None) => write!(f, "{bits:#x}"),
        (Hint::NtStatus | Hint::HResult, _) => {
            write!(f, "{:#010x}", bits as u32)?;
            code_name(f, hint, bits)
        }
        (Hint::Win32Error, _) => {
            match signed {
                Some(n) => write!(f, "{n}")?,
                None => write!(f, "{bits}")?,
            }
            code_name(f, hint, bits)
        }
        (Hint::Boolean, _) => write!(f, "{}", bits != 0),
        (Hint::Character, _) => {
            let character = u32::try_from(bits).ok().and_then(char::from_u32);
            f.write_char(character.unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        (_, Some(n)) => write!(f, "{n}"),
        (_, None) => write!(f, "{bits}"),
    }
}

/// The name of an error code after its number, when it has one. The code is in the lower 32 bits.
fn code_name(f: &mut fmt::Formatter<'_>, hint: Hint, bits: u64) -> fmt::Result {
    match codes::name(hint, bits as u32) {
        Some(name) => write!(f, " {name}"),
        None => Ok(()),
    }
}

/// 8-bit text: as UTF-8 where it is that, else each byte as the character of the same number.
fn ansi(f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
    match std::str::from_utf8(text) {
        Ok(text) => f.write_str(text),
        Err(_) => text.iter().try_for_each(|byte| f.write_char(char::from(*byte))),
    }
}

/// A `SOCKADDR_IN` or `SOCKADDR_IN6`; other families as bytes. Port and address are in network order.
fn socket_address(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    match bytes {
        [2, 0, p0, p1, a, b, c, d, ..] => {
            write!(f, "{}:{}", Ipv4Addr::new(*a, *b, *c, *d), u16::from_be_bytes([*p0, *p1]))
        }
        [23, 0, p0, p1, _, _, _, _, rest @ ..] if rest.len() >= 16 => {
            let address = rest.first_chunk::<16>().copied().unwrap_or_default();
            write!(f, "[{}]:{}", Ipv6Addr::from(address), u16::from_be_bytes([*p0, *p1]))
        }
        _ => hex_dump(f, bytes),
    }
}

/// An address of four or sixteen bytes; others as bytes.
fn ip_address(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    if let Ok(address) = <[u8; 4]>::try_from(bytes) {
        write!(f, "{}", Ipv4Addr::from(address))
    } else if let Ok(address) = <[u8; 16]>::try_from(bytes) {
        write!(f, "{}", Ipv6Addr::from(address))
    } else {
        hex_dump(f, bytes)
    }
}

fn hex_dump(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn list<'a>(f: &mut fmt::Formatter<'_>, array: Array<'a>, like: Formatted<'a>) -> fmt::Result {
    f.write_char('[')?;
    for (index, value) in array.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{}", Formatted { value, ..like })?;
    }
    f.write_char(']')
}

fn structure(f: &mut fmt::Formatter<'_>, members: Members<'_>) -> fmt::Result {
    f.write_char('{')?;
    let shown = members.fields().filter(|member| member.field.hint != Hint::Leftover);
    for (index, member) in shown.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{}={}", member.field.name, member.value.display(member.field))?;
    }
    f.write_char('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_time_zones_are_rules() {
        let show = |parts| Formatted::new(Value::SystemTime(parts), Hint::None).to_string();
        assert_eq!(show([2024, 5, 3, 1, 12, 30, 0, 7]), "2024-05-01T12:30:00.007");
        assert_eq!(show([0, 11, 0, 1, 2, 0, 0, 0]), "M11.1.0/02:00:00", "the first Sunday of November");
        assert_eq!(show([0; 8]), "-");
        let utc = Formatted::new(Value::SystemTime([2024, 5, 3, 1, 12, 30, 0, 7]), Hint::Utc);
        assert_eq!(utc.to_string(), "2024-05-01T12:30:00.007Z");
    }

    #[test]
    fn addresses_are_recognized_by_their_size() {
        let show = |bytes: &[u8]| Formatted::new(Value::Binary(bytes), Hint::IpAddress).to_string();
        assert_eq!(show(&[127, 0, 0, 1]), "127.0.0.1");
        assert_eq!(show(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), "::1");
        assert_eq!(show(&[1, 2, 3]), "010203");
    }

    #[test]
    fn error_codes_keep_their_number_and_get_their_name() {
        let show = |hint, n| Formatted::new(Value::Unsigned(n), hint).to_string();
        assert_eq!(show(Hint::NtStatus, 0xC000_0034), "0xc0000034 STATUS_OBJECT_NAME_NOT_FOUND");
        assert_eq!(show(Hint::Win32Error, 2), "2 ERROR_FILE_NOT_FOUND");
        assert_eq!(show(Hint::HResult, 0x8012_3456), "0x80123456");
        let signed = Formatted::new(Value::Signed(-2_147_467_259), Hint::HResult).to_string();
        assert_eq!(signed, "0x80004005 E_FAIL");
    }
}
