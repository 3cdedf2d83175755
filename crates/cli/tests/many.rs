//! `dtrace --each`, `--merge`, `--agg-out` and `--agg-merge`: answers over many files do not depend on how the events are
//! distributed over files, nor on the number of threads.

mod common;

use std::path::{Path, PathBuf};

use common::{Ran, command, run, sample};
use tracewell_corpus::Scratch;

/// Questions whose answer needs nothing that happened before the events: all functions, with names, numbers and symbols as keys.
const QUESTIONS: [&str; 4] = [
    "sched:::on-cpu { @c[execname] = count(); @p[execname, pid] = sum(cpu); }",
    "io:::done { @n[args[2]->fi_name] = sum(args[0]->b_bcount); @lo = min(args[0]->b_bcount); @hi = max(args[0]->b_bcount); \
     @a[args[2]->fi_name] = avg(args[0]->b_bcount); @d = stddev(args[0]->b_bcount); @q[args[2]->fi_name] = quantize(args[0]->b_bcount); \
     @l = lquantize(args[0]->b_bcount, 0, 100000, 4096); @ll = llquantize(args[0]->b_bcount, 10, 0, 6, 10); }",
    "tcpip:::send, tcpip:::receive { @[probename] = count(); @b[execname] = count(); } io:::start { @w[probename] = count(); }",
    "profile:::sample-997 { @cpu[cpu] = count(); @kernel[mod(arg0), sym(arg0)] = count(); }",
];

/// Ends of parts, in seconds; the sample takes about ten.
const CUTS: [&[&str]; 4] = [&[], &["3"], &["1.5", "4.25"], &["0.5", "1", "1.75", "3", "4.5", "6"]];

fn dtrace(words: &[&str]) -> Ran {
    run(command("dtrace").args(words))
}

/// The lines of aggregations, sorted.
fn aggregations(ran: &Ran) -> Vec<String> {
    let mut lines: Vec<String> = ran
        .stdout
        .lines()
        .filter(|line| line.contains("\"type\":\"aggregation\""))
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a folder for tests has a plain name")
}

/// Cuts the sample at these times.
fn parts(folder: &Path, cuts: &[&str]) -> Vec<PathBuf> {
    let starts = std::iter::once(None).chain(cuts.iter().map(Some));
    let ends = cuts.iter().map(Some).chain(std::iter::once(None));
    let part = |(number, (start, end)): (usize, (Option<&&str>, Option<&&str>))| {
        let part = folder.join(format!("part{number}.etl"));
        let mut slice = command("etw");
        slice.arg("slice").arg("-o").arg(&part).arg(sample());
        for (option, time) in [("--start", start), ("--end", end)] {
            slice.args(time.map(|time| [option, time]).into_iter().flatten());
        }
        let ran = run(&mut slice);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        part
    };
    starts.zip(ends).enumerate().map(part).collect()
}

#[test]
fn issue_22_answers_do_not_depend_on_the_partitioning() {
    // The symbols beside the sample name its functions; its parts have none.
    let alone = Scratch::new("many-whole");
    let sample = alone.write("sample.etl", &std::fs::read(sample()).unwrap());
    let whole = QUESTIONS.map(|question| {
        let ran = dtrace(&["--json", "-n", question, "-E", path(&sample)]);
        assert!(aggregations(&ran).len() > 3, "{}", ran.stderr);
        ran
    });
    for cuts in CUTS {
        let folder = Scratch::new("many-partitions");
        let parts = parts(&folder, cuts);
        assert_eq!(parts.len(), cuts.len() + 1);
        let pattern = folder.join("part*.etl");
        for (question, whole) in QUESTIONS.iter().zip(&whole) {
            let merged = dtrace(&["--json", "--merge", "--jobs", "3", "-n", question, "-E", path(&pattern)]);
            assert_eq!(merged.status, Some(0), "{}", merged.stderr);
            assert_eq!(aggregations(&merged), aggregations(whole), "{question} in {} parts", parts.len());
        }
    }
}

