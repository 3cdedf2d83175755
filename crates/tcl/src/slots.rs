//! The positions of the functions of Tcl's C interface in its stub table.
//!
//! Both major versions guarantee that a function keeps its position. The test below compares the positions, and which
//! functions take or return lengths, with the headers of every installed Tcl.

#![allow(non_upper_case_globals, reason = "the names that Tcl's headers and manual have")]

/// Declares functions by slot, in the order of their slots. `sized` marks those with a length among their arguments or as
/// their result: `int` in Tcl 8.6 and `ptrdiff_t` in Tcl 9, so that a call must be cast by the version.
macro_rules! slots {
    ($all:ident: $($number:literal $name:ident $($sized:ident)?;)*) => {
        $(pub(crate) const $name: usize = $number;)*

        #[cfg(test)]
        const $all: &[(usize, &str, bool)] = &[$(($number, stringify!($name), slots!(@sized $($sized)?))),*];
    };
    (@sized) => { false };
    (@sized sized) => { true };
}

slots! { BOTH:
    0 Tcl_PkgProvideEx;
    1 Tcl_PkgRequireEx;
    3 Tcl_Alloc sized;
    19 Tcl_DbDecrRefCount;
    20 Tcl_DbIncrRefCount;
    21 Tcl_DbIsShared;
    44 Tcl_ListObjAppendElement;
    50 Tcl_NewByteArrayObj sized;
    51 Tcl_NewDoubleObj;
    53 Tcl_NewListObj sized;
    55 Tcl_NewObj;
    56 Tcl_NewStringObj sized;
    73 Tcl_AsyncInvoke;
    75 Tcl_AsyncReady;
    79 Tcl_CallWhenDeleted;
    96 Tcl_CreateObjCommand;
    159 Tcl_GetCommandInfo;
    166 Tcl_GetObjResult;
    195 Tcl_ObjGetVar2;
    201 Tcl_Preserve;
    216 Tcl_Release;
    217 Tcl_ResetResult;
    234 Tcl_SetObjErrorCode;
    235 Tcl_SetObjResult;
    288 Tcl_CreateThreadExitHandler;
    292 Tcl_EvalObjv sized;
    300 Tcl_GetCurrentThread;
    318 Tcl_ThreadAlert;
    319 Tcl_ThreadQueueEvent;
    487 Tcl_GetWideIntFromObj;
    488 Tcl_NewWideIntObj;
    494 Tcl_DictObjPut;
    503 Tcl_NewDictObj;
    506 Tcl_CreateNamespace;
    581 Tcl_Canceled;
    609 Tcl_BackgroundException;
}

/// Functions that moved, because their lengths are written through a pointer: Tcl 8.6.
pub(crate) mod eight {
    slots! { ALL:
        41 Tcl_GetStringFromObj sized;
        45 Tcl_ListObjGetElements sized;
    }
    #[cfg(test)]
    pub(super) const SLOTS: &[(usize, &str, bool)] = ALL;
}

/// The same in Tcl 9.
pub(crate) mod nine {
    slots! { ALL:
        651 Tcl_GetStringFromObj sized;
        661 Tcl_ListObjGetElements sized;
    }
    #[cfg(test)]
    pub(super) const SLOTS: &[(usize, &str, bool)] = ALL;
}

#[cfg(test)]
#[allow(clippy::print_stderr, reason = "tests say what they skip")]
mod tests {
    use std::collections::HashMap;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Declarations by slot, out of a `tclDecls.h`.
    fn declarations(header: &str) -> HashMap<usize, String> {
        let mut found = HashMap::new();
        for part in header.split("/* ").skip(1) {
            let Some((number, rest)) = part.split_once(" */") else { continue };
            let (Ok(number), Some(text)) = (number.parse(), rest.trim_start().strip_prefix("EXTERN")) else {
                continue;
            };
            if let Some((declaration, _)) = text.split_once(';') {
                found.insert(number, declaration.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
        found
    }

    /// The headers on this machine: those of Debian's packages, and of a Tcl 9 that the environment names.
    fn headers() -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> =
            ["/usr/include/tcl8.6", "/usr/include/tcl9.0", "/usr/include"].map(PathBuf::from).into();
        let shell = std::env::var_os("TRACEWELL_TCLSH9").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = std::env::split_paths(&path).map(|folder| folder.join("tclsh9.0"));
        for shell in shell.into_iter().chain(on_path) {
            folders.extend(shell.parent().and_then(Path::parent).map(|place| place.join("include")));
        }
        folders.sort();
        folders.dedup();
        folders.iter().map(|folder| folder.join("tclDecls.h")).filter(|file| file.is_file()).collect()
    }

    #[test]
    fn slots_are_those_of_the_headers() {
        let mut seen = [false; 2];
        for file in headers() {
            let text = std::fs::read(&file).unwrap();
            let found = declarations(&String::from_utf8_lossy(&text));
            let is_nine = found.values().any(|declaration| declaration.contains("Tcl_Size"));
            let own = if is_nine { nine::SLOTS } else { eight::SLOTS };
            for (number, name, sized) in BOTH.iter().chain(own) {
                let declaration = found.get(number).map_or("", String::as_str);
                assert!(
                    declaration.contains(&format!("{name}(")),
                    "{}: slot {number} is not {name} but {declaration}",
                    file.display()
                );
                if is_nine {
                    let has = declaration.contains("Tcl_Size") || declaration.contains("TCL_HASH_TYPE");
                    // Functions that a macro wraps take the place of a length by `void *`.
                    let wrapped = declaration.contains("void *lengthPtr");
                    assert_eq!(has || wrapped, *sized, "{}: {declaration}", file.display());
                }
            }
            seen[usize::from(is_nine)] = true;
        }
        for (seen, name) in seen.iter().zip(["8.6", "9"]) {
            if !seen {
                eprintln!("SKIPPED: no headers of Tcl {name}");
            }
        }
    }
}
