//! Probe descriptions against the catalog.

use super::{Checker, fail};
use crate::ast::ProbeSpec;
use crate::catalog::ProbeDesc;
use crate::diag::{Diagnostic, Result};
use crate::parse::Naming;
use crate::program::ProbeId;
use crate::tags::Tag;

/// Splits a description into its parts, filled from the right.
///
/// # Errors
/// When there are more parts than `naming` leaves room for.
pub(crate) fn split(text: &str, naming: Naming) -> std::result::Result<ProbeDesc, String> {
    let most = match naming {
        Naming::Name | Naming::Id => 4,
        Naming::Function => 3,
        Naming::Module => 2,
        Naming::Provider => 1,
    };
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    if parts.len() > most {
        return Err(format!("{text} has {} parts, and a description has {most} at most", parts.len()));
    }
    let mut desc = ProbeDesc::default();
    for (from_right, part) in parts.iter().rev().enumerate() {
        let slot = match most - 1 - from_right {
            0 => &mut desc.provider,
            1 => &mut desc.module,
            2 => &mut desc.function,
            _ => &mut desc.name,
        };
        (*part).clone_into(slot);
    }
    Ok(desc)
}

impl Checker<'_> {
    /// The probes that one description matches.
    pub(super) fn probes(&mut self, spec: &ProbeSpec, naming: Naming, out: &mut Vec<ProbeId>) -> Result<()> {
        if spec.text.bytes().all(|b| b.is_ascii_digit()) && !spec.text.is_empty() {
            let id = spec.text.parse().ok().map(ProbeId);
            if let Some(id) = id.filter(|&id| self.catalog.probe(id).is_some()) {
                out.push(id);
                return Ok(());
            }
            let text = format!("there is no probe of number {}", spec.text);
            return if self.zdefs { Ok(()) } else { fail(Tag::PdescZero, spec.span, text) };
        }
        let desc = match split(&spec.text, naming) {
            Ok(desc) => desc,
            Err(text) => return fail(Tag::PdescInval, spec.span, text),
        };
        let before = out.len();
        self.catalog.matches(&desc, out);
        if out.len() > before || self.zdefs {
            return Ok(());
        }
        let text = format!("probe description {} does not match any probes", spec.text);
        let error = Diagnostic::new(Tag::PdescZero, spec.span, text);
        let mut hint = self.catalog.explain(&desc).unwrap_or_default();
        let near = self.catalog.suggest(&desc);
        if !near.is_empty() {
            if !hint.is_empty() {
                hint.push_str("; ");
            }
            hint.push_str(&format!("did you mean {}?", near.join(" or ")));
        }
        Err(if hint.is_empty() { error } else { error.with_hint(hint) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_from_the_right() {
        let name = split("f:entry", Naming::Name).unwrap();
        assert_eq!((name.function.as_str(), name.name.as_str()), ("f", "entry"));
        let function = split("read", Naming::Function).unwrap();
        assert_eq!((function.function.as_str(), function.name.as_str()), ("read", ""));
        assert_eq!(split("dtrace", Naming::Provider).unwrap().provider, "dtrace");
        assert!(split("a:b:c:d:e", Naming::Name).is_err());
        assert!(split("a:b", Naming::Provider).is_err());
    }
}
