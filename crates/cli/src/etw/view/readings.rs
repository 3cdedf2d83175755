//! A table on the terminal, and the readings that it shows one after another.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tracewell_diagnose::view::{Key, Model, OfActivity};
use tracewell_etl::Trace;

use super::draw::{self, Title};
use crate::etw::report::with_activity_so_far;

/// One reading after another in the same table: what keys have chosen stays.
pub(super) struct Readings<'a> {
    symbols: Option<&'a str>,
    every: Duration,
    screen: Option<Screen>,
    kept: Option<Model<()>>,
}

impl<'a> Readings<'a> {
    /// With this search path for symbols, so often.
    pub(super) fn new(symbols: Option<&'a str>, every: Duration) -> Readings<'a> {
        Readings { symbols, every, screen: None, kept: None }
    }

    /// Returns `true` after `q`.
    pub(super) fn is_over(&self) -> bool {
        self.kept.as_ref().is_some_and(Model::is_over)
    }

    /// Shows what was read until it is time to read again and there is something new.
    pub(super) fn show(
        &mut self,
        traces: &[Trace<'_>],
        title: &Title,
        begun: Instant,
        is_new: impl Fn() -> bool,
    ) -> Result<(), String> {
        let Readings { symbols, every, screen, kept } = self;
        let model = with_activity_so_far(
            traces,
            crate::symbols::search_path(*symbols, crate::symbols::NO_TRACES),
            |_| (),
            |activity, symbols| {
                let facts = OfActivity::new(activity, symbols);
                let mut model = match kept.take() {
                    Some(kept) => kept.take_up(facts),
                    None => Model::new(facts),
                };
                // Reading takes at most a fifth of the time.
                let wait = (*every).max(begun.elapsed() * 4);
                let screen = match screen {
                    Some(screen) => screen,
                    none => none.insert(Screen::new()?),
                };
                loop {
                    screen.show(&mut model, title, Some(Instant::now() + wait))?;
                    if model.is_over() || is_new() {
                        return Ok(model.put_aside());
                    }
                }
            },
        )?;
        self.kept = Some(model);
        Ok(())
    }
}

/// The terminal, which is as it was before when this goes.
pub(super) struct Screen {
    terminal: ratatui::DefaultTerminal,
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

impl Screen {
    pub(super) fn new() -> Result<Screen, String> {
        let terminal =
            ratatui::try_init().map_err(|error| format!("cannot draw on the terminal: {error}"))?;
        Ok(Screen { terminal })
    }

    /// Draws and waits for keys until the end, or until a time.
    pub(super) fn show(
        &mut self,
        model: &mut Model<OfActivity<'_, '_>>,
        title: &Title,
        until: Option<Instant>,
    ) -> Result<(), String> {
        let unreadable = |error| format!("cannot read from the terminal: {error}");
        loop {
            let drawn = self.terminal.draw(|frame| draw::draw(frame, model, title));
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
                        model.key(key, draw::rows(height, title));
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
