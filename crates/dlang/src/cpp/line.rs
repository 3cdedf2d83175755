//! Logical lines: physical lines joined at `\`-newline and across comments, comments taken out.

/// A logical line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogicalLine {
    /// Its text without the newline; each comment became a space.
    pub(crate) text: Vec<u8>,
    /// Number of its first physical line in the file, from 1.
    pub(crate) number: u32,
    /// Number of newlines in and after it in the file (0 only for a last line without one).
    pub(crate) newlines: u32,
}

/// Splits a text into logical lines.
///
/// # Errors
/// The number of the line on which an unfinished comment begins.
pub(super) fn split(text: &[u8]) -> Result<Vec<LogicalLine>, u32> {
    let mut lines = Vec::new();
    let mut line = LogicalLine { text: Vec::new(), number: 1, newlines: 0 };
    let (mut at, mut number) = (0, 1u32);
    // The quote that the present byte is within.
    let mut quote = None;
    let mut pending = false;
    while let Some(&b) = text.get(at) {
        let rest = text.get(at..).unwrap_or(&[]);
        pending = true;
        let splice = if rest.starts_with(b"\\\n") {
            2
        } else if rest.starts_with(b"\\\r\n") {
            3
        } else {
            0
        };
        if splice > 0 {
            at += splice;
            number += 1;
            line.newlines += 1;
        } else if b == b'\n' {
            if line.text.last() == Some(&b'\r') {
                line.text.pop();
            }
            line.newlines += 1;
            number += 1;
            at += 1;
            quote = None;
            lines.push(std::mem::replace(&mut line, LogicalLine { text: Vec::new(), number, newlines: 0 }));
            pending = false;
        } else if quote.is_some() {
            if b == b'\\' && rest.len() > 1 {
                line.text.push(b);
                at += 1;
            } else if quote == Some(b) {
                quote = None;
            }
            if let Some(&b) = text.get(at) {
                line.text.push(b);
            }
            at += 1;
        } else if rest.starts_with(b"/*") {
            let began = number;
            let Some(len) = rest.windows(2).skip(2).position(|w| w == b"*/") else { return Err(began) };
            let inside = rest.get(..len + 4).unwrap_or(&[]);
            let newlines = inside.iter().filter(|&&b| b == b'\n').count() as u32;
            number += newlines;
            line.newlines += newlines;
            line.text.push(b' ');
            at += len + 4;
        } else if rest.starts_with(b"//") {
            at += rest.iter().take_while(|&&b| b != b'\n').count();
        } else {
            if b == b'"' || b == b'\'' {
                quote = Some(b);
            }
            line.text.push(b);
            at += 1;
        }
    }
    if pending {
        lines.push(line);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_and_counted() {
        let text = b"a \\\nb\n/* x\n y */ c \"/*\" // d\n\nlast";
        let lines = split(text).unwrap();
        let shown: Vec<(String, u32, u32)> = lines
            .iter()
            .map(|l| (String::from_utf8_lossy(&l.text).into_owned(), l.number, l.newlines))
            .collect();
        assert_eq!(
            shown,
            [
                ("a b".to_string(), 1, 2),
                ("  c \"/*\" ".to_string(), 3, 2),
                (String::new(), 5, 1),
                ("last".to_string(), 6, 0),
            ]
        );
        assert_eq!(split(b"x\n/* y"), Err(2));
    }
}
