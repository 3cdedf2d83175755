//! Names of `NTSTATUS`, `HRESULT` and Win32 error codes. A code without a name here is shown as a number alone.
//!
//! The tables are generated from the `windows-sys` crate, which Microsoft makes from the metadata of Windows'
//! interfaces, and from `tables/error.codes` for what is not in there.

use std::cmp::Ordering;
use std::sync::LazyLock;

use crate::Hint;
use crate::generated::codes::{HRESULT, HRESULT_ALIASES, NTSTATUS, NTSTATUS_ALIASES, WIN32, WIN32_ALIASES};

/// The name of a code, for the hints [`Hint::NtStatus`], [`Hint::HResult`] and [`Hint::Win32Error`].
///
/// An `HRESULT` without a name that wraps a Win32 error or an `NTSTATUS` has the name of that code.
#[must_use]
pub fn name(hint: Hint, code: u32) -> Option<&'static str> {
    names(hint, code).next()
}

/// All names of a code: first the one that [`name`] answers, then those that the header files have beside it, such as
/// `STATUS_WAIT_0` for `STATUS_SUCCESS`.
pub fn names(hint: Hint, code: u32) -> impl Iterator<Item = &'static str> {
    let own = kind(hint).map(|kind| (kind, code)).filter(|(kind, code)| kind.name(*code).is_some());
    let wrapped = || match code {
        FROM_WIN32..=FROM_WIN32_LAST => Some((&WIN32_ERRORS, code & 0xFFFF)),
        _ if code & FROM_NT != 0 => Some((&STATUSES, code & !FROM_NT)),
        _ => None,
    };
    let found = own.or_else(|| wrapped().filter(|_| hint == Hint::HResult));
    found.into_iter().flat_map(|(kind, code)| kind.name(code).into_iter().chain(kind.further(code)))
}

/// The code with this name, ignoring ASCII case; the inverse of [`names`].
///
/// A name that is not the name of an `HRESULT` is that of the Win32 error or `NTSTATUS` that an `HRESULT`
/// may wrap.
#[must_use]
pub fn code(hint: Hint, name: &str) -> Option<u32> {
    let own = kind(hint)?.code(name);
    if hint != Hint::HResult || own.is_some() {
        return own;
    }
    let of_win32 = WIN32_ERRORS.code(name).filter(|code| *code <= 0xFFFF);
    // `HRESULT_FROM_WIN32` leaves success as it is.
    let of_win32 = of_win32.map(|code| if code == 0 { 0 } else { FROM_WIN32 | code });
    of_win32.or_else(|| STATUSES.code(name).map(|code| code | FROM_NT))
}

/// Every name that [`code`] knows for a hint.
pub fn all_names(hint: Hint) -> impl Iterator<Item = &'static str> {
    let wrapped = [&WIN32_ERRORS, &STATUSES].into_iter().filter(move |_| hint == Hint::HResult);
    let tables = kind(hint).into_iter().chain(wrapped);
    let names = tables.flat_map(|kind| kind.first.iter().chain(kind.further)).map(|(_, name)| *name);
    names.filter(move |name| code(hint, name).is_some())
}

/// `HRESULT_FROM_WIN32(0)`, and the last of the same facility.
const FROM_WIN32: u32 = 0x8007_0000;
const FROM_WIN32_LAST: u32 = 0x8007_FFFF;

/// `FACILITY_NT_BIT`.
const FROM_NT: u32 = 0x1000_0000;

/// The names of one kind of codes.
struct Kind {
    /// The name that each code is shown with, by ascending code.
    first: &'static [Row],
    /// Further names of these codes, by ascending code.
    further: &'static [Row],
    /// All rows in the order of their names.
    by_name: LazyLock<Vec<Row>>,
}

