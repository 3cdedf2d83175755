//! Measures what the tests notice: breaks the code in one small place at a time and runs the tests that reach this place.
//!
//! All mutants are compiled into one copy of the workspace, each behind a switch that reads an environment variable. So the
//! tests are built once. A run has four steps, and each stores what it has done in the folder of the run, so that
//! `--resume` continues after an interruption:
//!
//! 1. copy the workspace, whose files may change from then on ([`tree`]), and choose mutants ([`candidates`], [`sample`]);
//! 2. write them into a second copy, drop those that do not compile, and build the tests ([`tree`], [`compile`]);
//! 3. run each test alone and record which mutants it and its child processes reach ([`trials`]);
//! 4. run each mutant against the tests that reach it, those of its package first, until one fails ([`trials`]).

mod candidates;
mod compile;
mod model;
mod sample;
#[cfg(test)]
mod tests;
mod tree;
mod trials;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::workspace;
use model::{Journal, Outcome, Plan, Verdict};

/// The table of mutants that readers have judged to be equivalent, relative to the workspace.
const EQUIVALENT: &str = "tests/mutants.table";

const USAGE: &str = "the arguments are --crate CRATE (repeatable), --sample N, --each N, --seed S, --changed-since REV, --tests-of CRATE \
                     (repeatable), --skip TEXT (repeatable), --slowest SECONDS, --jobs N, --budget SECONDS, --minutes N, \
                     --folder FOLDER, --resume";

/// What the user asks for.
#[derive(Clone, Debug)]
struct Options {
    crates: Vec<String>,
    sample: Option<sample::Size>,
    seed: Option<u64>,
    changed_since: Option<String>,
    /// The crates whose tests run. Empty for all that depend on mutated code.
    tests_of: Vec<String>,
    folder: PathBuf,
    resume: bool,
    rules: trials::Rules,
}

