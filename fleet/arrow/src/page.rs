//! The documentation of the tables, generated from their columns.

use std::fmt::Write;

use crate::column::Column;
use crate::derived::Table;

/// The rows of a table about columns, in Markdown.
#[must_use]
pub fn rows(columns: &[Column]) -> String {
    let mut page = String::from("| column | type | unit | source | contents |\n|---|---|---|---|---|\n");
    for column in columns {
        let Column { name, ty, is_nullable, unit, about, from } = column;
        let (ty, null, from) = (ty.sql(), if *is_nullable { "" } else { " NOT NULL" }, from.name());
        let about = about.trim_end_matches('.');
        // Writing to memory cannot fail.
        let _ = writeln!(page, "| `{name}` | {ty}{null} | {unit} | {from} | {about} |");
    }
    page
}

/// The names of columns as a sentence, in Markdown.
#[must_use]
pub fn names(columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name)).collect();
    format!("{}.\n", names.join(", "))
}

/// Tables with their columns, in Markdown.
#[must_use]
pub fn derived(tables: &[Table]) -> String {
    let mut page = String::new();
    for table in tables {
        let _ =
            writeln!(page, "\n### `{}`\n\n{}\n\n{}", table.name, table.about, rows(table.columns).trim_end());
    }
    page.push('\n');
    page
}
