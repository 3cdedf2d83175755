//! Probe descriptions against the catalog.

use super::checker::Checker;
use crate::ast::ProbeSpec;
use crate::catalog::ProbeDesc;
use crate::diag::{Diagnostic, Result, fail};
use crate::program::ProbeId;
use crate::tags::Tag;

/// Splits a description into its parts, filled from the right.
///
/// # Errors
/// When there are more parts than four.
fn split(text: &str) -> std::result::Result<ProbeDesc, String> {
    ProbeDesc::split(text)
        .map_err(|parts| format!("{text} has {parts} parts, and a description has 4 at most"))
}

impl Checker<'_> {
    /// The probes that one description matches.
    pub(super) fn probes(&mut self, spec: &ProbeSpec, out: &mut Vec<ProbeId>) -> Result<()> {
        if spec.text.bytes().all(|b| b.is_ascii_digit()) && !spec.text.is_empty() {
            let id = spec.text.parse().ok().map(ProbeId);
            if let Some(id) = id.filter(|&id| self.catalog.probe(id).is_some()) {
                out.push(id);
                return Ok(());
            }
            let text = format!("there is no probe of number {}", spec.text);
            return if self.rules.zdefs { Ok(()) } else { fail(Tag::PdescZero, spec.span, text) };
        }
        let desc = match split(&spec.text) {
            Ok(desc) => desc,
            Err(text) => return fail(Tag::PdescInval, spec.span, text),
        };
        let before = out.len();
        self.catalog.matches(&desc, out);
        if out.len() > before || self.rules.zdefs {
            return Ok(());
        }
        let text = format!("probe description {} does not match any probes", spec.text);
        let (tag, mut hint) = self.catalog.explain(&desc).unwrap_or((Tag::PdescZero, String::new()));
        let error = Diagnostic::new(tag, spec.span, text);
        let near = self.catalog.suggest(&desc);
        if !near.is_empty() {
            if !hint.is_empty() {
                hint.push_str("; ");
            }
            hint.push_str(&format!("did you mean {}?", near.join(" or ")));
        }
        if hint.is_empty() {
            hint.push_str(
                "dtrace -l lists the probes; parts fill from the right: provider:module:function:name",
            );
        }
        Err(error.with_hint(hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_from_the_right() {
        let name = split("f:entry").unwrap();
        assert_eq!((name.function.as_str(), name.name.as_str()), ("f", "entry"));
        let full = split("p:m:f:").unwrap();
        assert_eq!((full.provider.as_str(), full.name.as_str()), ("p", ""));
        assert!(split("a:b:c:d:e").is_err());
    }
}
