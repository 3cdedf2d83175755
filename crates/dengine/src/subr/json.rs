//! Members of JSON texts.
//!
//! Only what must be passed over to reach the member is read, so that a text that is cut or broken
//! further on still answers.

/// Nesting beyond this is not followed.
const DEPTH: usize = 128;

/// The member that a selector such as `a.b[2].c` names: a string without its quotes, any other value as
/// its text.
pub(crate) fn select<'t>(text: &'t [u8], selector: &[u8]) -> Option<&'t [u8]> {
    let mut at = Cursor { text, at: 0 };
    at.space();
    if !matches!(at.peek()?, b'{' | b'[') {
        return None;
    }
    let mut steps = selector.split(|b| matches!(b, b'.' | b'[' | b']')).filter(|s| !s.is_empty()).peekable();
    steps.peek()?;
    for step in steps {
        match at.peek()? {
            b'{' => at.member(step)?,
            b'[' => {
                let n = std::str::from_utf8(step).ok()?.parse::<usize>().ok()?;
                at.element(n)?;
            }
            _ => return None,
        }
    }
    let start = at.at;
    at.value(0)?;
    let found = text.get(start..at.at)?;
    Some(match found {
        [b'"', inner @ .., b'"'] => inner,
        _ => found,
    })
}

struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, c: u8) -> Option<()> {
        self.space();
        (self.peek()? == c).then(|| self.at += 1)
    }

    /// Enters an object at the value of a member.
    fn member(&mut self, name: &[u8]) -> Option<()> {
        self.expect(b'{')?;
        loop {
            self.space();
            let start = self.at + 1;
            self.string()?;
            let key = self.text.get(start..self.at - 1)?;
            self.expect(b':')?;
            self.space();
            if key == name {
                return Some(());
            }
            self.value(0)?;
            self.expect(b',')?;
        }
    }

    /// Enters an array at an element.
    fn element(&mut self, n: usize) -> Option<()> {
        self.expect(b'[')?;
        for _ in 0..n {
            self.space();
            self.value(0)?;
            self.expect(b',')?;
        }
        self.space();
        (self.peek()? != b']').then_some(())
    }

    /// Skips the contents of an object or array up to its closing bracket; the opening one is next.
    fn each(&mut self, close: u8, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.space();
        if self.peek()? == close {
            self.at += 1;
            return Some(());
        }
        loop {
            self.space();
            one(self)?;
            self.space();
            self.at += 1;
            match *self.text.get(self.at - 1)? {
                b',' => {}
                end => return (end == close).then_some(()),
            }
        }
    }

    /// Passes over a value.
    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        match self.peek()? {
            b'"' => self.string(),
            b'{' => self.each(b'}', |json| {
                json.string()?;
                json.expect(b':')?;
                json.space();
                json.value(depth + 1)
            }),
            b'[' => self.each(b']', |json| json.value(depth + 1)),
            b'-' | b'0'..=b'9' => self.number(),
            _ => {
                let word = [&b"true"[..], b"false", b"null"]
                    .into_iter()
                    .find(|w| self.text[self.at..].starts_with(w))?;
                self.at += word.len();
                self.ended()
            }
        }
    }

    /// A word or number must be followed by something that ends it.
    fn ended(&self) -> Option<()> {
        matches!(self.peek()?, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r').then_some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn number(&mut self) -> Option<()> {
        if self.peek()? == b'-' {
            self.at += 1;
        }
        self.digits()?;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.ended()
    }

    fn string(&mut self) -> Option<()> {
        if self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            let c = self.peek()?;
            self.at += 1;
            match c {
                b'"' => return Some(()),
                b'\\' => {
                    let escape = self.peek()?;
                    self.at += 1;
                    match escape {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                        b'u' => {
                            let digits = self.text.get(self.at..self.at + 4)?;
                            if !digits.iter().all(u8::is_ascii_hexdigit) {
                                return None;
                            }
                            self.at += 4;
                        }
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members() {
        let text = br#" { "a": 1, "b" : [true, {"c":"x\"y"}, -1.5e3, [] ], "d": null, "bad": 0x1 } "#;
        for (selector, want) in [
            ("a", Some("1")),
            ("b[0]", Some("true")),
            ("b[1].c", Some(r#"x\"y"#)),
            ("b.1.c", Some(r#"x\"y"#)),
            ("b[1]", Some(r#"{"c":"x\"y"}"#)),
            ("b[2]", Some("-1.5e3")),
            ("b[3]", Some("[]")),
            ("b[4]", None),
            ("b[3][0]", None),
            ("b[-1]", None),
            ("d", Some("null")),
            ("d.x", None),
            ("bad", None),
            ("zz", None),
            ("", None),
        ] {
            let got = select(text, selector.as_bytes()).map(|s| std::str::from_utf8(s).unwrap());
            assert_eq!(got, want, "{selector}");
        }
        assert_eq!(select(b"12", b"0"), None);
        assert_eq!(select(b"[1", b"0"), None);
        assert_eq!(select("[".repeat(5000).as_bytes(), b"0"), None);
    }
}