impl Options {
    fn parse(root: &Path, arguments: &[String]) -> Result<Self, String> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut options = Self {
            crates: Vec::new(),
            sample: None,
            seed: None,
            changed_since: None,
            tests_of: Vec::new(),
            folder: root.join("target/mutants"),
            resume: false,
            rules: trials::Rules {
                jobs: processors,
                skip: Vec::new(),
                longest: Duration::from_secs(900),
                grace: Duration::from_secs(15),
                multiple: 10,
                budget: Duration::from_secs(120),
                end: None,
            },
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--resume" {
                options.resume = true;
                continue;
            }
            let value = rest.next().ok_or_else(|| USAGE.to_owned())?;
            let number = || value.parse::<u64>().map_err(|_| format!("{argument} {value}: not a number"));
            let count = || Ok::<_, String>(usize::try_from(number()?).unwrap_or(usize::MAX));
            match argument.as_str() {
                "--crate" => options.crates.push(value.clone()),
                "--sample" => options.sample = Some(sample::Size::Total(count()?)),
                "--each" => options.sample = Some(sample::Size::Each(count()?)),
                "--seed" => options.seed = Some(number()?),
                "--changed-since" => options.changed_since = Some(value.clone()),
                "--tests-of" => options.tests_of.push(value.clone()),
                "--skip" => options.rules.skip.push(value.clone()),
                "--slowest" => options.rules.longest = Duration::from_secs(number()?),
                "--minutes" => {
                    let time = Duration::from_secs(number()?.saturating_mul(60));
                    options.rules.end = Instant::now().checked_add(time);
                }
                "--jobs" => options.rules.jobs = usize::try_from(number()?.clamp(1, 1024)).unwrap_or(1),
                "--budget" => options.rules.budget = Duration::from_secs(number()?),
                "--folder" => options.folder = root.join(value),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let root = workspace::root();
    let options = Options::parse(&root, arguments)?;
    print!("{}", measure(&root, &options)?);
    Ok(())
}

/// Measures the tests of the workspace at `root` and returns the report.
fn measure(root: &Path, options: &Options) -> Result<String, String> {
    let folder = &options.folder;
    let plan_file = folder.join("plan.json");
    let programs_file = folder.join("programs.json");
    let (reached_file, outcomes_file) = (folder.join("reached.jsonl"), folder.join("outcomes.jsonl"));
    let origin = folder.join("origin");
    let packages = tree::packages(root)?;
    let mut plan = if options.resume && plan_file.exists() {
        Plan::load(&plan_file)?
    } else {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for old in [&programs_file, &reached_file, &outcomes_file] {
            if old.exists() {
                std::fs::remove_file(old).map_err(|error| format!("{}: {error}", old.display()))?;
            }
        }
        tree::snapshot(root, &origin)?;
        let plan = choose(root, &origin, options, &packages)?;
        plan.save(&plan_file)?;
        plan
    };
    if plan.mutants.is_empty() {
        return Ok("mutants: no candidate in the chosen code\n".to_owned());
    }
    eprintln!("mutants: {} mutants, seed {}, in {}", plan.mutants.len(), plan.seed, folder.display());
    let users = testing(options, &plan, &packages)?;
    let programs = if options.resume && programs_file.exists() {
        let programs = compile::load(&programs_file)?;
        programs.into_iter().filter(|program| users.contains(&program.package)).collect()
    } else {
        let programs =
            compile::build(&origin, folder, &mut plan, &packages, &users, &|plan| plan.save(&plan_file))?;
        compile::save(&programs_file, &programs)?;
        programs
    };
    let tests = trials::list(&programs)?;
    eprintln!("mutants: {} tests in {} programs", tests.len(), programs.len());
    let reached = trials::reach(&tests, &Journal::open(reached_file)?, &options.rules)?;
    let outcomes = Journal::open(outcomes_file)?;
    let names = options.crates.iter().map(|name| Ok(named(&packages, "--crate", name)?.name.as_str()));
    let mutants = sample::in_turns(plan.compiled(), &names.collect::<Result<Vec<_>, String>>()?, plan.seed);
    trials::run(&mutants, &reached.passing, &outcomes, &options.rules)?;
    let outcomes: Vec<Outcome> = outcomes.lines()?.iter().filter_map(Outcome::from_json).collect();
    let judged = equivalent(root)?;
    Ok(report(&plan, &outcomes, &judged, &packages, &reached))
}

/// Returns the packages whose tests run: those that the user names, else all that depend on mutated ones.
fn testing(options: &Options, plan: &Plan, packages: &[tree::Package]) -> Result<BTreeSet<String>, String> {
    if options.tests_of.is_empty() {
        let mutated = plan.mutants.iter().map(|mutant| mutant.package.clone()).collect();
        return Ok(tree::users(packages, mutated));
    }
    let names = options.tests_of.iter().map(|name| Ok(named(packages, "--tests-of", name)?.name.clone()));
    names.collect()
}

/// Returns the package that an option names.
fn named<'p>(packages: &'p [tree::Package], option: &str, name: &str) -> Result<&'p tree::Package, String> {
    let found = packages.iter().find(|package| package.short() == name || package.name == name);
    found.ok_or_else(|| format!("{option} {name}: there is no such crate among the default members"))
}

/// Chooses the mutants of a run, in `origin`, which is what the workspace at `root` was when the run began.
fn choose(root: &Path, origin: &Path, options: &Options, packages: &[tree::Package]) -> Result<Plan, String> {
    let wanted = options.crates.iter().map(|name| Ok(named(packages, "--crate", name)?.name.as_str()));
    let wanted: BTreeSet<&str> = wanted.collect::<Result<_, String>>()?;
    let mut found = Vec::new();
    for package in packages {
        let is_wanted = wanted.is_empty() || wanted.contains(package.name.as_str());
        if is_wanted {
            for file in tree::files(origin, package)? {
                found.extend(candidates::of_file(
                    &package.name,
                    &file,
                    &workspace::text(&origin.join(&file))?,
                )?);
            }
        }
    }
    if let Some(revision) = &options.changed_since {
        let mut git = Command::new("git");
        git.args(["diff", "-U0", "--no-color", "--no-ext-diff", revision, "--", "*.rs"]).current_dir(root);
        let changed = sample::changed_lines(&workspace::output(&mut git)?);
        found.retain(|mutant| sample::is_changed(mutant, &changed));
    }
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(0) >> 32);
    let mutants = match options.sample {
        Some(size) => sample::draw(found, size, seed),
        None => sample::number(found),
    };
    Ok(Plan { seed, mutants, dropped: BTreeSet::new() })
}

