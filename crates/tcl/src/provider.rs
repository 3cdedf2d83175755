//! The provider of TWAPI: messages, and Tcl's execution traces.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tracewell_schema::classes;
use tracewell_session::provider::Sink;
use tracewell_session::{ClassicDescriptor, Code, Control, Notice, Provider};
use tracewell_types::Guid;

use crate::failure::{bad_arguments, win32_code, words};
use crate::sys::{Failure, Interp, LevelWords, Obj, Outcome};
use crate::text::{limited, push_utf16_to_zero};

/// The provider's GUID, the same as that of TWAPI on Windows.
pub(crate) const PROVIDER_GUID: Guid = classes::TWAPI_PROVIDER;
/// The GUID of its event class, which its events carry.
pub(crate) const CLASS_GUID: Guid = classes::TWAPI_CLASS;
/// The name of the class.
pub(crate) const CLASS_NAME: &str = "TwapiETWEventClass";
/// The provider's name.
pub(crate) const PROVIDER_NAME: &str = "TwapiETWProvider";

static PROVIDER: Provider = Provider::new(PROVIDER_NAME, PROVIDER_GUID, &[]);
static REGISTERED: AtomicBool = AtomicBool::new(false);
/// The level and keywords requested by the last session. Both remain when it ends.
static LEVEL: AtomicU8 = AtomicU8::new(0);
static FLAGS: AtomicU32 = AtomicU32::new(0);
/// Events that a session wanted and did not get.
static LOST: AtomicU64 = AtomicU64::new(0);

/// The handle of the provider, of which there is one in a process.
const HANDLE: i64 = 0x4554_5700_0001;
/// The same as text.
const HANDLE_TEXT: &[u8] = b"76228539187201";

/// Events that were wanted and lost.
pub(crate) fn lost() -> u64 {
    LOST.load(Ordering::Relaxed)
}

fn notice(notice: &Notice) {
    if notice.control == Control::Enabled {
        LEVEL.store(notice.level, Ordering::Relaxed);
        FLAGS.store(notice.any as u32, Ordering::Relaxed);
    }
}

/// `etw_twapi_provider_register`
pub(crate) fn register(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    if !REGISTERED.swap(true, Ordering::AcqRel) {
        PROVIDER.register_with(notice);
    }
    Ok(Obj::int(HANDLE))
}

/// `etw_unregister_provider P`
pub(crate) fn unregister(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "PROVIDERHANDLE")?;
    if args[1].as_int() != Some(HANDLE) || !REGISTERED.swap(false, Ordering::AcqRel) {
        return Err(bad_arguments(format!("Invalid ETW provider handle \"{}\".", args[1].text())));
    }
    PROVIDER.unregister();
    Ok(Obj::empty())
}

/// `etw_provider_enabled`
pub(crate) fn enabled(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    Ok(Obj::int(PROVIDER.is_enabled(0, 0)))
}

/// `etw_provider_enable_flags`
pub(crate) fn enable_flags(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    Ok(Obj::int(FLAGS.load(Ordering::Relaxed).cast_signed()))
}

/// `etw_provider_enable_level`
pub(crate) fn enable_level(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    Ok(Obj::int(LEVEL.load(Ordering::Relaxed)))
}

/// A level by name or number.
pub(crate) fn level(word: &Obj) -> Option<u8> {
    let text = word.text().to_ascii_lowercase();
    Some(match text.as_str() {
        "verbose" => 5,
        "informational" | "information" | "info" => 4,
        "warning" => 3,
        "error" => 2,
        "fatal" | "critical" => 1,
        _ => return word.as_int().and_then(|number| u8::try_from(number).ok()),
    })
}

/// Writes the events of one interpreter, without allocation per event.
#[derive(Default)]
pub(crate) struct Writer {
    words: LevelWords,
    scratch: RefCell<Scratch>,
}

#[derive(Default)]
struct Scratch {
    /// The payload being built.
    payload: Vec<u8>,
    context: Context,
}

/// A field: whole, or limited in length.
enum Part<'a> {
    Whole(&'a [u8]),
    Limited(&'a [u8]),
}

impl Part<'_> {
    /// Appends the field as text with a zero at its end, before which there is none.
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        let (bytes, cut) = match *self {
            Part::Whole(bytes) => (bytes, false),
            Part::Limited(bytes) => limited(bytes),
        };
        let whole = push_utf16_to_zero(bytes, out);
        out.extend_from_slice(if cut && whole { &DOTS } else { &DOTS[6..] });
    }
}

/// Three dots and the zero.
const DOTS: [u8; 8] = [b'.', 0, b'.', 0, b'.', 0, 0, 0];

/// The command line of the procedure that something happened in, as a field. The last one is kept: in a loop it is the
/// same again and again, and to make a command line of its words takes longer than all the rest.
#[derive(Default)]
struct Context {
    /// The words, one after the other.
    words: Vec<u8>,
    /// The end offset of each.
    ends: Vec<usize>,
    /// The field.
    field: Vec<u8>,
}

/// Longer command lines are not kept.
const KEPT_WORDS: usize = 16;
const KEPT_BYTES: usize = 1024;

impl Context {
    fn keep(&mut self, command: &Obj) {
        self.words.clear();
        self.ends.clear();
        for word in command.items().unwrap_or_default() {
            self.words.extend_from_slice(word.as_internal());
            self.ends.push(self.words.len());
            if self.ends.len() > KEPT_WORDS || self.words.len() > KEPT_BYTES {
                self.ends.clear();
                break;
            }
        }
        self.field.clear();
        Part::Limited(command.as_internal()).push(&mut self.field);
    }

