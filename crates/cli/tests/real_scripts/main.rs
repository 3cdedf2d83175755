//! Answers of the scripts over real traces, compared with a second computation: `facts.rs` reads the records by hand and
//! `tallies.rs` adds them up, without any code of the engine, the probes or the decoder.
//!
//! `tests/scripts/real.table` says which table of which script is compared with which tally, and the expected totals.
//! `TRACEWELL_BLESS=1` rewrites the last two columns from the tallies.

#[path = "../common/mod.rs"]
mod common;
mod facts;
mod tallies;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use facts::Facts;

/// A row: what it is about, and its numbers.
type Row = (Vec<String>, Vec<i64>);

/// A line of the table.
#[derive(Clone)]
struct Check {
    /// The script and its arguments.
    script: Vec<String>,
    trace: String,
    /// Which lines of the output: see the head of the table.
    part: String,
    columns: Vec<char>,
    tally: String,
    /// How many rows there are at most; none for all.
    most: Option<usize>,
    /// How many rows the script shows, and the sum of their first numbers.
    rows: String,
    sum: String,
}

impl Check {
    fn parse(line: &str) -> Check {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [script, trace, part, columns, tally, most, rows, sum] = fields[..] else {
            panic!("a line of real.table has not eight columns: {line}");
        };
        Check {
            script: script.split_whitespace().map(str::to_owned).collect(),
            trace: trace.to_owned(),
            part: part.to_owned(),
            columns: columns.split_whitespace().filter_map(|column| column.chars().next()).collect(),
            tally: tally.to_owned(),
            most: most.strip_prefix("top ").map(|most| most.parse().expect("a number of rows")),
            rows: rows.to_owned(),
            sum: sum.to_owned(),
        }
    }

    /// The lines of an output that are meant, as rows.
    fn rows(&self, output: &str) -> Result<Vec<Row>, String> {
        if self.columns == ['h'] {
            return Ok(histograms(output, &self.part));
        }
        let lines: Vec<&str> = if let Some(begin) = self.part.strip_prefix('^') {
            output.lines().filter(|line| line.starts_with(begin)).collect()
        } else if let Some(end) = self.part.strip_prefix('$') {
            output.lines().filter(|line| line.ends_with(end)).collect()
        } else {
            let heading = output.lines().position(|line| line.trim_start().starts_with(&self.part));
            let heading = heading.ok_or_else(|| format!("no line begins with {}", self.part))?;
            let below = output.lines().skip(heading + 1).skip_while(|line| line.trim().is_empty());
            below.take_while(|line| !line.trim().is_empty()).collect()
        };
        lines.into_iter().map(|line| self.row(line)).collect()
    }

    /// One line by the columns: words and numbers from both ends, and at most one text between them.
    fn row(&self, line: &str) -> Result<Row, String> {
        let bad = || format!("not a row of {} columns: {line}", self.columns.len());
        let mut rest = line.trim();
        let text = self.columns.iter().position(|column| "tpy".contains(*column));
        let mut fields = vec![String::new(); self.columns.len()];
        for field in fields.iter_mut().take(text.unwrap_or(self.columns.len())) {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            if end == 0 {
                return Err(bad());
            }
            rest[..end].clone_into(field);
            rest = rest[end..].trim_start();
        }
        if let Some(text) = text {
            for at in (text + 1..self.columns.len()).rev() {
                let begin = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                rest[begin..].clone_into(&mut fields[at]);
                rest = rest[..begin].trim_end();
            }
            let end =
                if self.columns[text] == 'p' { rest.find("  ").unwrap_or(rest.len()) } else { rest.len() };
            rest[..end].clone_into(&mut fields[text]);
        } else if !rest.is_empty() {
            return Err(bad());
        }
        let mut row = (Vec::new(), Vec::new());
        for (column, field) in self.columns.iter().zip(fields) {
            match column {
                'n' => row.1.push(field.parse().map_err(|_| bad())?),
                'w' | 't' | 'p' => row.0.push(field),
                'x' | 'y' => {}
                _ => panic!("no kind of column {column}"),
            }
        }
        Ok(row)
    }
}