type Row = (u32, &'static str);

static STATUSES: Kind = Kind {
    first: &NTSTATUS,
    further: &NTSTATUS_ALIASES,
    by_name: LazyLock::new(|| sorted(&NTSTATUS, &NTSTATUS_ALIASES)),
};
static RESULTS: Kind = Kind {
    first: &HRESULT,
    further: &HRESULT_ALIASES,
    by_name: LazyLock::new(|| sorted(&HRESULT, &HRESULT_ALIASES)),
};
static WIN32_ERRORS: Kind = Kind {
    first: &WIN32,
    further: &WIN32_ALIASES,
    by_name: LazyLock::new(|| sorted(&WIN32, &WIN32_ALIASES)),
};

fn kind(hint: Hint) -> Option<&'static Kind> {
    match hint {
        Hint::NtStatus => Some(&STATUSES),
        Hint::HResult => Some(&RESULTS),
        Hint::Win32Error => Some(&WIN32_ERRORS),
        _ => None,
    }
}

fn sorted(first: &[Row], further: &[Row]) -> Vec<Row> {
    let mut rows = [first, further].concat();
    rows.sort_by(|a, b| alphabetical(a.1, b.1));
    rows
}

fn alphabetical(a: &str, b: &str) -> Ordering {
    let small = |byte: u8| byte.to_ascii_lowercase();
    a.bytes().map(small).cmp(b.bytes().map(small))
}

impl Kind {
    fn name(&self, code: u32) -> Option<&'static str> {
        let at = self.first.binary_search_by_key(&code, |(known, _)| *known).ok()?;
        self.first.get(at).map(|(_, name)| *name)
    }

    fn further(&self, code: u32) -> impl Iterator<Item = &'static str> {
        let start = self.further.partition_point(|(known, _)| *known < code);
        let rows = self.further.get(start..).unwrap_or_default().iter();
        rows.take_while(move |(known, _)| *known == code).map(|(_, name)| *name)
    }

    fn code(&self, name: &str) -> Option<u32> {
        let at = self.by_name.binary_search_by(|(_, known)| alphabetical(known, name)).ok()?;
        self.by_name.get(at).map(|(code, _)| *code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        for kind in [&STATUSES, &RESULTS, &WIN32_ERRORS] {
            assert!(kind.first.is_sorted_by(|a, b| a.0 < b.0));
            assert!(kind.further.is_sorted_by(|a, b| a.0 <= b.0));
            assert!(kind.further.iter().all(|(code, _)| kind.name(*code).is_some()));
            assert!(
                kind.by_name.is_sorted_by(|a, b| alphabetical(a.1, b.1).is_lt()),
                "no name has two codes"
            );
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

    /// Issue 3: statuses are ordered by the codes of their names.
    #[test]
    fn names_lead_back_to_their_codes() {
        for hint in [Hint::NtStatus, Hint::HResult, Hint::Win32Error] {
            let kind = kind(hint).unwrap();
            for (number, known) in kind.first.iter().chain(kind.further) {
                assert_eq!(code(hint, known), Some(*number), "{known}");
                assert!(names(hint, *number).any(|name| name == *known), "{known}");
            }
            assert!(all_names(hint).count() >= kind.first.len());
        }
        assert_eq!(code(Hint::NtStatus, "status_success"), Some(0));
        assert_eq!(code(Hint::NtStatus, "STATUS_WAIT_0"), Some(0));
        assert_eq!(names(Hint::NtStatus, 0).collect::<Vec<_>>(), ["STATUS_SUCCESS", "STATUS_WAIT_0"]);
        assert_eq!(code(Hint::HResult, "E_FAIL"), Some(0x8000_4005));
        assert_eq!(code(Hint::HResult, "ERROR_FILE_NOT_FOUND"), Some(0x8007_0002));
        assert_eq!(code(Hint::HResult, "ERROR_SUCCESS"), Some(0));
        assert_eq!(code(Hint::HResult, "STATUS_OBJECT_NAME_NOT_FOUND"), Some(0xD000_0034));
        assert_eq!(code(Hint::NtStatus, "ERROR_FILE_NOT_FOUND"), None);
        assert_eq!(code(Hint::Hex, "STATUS_SUCCESS"), None);
        assert_eq!((code(Hint::NtStatus, ""), names(Hint::NtStatus, 0xC0FF_EE00).count()), (None, 0));
    }
}
