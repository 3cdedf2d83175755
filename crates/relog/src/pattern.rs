//! Text to blank, and finding it in bytes: in every encoding and case.

use std::fmt;
use std::ops::Range;

/// A text to blank, in any case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// As it is.
    Text(String),
    /// A path: with either slash, and without its drive too, as kernel paths have it.
    Path(String),
    /// Exactly these bytes, such as a security identifier. The first `keep` of them stay, so that a reader still finds where
    /// the value ends; the others become zeros.
    Bytes {
        /// The bytes to find.
        bytes: Vec<u8>,
        /// Number of bytes that stay.
        keep: usize,
    },
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Text(text) | Pattern::Path(text) => f.write_str(text),
            Pattern::Bytes { bytes, .. } => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

/// A place in one record to blank, by the bytes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The bytes to find in the record.
    pub bytes: Vec<u8>,
    /// What takes their place.
    pub fill: Fill,
}

/// What takes the place of a [`Spot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Zeros, for numbers.
    Zeros,
    /// The letter that blanks, for text of 8-bit units.
    Narrow,
    /// The letter that blanks, for text of 16-bit units.
    Wide,
}

impl Spot {
    /// Blanks all occurrences. Returns `true` if a byte changed.
    pub(crate) fn blank(&self, bytes: &mut [u8]) -> bool {
        let size = self.bytes.len();
        let mut changed = false;
        let mut at = 0;
        while size > 0 && at + size <= bytes.len() {
            let place = &mut bytes[at..at + size];
            if place != self.bytes {
                at += 1;
                continue;
            }
            match self.fill {
                Fill::Zeros => place.fill(0),
                Fill::Narrow => place.fill(BLANK),
                Fill::Wide => place.chunks_exact_mut(2).for_each(|unit| unit.copy_from_slice(&[BLANK, 0])),
            }
            changed = true;
            at += size;
        }
        changed
    }
}

/// Why a text cannot be blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedactionError {
    /// Shorter than [`Redaction::LEAST`] characters: it would hit numbers everywhere.
    Short(String),
    /// The pattern consists only of the character used for blanking.
    OnlyBlanks(String),
}

impl fmt::Display for RedactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedactionError::Short(text) => {
                let least = Redaction::LEAST;
                write!(
                    f,
                    "'{text}' is too short to blank: it needs {least} characters, or numbers would be hit"
                )
            }
            RedactionError::OnlyBlanks(text) => {
                write!(f, "'{text}' cannot be blanked: it is what blanked text looks like")
            }
        }
    }
}

impl std::error::Error for RedactionError {}

/// A pattern in one encoding: for each unit, its two forms (upper and lower case).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Needle {
    /// Bytes of a unit: 1 or 2.
    width: usize,
    units: Vec<(u16, u16)>,
    pattern: usize,
    /// Units that stay when the others become zeros; [`None`] for text.
    keep: Option<usize>,
}

impl Needle {
    fn bytes(&self) -> usize {
        self.units.len() * self.width
    }

    fn matches(&self, bytes: &[u8]) -> bool {
        let units = self.units.iter();
        bytes.len() >= self.bytes()
            && match self.width {
                1 => units.zip(bytes).all(|(&(a, b), &byte)| u16::from(byte) == a || u16::from(byte) == b),
                _ => units.zip(bytes.chunks_exact(2)).all(|(&(a, b), unit)| {
                    let unit = u16::from_le_bytes([unit[0], unit[1]]);
                    unit == a || unit == b
                }),
            }
    }

    fn blank(&self, bytes: &mut [u8]) {
        if let Some(keep) = self.keep {
            return bytes.iter_mut().skip(keep).for_each(|byte| *byte = 0);
        }
        for unit in bytes.chunks_exact_mut(self.width) {
            unit[0] = BLANK;
            if let Some(high) = unit.get_mut(1) {
                *high = 0;
            }
        }
    }
}

/// The replacement of each unit of blanked text.
const BLANK: u8 = b'x';

/// Patterns, ready to be searched for.
#[derive(Clone, Debug)]
pub struct Redaction {
    patterns: Vec<Pattern>,
    needles: Vec<Needle>,
    /// The needles that may begin with a byte, by that byte.
    starts: Vec<Vec<u32>>,
    /// Bytes of the longest needle.
    longest: usize,
}

