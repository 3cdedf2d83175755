//! Aggregations in files, and what is said about combined ones.

use std::io::Read;
use std::path::Path;

use tracewell::restrict::Limits;
use tracewell::text::counted;
use tracewell_dengine::RunOptions;
use tracewell_dengine::combine::aggregations::Aggregations;
use tracewell_dengine::host::Output;
use tracewell_dlang::options::{Opt, Options};
use tracewell_dlang::program::Program;

use super::compile;
use super::fatal::Fatal;
use super::options::Invocation;
use super::output::RunOutput;
use super::patterns;
use crate::input::reason;
use crate::out::say;
use crate::status;
use crate::term::{Style, printable};

/// Bytes of a file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Writes aggregations to a file.
pub(super) fn write(path: &Path, force: bool, kept: &Aggregations) -> Result<(), Fatal> {
    let failed = |why: String| Fatal(format!("dtrace: cannot write {}: {why}", path.display()));
    let bytes = kept.to_file().map_err(|error| failed(error.to_string()))?;
    if path == Path::new("-") {
        crate::out::write_file(&bytes);
        return Ok(());
    }
    crate::links::write_new(path, force, bytes).map_err(|error| failed(reason(&error)))
}

fn read(path: &Path) -> Result<Aggregations, String> {
    let failed = |why: String| format!("cannot read {}: {why}", printable(&path.display().to_string()));
    let mut bytes = Vec::new();
    let file: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(std::fs::File::open(path).map_err(|error| failed(reason(&error)))?),
    };
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| failed(reason(&error)))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed(format!("it is longer than {} MiB", MOST_BYTES >> 20)));
    }
    Aggregations::from_file(&bytes).map_err(|error| failed(error.to_string()))
}

/// `--agg-merge`: combines the aggregations in files, and prints them as a run prints its own.
pub(super) fn merge(inv: &Invocation, options: &Options, limits: &Limits) -> Result<i32, Fatal> {
    let given: Vec<_> = inv.args.iter().map(Into::into).collect();
    let files = patterns::expanded(&given).map_err(Fatal)?;
    if files.is_empty() {
        return Err(Fatal("dtrace: --agg-merge needs files that --agg-out has written".to_owned()));
    }
    let mut total = Aggregations::default();
    let mut failed = 0;
    for path in &files {
        let combined = read(path).and_then(|more| {
            let name = printable(&path.display().to_string());
            total.combine(&more).map_err(|error| format!("{name}: {error}"))
        });
        if let Err(line) = combined {
            failed += 1;
            say!("{}", Style::stderr().yellow(&format!("dtrace: {line}")));
        }
    }
    if failed == files.len() {
        return Err(Fatal("dtrace: no file has aggregations that can be combined".to_owned()));
    }
    let mut run_options = RunOptions::from(options);
    compile::adjust(inv, options, &mut run_options);
    limits.apply(&mut run_options);
    let mut out = output(inv, options, limits)?;
    say_about(&total);
    if let Some(path) = &inv.agg_out {
        write(path, inv.shown.force, &total)?;
    }
    let status = show(total, Program::default(), run_options, &mut out)?;
    Ok(status.unwrap_or(0).max(if failed > 0 { status::PARTIAL.into() } else { 0 }))
}

/// Prints combined aggregations.
pub(super) fn show(
    total: Aggregations,
    once: Program,
    options: RunOptions,
    out: &mut RunOutput,
) -> Result<Option<i32>, Fatal> {
    let status = total.show(once, options, out)?;
    out.flush();
    Ok(status)
}

/// Opens the output.
pub(super) fn output(inv: &Invocation, options: &Options, limits: &Limits) -> Result<RunOutput, Fatal> {
    let out = RunOutput::new(inv.output_file(), limits.output, options.flag(Opt::Restrict));
    let mut out = out.map_err(|error| {
        let path = inv.output.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
        Fatal(format!("dtrace: failed to open output file '{path}': {}", reason(&error)))
    })?;
    if let Some(before) = options.int(Opt::Lastcolumn) {
        out.fit(before);
    }
    Ok(out)
}

/// Reports which of the combined keys may not mean the same in all runs, and which are missing.
pub(super) fn say_about(total: &Aggregations) {
    let style = Style::stderr();
    if total.runs() > 1 {
        for (name, count) in total.nameless() {
            let addresses = counted(count, "address has no name", "addresses have no names");
            let line = format!(
                "@{name}: {addresses}: equal addresses of different files are combined, although they may be of different functions"
            );
            say!("{}", style.yellow(&format!("dtrace: {line}")));
        }
    }
    if total.left_out() > 0 {
        let keys = counted(total.left_out(), "key was", "keys were");
        let line = format!("{keys} left out: the aggregations reached the limit of memory");
        say!("{}", style.yellow(&format!("dtrace: {line}")));
    }
}
