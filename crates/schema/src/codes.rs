//! Names of `NTSTATUS`, `HRESULT` and Win32 error codes. A code without a name here is shown as a number alone.
//!
//! The tables are generated from the `windows-sys` crate, which Microsoft makes from the metadata of Windows'
//! interfaces, and from `tables/error.codes` for what is not in there.

use std::cmp::Ordering;
use std::sync::LazyLock;

use crate::Hint;

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
    let own = kind(hint).map(|kind| (kind, code)).filter(|(kind, code)| kind.row(*code).is_some());
    let wrapped = || match code {
        FROM_WIN32..=FROM_WIN32_LAST => Some((&WIN32_ERRORS, code & 0xFFFF)),
        _ if code & FROM_NT != 0 => Some((&STATUSES, code & !FROM_NT)),
        _ => None,
    };
    let found = own.or_else(|| wrapped().filter(|_| hint == Hint::HResult));
    found.into_iter().flat_map(|(kind, code)| kind.row(code).unwrap_or_default().split_whitespace())
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
    let names = tables.flat_map(|kind| kind.by_name.iter()).map(|(_, name)| *name);
    names.filter(move |name| code(hint, name).is_some())
}

/// `HRESULT_FROM_WIN32(0)`, and the last of the same facility.
const FROM_WIN32: u32 = 0x8007_0000;
const FROM_WIN32_LAST: u32 = 0x8007_FFFF;

/// `FACILITY_NT_BIT`.
const FROM_NT: u32 = 0x1000_0000;

/// All names, by kind: made by `cargo run -p xtask -- schema`.
const TEXT: &str = include_str!("generated/codes.txt");

/// The names of one kind of codes. They are read when the first of them is asked for.
struct Kind {
    /// The names of each code, separated by spaces, by ascending code.
    by_code: LazyLock<Vec<Row>>,
    /// Each name, in alphabetical order.
    by_name: LazyLock<Vec<Row>>,
}

type Row = (u32, &'static str);

static STATUSES: Kind = Kind {
    by_code: LazyLock::new(|| rows("ntstatus")),
    by_name: LazyLock::new(|| sorted(&STATUSES.by_code)),
};
static RESULTS: Kind =
    Kind { by_code: LazyLock::new(|| rows("hresult")), by_name: LazyLock::new(|| sorted(&RESULTS.by_code)) };
static WIN32_ERRORS: Kind = Kind {
    by_code: LazyLock::new(|| rows("win32")),
    by_name: LazyLock::new(|| sorted(&WIN32_ERRORS.by_code)),
};

/// The part of the text under a word in brackets.
fn rows(kind: &str) -> Vec<Row> {
    let part = TEXT.split('[').find_map(|part| part.strip_prefix(kind)?.strip_prefix("]\n"));
    let row = |line: &'static str| {
        let (code, names) = line.split_once(' ')?;
        Some((u32::from_str_radix(code, 16).ok()?, names))
    };
    part.unwrap_or_default().lines().filter_map(row).collect()
}

fn kind(hint: Hint) -> Option<&'static Kind> {
    match hint {
        Hint::NtStatus => Some(&STATUSES),
        Hint::HResult => Some(&RESULTS),
        Hint::Win32Error => Some(&WIN32_ERRORS),
        _ => None,
    }
}

fn sorted(by_code: &[Row]) -> Vec<Row> {
    let each =
        by_code.iter().flat_map(|&(code, names)| names.split_whitespace().map(move |name| (code, name)));
    let mut rows: Vec<Row> = each.collect();
    rows.sort_by(|a, b| alphabetical(a.1, b.1));
    rows
}

fn alphabetical(a: &str, b: &str) -> Ordering {
    let small = |byte: u8| byte.to_ascii_lowercase();
    a.bytes().map(small).cmp(b.bytes().map(small))
}

impl Kind {
    /// The names of a code.
    fn row(&self, code: u32) -> Option<&'static str> {
        let at = self.by_code.binary_search_by_key(&code, |(known, _)| *known).ok()?;
        self.by_code.get(at).map(|(_, names)| *names)
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
            assert!(kind.by_code.len() > 2000 && kind.by_code.is_sorted_by(|a, b| a.0 < b.0));
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
            for (number, known) in kind.by_name.iter() {
                assert_eq!(code(hint, known), Some(*number), "{known}");
                assert!(names(hint, *number).any(|name| name == *known), "{known}");
            }
            assert!(all_names(hint).count() >= kind.by_code.len());
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
