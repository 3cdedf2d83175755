//! The bodies of the fuzz targets: nothing may hang, take excessive memory, or panic except where the library
//! catches it.

use tracewell_symbols::{PeImage, ProgramDatabase, SymbolPath, SymbolSource, demangle};

/// A target's name and body.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
#[allow(dead_code, reason = "the fuzzer runs one")]
pub(crate) const TARGETS: &[Target] = &[("database", database), ("image", image), ("names", names)];

/// A program database: functions, frames and lines of addresses.
pub(crate) fn database(bytes: &[u8]) {
    let Ok(database) = ProgramDatabase::parse(bytes.to_vec()) else { return };
    let parts = database.code();
    let code = parts
        .iter()
        .take(64)
        .flat_map(|&(from, to)| [from, from.saturating_add(1), to.saturating_sub(1), to]);
    for address in code.chain([0, 0x1000, u32::MAX]) {
        if let Some(function) = database.function(address) {
            assert!(function.start <= address, "an address is not before its function");
        }
        let frames = database.frames(address);
        assert!(frames.last().is_none_or(|frame| !frame.inlined), "the last frame is a function's own");
    }
}

/// An image: its identity and exports.
pub(crate) fn image(bytes: &[u8]) {
    let Ok(image) = PeImage::parse(bytes) else { return };
    for address in [0, 0x1000, 0x1150, u32::MAX] {
        if let Some(function) = image.exports.function(address) {
            assert!(function.start <= address, "an address is not before its function");
        }
    }
}

/// Names and search paths.
pub(crate) fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for x86 in [false, true] {
        assert!(demangle(&text, x86).len() <= 4096, "a name has a bound");
    }
    let path = SymbolPath::parse(&text, Some("/store"));
    assert!(path.elements().len() <= bytes.len());
}
