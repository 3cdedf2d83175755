//! Stacks with weights, one line each: `outermost;...;innermost weight`.

use std::collections::BTreeMap;

use tracewell_types::visible::is_active;

/// Stacks by their frames, outermost first, each with its weight.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    stacks: BTreeMap<Vec<String>, u64>,
}

impl Folded {
    /// No stack yet.
    #[must_use]
    pub fn new() -> Folded {
        Folded::default()
    }

    /// Adds a stack, outermost frame first. One without frames or weight is left out.
    pub fn add(&mut self, frames: Vec<String>, weight: u64) {
        if !frames.is_empty() && weight > 0 {
            let sum = self.stacks.entry(frames).or_default();
            *sum = sum.saturating_add(weight);
        }
    }

    /// Returns `true` if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// Every stack in order of its frames.
    pub fn iter(&self) -> impl Iterator<Item = (&[String], u64)> {
        self.stacks.iter().map(|(frames, weight)| (frames.as_slice(), *weight))
    }

    /// The text that flame graph tools read: what parts frames and lines is replaced in names.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (frames, weight) in self.iter() {
            for (n, frame) in frames.iter().enumerate() {
                if n > 0 {
                    text.push(';');
                }
                text.extend(frame.chars().map(|c| match c {
                    ';' => ':',
                    c if is_active(c) => ' ',
                    c => c,
                }));
            }
            text.push_str(&format!(" {weight}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_added_and_names_cannot_part_lines() {
        let stack = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        let mut folded = Folded::new();
        folded.add(stack(&["a", "b;c\n"]), 2);
        folded.add(stack(&["a"]), 1);
        folded.add(stack(&["a", "b;c\n"]), 3);
        folded.add(stack(&[]), 9);
        folded.add(stack(&["z"]), 0);
        assert_eq!(folded.text(), "a 1\na;b:c  5\n");
    }
}
