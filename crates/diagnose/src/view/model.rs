//! The state of an interactive table, and what keys change in it.

use rustc_hash::FxHashSet;
use tracewell::text::grouped;

use super::facts::{Asked, Facts, Strip};
use crate::pivot::{By, Pivot, Row, WEIGHTS};
use crate::words::seconds;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the keys")]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Escape,
    Backspace,
    Char(char),
}

/// Groupings that `g` goes through.
const GROUPINGS: &[(&str, &[By])] = &[
    ("process, thread, function", &[By::Process, By::Thread, By::Function]),
    ("process, module, function", &[By::Process, By::Module, By::Function]),
    ("program", &[By::Program]),
    ("module, function", &[By::Module, By::Function]),
    ("function", &[By::Function]),
    ("event, process", &[By::Event, By::Process]),
];

/// Keys and what they do, one line each.
const KEYS: &[(&str, &str)] = &[
    ("up, down, page up, page down, home, end", "move"),
    ("right or Enter, left", "show or hide the rows below"),
    ("g, G", "next and previous grouping"),
    ("w", "next weight: samples, processor time, bytes, durations, events"),
    ("i", "count code wherever it is on the stack, or only where it ran"),
    ("s", "sort by weight or by name"),
    ("/", "show only rows with a text; Enter ends, Escape shows all"),
    ("t", "choose a part of the time: left, right, space for its other end, Enter"),
    ("a", "all of the time"),
    ("e", "events of the row"),
    ("k", "stacks of the row"),
    ("q", "quit"),
];

/// Most events and stacks of a list.
const MOST_LISTED: usize = 500;
/// Parts of the time that the strips have.
const PARTS: usize = 60;
/// Threads that have a strip.
const STRIPS: usize = 5;

/// What keys are for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mode {
    Table,
    Filter,
    /// A part of the strip, and the other end of what is chosen.
    Time {
        cursor: usize,
        other: Option<usize>,
    },
    List {
        title: String,
        lines: Vec<String>,
        top: usize,
    },
}

/// A row that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureRow {
    /// Levels above it.
    pub depth: usize,
    /// `+` if rows are hidden below it, `-` if they are shown, else a blank.
    pub mark: char,
    /// Name.
    pub name: String,
    /// Sum of the weights.
    pub weight: u64,
    /// Share of all, in percent.
    pub share: f64,
    /// Whether keys act on it.
    pub is_selected: bool,
}

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// One line about what is shown.
    pub title: String,
    /// The busiest threads.
    pub strips: Vec<Strip>,
    /// The chosen parts of the strips.
    pub chosen: (usize, usize),
    /// Unit of the weights.
    pub unit: &'static str,
    /// The rows that fit.
    pub rows: Vec<PictureRow>,
    /// A list in the place of the rows: its title and lines.
    pub list: Option<(String, Vec<String>)>,
    /// One line at the end.
    pub status: String,
}

/// The table.
#[derive(Debug)]
pub struct Model<F> {
    facts: F,
    grouping: usize,
    weight: usize,
    /// Whether a key has chosen the weight.
    is_weight_chosen: bool,
    inclusive: bool,
    by_name: bool,
    filter: String,
    /// The chosen part of the time, in nanoseconds; up to the end, which may move, if that was chosen.
    time: Option<(i64, i64)>,
    /// What these times are counted from.
    origin: i64,
    mode: Mode,
    pivot: Pivot,
    open: FxHashSet<Vec<String>>,
    selected: usize,
    top: usize,
    strips: Vec<Strip>,
    is_over: bool,
}

impl<F> Model<F> {
    /// Returns `true` after `q`.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The table without its facts, which may go.
    #[must_use]
    pub fn put_aside(self) -> Model<()> {
        self.over(()).0
    }

    /// The same table over other facts, and those that it had.
    fn over<G>(self, facts: G) -> (Model<G>, F) {
        let model = Model {
            facts,
            grouping: self.grouping,
            weight: self.weight,
            is_weight_chosen: self.is_weight_chosen,
            inclusive: self.inclusive,
            by_name: self.by_name,
            filter: self.filter,
            time: self.time,
            origin: self.origin,
            mode: self.mode,
            pivot: self.pivot,
            open: self.open,
            selected: self.selected,
            top: self.top,
            strips: self.strips,
            is_over: self.is_over,
        };
        (model, self.facts)
    }