    /// Appends the field of a command line.
    fn push(&mut self, command: Option<&Obj>, out: &mut Vec<u8>) {
        match command {
            None => Part::Whole(&[]).push(out),
            Some(command) => {
                if self.ends.is_empty() || !command.is_list_of(&self.words, &self.ends) {
                    self.keep(command);
                }
                out.extend_from_slice(&self.field);
            }
        }
    }
}

impl Writer {
    /// Builds and writes an event of these fields. What is lost is counted and never an error: the traced script must go
    /// on.
    fn write(&self, opcode: u8, level: u8, parts: &[Part<'_>]) {
        let Ok(mut scratch) = self.scratch.try_borrow_mut() else { return };
        let payload = &mut scratch.payload;
        payload.clear();
        for part in parts {
            part.push(payload);
        }
        emit(opcode, level, payload);
    }

    /// As [`Writer::write`], for an event whose last field is the context that the interpreter is in.
    fn write_in_context(&self, interp: Interp, opcode: u8, parts: &[Part<'_>]) {
        interp.with_caller(&self.words, |command| {
            let Ok(mut scratch) = self.scratch.try_borrow_mut() else { return };
            let Scratch { payload, context } = &mut *scratch;
            payload.clear();
            for part in parts {
                part.push(payload);
            }
            context.push(command, payload);
            emit(opcode, 0, payload);
        });
    }
}

fn emit(opcode: u8, level: u8, payload: &[u8]) {
    let event = ClassicDescriptor { class: CLASS_GUID, opcode, level, version: 0, flags: 0 };
    let delivery = PROVIDER.write_classic(&event, &|sink: &mut Sink<'_>| sink.push(payload));
    if delivery.lost > 0 || delivery.too_long {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// Waits, for some seconds at most, until this process's own provider has taken note that it is enabled. A daemon that was
/// started just now may not have met it yet, and a script that enables its own provider means what it does next.
pub(crate) fn wait_until_enabled() {
    for _ in 0..5000 {
        if PROVIDER.is_enabled(0, 0) || !REGISTERED.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns `true` if a word is the handle. In a trace it comes as text, and as the same text every
/// time.
#[inline]
fn is_handle(word: &Obj) -> bool {
    word.as_internal() == HANDLE_TEXT || word.as_int() == Some(HANDLE)
}

/// Returns `true` if a tracker has anything to do.
#[inline]
fn wanted(handle: &Obj) -> bool {
    PROVIDER.is_enabled(0, 0) && is_handle(handle)
}

/// `etw_log_message P MESSAGE ?LEVEL?`
pub(crate) fn log_message(_: Interp, writer: &Writer, args: &[Obj]) -> Result<(), Failure> {
    words(args, 3, 4, "HPROVIDER MESSAGE ?LEVEL?")?;
    let level = match args.get(3) {
        Some(word) => level(word)
            .ok_or_else(|| bad_arguments(format!("Invalid or unknown trace level \"{}\".", word.text())))?,
        None => 4,
    };
    if !is_handle(&args[1]) || !REGISTERED.load(Ordering::Relaxed) {
        return Err(win32_code(Code(6), "the provider handle is not valid"));
    }
    if PROVIDER.is_enabled(level, 0) {
        writer.write(1, level, &[Part::Whole(args[2].as_internal())]);
    }
    Ok(())
}

/// `etw_variable_tracker P NAME1 NAME2 OP`
pub(crate) fn variable_tracker(interp: Interp, writer: &Writer, args: &[Obj]) -> Result<(), Failure> {
    words(args, 5, 5, "HPROVIDER NAME1 NAME2 OP")?;
    let [_, handle, name, index, operation] = args else { return Ok(()) };
    if wanted(handle) {
        // Reading it may set off other traces, so it comes first.
        let value = match operation.as_internal() {
            b"array" | b"unset" => None,
            _ => interp.variable(name, Some(index).filter(|index| !index.as_internal().is_empty())),
        };
        let fields = [
            Part::Whole(operation.as_internal()),
            Part::Whole(name.as_internal()),
            Part::Whole(index.as_internal()),
            Part::Whole(value.as_ref().map_or(&[], Obj::as_internal)),
        ];
        writer.write_in_context(interp, 2, &fields);
    }
    Ok(())
}

/// `etw_execution_tracker P COMMAND ?CODE RESULT? OP`
pub(crate) fn execution_tracker(interp: Interp, writer: &Writer, args: &[Obj]) -> Result<(), Failure> {
    let (handle, command, ended, operation) = match args {
        [_, handle, command, operation] => (handle, command, None, operation),
        [_, handle, command, code, result, operation] => (handle, command, Some((code, result)), operation),
        _ => return words(args, 4, 4, "HPROVIDER COMMAND ?CODE RESULT? OP"),
    };
    if wanted(handle) {
        let (code, result) = ended.map_or((&[][..], &[][..]), |(c, r)| (c.as_internal(), r.as_internal()));
        let fields = [
            Part::Whole(operation.as_internal()),
            Part::Limited(command.as_internal()),
            Part::Whole(code),
            Part::Limited(result),
        ];
        writer.write_in_context(interp, 3, &fields);
    }
    Ok(())
}

/// `etw_command_tracker P OLD NEW OP`
pub(crate) fn command_tracker(interp: Interp, writer: &Writer, args: &[Obj]) -> Result<(), Failure> {
    words(args, 5, 5, "HPROVIDER OLDNAME NEWNAME OP")?;
    let [_, handle, old, new, operation] = args else { return Ok(()) };
    if wanted(handle) {
        let fields = [
            Part::Whole(operation.as_internal()),
            Part::Whole(old.as_internal()),
            Part::Whole(new.as_internal()),
        ];
        writer.write_in_context(interp, 4, &fields);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handle_is_its_text() {
        assert_eq!(HANDLE.to_string().as_bytes(), HANDLE_TEXT);
    }
}
