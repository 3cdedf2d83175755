//! Errors in the words and codes that TWAPI gives.

use tracewell_session::{Code, Error};

use crate::sys::{Failure, Obj};

/// A refused call: `TWAPI_WIN32 number text`.
pub(crate) fn win32(error: &Error) -> Failure {
    let text = error.code.text().to_owned();
    let message = if error.detail.is_empty() { text.clone() } else { format!("{text}: {}", error.detail) };
    Failure::Coded(vec!["TWAPI_WIN32".into(), error.code.0.to_string(), text], message)
}

/// The error for an unreadable file; missing files have a separate number.
pub(crate) fn file_error(error: &std::io::Error, path: &str) -> Failure {
    let fault = Error::io(error, path);
    let missing = error.kind() == std::io::ErrorKind::NotFound;
    win32(&if missing { Error { code: Code::FILE_NOT_FOUND, ..fault } } else { fault })
}

/// As [`win32`], by number.
pub(crate) fn win32_code(code: Code, detail: impl Into<String>) -> Failure {
    win32(&Error::new(code, detail))
}

/// Arguments that make no sense: `TWAPI BADARGS message`.
pub(crate) fn bad_arguments(message: impl Into<String>) -> Failure {
    let message = message.into();
    Failure::Coded(vec!["TWAPI".into(), "BADARGS".into(), message.clone()], message)
}

/// An error without a code.
pub(crate) fn plain(message: impl Into<String>) -> Failure {
    Failure::Coded(Vec::new(), message.into())
}

/// Refuses another number of words than `least..=most`, the command's name among them.
pub(crate) fn words(words: &[Obj], least: usize, most: usize, usage: &str) -> Result<(), Failure> {
    if (least..=most).contains(&words.len()) {
        return Ok(());
    }
    let name = words.first().map(Obj::text).unwrap_or_default();
    let blank = if usage.is_empty() { "" } else { " " };
    let message = format!("wrong # args: should be \"{name}{blank}{usage}\"");
    Err(Failure::Coded(vec!["TCL".into(), "WRONGARGS".into()], message))
}

/// A truth value: a number, or a word that Tcl accepts as one.
pub(crate) fn boolean(word: &Obj) -> Result<bool, Failure> {
    if let Some(number) = word.as_int() {
        return Ok(number != 0);
    }
    match &*word.text().to_ascii_lowercase() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" => Ok(false),
        text => {
            let message = format!("expected boolean value but got \"{text}\"");
            Err(Failure::Coded(vec!["TCL".into(), "VALUE".into(), "NUMBER".into()], message))
        }
    }
}

/// A whole number, or Tcl's usual complaint.
pub(crate) fn integer(word: &Obj) -> Result<i64, Failure> {
    word.as_int().ok_or_else(|| {
        let message = format!("expected integer but got \"{}\"", word.text());
        Failure::Coded(vec!["TCL".into(), "VALUE".into(), "NUMBER".into()], message)
    })
}
