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

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of a probe's name decides, as `fs-entry` and `entry-time` show.
    #[test]
    fn issue_23_names_that_end_with_entry_and_return_indent() {
        let mut flow = Flow::default();
        let mut lines = Vec::new();
        for (epid, name) in
            ["entry", "fs-entry", "entry-time", "fs-return", "return-code", "return"].into_iter().enumerate()
        {
            let mut text = Vec::new();
            flow.line(&mut text, epid as u32, &ProbeNames { provider: "p", module: "", function: "f", name });
            lines.push(String::from_utf8(text).unwrap().trim_end().to_owned());
        }
        let depths: Vec<usize> = lines.iter().map(|line| line.len() - line.trim_start().len()).collect();
        let arrows: Vec<&str> =
            lines.iter().map(|line| line.trim_start().split(' ').next().unwrap()).collect();
        assert_eq!(arrows, ["->", "->", "|", "<-", "|", "<-"], "{lines:#?}");
        assert!(depths[1] > depths[0] && depths[2] > depths[1], "{lines:#?}");
        assert_eq!((depths[3], depths[5]), (depths[1], depths[0]), "{lines:#?}");
    }
}
