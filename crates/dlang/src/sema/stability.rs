//! Stability: a program that asks for a minimum may use nothing less stable.

use super::checker::Checker;
use crate::diag::{Result, fail};
use crate::pragma::{Attributes, DependencyClass, Stability};
use crate::source::Span;
use crate::tags::Tag;

/// The stability of the language's own names: everything is stable except the contents of native
/// records.
fn promised(name: &str) -> Attributes {
    let data = match name {
        "curthread" | "curcpu_native" => Stability::Private,
        _ => Stability::Stable,
    };
    Attributes { name: Stability::Stable, data, class: DependencyClass::Common }
}

impl Checker<'_> {
    /// Takes note of the stability of something that the text uses.
    pub(super) fn note_stability(&mut self, attributes: Attributes) {
        self.current.least_stable = self.current.least_stable.least(attributes);
    }

    /// Runs a step; yields its result with the stability of what it used, which is not noted elsewhere.
    pub(super) fn stability_of<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, Attributes)> {
        let outer = std::mem::replace(&mut self.current.least_stable, Attributes::HIGHEST);
        let result = step(self);
        let own = std::mem::replace(&mut self.current.least_stable, outer);
        Ok((result?, own))
    }

    /// Notes the stability of a name, and refuses one that is less stable than the program asks for.
    pub(super) fn stable_enough(&mut self, name: &str, span: Span) -> Result<()> {
        let has = self.attributes.get(name).copied().unwrap_or_else(|| promised(name));
        self.note_stability(has);
        let Some(minimum) = self.rules.minimum else { return Ok(()) };
        if has.name < minimum.name || has.data < minimum.data || has.class < minimum.class {
            let text = format!("{name} has the stability {has}, and {minimum} is the least that may be used");
            return fail(Tag::AttrMin, span, text);
        }
        Ok(())
    }
}
