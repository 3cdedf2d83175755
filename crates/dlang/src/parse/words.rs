//! The roles of keywords.

use crate::ast::BasicWord;
use crate::lex::Keyword;

/// The word of a basic type.
pub(super) fn basic_word(keyword: Keyword) -> Option<BasicWord> {
    Some(match keyword {
        Keyword::Void => BasicWord::Void,
        Keyword::Char => BasicWord::Char,
        Keyword::Short => BasicWord::Short,
        Keyword::Int => BasicWord::Int,
        Keyword::Long => BasicWord::Long,
        Keyword::Float => BasicWord::Float,
        Keyword::Double => BasicWord::Double,
        Keyword::Signed => BasicWord::Signed,
        Keyword::Unsigned => BasicWord::Unsigned,
        Keyword::String => BasicWord::String,
        _ => return None,
    })
}

/// A word of loops and functions, which classic D only reserves.
pub(super) fn is_loop_word(keyword: Keyword) -> bool {
    use Keyword::{Break, Continue, Do, For, Return, While};
    matches!(keyword, Break | Continue | Do | For | Return | While)
}

/// The hint for such a word where it is not allowed.
pub(super) fn loop_hint(keyword: Keyword, dx: bool) -> String {
    let what = if keyword == Keyword::Return { "functions" } else { "loops" };
    if dx {
        format!("\"{}\" begins a statement, within braces", keyword.text())
    } else {
        format!("{what} are an extension: allow them with -x dx, or \"#pragma D option dx\" in the script")
    }
}