    fn selected_row(&self) -> Option<(Vec<String>, Row)> {
        let mut rows = self.rows();
        (self.selected < rows.len())
            .then(|| rows.swap_remove(self.selected))
            .map(|(path, row)| (path, row.clone()))
    }

    /// The rows that are not hidden, with their paths.
    fn rows(&self) -> Vec<(Vec<String>, &Row)> {
        let mut rows = Vec::new();
        self.flatten(&self.pivot.rows, &mut Vec::new(), &mut rows);
        rows
    }

    fn flatten<'r>(
        &'r self,
        rows: &'r [Row],
        path: &mut Vec<String>,
        into: &mut Vec<(Vec<String>, &'r Row)>,
    ) {
        let filter = self.filter.to_lowercase();
        let mut order: Vec<&Row> = rows.iter().filter(|row| holds(row, &filter)).collect();
        if self.by_name {
            order.sort_by(|a, b| a.name.cmp(&b.name));
        }
        for row in order {
            path.push(row.name.clone());
            into.push((path.clone(), row));
            if self.open.contains(path) {
                self.flatten(&row.below, path, into);
            }
            path.pop();
        }
    }
}

impl Model<()> {
    /// Shows the same of other facts: those of a trace that has grown, or whose start was dropped. A chosen row below the
    /// first stays chosen, and where it is on the screen; the chosen time stays the same time.
    #[must_use]
    pub fn take_up<F: Facts>(self, facts: F) -> Model<F> {
        // Who is at the first row looks at what is heaviest, whatever that is.
        let chosen = (self.selected > 0).then(|| self.selected_row()).flatten().map(|(path, _)| path);
        let above = self.selected.saturating_sub(self.top);
        let (mut model, ()) = self.over(facts);
        model.follow_start();
        model.strips = model.facts.strips(STRIPS, PARTS);
        model.sum_up();
        let rows = model.rows();
        let at = chosen.and_then(|path| rows.iter().position(|(known, _)| *known == path));
        let selected = at.unwrap_or(model.selected).min(rows.len().saturating_sub(1));
        (model.selected, model.top) = (selected, selected.saturating_sub(above));
        model
    }
}

impl<F: Facts> Model<F> {
    /// Counts the chosen time from the start that the facts have now. What was dropped cannot be chosen.
    fn follow_start(&mut self) {
        let origin = self.facts.origin();
        let moved = origin.saturating_sub(std::mem::replace(&mut self.origin, origin));
        let later = |time: i64| if time == i64::MAX { time } else { time.saturating_sub(moved) };
        self.time = self.time.map(|(start, end)| (later(start), later(end))).filter(|(_, end)| *end > 0);
    }

    /// Shows processes by weight.
    #[must_use]
    pub fn new(facts: F) -> Model<F> {
        let (strips, origin) = (facts.strips(STRIPS, PARTS), facts.origin());
        let mut model = Model {
            facts,
            grouping: 0,
            weight: 0,
            is_weight_chosen: false,
            inclusive: false,
            by_name: false,
            filter: String::new(),
            time: None,
            origin,
            mode: Mode::Table,
            pivot: Pivot::default(),
            open: FxHashSet::default(),
            selected: 0,
            top: 0,
            strips,
            is_over: false,
        };
        model.sum_up();
        model
    }

    /// Asks anew. A trace without samples is shown by its events, unless a key has chosen the weight.
    fn sum_up(&mut self) {
        if !self.is_weight_chosen {
            self.weight = 0;
        }
        self.pivot = self.facts.pivot(&self.asked());
        if !self.is_weight_chosen && self.pivot.total == 0 {
            self.weight = WEIGHTS.iter().position(|(name, ..)| *name == "events").unwrap_or(0);
            self.pivot = self.facts.pivot(&self.asked());
        }
    }

    /// The time at the start of a part.
    fn at(&self, part: usize) -> i64 {
        (i128::from(self.facts.length()) * part as i128 / PARTS as i128) as i64
    }

    /// The part that a time is in.
    fn part(&self, time: i64) -> usize {
        let parts = ((i128::from(time) + 1) * PARTS as i128 - 1) / i128::from(self.facts.length().max(1));
        parts.clamp(0, PARTS as i128 - 1) as usize
    }

    /// The first and the last part of the chosen time.
    fn chosen(&self) -> Option<(usize, usize)> {
        self.time.map(|(start, end)| (self.part(start), self.part(end.saturating_sub(1))))
    }