/// The histograms whose key line begins with a text, as rows of key, least value and count.
fn histograms(output: &str, begin: &str) -> Vec<Row> {
    let mut key = String::new();
    let mut rows = Vec::new();
    for line in output.lines().filter(|line| !line.trim().is_empty() && !line.contains("- Distribution -")) {
        match line.split_once('|') {
            Some((least, bar)) if bar.trim_matches(['@', ' ']).parse::<i64>().is_ok() => {
                let count = bar.trim_matches(['@', ' ']).parse().expect("it was read before");
                if count != 0 && key.starts_with(begin) {
                    rows.push((vec![key.clone(), least.trim().to_owned()], vec![count]));
                }
            }
            _ => line.trim().clone_into(&mut key),
        }
    }
    rows
}

/// How rows that a script shows differ from those of a tally; nothing when they do not.
fn compare(mut shown: Vec<Row>, mut tallied: Vec<Row>, most: Option<usize>) -> Option<String> {
    let mut report = String::new();
    if let Some(most) = most {
        // The script shows those with the largest numbers. Which of equals are left out is not settled.
        tallied.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.first().copied()));
        let least = tallied.get(most - 1).and_then(|(_, numbers)| numbers.first().copied());
        if shown.len() != most.min(tallied.len()) {
            let _ = write!(report, "\n      {} rows in place of {}", shown.len(), most.min(tallied.len()));
        }
        let equal = |row: &Row| least.is_some() && row.1.first().copied() == least;
        tallied.truncate(
            most.max(tallied.iter().take_while(|row| row.1.first().copied() > least || equal(row)).count()),
        );
        let missing =
            tallied.iter().filter(|row| !equal(row) && !shown.contains(row)).cloned().collect::<Vec<_>>();
        let wrong = shown.iter().filter(|row| !tallied.contains(row)).cloned().collect::<Vec<_>>();
        for (what, rows) in [("only tallied", missing), ("only shown", wrong)] {
            for row in rows.iter().take(4) {
                let _ = write!(report, "\n      {what}: {row:?}");
            }
        }
        return (!report.is_empty()).then_some(report);
    }
    shown.sort();
    tallied.sort();
    if shown == tallied {
        return None;
    }
    let counted = |rows: &[Row]| {
        let mut counts: BTreeMap<Row, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *counts.entry(row.clone()).or_default() += 1);
        counts
    };
    let (had, wanted) = (counted(&shown), counted(&tallied));
    let _ = write!(report, "{} rows, tallied {}", shown.len(), tallied.len());
    for (what, one, other) in [("only tallied", &wanted, &had), ("only shown", &had, &wanted)] {
        let only: Vec<&Row> =
            one.iter().filter(|(row, n)| other.get(*row).unwrap_or(&0) < n).map(|(row, _)| row).collect();
        for row in only.iter().take(5) {
            let _ = write!(report, "\n      {what}: {row:?}");
        }
        if only.len() > 5 {
            let _ = write!(report, "\n      {what}: {} more", only.len() - 5);
        }
    }
    Some(report)
}

fn table_path() -> PathBuf {
    common::root().join("tests/scripts/real.table")
}

/// The lines of the table, with what is a check.
fn table() -> Vec<(String, Option<Check>)> {
    let text = std::fs::read_to_string(table_path()).expect("the table can be read");
    let check = |line: &str| {
        let is = !line.starts_with('#') && !line.trim().is_empty();
        (line.to_owned(), is.then(|| Check::parse(line)))
    };
    text.lines().map(check).collect()
}

/// What a script says over a trace.
fn answer(script: &[String], trace: &std::path::Path) -> Result<String, String> {
    let mut command = common::command("dtrace");
    command.arg("-s").arg(format!("scripts/{}", script[0])).arg("-E").arg(trace).args(&script[1..]);
    let ran = common::run(&mut command);
    let strange = ran.stderr.lines().find(|line| {
        // The lines below a line about probes that cannot fire list what they need.
        let expected = [
            " cannot fire here",
            "the session lost",
            "no symbol path is set",
            "the answer covers the trace only",
        ];
        !line.starts_with("  ") && !expected.iter().any(|known| line.contains(known))
    });
    match strange {
        Some(line) => Err(line.to_owned()),
        None if ran.status == Some(0) => Ok(ran.stdout),
        None => Err(format!("status {:?}", ran.status)),
    }
}

