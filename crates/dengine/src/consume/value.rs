//! Single values in the default layouts: of `trace()`, and as keys.

use super::scene::Scene;
use crate::host::{SourceFrame, Symbol};
use crate::pack::Value;
use std::borrow::Cow;
use std::io::Write as _;
use tracewell_dlang::program::SymbolKind;

/// The most bytes of a string that Oracle's layout fills up.
const LONGEST_DUMP: usize = 64 << 10;

/// Widths of integers of 1, 2, 4, and more bytes, and those of Oracle's port.
const CLASSIC: [usize; 4] = [3, 5, 8, 16];
const ORACLE: [usize; 4] = [3, 5, 10, 19];

/// Writes blanks.
pub(crate) fn blanks(text: &mut Vec<u8>, n: usize) {
    text.resize(text.len() + n, b' ');
}

/// Writes bytes left-justified to a width.
pub(crate) fn left(text: &mut Vec<u8>, bytes: &[u8], width: usize) {
    text.extend_from_slice(bytes);
    blanks(text, width.saturating_sub(bytes.len()));
}

/// An integer of a size, with or without sign.
fn integer(value: u64, bytes: u8, signed: bool) -> i128 {
    match (bytes, signed) {
        (1, true) => i128::from(value as i8),
        (1, false) => i128::from(value as u8),
        (2, true) => i128::from(value as i16),
        (2, false) => i128::from(value as u16),
        (4, true) => i128::from(value as i32),
        (4, false) => i128::from(value as u32),
        (_, true) => i128::from(value as i64),
        (_, false) => i128::from(value),
    }
}

/// Returns `true` if integers of a size are shown with a sign, whatever their type: those of 4 and 8 bytes.
fn has_sign(bytes: u8) -> bool {
    !matches!(bytes, 1 | 2)
}

/// Writes an integer with one blank before, right-justified to the width for its size of 1, 2, 4, or more bytes.
fn justified(text: &mut Vec<u8>, value: i128, bytes: u8, widths: [usize; 4]) {
    let [one, two, four, more] = widths;
    let width = match bytes {
        1 => one,
        2 => two,
        4 => four,
        _ => more,
    };
    let _ = write!(text, " {value:>width$}");
}

/// An integer with one blank before, as wide as its size asks.
pub(crate) fn sized(text: &mut Vec<u8>, value: u64, bytes: u8) {
    justified(text, integer(value, bytes, has_sign(bytes)), bytes, CLASSIC);
}

/// A value as `trace()` shows it.
pub(crate) fn trace(text: &mut Vec<u8>, value: &Value<'_>, scene: &Scene<'_>) {
    let quiet = scene.options.quiet;
    match value {
        Value::Int { value, bytes, signed } => {
            // Oracle's port shows the sign of the type.
            let oracle = scene.options.oracle;
            let value = integer(*value, *bytes, if oracle { *signed } else { has_sign(*bytes) });
            match quiet {
                true => {
                    let _ = write!(text, "{value}");
                }
                false => justified(text, value, *bytes, if oracle { ORACLE } else { CLASSIC }),
            }
        }
        Value::Str(s) if scene.options.rawbytes && scene.options.oracle => {
            // A string there takes as much room as any, and a byte for its end.
            let mut bytes = s.to_vec();
            bytes.resize(
                (scene.options.sizes.strsize as usize).saturating_add(1).max(s.len()).min(LONGEST_DUMP),
                0,
            );
            dump(text, &bytes);
        }
        Value::Str(s) if scene.options.rawbytes => dump(text, s),
        Value::Str(s) => string(text, &scene.text(s), quiet),
        Value::Bytes(bytes) => match printable(bytes) {
            Some(s) if !scene.options.rawbytes => string(text, &scene.text(s), quiet),
            _ => dump(text, bytes),
        },
        Value::Stack { .. } => {
            text.push(b'\n');
            stack(text, value, scene, scene.options.stacks.indent as usize);
        }
        Value::Symbol { kind, pid, address } => {
            let s = symbol(*kind, *pid, *address, scene);
            text.extend_from_slice(b"  ");
            left(text, s.as_bytes(), if quiet { 0 } else { 50 });
        }
    }
}

