//! `etw_dump_to_file` and its like, without a Tcl value for what is not asked for.

use std::rc::Rc;

use crate::consumer::{self, Reading};
use crate::event::{COLUMNS, Column, Event};
use crate::failure::{bad_arguments, integer, plain, words};
use crate::pump::{self, Descriptor, Flow, MOST_EVENTS, Sink, Span};
use crate::rows::{self, Gathered, Origin};
use crate::sys::{Failure, Interp, Obj, Outcome};

/// The comparison of a filter.
#[derive(Clone, Copy)]
enum Operator {
    /// By text: whether equal texts match.
    Text { equal: bool },
    /// By glob pattern.
    Glob { matching: bool },
    /// By number: whether less, equal and greater match.
    Number([bool; 3]),
}

/// A condition of `-filter`.
struct Filter {
    column: Column,
    operator: Operator,
    value: Obj,
    no_case: bool,
}

impl Filter {
    fn parse(words: &[Obj]) -> Result<Filter, Failure> {
        let (field, operator, value, no_case) = match words {
            [field, operator, value] => (field, operator, value, false),
            [field, operator, value, option] if option.as_internal() == b"-nocase" => {
                (field, operator, value, true)
            }
            [_, _, _, option] => {
                return Err(bad_arguments(format!("Invalid filter option \"{}\".", option.text())));
            }
            _ => return Err(bad_arguments("A filter must be a list of field, operator and value.")),
        };
        let operator = match operator.as_internal() {
            b"eq" => Operator::Text { equal: true },
            b"ne" => Operator::Text { equal: false },
            b"~" => Operator::Glob { matching: true },
            b"!~" => Operator::Glob { matching: false },
            b"==" => Operator::Number([false, true, false]),
            b"!=" => Operator::Number([true, false, true]),
            b"<" => Operator::Number([true, false, false]),
            b"<=" => Operator::Number([true, true, false]),
            b">" => Operator::Number([false, false, true]),
            b">=" => Operator::Number([false, true, true]),
            _ => return Err(bad_arguments(format!("Invalid filter operator \"{}\".", operator.text()))),
        };
        Ok(Filter { column: column(field)?, operator, value: value.clone(), no_case })
    }

    fn passes(&self, interp: Interp, event: &Event<'_>) -> Result<bool, Failure> {
        let cell = event.cell(self.column);
        match self.operator {
            Operator::Text { equal } => {
                let same = if self.no_case {
                    cell.text().to_lowercase() == self.value.text().to_lowercase()
                } else {
                    cell.as_internal() == self.value.as_internal()
                };
                Ok(same == equal)
            }
            Operator::Glob { matching } => {
                let mut call = vec![Obj::new("::string"), Obj::new("match")];
                if self.no_case {
                    call.push(Obj::new("-nocase"));
                }
                call.extend([self.value.clone(), cell]);
                Ok((interp.call(&call, true)?.as_int() == Some(1)) == matching)
            }
            // A value that is not a number matches nothing.
            Operator::Number(sides) => {
                let (Some(cell), Some(value)) = (cell.as_int(), self.value.as_int()) else {
                    return Ok(false);
                };
                Ok(match cell.cmp(&value) {
                    std::cmp::Ordering::Less => sides[0],
                    std::cmp::Ordering::Equal => sides[1],
                    std::cmp::Ordering::Greater => sides[2],
                })
            }
        }
    }
}

fn column(word: &Obj) -> Result<Column, Failure> {
    let name = word.text();
    let found = COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, column)| *column);
    found.ok_or_else(|| plain(format!("can't read \"{name}\": no such event field")))
}

/// The output format of events.
enum Form {
    /// Lines of text with this separator, to a channel.
    Csv(Vec<u8>),
    /// Tcl lists, one a line, to a channel.
    Lines,
    /// A list of lists, as the result.
    List,
}

struct Dump {
    interp: Interp,
    columns: Vec<Column>,
    filters: Vec<Filter>,
    form: Form,
    channel: Obj,
    /// Events that may still be written; `None` for all.
    left: Option<u64>,
    /// Text in Tcl's encoding that is not written yet.
    text: Vec<u8>,
    /// Events of rows that are not made yet.
    gathered: Gathered,
    rows: Vec<Obj>,
}

/// Text is given to the channel in pieces of this many bytes.
const PIECE: usize = 64 << 10;

