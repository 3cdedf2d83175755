//! Where a script prints.

use tracewell_dengine::host::Output;

/// Takes what a script prints.
pub trait Sink {
    /// Text, as much as the script prints at once.
    fn text(&mut self, text: &[u8]);

    /// A message about the run, without a newline: an error in a clause, or data that was lost.
    fn message(&mut self, line: &str) {
        let _ = line;
    }
}

impl Sink for Vec<u8> {
    fn text(&mut self, text: &[u8]) {
        self.extend_from_slice(text);
    }
}

/// Bytes that are not UTF-8 become replacement characters.
impl Sink for String {
    fn text(&mut self, text: &[u8]) {
        self.push_str(&String::from_utf8_lossy(text));
    }
}

/// Prints nothing.
impl Sink for () {
    fn text(&mut self, _: &[u8]) {}
}

/// A sink as the output of the engine. Scripts cannot open files or start commands through it.
pub(crate) struct Printer<'s>(pub(crate) &'s mut dyn Sink);

impl Output for Printer<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.text(bytes);
    }

    fn error(&mut self, line: &str) {
        self.0.message(line);
    }

    fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
        Err("the output of this run cannot be redirected".to_owned())
    }

    fn system(&mut self, command: &[u8]) {
        let command = String::from_utf8_lossy(command);
        self.0.message(&format!("system() is not supported here: {command}"));
    }
}
