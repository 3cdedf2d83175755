//! Options: what `-x`, `#pragma D option` and `setopt()` can set.
//!
//! Every option is declared once, in the table of `table.rs`, with when it can be set, what
//! values it takes, and its default. [`Options`] keeps the values that were set.

mod kind;
mod table;
mod value;

use std::collections::BTreeMap;
use std::fmt;

pub use kind::{Kind, When};
pub use table::{Opt, Spec, TABLE};
pub use value::{Value, is_true, parse_rate, parse_size, parse_version};

/// The origin of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// `-x` and the command line's own switches.
    CommandLine,
    /// `#pragma D option`.
    Script,
    /// `setopt()` in a running program.
    Running,
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no option of that name.
    Unknown {
        /// The name.
        name: String,
    },
    /// The option needs a value.
    NoValue {
        /// The option.
        name: &'static str,
        /// The valid values.
        expected: String,
    },
    /// The value is not one that the option takes.
    BadValue {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The valid values.
        expected: String,
    },
    /// It can be set, but not by this setter.
    NotHere {
        /// The option.
        name: &'static str,
        /// The origin of the attempt.
        setter: Setter,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                write!(f, "there is no option {name}")?;
                match crate::likeness::nearest(name, TABLE.iter().map(|s| s.name)) {
                    Some(near) => write!(f, "; did you mean {near}?"),
                    None => Ok(()),
                }
            }
            Self::NoValue { name, expected } => write!(f, "option {name} needs a value: {expected}"),
            Self::BadValue { name, value, expected } => {
                write!(f, "\"{value}\" is no value for option {name}, which takes {expected}")?;
                let words = match Spec::by_name(name).map(|s| s.kind) {
                    Some(Kind::Choice(words)) => words,
                    _ => &[],
                };
                match crate::likeness::nearest(value, words.iter().copied()) {
                    Some(near) => write!(f, "; did you mean {near}?"),
                    None => Ok(()),
                }
            }
            Self::NotHere { name, setter: Setter::Running } => {
                write!(f, "option {name} cannot be changed while the program runs")
            }
            Self::NotHere { name, setter: Setter::Script } => {
                write!(f, "option {name} cannot be set by a script, only on the command line")
            }
            Self::NotHere { name, setter: Setter::CommandLine } => {
                write!(f, "option {name} cannot be set on the command line")
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Spec {
    /// The declaration of the option of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Spec> {
        TABLE.iter().find(|s| s.name == name)
    }

    /// Returns `true` if that setter may set it at all.
    #[must_use]
    pub fn allows(&self, setter: Setter) -> bool {
        match setter {
            Setter::CommandLine => true,
            // What protects the user from a script is not for the script to change.
            Setter::Script => !matches!(
                self.opt,
                Opt::Setenv
                    | Opt::Unsetenv
                    | Opt::Restrict
                    | Opt::Expandlimit
                    | Opt::Expandtime
                    | Opt::Timelimit
                    | Opt::Memorylimit
                    | Opt::Outputlimit
            ),
            Setter::Running => self.when == When::Any,
        }
    }
}

impl Opt {
    /// Its declaration.
    #[must_use]
    pub fn spec(self) -> &'static Spec {
        // The table is in the order of the enumeration: both come from one macro.
        &TABLE[self as usize]
    }

    /// The default of a whole number; 0 when it has none.
    #[must_use]
    pub fn default_int(self) -> u64 {
        Options::default().int(self).unwrap_or(0)
    }

    /// Why setting it changes nothing here; none for an option that takes effect.
    #[must_use]
    pub fn without_effect(self) -> Option<&'static str> {
        use Opt as O;
        Some(match self {
            O::Kdefs
            | O::Knodefs
            | O::Udefs
            | O::Unodefs
            | O::Ctfpath
            | O::Modpath
            | O::Procfspath
            | O::Pgmax => "there are no symbol tables of a kernel or of processes to read",
            O::Late
            | O::Lazyload
            | O::Ldpath
            | O::Linkmode
            | O::Linktype
            | O::Strip
            | O::Linknommap
            | O::Dofstashpath => "nothing is linked into programs",
            O::Core | O::Debug | O::Debugassert | O::Tree | O::Ctypes | O::Dtypes => {
                "it looks into the original's compiler"
            }
            O::Evaltime | O::Sysslice | O::Useruid => "processes are not stopped or moved",
            O::Syslibdir => "the system's libraries are part of the command; -L adds folders",
            O::Grabanon => "there is no anonymous tracing",
            O::Aggpercpu => "aggregations are kept once, and exact",
            O::Cleanrate => "dynamic variables need no cleaning",
            O::Preallocate | O::Lockmem | O::Bpflog | O::Bpflogsize | O::Scratchsize | O::Quietresize => {
                "no kernel keeps the buffers"
            }
            O::Jstackframes => "jstack() is ustack() here, and takes ustackframes",
            O::Jstackstrsize | O::Pcapsize => "there is no such action",
            O::Printsize => "print() shows all",
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spec().name
    }
}

/// Checks a setting without keeping it.
///
/// # Errors
/// Why it cannot be set.
pub fn check(name: &str, value: Option<&str>, setter: Setter) -> Result<(), OptionError> {
    parse_setting(name, value, setter).map(|_| ())
}

