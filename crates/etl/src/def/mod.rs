//! The layout of `.etl` files: structures, numbers and names, without behaviour.
//!
//! The reader and the writer both use this module. Every enumeration is a newtype over the stored
//! integer, so unknown values survive reading and writing. Layouts come from Microsoft's public
//! documentation of Event Tracing and the Windows SDK headers named in each module, and were checked
//! against real traces.

pub mod buffer;
pub mod event;
pub mod guid;
pub mod logfile;
pub mod record;

/// Declares a newtype over an integer with named values; unknown values are kept and displayed as numbers.
macro_rules! open_enum {
    ($(#[$doc:meta])* $name:ident: $int:ty { $($(#[$vdoc:meta])* $value:ident = $number:expr, $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $int);

        impl $name {
            $($(#[$vdoc])* pub const $value: $name = $name($number);)*

            /// The name of the value, where it has one.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($text),)*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{}", self.0),
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// Declares a set of bits over an integer. Unknown bits are kept and displayed in hexadecimal.
macro_rules! bit_set {
    ($(#[$doc:meta])* $name:ident: $int:ty { $($(#[$vdoc:meta])* $value:ident = $number:expr, $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub $int);

        impl $name {
            $($(#[$vdoc])* pub const $value: $name = $name($number);)*

            /// Returns `true` if all bits of `other` are set.
            #[must_use]
            pub const fn has(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }

            /// The bits of both.
            #[must_use]
            pub const fn with(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// The bits that are not in `other`.
            #[must_use]
            pub const fn without(self, other: $name) -> $name {
                $name(self.0 & !other.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut rest = self.0;
                let mut separator = "";
                $(
                    if rest & $number == $number {
                        rest &= !$number;
                        f.write_str(separator)?;
                        f.write_str($text)?;
                        separator = " ";
                    }
                )*
                if rest != 0 {
                    write!(f, "{separator}{rest:#x}")?;
                } else if self.0 == 0 {
                    f.write_str("none")?;
                }
                Ok(())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

pub(crate) use {bit_set, open_enum};

#[cfg(test)]
mod tests {
    use super::buffer::{BufferFlags, BufferType};

    #[test]
    fn names_are_shown_and_unknown_values_survive() {
        assert_eq!(BufferType::HEADER.to_string(), "header");
        assert_eq!(BufferType(99).to_string(), "99");
        let flags = BufferFlags(0x8021);
        assert_eq!(flags.to_string(), "flush-marker processor-index 0x8000");
        assert!(flags.has(BufferFlags::PROCESSOR_INDEX) && !flags.has(BufferFlags::COMPRESSED));
        assert_eq!(BufferFlags(0).to_string(), "none");
    }
}
