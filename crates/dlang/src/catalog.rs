//! The interface through which the compiler learns about probes. The caller implements it.

use crate::program::ProbeId;
use crate::tags::Tag;

/// A probe description, split into its parts; an empty part matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbeDesc {
    /// Provider pattern.
    pub provider: String,
    /// Module pattern.
    pub module: String,
    /// Function pattern.
    pub function: String,
    /// Name pattern.
    pub name: String,
}

impl ProbeDesc {
    /// Splits a description as it is written into its parts, which are filled from the right.
    ///
    /// # Errors
    /// There are more than four parts: their number.
    pub fn split(text: &str) -> Result<ProbeDesc, usize> {
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        if parts.len() > 4 {
            return Err(parts.len());
        }
        let mut desc = ProbeDesc::default();
        let slots = [&mut desc.name, &mut desc.function, &mut desc.module, &mut desc.provider];
        for (part, slot) in parts.iter().rev().zip(slots) {
            (*part).clone_into(slot);
        }
        Ok(desc)
    }
}

/// An argument of a probe as scripts see it in `args[]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeArg {
    /// D type of what the provider passes, such as `etw_disk_t *`.
    pub native: String,
    /// D type that scripts see, when a translator makes it: `bufinfo_t *`.
    pub translated: Option<String>,
    /// Number of the native argument (`arg0` is 0) that it is made from.
    pub from: u8,
    /// An offset added to that address: several objects may share one base address.
    pub offset: u64,
    /// Number of the argument that holds the address of the event's bytes: what a program's own translator
    /// makes the translated type from, or its own definition of that type lies over, when none makes it from the native
    /// one.
    pub payload: Option<u8>,
}

/// The common type of `args[0]` for all probes of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// The name of the type's declaration; clauses that share it share the text.
    pub name: String,
    /// The D text that declares it.
    pub text: String,
    /// The argument.
    pub argument: ProbeArg,
}

/// A probe.
#[derive(Clone, Debug)]
pub struct ProbeInfo {
    /// Its number.
    pub id: ProbeId,
    /// Provider.
    pub provider: String,
    /// Module.
    pub module: String,
    /// Function.
    pub function: String,
    /// Name.
    pub name: String,
    /// `args[]`; empty when it has no typed ones.
    pub args: Vec<ProbeArg>,
}

/// D text that declares types of arguments. What shares a name shares the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
    /// If the text cannot be compiled, because a script uses a name for something else, the program does without it.
    pub optional: bool,
}

/// A type of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessType {
    /// What D writes before and after a name that is declared to have the type.
    pub around: (String, String),
    /// The declarations that this needs, in order.
    pub declarations: Vec<Declaration>,
}

/// A typedef of this name for `char *` is built in: members and elements of that type read as strings.
pub const TEXT_TYPE: &str = "trace_text_t";

/// The probes that exist, or can be made.
pub trait Catalog {
    /// Appends the probes that a description matches, in rising order, making those that exist on
    /// demand (`profile-997`).
    fn matches(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>);
    /// A probe by number.
    fn probe(&self, id: ProbeId) -> Option<&ProbeInfo>;
    /// Finds out the types of the arguments of probes, where that is done only on demand.
    fn find_arguments(&mut self, probes: &[ProbeId]) {
        let _ = probes;
    }
    /// Declarations of the types of a probe's arguments, in order, when no library declares them.
    fn declarations(&self, id: ProbeId) -> Vec<Declaration> {
        let _ = id;
        Vec::new()
    }
    /// A type of a process, by its name with a scope: ``struct pid123`node``, ``pid123`libz.so`z_stream``. `word` is `struct`,
    /// `union`, `enum`, or empty for any other name. [`None`] if the scope is not one of processes.
    ///
    /// # Errors
    /// There is no such type: why, for the user.
    fn process_type(&mut self, scope: &str, word: &str, name: &str) -> Option<Result<ProcessType, String>> {
        let _ = (scope, word, name);
        None
    }
    /// Why a probe has no typed arguments, when the catalog knows.
    fn untyped_because(&self, id: ProbeId) -> Option<&str> {
        let _ = id;
        None
    }
    /// The common type of `args[0]` for a clause on these probes, if the catalog has one although their arguments have
    /// several types, or are missing.
    fn common(&mut self, probes: &[ProbeId]) -> Option<Common> {
        let _ = probes;
        None
    }
    /// Takes note that the program reads texts from the descriptions of events, such as `eventmessage`.
    fn describe_events(&mut self) {}
    /// Near names for a description that matched nothing, best first.
    fn suggest(&self, desc: &ProbeDesc) -> Vec<String> {
        let _ = desc;
        Vec::new()
    }
    /// Why a description that matches nothing cannot match here, when the catalog knows, and the tag of that error.
    fn explain(&self, desc: &ProbeDesc) -> Option<(Tag, String)> {
        let _ = desc;
        None
    }
}