/// The option that a setting names, and the value it gives.
///
/// # Errors
/// Why it cannot be set.
pub fn parse_setting(
    name: &str,
    value: Option<&str>,
    setter: Setter,
) -> Result<(&'static Spec, Value), OptionError> {
    let spec = Spec::by_name(name).ok_or_else(|| OptionError::Unknown { name: name.to_string() })?;
    if !spec.allows(setter) {
        return Err(OptionError::NotHere { name: spec.name, setter });
    }
    let expected = || spec.kind.expected();
    let parsed = match value {
        None if spec.kind == Kind::Flag => Value::Flag(true),
        None => return Err(OptionError::NoValue { name: spec.name, expected: expected() }),
        Some(text) => Value::parse(spec.kind, text).ok_or_else(|| OptionError::BadValue {
            name: spec.name,
            value: text.to_string(),
            expected: expected(),
        })?,
    };
    Ok((spec, parsed))
}

/// The options of one compilation and run: what was set, over the defaults.
#[derive(Clone, Debug, Default)]
pub struct Options {
    set: BTreeMap<Opt, Value>,
}

impl Options {
    /// Sets an option from text.
    ///
    /// # Errors
    /// Why it cannot be set.
    pub fn set(&mut self, name: &str, value: Option<&str>, setter: Setter) -> Result<Opt, OptionError> {
        let (spec, parsed) = parse_setting(name, value, setter)?;
        match (self.set.get_mut(&spec.opt), parsed) {
            (Some(Value::List(list)), Value::List(more)) => list.extend(more),
            (_, parsed) => {
                self.set.insert(spec.opt, parsed);
            }
        }
        Ok(spec.opt)
    }

    /// Returns `true` if it was set, rather than left at its default.
    #[must_use]
    pub fn is_set(&self, opt: Opt) -> bool {
        self.set.contains_key(&opt)
    }

    /// Its value: what was set, else the default; `None` when there is neither.
    #[must_use]
    pub fn value(&self, opt: Opt) -> Option<Value> {
        let spec = opt.spec();
        self.set.get(&opt).cloned().or_else(|| spec.default.and_then(|text| Value::parse(spec.kind, text)))
    }

    /// A flag's state.
    #[must_use]
    pub fn flag(&self, opt: Opt) -> bool {
        self.value(opt) == Some(Value::Flag(true))
    }

    /// A number; `None` when it has no default and was not set, or is not a number.
    #[must_use]
    pub fn int(&self, opt: Opt) -> Option<u64> {
        match self.value(opt) {
            Some(Value::Int(n)) => Some(n),
            _ => None,
        }
    }

    /// A size in bytes; 0 when it has no default and was not set.
    #[must_use]
    pub fn size(&self, opt: Opt) -> u64 {
        match self.value(opt) {
            Some(Value::Size(n)) => n,
            _ => 0,
        }
    }

    /// The interval of a rate in nanoseconds; 0 for "never waits".
    #[must_use]
    pub fn interval(&self, opt: Opt) -> u64 {
        match self.value(opt) {
            Some(Value::Rate(ns)) => ns,
            _ => 0,
        }
    }

    /// A text or a choice.
    #[must_use]
    pub fn text(&self, opt: Opt) -> Option<String> {
        match self.value(opt) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// All settings of a list, in order.
    #[must_use]
    pub fn list(&self, opt: Opt) -> Vec<String> {
        match self.value(opt) {
            Some(Value::List(list)) => list,
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for (n, spec) in TABLE.iter().enumerate() {
            assert_eq!(spec.opt as usize, n);
            assert!(std::ptr::eq(Spec::by_name(spec.name).unwrap(), spec), "{} twice", spec.name);
            assert!(spec.gloss.ends_with('.'), "{}", spec.name);
            if let Some(text) = spec.default {
                assert!(Value::parse(spec.kind, text).is_some(), "default of {}", spec.name);
            }
        }
    }

    #[test]
    fn settings_override_defaults() {
        let mut options = Options::default();
        assert_eq!(options.size(Opt::Bufsize), 4 << 20);
        assert_eq!(options.interval(Opt::Switchrate), 1_000_000_000);
        assert!(!options.flag(Opt::Quiet));
        options.set("bufsize", Some("16k"), Setter::Script).unwrap();
        options.set("quiet", None, Setter::Script).unwrap();
        options.set("define", Some("A"), Setter::CommandLine).unwrap();
        options.set("define", Some("B=1"), Setter::CommandLine).unwrap();
        assert_eq!(options.size(Opt::Bufsize), 16 << 10);
        assert!(options.flag(Opt::Quiet) && options.is_set(Opt::Quiet));
        assert_eq!(options.list(Opt::Define), ["A", "B=1"]);
        options.set("quiet", Some("No"), Setter::Running).unwrap();
        assert!(!options.flag(Opt::Quiet));
    }

    #[test]
    fn bad_settings_say_why() {
        let error = |name: &str, value, setter| check(name, value, setter).unwrap_err().to_string();
        assert_eq!(error("nonsense", None, Setter::Script), "there is no option nonsense");
        assert_eq!(
            error("quiet", Some("please"), Setter::Script),
            "\"please\" is no value for option quiet, which takes yes or no"
        );
        assert_eq!(
            error("bufpolicy", None, Setter::Script),
            "option bufpolicy needs a value: one of switch, fill, ring"
        );
        assert!(error("setenv", Some("A=B"), Setter::Script).contains("by a script"));
        assert!(error("bufsize", Some("1m"), Setter::Running).contains("while the program runs"));
    }
}
