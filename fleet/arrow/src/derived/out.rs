//! The columns of a derived table, and its rows on their way into batches.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};

use crate::cells::{Cell, Cells};
use crate::column::Column;
use crate::source::Scan;
use crate::{ROWS, TEXT};

/// Declares the columns of a table, each with what its values are made of: a row of the table in code.
macro_rules! columns {
    (@ null) => { true };
    (@ always) => { false };
    ($row:ident; $( $name:literal $ty:ident $null:ident $from:ident $unit:literal $about:literal = $value:expr; )+) => {
        /// The columns.
        pub(crate) const COLUMNS: &[crate::column::Column] = &[$( crate::column::Column {
            name: $name,
            ty: crate::column::Type::$ty,
            is_nullable: $crate::derived::out::columns!(@ $null),
            unit: $unit,
            about: $about,
            from: crate::column::From::$from,
        } ),+];

        /// What the values are made of.
        const VALUES: &[for<'v, 'r> fn(&'v $row<'r>) -> crate::cells::Cell<'v>] = &[$( $value ),+];

        impl crate::derived::out::Row for $row<'_> {
            fn cell(&self, place: usize) -> crate::cells::Cell<'_> {
                VALUES.get(place).map_or(crate::cells::Cell::Null, |value| value(self))
            }
        }
    };
}
pub(crate) use columns;

/// A row of a derived table.
pub(crate) trait Row {
    /// The value of a column, by its place in the table.
    fn cell(&self, place: usize) -> Cell<'_>;
}

/// A number that may be unknown.
pub(crate) fn number<T: Into<i128>>(number: Option<T>) -> Cell<'static> {
    number.map_or(Cell::Null, |number| Cell::Number(number.into()))
}

/// A text; an empty one is unknown.
pub(crate) fn text(text: &str) -> Cell<'_> {
    if text.is_empty() { Cell::Null } else { Cell::Text(text) }
}

/// Where batches go, until the reader returns `false`.
pub(crate) type Each<'a> = dyn FnMut(usize, RecordBatch) -> bool + 'a;

/// The rows of a table that no batch has yet.
pub(crate) struct Out<'s> {
    /// The number of the table, for the reader.
    table: usize,
    /// The chosen columns.
    places: Vec<usize>,
    cells: Vec<Cells>,
    schema: SchemaRef,
    scan: &'s Scan,
    /// The place of the time.
    time: Option<usize>,
    /// The places of the times at which the thing begins and ends.
    life: Option<(usize, usize)>,
    pid: Option<usize>,
    rows: usize,
    text: usize,
    /// Whether the reader wants no more.
    pub(crate) is_over: bool,
}

impl<'s> Out<'s> {
    pub(crate) fn new(table: usize, columns: &[Column], scan: &'s Scan) -> Out<'s> {
        let place = |name: &str| columns.iter().position(|column| column.name == name);
        let chosen = scan.columns.iter().filter_map(|place| columns.get(*place));
        let begin = place("started").or_else(|| place("loaded"));
        Out {
            table,
            places: scan.columns.iter().copied().filter(|place| *place < columns.len()).collect(),
            cells: chosen.clone().map(|column| Cells::new(column.ty)).collect(),
            schema: Arc::new(Schema::new(chosen.map(Column::field).collect::<Vec<_>>())),
            scan,
            time: place("time"),
            life: begin.zip(place("ended").or_else(|| place("unloaded"))),
            pid: place("pid"),
            rows: 0,
            text: 0,
            is_over: false,
        }
    }

    /// Adds a row, if the scan has it.
    pub(crate) fn row(&mut self, row: &impl Row, each: &mut Each<'_>) {
        if self.is_over || !self.takes(row) {
            return;
        }
        for (place, cells) in self.places.iter().zip(&mut self.cells) {
            let cell = row.cell(*place);
            if let Cell::Text(text) = cell {
                self.text += text.len();
            }
            cells.push(cell);
        }
        self.rows += 1;
        if self.rows >= ROWS || self.text >= TEXT {
            self.batch(each);
        }
    }

    /// Returns `true` for a row that meets the conditions on time and process. A thing that lasts is taken if it is there at some of
    /// the time.
    fn takes(&self, row: &impl Row) -> bool {
        let filter = &self.scan.filter;
        let number =
            |place: usize| if let Cell::Number(number) = row.cell(place) { Some(number) } else { None };
        if filter.from.is_some() || filter.until.is_some() {
            let (begin, end) = match (self.time, self.life) {
                (Some(time), _) => (number(time), number(time)),
                (None, Some((begin, end))) => (number(begin), number(end)),
                (None, None) => (None, None),
            };
            let is_before = end.zip(filter.from).is_some_and(|(end, from)| end < from.into());
            let is_after = begin.zip(filter.until).is_some_and(|(begin, until)| begin >= until.into());
            if is_before || is_after {
                return false;
            }
        }
        let pid = self.pid.filter(|_| filter.pids.is_some());
        pid.is_none_or(|place| filter.takes_process(number(place).and_then(|pid| u32::try_from(pid).ok())))
    }

    /// Gives the rows so far to the reader.
    pub(crate) fn batch(&mut self, each: &mut Each<'_>) {
        let rows = std::mem::take(&mut self.rows);
        self.text = 0;
        if rows == 0 || self.is_over {
            return;
        }
        let arrays: Vec<ArrayRef> = self.cells.iter_mut().map(Cells::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options);
        // A column that may not be NULL has a value in each row, so that this does not fail.
        self.is_over = !batch.is_ok_and(|batch| each(self.table, batch));
    }
}