/// Returns `true` if a shell pattern (`* ? [ ] !` and `\`) matches a whole text. An empty pattern
/// matches all.
#[must_use]
pub fn glob(pattern: &str, text: &str) -> bool {
    fn class(p: &[u8], c: u8) -> Option<(bool, &[u8])> {
        // `p` begins after the `[`.
        let (negate, mut rest) = match p.first()? {
            b'!' => (true, &p[1..]),
            _ => (false, p),
        };
        let mut hit = false;
        let mut first = true;
        loop {
            let (&lo, after) = rest.split_first()?;
            if lo == b']' && !first {
                return Some((hit != negate, after));
            }
            first = false;
            let (lo, after) =
                if lo == b'\\' { after.split_first().map(|(a, b)| (*a, b))? } else { (lo, after) };
            if let [b'-', hi, tail @ ..] = after
                && *hi != b']'
            {
                hit |= (lo..=*hi).contains(&c);
                rest = tail;
            } else {
                hit |= lo == c;
                rest = after;
            }
        }
    }
    fn go(mut p: &[u8], mut t: &[u8]) -> bool {
        // The usual backtracking to the last star: linear space, no recursion.
        let mut back: Option<(&[u8], &[u8])> = None;
        loop {
            let step = match p.split_first() {
                None => t.is_empty().then_some((p, t)),
                Some((b'*', rest)) => {
                    back = Some((rest, t));
                    p = rest;
                    continue;
                }
                Some((b'?', rest)) => t.split_first().map(|(_, tt)| (rest, tt)),
                Some((b'[', rest)) => t
                    .split_first()
                    .and_then(|(&c, tt)| class(rest, c).and_then(|(hit, after)| hit.then_some((after, tt)))),
                Some((b'\\', rest)) => match (rest.split_first(), t.split_first()) {
                    (Some((a, pp)), Some((b, tt))) if a == b => Some((pp, tt)),
                    _ => None,
                },
                Some((a, rest)) => match t.split_first() {
                    Some((b, tt)) if a == b => Some((rest, tt)),
                    _ => None,
                },
            };
            match step {
                Some((pp, tt)) if pp.is_empty() && tt.is_empty() => return true,
                Some((pp, tt)) => (p, t) = (pp, tt),
                None => match back {
                    Some((pp, tt)) if !tt.is_empty() => {
                        back = Some((pp, &tt[1..]));
                        (p, t) = (pp, &tt[1..]);
                    }
                    _ => return false,
                },
            }
        }
    }
    pattern.is_empty() || go(pattern.as_bytes(), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs() {
        for (pattern, text, want) in [
            ("", "anything", true),
            ("abc", "abc", true),
            ("abc", "abcd", false),
            ("a*c", "abbbc", true),
            ("a*c", "abbb", false),
            ("*", "", true),
            ("?x", "ax", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[!a-c]x", "dx", true),
            (r"a\*", "a*", true),
            (r"a\*", "ab", false),
            ("*-*", "send-start", true),
            ("[a", "a", false),
        ] {
            assert_eq!(glob(pattern, text), want, "{pattern} on {text}");
        }
    }
}
