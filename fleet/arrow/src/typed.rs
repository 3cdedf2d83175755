//! A table for each type of event, with a column for each field of its payload.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field as ArrowField, Schema, SchemaRef};
use rustc_hash::{FxHashMap, FxHashSet};
use tracewell::open::InputError;
use tracewell_decode::{Decoder, EventFormat, FormatId, Schemas};
use tracewell_etl::{Record, Trace};
use tracewell_schema::{Count, Field, FieldType, Hint};

use crate::cells::Cells;
use crate::column::{Column, Type};
use crate::events::{self, at};
use crate::source::{Scan, Source};

/// The columns of the table `events` that each table of a type of events begins with, by their place there.
pub const HEAD: [usize; 12] = [
    at::TIME,
    at::SINCE_START,
    at::CPU,
    at::PID,
    at::TID,
    at::PROCESS,
    at::HEADER_PID,
    at::HEADER_TID,
    at::VERSION,
    at::ACTIVITY,
    at::PARTIAL,
    at::FILE,
];

/// Maximum number of types of events that are distinguished in a trace.
const MOST_KINDS: usize = 1 << 14;
/// Maximum number of fields of a type of events, over all its versions.
const MOST_FIELDS: usize = 4096;

/// The types of events in a trace.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    kinds: BTreeMap<String, Kind>,
    left_out: u64,
}

/// A type of events.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// The number of events.
    pub events: u64,
    /// The fields of all versions that the trace has.
    pub fields: Vec<(String, Type)>,
}

impl Kind {
    /// The columns of the events' headers.
    pub fn head() -> impl Iterator<Item = &'static Column> {
        HEAD.iter().filter_map(|place| events::COLUMNS.get(*place))
    }

    /// The schema of the table.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        let fields = self.fields.iter().map(|(name, ty)| ArrowField::new(name, ty.data_type(), true));
        Arc::new(Schema::new(Kind::head().map(Column::field).chain(fields).collect::<Vec<_>>()))
    }

    /// Adds the fields of a format.
    fn add(&mut self, format: &EventFormat) {
        for (field, name) in fields_of(format).iter().zip(names_of(format)) {
            self.add_field(&name, type_of(field));
        }
    }

    /// Adds the fields of the same type of events in another trace.
    pub fn merge(&mut self, other: &Kind) {
        self.events += other.events;
        for (name, ty) in &other.fields {
            self.add_field(name, *ty);
        }
    }

    fn add_field(&mut self, name: &str, ty: Type) {
        let known = self.fields.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some(place) = known {
            if let Some((_, known)) = self.fields.get_mut(place) {
                *known = common(*known, ty);
            }
        } else if self.fields.len() < MOST_FIELDS {
            self.fields.push((name.to_owned(), ty));
        }
    }
}

fn fields_of(format: &EventFormat) -> &[Field] {
    format.layout.as_ref().map_or(&[], |layout| &layout.fields)
}

/// The names of the columns for the fields of a format: those of the fields. A second field of one name, and one that is called as a
/// column of the header, gets a number. Case does not distinguish names of columns.
fn names_of(format: &EventFormat) -> Vec<String> {
    let mut used: FxHashSet<String> = Kind::head().map(|column| column.name.to_owned()).collect();
    let name = |field: &Field| {
        let mut name = field.name.to_string();
        let mut number = 2;
        while !used.insert(name.to_ascii_lowercase()) {
            name = format!("{}#{number}", field.name);
            number += 1;
        }
        name
    };
    fields_of(format).iter().map(name).collect()
}

/// The type of the column for a field: that of the value in `etw dump --json`, except that hexadecimal numbers are numbers, and
/// bytes are bytes.
fn type_of(field: &Field) -> Type {
    if field.count != Count::One || field.map.is_some() {
        return Type::Text;
    }
    let number = |number: Type| match field.hint {
        Hint::None
        | Hint::Hex
        | Hint::Address
        | Hint::Pid
        | Hint::Tid
        | Hint::Bytes
        | Hint::TraceTime
        | Hint::Leftover => number,
        Hint::Boolean => Type::Bool,
        _ => Type::Text,
    };
    match &field.ty {
        FieldType::U8 => number(Type::U8),
        FieldType::U16 | FieldType::Port => number(Type::U16),
        FieldType::U32 => number(Type::U32),
        FieldType::U64 | FieldType::Pointer => number(Type::U64),
        FieldType::I8 => number(Type::I8),
        FieldType::I16 => number(Type::I16),
        FieldType::I32 => number(Type::I32),
        FieldType::I64 => number(Type::I64),
        FieldType::F32 => Type::F32,
        FieldType::F64 => Type::F64,
        FieldType::Bool8 | FieldType::Bool32 => Type::Bool,
        FieldType::Binary(_) if !matches!(field.hint, Hint::SocketAddress | Hint::IpAddress) => Type::Bytes,
        _ => Type::Text,
    }
}

