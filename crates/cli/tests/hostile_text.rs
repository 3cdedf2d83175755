//! Names and strings of a trace, of files and of command lines that act on a terminal (issue 14): no command puts them out
//! raw, in any form.

#![allow(missing_docs)]

mod common;

use common::Ran;
use tracewell_corpus::Scratch;
use tracewell_types::visible::is_active;

/// Names of the sample, and what takes their places: as long in bytes, or in units of UTF-16.
const NAMES: [(&str, &str); 7] = [
    ("Contoso.ShopApi.Checkout", "=\x1b[2J\u{9b}31m\u{202e}provider.xy"),
    ("OrderPlaced", "=\x1b[2J\u{9b}m\u{202e}"),
    ("InvoicePrinted", "\x1b]0;\u{9b}\u{2066}\x07Prin"),
    ("discount", "\x1b[\u{9b}\u{202e}c"),
    ("CL.exe", "\x1b\u{202e}.e"),
    ("Heron.exe", "\x1b[2J\u{9b}.ex"),
    ("Contoso.Invoicer", "-\x1b[8m\u{200f}\u{9b}Invoic"),
];
const WIDE: [(&str, &str); 7] = [
    ("Chidi", "=\x1b\u{9b}\u{202e}\r"),
    ("Eun-ji", "@\x1b[2J\u{7}"),
    ("Tools", "\x1b[2J\u{9b}"),
    ("Heron", "\u{9b}2J\u{2067}\u{feff}"),
    ("ShopApi.Orders", "\x1b[31mOrders\u{202e}\u{9b}x"),
    ("www.example.com", "=\x1b]0;title\x07\u{9b}\u{202e}xy"),
    ("declined", "+\x1b[8m\u{9b}\u{200e}x"),
];

/// The sample with those names.
fn trace(folder: &Scratch) -> String {
    let mut bytes = std::fs::read(common::sample()).expect("the sample can be read");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let narrow = NAMES.iter().map(|(from, to)| (from.as_bytes().to_vec(), to.as_bytes().to_vec()));
    let wide = WIDE.iter().map(|(from, to)| (wide(from), wide(to)));
    for (from, to) in narrow.chain(wide) {
        assert_eq!(from.len(), to.len(), "{:?}", String::from_utf8_lossy(&to));
        let places: Vec<usize> =
            (0..bytes.len() - from.len()).filter(|at| bytes[*at..*at + from.len()] == from[..]).collect();
        assert!(!places.is_empty(), "{:?}", String::from_utf8_lossy(&from));
        places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(&to));
    }
    folder.write("hostile.etl", &bytes).display().to_string()
}

/// Runs a command; nothing that it says acts on a terminal. Answers all of it.
fn shown(program: &str, words: &[&str]) -> String {
    let Ran { stdout, stderr, .. } = common::run(common::command(program).args(words));
    for text in [&stdout, &stderr] {
        let plain = text.replace("\r\n", "\n");
        if let Some(at) = plain.find(|c| is_active(c) && !matches!(c, '\n' | '\t')) {
            let from = plain[..at].rfind('\n').map_or(0, |line| line + 1);
            panic!("{program} {words:?}: {:?}", plain[from..].lines().next());
        }
        // Pictures show that character instead of others.
        let is_text = words.contains(&"--flame") || !text.contains(char::REPLACEMENT_CHARACTER);
        assert!(is_text, "{program} {words:?} puts out what is not UTF-8");
    }
    stdout + &stderr
}

