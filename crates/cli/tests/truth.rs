//! Every truth of the sample trace is reproduced by a D script, or by `etw`. See `tests/truth/truth.table`.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

/// A row: its fields as text.
type Row = Vec<String>;

fn truth() -> Value {
    let path = common::root().join("testdata/sample.truth.json");
    serde_json::from_slice(&std::fs::read(path).expect("the truth can be read")).expect("the truth is JSON")
}

fn table(name: &str) -> Vec<Vec<String>> {
    let path = common::root().join("tests/truth").join(name);
    std::fs::read_to_string(path)
        .expect("the table can be read")
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|l| l.split_whitespace().map(str::to_owned).collect())
        .collect()
}

/// A value as scripts print it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// One row of a truth: its number, its key, and the value.
struct Fact<'t> {
    number: usize,
    key: &'t str,
    value: &'t Value,
}

impl Fact<'_> {
    fn member(&self, key: &str) -> String {
        if key == "@key" { self.key.to_owned() } else { text(&self.value[key]) }
    }

    /// The text of a column; see the head of the table.
    fn column(&self, column: &str, volumes: &Value) -> String {
        if let Some(inner) = column.strip_suffix(')') {
            let (function, inner) = inner.split_once('(').expect("a function has an argument");
            return match function {
                "lower" => self.member(inner).to_lowercase(),
                "is" => {
                    let (key, value) = inner.split_once('=').expect("is() compares");
                    u8::from(self.member(key) == value.replace('_', " ")).to_string()
                }
                "dos" => dos(&self.member(inner), volumes),
                _ => panic!("no function {function}"),
            };
        }
        if let Some(literal) = column.strip_prefix('"') {
            return literal.trim_end_matches('"').to_owned();
        }
        match column {
            "." | "@value" => text(self.value),
            "#" => self.number.to_string(),
            key => self.member(key),
        }
    }
}

/// A device path with its drive letter, by the longest prefix that has one.
fn dos(path: &str, volumes: &Value) -> String {
    if path.is_empty() {
        return "<none>".to_owned();
    }
    let list = volumes.as_array().expect("volumes are a list");
    list.iter()
        .filter_map(|v| Some((v["nt"].as_str()?, v["dos"].as_str()?)))
        .filter(|(nt, _)| path.starts_with(nt))
        .max_by_key(|(nt, _)| nt.len())
        .map_or_else(|| path.to_owned(), |(nt, letter)| format!("{letter}{}", &path[nt.len()..]))
}

/// The rows at `POINTER[FILTER]`, made of columns.
fn rows(document: &Value, place: &str, columns: &[&str], volumes: &Value) -> Vec<Row> {
    let (pointer, filter) = match place.split_once('[') {
        Some((pointer, filter)) => (pointer, filter.trim_end_matches(']')),
        None => (place, ""),
    };
    let value = document.pointer(pointer).unwrap_or_else(|| panic!("there is no value at {pointer}"));
    let facts: Vec<Fact<'_>> = match value {
        Value::Array(list) => {
            list.iter().enumerate().map(|(number, value)| Fact { number, key: "", value }).collect()
        }
        Value::Object(members) => {
            members.iter().enumerate().map(|(number, (key, value))| Fact { number, key, value }).collect()
        }
        value => vec![Fact { number: 0, key: "", value }],
    };
    let passes = |fact: &Fact<'_>| {
        let Some((key, list)) = filter.split_once('=') else { return true };
        let (key, wanted) = match key.strip_suffix('!') {
            Some(key) => (key, false),
            None => (key, true),
        };
        list.split(',').any(|value| fact.member(key) == value.replace('_', " ")) == wanted
    };
    facts
        .iter()
        .filter(|fact| passes(fact))
        .map(|fact| columns.iter().map(|c| fact.column(c, volumes)).collect())
        .collect()
}

/// The rows that a script printed: fields between tabs, or a histogram in the classic layout.
fn printed(stdout: &str) -> Vec<Row> {
    let mut key = String::new();
    let mut rows = Vec::new();
    for line in stdout.lines().filter(|l| !l.trim().is_empty()) {
        if line.contains("- Distribution -") {
            continue;
        }
        match line.split_once('|') {
            Some((least, bar)) if bar.trim_matches(['@', ' ']).parse::<u64>().is_ok() => {
                let count = bar.trim_matches(['@', ' ']);
                if count != "0" {
                    rows.push(vec![key.clone(), least.trim().to_owned(), count.to_owned()]);
                }
            }
            _ if line.contains('\t') || !line.starts_with(' ') => {
                rows.push(line.split('\t').map(str::to_owned).collect());
            }
            _ => key = line.trim().to_owned(),
        }
    }
    rows
}

