//! Readable names of functions: C++ as Microsoft's and as other compilers write it, Rust, and the
//! decorations of 32-bit calling conventions.
//!
//! A name is the function's alone, without types of parameters and results: a line of a stack is read, not
//! linked.

use cpp_demangle::DemangleOptions;
use msvc_demangler::DemangleFlags;

use crate::guard::guarded;

/// Longer names are not demangled: no compiler writes them, and parsers of nested names use stack for every level.
const LONGEST: usize = 1024;
/// Names with more digits are not demangled. A digit may repeat an earlier part of the name, and repeated
/// repetitions grow exponentially.
const MOST_DIGITS: usize = 32;
/// Maximum length of a readable name in bytes; the rest is cut.
pub(crate) const LONGEST_NAME: usize = 4096;

/// The readable form of a linker's name. Set `x86` for images of 32-bit code, whose calling
/// conventions decorate names.
#[must_use]
pub fn demangle(name: &str, x86: bool) -> String {
    let mut readable = attempt(name).unwrap_or_else(|| {
        let plain = if x86 { undecorated(name) } else { name };
        // 32-bit C++ of other compilers has one more underscore.
        attempt(plain).unwrap_or_else(|| plain.to_owned())
    });
    if readable.len() > LONGEST_NAME {
        let cut = readable.floor_char_boundary(LONGEST_NAME);
        readable.truncate(cut);
    }
    readable
}

fn attempt(name: &str) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    if name.starts_with('?') {
        if name.bytes().filter(u8::is_ascii_digit).count() > MOST_DIGITS {
            return None;
        }
        return guarded(|| msvc_demangler::demangle(name, DemangleFlags::NAME_ONLY).ok()).flatten();
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        // The alternate form leaves the hash out. Writing fails beyond a size that the crate bounds.
        return guarded(|| format!("{rust:#}"));
    }
    if !name.starts_with("_Z") && !name.starts_with("__Z") {
        return None;
    }
    guarded(|| {
        let symbol = cpp_demangle::Symbol::new(name).ok()?;
        symbol.demangle_with_options(&DemangleOptions::new().no_params().no_return_type()).ok()
    })
    .flatten()
}

/// A C name without what `__cdecl`, `__stdcall` and `__fastcall` add: `_f`, `_f@12`, `@f@12`.
fn undecorated(name: &str) -> &str {
    let body = name.strip_prefix(['_', '@']).unwrap_or(name);
    match body.rsplit_once('@') {
        Some((plain, bytes))
            if !plain.is_empty() && !bytes.is_empty() && bytes.bytes().all(|b| b.is_ascii_digit()) =>
        {
            plain.trim_end_matches('@')
        }
        _ => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable() {
        for (name, want) in [
            ("?apply@Basket@shop@@QEAAHH@Z", "shop::Basket::apply"),
            ("??$largest@H@shop@@YAHHH@Z", "shop::largest<int>"),
            ("??0Basket@shop@@QEAA@XZ", "shop::Basket::Basket"),
            ("??1Basket@shop@@QEAA@XZ", "shop::Basket::~Basket"),
            ("??2@YAPEAX_K@Z", "operator new"),
            ("_ZN4shop6Basket5applyEi", "shop::Basket::apply"),
            ("_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE", "core::fmt::Formatter::write_str"),
            ("_RNvNtCsjdWb5ynr3Pc_6ledger7account7balance", "ledger::account::balance"),
            ("NtCreateFile", "NtCreateFile"),
            ("_DllMainCRTStartup", "_DllMainCRTStartup"),
            ("", ""),
            ("?", "?"),
            ("?@", "?@"),
            ("_ZZZZ", "_ZZZZ"),
        ] {
            assert_eq!(demangle(name, false), want, "{name}");
        }
    }

    #[test]
    fn calling_conventions_of_32_bits_go() {
        for (name, want) in [
            ("_main", "main"),
            ("_NtClose@4", "NtClose"),
            ("@fast@8", "fast"),
            ("vector@@16", "vector"),
            ("_odd@name", "odd@name"),
            ("?f@@YAXXZ", "f"),
            ("__ZN4shop3runEv", "shop::run"),
        ] {
            assert_eq!(demangle(name, true), want, "{name}");
        }
    }

    #[test]
    fn names_made_to_do_harm_stay_as_they_are() {
        let deep = format!("?f@@YAX{}H@Z", "PEA".repeat(300));
        assert!(demangle(&deep, false).len() <= LONGEST_NAME);
        let long = format!("?f@@YAX{}H@Z", "PEA".repeat(100_000));
        assert!(demangle(&long, false).len() <= LONGEST_NAME);
        let doubling = format!("?f@@YAXP6AX{}@Z{}@Z", "0".repeat(40), "1".repeat(40));
        assert_eq!(demangle(&doubling, false), doubling);
        let itanium = format!("_Z{}", "N".repeat(1000));
        assert_eq!(demangle(&itanium, false), itanium);
    }
}