fn string(text: &mut Vec<u8>, s: &[u8], quiet: bool) {
    if quiet {
        text.extend_from_slice(s);
    } else {
        text.extend_from_slice(b"  ");
        left(text, s, 33);
    }
}

/// A value as a key of an aggregation.
pub(crate) fn key(text: &mut Vec<u8>, value: &Value<'_>, scene: &Scene<'_>) {
    match value {
        Value::Int { value, bytes, .. } => sized(text, *value, *bytes),
        Value::Str(s) => {
            text.extend_from_slice(b"  ");
            left(text, &scene.text(s), 50);
        }
        Value::Bytes(bytes) => match printable(bytes) {
            Some(s) if !scene.options.rawbytes => {
                text.extend_from_slice(b"  ");
                left(text, &scene.text(s), 50);
            }
            _ => dump(text, bytes),
        },
        Value::Stack { .. } => {
            text.push(b'\n');
            stack(text, value, scene, scene.options.stacks.indent as usize);
        }
        Value::Symbol { kind, pid, address } => {
            text.extend_from_slice(b"  ");
            left(text, symbol(*kind, *pid, *address, scene).as_bytes(), 50);
        }
    }
}

/// Returns the bytes up to the first NUL if all of them are printable and only NULs follow.
fn printable(bytes: &[u8]) -> Option<&[u8]> {
    let n = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    let (shown, rest) = bytes.split_at(n);
    let fits = |b: &u8| (0x20..0x7f).contains(b) || (0x07..=0x0d).contains(b);
    (n > 0 && shown.iter().all(fits) && rest.iter().all(|&b| b == 0)).then_some(shown)
}

/// Bytes as a hexadecimal dump with a ruler.
pub(crate) fn dump(text: &mut Vec<u8>, bytes: &[u8]) {
    text.push(b'\n');
    blanks(text, 11);
    for column in 0..16 {
        let _ = write!(text, "  {column:x}");
    }
    text.extend_from_slice(b"  0123456789abcdef\n");
    for (row, chunk) in bytes.chunks(16).enumerate() {
        let _ = write!(text, "{:>10x}:", row * 16);
        for column in 0..16 {
            let _ = match chunk.get(column) {
                Some(b) => write!(text, " {b:02x}"),
                None => write!(text, "   "),
            };
        }
        text.extend_from_slice(b"  ");
        for &b in chunk {
            text.push(if (0x20..0x7f).contains(&b) { b } else { b'.' });
        }
        text.push(b'\n');
    }
}

/// The frames of a stack, one a line.
pub(crate) fn stack(text: &mut Vec<u8>, value: &Value<'_>, scene: &Scene<'_>, indent: usize) {
    let Value::Stack { pid, .. } = value else { return };
    for (depth, address) in value.frames().enumerate() {
        frame(text, *pid, address, depth > 0, scene, indent);
    }
}

/// A frame of a stack, with the functions that were inlined into it, one a line. `called` when it called another.
pub(crate) fn frame(
    text: &mut Vec<u8>,
    pid: Option<u64>,
    address: u64,
    called: bool,
    scene: &Scene<'_>,
    indent: usize,
) {
    let (lines, inlines) = (scene.options.stacks.lines, scene.options.stacks.inlines);
    let found = frame_symbol(pid, address, called, scene);
    let source = if lines || inlines { scene.names.source(pid, address, called) } else { Vec::new() };
    let module = scene.name(found.as_ref().map(|s| &*s.module).unwrap_or_default());
    for inlined in source.iter().filter(|f| f.inlined && inlines) {
        blanks(text, indent);
        let _ = write!(text, "{module}`{} [inlined]", scene.name(&inlined.function));
        place(text, lines.then_some(inlined), scene);
        text.push(b'\n');
    }
    blanks(text, indent);
    symbolic(text, found.as_ref(), address, scene);
    // Without its inlined functions a frame shows its actual source position.
    let own = if inlines { source.last() } else { source.first() };
    place(text, own.filter(|_| lines), scene);
    text.push(b'\n');
}

