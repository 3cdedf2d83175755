//! Where a script prints.

use tracewell_dengine::host::{Logged, Output};

/// Takes what a script prints.
pub trait Sink {
    /// Text, as much as the script prints at once.
    fn text(&mut self, text: &[u8]);

    /// A message about the run, without a newline: an error in a clause, or data that was lost.
    fn message(&mut self, line: &str) {
        let _ = line;
    }

    /// An event of `etw_trace()`. Nothing logs it: a program that wants it logged does so here.
    fn event(&mut self, event: &Logged<'_>) {
        let _ = event;
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

    fn log(&mut self, event: &Logged<'_>) {
        self.0.event(event);
    }
}

#[cfg(test)]
mod tests {
    use tracewell_dlang::logged::LoggedEvent;

    use super::*;

    #[test]
    fn issue_23_what_is_printed_arrives_and_what_cannot_be_done_is_reported() {
        #[derive(Default)]
        struct Told(Vec<String>);
        impl Sink for Told {
            fn text(&mut self, text: &[u8]) {
                self.0.push(format!("text {}", String::from_utf8_lossy(text)));
            }

            fn message(&mut self, line: &str) {
                self.0.push(format!("message {line}"));
            }

            fn event(&mut self, event: &Logged<'_>) {
                self.0.push(format!("event {} of level {}", event.event.name, event.level));
            }
        }
        let mut told = Told::default();
        let mut printer = Printer(&mut told);
        printer.write(b"a");
        printer.error("b");
        assert_eq!(printer.reopen(None).unwrap_err(), "the output of this run cannot be redirected");
        printer.system(b"ls -l");
        let event = LoggedEvent {
            provider: "P".to_owned(),
            guid: "aad330cc-4bb9-588a-b252-08276853af02".to_owned(),
            group: None,
            name: "Sold".to_owned(),
            fields: Vec::new(),
        };
        printer.log(&Logged { at: 0, event: &event, level: 4, keyword: 0, payload: &[] });
        let expected =
            ["text a", "message b", "message system() is not supported here: ls -l", "event Sold of level 4"];
        assert_eq!(told.0, expected);

        let (mut bytes, mut text) = (Vec::new(), String::new());
        for sink in [&mut bytes as &mut dyn Sink, &mut text, &mut ()] {
            sink.text(b"x\xff");
            sink.message("not kept");
            sink.text(b"y");
        }
        assert_eq!((bytes, &*text), (b"x\xffy".to_vec(), "x\u{fffd}y"));
    }
}
