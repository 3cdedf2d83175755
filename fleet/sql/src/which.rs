//! Which table of a trace.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use tracewell::open::InputError;
use tracewell_arrow::column::schema_of;
use tracewell_arrow::derived::{self, Table};
use tracewell_arrow::typed::{HEAD, Kind};
use tracewell_arrow::{Scan, Source, events};

/// The name of the table with all events.
pub(crate) const EVENTS: &str = "events";

/// A table.
#[derive(Clone, Debug)]
pub(crate) enum Which {
    /// All events.
    Events,
    /// Events of a type, with the name of their table.
    Kind(Arc<(String, Kind)>),
    /// One that is derived from several events.
    Derived(&'static Table),
}

impl Which {
    /// The tables that every trace has.
    pub(crate) fn everywhere() -> impl Iterator<Item = &'static str> {
        derived::TABLES.iter().map(|table| table.name).chain([EVENTS])
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Which::Events => EVENTS,
            Which::Kind(kind) => &kind.0,
            Which::Derived(table) => table.name,
        }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        match self {
            Which::Events => events::schema(),
            Which::Kind(kind) => kind.1.schema(),
            Which::Derived(table) => schema_of(table.columns),
        }
    }

    /// Returns `true` if a scan may select by the column of this name.
    pub(crate) fn selects_by(&self, name: &str) -> bool {
        match self {
            Which::Events => true,
            // A field may have the name of a column of the header that is not in this table.
            Which::Kind(_) => {
                let has =
                    |place: &usize| events::COLUMNS.get(*place).is_some_and(|column| column.name == name);
                HEAD.iter().any(has)
            }
            Which::Derived(table) => {
                matches!(name, "time" | "pid") && table.columns.iter().any(|column| column.name == name)
            }
        }
    }

    /// Returns `true` if a scan has to read traces as a whole.
    pub(crate) fn is_whole(&self, scan: &Scan) -> bool {
        match self {
            Which::Events => events::needs_state(scan),
            Which::Kind(_) => {
                // Columns of the table, and their places there, are those of `events` for the state.
                let head = scan.columns.iter().filter_map(|place| HEAD.get(*place)).copied().collect();
                events::needs_state(&Scan { columns: head, ..scan.clone() })
            }
            Which::Derived(_) => true,
        }
    }

    /// Reads the table of a trace.
    pub(crate) fn read(
        &self,
        source: &Source,
        scan: &Scan,
        each: &mut dyn FnMut(RecordBatch) -> bool,
    ) -> Result<(), InputError> {
        match self {
            Which::Events => source.events(scan, each),
            Which::Kind(kind) => source.typed(&kind.0, &kind.1, scan, each),
            Which::Derived(table) => source.derived(table, scan, each),
        }
    }
}