/// A frame of a stack as module`symbol+0xoffset, or as hexadecimal.
pub(crate) fn frame_name(
    text: &mut Vec<u8>,
    pid: Option<u64>,
    address: u64,
    called: bool,
    scene: &Scene<'_>,
) {
    symbolic(text, frame_symbol(pid, address, called, scene).as_ref(), address, scene);
}

fn frame_symbol<'n>(pid: Option<u64>, address: u64, called: bool, scene: &Scene<'n>) -> Option<Symbol<'n>> {
    if called { scene.names.caller(pid, address) } else { scene.names.symbol(pid, address) }
}

/// The source file, without its folder, and the line.
fn place(text: &mut Vec<u8>, frame: Option<&SourceFrame<'_>>, scene: &Scene<'_>) {
    let Some((file, line)) = frame.and_then(|f| f.line.as_ref()) else { return };
    let file = scene.name(file.rsplit(['\\', '/']).next().unwrap_or_default());
    let _ = write!(text, " ({file}:{line})");
}

/// An address as module`symbol+0xoffset, or as hexadecimal.
pub(crate) fn address(text: &mut Vec<u8>, pid: Option<u64>, address: u64, scene: &Scene<'_>) {
    symbolic(text, scene.names.symbol(pid, address).as_ref(), address, scene);
}

fn symbolic(text: &mut Vec<u8>, found: Option<&Symbol<'_>>, address: u64, scene: &Scene<'_>) {
    let _ = match found {
        Some(s) => {
            let _ = write!(text, "{}`", scene.name(&s.module));
            match (&s.symbol, s.offset) {
                (Some(name), 0) => write!(text, "{}", scene.name(name)),
                (Some(name), offset) => write!(text, "{}+0x{offset:x}", scene.name(name)),
                (None, offset) => write!(text, "0x{offset:x}"),
            }
        }
        None => write!(text, "0x{address:x}"),
    };
}

/// The text of an address for `sym()` and similar functions.
pub(crate) fn symbol(kind: SymbolKind, pid: Option<u64>, address: u64, scene: &Scene<'_>) -> String {
    let found = scene.names.symbol(pid, address);
    let shown = match (kind, found) {
        (SymbolKind::Mod | SymbolKind::UMod, Some(s)) => s.module.into_owned(),
        (SymbolKind::Sym | SymbolKind::USym, Some(s)) => match s.symbol {
            Some(name) => format!("{}`{name}", s.module),
            None => format!("{}`0x{:x}", s.module, s.offset),
        },
        (SymbolKind::UAddr, Some(s)) => match (s.symbol, s.offset) {
            (Some(name), 0) => format!("{}`{name}", s.module),
            (Some(name), offset) => format!("{}`{name}+0x{offset:x}", s.module),
            (None, offset) => format!("{}`0x{offset:x}", s.module),
        },
        (_, None) => return format!("0x{address:x}"),
    };
    match scene.name(&shown) {
        Cow::Borrowed(_) => shown,
        Cow::Owned(escaped) => escaped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_text_only_if_all_are_printable() {
        for (bytes, shown) in [
            (b"".as_slice(), None),
            (b"\0\0\0\0", None),
            (b"abc\0\0", Some(b"abc".as_slice())),
            (b"abc", Some(b"abc")),
            (b" ~\x07\r\0", Some(b" ~\x07\r")),
            (b"a\0b\0", None),
            (b"a\x01\0", None),
            (b"a\x06", None),
            (b"a\x0e", None),
            (b"a\x1f", None),
            (b"a\x7f", None),
            (b"\xe9", None),
        ] {
            assert_eq!(printable(bytes), shown, "{bytes:?}");
        }
    }
}
