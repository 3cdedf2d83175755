//! What a terminal gets and a pipe does not: colour, width, progress. And tables that line up for both.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::IsTerminal;

use tracewell_types::visible::{self, Keep};

/// The columns of the terminal that standard output is; [`None`] for a pipe or file, and for a terminal that does not report any.
#[must_use]
pub fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0)).filter(|width| *width > 0)
}

/// Colours, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    on: bool,
}

impl Style {
    /// For standard output: on when it is a terminal and `NO_COLOR` is not set.
    #[must_use]
    pub fn stdout() -> Style {
        Style { on: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    /// For standard error.
    #[must_use]
    pub fn stderr() -> Style {
        Style { on: std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    /// No colour at all.
    #[must_use]
    pub const fn plain() -> Style {
        Style { on: false }
    }

    /// Returns `true` if colours are on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.on
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Headings.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What is less important.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// What is wrong.
    #[must_use]
    pub fn red(self, text: &str) -> String {
        self.wrap("31;1", text)
    }

    /// What deserves a look.
    #[must_use]
    pub fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// Names.
    #[must_use]
    pub fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }
}

/// A table: a heading and rows, columns padded to their widest cell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Headings; a heading that begins with `>` is right-justified (the sign is not shown).
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    #[must_use]
    pub fn new(columns: &[&str]) -> Table {
        Table {
            columns: columns
                .iter()
                .map(|c| (c.trim_start_matches('>').to_owned(), c.starts_with('>')))
                .collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing cells are empty.
    pub fn row<I: IntoIterator<Item = String>>(&mut self, cells: I) {
        self.rows.push(cells.into_iter().map(|c| printable(&c)).collect());
    }

    /// The text, each line ended. On a terminal that is narrower, the middle of the longest names is left out.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        self.within(style, width())
    }

    fn within(&self, style: Style, room: Option<usize>) -> String {
        let width = |i: usize| {
            self.rows
                .iter()
                .filter_map(|r| r.get(i))
                .map(|c| c.chars().count())
                .chain([self.columns[i].0.chars().count()])
                .max()
                .unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        while widths.iter().map(|width| width + 2).sum::<usize>() > room.map_or(usize::MAX, |room| room + 2) {
            let names = widths.iter_mut().zip(&self.columns).filter(|(_, (_, is_number))| !is_number);
            let Some((longest, _)) = names.max_by_key(|(width, _)| **width).filter(|(width, _)| **width > 12)
            else {
                break;
            };
            *longest -= 1;
        }
        let mut out = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = &str>, bold: bool| {
            let mut text = String::new();
            for (i, cell) in cells.take(widths.len()).enumerate() {
                let cell = &*shortened(cell, widths[i]);
                let pad = widths[i].saturating_sub(cell.chars().count());
                if i > 0 {
                    text.push_str("  ");
                }
                let (before, after) = if self.columns[i].1 { (pad, 0) } else { (0, pad) };
                let _ = write!(text, "{:before$}{cell}{:after$}", "", "");
            }
            let text = text.trim_end();
            let _ = writeln!(out, "{}", if bold { style.bold(text) } else { text.to_owned() });
        };
        line(&mut self.columns.iter().map(|c| c.0.as_str()), true);
        for row in &self.rows {
            line(&mut row.iter().map(String::as_str), false);
        }
        out
    }
}

/// A text of at most so many characters: the middle of a longer one is left out.
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most || most == 0 {
        return Cow::Borrowed(text);
    }
    let end = (most - 1) / 2;
    let begin = most - 1 - end;
    Cow::Owned(text.chars().take(begin).chain(['…']).chain(text.chars().skip(count - end)).collect())
}

/// The lines of a text of words that has so much room, at least a word each.
#[must_use]
pub fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text from a trace, safe to show on one line: see [`visible::escape`].
#[must_use]
pub fn printable(text: &str) -> String {
    visible::escape(text, Keep::Nothing).into_owned()
}

/// A text for a terminal: all that acts on it is escaped, except tabs, line breaks and, with `coloured`, marks of colour. A JSON
/// document is escaped as such.
#[must_use]
pub fn for_terminal(text: &str, coloured: bool) -> Cow<'_, str> {
    if !text.chars().any(|c| visible::is_active(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    if text.starts_with('{') {
        return visible::json_document(text.to_owned()).into();
    }
    if !coloured {
        return visible::escape(text, Keep::Layout);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        let (before, mark) = rest.split_at(at);
        out.push_str(&visible::escape(before, Keep::Layout));
        let end = colour_mark(mark).unwrap_or(1);
        match end {
            1 => out.push_str("\\x1b"),
            end => out.push_str(&mark[..end]),
        }
        rest = &mark[end..];
    }
    out.push_str(&visible::escape(rest, Keep::Layout));
    out.into()
}

/// Length of the mark of colour that a text begins with. Marks that hide text are none.
fn colour_mark(text: &str) -> Option<usize> {
    let body = text.strip_prefix("\x1b[")?;
    let len = body.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    let is_shown =
        |code: &str| matches!(code, "" | "0" | "1" | "2" | "4" | "5") || matches!(code.len(), 2 | 3);
    let fits = body[len..].starts_with('m') && body[..len].split(';').all(is_shown);
    fits.then_some(2 + len + 1)
}

#[cfg(test)]
mod tests {
    use tracewell::text::{grouped, size};

    use super::*;

    #[test]
    fn issue_21_tables_fit_the_terminal() {
        let mut t = Table::new(&["provider", ">id", "event", ">count"]);
        t.row(["Microsoft-Windows-DotNETRuntime".into(), "10".into(), "Short".into(), "1,234,567".into()]);
        t.row(["Kernel".into(), "7".into(), "AnEventWithALongName".into(), "8".into()]);
        let lines = |room| t.within(Style::plain(), room).lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(lines(None)[1].starts_with("Microsoft-Windows-DotNETRuntime  10  Short  "));
        assert_eq!(lines(Some(100)), lines(None));
        // Exactly as much room as the table needs.
        let needed = lines(None)[1].len();
        assert_eq!(lines(Some(needed)), lines(None));
        let narrow = lines(Some(50));
        assert_eq!(narrow.iter().map(|line| line.chars().count()).max(), Some(50));
        assert_eq!(narrow[1], "Microsof…TRuntime  10  Short             1,234,567");
        // No name becomes shorter than twelve characters.
        assert_eq!(lines(Some(1))[1], "Micros…ntime  10  Short         1,234,567");
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abc…fg");
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 1), ["one", "two", "three"]);
        assert_eq!(wrapped("one two three", usize::MAX), ["one two three"]);
    }

    #[test]
    fn columns_line_up() {
        let mut t = Table::new(&["name", ">count"]);
        t.row(["a".into(), "10".into()]);
        t.row(["longer\x1b[2J".into(), "7".into()]);
        assert_eq!(
            t.render(Style::plain()),
            "name           count\na                 10\nlonger\\x1b[2J      7\n"
        );
    }

    #[test]
    fn issue_14_only_our_colours_reach_a_terminal() {
        let text = "\x1b[31;1mred\x1b[0m\n\x1b[2J\x1b[8mhidden\u{9b}\x1b]0;title\x07\x1b[";
        assert_eq!(
            for_terminal(text, true),
            "\x1b[31;1mred\x1b[0m\n\\x1b[2J\\x1b[8mhidden\\x9b\\x1b]0;title\\x07\\x1b["
        );
        assert!(!for_terminal(text, false).contains('\x1b'));
        // Issue 23: also in a text without a line break, and a text of line breaks alone stays.
        assert_eq!(for_terminal("title\x07", false), "title\\x07");
        assert!(matches!(for_terminal("one\n\ntwo\n", false), Cow::Borrowed(_)));
        assert_eq!(for_terminal("{\"a\":\"\u{9b}\"}\n", true), "{\"a\":\"\\u009b\"}\n");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(12), "12");
        assert_eq!(size(33_554_432), "33.6 MB");
        assert_eq!(size(999), "999 bytes");
    }
}