    /// Chooses the time of some parts.
    fn choose(&mut self, first: usize, last: usize) {
        let end = if last + 1 >= PARTS { i64::MAX } else { self.at(last + 1) };
        self.time = Some((self.at(first), end));
        self.ask();
    }

    fn asked(&self) -> Asked {
        let (start, end) = self.time.unwrap_or((i64::MIN, i64::MAX));
        let (by, weight) = (GROUPINGS[self.grouping].1, WEIGHTS[self.weight].1);
        Asked { by, weight, inclusive: self.inclusive, start, end }
    }

    fn ask(&mut self) {
        let asked = self.asked();
        self.pivot = self.facts.pivot(&asked);
        self.selected = 0;
        self.top = 0;
    }

    /// Acts on a key. `height` is the number of rows that the table has on the screen.
    pub fn key(&mut self, key: Key, height: usize) {
        match &mut self.mode {
            Mode::Table => self.table_key(key, height),
            Mode::Filter => match key {
                Key::Char(letter) => self.filter.push(letter),
                Key::Backspace => drop(self.filter.pop()),
                Key::Escape => {
                    self.filter.clear();
                    self.mode = Mode::Table;
                }
                _ => self.mode = Mode::Table,
            },
            Mode::Time { cursor, other } => match key {
                Key::Left => *cursor = cursor.saturating_sub(1),
                Key::Right => *cursor = (*cursor + 1).min(PARTS - 1),
                Key::Home => *cursor = 0,
                Key::End => *cursor = PARTS - 1,
                Key::Char(' ') => *other = Some(*cursor),
                Key::Enter => {
                    let (cursor, other) = (*cursor, other.unwrap_or(*cursor));
                    self.mode = Mode::Table;
                    self.choose(other.min(cursor), other.max(cursor));
                }
                Key::Escape | Key::Char('q') => self.mode = Mode::Table,
                _ => {}
            },
            Mode::List { lines, top, .. } => {
                let last = lines.len().saturating_sub(height);
                match key {
                    Key::Up => *top = top.saturating_sub(1),
                    Key::Down => *top = (*top + 1).min(last),
                    Key::PageUp => *top = top.saturating_sub(height),
                    Key::PageDown => *top = (*top + height).min(last),
                    Key::Home => *top = 0,
                    Key::End => *top = last,
                    Key::Escape | Key::Left | Key::Char('q') => self.mode = Mode::Table,
                    _ => {}
                }
            }
        }
        let rows = self.rows().len();
        self.selected = self.selected.min(rows.saturating_sub(1));
        self.top = self.top.min(self.selected).max((self.selected + 1).saturating_sub(height.max(1)));
    }

    fn table_key(&mut self, key: Key, height: usize) {
        let next = |at: usize, of: usize| (at + 1) % of;
        match key {
            Key::Up => self.selected = self.selected.saturating_sub(1),
            Key::Down => self.selected += 1,
            Key::PageUp => self.selected = self.selected.saturating_sub(height),
            Key::PageDown => self.selected += height,
            Key::Home => self.selected = 0,
            Key::End => self.selected = usize::MAX - 1,
            Key::Right | Key::Enter => {
                if let Some((path, row)) = self.selected_row()
                    && !row.below.is_empty()
                {
                    self.open.insert(path);
                }
            }
            Key::Left => self.close(),
            Key::Char('g') => self.regroup(next(self.grouping, GROUPINGS.len())),
            Key::Char('G') => self.regroup((self.grouping + GROUPINGS.len() - 1) % GROUPINGS.len()),
            Key::Char('w') => {
                self.weight = next(self.weight, WEIGHTS.len());
                self.is_weight_chosen = true;
                self.ask();
            }
            Key::Char('i') => {
                self.inclusive = !self.inclusive;
                self.ask();
            }
            Key::Char('s') => self.by_name = !self.by_name,
            Key::Char('/') => {
                self.filter.clear();
                self.mode = Mode::Filter;
            }
            Key::Escape => self.filter.clear(),
            Key::Char('t') => {
                let (cursor, other) = self.chosen().map_or((0, None), |(first, last)| (last, Some(first)));
                self.mode = Mode::Time { cursor, other };
            }
            Key::Char('a') => {
                self.time = None;
                self.ask();
            }
            Key::Char('e') => self.list_events(),
            Key::Char('k') => self.list_stacks(),
            Key::Char('?') => {
                let lines = KEYS.iter().map(|(keys, what)| format!("{keys:<40} {what}")).collect();
                self.mode = Mode::List { title: "Keys".to_owned(), lines, top: 0 };
            }
            Key::Char('q') => self.is_over = true,
            _ => {}
        }
    }

