//! Files that describe events, of whatever form.

use std::fmt;

use tracewell_schema::Provider;
use tracewell_schema::text::{self, Described, Kind, TextError};
use tracewell_types::Utf16Str;

use crate::manifest::{self, Manifest, ManifestError, ManifestProblem};
use crate::mof::{self, BinaryMofError, Mof, MofError};
use crate::pdb::{self, PdbError};
use crate::tmf::{self, Tmf, TmfError};
use crate::wevt::{self, BinaryError};

/// The form of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DescriptionForm {
    /// An instrumentation manifest.
    Manifest,
    /// A program, library or driver with a compiled manifest or compiled MOF inside.
    Image,
    /// MOF text.
    Mof,
    /// Compiled MOF.
    BinaryMof,
    /// A trace message format file of WPP.
    Tmf,
    /// A program database with the trace message formats of WPP inside.
    Pdb,
    /// A text in the form of Tracewell's tables.
    Table,
}

impl DescriptionForm {
    /// Detects the form of a file by its content.
    #[must_use]
    pub fn of(bytes: &[u8]) -> DescriptionForm {
        DescriptionForm::of_binary(bytes).unwrap_or_else(|| DescriptionForm::of_text(&decoded(bytes)))
    }

    fn of_binary(bytes: &[u8]) -> Option<DescriptionForm> {
        if bytes.starts_with(b"MZ") {
            Some(DescriptionForm::Image)
        } else if bytes.starts_with(mof::BINARY_MARK) {
            Some(DescriptionForm::BinaryMof)
        } else if bytes.starts_with(pdb::MARK) {
            Some(DescriptionForm::Pdb)
        } else {
            None
        }
    }

    fn of_text(text: &str) -> DescriptionForm {
        if text.trim_start().starts_with('<') {
            DescriptionForm::Manifest
        } else if text.lines().any(|line| line.trim_start().starts_with("#typev ")) {
            DescriptionForm::Tmf
        } else if text::is_described(text) {
            DescriptionForm::Table
        } else if text.to_ascii_lowercase().contains("class") {
            DescriptionForm::Mof
        } else {
            DescriptionForm::Manifest
        }
    }

    /// The usual extension of files of this form.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            DescriptionForm::Manifest => "man",
            DescriptionForm::Image => "dll",
            DescriptionForm::Mof => "mof",
            DescriptionForm::BinaryMof => "bmf",
            DescriptionForm::Tmf => "tmf",
            DescriptionForm::Pdb => "pdb",
            DescriptionForm::Table => "events",
        }
    }
}

impl fmt::Display for DescriptionForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DescriptionForm::Manifest => "manifest",
            DescriptionForm::Image => "compiled manifest",
            DescriptionForm::Mof => "MOF",
            DescriptionForm::BinaryMof => "compiled MOF",
            DescriptionForm::Tmf => "TMF",
            DescriptionForm::Pdb => "TMF in a program database",
            DescriptionForm::Table => "table",
        })
    }
}

/// What a file describes; [`crate::Schemas::add_description`] takes it in.
#[derive(Clone, Debug)]
pub struct Description {
    /// The form of the file.
    pub form: DescriptionForm,
    /// Providers whose events have ids.
    pub providers: Vec<Provider>,
    /// Classes of classic events; the ids of the events are the opcodes.
    pub classes: Vec<Provider>,
    /// Messages of WPP; the ids of the events are the message numbers.
    pub messages: Vec<Provider>,
    /// What could not be used. The rest is good.
    pub problems: Vec<ManifestProblem>,
}

/// Why a file describes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescriptionError {
    /// It has no form that descriptions have; whether it is a trace.
    Form {
        /// A trace may have descriptions inside, but is none.
        is_trace: bool,
    },
    /// As a manifest.
    Manifest(ManifestError),
    /// As a program with a compiled manifest.
    Image(BinaryError),
    /// As MOF.
    Mof(MofError),
    /// As compiled MOF.
    BinaryMof(BinaryMofError),
    /// As TMF.
    Tmf(TmfError),
    /// As a program database.
    Pdb(PdbError),
    /// As a table.
    Table(TextError),
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DescriptionError::Form { is_trace: true } => f.write_str("a trace is no description of events"),
            DescriptionError::Form { is_trace: false } => f.write_str(
                "not a description of events: neither a manifest (XML), MOF, TMF or a table, nor a program, library, \
                 driver or program database that has one inside",
            ),
            DescriptionError::Manifest(error) => error.fmt(f),
            DescriptionError::Image(error) => error.fmt(f),
            DescriptionError::Mof(error) => error.fmt(f),
            DescriptionError::BinaryMof(error) => error.fmt(f),
            DescriptionError::Tmf(error) => error.fmt(f),
            DescriptionError::Pdb(error) => error.fmt(f),
            DescriptionError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DescriptionError {}

