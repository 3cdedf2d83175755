//! Source texts and positions in them.
//!
//! A compilation reads several texts: library files, `-n` arguments, a script, and what a
//! preprocessor made of them. A [`Span`] names a stretch of one of them; [`Sources`] turns it into
//! the file name and line that a person knows, following line markers.

use std::sync::Arc;

/// A stretch of one source text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// Which text of the [`Sources`].
    pub source: u32,
    /// First byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest stretch that covers both; `self` when they lie in different texts.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The origin of a text; it determines how messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A script file (`-s`).
    Script,
    /// A program text on the command line (`-n`, `-P`, `-m`, `-f`, `-i`).
    Argument,
    /// A D library file.
    Library,
}

/// A line marker: from byte `at` on, the text is line `line` of file `name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMark {
    /// First byte to which the marker applies (the start of the line after it).
    pub at: u32,
    /// The line number of that byte.
    pub line: u32,
    /// The file, when the marker names one.
    pub name: Option<String>,
}

/// A source text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that messages use: a path, or the text of an argument.
    pub name: String,
    /// Its origin.
    pub origin: Origin,
    /// The text, after preprocessing if there was any.
    pub text: Arc<[u8]>,
    /// Line markers in rising order of `at` (from `#line` and the preprocessor).
    pub marks: Vec<LineMark>,
}

/// All texts of one compilation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
    /// Where the lines of each text end, so that a place is found without counting them again.
    newlines: Vec<Vec<u32>>,
}

/// A position as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// File named by a line marker, if one is in force.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl Sources {
    /// Adds a text and returns its number.
    pub fn add(&mut self, source: Source) -> u32 {
        let ends = (0..).zip(source.text.iter()).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        self.newlines.push(ends.collect());
        self.list.push(source);
        (self.list.len() - 1) as u32
    }

    /// The text of that number.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&Source> {
        self.list.get(id as usize)
    }

    /// Adds a line marker to a text, after those at the same place.
    pub fn mark(&mut self, id: u32, mark: LineMark) {
        if let Some(source) = self.list.get_mut(id as usize) {
            let place = source.marks.partition_point(|m| m.at <= mark.at);
            source.marks.insert(place, mark);
        }
    }

    /// Line, column and file of the start of a span.
    #[must_use]
    pub fn locate(&self, span: Span) -> Location {
        let Some(source) = self.get(span.source) else {
            return Location { file: None, line: 1, column: 1 };
        };
        let at = (span.start as usize).min(source.text.len());
        let marks = &source.marks[..source.marks.partition_point(|m| m.at as usize <= at)];
        let (from, line) = marks.last().map_or((0, 1), |m| (m.at as usize, m.line));
        let ends = self.newlines.get(span.source as usize).map_or(&[][..], Vec::as_slice);
        let before = |place: usize| ends.partition_point(|&end| (end as usize) < place);
        let line_start = before(at).checked_sub(1).map_or(0, |last| ends[last] as usize + 1);
        Location {
            file: marks.iter().rev().find_map(|m| m.name.clone()),
            line: line + (before(at) - before(from.min(at))) as u32,
            column: (at - line_start) as u32 + 1,
        }
    }
}

/// The bytes of a text file as the compiler reads them: without a byte order mark, and in UTF-8 if the mark says UTF-16.
#[must_use]
pub fn plain_text(bytes: Vec<u8>) -> Vec<u8> {
    let wide = |order: fn([u8; 2]) -> u16| {
        let units = bytes.get(2..).unwrap_or_default().chunks_exact(2).map(|pair| order([pair[0], pair[1]]));
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        text.into_bytes()
    };
    match bytes.as_slice() {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.to_vec(),
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place has the line that counting gives, from the last marker before it.
    #[test]
    fn issue_19_places_are_those_that_counting_finds() {
        let texts: [&[u8]; 5] = [b"", b"\n", b"one", b"\n\na\n", b"one\ntwo\n\nthree\nfour"];
        let marks = [(2, 40, Some("b.h")), (2, 50, None), (5, 7, None), (9, 1, Some("c.h"))];
        for (text, used) in texts.iter().flat_map(|text| (0..=marks.len()).map(move |used| (text, used))) {
            let marks: Vec<LineMark> = marks[..used]
                .iter()
                .map(|&(at, line, name)| LineMark { at, line, name: name.map(str::to_owned) })
                .collect();
            let mut sources = Sources::default();
            let (name, origin) = ("a.d".to_owned(), Origin::Script);
            let source =
                sources.add(Source { name, origin, text: text.to_vec().into(), marks: marks.clone() });
            for start in 0..=text.len() as u32 + 1 {
                let at = start.min(text.len() as u32);
                let (mut line, mut column, mut file) = (1, 1, None);
                for place in 0..=at {
                    for mark in marks.iter().filter(|mark| mark.at == place) {
                        line = mark.line;
                        file = mark.name.clone().or(file);
                    }
                    if place < at {
                        let ends = text[place as usize] == b'\n';
                        (line, column) = if ends { (line + 1, 1) } else { (line, column + 1) };
                    }
                }
                let found = sources.locate(Span { source, start, end: start });
                assert_eq!(found, Location { file, line, column }, "{text:?} {used} {start}");
            }
        }
    }

    #[test]
    fn a_marker_moves_lines_and_names_the_file() {
        let mut sources = Sources::default();
        let id = sources.add(Source {
            name: "a.d".into(),
            origin: Origin::Script,
            text: b"one\ntwo\nthree\n".to_vec().into(),
            marks: vec![],
        });
        let at = |s: &Sources, start| s.locate(Span { source: id, start, end: start });
        assert_eq!(at(&sources, 9), Location { file: None, line: 3, column: 2 });
        sources.mark(id, LineMark { at: 4, line: 40, name: Some("b.h".into()) });
        assert_eq!(at(&sources, 9), Location { file: Some("b.h".into()), line: 41, column: 2 });
        assert_eq!(at(&sources, 1).line, 1);
    }
}