impl Dump {
    fn write(&mut self) -> Result<(), Failure> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = Obj::internal(&self.text);
        self.text.clear();
        let words = [Obj::new("::puts"), Obj::new("-nonewline"), self.channel.clone(), text];
        self.interp.call(&words, true).map(drop)
    }

    /// Makes the rows of the events so far.
    fn gather(&mut self) {
        let form = rows::Form::Row(self.columns.as_slice().into());
        self.rows.extend(self.gathered.take(&form));
    }

    fn cell(&self, event: &Event<'_>, column: Column) -> Obj {
        match (column, &self.form) {
            (Column::Message, Form::Csv(_) | Form::Lines) => event.message_or_properties(),
            _ => event.cell(column),
        }
    }
}

impl Sink for Dump {
    fn event(&mut self, event: &Event<'_>, origin: &Rc<Origin>) -> Result<Flow, Failure> {
        if self.left == Some(0) {
            return Ok(Flow::Stop);
        }
        for filter in &self.filters {
            if !filter.passes(self.interp, event)? {
                return Ok(Flow::On);
            }
        }
        if let Some(left) = &mut self.left {
            *left -= 1;
        }
        match &self.form {
            Form::Csv(separator) => {
                let mut text = std::mem::take(&mut self.text);
                for (index, column) in self.columns.iter().enumerate() {
                    if index > 0 {
                        text.extend_from_slice(separator);
                    }
                    csv(self.cell(event, *column).as_internal(), separator, &mut text);
                }
                text.push(b'\n');
                self.text = text;
            }
            Form::Lines => {
                let cells: Vec<Obj> = self.columns.iter().map(|column| self.cell(event, *column)).collect();
                self.text.extend_from_slice(Obj::list(&cells).as_internal());
                self.text.push(b'\n');
            }
            Form::List => {
                self.gathered.add(event, origin);
                if self.gathered.len() >= MOST_EVENTS {
                    self.gather();
                }
            }
        }
        if self.text.len() >= PIECE {
            self.write()?;
        }
        Ok(if self.left == Some(0) { Flow::Stop } else { Flow::On })
    }

    fn buffer(&mut self, _: &Descriptor<'_>) -> Result<Flow, Failure> {
        self.write()?;
        Ok(Flow::On)
    }
}

/// Appends a value, in quotes where it needs them.
fn csv(value: &[u8], separator: &[u8], out: &mut Vec<u8>) {
    let separated = || match separator {
        [] => false,
        [one] => value.contains(one),
        more => value.windows(more.len()).any(|window| window == more),
    };
    if !value.iter().any(|byte| matches!(byte, b'"' | b'\r' | b'\n')) && !separated() {
        out.extend_from_slice(value);
        return;
    }
    out.push(b'"');
    for byte in value {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

/// `tracewell::dump FORM SEPARATOR CHANNEL LIMIT FIELDS FILTERS START END SOURCES`, where a source is a list of
/// `file` or `session` and its name.
pub(crate) fn dump(interp: Interp, args: &[Obj]) -> Outcome {
    words(args, 8, 8, "FORM SEPARATOR CHANNEL LIMIT FIELDS FILTERS SOURCES")?;
    let form = match args[1].as_internal() {
        b"csv" => Form::Csv(args[2].as_internal().to_vec()),
        b"list" => Form::Lines,
        _ => Form::List,
    };
    let names = args[5].items().unwrap_or_default();
    let mut filters = Vec::new();
    for filter in args[6].items().ok_or_else(|| bad_arguments("Invalid filter list."))? {
        filters.push(Filter::parse(&filter.items().unwrap_or_default())?);
    }
    let columns = names.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let mut text = Vec::new();
    if let Form::Csv(separator) = &form {
        let names: Vec<&[u8]> = names.iter().map(Obj::as_internal).collect();
        text = names.join(&separator[..]);
        text.push(b'\n');
    }
    let mut sources = Vec::new();
    for source in args[7].items().unwrap_or_default() {
        let [kind, name] = &source.items().unwrap_or_default()[..] else { continue };
        let name = name.text();
        let open = if kind.as_internal() == b"file" { consumer::file_source } else { consumer::live_source };
        sources.push(open(&name)?);
    }
    let left = u64::try_from(integer(&args[4])?).ok();
    let channel = args[3].clone();
    let mut sink = Dump {
        interp,
        columns,
        filters,
        form,
        channel,
        left,
        text,
        rows: Vec::new(),
        gathered: Gathered::default(),
    };
    let reading = Reading::begin()?;
    let result = if sources.is_empty() || left == Some(0) {
        Ok(())
    } else {
        pump::run(&mut sources, Span::default(), &mut sink, &mut || interp.go_on().map(|()| true))
    };
    drop(reading);
    // Events read before an error are still written.
    let written = sink.write();
    sink.gather();
    result.and(written).map(|()| Obj::list(&sink.rows))
}
