//! A report as lines of text that fit a terminal.

use tracewell::text::grouped;

use crate::report::Report;
use crate::rules::{Rule, Sure};
use crate::words::seconds;

/// How a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A title.
    Title,
    /// What is wrong.
    Wrong,
    /// Ordinary text.
    Plain,
    /// An inference.
    Inferred,
    /// What matters less.
    Quiet,
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How it is shown.
    pub tone: Tone,
    /// Its text.
    pub text: String,
}

/// Letters that show how busy a part of the time was.
const SHADES: [char; 5] = [' ', '·', '░', '▓', '█'];
/// Columns before the text of a section.
const INDENT: usize = 3;

struct Screen {
    width: usize,
    lines: Vec<Line>,
}

impl Screen {
    fn title(&mut self, text: &str) {
        self.lines.push(Line { tone: Tone::Title, text: text.to_owned() });
    }

    /// Adds a text, broken into lines; those after the first are indented by two more.
    fn text(&mut self, tone: Tone, indent: usize, text: &str) {
        let kept = text.chars().take_while(|c| *c == ' ').count();
        let first = indent + kept;
        let mut line = " ".repeat(first);
        let mut column = first;
        let mut is_empty = true;
        // A word that is longer than a line is cut.
        let longest = self.width.saturating_sub(first + 2).max(8);
        for word in text.split_whitespace().flat_map(|word| pieces(word, longest)) {
            let length = word.chars().count();
            if !is_empty && column + 1 + length > self.width {
                self.lines.push(Line { tone, text: std::mem::take(&mut line) });
                line = " ".repeat(first + 2);
                column = first + 2;
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
                column += 1;
            }
            line.push_str(word);
            column += length;
            is_empty = false;
        }
        self.lines.push(Line { tone, text: line });
    }
}

/// A word in pieces of at most so many characters.
fn pieces(word: &str, longest: usize) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(longest).map_or(rest.len(), |(at, _)| at);
        let (piece, more) = rest.split_at(end);
        rest = more;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The report of a file in lines of at most `width` columns.
#[must_use]
pub fn lines(report: &Report, file: &str, width: usize) -> Vec<Line> {
    let mut screen = Screen { width: width.max(40), lines: Vec::new() };
    screen.text(Tone::Title, 0, &format!("{file}  {}", report.heading));
    screen.text(Tone::Plain, 0, &format!("recorded: {}", report.recorded.has.join(", ")));
    if !report.recorded.lacks.is_empty() {
        let lacks = report.recorded.lacks.iter().map(|(what, how)| format!("{what} ({how})"));
        screen.text(Tone::Quiet, 0, &format!("not recorded: {}", lacks.collect::<Vec<_>>().join(", ")));
    }
    if !report.recorded.left_out.is_empty() {
        let left_out = report.recorded.left_out.iter();
        let left_out: Vec<String> =
            left_out.map(|(count, what)| format!("{what} ({} more)", grouped(*count))).collect();
        screen.text(Tone::Wrong, 0, &format!("too many for this report: {}", left_out.join(", ")));
    }
    findings(report, &mut screen);
    for suspect in &report.suspects {
        screen.title(&format!("WHAT {} DID", suspect.tid));
        for line in &suspect.lines {
            screen.text(Tone::Plain, INDENT, line);
        }
        strip(report, &suspect.strip, &mut screen);
    }
    for section in report.sections.iter().filter(|section| !section.lines.is_empty()) {
        screen.title(&section.title);
        for line in &section.lines {
            screen.text(Tone::Plain, INDENT, line);
        }
    }
    screen.title("NEXT");
    for command in &report.next {
        screen.text(Tone::Plain, INDENT, &command.replace("FILE", file));
    }
    screen.lines
}

fn findings(report: &Report, screen: &mut Screen) {
    if report.findings.is_empty() {
        screen.title("NOTHING FOUND");
    } else {
        screen.title(&format!("WRONG HERE  ({})", report.findings.len()));
    }
    for (at, finding) in report.findings.iter().enumerate() {
        let text = format!("{:>2} {}  {}", at + 1, finding.rule.title, finding.headline);
        screen.text(Tone::Wrong, 0, &text);
        for note in &finding.notes {
            let tone = if note.sure == Sure::Inferred { Tone::Inferred } else { Tone::Plain };
            screen.text(tone, INDENT, &note.text);
        }
    }
    let names = |rules: &[&'static Rule]| rules.iter().map(|rule| rule.title).collect::<Vec<_>>().join(", ");
    if !report.clear.is_empty() {
        screen.text(Tone::Quiet, INDENT, &format!("checked, nothing found: {}", names(&report.clear)));
    }
    if !report.unanswered.is_empty() {
        screen.text(
            Tone::Quiet,
            INDENT,
            &format!("not checked, not recorded: {}", names(&report.unanswered)),
        );
    }
}

/// A strip of the time with the busy parts of a thread.
fn strip(report: &Report, parts: &[f64], screen: &mut Screen) {
    if parts.iter().all(|part| *part <= 0.0) {
        return;
    }
    let shade = |part: &f64| SHADES[((part * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
    let busy: String = parts.iter().map(shade).collect();
    screen.lines.push(Line { tone: Tone::Plain, text: format!("   busy |{busy}|") });
    let length = report.trace.get("seconds").and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    let end = format!("{} s", seconds((length * 1e9) as i64));
    let gap = parts.len().saturating_sub(end.len() + 3);
    screen.lines.push(Line { tone: Tone::Quiet, text: format!("        0 s{}{end}", " ".repeat(gap)) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_between_words() {
        let mut screen = Screen { width: 20, lines: Vec::new() };
        screen.text(Tone::Plain, 3, "one two three four five six");
        let texts: Vec<&str> = screen.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["   one two three", "     four five six"]);
        screen.lines.clear();
        screen.text(Tone::Plain, 0, "a 0123456789012345678901234567");
        let texts: Vec<&str> = screen.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["a 012345678901234567", "  8901234567"]);
    }

    /// Lines are full, and never longer than the screen; the words are those of the text.
    #[test]
    fn issue_23_lines_are_as_long_as_possible_and_no_longer() {
        let words = ["a", "of", "the", "four", "words", "caf\u{e9}s", "longest"];
        for (width, indent, count) in
            (12..40).flat_map(|width| [(width, 0, 17), (width, 2, 30), (width, 3, 1)])
        {
            let text: Vec<&str> =
                (0..count).map(|at| words[(at * 5 + at / 3 + width) % words.len()]).collect();
            let mut screen = Screen { width, lines: Vec::new() };
            screen.text(Tone::Quiet, indent, &format!(" {}", text.join("  ")));
            let lines: Vec<&str> = screen.lines.iter().map(|line| line.text.as_str()).collect();
            assert!(screen.lines.iter().all(|line| line.tone == Tone::Quiet));
            assert_eq!(lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>(), text);
            for (at, line) in lines.iter().enumerate() {
                let indented = line.len() - line.trim_start().len();
                assert_eq!(indented, indent + 1 + if at == 0 { 0 } else { 2 });
                assert!(line.chars().count() <= width, "{width} {line}");
                let next = lines.get(at + 1).and_then(|next| next.split_whitespace().next());
                let fits = |word: &str| line.chars().count() + 1 + word.chars().count() <= width;
                assert!(!next.is_some_and(fits), "{width} {line}");
            }
        }
    }
}
