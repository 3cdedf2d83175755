//! Stacks with weights, one line each: `outermost;...;innermost weight`.

use std::collections::BTreeMap;

use tracewell_types::visible::is_active;

/// The kind of a frame, which determines its colour in a flame graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The frame is not code: a program, a processor, or another group of stacks.
    Group,
    /// Code of the kernel and its drivers.
    Kernel,
    /// Native code of a process.
    Native,
    /// Code that a managed runtime compiled.
    Managed,
    /// Unknown code.
    #[default]
    Unknown,
}

impl Kind {
    /// All kinds, in the order of a legend.
    pub const ALL: [Kind; 5] = [Kind::Group, Kind::Kernel, Kind::Native, Kind::Managed, Kind::Unknown];

    /// The name in a legend.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Group => "group",
            Kind::Kernel => "kernel",
            Kind::Native => "native",
            Kind::Managed => ".NET",
            Kind::Unknown => "unknown",
        }
    }

    /// The hue in degrees and the saturation in percent of the darkest shade. Other shades add up to 11 degrees.
    #[must_use]
    pub fn tone(self) -> (u32, u32) {
        match self {
            Kind::Group => (205, 40),
            Kind::Kernel => (10, 78),
            Kind::Native => (40, 82),
            Kind::Managed => (105, 45),
            Kind::Unknown => (0, 0),
        }
    }
}

/// A frame of a stack. Frames of one name and different kinds are different.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The function, module or group.
    pub name: String,
    /// The kind of code.
    pub kind: Kind,
}

impl Frame {
    /// A frame with a name and a kind.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind) -> Frame {
        Frame { name: name.into(), kind }
    }
}

impl From<String> for Frame {
    /// A frame of unknown kind.
    fn from(name: String) -> Frame {
        Frame { name, kind: Kind::Unknown }
    }
}

/// Stacks by their frames, outermost first, each with its weight.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    stacks: BTreeMap<Vec<Frame>, u64>,
}

impl Folded {
    /// No stack yet.
    #[must_use]
    pub fn new() -> Folded {
        Folded::default()
    }

    /// Adds a stack, outermost frame first. One without frames or weight is left out.
    pub fn add<F: Into<Frame>>(&mut self, frames: Vec<F>, weight: u64) {
        if !frames.is_empty() && weight > 0 {
            let frames = frames.into_iter().map(Into::into).collect();
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
    pub fn iter(&self) -> impl Iterator<Item = (&[Frame], u64)> {
        self.stacks.iter().map(|(frames, weight)| (frames.as_slice(), *weight))
    }

    /// The text that flame graph tools read: what parts frames and lines is replaced in names.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
        for (frames, weight) in self.iter() {
            // The text has no kinds.
            let sum = lines.entry(frames.iter().map(|frame| frame.name.as_str()).collect()).or_default();
            *sum = sum.saturating_add(weight);
        }
        let mut text = String::new();
        for (frames, weight) in lines {
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
        folded.add(Vec::<Frame>::new(), 9);
        folded.add(stack(&["z"]), 0);
        assert_eq!(folded.text(), "a 1\na;b:c  5\n");
    }

    /// A program and the module of its file have one name.
    #[test]
    fn issue_21_frames_of_two_kinds_are_two_and_one_in_the_text() {
        let mut folded = Folded::new();
        folded.add(vec![Frame::new("a.exe", Kind::Group), Frame::new("x", Kind::Kernel)], 2);
        folded.add(vec![Frame::new("a.exe", Kind::Native), Frame::new("x", Kind::Kernel)], 3);
        assert_eq!(folded.iter().map(|(_, weight)| weight).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(folded.text(), "a.exe;x 5\n");
    }
}
