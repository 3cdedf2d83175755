//! Events that `etw_trace()` logs: they describe themselves (TraceLogging), and their fields have the types of one table.

/// An event that `etw_trace()` logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Name of its provider.
    pub provider: String,
    /// GUID of its provider, without braces.
    pub guid: String,
    /// GUID of the group of its provider, without braces.
    pub group: Option<String>,
    /// Its name.
    pub name: String,
    /// Its fields in order; those of a structure follow it.
    pub fields: Vec<LoggedField>,
}

/// A field of an event that `etw_trace()` logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedField {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: &'static LoggedType,
    /// Number of members, if it is a structure; else 0.
    pub members: u8,
}

/// A type that a field may have.
#[derive(Debug, PartialEq, Eq)]
pub struct LoggedType {
    /// Its name in D.
    pub name: &'static str,
    /// Its number in the description of an event (`TlgIn`).
    pub in_type: u8,
    /// The hint how to show it (`TlgOut`); 0 for none.
    pub out_type: u8,
    /// Its value.
    pub value: LoggedValue,
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedValue {
    /// An integer, an address or a truth of so many bytes, and whether it is signed.
    Integer(u8, bool),
    /// A floating-point number of so many bytes.
    Float(u8),
    /// Text with a zero byte at its end.
    Text,
    /// Nothing: so many of the fields that follow belong to it.
    Structure,
}

impl LoggedType {
    /// Returns `true` if it is true or false.
    #[must_use]
    pub fn is_truth(&self) -> bool {
        self.in_type == 13 || self.out_type == 3
    }

    /// Returns `true` if its values are shown in hexadecimal: addresses and statuses are among them.
    #[must_use]
    pub fn is_hexadecimal(&self) -> bool {
        matches!(self.in_type, 20 | 21) || matches!(self.out_type, 4 | 14 | 15)
    }
}

use LoggedValue::{Float, Integer, Structure, Text};

const fn row(name: &'static str, in_type: u8, out_type: u8, value: LoggedValue) -> LoggedType {
    LoggedType { name, in_type, out_type, value }
}

/// All types. Numbers: `TraceLoggingProvider.h` of the Windows SDK.
pub const LOGGED_TYPES: &[LoggedType] = &[
    row("etw_bool32", 13, 0, Integer(4, true)),
    row("etw_bool8", 4, 3, Integer(1, false)),
    row("etw_char16", 6, 2, Integer(2, false)),
    row("etw_char8", 4, 2, Integer(1, false)),
    row("etw_double", 12, 0, Float(8)),
    row("etw_float", 11, 0, Float(4)),
    row("etw_hexint16", 6, 4, Integer(2, false)),
    row("etw_hexint32", 20, 0, Integer(4, false)),
    row("etw_hexint64", 21, 0, Integer(8, false)),
    row("etw_hexint8", 4, 4, Integer(1, false)),
    row("etw_hresult", 7, 15, Integer(4, true)),
    row("etw_int16", 5, 0, Integer(2, true)),
    row("etw_int32", 7, 0, Integer(4, true)),
    row("etw_int64", 9, 0, Integer(8, true)),
    row("etw_int8", 3, 0, Integer(1, true)),
    row("etw_intptr", 9, 0, Integer(8, true)),
    row("etw_mbcsjson", 2, 12, Text),
    row("etw_mbcsstring", 2, 35, Text),
    row("etw_mbcsxml", 2, 11, Text),
    row("etw_ntstatus", 8, 14, Integer(4, false)),
    row("etw_pid", 8, 5, Integer(4, false)),
    row("etw_pointer", 21, 0, Integer(8, false)),
    row("etw_string", 2, 35, Text),
    row("etw_struct", 24, 0, Structure),
    row("etw_tid", 8, 6, Integer(4, false)),
    row("etw_uint16", 6, 0, Integer(2, false)),
    row("etw_uint32", 8, 0, Integer(4, false)),
    row("etw_uint64", 10, 0, Integer(8, false)),
    row("etw_uint8", 4, 0, Integer(1, false)),
    row("etw_uintptr", 10, 0, Integer(8, false)),
    row("etw_win32error", 8, 13, Integer(4, false)),
];

/// The type of a name.
#[must_use]
pub fn logged_type(name: &str) -> Option<&'static LoggedType> {
    LOGGED_TYPES.iter().find(|row| row.name == name)
}

/// A GUID as text, without its braces; [`None`] if the text is not one.
pub(crate) fn guid(text: &str) -> Option<&str> {
    let inner = match text.strip_prefix('{') {
        Some(rest) => rest.strip_suffix('}')?,
        None => text,
    };
    let parts = inner.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    (parts && inner.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())).then_some(inner)
}

/// Returns `true` if structures have all their members: a member may be a structure itself.
pub(crate) fn are_whole(fields: &[LoggedField]) -> bool {
    let mut open: Vec<u8> = Vec::new();
    for field in fields {
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if field.members > 0 {
            open.push(field.members);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_19_other_texts_are_no_guids() {
        let plain = "aad330cc-4bb9-588a-b252-08276853AF02";
        assert_eq!(guid(plain), Some(plain));
        assert_eq!(guid(&format!("{{{plain}}}")), Some(plain));
        for bad in [
            "",
            "{",
            "{}",
            &plain[1..],
            &format!("{{{plain}"),
            &format!("{plain}}}"),
            &plain.replace('a', "g"),
        ] {
            assert_eq!(guid(bad), None, "{bad}");
        }
    }

    #[test]
    fn issue_19_structures_have_all_their_members() {
        let whole = |members: &[u8]| {
            let field = |&members| LoggedField { name: String::new(), ty: &LOGGED_TYPES[0], members };
            are_whole(&members.iter().map(field).collect::<Vec<_>>())
        };
        assert!(
            whole(&[]) && whole(&[0, 0]) && whole(&[1, 0]) && whole(&[2, 1, 0, 0]) && whole(&[1, 1, 0, 0])
        );
        assert!(
            !whole(&[1]) && !whole(&[2, 0]) && !whole(&[2, 1, 0]) && !whole(&[0, 2, 1, 0]) && !whole(&[1, 1])
        );
    }
}
