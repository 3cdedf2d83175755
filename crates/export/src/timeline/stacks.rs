//! Frames and stacks, each kept once.

use rustc_hash::FxHashMap;

/// A frame in [`CallStacks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameId(u32);

/// A stack in [`CallStacks`]: its innermost frame, and through it all callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(u32);

/// The frames and stacks of a timeline. Stacks with the same callers share them, so that memory grows with the
/// number of different callers, not with that of samples.
#[derive(Clone, Debug, Default)]
pub struct CallStacks {
    frames: Vec<Frame>,
    by_name: FxHashMap<(Box<str>, Box<str>, bool), FrameId>,
    nodes: Vec<Node>,
    by_node: FxHashMap<(u32, FrameId), u32>,
}

#[derive(Clone, Debug)]
struct Frame {
    module: Box<str>,
    name: Box<str>,
    kernel: bool,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its caller; [`NO_CALLER`] for the outermost.
    caller: u32,
    frame: FrameId,
}

/// The caller of the outermost frame.
const NO_CALLER: u32 = u32::MAX;

impl StackId {
    /// Its position, from 0 on in order of first use.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FrameId {
    /// The frame at a position.
    pub(super) fn at(index: usize) -> FrameId {
        FrameId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its position, from 0 on in order of first use.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl CallStacks {
    /// No stack yet.
    #[must_use]
    pub fn new() -> CallStacks {
        CallStacks::default()
    }

    /// The frame of this module (empty: none) and name, in the kernel or in a program.
    pub fn frame(&mut self, module: &str, name: &str, kernel: bool) -> FrameId {
        let next = FrameId(u32::try_from(self.frames.len()).unwrap_or(u32::MAX - 1));
        let (module, name): (Box<str>, Box<str>) = (module.into(), name.into());
        let frames = &mut self.frames;
        *self.by_name.entry((module.clone(), name.clone(), kernel)).or_insert_with(|| {
            frames.push(Frame { module, name, kernel });
            next
        })
    }

    /// The stack of these frames, outermost first; [`None`] without any.
    pub fn stack(&mut self, frames: impl IntoIterator<Item = FrameId>) -> Option<StackId> {
        let mut at = NO_CALLER;
        for frame in frames {
            let next = u32::try_from(self.nodes.len()).unwrap_or(NO_CALLER - 1);
            let nodes = &mut self.nodes;
            at = *self.by_node.entry((at, frame)).or_insert_with(|| {
                nodes.push(Node { caller: at, frame });
                next
            });
        }
        (at != NO_CALLER).then_some(StackId(at))
    }

    /// The frames of a stack, innermost first.
    pub fn frames(&self, stack: StackId) -> impl Iterator<Item = FrameId> {
        let mut at = Some(stack);
        std::iter::from_fn(move || {
            let node = self.nodes.get(at?.0 as usize)?;
            at = (node.caller != NO_CALLER).then_some(StackId(node.caller));
            Some(node.frame)
        })
    }

    /// The innermost frame of a stack, and the stack of its callers.
    #[must_use]
    pub fn split(&self, stack: StackId) -> Option<(Option<StackId>, FrameId)> {
        let node = self.nodes.get(stack.0 as usize)?;
        Some(((node.caller != NO_CALLER).then_some(StackId(node.caller)), node.frame))
    }

    /// Module and name of a frame.
    #[must_use]
    pub fn name(&self, frame: FrameId) -> (&str, &str) {
        self.frames.get(frame.index()).map_or(("", ""), |f| (&f.module, &f.name))
    }

    /// Returns `true` if a frame is in the kernel.
    #[must_use]
    pub fn is_kernel(&self, frame: FrameId) -> bool {
        self.frames.get(frame.index()).is_some_and(|f| f.kernel)
    }

    /// Returns the number of frames.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }
}

/// A frame as it is shown: with its module, in the form of debuggers.
pub(super) fn label(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}!{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one_and_callers_are_shared() {
        let mut stacks = CallStacks::new();
        let [main, a, b] = ["main", "a", "b"].map(|name| stacks.frame("app", name, false));
        assert_eq!(stacks.frame("app", "a", false), a);
        assert_ne!(stacks.frame("lib", "a", false), a, "names belong to their module");
        assert_ne!(stacks.frame("app", "a", true), a, "so has the kernel");
        let first = stacks.stack([main, a, b]).expect("a stack");
        assert_eq!(stacks.stack([main, a, b]), Some(first));
        assert_eq!(stacks.nodes.len(), 3);
        let second = stacks.stack([main, b]).expect("a stack");
        assert_ne!(first, second);
        assert_eq!(stacks.nodes.len(), 4);
        assert_eq!(stacks.frames(first).collect::<Vec<_>>(), [b, a, main]);
        assert_eq!(stacks.name(b), ("app", "b"));
        assert_eq!(stacks.stack([]), None);
    }
}
