//! The contents of a `#pragma` line.

use std::fmt;

use crate::ast::Pragma;
use crate::diag::{Diagnostic, Result};
use crate::options;
use crate::tags::Tag;

/// A pragma's meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PragmaKind {
    /// `#pragma D option name[=value]`
    Option {
        /// Name of the option.
        name: String,
        /// Its value, if one was written.
        value: Option<String>,
    },
    /// `#pragma D attributes N/D/C name`, or `… N/D/C provider NAME part`.
    Attributes {
        /// The attributes.
        attributes: Attributes,
        /// The symbol that gets them.
        target: AttributeTarget,
    },
    /// `#pragma D binding "1.2" name`: the name exists from that version on.
    Binding {
        /// The version.
        version: String,
        /// The name.
        name: String,
    },
    /// `#pragma D depends_on library|module|provider NAME`
    DependsOn(Dependency),
    /// `#pragma ident …`, and pragmas of other languages.
    Ignored,
}

/// The subject of an attributes pragma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeTarget {
    /// An identifier.
    Name(String),
    /// A part (`provider`, `module`, `function`, `name`, `args`) of a provider's probes.
    Provider {
        /// The provider.
        provider: String,
        /// The part.
        part: String,
    },
}

/// The requirements of a text before it can be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// Another D library, by file name.
    Library(String),
    /// A module of the traced system.
    Module(String),
    /// A provider.
    Provider(String),
}

