//! Packs `collected.events`: the text of each provider compressed for itself, and a table of them.

use std::fmt::Write;
use std::path::Path;

use tracewell_schema::bundled;
use tracewell_schema::text::{self, Described};

use super::emit;
use crate::workspace::{self, schema_crate};

const TABLE: &str = "collected.events";

/// The best that there is: what is packed once is unpacked often.
const LEVEL: u8 = 10;

/// Writes the pack and its table, or with `check` compares the packed providers with the text.
pub(super) fn run(check: bool) -> Result<(), String> {
    let source = schema_crate().join("tables").join(TABLE);
    let described = text::parse(&workspace::text(&source)?).map_err(|error| format!("{TABLE}: {error}"))?;
    if check {
        return compare(&described);
    }
    let folder = schema_crate().join("src").join("generated");
    let (table, pack) = pack(described)?;
    let write = |path: &Path, bytes: &[u8]| {
        std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}: {} bytes", path.display(), bytes.len());
        Ok::<_, String>(())
    };
    write(&folder.join("collected.rs"), table.as_bytes())?;
    write(&folder.join("collected.pack"), &pack)
}

fn pack(mut described: Vec<Described>) -> Result<(String, Vec<u8>), String> {
    described.sort_by(|a, b| a.provider.guid.as_bytes().cmp(b.provider.guid.as_bytes()));
    let mut pack = Vec::new();
    let mut table = emit::header(TABLE);
    table.push_str(
        "use tracewell_types::Guid;\n\nuse crate::packed::Entry;\n\n/// The texts, one after another.\n",
    );
    table.push_str("pub(crate) static PACK: &[u8] = include_bytes!(\"collected.pack\");\n\n");
    table.push_str("/// What the pack holds, by ascending bytes of the GUID.\n");
    let _ = writeln!(table, "pub(crate) static ENTRIES: [Entry; {}] = [", described.len());
    for one in &described {
        let text = text::write(std::slice::from_ref(one));
        let bytes = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), LEVEL);
        let _ = writeln!(
            table,
            "    Entry {{ guid: Guid::parse(\"{}\"), name: {:?}, at: {}, packed: {}, text: {} }},",
            one.provider.guid,
            one.provider.name,
            pack.len(),
            bytes.len(),
            text.len()
        );
        pack.extend(bytes);
    }
    table.push_str("];\n");
    if u32::try_from(pack.len()).is_err() {
        return Err("the pack has grown too large for its table".to_owned());
    }
    Ok((table, pack))
}

/// Whether the providers that this program was built with are those of the text.
fn compare(described: &[Described]) -> Result<(), String> {
    let stale = || format!("the pack does not agree with {TABLE}; run `cargo run -p xtask -- schema`");
    for one in described {
        if bundled::provider(&one.provider.guid) != Some(&one.provider) {
            return Err(format!("{}: {}", one.provider.name, stale()));
        }
    }
    if bundled::all().count() == bundled::common().count() + described.len() { Ok(()) } else { Err(stale()) }
}
