//! Names of `NTSTATUS`, `HRESULT` and Win32 error codes. A code without a name here is shown as a number alone.
//!
//! The tables are generated from the `windows-sys` crate, which Microsoft makes from the metadata of Windows'
//! interfaces, and from `tables/error.codes` for what is not in there.

use crate::Hint;
use crate::generated::codes::{HRESULT, NTSTATUS, WIN32};

/// The name of a code, for the hints [`Hint::NtStatus`], [`Hint::HResult`] and [`Hint::Win32Error`].
///
/// An `HRESULT` that wraps a Win32 error or an `NTSTATUS` and has no name of its own has that one's.
#[must_use]
pub fn name(hint: Hint, code: u32) -> Option<&'static str> {
    match hint {
        Hint::NtStatus => find(&NTSTATUS, code),
        Hint::Win32Error => find(&WIN32, code),
        Hint::HResult => find(&HRESULT, code).or_else(|| match code {
            FROM_WIN32..=FROM_WIN32_LAST => find(&WIN32, code & 0xFFFF),
            _ if code & FROM_NT != 0 => find(&NTSTATUS, code & !FROM_NT),
            _ => None,
        }),
        _ => None,
    }
}

/// `HRESULT_FROM_WIN32(0)`, and the last of the same facility.
const FROM_WIN32: u32 = 0x8007_0000;
const FROM_WIN32_LAST: u32 = 0x8007_FFFF;

/// `FACILITY_NT_BIT`.
const FROM_NT: u32 = 0x1000_0000;

fn find(table: &[(u32, &'static str)], code: u32) -> Option<&'static str> {
    let at = table.binary_search_by_key(&code, |(known, _)| *known).ok()?;
    table.get(at).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        for table in [&NTSTATUS[..], &HRESULT, &WIN32] {
            assert!(table.is_sorted_by(|a, b| a.0 < b.0));
        }
    }

    #[test]
    fn codes_have_the_names_of_their_kind() {
        assert_eq!(name(Hint::NtStatus, 0xC000_0022), Some("STATUS_ACCESS_DENIED"));
        assert_eq!(name(Hint::Win32Error, 5), Some("ERROR_ACCESS_DENIED"));
        assert_eq!(name(Hint::HResult, 0x8007_0005), Some("E_ACCESSDENIED"));
        assert_eq!(name(Hint::HResult, 0x8007_0002), Some("ERROR_FILE_NOT_FOUND"), "of Win32");
        assert_eq!(name(Hint::HResult, 0xD000_0034), Some("STATUS_OBJECT_NAME_NOT_FOUND"), "of NTSTATUS");
        assert_eq!(name(Hint::NtStatus, 0xC0FF_EE00), None);
        assert_eq!(name(Hint::None, 5), None);
    }
}
