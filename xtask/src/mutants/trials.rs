//! Runs single tests as processes: without mutants, to see which mutants they reach; and with one mutant on.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::compile::Program;
use super::model::{CHOSEN, Journal, Mutant, Outcome, REACHED, Verdict};

/// Limits of a test's processes: 8 GiB of data and 4 GiB for each file, so that a mutant does not take the machine down.
/// `ulimit` counts the first in KiB and the second in blocks of 512 bytes.
const LIMITED: &str = "ulimit -c 0; ulimit -d 8388608; ulimit -f 8388608; exec \"$0\" \"$@\"";

/// Variables of the caller that would change what tests do.
const REMOVED: &[&str] =
    &[CHOSEN, REACHED, "TRACEWELL_BLESS", "TRACEWELL_SKIPS", "TRACEWELL_RUNTIME", "TRACEWELL_OWNER"];

/// The folder of real traces, which is not part of the copy.
static REAL_TRACES: LazyLock<Option<PathBuf>> = LazyLock::new(tracewell_corpus::folder);

/// How tests are run.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// How many tests run at once.
    pub(super) jobs: usize,
    /// Tests with one of these texts in their name are left out.
    pub(super) skip: Vec<String>,
    /// Tests that take longer than this without mutants are left out.
    pub(super) longest: Duration,
    /// Time limit of a test with a mutant: this, and a multiple of the test's normal time.
    pub(super) grace: Duration,
    pub(super) multiple: u32,
    /// For each mutant, the time that the tests of other packages may take.
    pub(super) budget: Duration,
    /// When the run ends. Mutants whose turn comes later are left to a run that continues this one.
    pub(super) end: Option<Instant>,
}

/// One test, or a whole program with its own `main`.
#[derive(Clone, Debug)]
pub(super) struct Test {
    program: Program,
    /// `None` for a program that the usual harness does not run.
    name: Option<String>,
    /// The name in reports: package, program, test.
    pub(super) label: String,
}

/// A test that passes without mutants, and what it reaches.
#[derive(Debug)]
pub(super) struct Reach {
    test: Test,
    time: Duration,
    mutants: BTreeSet<u32>,
}

/// What running all tests without mutants has shown.
#[derive(Debug, Default)]
pub(super) struct Reached {
    pub(super) passing: Vec<Reach>,
    /// The names of tests that fail without any mutant.
    pub(super) failing: Vec<String>,
    /// The names of tests that the rules leave out.
    pub(super) left_out: Vec<String>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    TimedOut,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Plain,
    /// Records which mutants are reached.
    Recording,
    /// One mutant is on.
    With(u32),
}

/// A temporary folder of one thread, emptied before each test.
struct Desk {
    folder: PathBuf,
}

impl Desk {
    fn new() -> Result<Self, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // The path is short because sockets are in it.
        let number = COUNT.fetch_add(1, Relaxed);
        let folder = std::env::temp_dir().join(format!("mutants-{}-{number}", std::process::id()));
        let desk = Self { folder };
        desk.clear()?;
        Ok(desk)
    }

    fn clear(&self) -> Result<(), String> {
        let _ = std::fs::remove_dir_all(&self.folder);
        let inner = self.folder.join("tmp");
        std::fs::create_dir_all(&inner)
            .and_then(|()| open_to_all(&self.folder, 0o755))
            .and_then(|()| open_to_all(&inner, 0o1777))
            .map_err(|error| format!("{}: {error}", inner.display()))
    }

    fn run(
        &self,
        test: &Test,
        mode: Mode,
        limit: Duration,
    ) -> Result<(End, Duration, BTreeSet<u32>), String> {
        self.clear()?;
        let failed = |error: std::io::Error| format!("{}: {error}", test.label);
        let reached = self.folder.join("reached");
        let written = File::create(self.folder.join("output")).map_err(failed)?;
        let mut command = limited(&test.program.path);
        if let Some(name) = &test.name {
            command.args([name, "--exact", "--test-threads=1"]);
        }
        prepare(&mut command, &test.program);
        command.env("TMPDIR", self.folder.join("tmp"));
        match mode {
            Mode::Plain => {}
            Mode::Recording => {
                // Processes of other users write to it, too.
                File::create(&reached).and_then(|_| open_to_all(&reached, 0o666)).map_err(failed)?;
                command.env(REACHED, &reached);
            }
            Mode::With(id) => {
                command.env(CHOSEN, id.to_string());
            }
        }
        command.stdin(Stdio::null()).stdout(written.try_clone().map_err(failed)?).stderr(written);
        let started = Instant::now();
        let mut child = command.spawn().map_err(failed)?;
        let end = wait(&mut child, limit).map_err(failed)?;
        let time = started.elapsed();
        let text = if matches!(mode, Mode::Recording) {
            String::from_utf8_lossy(&std::fs::read(&reached).map_err(failed)?).into_owned()
        } else {
            String::new()
        };
        Ok((end, time, text.lines().filter_map(|line| line.parse().ok()).collect()))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn open_to_all(path: &Path, mode: u32) -> std::io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    let _ = (path, mode);
    Ok(())
}