/// Says how rows differ, as multisets; nothing when they do not.
fn compare(mut want: Vec<Row>, mut have: Vec<Row>) -> Option<String> {
    want.sort();
    have.sort();
    if want == have {
        return None;
    }
    let count = |rows: &[Row]| {
        let mut counts: BTreeMap<Row, usize> = BTreeMap::new();
        for row in rows {
            *counts.entry(row.clone()).or_default() += 1;
        }
        counts
    };
    let (wanted, had) = (count(&want), count(&have));
    let only = |a: &BTreeMap<Row, usize>, b: &BTreeMap<Row, usize>| {
        a.iter()
            .filter(|(row, n)| b.get(*row).copied().unwrap_or(0) < **n)
            .map(|(row, _)| row.join(" | "))
            .collect::<Vec<_>>()
    };
    let mut report = format!("{} rows, the truth has {}", have.len(), want.len());
    for (what, list) in [("truth only", only(&wanted, &had)), ("script only", only(&had, &wanted))] {
        for row in list.iter().take(4) {
            let _ = write!(report, "\n      {what}: {row}");
        }
        if list.len() > 4 {
            let _ = write!(report, "\n      {what}: {} more", list.len() - 4);
        }
    }
    Some(report)
}

fn script_rows(name: &str) -> Result<Vec<Row>, String> {
    let path = format!("tests/truth/{name}.d");
    let source = std::fs::read_to_string(common::root().join(&path)).map_err(|e| format!("{path}: {e}"))?;
    let mut command = common::command("dtrace");
    if source.lines().any(|l| l.starts_with("#define")) {
        command.arg("-C");
    }
    let ran = common::run(command.args(["-q", "-s", &path, "-E", "testdata/sample.etl"]));
    if ran.status != Some(0) || !ran.stderr.is_empty() {
        return Err(format!("status {:?}: {}", ran.status, ran.stderr));
    }
    Ok(printed(&ran.stdout))
}

#[test]
fn scripts_give_the_truth() {
    let truth = truth();
    let volumes = &truth["volumes"];
    let mut wrong = Vec::new();
    let mut checked = 0;
    for line in table("truth.table").iter().filter(|l| l[0] != "open") {
        let (name, place) = (&line[0], &line[1]);
        let columns: Vec<&str> = line[2..].iter().map(String::as_str).collect();
        let want = rows(&truth, place, &columns, volumes);
        assert!(!want.is_empty(), "the truth has nothing at {place}");
        checked += want.len();
        match script_rows(name) {
            Ok(have) => wrong.extend(compare(want, have).map(|report| format!("{name}: {report}"))),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} scripts give wrong answers:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked > 700, "the table holds many rows: {checked}");
}

/// The process that creates another one is the current one, and the new one is the argument.
#[test]
fn issue_16_processes_and_threads_are_created_by_the_current_one() {
    let truth = truth();
    let printed_by = |program: &str| {
        let ran = common::run(common::command("dtrace").args(["-qn", program, "-E", "testdata/sample.etl"]));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{program}");
        printed(&ran.stdout)
    };
    let created = "BEGIN { start = timestamp; } proc:::create { printf(\"%d\\t%d\\t%s\\t%d\\n\", timestamp - start, pid, \
                   args[0]->pr_psargs, args[0]->pr_pid); }";
    let wanted = rows(&truth, "/process_starts", &["at_ns", "parent", "command", "pid"], &Value::Null);
    assert_eq!(compare(wanted, printed_by(created)), None);
    // A new process has its first thread from its creator.
    let threads = "proc:::lwp-create { @[args[1]->pr_fname] = count(); } END { printa(\"%s\\t%@d\\n\", @); }";
    let wanted = rows(&truth, "/counts_by_program[what=lwp-start]", &["program", "count"], &Value::Null);
    assert!(!wanted.is_empty());
    assert_eq!(compare(wanted, printed_by(threads)), None);
    let creators = "proc:::lwp-create { @[pid == args[1]->pr_pid || pid == args[1]->pr_ppid] = count(); } \
                    END { printa(\"%d\\t%@d\\n\", @); }";
    let all = text(&truth["counts"]["lwp-start"]);
    assert_eq!(printed_by(creators), [["1".to_owned(), all]]);
}

/// Whole stacks, frame by frame: `tests/truth/stacks.d` counts them by event, mode, program and stack.
#[test]
fn stacks_match_the_truth() {
    let mut want: BTreeMap<Row, u64> = BTreeMap::new();
    for row in truth()["stacks"].as_array().expect("stacks are a list") {
        let frames: Vec<String> =
            row["frames"].as_array().expect("frames are a list").iter().map(text).collect();
        let key = vec![text(&row["event"]), text(&row["mode"]), text(&row["program"]), frames.join(" ")];
        *want.entry(key).or_default() += row["count"].as_u64().expect("a count");
    }
    let script = ["-q", "--json", "-s", "tests/truth/stacks.d", "-E", "testdata/sample.etl"];
    let ran = common::run(common::command("dtrace").args(script));
    assert!(ran.status == Some(0) && ran.stderr.is_empty(), "{:?}: {}", ran.status, ran.stderr);
    let mut have: BTreeMap<Row, u64> = BTreeMap::new();
    for line in ran.stdout.lines() {
        let row: Value = serde_json::from_str(line).expect("a line is a JSON object");
        let keys = row["keys"].as_array().expect("keys are a list");
        // A stack is a list of its frames.
        let key = keys
            .iter()
            .map(|key| match key {
                Value::Array(frames) => frames.iter().map(text).collect::<Vec<_>>().join(" "),
                key => text(key),
            })
            .collect();
        *have.entry(key).or_default() += row["value"].as_u64().expect("a count");
    }
    let differing: Vec<_> = want.iter().filter(|(k, n)| have.get(*k) != Some(n)).take(4).collect();
    assert!(differing.is_empty(), "truth only: {differing:?}");
    assert_eq!(have.values().sum::<u64>(), want.values().sum::<u64>(), "the script counts no others");
}

