//! Aggregations as pictures: those keyed by stacks as folded lines or as a flame graph, histograms keyed by time as a
//! heat map.

use std::path::{Path, PathBuf};

use tracewell::text::grouped;
use tracewell::views::pictures::{Drawn, fold, heat};
use tracewell_dengine::{Engine, RunOptions};
use tracewell_dlang::options::{Opt, Options};
use tracewell_dlang::program::Since;
use tracewell_export::{FlameOptions, HeatOptions, TimeScale, flame};
use tracewell_symbols::Symbols;

use super::fatal::Fatal;
use super::options::{Invocation, Program};

use crate::out::say;

/// Frames of a stack in a picture, where the script does not say: more than any trace has of one.
const WHOLE: u32 = 1024;

/// Stacks go into pictures whole, unless options say how deep they are to be.
pub(super) fn whole_stacks(options: &Options, run: &mut RunOptions) {
    if !options.is_set(Opt::Stackframes) {
        run.stacks.frames = WHOLE;
    }
    if !options.is_set(Opt::Ustackframes) {
        run.stacks.user_frames = WHOLE;
    }
}

/// Writes what the command line asks for.
/// `began` is the start of the traces or of the live run: by the clock of `timestamp`, and in nanoseconds since 1970.
pub(super) fn write(
    inv: &Invocation,
    engine: &Engine,
    symbols: &Symbols<'_>,
    began: (i64, i64),
) -> Result<(), Fatal> {
    if let Some(path) = &inv.shown.heat {
        write_heat(path, inv, engine, began)?;
    }
    if !inv.shown.folded && inv.shown.flame.is_none() {
        return Ok(());
    }
    let inlines = engine.options().stacks.inlines;
    let Drawn { folded, unit, idle: (idle, whole), cut: (cut, all), others, .. } =
        fold(engine, symbols, inlines);
    if folded.is_empty() && idle > 0 {
        return Err(Fatal(
            "dtrace: nothing to draw: all that has a stack is of idle processors (--idle draws them)"
                .to_owned(),
        ));
    }
    if folded.is_empty() {
        return Err(Fatal(
            "dtrace: nothing to draw: no aggregation is keyed by callstack(), stack() or ustack(), or none got a stack"
                .to_owned(),
        ));
    }
    if idle > 0 {
        say!(
            "dtrace: {} of {} are of idle processors, and not in the picture (--idle draws them)",
            grouped(idle),
            grouped(whole)
        );
    }
    if cut > 0 {
        say!(
            "dtrace: {cut} of {all} have a stack as deep as the script keeps them: the rest of it is not in the picture \
             (a larger number in callstack(), stack() or ustack(), or -x stackframes and -x ustackframes, keep more)"
        );
    }
    for other in others {
        say!("dtrace: @{other} is keyed by stacks too, and not in the picture");
    }
    if inv.shown.folded {
        crate::write_stdout(&folded.text());
    }
    if let Some(path) = &inv.shown.flame {
        let note =
            if idle > 0 { format!(", {} of idle processors left out", grouped(idle)) } else { String::new() };
        let options =
            FlameOptions { title: title(inv), unit: unit.to_owned(), note, ..FlameOptions::default() };
        if path == Path::new("-") {
            // If the program's own output precedes it, no XML declaration may follow; the picture does not need
            // one.
            let picture = flame(&folded, &options);
            crate::write_stdout(picture.split_once("?>\n").map_or(&*picture, |(_, rest)| rest));
            return Ok(());
        }
        crate::links::write_new(path, inv.shown.force, flame(&folded, &options)).map_err(|e| {
            Fatal(format!("dtrace: cannot write {}: {}", path.display(), crate::input::reason(&e)))
        })?;
    }
    Ok(())
}

/// What a picture is of: traces, or the scripts of a live run.
fn title(inv: &Invocation) -> String {
    let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    let traces: Vec<String> = inv.traces.iter().filter_map(name).collect();
    if !traces.is_empty() {
        return traces.join(", ");
    }
    let programs = inv.programs.iter().filter_map(|program| match program {
        Program::Script(path) => name(path),
        Program::BuiltIn(script) => Some(script.name.to_owned()),
        Program::Spec(_, text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    });
    programs.collect::<Vec<_>>().join(", ")
}

fn write_heat(path: &Path, inv: &Invocation, engine: &Engine, began: (i64, i64)) -> Result<(), Fatal> {
    let Some((name, map, clock)) = heat(engine) else {
        return Err(Fatal(
            "dtrace: no heat map to draw: no quantize(), lquantize() or llquantize() is keyed by a number such as \
             timestamp / 1000000000"
                .to_owned(),
        ));
    };
    let scale = clock.map(|clock| TimeScale {
        nanoseconds: clock.nanoseconds,
        zero: match clock.since {
            Since::Clock => began.0,
            Since::Unix => began.1,
            Since::Chosen => 0,
        },
    });
    let across = match clock.map(|clock| clock.since) {
        Some(Since::Clock | Since::Unix) => "time since the start of the trace",
        Some(Since::Chosen) => "time",
        None => "key",
    };
    if path == Path::new("-") {
        let style = crate::term::Style::stdout();
        let paint = |c: char, shade: usize| match (style.is_on(), shade) {
            (false, _) => c.to_string(),
            (true, 0) => style.dim(&c.to_string()),
            (true, 1 | 2) => style.yellow(&c.to_string()),
            (true, _) => style.red(&c.to_string()),
        };
        crate::out::write_bytes(map.text(100, scale, paint).as_bytes());
        return Ok(());
    }
    let options = HeatOptions { title: title(inv), across: across.to_owned(), up: name, scale };
    crate::links::write_new(path, inv.shown.force, map.svg(&options))
        .map_err(|e| Fatal(format!("dtrace: cannot write {}: {}", path.display(), crate::input::reason(&e))))
}

#[cfg(test)]
mod tests {
    use tracewell_dlang::options::Setter;

    use super::*;

    #[test]
    fn issue_23_stacks_are_whole_unless_options_say_how_deep() {
        let mut options = Options::default();
        for (set, expected) in
            [(None, (WHOLE, WHOLE)), (Some("stackframes"), (5, WHOLE)), (Some("ustackframes"), (5, 5))]
        {
            if let Some(name) = set {
                options.set(name, Some("5"), Setter::CommandLine).unwrap();
            }
            let mut run = RunOptions::default();
            (run.stacks.frames, run.stacks.user_frames) = (5, 5);
            whole_stacks(&options, &mut run);
            assert_eq!((run.stacks.frames, run.stacks.user_frames), expected);
        }
    }
}