impl Description {
    /// Reads a file of any form.
    ///
    /// # Errors
    ///
    /// When it describes nothing. Single declarations that cannot be used are
    /// [problems](Description::problems) instead.
    pub fn parse(bytes: &[u8]) -> Result<Description, DescriptionError> {
        Description::parse_with_texts(bytes, &[])
    }

    /// The same, with the files that have the texts of a program, library or driver: `NAME.mui` beside it, by language.
    ///
    /// # Errors
    ///
    /// As [`Description::parse`].
    pub fn parse_with_texts(bytes: &[u8], texts: &[&[u8]]) -> Result<Description, DescriptionError> {
        if is_trace(bytes) {
            return Err(DescriptionError::Form { is_trace: true });
        }
        let binary = DescriptionForm::of_binary(bytes);
        let text = if binary.is_some() { String::new() } else { decoded(bytes) };
        let form = binary.unwrap_or_else(|| DescriptionForm::of_text(&text));
        let mut description =
            Description { form, providers: vec![], classes: vec![], messages: vec![], problems: vec![] };
        match form {
            DescriptionForm::Manifest if !text.trim_start().starts_with('<') => {
                return Err(DescriptionError::Form { is_trace: false });
            }
            DescriptionForm::Manifest => {
                description.take_manifest(manifest::parse(&text).map_err(DescriptionError::Manifest)?);
            }
            DescriptionForm::Image => description.image(bytes, texts)?,
            DescriptionForm::Mof => {
                description.take_mof(mof::parse(&text).map_err(DescriptionError::Mof)?);
            }
            DescriptionForm::BinaryMof => {
                description.take_mof(mof::parse_binary(bytes).map_err(DescriptionError::BinaryMof)?);
            }
            DescriptionForm::Tmf => {
                description.take_tmf(tmf::parse(&text).map_err(DescriptionError::Tmf)?);
            }
            DescriptionForm::Pdb => {
                description.take_tmf(pdb::parse(bytes).map_err(DescriptionError::Pdb)?);
            }
            DescriptionForm::Table => {
                for Described { kind, provider } in text::parse(&text).map_err(DescriptionError::Table)? {
                    description.of_kind(kind).push(provider);
                }
            }
        }
        Ok(description)
    }

    /// A program may have a compiled manifest, compiled MOF, or both.
    fn image(&mut self, bytes: &[u8], texts: &[&[u8]]) -> Result<(), DescriptionError> {
        let manifest = wevt::parse_image(bytes, texts);
        let mut found = false;
        for resource in wevt::mof_resources(bytes) {
            match mof::parse_binary(resource) {
                Ok(mof) => {
                    self.take_mof(mof);
                    found = true;
                }
                // This was the only description to read.
                Err(error) if manifest.is_err() => return Err(DescriptionError::BinaryMof(error)),
                Err(error) => self.problems.push(ManifestProblem { line: 0, what: error.to_string() }),
            }
        }
        match manifest {
            Ok(manifest) => self.take_manifest(manifest),
            Err(BinaryError::NoManifest) if found => {}
            Err(error) if found => self.problems.push(ManifestProblem { line: 0, what: error.to_string() }),
            Err(error) => return Err(DescriptionError::Image(error)),
        }
        Ok(())
    }

    fn take_manifest(&mut self, found: Manifest) {
        self.providers.extend(found.providers);
        self.problems.extend(found.problems);
    }

    fn take_mof(&mut self, found: Mof) {
        self.classes.extend(found.classes);
        self.problems.extend(found.problems);
    }

    fn take_tmf(&mut self, found: Tmf) {
        self.messages.extend(found.messages);
        self.problems.extend(found.problems);
    }