macro_rules! levels {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($(#[$vmeta])* $variant,)* }

        impl $name {
            /// The level of that name.
            #[must_use]
            pub fn from_text(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }

            /// Its name.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

levels! {
    /// The stability of an interface, in rising order.
    Stability {
        Internal "Internal" Private "Private" Obsolete "Obsolete" External "External"
        Unstable "Unstable" Evolving "Evolving" Stable "Stable" Standard "Standard"
    }
}

levels! {
    /// On which systems an interface exists, from the narrowest.
    DependencyClass {
        Unknown "Unknown" Cpu "CPU" Platform "Platform" Group "Group" Isa "ISA" Common "Common"
    }
}

/// Stability attributes: of a name, of the data behind it, and the class of systems that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attributes {
    /// Of the name.
    pub name: Stability,
    /// Of the data.
    pub data: Stability,
    /// The systems on which it exists.
    pub class: DependencyClass,
}

impl Attributes {
    /// Nothing is more stable.
    pub const HIGHEST: Attributes = Attributes::of(Stability::Standard, DependencyClass::Common);
    /// The language's own names.
    pub const STABLE: Attributes = Attributes::of(Stability::Stable, DependencyClass::Common);
    /// The probes of a provider that is named.
    pub const EVOLVING: Attributes = Attributes::of(Stability::Evolving, DependencyClass::Common);
    /// Whatever probes a description without a provider finds.
    pub const UNSTABLE: Attributes = Attributes::of(Stability::Unstable, DependencyClass::Common);
    /// The stability of the traced system's records.
    pub const PRIVATE: Attributes = Attributes::of(Stability::Private, DependencyClass::Unknown);

    const fn of(both: Stability, class: DependencyClass) -> Attributes {
        Attributes { name: both, data: both, class }
    }

    /// The lesser of two, part by part.
    #[must_use]
    pub fn least(self, other: Attributes) -> Attributes {
        Attributes {
            name: self.name.min(other.name),
            data: self.data.min(other.data),
            class: self.class.min(other.class),
        }
    }

    /// Parses `Stable/Stable/Common`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Attributes> {
        let mut parts = text.split('/');
        let name = Stability::from_text(parts.next()?)?;
        let data = Stability::from_text(parts.next()?)?;
        let class = DependencyClass::from_text(parts.next()?)?;
        parts.next().is_none().then_some(Attributes { name, data, class })
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.name.text(), self.data.text(), self.class.text())
    }
}

/// Says what a pragma asks for.
///
/// # Errors
/// `D_PRAGERR`, `D_PRAGMA_INVAL`, `D_PRAGMA_MALFORM` and, for an option that a script may not set or
/// that has a bad value, `D_PRAGMA_OPTSET`.
pub fn interpret(pragma: &Pragma) -> Result<PragmaKind> {
    let words: Vec<&str> = pragma.words.iter().map(|w| w.name.as_str()).collect();
    let malformed = |form: &str| {
        let message = format!("malformed #pragma {}", words.first().unwrap_or(&"D"));
        Err(Diagnostic::new(Tag::PragmaMalform, pragma.span, message)
            .with_hint(format!("its form is: #pragma {form}")))
    };
    let invalid = |what: String| Err(Diagnostic::new(Tag::PragmaInval, pragma.span, what));
    match words.as_slice() {
        ["error", rest @ ..] => {
            Err(Diagnostic::new(Tag::Pragerr, pragma.span, format!("#pragma error: {}", rest.join(" "))))
        }
        ["ident", ..] => Ok(PragmaKind::Ignored),
        _ if !pragma.is_d => Ok(PragmaKind::Ignored),
        ["option", setting] => {
            let (name, value) = match setting.split_once('=') {
                Some((name, value)) => (name.to_string(), Some(value.to_string())),
                None => ((*setting).to_string(), None),
            };
            match options::check(&name, value.as_deref(), options::Setter::Script) {
                Ok(()) => Ok(PragmaKind::Option { name, value }),
                Err(error) => Err(Diagnostic::new(Tag::PragmaOptset, pragma.span, error.to_string())),
            }
        }
        ["option", ..] => malformed("D option name[=value]"),
        ["attributes", attributes, target @ ..] => {
            let target = match target {
                [name] => AttributeTarget::Name((*name).to_string()),
                ["provider", provider, part] => {
                    if !["provider", "module", "function", "name", "args"].contains(part) {
                        return invalid(format!("invalid part of a provider in #pragma attributes: {part}"));
                    }
                    AttributeTarget::Provider { provider: (*provider).to_string(), part: (*part).to_string() }
                }
                _ => return malformed("D attributes Name/Data/Class name"),
            };
            match Attributes::parse(attributes) {
                Some(attributes) => Ok(PragmaKind::Attributes { attributes, target }),
                None => invalid(format!("invalid attributes in #pragma attributes: {attributes}")),
            }
        }
        ["attributes"] => malformed("D attributes Name/Data/Class name"),
        ["binding", version, name] => {
            let numbers: Vec<&str> = version.split('.').collect();
            if !(2..=3).contains(&numbers.len()) || numbers.iter().any(|n| n.parse::<u16>().is_err()) {
                return invalid(format!("invalid version in #pragma binding: {version}"));
            }
            Ok(PragmaKind::Binding { version: (*version).to_string(), name: (*name).to_string() })
        }
        ["binding", ..] => malformed("D binding \"version\" name"),
        ["depends_on", class, name] => {
            let name = (*name).to_string();
            match *class {
                "library" => Ok(PragmaKind::DependsOn(Dependency::Library(name))),
                "module" => Ok(PragmaKind::DependsOn(Dependency::Module(name))),
                "provider" => Ok(PragmaKind::DependsOn(Dependency::Provider(name))),
                other => invalid(format!("invalid class in #pragma depends_on: {other}")),
            }
        }
        ["depends_on", ..] => malformed("D depends_on library|module|provider name"),
        [] => malformed("D option|attributes|binding|depends_on …"),
        [other, ..] => {
            let error: Result<PragmaKind> = invalid(format!("invalid #pragma D directive: {other}"));
            error.map_err(|e| {
                let known = ["option", "attributes", "binding", "depends_on"];
                match crate::likeness::nearest(other, known.into_iter()) {
                    Some(near) => e.with_hint(format!("did you mean #pragma D {near}?")),
                    None => e.with_hint(format!("#pragma D is followed by one of {}", known.join(", "))),
                }
            })
        }
    }
}
