//! Program databases: the trace message formats of WPP that a program's symbols carry.
//!
//! WPP's preprocessor adds each message to the program as an annotation: the text `TMF:` and then the lines of a
//! [TMF file](crate::tmf) for this one message. Compilers and linkers copy annotations into the database, as
//! symbols of the modules. Arguments that are enumerations contain the name of the type, whose members are also in
//! the database.

mod enums;

use std::fmt;
use std::io;

use pdb2::{FallibleIterator, PDB, Source, SourceSlice, SourceView, StreamIndex, SymbolData};

use crate::tmf::{self, Tmf};

/// The first bytes of a program database.
pub(crate) const MARK: &[u8] = b"Microsoft C/C++ MSF 7.00\r\n";

/// Why a program database gives no messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PdbError {
    /// It cannot be read; what its reader says.
    Damaged(String),
    /// It has no trace message formats: WPP is not used, or this is a database without private symbols.
    NoMessages,
}

impl fmt::Display for PdbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PdbError::Damaged(what) => write!(f, "the program database is damaged: {what}"),
            PdbError::NoMessages => f.write_str("the program database has no trace message formats"),
        }
    }
}

impl std::error::Error for PdbError {}

impl From<pdb2::Error> for PdbError {
    fn from(error: pdb2::Error) -> PdbError {
        PdbError::Damaged(error.to_string())
    }
}

/// Reads the trace message formats of a program database.
///
/// # Errors
///
/// When the database is damaged or has none. Single messages that cannot be used are [problems](Tmf::problems)
/// whose line counts through all annotations.
pub fn parse(bytes: &[u8]) -> Result<Tmf, PdbError> {
    let mut text = String::new();
    let mut database = PDB::open(Whole(bytes))?;
    let information = database.debug_information()?;
    let mut modules = information.modules()?;
    while let Some(module) = modules.next()? {
        // A module without symbols, as those of a stripped database are.
        let Some(module) = database.module_info(&module)? else { continue };
        let mut symbols = module.symbols()?;
        while let Some(symbol) = symbols.next()? {
            if let Ok(SymbolData::Annotation(annotation)) = symbol.parse()
                && let Some((first, lines)) = annotation.strings.split_first()
                && first.as_bytes() == b"TMF:"
            {
                for line in lines {
                    text.push_str(&line.to_string());
                    text.push('\n');
                }
            }
        }
    }
    let mut tmf = tmf::parse(&text).map_err(|_| PdbError::NoMessages)?;
    let wanted = tmf.enumerations();
    // Types that cannot be read leave numbers without names.
    if !wanted.is_empty()
        && let Ok(Some(stream)) = database.raw_stream(TYPES)
    {
        tmf.name_members(&enums::read(&stream, &|name| wanted.contains(name)));
    }
    Ok(tmf)
}

/// The stream of types.
const TYPES: StreamIndex = StreamIndex(2);

/// A database in memory.
#[derive(Debug)]
struct Whole<'a>(&'a [u8]);

#[derive(Debug)]
struct Stream(Vec<u8>);

impl SourceView<'_> for Stream {
    fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl<'s> Source<'s> for Whole<'_> {
    /// Puts a stream together. Its pages may be anywhere, but a stream longer than the file repeats some of them,
    /// which no sound one does.
    fn view(&mut self, slices: &[SourceSlice]) -> io::Result<Box<dyn SourceView<'s> + Send + Sync>> {
        let cut_off = || io::Error::new(io::ErrorKind::UnexpectedEof, "a stream is not all there");
        let mut left = self.0.len();
        let mut bytes = Vec::new();
        for slice in slices {
            left = left.checked_sub(slice.size).ok_or_else(cut_off)?;
            let at = usize::try_from(slice.offset).map_err(|_| cut_off())?;
            let end = at.checked_add(slice.size).ok_or_else(cut_off)?;
            bytes.extend_from_slice(self.0.get(at..end).ok_or_else(cut_off)?);
        }
        Ok(Box::new(Stream(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;
    use tracewell_testkit::{Enumeration, program_database, program_database_with};

    const GUID: &str = "0ad614c4-0ef4-4225-8000-0123456789ad shop // SRC=till.c MJ= MN=";
    const SOLD: &[&str] = &[
        "TMF:",
        GUID,
        "#typev till_c7 10 \"%0sold %10!u!\" //   LEVEL=TRACE FUNC=Sell",
        "{",
        "count, ItemLong -- 10",
        "}",
    ];
    const SHUT: &[&str] = &["TMF:", GUID, "#typev till_c9 11 \"%0shut\" // FUNC=Shut", "{", "}"];

    #[test]
    fn annotations_become_messages() {
        let found = parse(&program_database(&[SOLD, &["Other:", "not a message"], SHUT])).unwrap();
        assert_eq!(found.problems, []);
        assert_eq!(found.messages.len(), 1, "one GUID, however often it is named");
        let shop = &found.messages[0];
        assert_eq!((&*shop.name, shop.events.len()), ("shop", 2));
        assert_eq!(&*shop.event(10, 0).unwrap().message, "sold %1!u!");
        assert_eq!(&*shop.event(11, 0).unwrap().task, "Shut");
    }

    #[test]
    fn enumerations_have_the_names_of_their_members() {
        let message = [
            "TMF:",
            GUID,
            "#typev till_c12 12 \"%0%10!s! %11!s!\" // FUNC=Pay",
            "{",
            "kind, ItemEnum(_PAYMENT) -- 10",
            "flags, ItemFlagsEnum(_FLAGS) -- 11",
            "}",
        ];
        let enumerations: &[Enumeration<'_>] = &[
            ("_OTHER", &[("Other", 1)]),
            ("_PAYMENT", &[("PayCash", 0), ("PayCard", 1), ("PayNever", -1)]),
            ("_FLAGS", &[("Printed", 1), ("Signed", 0x1_0000)]),
        ];
        let found = parse(&program_database_with(&[&message], enumerations)).unwrap();
        let layout = &found.messages[0].event(12, 0).unwrap().layout;
        for (payload, wanted) in [
            ([1, 0, 0, 0, 1, 0, 1, 0], ["PayCard", "Printed|Signed"]),
            ([255, 255, 255, 255, 4, 0, 1, 0], ["PayNever", "Signed|0x4"]),
            ([9, 0, 0, 0, 4, 0, 0, 0], ["9", "0x4"]),
        ] {
            let shown: Vec<String> =
                Fields::new(layout, &payload, 8).map(|f| f.value.display(f.field).to_string()).collect();
            assert_eq!(shown, wanted);
        }
    }

    #[test]
    fn a_database_without_messages_says_so() {
        assert_eq!(parse(&program_database(&[&["Other:"]])).unwrap_err(), PdbError::NoMessages);
        assert!(matches!(parse(b""), Err(PdbError::Damaged(_))));
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let paid = ["TMF:", GUID, "#typev till_c12 12 \"%10!s!\"", "{", "a, ItemEnum(E) -- 10", "}"];
        let good =
            program_database_with(&[SOLD, SHUT, &paid], &[("E", &[("A", 0), ("B", -5), ("C", 70_000)])]);
        let mut read = 0;
        for at in 0..good.len() {
            let _ = parse(&good[..at]);
            let mut bad = good.clone();
            bad[at] ^= 0xFF;
            read += usize::from(parse(&bad).is_ok());
        }
        assert!(read > good.len() / 2, "most bytes are filler");
    }
}