/// A type that has the values of both.
fn common(one: Type, other: Type) -> Type {
    const UNSIGNED: [Type; 4] = [Type::U8, Type::U16, Type::U32, Type::U64];
    const SIGNED: [Type; 4] = [Type::I8, Type::I16, Type::I32, Type::I64];
    const FLOAT: [Type; 2] = [Type::F32, Type::F64];
    for types in [&UNSIGNED[..], &SIGNED[..], &FLOAT[..]] {
        let place = |ty: Type| types.iter().position(|known| *known == ty);
        if let (Some(one), Some(other)) = (place(one), place(other))
            && let Some(ty) = types.get(one.max(other))
        {
            return *ty;
        }
    }
    if one == other { one } else { Type::Text }
}

impl Kinds {
    /// Reads a trace for its types of events.
    pub(crate) fn of(trace: &Trace<'_>, schemas: Schemas) -> Kinds {
        let mut decoder = Decoder::new(schemas);
        let mut kinds = Kinds::default();
        // The events of each format: most records have that of the record before.
        let mut counts: FxHashMap<u32, (Option<String>, u64)> = FxHashMap::default();
        let mut last: Option<(u32, u64)> = None;
        let mut records = trace.file_order();
        let note = |counts: &mut FxHashMap<u32, (Option<String>, u64)>, (id, count): (u32, u64)| {
            if let Some((_, events)) = counts.get_mut(&id) {
                *events += count;
            }
        };
        while let Some(record) = records.next() {
            let id = decoder.id(&record).0;
            if let Some((known, count)) = &mut last
                && *known == id
            {
                *count += 1;
                continue;
            }
            if let Some(last) = last.replace((id, 1)) {
                note(&mut counts, last);
            }
            if !counts.contains_key(&id) {
                if counts.len() >= MOST_KINDS * 4 {
                    kinds.enter(&mut counts);
                }
                let format = decoder.get(FormatId(id));
                let name = table_name(format);
                let has_room = kinds.kinds.len() < MOST_KINDS || kinds.kinds.contains_key(&name);
                if has_room {
                    kinds.kinds.entry(name.clone()).or_default().add(format);
                }
                counts.insert(id, (has_room.then_some(name), 0));
            }
        }
        if let Some(last) = last {
            note(&mut counts, last);
        }
        kinds.enter(&mut counts);
        kinds
    }

    fn enter(&mut self, counts: &mut FxHashMap<u32, (Option<String>, u64)>) {
        for (_, (name, events)) in counts.drain() {
            match name.and_then(|name| self.kinds.get_mut(&name)) {
                Some(kind) => kind.events += events,
                None => self.left_out += events,
            }
        }
    }

    /// The types by the names of their tables, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Kind)> {
        self.kinds.iter().map(|(name, kind)| (&**name, kind))
    }

    /// The type with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Kind> {
        self.kinds.get(name)
    }

    /// The number of events that no table has, because a trace has too many types of events.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// The name of the table of a format: provider, and task and opcode, as `etw dump` shows them.
fn table_name(format: &EventFormat) -> String {
    format!("{}/{}", format.provider, format.name)
}

/// The columns of fields in a scan.
pub(crate) struct FieldColumns<'s> {
    table: &'s str,
    columns: Vec<(&'s str, Cells)>,
    /// For each format, the column of each field.
    formats: FxHashMap<u32, Arc<[usize]>>,
    last: Option<(u32, Arc<[usize]>)>,
    /// For each column, the number of the last event that had it.
    had: Vec<u64>,
    events: u64,
}

/// No column has the field.
const UNUSED: usize = usize::MAX;

