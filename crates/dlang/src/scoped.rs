//! Names of types of processes in the text of a program: ``struct pid123`node``, ``pid`libz.so`z_stream``.
//!
//! These types are declared before the text is parsed, for the parser distinguishes types from other names. What only looks
//! like such a name, in a comment or a string, is declared without need.

/// A name with the scope of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'t> {
    /// `struct`, `union`, `enum`, or nothing.
    pub(crate) word: &'static str,
    /// The process, and the module if there is one: ``pid``, `pid123`, ``pid123`libz``.
    pub(crate) scope: &'t str,
    /// The name in the scope.
    pub(crate) name: &'t str,
}

/// The words that a name may have before it.
const WORDS: [&str; 3] = ["struct", "union", "enum"];
/// Maximum number of names of a text.
const MOST: usize = 256;

/// The names of a text.
pub(crate) fn names(text: &[u8]) -> Vec<Name<'_>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'`');
    let mut found = Vec::new();
    let mut rest = text;
    let mut word = "";
    while let Some(start) = rest.iter().position(is_part) {
        let blank = rest.get(..start).is_some_and(|between| between.iter().all(u8::is_ascii_whitespace));
        let from = rest.get(start..).unwrap_or_default();
        let (whole, behind) =
            from.split_at(from.iter().position(|byte| !is_part(byte)).unwrap_or(from.len()));
        let whole = std::str::from_utf8(whole).unwrap_or_default();
        if let Some((scope, name)) = whole.rsplit_once('`')
            && is_of_process(scope)
            && !name.is_empty()
            && found.len() < MOST
        {
            found.push(Name { word: if blank { word } else { "" }, scope, name });
        }
        word = WORDS.into_iter().find(|word| *word == whole).unwrap_or_default();
        rest = behind;
    }
    found
}

/// Returns `true` for the scope of a process: `pid`, `pid123`, and a module behind it.
fn is_of_process(scope: &str) -> bool {
    let process = scope.split('`').next().unwrap_or_default();
    process.strip_prefix("pid").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_names_of_types_of_processes_are_found() {
        let found = |text: &'static str| -> Vec<(&'static str, &'static str, &'static str)> {
            names(text.as_bytes()).into_iter().map(|Name { word, scope, name }| (word, scope, name)).collect()
        };
        for (text, expected) in [
            ("", vec![]),
            ("struct pid`node", vec![("struct", "pid", "node")]),
            ("(union\n pid12`node *)", vec![("union", "pid12", "node")]),
            ("enum pid1`libz`kind", vec![("enum", "pid1`libz", "kind")]),
            ("sizeof (pid`node_t) + pid`b", vec![("", "pid", "node_t"), ("", "pid", "b")]),
            ("struct *pid`node", vec![("", "pid", "node")]),
            ("structs pid`node", vec![("", "pid", "node")]),
            ("struct a pid`node", vec![("", "pid", "node")]),
            ("pids`node pid1x`node upid`node `pid`node pid` pid", vec![]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
        let many = "pid`a ".repeat(MOST + 1);
        assert_eq!(names(many.as_bytes()).len(), MOST);
    }
}
