//! Macro variables: `$1`, `$$1`, `$target`, `$pid`… The caller supplies their values; this module
//! stores them and remembers which arguments a program used.

/// The values of macro variables for one compilation.
#[derive(Clone, Debug, Default)]
pub struct MacroEnv {
    /// `$0`, `$1`, … : the script's name and its arguments.
    arguments: Vec<(String, bool)>,
    /// `$pid`, `$uid`, … by name without the `$`.
    numbers: Vec<(String, i64)>,
    /// An argument that was not given is `0` (or `""` as `$$n`) rather than an error.
    pub default_args: bool,
}

/// The value of a macro variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroValue {
    /// An argument's text, as given.
    Text(String),
    /// A number of the environment.
    Number(i64),
    /// An argument that was not given, under [`MacroEnv::default_args`].
    Missing,
}

/// The names that macro variables other than arguments can have.
pub const NAMES: &[&str] =
    &["egid", "euid", "gid", "pgid", "pid", "ppid", "projid", "sid", "target", "taskid", "uid"];

impl MacroEnv {
    /// An environment with only a script name (`$0`) and arguments (`$1`…).
    #[must_use]
    pub fn new(script: impl Into<String>, arguments: impl IntoIterator<Item = String>) -> MacroEnv {
        let mut list = vec![(script.into(), true)];
        list.extend(arguments.into_iter().map(|a| (a, false)));
        MacroEnv { arguments: list, numbers: Vec::new(), default_args: false }
    }

    /// The arguments (`$1`…), in order.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().skip(1).map(|(text, _)| text.as_str())
    }

    /// Sets the value of a named variable; the name is without the `$`.
    pub fn set(&mut self, name: &str, value: i64) {
        match self.numbers.iter_mut().find(|(n, _)| n == name) {
            Some(entry) => entry.1 = value,
            None => self.numbers.push((name.to_string(), value)),
        }
    }

    /// The value of the variable of that name (digits or a word), which counts as used from now on.
    pub fn look_up(&mut self, name: &str) -> Option<MacroValue> {
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
            let entry = name.parse::<usize>().ok().and_then(|n| self.arguments.get_mut(n));
            return match entry {
                Some((text, used)) => {
                    *used = true;
                    Some(MacroValue::Text(text.clone()))
                }
                None if self.default_args => Some(MacroValue::Missing),
                None => None,
            };
        }
        self.numbers.iter().find(|(n, _)| n == name).map(|(_, v)| MacroValue::Number(*v))
    }

    /// The first argument that no program used, with its number: the cause of `D_MACRO_UNUSED`.
    #[must_use]
    pub fn unused(&self) -> Option<(usize, &str)> {
        self.arguments
            .iter()
            .enumerate()
            .find(|(_, (_, used))| !used)
            .map(|(n, (text, _))| (n, text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_count_as_used_when_they_are_read() {
        let mut env = MacroEnv::new("a.d", ["x".to_string(), "y".to_string()]);
        assert_eq!(env.unused(), Some((1, "x")));
        assert_eq!(env.look_up("1"), Some(MacroValue::Text("x".into())));
        assert_eq!(env.unused(), Some((2, "y")));
        assert_eq!(env.look_up("2"), Some(MacroValue::Text("y".into())));
        assert_eq!(env.unused(), None);
        assert_eq!(env.look_up("0"), Some(MacroValue::Text("a.d".into())));
    }

    #[test]
    fn what_is_not_given_is_missing_or_undefined() {
        let mut env = MacroEnv::default();
        assert_eq!(env.look_up("1"), None);
        assert_eq!(env.look_up("pid"), None);
        env.default_args = true;
        env.set("pid", 1);
        env.set("pid", 7);
        assert_eq!(env.look_up("99999999999999999999999"), Some(MacroValue::Missing));
        assert_eq!(env.look_up("pid"), Some(MacroValue::Number(7)));
        assert_eq!(env.look_up("nonsense"), None);
    }
}
