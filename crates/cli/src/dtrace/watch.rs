//! `--watch`: draws the aggregations repeatedly on a terminal during a live run.
//!
//! The picture is below all other output and is erased before anything else is written, so that the script's
//! output scrolls above it. Keys move it, sort it and show rates (`keys.rs`).

use std::cell::Cell;
use std::io::IsTerminal;
use std::rc::Rc;

use tracewell_dengine::host::Output;
use tracewell_dengine::{Order, Shown};

use tracewell_live::interrupt::Interrupt;
use tracewell_live::run::Picture;

#[cfg(unix)]
use super::keys::Keyboard;
use super::keys::{Shared, View};
use super::output::RunOutput;

/// Rows and columns if the terminal does not report its size.
const USUAL: (usize, usize) = (24, 80);

/// A picture on the terminal.
#[derive(Debug)]
pub(super) struct Watch {
    /// Lines of the picture on the terminal now. The output takes it away before it writes.
    lines: Rc<Cell<usize>>,
    view: Shared,
    /// The terminal that keys come from.
    #[cfg(unix)]
    keyboard: Option<Keyboard>,
}

impl Watch {
    /// A picture below the output of a run; none when standard output is no terminal, or output goes to a file.
    #[must_use]
    pub(super) fn on_terminal(to_file: bool, out: &RunOutput) -> Option<Watch> {
        (!to_file && std::io::stdout().is_terminal()).then(|| Watch {
            lines: out.picture(),
            view: Shared::default(),
            #[cfg(unix)]
            keyboard: None,
        })
    }

    /// Reads keys from the terminal of standard input, if it is one.
    #[must_use]
    pub(super) fn with_keys(self, interrupt: &Interrupt) -> Watch {
        #[cfg(unix)]
        return Watch { keyboard: Keyboard::new(&self.view, interrupt), ..self };
        #[cfg(not(unix))]
        {
            let _ = interrupt;
            self
        }
    }

    /// Returns `true` if keys are read.
    fn has_keys(&self) -> bool {
        #[cfg(unix)]
        return self.keyboard.as_ref().inspect(|keyboard| keyboard.keep()).is_some();
        #[cfg(not(unix))]
        false
    }
}

impl Picture for Watch {
    fn shown(&self) -> Shown {
        self.view.get().shown
    }

    fn is_stale(&self) -> bool {
        self.view.get().stale
    }

    fn erase(&mut self, out: &mut dyn Output) {
        out.write(&[]);
        out.flush();
    }

    /// As much of it as fits.
    fn draw(&mut self, picture: &[u8], out: &mut dyn Output) {
        let size =
            terminal_size::terminal_size().map_or(USUAL, |(w, h)| (usize::from(h.0), usize::from(w.0)));
        let has_keys = self.has_keys();
        let (text, lines) = self.view.change(|view| {
            (view.stale, view.page) = (false, size.0);
            fitted(picture, size, view, has_keys)
        });
        out.write(text.as_bytes());
        out.flush();
        self.lines.set(lines);
    }
}

/// The lines of a picture that fit a terminal, none wider than it, and their number. Without a key that moves it, the largest
/// values are seen: at the end, or at the begin where they come first. Lines above and below are counted.
fn fitted(
    picture: &[u8],
    (rows, columns): (usize, usize),
    view: &mut View,
    has_keys: bool,
) -> (String, usize) {
    let whole = String::from_utf8_lossy(picture);
    let lines: Vec<&str> = whole.lines().collect();
    let room = rows.saturating_sub(1 + usize::from(has_keys)).max(2);
    let mut shown: Vec<String> = Vec::new();
    if lines.len() > room {
        let most = lines.len() - (room - 1);
        let usual = if view.shown.order == Order::Asked { most } else { 0 };
        let first = usual.saturating_add_signed(view.moved).min(most);
        view.moved = first.cast_signed() - usual.cast_signed();
        let after = if first == 0 || first == most { room - 1 } else { room.max(3) - 2 };
        let end = (first + after).min(lines.len());
        if first > 0 {
            shown.push(format!("… {first} more lines above"));
        }
        shown.extend(lines.get(first..end).unwrap_or_default().iter().map(|line| (*line).to_owned()));
        if end < lines.len() {
            shown.push(format!("… {} more lines below", lines.len() - end));
        }
    } else {
        view.moved = 0;
        shown.extend(lines.iter().map(|line| (*line).to_owned()));
    }
    if has_keys {
        shown.push(view.help());
    }
    let mut text = String::new();
    for line in &shown {
        text.extend(line.chars().map(|c| if c.is_control() { '?' } else { c }).take(columns.max(1)));
        text.push('\n');
    }
    (text, shown.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(picture: &str, size: (usize, usize), view: &mut View) -> (String, usize) {
        fitted(picture.as_bytes(), size, view, false)
    }

    #[test]
    fn a_picture_fits_its_terminal() {
        let view = &mut View::default();
        assert_eq!(fit("a\nbb\n", (24, 80), view), ("a\nbb\n".to_owned(), 2));
        assert_eq!(fit("abcdef\n", (24, 3), view), ("abc\n".to_owned(), 1));
        assert_eq!(fit("1\n2\n3\n4\n5\n", (4, 80), view), ("… 3 more lines above\n4\n5\n".to_owned(), 3));
        assert_eq!(fit("\x1b[2J\n", (24, 80), view), ("?[2J\n".to_owned(), 1));
        assert_eq!(fit("", (0, 0), view), (String::new(), 0));
        let with_keys = fitted(b"1\n2\n3\n4\n5\n", (5, 12), view, true);
        assert_eq!(with_keys, ("… 3 more lin\n4\n5\n[as at the e\n".to_owned(), 4));
    }

    #[test]
    fn issue_21_a_picture_is_moved_within_its_lines() {
        let picture = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let view = &mut View::default();
        let at = |moved: isize, view: &mut View| {
            view.moved = moved;
            let (text, lines) = fit(picture, (5, 80), view);
            assert_eq!(lines, 4, "{text}");
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(at(0, view), ["… 5 more lines above", "6", "7", "8"]);
        assert_eq!(at(3, view), ["… 5 more lines above", "6", "7", "8"]);
        assert_eq!(view.moved, 0);
        assert_eq!(at(-1, view), ["… 4 more lines above", "5", "6", "… 2 more lines below"]);
        assert_eq!(at(-4, view), ["… 1 more lines above", "2", "3", "… 5 more lines below"]);
        assert_eq!(at(-5, view), ["1", "2", "3", "… 5 more lines below"]);
        assert_eq!(at(isize::MIN, view), ["1", "2", "3", "… 5 more lines below"]);
        assert_eq!(view.moved, -5);
        view.shown.order = Order::Largest;
        assert_eq!(at(0, view), ["1", "2", "3", "… 5 more lines below"]);
        assert_eq!(at(isize::MAX, view), ["… 5 more lines above", "6", "7", "8"]);
        assert_eq!(view.moved, 5);
    }
}
