//! Layouts of values as words of the text form.

use crate::program::{Repr, StackPart, SymbolKind};

/// Symbols of the text form.
const SYMBOLS: [(SymbolKind, &str); 5] = [
    (SymbolKind::Sym, "sym"),
    (SymbolKind::Mod, "mod"),
    (SymbolKind::USym, "usym"),
    (SymbolKind::UMod, "umod"),
    (SymbolKind::UAddr, "uaddr"),
];

/// A layout as one word.
pub(super) fn repr_text(repr: &Repr) -> String {
    match repr {
        Repr::Int { bytes, signed } => format!("{}{bytes}", if *signed { 's' } else { 'u' }),
        Repr::Str => "str".into(),
        Repr::Bytes(n) => format!("bytes:{n}"),
        Repr::Stack { part: StackPart::Kernel, frames, .. } => format!("stack:{frames}"),
        Repr::Stack { part: StackPart::User, frames, strsize } => format!("ustack:{frames}:{strsize}"),
        Repr::Stack { part: StackPart::Whole, frames, .. } => format!("callstack:{frames}"),
        Repr::Symbol(kind) => {
            SYMBOLS.iter().find(|(k, _)| k == kind).map_or("sym", |(_, name)| name).to_owned()
        }
    }
}

/// The layout that a word names.
pub(super) fn repr_of(word: &str) -> Option<Repr> {
    if let Some((kind, _)) = SYMBOLS.iter().find(|(_, name)| *name == word) {
        return Some(Repr::Symbol(*kind));
    }
    let mut parts = word.split(':');
    let head = parts.next()?;
    let mut number = || parts.next()?.parse::<u32>().ok();
    Some(match head {
        "str" => Repr::Str,
        "bytes" => Repr::Bytes(number()?),
        "stack" => Repr::Stack { part: StackPart::Kernel, frames: number()?, strsize: 0 },
        "ustack" => Repr::Stack { part: StackPart::User, frames: number()?, strsize: number()? },
        "callstack" => Repr::Stack { part: StackPart::Whole, frames: number()?, strsize: 0 },
        _ => {
            let (sign, bytes) = head.split_at_checked(1)?;
            let bytes = bytes.parse().ok().filter(|b| matches!(b, 1 | 2 | 4 | 8))?;
            Repr::Int {
                bytes,
                signed: matches!(sign, "s").then_some(true).or((sign == "u").then_some(false))?,
            }
        }
    })
}
