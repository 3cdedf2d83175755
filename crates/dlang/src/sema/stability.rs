//! Stability: a program that asks for a minimum may use nothing less stable.

use super::{Checker, fail};
use crate::diag::Result;
use crate::pragma::{Attributes, DependencyClass, Stability};
use crate::source::Span;
use crate::tags::Tag;

/// What the language itself promises of its names: everything, but for what lies behind native records.
fn promised(name: &str) -> Attributes {
    let data = match name {
        "curthread" | "curcpu_native" => Stability::Private,
        _ => Stability::Stable,
    };
    Attributes { name: Stability::Stable, data, class: DependencyClass::Common }
}

impl Checker<'_> {
    /// Refuses a name that is less stable than the program asks for.
    pub(super) fn stable_enough(&self, name: &str, span: Span) -> Result<()> {
        let Some(minimum) = self.minimum else { return Ok(()) };
        let has = self.attributes.get(name).copied().unwrap_or_else(|| promised(name));
        if has.name < minimum.name || has.data < minimum.data || has.class < minimum.class {
            let text = format!("{name} has the stability {has}, and {minimum} is the least that may be used");
            return fail(Tag::AttrMin, span, text);
        }
        Ok(())
    }
}