/// Reads the table of equivalent mutants: file, function, change and reason, separated by ` | `.
fn equivalent(root: &Path) -> Result<BTreeSet<[String; 3]>, String> {
    let path = root.join(EQUIVALENT);
    if !path.exists() {
        return Ok(BTreeSet::new());
    }
    let mut found = BTreeSet::new();
    for line in workspace::text(&path)?.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        // A change may contain the separator, a reason does not.
        let parts = line.split_once(" | ").and_then(|(file, rest)| {
            let (function, rest) = rest.split_once(" | ")?;
            let (change, _reason) = rest.rsplit_once(" | ")?;
            Some([file, function, change].map(str::to_owned))
        });
        found.insert(
            parts.ok_or_else(|| format!("{EQUIVALENT}: not file | function | change | reason: {line}"))?,
        );
    }
    Ok(found)
}

/// Numbers of one crate.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    mutants: usize,
    equivalent: usize,
    unreached: usize,
    survived: usize,
    noticed: usize,
}

impl Count {
    fn row(&self, name: &str) -> String {
        let counted = self.unreached + self.survived + self.noticed;
        let tenths = (self.noticed * 1000 + counted / 2).checked_div(counted);
        let share = tenths.map_or_else(|| "-".to_owned(), |share| format!("{}.{} %", share / 10, share % 10));
        format!(
            "{name:<16} {:>8} {:>11} {:>10} {:>9} {:>8} {share:>9}\n",
            self.mutants, self.equivalent, self.unreached, self.survived, self.noticed
        )
    }
}

/// The report: numbers for each crate, then the mutants that no test noticed.
fn report(
    plan: &Plan,
    outcomes: &[Outcome],
    judged: &BTreeSet<[String; 3]>,
    packages: &[tree::Package],
    reached: &trials::Reached,
) -> String {
    let by_id: BTreeMap<u32, &Outcome> = outcomes.iter().map(|outcome| (outcome.id, outcome)).collect();
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let (mut total, mut listed) = (Count::default(), String::new());
    let mut unsteady: BTreeMap<&str, usize> = BTreeMap::new();
    for mutant in plan.compiled() {
        let Some(outcome) = by_id.get(&mutant.id) else { continue };
        let name = packages.iter().find(|package| package.name == mutant.package);
        let count =
            counts.entry(name.map_or(mutant.package.as_str(), |package| package.short())).or_default();
        outcome.unsteady.iter().for_each(|test| *unsteady.entry(test).or_default() += 1);
        let key = [mutant.file.clone(), mutant.function.clone(), mutant.change.clone()];
        let is_equivalent = judged.contains(&key) && !matches!(outcome.verdict, Verdict::Noticed(_));
        for count in [count, &mut total] {
            count.mutants += 1;
            match &outcome.verdict {
                _ if is_equivalent => count.equivalent += 1,
                Verdict::Unreached => count.unreached += 1,
                Verdict::Survived => count.survived += 1,
                Verdict::Noticed(_) => count.noticed += 1,
            }
        }
        if !is_equivalent && !matches!(outcome.verdict, Verdict::Noticed(_)) {
            let tests = match outcome.verdict {
                Verdict::Unreached => "no test reaches it".to_owned(),
                _ => format!("passes {} of {} tests that reach it", outcome.ran, outcome.of),
            };
            let (file, line, function, change) =
                (&mutant.file, mutant.lines.0, &mutant.function, &mutant.change);
            let _ = writeln!(listed, "{file}:{line} {function}: {change} ({tests})");
        }
    }
    let mut text = format!(
        "seed {}: {} mutants chosen, {} do not compile, {} ran\n\n",
        plan.seed,
        plan.mutants.len(),
        plan.dropped.len(),
        total.mutants
    );
    text.push_str("crate             mutants  equivalent  unreached  survived  noticed     share\n");
    counts.iter().for_each(|(name, count)| text.push_str(&count.row(name)));
    text.push_str(&total.row("all"));
    if !listed.is_empty() {
        let _ = write!(text, "\nNot noticed:\n{listed}");
    }
    for (tests, why) in [
        (&reached.failing, "Tests that fail without any mutant, and were not used"),
        (&reached.left_out, "Tests that were left out, by name or because they take too long"),
    ] {
        if !tests.is_empty() {
            let _ = write!(text, "\n{why}:\n{}\n", tests.join("\n"));
        }
    }
    if !unsteady.is_empty() {
        text.push_str("\nTests that failed once and then passed, with the number of mutants:\n");
        unsteady.iter().for_each(|(test, count)| {
            let _ = writeln!(text, "{test}: {count}");
        });
    }
    text
}