/// A command in a process group with limits.
fn limited(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args([OsStr::new("-c"), OsStr::new(LIMITED), program.as_os_str()]);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The environment that `cargo test` gives to tests, without the caller's switches.
fn prepare(command: &mut Command, program: &Program) {
    command
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .env("CARGO_PKG_NAME", &program.package);
    // Above the copy there may be no folder of real traces.
    if let Some(folder) = &*REAL_TRACES {
        command.env("TRACEWELL_ETL", folder);
    }
    for name in REMOVED {
        command.env_remove(name);
    }
}

/// Waits for a process. Kills its group if it takes longer than `limit`.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<End> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { End::Passed } else { End::Failed });
        }
        if started.elapsed() > limit {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
            child.kill()?;
            child.wait()?;
            return Ok(End::TimedOut);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Lists the tests of the programs. Ignored tests are left out.
pub(super) fn list(programs: &[Program]) -> Result<Vec<Test>, String> {
    let mut tests = Vec::new();
    for program in programs {
        let lines = |extra: &[&str]| -> Result<(bool, BTreeSet<String>), String> {
            let mut command = Command::new(&program.path);
            command.arg("--list").args(extra).stdin(Stdio::null()).stderr(Stdio::null());
            prepare(&mut command, program);
            let done = command.output().map_err(|error| format!("{}: {error}", program.path.display()))?;
            let text = String::from_utf8_lossy(&done.stdout).into_owned();
            // The harness ends its list with "N tests, N benchmarks".
            let has_harness = text.lines().last().is_some_and(|line| line.ends_with(" benchmarks"));
            let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
            Ok((has_harness, names.map(str::to_owned).collect()))
        };
        let label = format!("{} {}", program.package, program.name);
        let (has_harness, all) = lines(&[])?;
        if !has_harness {
            tests.push(Test { program: program.clone(), name: None, label });
            continue;
        }
        let ignored = lines(&["--ignored"])?.1;
        for name in all.difference(&ignored) {
            let label = format!("{label} {name}");
            tests.push(Test { program: program.clone(), name: Some(name.clone()), label });
        }
    }
    Ok(tests)
}

/// Works through a queue with several threads. Stops at the first error.
fn in_parallel<T: Send>(
    jobs: usize,
    items: Vec<T>,
    work: impl Fn(&Desk, T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let queue = Mutex::new(items.into_iter());
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (queue, failure, work) = (&queue, &failure, &work);
            scope.spawn(move || {
                let done = Desk::new().and_then(|desk| {
                    loop {
                        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(item) = next else { return Ok(()) };
                        if failure.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
                            return Ok(());
                        }
                        work(&desk, item)?;
                    }
                });
                if let Err(error) = done {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            });
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Runs each test and records the mutants that it and its child processes reach.
///
/// Tests that the journal has are not run again.
pub(super) fn reach(tests: &[Test], journal: &Journal, rules: &Rules) -> Result<Reached, String> {
    let is_skipped = |test: &Test| rules.skip.iter().any(|text| test.label.contains(text));
    let known: BTreeSet<String> =
        journal.lines()?.iter().filter_map(|line| line["test"].as_str().map(str::to_owned)).collect();
    let open: Vec<&Test> =
        tests.iter().filter(|test| !is_skipped(test) && !known.contains(&test.label)).collect();
    let total = open.len();
    let count = Mutex::new(0usize);
    in_parallel(rules.jobs, open, |desk, test| {
        let (mut end, mut time, reached) = desk.run(test, Mode::Recording, rules.longest)?;
        if end == End::Failed {
            // Recording takes memory and writes a file, which some tests do not allow.
            (end, time, _) = desk.run(test, Mode::Plain, rules.longest)?;
        }
        journal.add(&json!({
            "test": test.label,
            "passes": end == End::Passed,
            "timed out": end == End::TimedOut,
            "milliseconds": u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            "reached": reached,
        }))?;
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        if count.is_multiple_of(100) {
            eprintln!("mutants: ran {count} of {total} tests without mutants");
        }
        Ok(())
    })?;
    let lines = journal.lines()?;
    let by_label: BTreeMap<&str, &Value> =
        lines.iter().filter_map(|line| Some((line["test"].as_str()?, line))).collect();
    let mut all = Reached::default();
    for test in tests {
        let Some(line) = by_label.get(test.label.as_str()).filter(|_| !is_skipped(test)) else {
            all.left_out.push(test.label.clone());
            continue;
        };
        let time = Duration::from_millis(line["milliseconds"].as_u64().unwrap_or(0));
        if line["timed out"] == true || time > rules.longest {
            all.left_out.push(test.label.clone());
        } else if line["passes"] != true {
            all.failing.push(test.label.clone());
        } else {
            let ids = line["reached"].as_array().into_iter().flatten();
            let mutants = ids.filter_map(|id| u32::try_from(id.as_u64()?).ok()).collect();
            all.passing.push(Reach { test: test.clone(), time, mutants });
        }
    }
    Ok(all)
}

/// Runs the tests with each mutant on that the journal does not have yet.
pub(super) fn run(
    mutants: &[&Mutant],
    tests: &[Reach],
    journal: &Journal,
    rules: &Rules,
) -> Result<(), String> {
    let noticed_by = |line: &Value| line["by"].as_str().map(str::to_owned);
    let lines = journal.lines()?;
    let known: BTreeSet<u64> = lines.iter().filter_map(|line| line["id"].as_u64()).collect();
    // Tests that noticed many mutants are tried first.
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    lines.iter().filter_map(noticed_by).for_each(|label| *counts.entry(label).or_default() += 1);
    let counts = Mutex::new(counts);
    let open: Vec<&Mutant> =
        mutants.iter().filter(|mutant| !known.contains(&u64::from(mutant.id))).copied().collect();
    let total = open.len();
    let progress = Mutex::new((0usize, 0usize));
    in_parallel(rules.jobs, open, |desk, mutant| {
        if rules.end.is_some_and(|end| Instant::now() >= end) {
            return Ok(());
        }
        let order = order(mutant, tests, &counts.lock().unwrap_or_else(PoisonError::into_inner));
        let outcome = try_tests(desk, mutant, &order, rules)?;
        journal.add(&outcome.to_json())?;
        let is_noticed = matches!(outcome.verdict, Verdict::Noticed(_));
        if let Verdict::Noticed(by) = &outcome.verdict {
            *counts.lock().unwrap_or_else(PoisonError::into_inner).entry(by.clone()).or_default() += 1;
        }
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.0 += 1;
        progress.1 += usize::from(is_noticed);
        if progress.0.is_multiple_of(10) {
            eprintln!("mutants: ran {} of {total}, noticed {}", progress.0, progress.1);
        }
        Ok(())
    })
}

/// The tests that reach a mutant: those of its package first, and quick tests that often notice before others.
fn order<'r>(mutant: &Mutant, tests: &'r [Reach], counts: &BTreeMap<String, u32>) -> Vec<&'r Reach> {
    let mut order: Vec<&Reach> = tests.iter().filter(|reach| reach.mutants.contains(&mutant.id)).collect();
    let cost = |reach: &Reach| {
        let count = counts.get(&reach.test.label).copied().unwrap_or(0);
        (reach.time.as_secs_f64() + 0.01) / (0.3 + f64::from(count))
    };
    order.sort_by(|a, b| {
        let is_other = |reach: &Reach| reach.test.program.package != mutant.package;
        is_other(a).cmp(&is_other(b)).then(cost(a).total_cmp(&cost(b)))
    });
    order
}

/// Runs the tests that reach a mutant until one notices it.
fn try_tests(desk: &Desk, mutant: &Mutant, order: &[&Reach], rules: &Rules) -> Result<Outcome, String> {
    let mut outcome = Outcome {
        id: mutant.id,
        verdict: if order.is_empty() { Verdict::Unreached } else { Verdict::Survived },
        ran: 0,
        of: order.len(),
        unsteady: Vec::new(),
    };
    let mut spent = Duration::ZERO;
    for reach in order {
        let is_other = reach.test.program.package != mutant.package;
        if is_other && spent > rules.budget {
            break;
        }
        outcome.ran += 1;
        let limit = rules.grace + reach.time * rules.multiple;
        let (end, time, _) = desk.run(&reach.test, Mode::With(mutant.id), limit)?;
        if is_other {
            spent += time;
        }
        if end == End::Passed {
            continue;
        }
        // A test that sometimes fails does not notice anything: it must fail again, and pass without the mutant.
        let fails_again = desk.run(&reach.test, Mode::With(mutant.id), limit)?.0 != End::Passed;
        if fails_again && desk.run(&reach.test, Mode::Plain, limit)?.0 == End::Passed {
            outcome.verdict = Verdict::Noticed(reach.test.label.clone());
            break;
        }
        outcome.unsteady.push(reach.test.label.clone());
    }
    Ok(outcome)
}