    fn of_kind(&mut self, kind: Kind) -> &mut Vec<Provider> {
        match kind {
            Kind::Events => &mut self.providers,
            Kind::Class => &mut self.classes,
            Kind::Messages => &mut self.messages,
        }
    }

    /// Everything described, with its kind.
    pub fn described(&self) -> impl Iterator<Item = (Kind, &Provider)> {
        let providers = self.providers.iter().map(|provider| (Kind::Events, provider));
        let classes = self.classes.iter().map(|class| (Kind::Class, class));
        let messages = self.messages.iter().map(|group| (Kind::Messages, group));
        providers.chain(classes).chain(messages)
    }

    /// Everything described, of whatever kind.
    pub fn all(&self) -> impl Iterator<Item = &Provider> {
        self.described().map(|(_, provider)| provider)
    }
}

/// Returns `true` if a file begins as a trace does: with a buffer whose first record is a header of
/// the system.
fn is_trace(bytes: &[u8]) -> bool {
    const BUFFER_HEADER: usize = 72;
    let marker = bytes.get(BUFFER_HEADER + 2..BUFFER_HEADER + 4);
    matches!(marker, Some([0x01..=0x02, 0xC0]))
}

/// Descriptions are UTF-8 or UTF-16, of either byte order, with a mark or without: they begin with ASCII, which in
/// UTF-16 has a zero byte beside it.
fn decoded(bytes: &[u8]) -> String {
    let big_endian = |bytes: &[u8]| {
        let swapped: Vec<u8> = bytes.chunks_exact(2).flat_map(|unit| unit.iter().rev().copied()).collect();
        Utf16Str::from_bytes(&swapped).to_string()
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => Utf16Str::from_bytes(rest).to_string(),
        [0xFE, 0xFF, rest @ ..] => big_endian(rest),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => Utf16Str::from_bytes(bytes).to_string(),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => big_endian(bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_recognized_by_content() {
        assert_eq!(DescriptionForm::of(b"MZ\x90"), DescriptionForm::Image);
        assert_eq!(DescriptionForm::of(b"\xEF\xBB\xBF <a/>"), DescriptionForm::Manifest);
        assert_eq!(DescriptionForm::of(b"\xFF\xFE<\0a\0/\0>\0"), DescriptionForm::Manifest);
        // Issue 3: UTF-16 without a mark was refused.
        assert_eq!(DescriptionForm::of(b"<\0a\0/\0>\0"), DescriptionForm::Manifest);
        assert_eq!(DescriptionForm::of(b"\0<\0a\0/\0>"), DescriptionForm::Manifest);
        assert_eq!(decoded(b"\xFE\xFF\0<\0a"), "<a");
        assert_eq!(DescriptionForm::of(b"FOMB"), DescriptionForm::BinaryMof);
        assert_eq!(DescriptionForm::of(b"Microsoft C/C++ MSF 7.00\r\n"), DescriptionForm::Pdb);
        assert_eq!(DescriptionForm::of(b"// x\n#typev a 1 \"\""), DescriptionForm::Tmf);
        assert_eq!(DescriptionForm::of(b"#pragma x\nclass A {};"), DescriptionForm::Mof);
        let table = b"# x\nclass Till 0ad614c4-0ef4-4225-8000-0123456789ab\nevents 1 Ring\nversion 0\n";
        assert_eq!(DescriptionForm::of(table), DescriptionForm::Table);
        assert_eq!(Description::parse(table).unwrap().classes[0].events.len(), 1);
        assert!(matches!(Description::parse(b"class A {};"), Err(DescriptionError::Mof(_))));
        assert!(matches!(Description::parse(b"<text"), Err(DescriptionError::Manifest(_))));
        assert_eq!(Description::parse(b"text").unwrap_err(), DescriptionError::Form { is_trace: false });
        assert_eq!(Description::parse(b"").unwrap_err(), DescriptionError::Form { is_trace: false });
        let mut trace = [0; 80];
        trace[74..76].copy_from_slice(&[2, 0xC0]);
        assert_eq!(Description::parse(&trace).unwrap_err(), DescriptionError::Form { is_trace: true });
        assert!(matches!(Description::parse(b"MZ"), Err(DescriptionError::Image(_))));
    }
}