impl Redaction {
    /// Fewest characters of a pattern; one less with others than those of ASCII.
    pub const LEAST: usize = 3;
    /// Fewest bytes of a [`Pattern::Bytes`].
    pub const LEAST_BYTES: usize = 12;
    /// A pattern of this length does not occur in numbers by chance, so it is also searched there.
    pub const SPELLED: usize = 6;

    /// Prepares patterns: each is searched for in UTF-16, UTF-8 and, where it has such characters, Latin-1, in any
    /// case.
    ///
    /// # Errors
    ///
    /// When a pattern cannot be blanked soundly.
    pub fn new(patterns: Vec<Pattern>) -> Result<Redaction, RedactionError> {
        let mut needles: Vec<Needle> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            if let Pattern::Bytes { bytes, keep } = pattern {
                // What is all zeros behind the part that stays is blank already, and short values are found everywhere.
                let is_blank = bytes.iter().skip(*keep).all(|byte| *byte == 0);
                if bytes.len() < Redaction::LEAST_BYTES || is_blank {
                    return Err(RedactionError::Short(pattern.to_string()));
                }
                let units = bytes.iter().map(|&byte| (byte.into(), byte.into())).collect();
                needles.push(Needle { width: 1, units, pattern: index, keep: Some(*keep) });
            }
            for text in texts(pattern) {
                // Two letters outside ASCII have as many bytes as four ASCII letters.
                let least = if text.is_ascii() { Redaction::LEAST } else { Redaction::LEAST - 1 };
                if text.chars().count() < least || text.len() < Redaction::LEAST {
                    return Err(RedactionError::Short(text));
                }
                if text.bytes().all(|byte| byte.eq_ignore_ascii_case(&BLANK)) {
                    return Err(RedactionError::OnlyBlanks(text));
                }
                for needle in encodings(&text, index) {
                    if !needles.iter().any(|other| other.width == needle.width && other.units == needle.units)
                    {
                        needles.push(needle);
                    }
                }
            }
        }
        let mut starts = vec![Vec::new(); 256];
        for (number, needle) in (0..).zip(&needles) {
            for unit in needle.units.first().into_iter().flat_map(|&(a, b)| [a, b]) {
                let known: &mut Vec<u32> = &mut starts[usize::from(unit as u8)];
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        let longest = needles.iter().map(Needle::bytes).max().unwrap_or(0);
        Ok(Redaction { patterns, needles, starts, longest })
    }

    /// The patterns, in the order of [`RedactReport::blanked`](crate::RedactReport::blanked).
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Returns `true` if any pattern occurs.
    #[must_use]
    pub fn occurs_in(&self, bytes: &[u8]) -> bool {
        (0..bytes.len()).any(|at| self.at(bytes, at).next().is_some())
    }

    /// Returns `true` if a pattern of [`Redaction::SPELLED`] characters or more occurs in a record that is not all inside one of
    /// its texts, which are in the order of the record.
    pub(crate) fn is_spelled_beside(&self, bytes: &[u8], texts: &[Range<usize>]) -> bool {
        let mut at = 0;
        let ends = std::iter::once(bytes.len()..bytes.len());
        for text in texts.iter().cloned().chain(ends) {
            if (at..text.start.min(bytes.len())).any(|at| self.spelled(bytes, at).next().is_some()) {
                return true;
            }
            // What begins near the end of a text may end behind it.
            at = at.max(text.start).max((text.end + 1).saturating_sub(self.longest));
        }
        false
    }

    /// Returns `true` if such a pattern begins before a place and ends behind it.
    pub(crate) fn is_spelled_across(&self, bytes: &[u8], place: usize) -> bool {
        let crosses = |at| self.spelled(bytes, at).any(|needle| at + needle.bytes() > place);
        (place.saturating_sub(self.longest)..place).any(crosses)
    }

    /// The needles at `at` that are too long to occur by chance.
    fn spelled(&self, bytes: &[u8], at: usize) -> impl Iterator<Item = &Needle> {
        self.at(bytes, at).filter(|needle| needle.units.len() >= Redaction::SPELLED)
    }

    /// The needles that match at `at`.
    fn at(&self, bytes: &[u8], at: usize) -> impl Iterator<Item = &Needle> {
        let rest = &bytes[at..];
        let likely = rest.first().map_or(&[][..], |&byte| &self.starts[usize::from(byte)]);
        likely
            .iter()
            .filter_map(|&number| self.needles.get(number as usize))
            .filter(move |needle| needle.matches(rest))
    }

    /// Blanks all occurrences, overlapping ones too, and counts them by pattern. Returns `true` if there was
    /// one.
    pub fn blank(&self, bytes: &mut [u8], counts: &mut [u64]) -> bool {
        let mut any = false;
        loop {
            // All occurrences are found before the first is blanked, so that none hides another.
            let mut found: Vec<(usize, &Needle)> = Vec::new();
            for at in 0..bytes.len() {
                found.extend(self.at(bytes, at).map(|needle| (at, needle)));
            }
            if found.is_empty() {
                return any;
            }
            any = true;
            for (at, needle) in found {
                needle.blank(&mut bytes[at..at + needle.bytes()]);
                if let Some(count) = counts.get_mut(needle.pattern) {
                    *count += 1;
                }
            }
            // Blanks and the bytes beside them may form a pattern again; each round leaves fewer other characters.
        }
    }
}

/// The texts that a pattern matches.
fn texts(pattern: &Pattern) -> Vec<String> {
    let path = match pattern {
        Pattern::Text(text) => return vec![text.clone()],
        Pattern::Bytes { .. } => return Vec::new(),
        Pattern::Path(path) => path.trim_end_matches(['\\', '/']),
    };
    let bare = match path.as_bytes() {
        [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic() => &path[2..],
        _ => path,
    };
    let mut texts = Vec::new();
    for path in [path, bare] {
        for text in [path.replace('/', "\\"), path.replace('\\', "/")] {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts
}

/// The encodings of a text, each with both cases of its letters.
fn encodings(text: &str, pattern: usize) -> Vec<Needle> {
    let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
    let mut needles = Vec::new();
    let mut add = |width, units: Vec<(u16, u16)>| needles.push(Needle { width, units, pattern, keep: None });
    let both =
        |a: &[u16], b: &[u16]| -> Vec<(u16, u16)> { a.iter().copied().zip(b.iter().copied()).collect() };
    let utf16 = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let utf8 = |text: &str| text.bytes().map(u16::from).collect::<Vec<u16>>();
    let latin = |text: &str| {
        text.chars().map(|c| u8::try_from(u32::from(c)).map(u16::from).ok()).collect::<Option<Vec<u16>>>()
    };
    // Letters whose cases differ in length are found in the spellings given, all upper and all lower.
    let mut paired = |width, a: Vec<u16>, b: Vec<u16>, given: Vec<u16>| {
        if a.len() == b.len() && (width == 2 || text.is_ascii()) {
            add(width, both(&a, &b));
        } else {
            for units in [a, b, given] {
                let folded = units.iter().map(|&unit| {
                    let ascii = u8::try_from(unit).ok();
                    let fold = |f: fn(&u8) -> u8| ascii.map_or(unit, |byte| f(&byte).into());
                    (fold(u8::to_ascii_lowercase), fold(u8::to_ascii_uppercase))
                });
                add(width, folded.collect());
            }
        }
    };
    paired(2, utf16(&lower), utf16(&upper), utf16(text));
    paired(1, utf8(&lower), utf8(&upper), utf8(text));
    if !text.is_ascii()
        && let Some(given) = latin(text)
    {
        let lower = latin(&lower).unwrap_or_else(|| given.clone());
        let upper = latin(&upper).unwrap_or_else(|| given.clone());
        paired(1, lower, upper, given);
    }
    needles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction(texts: &[&str]) -> Redaction {
        Redaction::new(texts.iter().map(|&text| Pattern::Text(text.into())).collect()).unwrap()
    }

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    /// A path is found with and without its drive, with slashes of either kind, each form once.
    #[test]
    fn paths_have_these_texts() {
        let all = |path: &str| texts(&Pattern::Path(path.into()));
        assert_eq!(all(r"C:\Users\ada"), [r"C:\Users\ada", "C:/Users/ada", r"\Users\ada", "/Users/ada"]);
        assert_eq!(all("z:/a/"), [r"z:\a", "z:/a", r"\a", "/a"]);
        assert_eq!(all(r"\Device\X\\"), [r"\Device\X", "/Device/X"]);
        for plain in ["name", "C:name", "1:name", "é:name"] {
            assert_eq!(all(plain), [plain]);
        }
        // No drive has such a name.
        assert_eq!(all(r"1:\a"), [r"1:\a", "1:/a"]);
        assert_eq!(texts(&Pattern::Text(r"C:\a".into())), [r"C:\a"]);
    }

    #[test]
    fn text_is_blanked_in_every_encoding_case_and_alignment() {
        let redaction = redaction(&["Alice", "Zoë"]);
        for (text, blanked) in [
            (b"dear ALICE, alice".to_vec(), b"dear xxxxx, xxxxx".to_vec()),
            ([&b"!"[..], &wide("c:\\aLiCe\\")].concat(), [&b"!"[..], &wide("c:\\xxxxx\\")].concat()),
            (wide("ZOË zoë"), wide("xxx xxx")),
            ("zoë".as_bytes().to_vec(), b"xxxx".to_vec()),
            (b"ZO\xCB".to_vec(), b"xxx".to_vec()),
            (b"Alic".to_vec(), b"Alic".to_vec()),
        ] {
            let mut bytes = text.clone();
            let mut counts = [0; 2];
            let any = redaction.blank(&mut bytes, &mut counts);
            assert_eq!(bytes, blanked, "{}", String::from_utf8_lossy(&text));
            assert_eq!(any, text != blanked);
            assert!(!redaction.occurs_in(&bytes));
        }
    }

    #[test]
    fn overlapping_and_reappearing_occurrences_leave_nothing() {
        let overlapping = redaction(&["anna", "nab"]);
        let mut bytes = b"annannab".to_vec();
        overlapping.blank(&mut bytes, &mut [0; 2]);
        assert_eq!(bytes, b"xxxxxxxx");
        let again = redaction(&["xxa"]);
        let mut bytes = b"-xxaaaa-".to_vec();
        again.blank(&mut bytes, &mut [0]);
        assert_eq!(bytes, b"-xxxxxx-");
    }

    #[test]
    fn a_path_is_found_with_either_slash_and_without_its_drive() {
        let redaction = Redaction::new(vec![Pattern::Path(r"C:\Users\bob\".into())]).unwrap();
        for (text, blanked) in [
            (r"c:\users\BOB\a.txt", r"xxxxxxxxxxxx\a.txt"),
            (r"\Device\HarddiskVolume3\Users\bob", r"\Device\HarddiskVolume3xxxxxxxxxx"),
            ("file:///C:/Users/bob", "file:///xxxxxxxxxxxx"),
        ] {
            let mut bytes = wide(text);
            redaction.blank(&mut bytes, &mut [0]);
            assert_eq!(bytes, wide(blanked), "{text}");
        }
    }

    #[test]
    fn issue_14_values_keep_their_beginning_and_become_zeros() {
        let sid = [1, 5, 0, 0, 0, 0, 0, 5, 21, 0, 0, 0, 7, 7, 7, 7, 8, 8, 8, 8];
        let redaction = Redaction::new(vec![Pattern::Bytes { bytes: sid.to_vec(), keep: 12 }]).unwrap();
        let mut bytes = [&b"a"[..], &sid, b"b"].concat();
        let mut counts = [0];
        assert!(redaction.blank(&mut bytes, &mut counts) && counts == [1]);
        assert_eq!(bytes, [&b"a"[..], &sid[..12], &[0; 8], b"b"].concat());
        assert!(!redaction.occurs_in(&bytes));
        for (bytes, keep) in [(vec![1; 11], 0), (vec![0; 16], 0), (sid[..12].to_vec(), 12)] {
            assert!(Redaction::new(vec![Pattern::Bytes { bytes, keep }]).is_err());
        }
        let mut record = b"1a1a22".to_vec();
        assert!(Spot { bytes: b"1a".to_vec(), fill: Fill::Wide }.blank(&mut record));
        assert_eq!(record, b"x\0x\x0022");
    }

    #[test]
    fn what_cannot_be_blanked_is_refused() {
        let refused = |text: &str| Redaction::new(vec![Pattern::Text(text.into())]).unwrap_err();
        assert_eq!(refused("ab"), RedactionError::Short("ab".into()));
        assert_eq!(refused("xXx"), RedactionError::OnlyBlanks("xXx".into()));
    }
}
