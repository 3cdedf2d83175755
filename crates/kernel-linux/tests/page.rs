//! The page of the documentation has the crate's table of sources. `TRACEWELL_BLESS=1` rewrites it.
#![cfg(target_os = "linux")]

use std::path::Path;

#[test]
fn the_page_has_the_table_of_sources() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kernel-linux.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- sources -->\n").expect("the page has a place for the table");
    let (table, after) = rest.split_once("<!-- /sources -->").expect("the place has an end");
    let made = tracewell_kernel_linux::page();
    if tracewell_corpus::bless() {
        std::fs::write(&path, format!("{before}<!-- sources -->\n{made}<!-- /sources -->{after}")).unwrap();
        return;
    }
    assert_eq!(table, made, "run the test with TRACEWELL_BLESS=1");
}
