//! The indented layout of `flowindent`.

use crate::host::ProbeNames;
use std::io::Write as _;

/// The role of a probe in the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Entry,
    Return,
    None,
}

/// The depth that has been reached.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    indent: usize,
    last: Option<(u32, String)>,
}

impl Flow {
    /// Writes the name column of a record.
    pub(crate) fn line(&mut self, text: &mut Vec<u8>, epid: u32, names: &ProbeNames<'_>) {
        let kind = match names.name {
            n if n.ends_with("entry") => Kind::Entry,
            n if n.ends_with("return") => Kind::Return,
            _ => Kind::None,
        };
        let full = format!("{}:{}:{}:{}", names.provider, names.module, names.function, names.name);
        // A further clause of the same firing is not a further call.
        let repeated = self.last.as_ref().is_some_and(|(e, f)| *f == full && *e < epid);
        let arrow = if names.provider == "syscall" { ("=>", "<=") } else { ("->", "<-") };
        let (depth, shown) = match kind {
            Kind::Entry if !repeated => {
                self.indent += 2;
                (self.indent - 2, format!("{} {}", arrow.0, names.function))
            }
            Kind::Return if !repeated => {
                self.indent = self.indent.saturating_sub(2);
                (self.indent, format!("{} {}", arrow.1, names.function))
            }
            _ => (self.indent, format!("| {}:{}", names.function, names.name)),
        };
        self.last = Some((epid, full));
        let depth = depth.min(200);
        let line = format!("{:depth$}{shown}", "");
        let _ = write!(text, "{line:<41} ");
    }
}
