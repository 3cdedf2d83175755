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
    use tracewell_corpus::Random;

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

    /// A text with the places of its values, written at random.
    #[derive(Default)]
    struct Made {
        text: String,
        /// Selector, and start and end of the value's text.
        places: Vec<(String, usize, usize)>,
        random: Random,
    }

    impl Made {
        fn below(&mut self, end: u64) -> usize {
            self.random.below(end) as usize
        }

        fn space(&mut self) {
            for _ in 0..self.below(3) {
                let blank = [" ", "\t", "\n", "\r"][self.below(4)];
                self.text.push_str(blank);
            }
        }

        fn value(&mut self, path: &str, depth: u32) {
            const PLAIN: [&str; 15] = [
                "0",
                "-7",
                "12.5",
                "-0.25",
                "1e9",
                "1E+9",
                "2.5e-10",
                "true",
                "false",
                "null",
                "\"\"",
                "\"a b\"",
                "\"q\\\"]}\"",
                "\"\\\\\"",
                "\"\\u00aF\\n,\"",
            ];
            let start = self.text.len();
            match if depth == 0 { self.below(2) } else { self.below(4) } {
                0 if depth < 4 => {
                    self.text.push('{');
                    for n in 0..self.below(4) {
                        self.text.push_str(if n == 0 { "" } else { "," });
                        self.space();
                        let name = format!("k{n}");
                        self.text.push_str(&format!("\"{name}\""));
                        self.space();
                        self.text.push(':');
                        self.space();
                        self.value(&format!("{path}.{name}"), depth + 1);
                        self.space();
                    }
                    self.space();
                    self.text.push('}');
                }
                1 if depth < 4 => {
                    self.text.push('[');
                    for n in 0..self.below(4) {
                        self.text.push_str(if n == 0 { "" } else { "," });
                        self.space();
                        self.value(&format!("{path}[{n}]"), depth + 1);
                        self.space();
                    }
                    self.space();
                    self.text.push(']');
                }
                _ => {
                    let plain = PLAIN[self.below(PLAIN.len() as u64)];
                    self.text.push_str(plain);
                }
            }
            let end = self.text.len();
            if depth > 0 {
                self.places.push((path.to_owned(), start, end));
            }
        }
    }

    /// Every value of a text is found where it was written, and nowhere else. What follows a value does not matter, but that
    /// it ends does.
    #[test]
    fn every_value_is_found_at_its_place() {
        for seed in 0..300 {
            let mut made = Made { random: Random(seed), ..Made::default() };
            made.space();
            made.value("", 0);
            let text = made.text.as_bytes();
            let inner = |start: usize, end: usize| match &text[start..end] {
                [b'"', inner @ .., b'"'] => inner,
                whole => whole,
            };
            for (selector, start, end) in &made.places {
                let want = inner(*start, *end);
                assert_eq!(select(text, selector.as_bytes()), Some(want), "{selector} in {}", made.text);
                let is_closed = matches!(text[end - 1], b'"' | b'}' | b']');
                // A number or word that the text ends with may go on; others are whole.
                for cut in 0..text.len() {
                    let found = select(&text[..cut], selector.as_bytes());
                    let is_whole = if is_closed { cut >= *end } else { cut > *end };
                    assert_eq!(found, is_whole.then_some(want), "{selector} in {}", &made.text[..cut]);
                }
            }
            for absent in [".k9", "[9]", ".k0.k9", "[0][9]"] {
                assert_eq!(select(text, absent.as_bytes()), None, "{absent} in {}", made.text);
            }
        }
    }

    #[test]
    fn what_is_no_json_has_no_value() {
        for value in [
            "-",
            ".5",
            "+1",
            "1.",
            "1.e5",
            "1e",
            "1e+",
            "--1",
            "1 2",
            "1.5.5",
            "1x",
            "tru",
            "truex",
            "nul",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u123\"",
            "\"open",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\" 1}",
            "{1:2}",
            "{\"a\":1,}",
            "{\"a\":1]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1}",
            "",
            "]",
            ":",
        ] {
            for (text, selector) in [
                (format!("{{\"v\":{value},\"w\":7}}"), "w"),
                (format!("[{value},7]"), "1"),
                (format!("[0,{value}]"), "1"),
            ] {
                // Two numbers beside each other: the first one is a value.
                if value != "1 2" || selector == "w" || !text.starts_with("[0") {
                    assert_eq!(select(text.as_bytes(), selector.as_bytes()), None, "{text}");
                }
            }
        }
        let nested = |depth: usize| format!("{{\"a\":{}{},\"b\":1}}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(select(nested(DEPTH + 1).as_bytes(), b"b"), Some(&b"1"[..]));
        assert_eq!(select(nested(DEPTH + 2).as_bytes(), b"b"), None);
        for selector in ["a", "b"] {
            assert_eq!(select(br#"x {"a":1,"b":2}"#, selector.as_bytes()), None);
        }
    }
}
