//! Generation of the event tables from their checked-in description.
//!
//! `crates/schema/tables/kernel.classes` and `providers.names` are the only places where a layout of the kernel's
//! events or a provider's name is written down, and `error.codes` has the error codes that the `windows-sys` crate does
//! not name; the Rust statics under `crates/schema/src/generated`
//! and the pack of collected providers are made from them here and checked in, so that a build needs no generator.

mod against;
mod classes;
mod codes;
mod emit;
mod pack;
mod providers;

use crate::workspace::{self, schema_crate};

pub(crate) use against::run as against;

/// Regenerates the tables, or with `check` only compares them with what the description gives.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let crate_folder = schema_crate();
    for (table, generated, make) in TABLES {
        let source = crate_folder.join("tables").join(table);
        let target = crate_folder.join("src").join("generated").join(generated);
        let wanted = make(&workspace::text(&source)?).map_err(|error| format!("{table}: {error}"))?;
        if check {
            if workspace::text(&target)? != wanted {
                return Err(format!(
                    "{generated} does not agree with {table}; run `cargo run -p xtask -- schema`"
                ));
            }
        } else {
            std::fs::write(&target, wanted).map_err(|e| format!("{}: {e}", target.display()))?;
            println!("{}", target.display());
        }
    }
    pack::run(check)
}

/// Makes one generated file from the text of one table.
type Generator = fn(&str) -> Result<String, String>;

const TABLES: [(&str, &str, Generator); 3] = [
    ("kernel.classes", "kernel.rs", |text| Ok(emit::kernel(&classes::parse(text)?))),
    ("error.codes", "codes.txt", codes::generate),
    ("providers.names", "providers.rs", |text| Ok(emit::providers(&providers::parse(text)?))),
];

#[cfg(test)]
mod tests {
    #[test]
    fn the_checked_in_tables_agree_with_their_description() {
        super::run(true).unwrap();
    }
}
