//! The parser over a published D test suite, when `TRACEWELL_DSUITE` names its folder: every `tst.*.d`
//! parses, and what fails for its syntax alone fails with the tag in its name.
#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};

use tracewell_dlang::cpp;
use tracewell_dlang::macros::{self, MacroEnv};
use tracewell_dlang::parse::{ParseOptions, TypeNames, parse};
use tracewell_dlang::source::{Origin, Source, Sources};

const TYPES: &[&str] = &[
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "ptrdiff_t",
    "size_t",
    "ssize_t",
    "id_t",
    "pid_t",
    "uchar_t",
    "ushort_t",
    "uint_t",
    "ulong_t",
    "u_longlong_t",
    "longlong_t",
    "gid_t",
    "uid_t",
    "vnode_t",
    "kthread_t",
    "proc_t",
    "caddr_t",
    "devinfo_t",
    "fileinfo_t",
    "bufinfo_t",
    "psinfo_t",
    "lwpsinfo_t",
    "conninfo_t",
    "cpuinfo_t",
    "pktinfo_t",
    "dev_t",
    "time_t",
    "zoneid_t",
    "callb_t",
    "dtrace_probedesc_t",
    "sysid_t",
    "in6_addr_t",
    "ipaddr_t",
    "char_t",
    "kmutex_t",
    "krwlock_t",
    "mblk_t",
    "hrtime_t",
    "timespec_t",
    "cyc_func_t",
    "vfs_t",
];

fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            files(&path, list);
        } else if path.extension().is_some_and(|e| e == "d") {
            list.push(path);
        }
    }
}

/// The tag and classic message of the first error, or `None` when the text parses.
fn outcome(path: &Path) -> Option<(String, String)> {
    let text = std::fs::read(path).expect("the suite is readable");
    let mut sources = Sources::default();
    let name = path.display().to_string();
    let text = match cpp::preprocess(&name, &text, &cpp::Config::default(), &mut |_| {
        Some((String::new(), vec![]))
    }) {
        Ok(output) => output.text,
        Err(error) => return Some(("preprocessor".into(), error.to_string())),
    };
    let id = sources.add(Source { name, origin: Origin::Script, text: text.into(), marks: vec![] });
    let mut types: TypeNames = TYPES.iter().copied().collect();
    let mut env = MacroEnv::new("script", (1..=9).map(|n| n.to_string()));
    for name in macros::NAMES {
        env.set(name, 1);
    }
    let result = parse(&mut sources, id, &mut types, &mut env, ParseOptions::default());
    result.err().map(|e| (e.tag.name().to_string(), e.classic(&sources, true)))
}

#[test]
fn the_published_suite_parses() {
    let Some(root) = std::env::var_os("TRACEWELL_DSUITE").map(PathBuf::from) else {
        tracewell_corpus::skip("dsuite", "set TRACEWELL_DSUITE to the folder of a published suite");
        return;
    };
    let mut list = Vec::new();
    files(&root, &mut list);
    list.sort();
    assert!(!list.is_empty(), "no .d files in {}", root.display());
    let (mut good, mut bad) = (0, Vec::new());
    let (mut tagged, mut wrong) = (0, Vec::new());
    let mut others = std::collections::BTreeMap::<String, usize>::new();
    for path in &list {
        let shown = path.strip_prefix(&root).unwrap_or(path).display();
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else { continue };
        let result = outcome(path);
        if name.starts_with("tst.") || name.starts_with("drp.") {
            match result {
                None => good += 1,
                Some((_, message)) => bad.push(format!("{shown}: {message}")),
            }
        } else if let Some(tag) = name.strip_prefix("err.").and_then(|n| n.split('.').next()) {
            let syntactic =
                ["D_SYNTAX", "D_PRAG", "D_INT_", "D_STR_", "D_CHR_", "D_MACRO_OFLOW", "D_FUNC_IDENT"];
            let expected = syntactic.iter().any(|s| tag.starts_with(s));
            match result {
                Some((found, _)) if found == tag => tagged += 1,
                Some((found, message)) if tag.starts_with("D_") => {
                    wrong.push(format!("{shown}: {found}: {message}"))
                }
                None if expected => wrong.push(format!("{shown}: parses")),
                None => *others.entry("parses, error is for the checker".into()).or_default() += 1,
                Some((found, message)) => {
                    eprintln!("untagged {shown}: {message}");
                    *others.entry(found).or_default() += 1;
                }
            }
        }
    }
    eprintln!(
        "{good} parse as they should, {} do not; {tagged} fail with their tag, {} do not",
        bad.len(),
        wrong.len()
    );
    eprintln!("{others:?}");
    for line in bad.iter().chain(&wrong) {
        eprintln!("  {line}");
    }
    assert!(bad.is_empty(), "{} tests do not parse", bad.len());
}
