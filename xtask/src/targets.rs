//! Runs the tests of published D suites that watch a program (`docs/d-class-c.tsv`) with the development build of `dtrace`.
//!
//! The suites belong to others: they are fetched, copied to a folder for the run, and never committed. The list names each
//! test, and why it does not apply here.

use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::workspace;

/// The list: suite, test, and the reason for which it does not apply.
const LIST: &str = "docs/d-class-c.tsv";
/// A test ends by itself within this time.
const LIMIT: Duration = Duration::from_secs(45);
/// How long a companion runs before it is watched.
const HEAD_START: Duration = Duration::from_millis(200);
/// How the companions of tests are compiled: they are written for older compilers and for the headers of Solaris.
const CFLAGS: &[&str] = &["-std=gnu99", "-fcommon", "-D_GNU_SOURCE", "-g", "-w"];

/// A suite, and where its parts are.
struct Suite {
    name: &'static str,
    /// The folder of the tests, below that of the suite.
    tests: &'static str,
    /// Words before the script.
    words: &'static [&'static str],
    /// Tests are run from the folder of the suite, and name what they need in comments.
    by_comments: bool,
}

const SUITES: &[Suite] = &[
    Suite { name: "illumos", tests: "tst", words: &["-C"], by_comments: false },
    Suite { name: "oracle", tests: "test", words: &["-x", "dialect=oracle"], by_comments: true },
];

/// A test of the list.
#[derive(Debug, PartialEq, Eq)]
struct Row<'l> {
    suite: &'l str,
    test: &'l str,
    /// Why it does not apply.
    excluded: Option<&'l str>,
}

/// The rows of the list.
fn rows(text: &str) -> Result<Vec<Row<'_>>, String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'_ str| -> Result<_, String> { Err(format!("{LIST}: a line has other parts: {line}")) };
    lines
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [suite, test] => Ok(Row { suite, test, excluded: None }),
            [suite, test, why] if !why.is_empty() => Ok(Row { suite, test, excluded: Some(why) }),
            _ => row(line),
        })
        .collect()
}

/// Runs the tests of suites `NAME=FOLDER`, all or those whose path has a word in it.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let usage = || "the arguments are suites as NAME=FOLDER (illumos, oracle), and --only WORD".to_owned();
    let root = workspace::root();
    let text = std::fs::read_to_string(root.join(LIST)).map_err(|error| format!("{LIST}: {error}"))?;
    let rows = rows(&text)?;
    let (mut only, mut folders) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            _ if word == "--only" => only = Some(words.next().ok_or_else(usage)?.as_str()),
            Some((name, folder)) => folders.push((name, folder)),
            None => return Err(usage()),
        }
    }
    if folders.is_empty() {
        return Err(usage());
    }
    for (name, folder) in folders {
        let suite = SUITES.iter().find(|suite| suite.name == name).ok_or_else(usage)?;
        let of_suite: Vec<&Row<'_>> = rows.iter().filter(|row| row.suite == name).collect();
        let excluded = of_suite.iter().filter(|row| row.excluded.is_some()).count();
        let wanted = of_suite.iter().filter(|row| row.excluded.is_none());
        let wanted: Vec<_> = wanted.filter(|row| only.is_none_or(|word| row.test.contains(word))).collect();
        let place = Place::new(&root, Path::new(folder), suite)?;
        let mut passed = 0;
        for row in &wanted {
            match place.test(row.test) {
                Ok(()) => passed += 1,
                Err(why) => println!("FAIL {}: {why}", row.test),
            }
        }
        println!(
            "{name}: {passed} of {} tests that apply passed ({:.1} %), {excluded} do not apply",
            wanted.len(),
            100.0 * f64::from(passed) / wanted.len().max(1) as f64
        );
    }
    Ok(())
}

