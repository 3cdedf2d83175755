//! Draws the picture of an interactive table.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tracewell::text::grouped;
use tracewell_diagnose::view::{Facts, Model, Picture};

use crate::term::printable;

/// Lines above the rows: title, strips and headings; and the line below.
const ABOVE: u16 = 8;

/// What is above the table.
pub(super) struct Title {
    /// The file or the session.
    pub(super) name: String,
    /// What is not shown of it; empty for a whole file.
    pub(super) note: String,
}

impl Title {
    fn lines(&self) -> u16 {
        ABOVE + u16::from(!self.note.is_empty())
    }
}

/// Letters that show how busy a part of the time was.
const SHADES: [char; 5] = [' ', '·', '░', '▓', '█'];
/// Columns of the names of strips.
const NAMES: usize = 20;

/// Rows of the table on a screen of that height.
pub(super) fn rows(height: u16, title: &Title) -> usize {
    usize::from(height.saturating_sub(title.lines() + 1))
}

/// Draws a table.
pub(super) fn draw<F: Facts>(frame: &mut Frame<'_>, model: &Model<F>, title: &Title) {
    let picture = model.picture(rows(frame.area().height, title));
    let [above, table, below] =
        Layout::vertical([Constraint::Length(title.lines()), Constraint::Min(0), Constraint::Length(1)])
            .areas(frame.area());
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut lines = vec![Line::styled(printable(&format!("{}  {}", title.name, picture.title)), bold)];
    if !title.note.is_empty() {
        lines.push(Line::styled(printable(&title.note), Modifier::DIM));
    }
    lines.extend(strips(&picture));
    lines.resize(usize::from(title.lines()) - 1, Line::default());
    let heading = match &picture.list {
        Some((title, _)) => title.clone(),
        None => format!("{:>16}  {:>6}    name", picture.unit, "%"),
    };
    lines.push(Line::styled(printable(&heading), bold));
    frame.render_widget(Paragraph::new(lines), above);
    frame.render_widget(Paragraph::new(body(&picture)), table);
    frame.render_widget(Paragraph::new(Line::styled(printable(&picture.status), Modifier::DIM)), below);
}

