//! `etw view`: an interactive table of a trace in the terminal. What keys do is in the library; this draws and waits for keys.

mod draw;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tracewell_diagnose::view::{Key, Model, OfActivity};

use super::report::{with_activity, with_activity_so_far};
use super::session;
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
  etw view trace.etl
  etw view trace.etl --follow           while it is recorded
  etw view build                        a session that runs and writes a file";

/// Arguments of `etw view`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ViewArgs {
    /// Trace file, or the name of a running session that writes one
    #[arg(value_name = "FILE|NAME")]
    file: PathBuf,
    /// Read the file again while it grows, after this number of seconds [default for a session: 2]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u32).range(1..=3600))]
    follow: Option<u32>,
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
    let shown = match followed(args) {
        Ok(Some(followed)) => follow(args, &followed),
        Ok(None) => only_trace(&args.file).map_err(|error| error.to_string()).and_then(|file| {
            with_activity(&file, args.symbols.as_deref(), |activity, symbols| {
                let mut screen = Screen::new(file.path.display().to_string())?;
                screen.show(&mut Model::new(OfActivity::new(activity, symbols)), None)
            })
        }),
        Err(error) => Err(error),
    };
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A file that is read again.
struct Followed {
    file: PathBuf,
    /// The session that writes it, which is asked to deliver its events before.
    session: Option<String>,
    every: Duration,
}

/// The file that is to be followed; [`None`] if it is read once.
fn followed(args: &ViewArgs) -> Result<Option<Followed>, String> {
    let every = |seconds: u32| Duration::from_secs(seconds.into());
    let name = args.file.to_string_lossy();
    if args.file.exists() || name.contains(['/', '\\', '.']) {
        let file = args.file.clone();
        return Ok(args.follow.map(|seconds| Followed { file, session: None, every: every(seconds) }));
    }
    let file = session::log_file(&name)?;
    let session = Some(name.into_owned());
    Ok(Some(Followed { file, session, every: every(args.follow.unwrap_or(2)) }))
}

/// Shows a file, and reads it again now and then. What keys have chosen stays.
fn follow(args: &ViewArgs, followed: &Followed) -> Result<(), String> {
    let mut screen: Option<Screen> = None;
    let mut kept: Option<Model<()>> = None;
    loop {
        let begun = Instant::now();
        if let Some(session) = &followed.session {
            // A session that has ended has delivered all.
            let _ = session::flush(session);
        }
        let file = only_trace(&followed.file).map_err(|error| error.to_string())?;
        let model = with_activity_so_far(
            &file,
            args.symbols.as_deref(),
            |_| (),
            |activity, symbols| {
                let facts = OfActivity::new(activity, symbols);
                let mut model = match kept.take() {
                    Some(kept) => kept.take_up(facts),
                    None => Model::new(facts),
                };
                // Reading takes at most a fifth of the time.
                let wait = followed.every.max(begun.elapsed() * 4);
                let screen = match &mut screen {
                    Some(screen) => screen,
                    none => none.insert(Screen::new(title(followed))?),
                };
                screen.show(&mut model, Some(Instant::now() + wait))?;
                Ok(model.put_aside())
            },
        )?;
        if model.is_over() {
            return Ok(());
        }
        kept = Some(model);
    }
}

fn title(followed: &Followed) -> String {
    let file: &Path = &followed.file;
    match &followed.session {
        Some(session) => format!("session {session}, {}", file.display()),
        None => format!("{}, as it grows", file.display()),
    }
}

/// The terminal, which is as it was before when this goes.
struct Screen {
    terminal: ratatui::DefaultTerminal,
    title: String,
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

impl Screen {
    fn new(title: String) -> Result<Screen, String> {
        let terminal =
            ratatui::try_init().map_err(|error| format!("cannot draw on the terminal: {error}"))?;
        Ok(Screen { terminal, title })
    }

    /// Draws and waits for keys until the end, or until a time.
    fn show(&mut self, model: &mut Model<OfActivity<'_, '_>>, until: Option<Instant>) -> Result<(), String> {
        let unreadable = |error| format!("cannot read from the terminal: {error}");
        loop {
            let drawn = self.terminal.draw(|frame| draw::draw(frame, model, &self.title));
            drawn.map_err(|error| format!("cannot draw on the terminal: {error}"))?;
            if let Some(until) = until {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() || !event::poll(left).map_err(unreadable)? {
                    return Ok(());
                }
            }
            let height = self.terminal.size().map_or(24, |size| size.height);
            match event::read().map_err(unreadable)? {
                Event::Key(event) if event.kind != KeyEventKind::Release => {
                    if let Some(key) = key(event) {
                        model.key(key, draw::rows(height));
                    }
                }
                _ => {}
            }
            if model.is_over() {
                return Ok(());
            }
        }
    }
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