/// A copy of a suite in which tests run.
struct Place<'s> {
    suite: &'s Suite,
    /// The folder of the copy.
    folder: PathBuf,
    /// One for what tests make.
    scratch: PathBuf,
    dtrace: PathBuf,
    /// The search path, which begins with `dtrace` and a compiler.
    path: std::ffi::OsString,
}

impl<'s> Place<'s> {
    fn new(root: &Path, from: &Path, suite: &'s Suite) -> Result<Place<'s>, String> {
        let made = root.join("target/targets").join(suite.name);
        let failed = |error: std::io::Error| format!("{}: {error}", made.display());
        let _ = std::fs::remove_dir_all(&made);
        std::fs::create_dir_all(made.join("bin")).map_err(failed)?;
        let mut copy = Command::new("cp");
        workspace::output(copy.arg("-r").arg(from).arg(made.join("suite")))?;
        let dtrace = root.join("target/debug/dtrace");
        symlink(&dtrace, made.join("bin/dtrace")).map_err(failed)?;
        // Programs of 32 bits are compiled as ones of 64.
        let script = "#!/bin/sh\nfor word; do shift; [ \"$word\" = -m32 ] || set -- \"$@\" \"$word\"; done\n\
                      exec /usr/bin/gcc -w -fcommon \"$@\"\n";
        for name in ["gcc", "cc"] {
            let path = made.join("bin").join(name);
            std::fs::write(&path, script).map_err(failed)?;
            workspace::output(Command::new("chmod").arg("755").arg(&path))?;
        }
        let known = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(made.join("bin")).chain(std::env::split_paths(&known));
        let path = std::env::join_paths(folders).map_err(|error| error.to_string())?;
        let scratch = made.join("scratch");
        std::fs::create_dir_all(&scratch).map_err(failed)?;
        let place = Place { suite, folder: made.join("suite"), scratch, dtrace, path };
        if suite.by_comments {
            place.compile_all()?;
        }
        Ok(place)
    }

    /// Compiles the programs that tests of a suite share. One that does not compile fails the tests that need it.
    fn compile_all(&self) -> Result<(), String> {
        let folder = self.folder.join("test/triggers");
        let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for source in files.flatten().map(|file| file.path()) {
            if source.extension().is_some_and(|end| end == "c") {
                let _ = self.compile_with_probes(&source, &source.with_extension(""));
            }
        }
        Ok(())
    }

    /// Runs one test. The error is what differs.
    fn test(&self, test: &str) -> Result<(), String> {
        let script = self.folder.join(self.suite.tests).join(test);
        let text = std::fs::read(&script).map_err(|error| format!("{}: {error}", script.display()))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let name = file_name(&script);
        let companion = self.companion(&script, &text)?;
        let mut command = if name.ends_with(".d") {
            self.script(&script, &text, companion.as_ref())?
        } else {
            let mut shell = Command::new(if self.suite.by_comments { "bash" } else { "ksh" });
            // What the authors' own programs set for scripts of a shell.
            shell.arg(&script).arg(&self.dtrace).env("tst", &script).env("tmpdir", &self.scratch);
            shell.env("CC", "gcc").env("CFLAGS", "").env("dt_flags", self.suite.words.join(" "));
            shell
        };
        let folder = if self.suite.by_comments { Some(self.folder.as_path()) } else { script.parent() };
        command.current_dir(folder.unwrap_or(&self.folder)).env("PATH", &self.path);
        let ran = finished(command)?;
        drop(companion);
        self.judge(&script, &text, &ran)
    }

    /// Starts the program that a test watches.
    fn companion(&self, script: &Path, text: &str) -> Result<Option<Companion>, String> {
        if self.suite.by_comments {
            let Some(trigger) = option(text, "trigger").filter(|trigger| *trigger != "none") else {
                return Ok(None);
            };
            let (name, words) = trigger.split_once(' ').unwrap_or((trigger, ""));
            let program = self.folder.join("test/triggers").join(name);
            if !program.exists() {
                return Err(format!("its program does not compile: {name}"));
            }
            let timing = option(text, "trigger-timing").unwrap_or("synchro");
            if timing == "synchro" {
                return Ok(Some(Companion { command: format!("test/triggers/{trigger}"), running: None }));
            }
            let mut command = Command::new(&program);
            command.args(words.split_whitespace()).current_dir(&self.folder);
            return Companion::start(command).map(Some);
        }
        let program = script.with_extension("exe");
        let source = ["c", "s"].map(|end| script.with_extension(end)).into_iter().find(|path| path.exists());
        if let Some(source) = source {
            self.compile_with_probes(&source, &program)?;
        }
        if !program.exists() || !file_name(script).ends_with(".d") {
            return Ok(None);
        }
        workspace::output(Command::new("chmod").arg("755").arg(&program))?;
        let mut command = Command::new(&program);
        command.current_dir(script.parent().unwrap_or(&self.folder));
        Companion::start(command).map(Some)
    }

    /// Compiles the program of a test, with the provider that is declared beside it: `args.d` of `tst.args.c`.
    fn compile_with_probes(&self, source: &Path, program: &Path) -> Result<(), String> {
        let name = file_name(source);
        let name = name.strip_suffix(".c").unwrap_or(&name);
        let declared =
            [name.strip_prefix("tst.").map(|name| format!("{name}.d")), Some(format!("{name}-prov.d"))];
        let declared = declared.into_iter().flatten().map(|name| source.with_file_name(name));
        let Some(declared) = declared.into_iter().find(|path| path.exists()) else {
            return compile(&[source], program);
        };
        let made = |letter: &str, to: &Path, objects: &[&Path]| {
            let mut dtrace = Command::new(&self.dtrace);
            workspace::output(dtrace.arg(letter).arg("-s").arg(&declared).arg("-o").arg(to).args(objects))
        };
        made("-h", &declared.with_extension("h"), &[])?;
        let (object, probes) = (source.with_extension("o"), declared.with_extension("probes.o"));
        let mut cc = Command::new("/usr/bin/gcc");
        cc.args(CFLAGS).arg("-c").arg("-o").arg(&object).arg(source);
        workspace::output(&mut cc)?;
        made("-G", &probes, &[&object])?;
        compile(&[&object, &probes], program)
    }

    /// The command line of a D script.
    fn script(&self, script: &Path, text: &str, companion: Option<&Companion>) -> Result<Command, String> {
        let mut command = Command::new(&self.dtrace);
        command.args(self.suite.words).args(tag(script).map(|_| "-xerrtags"));
        let below = script.strip_prefix(&self.folder).map_err(|error| error.to_string())?;
        let name = script.file_name().map(Path::new).unwrap_or(script);
        command.arg("-s").arg(if self.suite.by_comments { below } else { name });
        let pid =
            companion.and_then(|companion| companion.running.as_ref()).map(|child| child.id().to_string());
        if self.suite.by_comments {
            for word in option(text, "runtest-opts").unwrap_or_default().split_whitespace() {
                command.arg(word.replace("$_pid", pid.as_deref().unwrap_or("0")));
            }
            if let Some(Companion { command: target, running: None }) = companion {
                command.arg("-c").arg(target);
            }
        } else {
            command.args(pid);
        }
        Ok(command)
    }

    /// Compares what a test did with what its authors expect.
    fn judge(&self, script: &Path, text: &str, ran: &Ran) -> Result<(), String> {
        let expected = i32::from(file_name(script).starts_with("err."));
        let last =
            |text: &str| text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        if ran.status != Some(expected) {
            let status = ran.status.map_or("no".to_owned(), |status| status.to_string());
            return Err(format!(
                "status {status}, not {expected}: {} | {}",
                last(&ran.output),
                last(&ran.errors)
            ));
        }
        if let Some(tag) = tag(script) {
            let first = ran.errors.lines().next().unwrap_or_default();
            let found = if self.suite.by_comments { ran.errors.as_str() } else { first };
            if !found.contains(&format!("[{tag}]")) {
                return Err(format!("not the tag {tag}: {first}"));
            }
        }
        let name = file_name(script);
        let (file, sorted) = match self.suite.by_comments {
            // Messages are judged by their tags.
            true => {
                (script.with_file_name(format!("{}.r", name.rsplit_once('.').unwrap_or_default().0)), true)
            }
            false => (script.with_file_name(format!("{name}.out")), false),
        };
        let Ok(wanted) = std::fs::read(&file) else { return Ok(()) };
        let wanted = String::from_utf8_lossy(&wanted).replace('\r', "");
        let wanted = wanted.split("-- @@stderr --").next().unwrap_or_default();
        let sorted = sorted && option(text, "nosort").is_none();
        let output = filtered(&file, &ran.output)?;
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(without_numbers).map(without_addresses).collect();
            if self.suite.by_comments {
                lines.retain(|line| !line.is_empty());
            }
            if sorted {
                lines.sort();
            }
            lines
        };
        let (wanted, output) = match self.suite.by_comments {
            true => (lines(wanted), lines(&output)),
            false => {
                (wanted.lines().map(str::to_owned).collect(), ran.output.lines().map(str::to_owned).collect())
            }
        };
        match wanted.iter().zip(&output).find(|(wanted, found)| wanted != found) {
            Some((wanted, found)) => Err(format!("{found:?}, not {wanted:?}")),
            None if wanted.len() != output.len() => {
                Err(format!("{} lines, not {}", output.len(), wanted.len()))
            }
            None => Ok(()),
        }
    }
}

