//! TraceLogging metadata, made at compile time.

use super::fields::Field;

/// TraceLogging type of a structure (`TlgInSTRUCT`): in place of a hint it has the number of its fields.
const STRUCTURE: u8 = 24;

/// One field of an event that describes itself.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    name: &'static str,
    in_type: u8,
    out_type: u8,
}

impl FieldInfo {
    /// A field of a type.
    #[must_use]
    pub const fn of<T: Field + ?Sized>(name: &'static str) -> FieldInfo {
        FieldInfo { name, in_type: T::IN_TYPE, out_type: T::OUT_TYPE }
    }

    /// A structure, whose fields are the next so many.
    ///
    /// # Panics
    ///
    /// At compile time, when it has none or more than 127: the description has 7 bits for their number.
    #[must_use]
    pub const fn structure(name: &'static str, fields: usize) -> FieldInfo {
        assert!(fields > 0 && fields < 128, "a structure has 1 to 127 fields");
        FieldInfo { name, in_type: STRUCTURE, out_type: fields as u8 }
    }
}

/// Bytes of [`event_metadata`].
#[must_use]
pub const fn event_metadata_size(name: &str, fields: &[FieldInfo]) -> usize {
    // Size, tags, name and its terminator.
    let mut size = 2 + 1 + name.len() + 1;
    let mut i = 0;
    while i < fields.len() {
        size += fields[i].name.len() + 2;
        if fields[i].out_type != 0 {
            size += 1;
        }
        i += 1;
    }
    size
}

/// The description of an event: `u16` size, tags, name, then for each field its name, type and hint.
///
/// # Panics
///
/// At compile time, when `N` is not [`event_metadata_size`] or a name holds a zero byte.
#[must_use]
pub const fn event_metadata<const N: usize>(name: &str, fields: &[FieldInfo]) -> [u8; N] {
    assert!(N == event_metadata_size(name, fields) && N <= u16::MAX as usize);
    let mut out = [0; N];
    [out[0], out[1]] = (N as u16).to_le_bytes();
    let mut at = text(&mut out, 3, name);
    let mut i = 0;
    while i < fields.len() {
        at = text(&mut out, at, fields[i].name);
        // The high bit of the type says that a hint follows.
        out[at] = fields[i].in_type | if fields[i].out_type == 0 { 0 } else { 0x80 };
        at += 1;
        if fields[i].out_type != 0 {
            out[at] = fields[i].out_type;
            at += 1;
        }
        i += 1;
    }
    out
}

/// As [`event_metadata`], made while the program runs: each field is its name, type (`TlgIn`) and hint (`TlgOut`, 0 for none, or the
/// number of members of a structure). A name ends at its first zero byte. [`None`] if it is longer than 64 KiB.
pub fn event_metadata_of<'f>(
    name: &str,
    fields: impl IntoIterator<Item = (&'f str, u8, u8)>,
) -> Option<Vec<u8>> {
    let mut out = vec![0; 3];
    let word = |out: &mut Vec<u8>, word: &str| {
        out.extend(word.bytes().take_while(|byte| *byte != 0));
        out.push(0);
    };
    word(&mut out, name);
    for (name, in_type, hint) in fields {
        word(&mut out, name);
        match hint {
            0 => out.push(in_type),
            hint => out.extend([in_type | 0x80, hint]),
        }
    }
    let size = u16::try_from(out.len()).ok()?;
    out[..2].copy_from_slice(&size.to_le_bytes());
    Some(out)
}

/// Copies a text and its terminator; where the next thing goes.
const fn text(out: &mut [u8], mut at: usize, text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        assert!(bytes[i] != 0, "a name holds a zero byte");
        out[at] = bytes[i];
        at += 1;
        i += 1;
    }
    at + 1
}

/// Bytes of [`traits`].
#[must_use]
pub const fn traits_size(name: &str) -> usize {
    2 + name.len() + 1
}

/// The traits of a provider: `u16` size and the name.
///
/// # Panics
///
/// At compile time, when `N` is not [`traits_size`] or the name holds a zero byte.
#[must_use]
pub const fn traits<const N: usize>(name: &str) -> [u8; N] {
    assert!(N == traits_size(name) && N <= u16::MAX as usize);
    let mut out = [0; N];
    [out[0], out[1]] = (N as u16).to_le_bytes();
    text(&mut out, 2, name);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_tracelogging() {
        const FIELDS: &[FieldInfo] = &[FieldInfo::of::<u32>("a"), FieldInfo::of::<str>("s")];
        const EVENT: [u8; event_metadata_size("Ev", FIELDS)] = event_metadata("Ev", FIELDS);
        assert_eq!(EVENT, *b"\x0d\0\0Ev\0a\0\x08s\0\x97\x23");
        let fields = [("a", 8, 0), ("s", 23, 35)];
        assert_eq!(event_metadata_of("Ev", fields).unwrap(), EVENT);
        assert_eq!(event_metadata_of("Ev\0x", [("a\0b", 8, 0), ("s", 23, 35)]).unwrap(), EVENT);
        assert_eq!(event_metadata_of(&"x".repeat(1 << 16), fields), None);
        assert_eq!(traits::<{ traits_size("Contoso") }>("Contoso"), *b"\x0a\0Contoso\0");
    }
}
