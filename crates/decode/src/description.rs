//! Files that describe events, of whatever form.

use std::fmt;

use tracewell_schema::Provider;
use tracewell_types::Utf16Str;

use crate::manifest::{self, ManifestError, ManifestProblem};
use crate::mof::{self, MofError};
use crate::tmf::{self, TmfError};
use crate::wevt::{self, BinaryError};

/// The form of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DescriptionForm {
    /// An instrumentation manifest.
    Manifest,
    /// A compiled manifest inside a program, library or driver.
    Image,
    /// MOF text.
    Mof,
    /// A trace message format file of WPP.
    Tmf,
}

impl DescriptionForm {
    /// The form of a file, told by its content.
    #[must_use]
    pub fn of(bytes: &[u8]) -> DescriptionForm {
        if bytes.starts_with(b"MZ") {
            return DescriptionForm::Image;
        }
        DescriptionForm::of_text(&text(bytes))
    }

    fn of_text(text: &str) -> DescriptionForm {
        if text.trim_start().starts_with('<') {
            DescriptionForm::Manifest
        } else if text.lines().any(|line| line.trim_start().starts_with("#typev ")) {
            DescriptionForm::Tmf
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
            DescriptionForm::Tmf => "tmf",
        }
    }
}

impl fmt::Display for DescriptionForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DescriptionForm::Manifest => "manifest",
            DescriptionForm::Image => "compiled manifest",
            DescriptionForm::Mof => "MOF",
            DescriptionForm::Tmf => "TMF",
        })
    }
}

/// What a file describes; [`crate::Schemas::add_description`] takes it in.
#[derive(Clone, Debug)]
pub struct Description {
    /// The form of the file.
    pub form: DescriptionForm,
    /// What it describes: events by id of manifests, classes by opcode of MOF, messages by number of TMF.
    pub providers: Vec<Provider>,
    /// What could not be used. The rest is good.
    pub problems: Vec<ManifestProblem>,
}

/// Why a file describes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescriptionError {
    /// As a manifest.
    Manifest(ManifestError),
    /// As a program with a compiled manifest.
    Image(BinaryError),
    /// As MOF.
    Mof(MofError),
    /// As TMF.
    Tmf(TmfError),
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DescriptionError::Manifest(error) => write!(f, "{error}"),
            DescriptionError::Image(error) => write!(f, "{error}"),
            DescriptionError::Mof(error) => write!(f, "{error}"),
            DescriptionError::Tmf(error) => write!(f, "{error}"),
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
        if bytes.starts_with(b"MZ") {
            let found = wevt::parse_image(bytes).map_err(DescriptionError::Image)?;
            let form = DescriptionForm::Image;
            return Ok(Description { form, providers: found.providers, problems: found.problems });
        }
        let text = text(bytes);
        let form = DescriptionForm::of_text(&text);
        let (providers, problems) = match form {
            DescriptionForm::Mof => {
                let found = mof::parse(&text).map_err(DescriptionError::Mof)?;
                (found.classes, found.problems)
            }
            DescriptionForm::Tmf => {
                let found = tmf::parse(&text).map_err(DescriptionError::Tmf)?;
                (found.messages, found.problems)
            }
            DescriptionForm::Manifest | DescriptionForm::Image => {
                let found = manifest::parse(&text).map_err(DescriptionError::Manifest)?;
                (found.providers, found.problems)
            }
        };
        Ok(Description { form, providers, problems })
    }
}

/// Descriptions are UTF-8 or, with a mark, UTF-16.
fn text(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => Utf16Str::from_bytes(rest).to_string(),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_content() {
        assert_eq!(DescriptionForm::of(b"MZ\x90"), DescriptionForm::Image);
        assert_eq!(DescriptionForm::of(b"\xEF\xBB\xBF <a/>"), DescriptionForm::Manifest);
        assert_eq!(DescriptionForm::of(b"\xFF\xFE<\0a\0/\0>\0"), DescriptionForm::Manifest);
        assert_eq!(DescriptionForm::of(b"// x\n#typev a 1 \"\""), DescriptionForm::Tmf);
        assert_eq!(DescriptionForm::of(b"#pragma x\nclass A {};"), DescriptionForm::Mof);
        assert!(matches!(Description::parse(b"class A {};"), Err(DescriptionError::Mof(_))));
        assert!(matches!(Description::parse(b"text"), Err(DescriptionError::Manifest(_))));
        assert!(matches!(Description::parse(b"MZ"), Err(DescriptionError::Image(_))));
    }
}