/// What passes the filter that a test has for its output.
fn filtered(expected: &Path, output: &str) -> Result<String, String> {
    let filter = expected.with_extension("r.p");
    if !filter.exists() {
        return Ok(output.to_owned());
    }
    let mut command = Command::new(&filter);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", filter.display()))?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let text = output.to_owned();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut input, text.as_bytes()));
    let out = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = writer.join();
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// A line of the default output without the numbers of the processor and the probe; any other line as it is.
fn without_numbers(line: &str) -> &str {
    let is_title = line.starts_with("CPU     ID ");
    let numbers = line.get(..11).map(|columns| columns.split_ascii_whitespace().collect::<Vec<_>>());
    let is_row = numbers.is_some_and(|numbers| {
        numbers.len() == 2 && numbers.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if is_title || is_row { line.get(11..).unwrap_or_default() } else { line }
}

/// A line in which each number in hexadecimal is the same.
fn without_addresses(line: &str) -> String {
    let mut pieces = line.split("0x");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str("{ptr}");
        out.push_str(piece.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()));
    }
    out.trim_end().to_owned()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The tag of the error that a test expects: `err.D_PROC_NAME.badname.d`.
fn tag(script: &Path) -> Option<String> {
    let name = file_name(script);
    let tag = name.strip_prefix("err.")?.split('.').next()?;
    tag.starts_with("D_").then(|| tag.to_owned())
}

/// The text behind `@@NAME:` in a test.
fn option<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let marks = [format!("@@{name}:"), format!("@@{name} ")];
    text.lines().find_map(|line| {
        let at = marks.iter().find_map(|mark| Some(line.find(mark.as_str())? + mark.len()))?;
        Some(line.get(at..)?.trim().trim_end_matches("*/").trim())
    })
}

fn compile(sources: &[&Path], program: &Path) -> Result<(), String> {
    let mut cc = Command::new("/usr/bin/gcc");
    cc.args(CFLAGS).arg("-o").arg(program).args(sources).arg("-pthread");
    let output = cc.output().map_err(|error| format!("cannot start gcc: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said.lines().find(|line| line.contains("rror:") || line.contains("undefined"));
    Err(format!("its program does not compile: {}", line.unwrap_or_default()))
}

/// The program that a test watches: one that runs, or a command that `dtrace` starts.
struct Companion {
    command: String,
    running: Option<Child>,
}

impl Companion {
    fn start(mut command: Command) -> Result<Companion, String> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let child = command.spawn().map_err(|error| format!("cannot start {command:?}: {error}"))?;
        std::thread::sleep(HEAD_START);
        Ok(Companion { command: String::new(), running: Some(child) })
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        if let Some(child) = &mut self.running {
            kill(child.id());
            let _ = child.wait();
        }
    }
}

/// Ends a process and all that it has started.
fn kill(group: u32) {
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
}

/// What a command did.
struct Ran {
    /// [`None`] for a signal, or where it did not end.
    status: Option<i32>,
    output: String,
    errors: String,
}

/// Runs a command to its end, or to the end of its time.
fn finished(mut command: Command) -> Result<Ran, String> {
    let paths = ["out", "err"]
        .map(|end| std::env::temp_dir().join(format!("tracewell-targets-{}.{end}", std::process::id())));
    let open =
        |path: &PathBuf| std::fs::File::create(path).map_err(|error| format!("{}: {error}", path.display()));
    command.stdin(Stdio::null()).stdout(open(&paths[0])?).stderr(open(&paths[1])?).process_group(0);
    let mut child = command.spawn().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status.code(),
            None if begun.elapsed() > LIMIT => {
                kill(child.id());
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    // What it has left behind.
    kill(child.id());
    let read = |path: &PathBuf| {
        let text = std::fs::read(path).unwrap_or_default();
        let _ = std::fs::remove_file(path);
        String::from_utf8_lossy(&text).into_owned()
    };
    Ok(Ran { status, output: read(&paths[0]), errors: read(&paths[1]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_each_test_of_the_list_is_there_once_and_an_excluded_one_has_its_reason() {
        let text = std::fs::read_to_string(workspace::root().join(LIST)).expect("the list");
        let rows = rows(&text).expect("rows");
        for suite in SUITES {
            let of_suite: Vec<_> = rows.iter().filter(|row| row.suite == suite.name).collect();
            let applies = of_suite.iter().filter(|row| row.excluded.is_none()).count();
            assert!(applies >= 40, "{}: {applies}", suite.name);
        }
        let mut names: Vec<_> = rows.iter().map(|row| (row.suite, row.test)).collect();
        assert!(names.iter().all(|(suite, _)| SUITES.iter().any(|known| known.name == *suite)));
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(super::rows("illumos\n").is_err() && super::rows("illumos\ta\t\n").is_err());
    }

    #[test]
    fn issue_17_tests_name_what_they_need() {
        let text = "/* @@trigger: pid-tst-args1 */\n/* @@runtest-opts: $_pid */\n# @@trigger-timing: after\n/* @@nosort */\n";
        assert_eq!(option(text, "trigger"), Some("pid-tst-args1"));
        assert_eq!(option(text, "runtest-opts"), Some("$_pid"));
        assert_eq!(option(text, "trigger-timing"), Some("after"));
        assert_eq!(option(text, "nosort"), Some(""));
        assert_eq!(option(text, "tags"), None);
        assert_eq!(tag(Path::new("a/err.D_PROC_NAME.badname.d")).as_deref(), Some("D_PROC_NAME"));
        assert_eq!(tag(Path::new("a/err.uregswrite1.d")), None);
        assert_eq!(without_numbers("  0      3          :ERROR"), "         :ERROR");
        assert_eq!(without_numbers("CPU     ID      FUNCTION:NAME"), "     FUNCTION:NAME");
        assert_eq!(without_numbers("  0 and 3  "), "  0 and 3  ");
        assert_eq!(without_addresses("at 0x7fff12 and 0xa, 12 "), "at {ptr} and {ptr}, 12");
    }
}