/// The strips of threads: the chosen part of the time is reversed.
fn strips(picture: &Picture) -> Vec<Line<'static>> {
    let (first, last) = picture.chosen;
    let line = |strip: &tracewell_diagnose::view::Strip| {
        let name: String = printable(&strip.name).chars().take(NAMES).collect();
        let mut spans = vec![Span::raw(format!("{name:<NAMES$} "))];
        for (at, busy) in strip.busy.iter().enumerate() {
            let shade = SHADES[((busy * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
            let is_chosen = (first..=last).contains(&at) && last - first + 1 < strip.busy.len();
            let style = if is_chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            spans.push(Span::styled(shade.to_string(), style));
        }
        Line::from(spans)
    };
    let mut lines: Vec<Line<'static>> = picture.strips.iter().map(line).collect();
    let mark = |at: usize| if (first..=last).contains(&at) { '^' } else { ' ' };
    let parts = picture.strips.first().map_or(0, |strip| strip.busy.len());
    lines.push(Line::raw(format!("{:NAMES$} {}", "", (0..parts).map(mark).collect::<String>())));
    lines
}

/// The rows, or the list in their place.
fn body(picture: &Picture) -> Vec<Line<'static>> {
    if let Some((_, lines)) = &picture.list {
        return lines.iter().map(|line| Line::raw(printable(line))).collect();
    }
    let line = |row: &tracewell_diagnose::view::PictureRow| {
        let text = format!(
            "{:>16}  {:>6.1}  {}{} {}",
            grouped(row.weight),
            row.share,
            "  ".repeat(row.depth),
            row.mark,
            printable(&row.name)
        );
        let style =
            if row.is_selected { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        Line::styled(text, style)
    };
    picture.rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use tracewell::open::TraceFile;
    use tracewell_corpus::Scratch;
    use tracewell_diagnose::Activity;
    use tracewell_diagnose::view::{Key, OfActivity};
    use tracewell_symbols::Symbols;

    use super::*;

    const SIZE: (u16, u16) = (100, 24);
    /// Bytes of a buffer of the sample.
    const BUFFER: usize = 64 << 10;

    fn key(word: &str) -> Key {
        match word {
            "up" => Key::Up,
            "down" => Key::Down,
            "left" => Key::Left,
            "right" => Key::Right,
            "page-up" => Key::PageUp,
            "page-down" => Key::PageDown,
            "home" => Key::Home,
            "end" => Key::End,
            "enter" => Key::Enter,
            "escape" => Key::Escape,
            "backspace" => Key::Backspace,
            "space" => Key::Char(' '),
            letter => Key::Char(letter.chars().next().expect("a letter")),
        }
    }

    /// The screen after some keys; a selected row has `>` before it.
    fn screen(model: &mut Model<OfActivity<'_, '_>>, keys: &str, size: (u16, u16)) -> String {
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("a terminal");
        let title = Title { name: "sample.etl".to_owned(), note: String::new() };
        for word in keys.split_whitespace() {
            model.key(key(word), rows(size.1, &title));
        }
        terminal.draw(|frame| draw(frame, model, &title)).expect("it is drawn");
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for y in 0..size.1 {
            let is_selected = y >= ABOVE && buffer[(20, y)].modifier.contains(Modifier::REVERSED);
            text.push_str(if is_selected { ">" } else { " " });
            let line: String = (0..size.0).map(|x| buffer[(x, y)].symbol()).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Each file of `screens` has keys, and the screen after them.
    #[test]
    fn issue_20_keys_lead_to_the_screens() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = TraceFile::open(&root.join("../../testdata/sample.etl")).expect("the sample opens");
        let trace = file.trace().expect("it is a trace");
        let activity = Activity::of(std::slice::from_ref(&trace), tracewell::Schemas::new(), |_| ());
        let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
        let scratch = Scratch::new("view");
        let bytes = std::fs::read(&file.path).expect("the sample can be read");
        let half = bytes.len() / 2 / BUFFER * BUFFER;
        let file_before =
            TraceFile::open(&scratch.write("half.etl", &bytes[..half])).expect("half of it opens");
        let trace_before = file_before.trace().expect("it is a trace");
        let activity_before =
            Activity::of(std::slice::from_ref(&trace_before), tracewell::Schemas::new(), |_| ());
        let symbols_before: Vec<Symbols<'_>> =
            activity_before.survey.machines.iter().map(Symbols::new).collect();
        let folder = root.join("src/etw/view/screens");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("the folder").map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 10, "{files:?}");
        let mut wrong = Vec::new();
        for path in files {
            let text = std::fs::read_to_string(&path).expect("a file");
            let keys = text.lines().next().unwrap_or_default();
            let words = keys.trim_start_matches("keys:");
            let facts = OfActivity::new(&activity, &symbols);
            // The word `grown` reads the trace again, of which only the first half was there before.
            let (mut model, rest) = match words.split_once("grown") {
                None => (Model::new(facts), words),
                Some((before, after)) => {
                    let mut model = Model::new(OfActivity::new(&activity_before, &symbols_before));
                    screen(&mut model, before, SIZE);
                    (model.put_aside().take_up(facts), after)
                }
            };
            let found = format!("{keys}\n{}", screen(&mut model, rest, SIZE));
            wrong.extend(tracewell_corpus::golden(&path, &found).err());
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let mut model = Model::new(OfActivity::new(&activity, &symbols));
        assert!(!model.is_over());
        for size in [(1, 1), (20, 5), (300, 100)] {
            screen(
                &mut model,
                "end page-down e down escape k end escape t end enter / q enter G i w left right",
                size,
            );
        }
        screen(&mut model, "escape q", (80, 24));
        assert!(model.is_over());
    }
}
