//! `--watch`: draws the aggregations repeatedly on a terminal during a live run.
//!
//! The picture is below all other output and is erased before anything else is written, so that the script's
//! output scrolls above it.

use std::cell::Cell;
use std::io::IsTerminal;
use std::rc::Rc;

use tracewell_dengine::host::Output;

use tracewell_live::run::Picture;

use super::output::RunOutput;

/// Rows and columns if the terminal does not report its size.
const USUAL: (usize, usize) = (24, 80);

/// A picture on the terminal.
#[derive(Debug)]
pub(super) struct Watch {
    /// Lines of the picture on the terminal now. The output takes it away before it writes.
    lines: Rc<Cell<usize>>,
}

impl Watch {
    /// A picture below the output of a run; none when standard output is no terminal, or output goes to a file.
    #[must_use]
    pub(super) fn on_terminal(to_file: bool, out: &RunOutput) -> Option<Watch> {
        (!to_file && std::io::stdout().is_terminal()).then(|| Watch { lines: out.picture() })
    }
}

impl Picture for Watch {
    fn erase(&mut self, out: &mut dyn Output) {
        out.write(&[]);
        out.flush();
    }

    /// As much of it as fits.
    fn draw(&mut self, picture: &[u8], out: &mut dyn Output) {
        let (rows, columns) =
            terminal_size::terminal_size().map_or(USUAL, |(w, h)| (usize::from(h.0), usize::from(w.0)));
        let (text, lines) = fitted(picture, rows, columns);
        out.write(text.as_bytes());
        out.flush();
        self.lines.set(lines);
    }
}

/// The lines of a picture that fit a terminal, none wider than it, and their number. The largest values come last,
/// so the first lines are omitted, and a line says how many.
fn fitted(picture: &[u8], rows: usize, columns: usize) -> (String, usize) {
    let whole = String::from_utf8_lossy(picture);
    let lines: Vec<&str> = whole.lines().collect();
    let room = rows.saturating_sub(1).max(2);
    let mut text = String::new();
    let mut shown = lines.as_slice();
    let mut count = 0;
    if lines.len() > room {
        let left_out = lines.len() - (room - 1);
        shown = lines.get(left_out..).unwrap_or_default();
        text.push_str(&format!("… {left_out} more lines above\n"));
        count = 1;
    }
    for line in shown {
        text.extend(line.chars().map(|c| if c.is_control() { '?' } else { c }).take(columns.max(1)));
        text.push('\n');
        count += 1;
    }
    (text, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fits_its_terminal() {
        assert_eq!(fitted(b"a\nbb\n", 24, 80), ("a\nbb\n".to_owned(), 2));
        assert_eq!(fitted(b"abcdef\n", 24, 3), ("abc\n".to_owned(), 1));
        assert_eq!(fitted(b"1\n2\n3\n4\n5\n", 4, 80), ("… 3 more lines above\n4\n5\n".to_owned(), 3));
        assert_eq!(fitted(b"\x1b[2J\n", 24, 80), ("?[2J\n".to_owned(), 1));
        assert_eq!(fitted(b"", 0, 0), (String::new(), 0));
    }
}