#[test]
fn scripts_answer_what_the_records_add_up_to() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let mut lines = table();
    let mut traces: Vec<String> =
        lines.iter().filter_map(|(_, check)| Some(check.as_ref()?.trace.clone())).collect();
    traces.sort();
    traces.dedup();
    let (mut wrong, mut rows) = (Vec::new(), 0);
    for trace in traces {
        let path = corpus.join(&trace);
        let facts = Facts::read(&path);
        let mut said: BTreeMap<Vec<String>, Result<String, String>> = BTreeMap::new();
        for (line, check) in &mut lines {
            let Some(check) = check.as_mut().filter(|check| check.trace == trace) else { continue };
            let output = said.entry(check.script.clone()).or_insert_with(|| answer(&check.script, &path));
            let shown = output.clone().and_then(|output| check.rows(&output));
            let place = format!("{} over {trace}, {}", check.script.join(" "), check.part);
            let shown = match shown {
                Ok(shown) => shown,
                Err(error) => {
                    wrong.push(format!("{place}: {error}"));
                    continue;
                }
            };
            let tallied = tallies::tally(&check.tally, &facts, &check.script[1..]);
            rows += shown.len();
            let count = tallied.len().min(check.most.unwrap_or(usize::MAX));
            let mut numbers: Vec<i64> =
                tallied.iter().filter_map(|(_, numbers)| numbers.first().copied()).collect();
            numbers.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
            let sum: i64 = numbers.iter().take(count).sum();
            if tallied.is_empty() {
                wrong.push(format!("{place}: nothing to compare with"));
            }
            if let Some(report) = compare(shown, tallied, check.most) {
                wrong.push(format!("{place}: {report}"));
            }
            let stated = (count.to_string(), sum.to_string());
            if stated != (check.rows.clone(), check.sum.clone()) {
                if common::bless() {
                    let kept: Vec<&str> = line.split('|').take(6).collect();
                    *line = format!("{}| {} | {}", kept.join("|"), stated.0, stated.1);
                } else {
                    wrong.push(format!(
                        "{place}: the table says {} rows and {}, not {stated:?}",
                        check.rows, check.sum
                    ));
                }
            }
        }
    }
    if common::bless() {
        let text: String = lines.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect();
        std::fs::write(table_path(), text).expect("the table can be written");
    }
    assert!(wrong.is_empty(), "{} tables differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows > 1000, "{rows} rows were compared");
}

/// The comparison itself refuses what is wrong.
#[test]
fn a_wrong_row_is_found() {
    let check = Check::parse("a.d | t | NAME | w n t | x | all | 0 | 0");
    let output = "head\n  NAME  N FILE\nab 3 C:\\a b\ncd 2 <none>\n\nmore 1\n";
    let row = |name: &str, number: i64, file: &str| (vec![name.to_owned(), file.to_owned()], vec![number]);
    let right = vec![row("ab", 3, "C:\\a b"), row("cd", 2, "<none>")];
    assert_eq!(check.rows(output), Ok(right.clone()));
    assert_eq!(compare(right.clone(), right.clone(), None), None);
    assert!(compare(right[..1].to_vec(), right.clone(), None).is_some());
    assert!(compare(vec![row("ab", 4, "C:\\a b"), right[1].clone()], right.clone(), None).is_some());
    // Of the largest: others than these, or numbers that are not theirs.
    assert_eq!(compare(right[..1].to_vec(), right.clone(), Some(1)), None);
    assert!(compare(right[1..].to_vec(), right.clone(), Some(1)).is_some());
    assert!(compare(vec![row("ab", 2, "C:\\a b")], right.clone(), Some(1)).is_some());
    let equals = vec![row("a", 2, ""), row("b", 1, ""), row("c", 1, "")];
    assert_eq!(compare(vec![equals[0].clone(), equals[2].clone()], equals.clone(), Some(2)), None);
    let histogram =
        "processor 1: us\n  value --- Distribution --- count\n  1 |@@@ 3\n  2 |    0\nother\n  1 |@@ 2\n";
    assert_eq!(
        histograms(histogram, "processor"),
        [(vec!["processor 1: us".to_owned(), "1".to_owned()], vec![3])]
    );
}