#[test]
fn etw_matches_the_truth() {
    let truth = truth();
    let mut said: BTreeMap<String, Value> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in table("etw.table") {
        let [sub, have_place, have_columns, want_place, want_columns] = &line[..] else {
            panic!("a line of etw.table has not five columns: {line:?}");
        };
        let document = said.entry(sub.clone()).or_insert_with(|| {
            let ran = common::run(common::command("etw").args([sub, "--json", "testdata/sample.etl"]));
            assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "etw {sub}");
            serde_json::from_str(&ran.stdout).expect("etw prints JSON")
        });
        let read = |document: &Value, place: &str, columns: &str| {
            let columns: Vec<&str> = columns.split(',').collect();
            let mut sums: BTreeMap<Row, u64> = BTreeMap::new();
            for mut row in rows(document, place, &columns, &Value::Null) {
                let number =
                    row.pop().and_then(|n| n.parse::<u64>().ok()).expect("the last column is a number");
                *sums.entry(row).or_default() += number;
            }
            sums.into_iter()
                .map(|(mut row, sum)| {
                    row.push(sum.to_string());
                    row
                })
                .collect::<Vec<Row>>()
        };
        let (want, have) = (read(&truth, want_place, want_columns), read(document, have_place, have_columns));
        wrong.extend(compare(want, have).map(|report| format!("etw {sub} {have_place}: {report}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each number and text of the truth as `POINTER` or, in a list, `POINTER KEY`.
fn leaves(pointer: &str, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                leaves(&format!("{pointer}/{key}"), value, found);
            }
        }
        Value::Array(list) => {
            for key in list.iter().filter_map(Value::as_object).flat_map(serde_json::Map::keys) {
                found.insert(format!("{pointer} {key}"));
            }
        }
        _ => {
            found.insert(pointer.to_owned());
        }
    }
}

/// What a line's place and columns hold of the truth, named as [`leaves`] names it.
fn held(truth: &Value, place: &str, columns: &[&str], found: &mut BTreeSet<String>) {
    let pointer = place.split('[').next().unwrap_or(place);
    match truth.pointer(pointer) {
        Some(Value::Object(_)) => {
            for row in rows(truth, place, &["@key"], &truth["volumes"]) {
                found.insert(format!("{pointer}/{}", row[0]));
            }
        }
        Some(Value::Array(_)) => {
            for column in columns {
                let inner = column.split_once('(').map_or(*column, |(_, inner)| inner.trim_end_matches(')'));
                let key = inner.split('=').next().unwrap_or(inner);
                found.insert(format!("{pointer} {key}"));
                if column.starts_with("dos(") {
                    found.extend(["/volumes nt".to_owned(), "/volumes dos".to_owned()]);
                }
            }
        }
        _ => {
            found.insert(pointer.to_owned());
        }
    }
}

#[test]
fn no_truth_is_left_out() {
    let truth = truth();
    let mut all = BTreeSet::new();
    leaves("", &truth, &mut all);
    let mut covered = BTreeSet::new();
    let mut open = Vec::new();
    for line in table("truth.table") {
        let columns: Vec<&str> = line[2..].iter().map(String::as_str).collect();
        if line[0] == "open" {
            assert!(truth.pointer(&line[1]).is_some(), "there is no value at {}", line[1]);
            open.push(line[1].clone());
        } else {
            held(&truth, &line[1], &columns, &mut covered);
        }
    }
    for line in table("etw.table") {
        held(&truth, &line[3], &line[4].split(',').collect::<Vec<_>>(), &mut covered);
    }
    let within = |leaf: &str, place: &str| leaf.split([' ', '/']).zip(place.split('/')).all(|(a, b)| a == b);
    let missing: Vec<&String> = all
        .iter()
        .filter(|leaf| !leaf.starts_with("/about/"))
        .filter(|leaf| !covered.contains(*leaf) && !open.iter().any(|place| within(leaf, place)))
        .collect();
    assert!(missing.is_empty(), "no test holds these truths: {missing:?}");
    let needless: Vec<&String> =
        open.iter().filter(|place| covered.iter().any(|leaf| within(leaf, place))).collect();
    assert!(needless.is_empty(), "these truths are held, and need no line `open`: {needless:?}");
}
