//! `etw view`: an interactive table of a trace in the terminal. What keys do is in the library; this draws and waits for keys.

mod draw;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tracewell_diagnose::view::{Key, Model, OfActivity};

use super::report::with_activity;
use crate::input::only_trace;
use crate::out::say;

const EXAMPLES: &str = "\
Keys:
  arrows            move, show and hide rows below      /   rows with a text
  g G               next and previous grouping          t   a part of the time
  w                 next weight                         a   all of the time
  i                 code anywhere on the stack          e   events of a row
  s                 sort by weight or name              k   stacks of a row
  ?                 all keys                            q   quit

Examples:
  etw view trace.etl";

/// Arguments of `etw view`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ViewArgs {
    /// Trace file
    file: PathBuf,
    /// Search path for symbols, instead of _NT_SYMBOL_PATH
    #[arg(short = 'y', long, value_name = "PATH")]
    symbols: Option<String>,
}

/// Exit status: 0 done, 1 the file could not be read, 2 there is no terminal.
pub(super) fn run(args: &ViewArgs) -> ExitCode {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        say!("etw: view needs a terminal (etw top prints the same tables)");
        return ExitCode::from(2);
    }
    let shown = only_trace(&args.file).map_err(|error| error.to_string()).and_then(|file| {
        with_activity(&file, args.symbols.as_deref(), |activity, symbols| {
            let model = Model::new(OfActivity::new(activity, symbols));
            show(model, &file.path.display().to_string())
        })
    });
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Draws and waits for keys until the end.
fn show(mut model: Model<OfActivity<'_, '_>>, file: &str) -> Result<(), String> {
    let mut terminal =
        ratatui::try_init().map_err(|error| format!("cannot draw on the terminal: {error}"))?;
    let result = loop {
        let drawn = terminal.draw(|frame| draw::draw(frame, &model, file));
        if let Err(error) = drawn {
            break Err(format!("cannot draw on the terminal: {error}"));
        }
        let height = terminal.size().map_or(24, |size| size.height);
        match event::read() {
            Ok(Event::Key(event)) if event.kind != KeyEventKind::Release => {
                if let Some(key) = key(event) {
                    model.key(key, draw::rows(height));
                }
            }
            Ok(_) => {}
            Err(error) => break Err(format!("cannot read from the terminal: {error}")),
        }
        if model.is_over() {
            break Ok(());
        }
    };
    ratatui::restore();
    result
}

/// A key of the terminal. Control and C quits.
fn key(event: KeyEvent) -> Option<Key> {
    Some(match event.code {
        KeyCode::Char('c') if event.modifiers.contains(KeyModifiers::CONTROL) => Key::Char('q'),
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        _ => return None,
    })
}
