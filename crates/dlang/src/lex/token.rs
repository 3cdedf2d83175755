//! Tokens: what the lexer hands to the parser.

use crate::ast::IntLit;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// The end of the text.
    End,
    /// An identifier, perhaps with back-quoted scopes. Type names are identifiers too.
    Ident(String),
    /// A keyword.
    Keyword(Keyword),
    /// An integer or character constant.
    Int(IntLit),
    /// A negative integer, which only a macro argument can be: the constant to be negated.
    NegativeInt(IntLit),
    /// A string constant, escapes undone.
    Str(Vec<u8>),
    /// `@name`; the bare `@` has the name `_`.
    Agg(String),
    /// An operator or a mark.
    Punct(Punct),
    /// The `/` that closes a predicate.
    ClosePredicate,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// As written.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// Keywords, those that are only reserved included.
    Keyword {
        Auto "auto" Break "break" Case "case" Char "char" Const "const" Continue "continue"
        Counter "counter" Default "default" Do "do" Double "double" Else "else" Enum "enum"
        Extern "extern" Float "float" For "for" Goto "goto" If "if" Import "import"
        Inline "inline" Int "int" Long "long" Offsetof "offsetof" Probe "probe"
        Provider "provider" Register "register" Restrict "restrict" Return "return" SelfThread "self"
        Short "short" Signed "signed" Sizeof "sizeof" Static "static" String "string"
        Stringof "stringof" Struct "struct" Switch "switch" This "this" Translator "translator"
        Typedef "typedef" Union "union" Unsigned "unsigned" Userland "userland" Void "void"
        Volatile "volatile" While "while" Xlate "xlate"
    }
}

impl Keyword {
    /// The keyword of that spelling.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|k| k.text() == text)
    }

    /// A word of C that D keeps for itself and gives no use.
    #[must_use]
    pub fn is_reserved(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Break | Case | Continue | Default | Do | For | Goto | Restrict | Return | Switch | While
        )
    }

    /// Returns `true` for words that can be part of a type in declaration specifiers.
    #[must_use]
    pub fn begins_type(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Char | Const
                | Double
                | Enum
                | Float
                | Int
                | Long
                | Short
                | Signed
                | String
                | Struct
                | Union
                | Unsigned
                | Userland
                | Void
                | Volatile
        )
    }

    /// A storage class.
    #[must_use]
    pub fn is_storage_class(self) -> bool {
        use Keyword::*;
        matches!(self, Auto | Extern | Register | SelfThread | Static | This | Typedef)
    }
}

words! {
    /// Operators and marks.
    Punct {
        LeftParen "(" RightParen ")" LeftBracket "[" RightBracket "]" LeftBrace "{" RightBrace "}"
        Comma "," Semicolon ";" Colon ":" Question "?" Ellipsis "..." Dot "." Arrow "->"
        PlusPlus "++" MinusMinus "--" Plus "+" Minus "-" Star "*" Slash "/" Percent "%"
        Amp "&" Pipe "|" Caret "^" Tilde "~" Bang "!" AndAnd "&&" OrOr "||" XorXor "^^"
        Shl "<<" Shr ">>" Less "<" LessEq "<=" Greater ">" GreaterEq ">=" EqEq "==" BangEq "!="
        Eq "=" PlusEq "+=" MinusEq "-=" StarEq "*=" SlashEq "/=" PercentEq "%="
        AmpEq "&=" PipeEq "|=" CaretEq "^=" ShlEq "<<=" ShrEq ">>="
    }
}

impl Punct {
    /// The longest operator or mark that `text` starts with.
    #[must_use]
    pub fn at_start_of(text: &[u8]) -> Option<Punct> {
        let fits = |p: &&Punct| text.starts_with(p.text().as_bytes());
        Punct::ALL.iter().filter(fits).max_by_key(|p| p.text().len()).copied()
    }
}

impl Token {
    /// The token as an error message shows it.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Token::End => "end of input".into(),
            Token::Ident(name) => format!("\"{name}\""),
            Token::Keyword(k) => format!("\"{}\"", k.text()),
            Token::Int(lit) => format!("\"{}\"", lit.value),
            Token::NegativeInt(lit) => format!("\"-{}\"", lit.value),
            Token::Str(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                let short: String = text.chars().take(24).collect();
                let more = if short.len() < text.len() { "…" } else { "" };
                format!("string \"{}{more}\"", short.escape_debug())
            }
            Token::Agg(name) => format!("\"@{name}\""),
            Token::Punct(p) => format!("\"{}\"", p.text()),
            Token::ClosePredicate => "\"/\"".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_operator_wins() {
        assert_eq!(Punct::at_start_of(b">>=1"), Some(Punct::ShrEq));
        assert_eq!(Punct::at_start_of(b"->x"), Some(Punct::Arrow));
        assert_eq!(Punct::at_start_of(b"..x"), Some(Punct::Dot));
        assert_eq!(Punct::at_start_of(b"^^="), Some(Punct::XorXor));
        assert_eq!(Punct::at_start_of(b"#"), None);
    }
}