#[test]
fn issue_14_no_form_of_etw_puts_out_what_acts_on_a_terminal() {
    let folder = Scratch::new("hostile-etw");
    let trace = trace(&folder);
    // What must be among it: a name in the escaped form of each.
    let (text, json) = (r"\x1b[2J\x9b", r"\u001b[2J\u009b");
    for (words, wanted) in [
        (&["info"][..], ""),
        (&["info", "--json"], ""),
        (&["stats"], text),
        (&["stats", "--json"], json),
        (&["verify"], ""),
        (&["verify", "--json"], ""),
        (&["dump"], text),
        (&["dump", "--stacks", "--messages"], text),
        (&["dump", "--fields", "process,provider,event,customer"], text),
        (&["dump", "--json"], json),
        (&["dump", "--json", "--fields", "process,provider,event,customer"], json),
        (&["dump", "--csv"], text),
        (&["dump", "--csv", "--stacks"], text),
        (&["dump", "--csv", "--fields", "process,provider,event,customer"], text),
        (&["dump", "--list"], r"\u001b\[2J\u009b"),
        (&["dump", "--where", "process == \"\x1b\""], ""),
        (&["dump", "--fields", "\x1b\u{9b}\u{202e}"], r"\x1b\x9b\u202e"),
        (&["watch"], text),
        (&["watch", "--json"], json),
        (&["symbols"], ""),
        (&["symbols", "--json"], ""),
        (&["schema", "list"], ""),
        (&["schema", "show"], ""),
    ] {
        if words[0] == "watch" && !cfg!(target_os = "linux") {
            continue;
        }
        let said = shown("etw", &[words, &[&trace]].concat());
        assert!(said.contains(wanted), "{words:?} has no {wanted}: {:.2000}", said);
        assert!(!said.is_empty(), "{words:?}");
    }
    // JSON says the names exactly.
    let said = shown("etw", &["dump", "--json", "--fields", "customer", &trace]);
    let names = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let exact = names.filter(|line| {
        line.to_string().contains("Chidi") || line.to_string().contains("=\\u001b\u{9b}\u{202e}\\r")
    });
    assert!(exact.count() > 10, "{said:.1000}");
    // So does CSV when it is asked for.
    let ran =
        common::run(common::command("etw").args(["dump", "--csv", "--raw", "--fields", "event", &trace]));
    assert!(ran.stdout.contains("=\x1b[2J\u{9b}m\u{202e}"), "{:.1000}", ran.stdout);
    // A spreadsheet gets no formula.
    let said = shown("etw", &["dump", "--csv", "--fields", "provider,event", &trace]);
    let formulas =
        said.split(['\n', ',']).filter(|cell| cell.trim_start_matches('"').starts_with(['=', '+', '-', '@']));
    assert_eq!(formulas.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn issue_14_no_form_of_dtrace_puts_out_what_acts_on_a_terminal() {
    let folder = Scratch::new("hostile-dtrace");
    let trace = trace(&folder);
    let sampled = "profile:::sample-997";
    let clause = |body: &str| format!("{sampled} {{ {body} }}");
    let (text, json) = (r"\x1b[2J\x9b", r"\u001b[2J\u009b");
    for (body, options, wanted) in [
        ("@[execname] = count();", &[][..], text),
        ("@[execname] = count();", &["--json"], json),
        ("@[execname] = count(); printa(\"%s %@d\\n\", @);", &[], text),
        ("@[execname] = count();", &["-x", "agghist"], text),
        ("@[execname] = quantize(cpu);", &["-x", "aggpack"], text),
        ("trace(execname);", &[], text),
        ("trace(execname);", &["-q"], text),
        ("trace(execname);", &["-F"], text),
        (
            "printf(\"%s|%20s|%-20s|%.3s|%S\\n\", execname, execname, execname, execname, execname);",
            &[],
            text,
        ),
        ("printf(\"%s\\n\", execname);", &["--json"], json),
        ("print(execname);", &["-q"], r"\033[2J"),
        ("printf(\"%c\", execname[0]);", &["-q"], r"\x1b"),
        ("@[ustack()] = count();", &[], "`0x"),
        ("@[ustack()] = count();", &["--json"], "`0x"),
        ("@[ustack()] = count();", &["--folded"], ""),
        ("@[ustack()] = count();", &["--flame", "-"], ""),
        ("@[umod(arg1)] = count(); @a[usym(arg1)] = count(); @b[uaddr(arg1)] = count();", &[], "`"),
    ] {
        let program = clause(body);
        let words = [&["-n", &program][..], options, &["-E", &trace]].concat();
        let said = shown("dtrace", &words);
        // Names of programs are in lower case.
        let said = said.to_lowercase();
        assert!(said.contains(&wanted.to_lowercase()), "{body} {options:?} has no {wanted}: {said:.2000}");
    }
    let said = shown("dtrace", &["-l", "-E", &trace]);
    assert!(said.lines().count() > 100, "{said:.2000}");
    shown("dtrace", &["-lv", "-E", &trace]);
    // Only the script's text is as the script has it, and names when they are asked for exactly.
    let raw = |options: &[&str], body: &str| {
        let program = clause(body);
        let words = [&["-qn", &program][..], options, &["-E", &trace]].concat();
        common::run(common::command("dtrace").args(words)).stdout
    };
    assert!(raw(&["-x", "rawtext"], "printf(\"%s\\n\", execname);").contains("\x1b[2j\u{9b}"));
    assert!(raw(&[], "printf(\"\\033[H%d\\n\", cpu);").contains("\x1b[H"));
    assert!(!raw(&[], "printf(\"%s\\n\", \"\\033[H\");").contains('\x1b'));
}

#[test]
fn issue_14_errors_put_out_nothing_that_acts_on_a_terminal() {
    let folder = Scratch::new("hostile-errors");
    let script =
        folder.write("s\x1b[2J.d", "BEGIN { \x1b[2J\u{9b}\u{202e} }".as_bytes()).display().to_string();
    let long = "x\x1b[2J\u{9b}\u{202e}";
    for (program, words) in [
        ("etw", &["dump", long][..]),
        ("etw", &["verify", "--json", long]),
        ("etw", &[long]),
        ("etw", &["dump", "--where", long, "x"]),
        ("etw", &["merge", "-o", "/nowhere/made", long]),
        ("dtrace", &["-s", &script]),
        ("dtrace", &["-n", long]),
        ("dtrace", &["-x", long, "-n", "BEGIN"]),
        ("dtrace", &["-E", long, "-n", "BEGIN"]),
        ("dtrace", &["-l", "-n", long]),
        ("dtrace", &["--x\x1b[2J"]),
    ] {
        let said = shown(program, words);
        assert!(
            [r"\x1b", r"\x9b", r"\u001b"].iter().any(|escape| said.contains(escape)),
            "{program} {words:?}: {said}"
        );
    }
}

#[test]
fn issue_14_an_exported_description_does_not_act_on_a_terminal() {
    if !common::has_terminal() {
        let reason = "install script(1), which makes a terminal";
        return tracewell_corpus::skip("descriptions exported to a terminal", reason);
    }
    let folder = Scratch::new("hostile-export");
    let mof = "[Guid(\"{0ad614c4-0ef4-4225-8000-0123456789ac}\"), EventVersion(1)] class Till : EventTrace {};\n\
               [EventType(11), EventTypeName(\"Ring\")] class Till_Ring : Till { [WmiDataId(1)] uint32 Cents; };\n\
               // \x1b[2J\u{9b}\u{202e} a comment\n";
    let wide: Vec<u8> = format!("\u{feff}{mof}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [("narrow", mof.as_bytes()), ("wide", &wide)] {
        let file = folder.write(&format!("{name}.mof"), bytes).display().to_string();
        let store = folder.join(name).display().to_string();
        let words = |words: &[&str]| -> Vec<String> {
            ["etw", "schema"].iter().chain(words).chain(&["--store", &store]).map(|&w| w.to_owned()).collect()
        };
        let run = |words: &[String]| common::command(&words[0]).args(&words[1..]).output().unwrap();
        run(&words(&["import", &file]));
        let export = words(&["export", "Till", "-o", "-"]);
        assert_eq!(run(&export).stdout, bytes, "{name}: exactly what was imported");
        let said = common::on_terminal(&export).output().unwrap().stdout;
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains(r"// \x1b[2J\x9b") && said.contains("class Till"), "{name}: {said:?}");
        assert!(!said.contains(|c| is_active(c) && !matches!(c, '\n' | '\r' | '\t')), "{name}: {said:?}");
    }
}