impl<'s> FieldColumns<'s> {
    fn new(table: &'s str, kind: &'s Kind, places: impl Iterator<Item = usize>) -> FieldColumns<'s> {
        let chosen = places.filter_map(|place| kind.fields.get(place));
        let columns: Vec<_> = chosen.map(|(name, ty)| (&**name, Cells::new(*ty))).collect();
        FieldColumns {
            table,
            had: vec![0; columns.len()],
            columns,
            formats: FxHashMap::default(),
            last: None,
            events: 0,
        }
    }

    pub(crate) fn schema(&self, kind: &Kind) -> Vec<ArrowField> {
        let ty = |name: &str| kind.fields.iter().find(|(known, _)| known == name).map(|(_, ty)| *ty);
        let field = |(name, _): &(&str, Cells)| Some(ArrowField::new(*name, ty(name)?.data_type(), true));
        self.columns.iter().filter_map(field).collect()
    }

    /// Returns `true` if the events of a format are in the table.
    pub(crate) fn takes(&self, format: &EventFormat) -> bool {
        let rest = self.table.strip_prefix(&*format.provider).and_then(|rest| rest.strip_prefix('/'));
        rest.is_some_and(|event| *event == *format.name)
    }

    /// Adds the fields of a record that the table takes. Returns the bytes of texts.
    pub(crate) fn push(&mut self, format: &EventFormat, id: FormatId, record: &Record<'_>) -> usize {
        if self.columns.is_empty() {
            return 0;
        }
        let places = match &self.last {
            Some((last, places)) if *last == id.0 => places,
            _ => {
                let places = self.places(format, id);
                &self.last.insert((id.0, places)).1
            }
        };
        let mut bytes = 0;
        self.events += 1;
        for (named, place) in format.fields(record).zip(&**places) {
            if let (Some((_, cells)), Some(had)) = (self.columns.get_mut(*place), self.had.get_mut(*place)) {
                bytes += cells.push_field(Some(&named));
                *had = self.events;
            }
        }
        for ((_, cells), had) in self.columns.iter_mut().zip(&self.had) {
            if *had != self.events {
                cells.push_field(None);
            }
        }
        bytes
    }

    /// The column of each field of a format.
    #[cold]
    fn places(&mut self, format: &EventFormat, id: FormatId) -> Arc<[usize]> {
        if self.formats.len() >= MOST_KINDS {
            self.formats.clear();
        }
        let columns = &self.columns;
        let place = |name: String| {
            columns.iter().position(|(known, _)| known.eq_ignore_ascii_case(&name)).unwrap_or(UNUSED)
        };
        let places = self.formats.entry(id.0);
        Arc::clone(places.or_insert_with(|| names_of(format).into_iter().map(place).collect()))
    }

    pub(crate) fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        self.columns.iter_mut().map(|(_, cells)| cells.finish())
    }
}

impl Source {
    /// Reads the table of a type of events, and calls `each` with its batches until it returns `false`. The columns are those of
    /// [`HEAD`], then those of `kind`, which may be the type in several traces: see [`Kind::merge`]. A batch has the chosen ones in
    /// this order, too, those of the fields as they are chosen.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn typed(
        &self,
        table: &str,
        kind: &Kind,
        scan: &Scan,
        each: &mut dyn FnMut(RecordBatch) -> bool,
    ) -> Result<(), InputError> {
        let head = scan.columns.iter().filter_map(|place| HEAD.get(*place)).copied().collect();
        let of_events = Scan { columns: head, ..scan.clone() };
        let places = scan.columns.iter().filter_map(|place| place.checked_sub(HEAD.len()));
        let tables = vec![(kind, FieldColumns::new(table, kind, places))];
        self.read(&of_events, tables, &mut |_, batch| each(batch))
    }

    /// Reads several such tables at once, with all their fields and the columns of [`HEAD`] in `scan`. `each` gets the number of the
    /// table with each batch.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn typed_all(
        &self,
        tables: &[(&str, &Kind)],
        scan: &Scan,
        each: &mut dyn FnMut(usize, RecordBatch) -> bool,
    ) -> Result<(), InputError> {
        let head = scan.columns.iter().filter_map(|place| HEAD.get(*place)).copied().collect();
        let of_events = Scan { columns: head, ..scan.clone() };
        let tables = tables.iter();
        let tables = tables.map(|(name, kind)| (*kind, FieldColumns::new(name, kind, 0..kind.fields.len())));
        let tables: Vec<_> = tables.collect();
        if tables.is_empty() { Ok(()) } else { self.read(&of_events, tables, each) }
    }
}
