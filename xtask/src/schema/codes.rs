//! Names of error codes: from the constants of the `windows-sys` crate, and from `error.codes` for the rest.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use crate::workspace;

/// The kinds of codes: the word for them, and the types that `windows-sys` gives them.
const KINDS: [(&str, &[&str]); 3] = [
    ("ntstatus", &["NTSTATUS"]),
    ("hresult", &["HRESULT", "WBEMSTATUS"]),
    ("win32", &["WIN32_ERROR", "WSA_ERROR", "RPC_STATUS"]),
];

/// The modules of `windows-sys` with error codes, below `src/Windows/Win32`.
const MODULES: [&str; 6] = [
    "Foundation",
    "Networking/WinSock",
    "Security/Credentials",
    "System/Com/Urlmon",
    "System/Rpc",
    "System/Wmi",
];

/// Names by code, one table for each of [`KINDS`]; of several names the first is the one that the code is shown with.
type Tables = [BTreeMap<u32, Vec<String>>; 3];

/// The generated file, from the text of `error.codes` and the sources of `windows-sys`.
pub(crate) fn generate(text: &str) -> Result<String, String> {
    let mut tables = Tables::default();
    let folder = windows_sys()?.join("src/Windows/Win32");
    for module in MODULES {
        let source = workspace::text(&folder.join(module).join("mod.rs"))?;
        for line in source.lines() {
            if let Some((kind, code, name)) = constant(line) {
                keep(&mut tables[kind], code, name);
            }
        }
    }
    own(text, &mut tables)?;
    Ok(emit(&tables))
}

/// The folder of the locked version of `windows-sys` in cargo's registry.
fn windows_sys() -> Result<PathBuf, String> {
    let metadata = workspace::locked_metadata(&workspace::root())?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut found = packages.filter(|package| package["name"] == "windows-sys");
    // The newest, should several be in use.
    let newest = found.by_ref().max_by_key(|package| {
        let version = package["version"].as_str().unwrap_or_default();
        version.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>()
    });
    let manifest = newest.and_then(|package| package["manifest_path"].as_str());
    let manifest = PathBuf::from(manifest.ok_or("the workspace does not use windows-sys")?);
    Ok(manifest.parent().map(PathBuf::from).unwrap_or_default())
}

/// The kind, code and name of a line `pub const NAME: TYPE = VALUE;`, when it is an error code.
fn constant(line: &str) -> Option<(usize, u32, &str)> {
    let (name, rest) = line.strip_prefix("pub const ")?.split_once(": ")?;
    let (ty, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    let ty = ty.rsplit("::").next()?;
    let kind = KINDS.iter().position(|(_, types)| types.contains(&ty))?;
    // A wait of WinSock is no error.
    if name.starts_with("WSA_WAIT") {
        return None;
    }
    Some((kind, number(value)?, name))
}

/// `0xC0000022_u32 as _`, `5u32`, `-2147217407i32`.
fn number(value: &str) -> Option<u32> {
    let value = value.trim_end_matches(" as _");
    let value = value.trim_end_matches("u32").trim_end_matches("i32").trim_end_matches('_');
    match value.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => value
            .parse::<i64>()
            .ok()
            .and_then(|n| i32::try_from(n).map(i32::cast_unsigned).or(u32::try_from(n)).ok()),
    }
}

/// Adds a name of a code. The first of several names is the most informative one: the name of the code itself, not of a
/// range that it begins or of a wait that ended with it, with the usual prefix, and the shortest of these.
fn keep(table: &mut BTreeMap<u32, Vec<String>>, code: u32, name: &str) {
    let names = table.entry(code).or_default();
    names.push(name.to_owned());
    names.sort_by_cached_key(|name| {
        let usual = ["STATUS_", "ERROR_", "S_", "E_"].iter().any(|prefix| name.starts_with(prefix));
        let range = ["_FIRST", "_LAST", "_BASE", "_MASK", "_WAIT_0"].iter().any(|end| name.ends_with(end));
        (range, !usual, name.len(), name.clone())
    });
}

/// Adds the lines of `error.codes`. A code that `windows-sys` already has is an error: each fact is in one
/// place.
fn own(text: &str, tables: &mut Tables) -> Result<(), String> {
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = || {
            let mut words = line.split_whitespace();
            let kind = words.next()?;
            let kind = KINDS.iter().position(|(word, _)| *word == kind)?;
            let code = u32::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
            let name = words.next()?;
            words.next().is_none().then_some((kind, code, name))
        };
        let (kind, code, name) =
            read().ok_or_else(|| format!("line {number}: expected `KIND 0xCODE NAME`"))?;
        if let Some(known) = tables[kind].insert(code, vec![name.to_owned()]) {
            return Err(format!("line {number}: {code:#010x} is {} already", known.join(", ")));
        }
    }
    Ok(())
}

fn emit(tables: &Tables) -> String {
    let mut text = String::from(
        "# Made from `tables/error.codes` by `cargo run -p xtask -- schema`. Do not edit.\n\
         # Codes in hexadecimal, ascending, and their names; of several the first is the one that a code is shown with.\n",
    );
    for ((kind, _), table) in KINDS.iter().zip(tables) {
        let _ = writeln!(text, "\n[{kind}]");
        for (code, names) in table {
            let _ = writeln!(text, "{code:x} {}", names.join(" "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_in_every_form() {
        assert_eq!(
            constant("pub const STATUS_X: NTSTATUS = 0xC0000022_u32 as _;"),
            Some((0, 0xC000_0022, "STATUS_X"))
        );
        assert_eq!(
            constant("pub const E_X: windows_sys::core::HRESULT = 0x80004005_u32 as _;"),
            Some((1, 0x8000_4005, "E_X"))
        );
        assert_eq!(
            constant("pub const WBEM_X: WBEMSTATUS = -2147217407i32;"),
            Some((1, 0x8004_1001, "WBEM_X"))
        );
        assert_eq!(constant("pub const ERROR_X: WIN32_ERROR = 5u32;"), Some((2, 5, "ERROR_X")));
        assert_eq!(constant("pub const X: u32 = 5u32;"), None);
        assert_eq!(constant("pub const WSA_WAIT_X: WSA_ERROR = 5i32;"), None);
    }

    #[test]
    fn the_best_name_stays_and_facts_are_not_repeated() {
        let mut tables = Tables::default();
        for name in ["OLE_E_FIRST", "EXCEPTION_Z", "STATUS_LONGER", "STATUS_Z", "WAIT_0", "S_WAIT_0"] {
            keep(&mut tables[0], 7, name);
        }
        let order = ["STATUS_Z", "STATUS_LONGER", "WAIT_0", "EXCEPTION_Z", "S_WAIT_0", "OLE_E_FIRST"];
        assert_eq!(tables[0][&7], order);
        let emitted = emit(&tables);
        let line =
            "\n\n[ntstatus]\n7 STATUS_Z STATUS_LONGER WAIT_0 EXCEPTION_Z S_WAIT_0 OLE_E_FIRST\n\n[hresult]\n";
        assert!(emitted.contains(line), "{emitted}");
        own("# c\nhresult 0x1 A\n", &mut tables).unwrap();
        assert_eq!(
            own("ntstatus 0x7 B", &mut tables).unwrap_err(),
            "line 1: 0x00000007 is STATUS_Z, STATUS_LONGER, WAIT_0, EXCEPTION_Z, S_WAIT_0, OLE_E_FIRST already"
        );
        assert!(own("nonsense 0x7 B", &mut tables).is_err());
    }
}
