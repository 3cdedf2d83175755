//! A script over many traces: `--each` prints the answer of each file, `--merge` combines the aggregations of all.

use std::io::{self, Read, Seek, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;
use tracewell::many::{Answer, Failure, Question, answer, in_order};
use tracewell::restrict::Limits;
use tracewell::text::counted;
use tracewell::when::Between;
use tracewell_dengine::RunOptions;
use tracewell_dengine::combine::aggregations::Aggregations;
use tracewell_dengine::combine::clauses::{lost, once};
use tracewell_dengine::host::Output;
use tracewell_dlang::options::{Opt, Options};
use tracewell_dlang::program::Program;
use tracewell_live::interrupt::Interrupt;
use tracewell_live::process;
use tracewell_symbols::FileStore;

use super::aggregations;
use super::compile::{self, Beside};
use super::fatal::Fatal;
use super::options::{Invocation, Many};
use super::output::RunOutput;
use super::stored::{all_calls, schemas_for};
use crate::input::{TraceFile, side_files, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::status;
use crate::term::{Style, printable};

/// Bytes of the output of a file that are kept in memory until the output is printed.
const IN_MEMORY: usize = 4 << 20;
/// Messages of one file's run that are kept.
const MOST_MESSAGES: usize = 200;

/// The run of one file.
struct OfFile {
    answer: Result<Answer, Why>,
    kept: Kept,
}

/// Why a file has no answer: the line, and the same without the name of the file.
struct Why {
    line: String,
    what: String,
}

/// Runs the script over each trace.
pub(super) fn run(
    inv: &Invocation,
    options: &Options,
    interrupt: &Interrupt,
    limits: &Limits,
) -> Result<i32, Fatal> {
    let groups = groups(&inv.traces);
    if groups.is_empty() {
        let option = if inv.many == Many::Each { "--each" } else { "--merge" };
        return Err(Fatal(format!("dtrace: {option} needs traces: name them with -E")));
    }
    let between = inv.between().map_err(|why| Fatal(format!("dtrace: {why}")))?;
    let (texts, foreign) = compile::texts(inv, options)?;
    let beside = Beside::new(inv, None);
    let out = aggregations::output(inv, options, limits)?;
    let progress = Progress::counted(groups.len() as u64, "files");
    let threads = inv.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let mut gathered = Gathered::new(inv, options, out);
    let _running = interrupt.in_order();
    let each = |number: usize| {
        let sourced = beside.sourced(inv, &texts, options);
        let server = crate::symbols::server_until({
            let interrupt = interrupt.clone();
            move || interrupt.raised()
        });
        let asked = Asked { inv, options, between, sourced, foreign: foreign.as_deref(), limits };
        let mut kept = Kept::new(inv.many == Many::Merge, limits.output);
        let answer = asked.answer(&groups[number], server.as_deref(), &mut kept, &|| !interrupt.raised());
        OfFile { answer, kept }
    };
    let mut seen = 0;
    in_order(groups.len(), threads, each, |number, of_file| {
        seen += 1;
        progress.done(seen);
        progress.clear();
        let goes_on = gathered.take(&groups[number][0], of_file);
        goes_on && !interrupt.raised()
    });
    progress.clear();
    let status = gathered.finish(limits)?;
    let left = groups.len() as u64 - seen;
    if interrupt.raised() && left > 0 {
        let files = counted(left, "file was", "files were");
        say!("{}", Style::stderr().yellow(&format!("dtrace: interrupted: {files} not read")));
    }
    Ok(match status {
        0 if interrupt.expired() => 1,
        0 if interrupt.raised() => status::STOPPED.into(),
        status => status,
    })
}

/// The traces, each with the files that belong to it, which are no traces by themselves then.
fn groups(given: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    let beside = side_files_of_any(given);
    let of = |path: &PathBuf| {
        let mut group = vec![path.clone()];
        group.extend(side_files(&group));
        group
    };
    given.iter().filter(|path| !beside.contains(path)).map(of).collect()
}

fn side_files_of_any(given: &[PathBuf]) -> Vec<PathBuf> {
    given.iter().flat_map(|path| side_files(std::slice::from_ref(path))).collect()
}

/// What each file is asked.
struct Asked<'q> {
    inv: &'q Invocation,
    options: &'q Options,
    between: Between,
    sourced: tracewell::compile::Sourced<'q>,
    foreign: Option<&'q str>,
    limits: &'q Limits,
}

impl Asked<'_> {
    fn answer(
        &self,
        paths: &[PathBuf],
        server: Option<&dyn tracewell_symbols::SymbolServer>,
        kept: &mut Kept,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Answer, Why> {
        let Asked { inv, options, between, sourced, .. } = *self;
        let why = |failure: Failure| {
            let what = match failure {
                // Its message has the name of the file.
                Failure::Input(error) => {
                    let line = error.to_string();
                    return Why { what: line.clone(), line };
                }
                Failure::Compile(error) => compile::failed(inv, options, self.foreign, error).0,
                failure => failure.to_string(),
            };
            let what = what.trim_start_matches("dtrace: ").trim_end().to_owned();
            Why { line: format!("{}: {what}", named(&paths[0])), what }
        };
        let files: Vec<TraceFile> =
            traces(paths).collect::<Result<_, _>>().map_err(|error| why(Failure::Input(error)))?;
        let question = Question {
            sourced,
            between,
            adjust: &|run_options: &mut RunOptions| {
                compile::adjust(inv, options, run_options);
                self.limits.apply(run_options);
            },
            schemas: &|traces| schemas_for(traces, inv.symbol_path.as_deref()),
            calls: &|traces| all_calls(&files, traces, inv.symbol_path.as_deref()),
            store: &|options: &Options| {
                let of_script = options.text(Opt::Sympath);
                let path = inv.symbol_path.as_deref().or(of_script.as_deref());
                FileStore::new(crate::symbols::search_path(path, files.iter().map(|file| &file.path)), server)
            },
            remarks: &|store| crate::symbols::remarks(store, Style::plain()),
            deed: process::name_of,
            keeps: inv.many == Many::Merge,
        };
        answer(&question, &files, kept, &mut |_| goes_on()).map_err(why)
    }
}

fn named(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// What the files of a command have answered so far.
struct Gathered<'g> {
    inv: &'g Invocation,
    options: &'g Options,
    out: RunOutput,
    /// Files without an answer, until one has an answer: if all of them fail alike, the script is at fault.
    failures: Vec<Why>,
    failed: u64,
    answered: u64,
    /// The combined aggregations, with the program and the options of the first file.
    total: Option<(Aggregations, Program, RunOptions)>,
    status: i32,
    fatal: Option<Fatal>,
}

impl<'g> Gathered<'g> {
    fn new(inv: &'g Invocation, options: &'g Options, out: RunOutput) -> Gathered<'g> {
        Gathered {
            inv,
            options,
            out,
            failures: Vec::new(),
            failed: 0,
            answered: 0,
            total: None,
            status: 0,
            fatal: None,
        }
    }

    /// Takes the run of a file; `false` ends the command.
    fn take(&mut self, path: &Path, of_file: OfFile) -> bool {
        let OfFile { answer, mut kept } = of_file;
        let answer = match answer {
            Ok(answer) => answer,
            Err(why) => {
                self.fail(path, why);
                return !self.out.is_closed();
            }
        };
        if self.answered == 0 {
            self.begin(&answer);
        }
        if self.fatal.is_some() {
            return false;
        }
        if self.inv.many == Many::Merge {
            let combined = match (&mut self.total, answer.aggregations) {
                (Some((total, ..)), Some(more)) => total.combine(&more),
                (total, more) => {
                    *total = Some((more.unwrap_or_default(), answer.program, answer.run_options));
                    Ok(())
                }
            };
            if let Err(error) = combined {
                let (line, what) = (format!("{}: {error}", named(path)), error.to_string());
                self.fail(path, Why { line, what });
                return true;
            }
        }
        self.answered += 1;
        if self.status == 0 {
            self.status = answer.exit_status.unwrap_or(0);
        }
        let lines = kept.messages().into_iter().map(|line| (path.to_owned(), line));
        let lines: Vec<(PathBuf, String)> = lines.chain(answer.lines).collect();
        self.state(path, None, &lines);
        if self.inv.many == Many::Each {
            self.print(path, &mut kept);
        }
        let style = Style::stderr();
        for (file, line) in &lines {
            say!("{}", style.yellow(&format!("dtrace: {}: {line}", named(file))));
        }
        !self.out.is_closed()
    }

    /// What is said once, when the first file has an answer.
    fn begin(&mut self, answer: &Answer) {
        let style = Style::stderr();
        for warning in answer.warnings.iter().filter(|_| !compile::is_compared(self.options)) {
            say!("{}", style.yellow(&format!("dtrace: warning: {warning}")));
        }
        for why in std::mem::take(&mut self.failures) {
            say!("{}", style.yellow(&format!("dtrace: {}", why.line)));
        }
        if self.inv.many != Many::Merge {
            return;
        }
        if answer.program.aggs.is_empty() {
            self.fatal = Some(Fatal(
                "dtrace: --merge combines aggregations, and the script has none (--each prints the answer of each file)"
                    .to_owned(),
            ));
            return;
        }
        for lost in lost(&answer.program, answer.run_options.quiet) {
            let mut what = Vec::new();
            if lost.prints {
                what.push("its output is of single files and left out (--each prints it)");
            }
            if lost.changes {
                what.push(match lost.is_end {
                    true => "its clear(), trunc() and normalize() are left out: they need what single files had",
                    false => "its clear(), trunc() and normalize() act while a file is read: the answer has what each file had at its end",
                });
            }
            let place = format!("{} (line {})", printable(&lost.description), lost.line);
            say!("{}", style.yellow(&format!("dtrace: --merge: {place}: {}", what.join("; "))));
        }
    }

    fn fail(&mut self, path: &Path, why: Why) {
        self.failed += 1;
        self.state(path, Some(&why.line), &[]);
        match self.answered {
            0 => self.failures.push(why),
            _ => say!("{}", Style::stderr().yellow(&format!("dtrace: {}", why.line))),
        }
    }

    /// The object of a file among lines of JSON.
    fn state(&mut self, path: &Path, failure: Option<&str>, lines: &[(PathBuf, String)]) {
        if !self.inv.shown.json {
            return;
        }
        let lacks: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        let file = path.display().to_string();
        let state = match failure {
            Some(why) => {
                serde_json::json!({"type": "file", "file": file, "status": "failed", "message": why})
            }
            None => serde_json::json!({"type": "file", "file": file, "status": "answered", "lacks": lacks}),
        };
        self.out.write(format!("{state}\n").as_bytes());
    }

    /// The answer of a file.
    fn print(&mut self, path: &Path, kept: &mut Kept) {
        let name = path.display().to_string();
        let copied = match self.inv.shown.json {
            true => {
                let file = serde_json::Value::from(name);
                kept.labelled(&format!("{{\"file\":{file},"), &mut self.out)
            }
            false => {
                self.out.write(format!("==> {} <==\n", printable(&name)).as_bytes());
                kept.copy(&mut self.out)
            }
        };
        if let Err(error) = copied {
            crate::out::note(&error);
        }
        self.out.flush();
    }

    /// Prints the combined answer. Returns the exit status.
    fn finish(mut self, limits: &Limits) -> Result<i32, Fatal> {
        if let Some(fatal) = self.fatal {
            return Err(fatal);
        }
        if self.answered == 0 {
            self.out.flush();
            return Err(none_answered(self.failures));
        }
        if let Some((total, program, run_options)) = self.total {
            if self.failed > 0 {
                let files = self.failed + self.answered;
                let line = format!("the answer is of {} of {files} files", self.answered);
                say!("{}", Style::stderr().yellow(&format!("dtrace: {line}")));
            }
            aggregations::say_about(&total);
            if let Some(path) = &self.inv.agg_out {
                aggregations::write(path, self.inv.shown.force, &total)?;
            }
            let mut run_options = run_options;
            limits.apply(&mut run_options);
            let status = aggregations::show(total, once(&program), run_options, &mut self.out)?;
            if self.status == 0 {
                self.status = status.unwrap_or(0);
            }
        }
        self.out.flush();
        Ok(if self.status == 0 && self.failed > 0 { status::PARTIAL.into() } else { self.status })
    }
}

