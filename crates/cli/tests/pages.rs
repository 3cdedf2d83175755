//! The programs in our pages are run, and print what the pages say.
//!
//! A block of D (three back quotes and `d`) in a page of `docs/` is a program; the block of text after it is what the
//! program prints.

#![allow(missing_docs)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Pages with programs, and how many there are at least.
const PAGES: &[(&str, usize)] = &[("dx.md", 5)];

/// Programs of a page with what they print, and the line where each begins.
fn programs(page: &str) -> Vec<(usize, String, String)> {
    let mut list: Vec<(usize, String, String)> = Vec::new();
    let mut inside: Option<&str> = None;
    for (number, line) in page.lines().enumerate() {
        match (inside, line.strip_prefix("```")) {
            (None, Some("d")) => {
                list.push((number + 1, String::new(), String::new()));
                inside = Some("d");
            }
            (None, Some(kind)) => inside = Some(kind),
            (Some(_), Some(_)) => inside = None,
            (Some(kind), None) => {
                let Some((_, program, printed)) = list.last_mut() else { continue };
                let text = match kind {
                    "d" => program,
                    "text" => printed,
                    _ => continue,
                };
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    list
}

#[test]
fn programs_of_the_pages_print_what_they_say() {
    for (name, least) in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        let page = std::fs::read_to_string(&path).unwrap();
        let programs = programs(&page);
        assert!(programs.len() >= *least, "{name} has {} programs", programs.len());
        for (line, program, printed) in programs {
            let mut child = Command::new(env!("CARGO_BIN_EXE_dtrace"))
                .args(["-s", "-"])
                .env("TZ", "UTC")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            let got = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
            // The last empty line of a printed block cannot be seen in a page.
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(got.trim_end(), printed.trim_end(), "{name}, line {line}: {errors}");
        }
    }
}
