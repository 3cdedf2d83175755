//! Lines of a script that are wider than the terminal: the middle of their last column is left out.

use crate::term::{shortened, width};

/// Most bytes of a line that are kept until it ends. Longer lines are written as they are.
const MOST: usize = 64 * 1024;

/// Fits lines into a terminal.
#[derive(Debug)]
pub(super) struct Fit {
    /// The characters of a line before its last column.
    before: usize,
    /// The columns of the terminal.
    room: usize,
    /// The line that has not ended.
    line: Vec<u8>,
    /// The begin of the line has been written, so the rest is written as it is.
    begun: bool,
}

impl Fit {
    /// Fits lines whose last column begins after so many characters into standard output. Returns [`None`] if that is no
    /// terminal.
    pub(super) fn new(before: u64) -> Option<Fit> {
        Some(Fit::into(before, width()?))
    }

    fn into(before: u64, room: usize) -> Fit {
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        Fit { before, room, line: Vec::new(), begun: false }
    }

    /// Takes the next bytes. Returns the lines that ended.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.begun {
                out.extend_from_slice(part);
                self.begun = !ends;
                continue;
            }
            self.line.extend_from_slice(part);
            if ends {
                self.end(&mut out);
            } else if self.line.len() > MOST {
                out.append(&mut self.rest());
            }
        }
        out
    }

    /// Returns what has been taken of a line that has not ended.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        self.begun |= !self.line.is_empty();
        std::mem::take(&mut self.line)
    }

    /// Ends a line.
    fn end(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        // Marks of colour have no width, and histograms no column that could be shorter.
        match std::str::from_utf8(&line) {
            Ok(text) if !text.contains('\x1b') => out.extend_from_slice(self.fitted(text).as_bytes()),
            _ => out.extend_from_slice(&line),
        }
    }

    /// A line with its end.
    fn fitted(&self, line: &str) -> String {
        let text = line.trim_end_matches('\n');
        let last = self.room.saturating_sub(self.before);
        if text.chars().count() <= self.room || last == 0 {
            return line.to_owned();
        }
        let at = text.char_indices().nth(self.before).map_or(text.len(), |(at, _)| at);
        let (first, rest) = text.split_at(at);
        format!("{first}{}\n", shortened(rest, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(before: u64, room: usize, parts: &[&str]) -> String {
        let mut fit = Fit::into(before, room);
        let mut out: Vec<u8> = parts.iter().flat_map(|part| fit.take(part.as_bytes())).collect();
        out.append(&mut fit.rest());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn issue_21_the_middle_of_the_last_column_is_left_out() {
        // As wide as the terminal, and one wider.
        assert_eq!(fit(4, 12, &["abc 12345678\n"]), "abc 12345678\n");
        assert_eq!(fit(4, 12, &["abc 123456789\n"]), "abc 1234…789\n");
        // Characters count, not bytes; a line may come in parts, and several at once.
        assert_eq!(fit(4, 12, &["äöü 12", "3456789", "\nabc 123456789\nx"]), "äöü 1234…789\nabc 1234…789\nx");
        // No room for a last column, no last column, and a line of colours.
        assert_eq!(fit(12, 12, &["abc 1234567890\n"]), "abc 1234567890\n");
        assert_eq!(fit(u64::MAX, 12, &["abc 1234567890\n"]), "abc 1234567890\n");
        assert_eq!(fit(4, 12, &["\x1b[1mabc 1234567890\x1b[0m\n"]), "\x1b[1mabc 1234567890\x1b[0m\n");
    }

    #[test]
    fn issue_21_a_line_that_was_begun_goes_on_as_it_is() {
        let mut fit = Fit::into(4, 12);
        assert_eq!(fit.take(b"abc 123"), b"");
        assert_eq!(fit.rest(), b"abc 123");
        assert_eq!(fit.take(b"4567890123\nabc 123456789\n"), "4567890123\nabc 1234…789\n".as_bytes());
        assert_eq!(fit.rest(), b"");
        assert_eq!(fit.take(b"abc 123456789\n"), "abc 1234…789\n".as_bytes());
        // A line without end is not kept.
        let long = vec![b'x'; MOST + 1];
        assert_eq!(fit.take(&long), long);
        assert_eq!(fit.take(&long), long);
        assert_eq!(fit.take(b"\nabc 123456789\n"), "\nabc 1234…789\n".as_bytes());
        // Bytes that are no text.
        assert_eq!(fit.take(b"abc \xff23456789\n"), b"abc \xff23456789\n");
    }
}