/// No file has an answer. Files that fail alike have one line: often the script is at fault.
fn none_answered(failures: Vec<Why>) -> Fatal {
    let mut kinds: Vec<(Why, u64)> = Vec::new();
    for why in failures {
        match kinds.iter_mut().find(|(known, _)| known.what == why.what) {
            Some((_, others)) => *others += 1,
            None => kinds.push((why, 0)),
        }
    }
    if kinds.is_empty() {
        return Fatal("dtrace: interrupted before any file had an answer".to_owned());
    }
    let line = |(why, others): (Why, u64)| match others {
        0 => format!("dtrace: {}", why.line),
        others => format!("dtrace: {} (and {})", why.line, counted(others, "other file", "other files")),
    };
    Fatal(kinds.into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The output of the run of a file, kept until those of the files before it are printed.
struct Kept {
    /// Nothing of the output is shown.
    hides: bool,
    text: SpooledTempFile,
    /// Bytes that may still be kept.
    left: Option<u64>,
    messages: Vec<String>,
    messages_left_out: u64,
    failure: Option<io::Error>,
}

impl Kept {
    fn new(hides: bool, most: Option<u64>) -> Kept {
        Kept {
            hides,
            text: SpooledTempFile::new(IN_MEMORY),
            // One byte more, so that the output itself reports its limit.
            left: most.map(|most| most.saturating_add(1)),
            messages: Vec::new(),
            messages_left_out: 0,
            failure: None,
        }
    }

    fn messages(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.messages);
        if self.messages_left_out > 0 {
            lines.push(counted(self.messages_left_out, "further message", "further messages"));
        }
        lines
    }

    fn rewind(&mut self) -> io::Result<()> {
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.text.rewind(),
        }
    }

    fn copy(&mut self, out: &mut RunOutput) -> io::Result<()> {
        self.rewind()?;
        let mut chunk = vec![0; 1 << 16];
        loop {
            match self.text.read(&mut chunk)? {
                0 => return Ok(()),
                n => out.write(&chunk[..n]),
            }
        }
    }

    /// Lines of JSON, each of which begins with `start` in place of its brace.
    fn labelled(&mut self, start: &str, out: &mut RunOutput) -> io::Result<()> {
        self.rewind()?;
        let mut chunk = vec![0; 1 << 16];
        let mut is_start = true;
        loop {
            let n = self.text.read(&mut chunk)?;
            if n == 0 {
                return Ok(());
            }
            for part in chunk[..n].split_inclusive(|&byte| byte == b'\n') {
                match (is_start, part.strip_prefix(b"{")) {
                    (true, Some(rest)) => {
                        out.write(start.as_bytes());
                        out.write(rest);
                    }
                    _ => out.write(part),
                }
                is_start = part.ends_with(b"\n");
            }
        }
    }
}

