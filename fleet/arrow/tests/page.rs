//! The page about the tables has their columns.

use std::path::PathBuf;

use tracewell_arrow::derived::TABLES;
use tracewell_arrow::typed::Kind;
use tracewell_arrow::{Column, events, page};

/// The page with another text between two marks.
fn filled(page: &str, mark: &str, rows: &str) -> String {
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->"));
    let (before, rest) = page.split_once(&begin).expect("the page has the mark");
    let (_, after) = rest.split_once(&end).expect("the page has the end of the mark");
    format!("{before}{begin}{rows}{end}{after}")
}

#[test]
fn issue_22_the_page_describes_every_column() {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../docs/tables.md"].iter().collect();
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let text = filled(&text, "columns", &page::rows(&events::COLUMNS));
    let head: Vec<Column> = Kind::head().copied().collect();
    let text = filled(&text, "head", &page::names(&head));
    let text = filled(&text, "derived", &page::derived(TABLES));
    tracewell_corpus::golden(&path, &text).unwrap();
}

#[test]
fn issue_22_columns_have_different_names_and_a_description() {
    let places = [(events::at::TIME, "time"), (events::at::GUID, "guid"), (events::at::FILE, "file")];
    assert!(places.iter().all(|(place, name)| events::COLUMNS[*place].name == *name));
    for columns in TABLES.iter().map(|table| table.columns).chain([&events::COLUMNS[..]]) {
        let names: std::collections::BTreeSet<&str> = columns.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), columns.len());
        assert!(columns.iter().all(|column| column.about.ends_with('.')));
        // The last column names the trace.
        assert!(columns.last().is_some_and(|column| column.name == "file" && !column.is_nullable));
    }
}