    fn regroup(&mut self, grouping: usize) {
        self.grouping = grouping;
        self.open.clear();
        self.ask();
    }

    /// Hides the rows below, or goes to the row above.
    fn close(&mut self) {
        let Some((path, _)) = self.selected_row() else { return };
        if self.open.remove(&path) {
            return;
        }
        let above = &path[..path.len().saturating_sub(1)];
        let at = self.rows().iter().position(|(path, _)| path == above);
        self.selected = at.unwrap_or(self.selected);
    }

    fn list_events(&mut self) {
        let Some((path, _)) = self.selected_row() else { return };
        let asked = self.asked();
        let lines = self.facts.events(&asked, &path, MOST_LISTED);
        let first = if lines.len() == MOST_LISTED { "the first " } else { "" };
        let title = format!("{first}{} events of {}", grouped(lines.len() as u64), path.join(", "));
        self.mode = Mode::List { title, lines, top: 0 };
    }

    fn list_stacks(&mut self) {
        let Some((path, _)) = self.selected_row() else { return };
        let asked = self.asked();
        let mut lines = Vec::new();
        for (weight, frames) in self.facts.stacks(&asked, &path, MOST_LISTED) {
            lines.push(format!("{} {}", grouped(weight), WEIGHTS[self.weight].2));
            lines.extend(frames.iter().map(|frame| format!("    {frame}")));
        }
        self.mode = Mode::List { title: format!("stacks of {}", path.join(", ")), lines, top: 0 };
    }

    /// What is to be drawn, with so many rows.
    #[must_use]
    pub fn picture(&self, height: usize) -> Picture {
        let rows = self.rows();
        let shown = rows.iter().enumerate().skip(self.top).take(height);
        let picture_row = |(at, (path, row)): (usize, &(Vec<String>, &Row))| PictureRow {
            depth: path.len() - 1,
            mark: match (row.below.is_empty(), self.open.contains(path)) {
                (true, _) => ' ',
                (_, true) => '-',
                (_, false) => '+',
            },
            name: row.name.clone(),
            weight: row.weight,
            share: 100.0 * row.weight as f64 / self.pivot.total.max(1) as f64,
            is_selected: at == self.selected,
        };
        let (name, _, unit) = WEIGHTS[self.weight];
        let inclusive = if self.inclusive { ", inclusive" } else { "" };
        let asked = self.asked();
        let time = match self.time {
            None => format!("all {} s", seconds(self.facts.length())),
            Some(_) => format!(
                "{} to {} s",
                seconds(asked.start.max(0)),
                seconds(asked.end.min(self.facts.length()))
            ),
        };
        let title = format!(
            "{name} by {}{inclusive}  {time}  {} {unit}",
            GROUPINGS[self.grouping].0,
            grouped(self.pivot.total)
        );
        let (list, status) = match &self.mode {
            Mode::Table if self.filter.is_empty() => (None, "? lists the keys".to_owned()),
            Mode::Table => (None, format!("rows with '{}' (Escape shows all)", self.filter)),
            Mode::Filter => (None, format!("/{}", self.filter)),
            Mode::Time { cursor, other } => {
                let (first, last) =
                    (other.unwrap_or(*cursor).min(*cursor), other.unwrap_or(*cursor).max(*cursor));
                let (from, to) = (seconds(self.at(first)), seconds(self.at(last + 1)));
                (None, format!("{from} to {to} s: left, right, space for the other end, Enter"))
            }
            Mode::List { title, lines, top } => {
                let part = lines.iter().skip(*top).take(height).cloned().collect();
                let status =
                    format!("{} of {} lines; Escape goes back", lines.len().min(*top + height), lines.len());
                (Some((title.clone(), part)), status)
            }
        };
        let chosen = match &self.mode {
            Mode::Time { cursor, other } => {
                let other = other.unwrap_or(*cursor);
                (other.min(*cursor), other.max(*cursor))
            }
            _ => self.chosen().unwrap_or((0, PARTS - 1)),
        };
        let strips = self.strips.clone();
        Picture { title, strips, chosen, unit, rows: shown.map(picture_row).collect(), list, status }
    }
}

/// Returns `true` if a row or one below it has the text.
fn holds(row: &Row, filter: &str) -> bool {
    filter.is_empty()
        || row.name.to_lowercase().contains(filter)
        || row.below.iter().any(|below| holds(below, filter))
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