/// Parts that run apart and are combined from files, in any order and groups, are what one command answers.
#[test]
fn issue_22_files_of_aggregations_are_combined_to_the_answer_of_one_run() {
    let folder = Scratch::new("many-files");
    let at = |name: &str| path(&folder.join(name)).to_owned();
    let parts = parts(&folder, CUTS[2]);
    let question = QUESTIONS[1];
    let whole = dtrace(&["-qn", question, "-E", path(&sample()), "--agg-out", &at("whole.agg")]);
    for (number, part) in parts.iter().enumerate() {
        let ran = dtrace(&["-qn", question, "-E", path(part), "--agg-out", &at(&format!("{number}.agg"))]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    }
    let merge = |files: &[&str], more: &[&str]| {
        let files: Vec<String> = files.iter().map(|name| at(name)).collect();
        let words: Vec<&str> = ["--agg-merge", "-q"].into_iter().chain(more.iter().copied()).collect();
        let ran = run(command("dtrace").args(words).args(files));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{more:?}");
        ran.stdout
    };
    for files in [&["whole.agg"][..], &["0.agg", "1.agg", "2.agg"], &["2.agg", "0.agg", "1.agg"], &["?.agg"]]
    {
        assert_eq!(merge(files, &[]), whole.stdout, "{files:?}");
    }
    // A tree of jobs: two parts first, and then the third.
    merge(&["2.agg", "1.agg"], &["--agg-out", &at("later.agg")]);
    assert_eq!(merge(&["later.agg", "0.agg"], &[]), whole.stdout);
    // The options of printing are those of a run.
    for more in [&["-x", "aggsortrev"][..], &["-x", "aggsortkey"], &["--json"], &["-x", "aggpack"]] {
        let sample = sample();
        let words = ["-qn", question, "-E", path(&sample)];
        let of_run = run(command("dtrace").args(words).args(more));
        assert_eq!(merge(&["0.agg", "2.agg", "1.agg"], more), of_run.stdout, "{more:?}");
    }
}

#[test]
fn issue_22_the_number_of_threads_changes_nothing() {
    let folder = Scratch::new("many-threads");
    let parts = parts(&folder, CUTS[3]);
    let question = "profile:::sample-997 { @[execname, callstack()] = count(); } io:::start { printf(\"%s\\n\", execname); }";
    for how in ["--each", "--merge"] {
        let with = |jobs: &str| {
            let mut dtrace = command("dtrace");
            dtrace.args([how, "--jobs", jobs, "-qn", question]);
            for part in parts.iter().rev() {
                dtrace.arg("-E").arg(part);
            }
            run(&mut dtrace)
        };
        let one = with("1");
        assert_eq!(one.status, Some(0), "{}", one.stderr);
        assert!(one.stdout.lines().count() > 50, "{}", one.stdout);
        for jobs in ["2", "7"] {
            assert_eq!(with(jobs), one, "{how} --jobs {jobs}");
        }
    }
}

/// A file that cannot be read costs its own row, and so does one of another kind of aggregation.
#[test]
fn issue_22_a_bad_file_costs_its_own_row() {
    let folder = Scratch::new("many-bad");
    let at = |name: &str| folder.join(name);
    std::fs::write(at("b.etl"), "words, not a trace\n").unwrap();
    for name in ["a.etl", "c.etl"] {
        std::fs::copy(sample(), at(name)).unwrap();
    }
    let bytes = std::fs::read(sample()).unwrap();
    std::fs::write(at("d.etl"), &bytes[..bytes.len() / 2]).unwrap();
    let question = "sched:::on-cpu { @[execname] = count(); }";
    let (pattern, single) = (at("*.etl"), at("a.etl"));
    let ran = dtrace(&["--each", "--json", "-n", question, "-E", path(&pattern)]);
    assert_eq!(ran.status, Some(6), "{}", ran.stderr);
    let lines: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let files: Vec<_> = lines.iter().filter(|line| line["type"] == "file").collect();
    let name = |at: usize| files[at]["file"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap().to_owned();
    assert_eq!((0..files.len()).map(name).collect::<Vec<_>>(), ["a.etl", "b.etl", "c.etl", "d.etl"]);
    let states: Vec<_> = files.iter().map(|line| line["status"].as_str().unwrap()).collect();
    assert_eq!(states, ["answered", "failed", "answered", "answered"]);
    assert!(files[1]["message"].as_str().unwrap().contains("not an event trace"));
    assert!(files[3]["lacks"][0].as_str().unwrap().contains("missing"), "{}", files[3]);
    assert!(ran.stderr.contains("b.etl: not an event trace"), "{}", ran.stderr);
    assert!(ran.stderr.contains("d.etl: "), "{}", ran.stderr);
    // Each row of an answer has its file.
    let rows = |name: &str| {
        lines
            .iter()
            .filter(|line| {
                line["type"] == "aggregation"
                    && line["file"].as_str().is_some_and(|file| file.ends_with(name))
            })
            .count()
    };
    let alone = aggregations(&dtrace(&["--json", "-n", question, "-E", path(&single)]));
    assert_eq!((rows("a.etl"), rows("b.etl"), rows("c.etl")), (alone.len(), 0, alone.len()));
}