impl Output for Kept {
    fn write(&mut self, bytes: &[u8]) {
        if self.hides || self.failure.is_some() {
            return;
        }
        let most = self.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        let bytes = &bytes[..bytes.len().min(most)];
        if let Some(left) = &mut self.left {
            *left -= bytes.len() as u64;
        }
        self.failure = self.text.write_all(bytes).err();
    }

    fn error(&mut self, line: &str) {
        match self.messages.len() < MOST_MESSAGES {
            true => self.messages.push(line.trim_start_matches("dtrace: ").to_owned()),
            false => self.messages_left_out += 1,
        }
    }

    fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
        Err("the output of one of many files stays where that of the others goes".to_owned())
    }

    fn system(&mut self, command: &[u8]) {
        let command = String::from_utf8_lossy(command);
        self.error(&format!("system() runs nothing over many files: {}", printable(&command)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_files_beside_a_trace_are_no_traces_by_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a.etl", "a.kernel.etl", "b.etl"] {
            std::fs::write(at(name), "").unwrap();
        }
        let all = [at("a.etl"), at("a.kernel.etl"), at("b.etl")];
        assert_eq!(groups(&all), [vec![at("a.etl"), at("a.kernel.etl")], vec![at("b.etl")]]);
        assert_eq!(groups(&all[1..2]), [vec![at("a.kernel.etl")]]);
    }

    #[test]
    fn issue_22_messages_of_a_run_are_limited() {
        let mut kept = Kept::new(false, Some(4));
        (0..MOST_MESSAGES + 5).for_each(|_| kept.error("dtrace: error"));
        let messages = kept.messages();
        assert_eq!(messages.len(), MOST_MESSAGES + 1);
        assert_eq!((&*messages[0], &*messages[MOST_MESSAGES]), ("error", "5 further messages"));
        kept.write(b"123456789");
        kept.rewind().unwrap();
        let mut text = String::new();
        kept.text.read_to_string(&mut text).unwrap();
        assert_eq!(text, "12345", "one byte more than the limit");
    }
}
