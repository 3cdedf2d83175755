//! The one provider of TWAPI: messages, and what Tcl's traces see.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tracewell_session::provider::Sink;
use tracewell_session::{ClassicDescriptor, Code, Control, Notice, Provider};
use tracewell_types::Guid;

use crate::failure::{bad_arguments, win32_code, words};
use crate::sys::{Interp, Obj, Outcome};
use crate::text::{limited, push_utf16};

/// The provider's GUID, the same as that of TWAPI on Windows.
pub(crate) const PROVIDER_GUID: Guid = Guid::parse("B358E9D9-4D82-4A82-A129-BAC098C54746");
/// The GUID of its event class, which its events carry.
pub(crate) const CLASS_GUID: Guid = Guid::parse("D5B52E95-8447-40C1-B316-539894449B36");
/// The provider's name.
pub(crate) const PROVIDER_NAME: &str = "TwapiETWProvider";

static PROVIDER: Provider = Provider::new(PROVIDER_NAME, PROVIDER_GUID, &[]);
static REGISTERED: AtomicBool = AtomicBool::new(false);
/// What the last session asked for. Both stay when it goes.
static LEVEL: AtomicU8 = AtomicU8::new(0);
static FLAGS: AtomicU32 = AtomicU32::new(0);
/// Events that a session wanted and did not get.
static LOST: AtomicU64 = AtomicU64::new(0);

/// The handle of the provider, of which there is one in a process.
const HANDLE: i64 = 0x4554_5700_0001;

/// Event types of the class, with the names of their fields.
pub(crate) const EVENTS: [(u8, &str, &[&str]); 4] = [
    (1, "Message", &["Message"]),
    (2, "VariableTrace", &["Operation", "Name", "Index", "Value", "Context"]),
    (3, "ExecutionTrace", &["Operation", "Command", "Code", "Result", "Context"]),
    (4, "CommandTrace", &["Operation", "OldName", "NewName", "Context"]),
];

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

thread_local! {
    /// The payload being built; kept, so that an event allocates nothing.
    static PAYLOAD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// One field: whole, or limited in length.
enum Part<'a> {
    Whole(&'a [u8]),
    Limited(&'a [u8]),
}

/// Builds and writes an event. What is lost is counted and never an error: the traced script must go on.
fn write(opcode: u8, level: u8, parts: &[Part<'_>]) {
    PAYLOAD.with(|payload| {
        let Ok(mut payload) = payload.try_borrow_mut() else { return };
        payload.clear();
        for part in parts {
            let (bytes, dots) = match *part {
                Part::Whole(bytes) => (bytes, false),
                Part::Limited(bytes) => limited(bytes),
            };
            // The terminator is a zero, so an embedded one ends the text.
            let end = bytes.windows(2).position(|pair| pair == [0xC0, 0x80]).unwrap_or(bytes.len());
            push_utf16(&bytes[..end], &mut payload);
            if dots && end == bytes.len() {
                push_utf16(b"...", &mut payload);
            }
            payload.extend_from_slice(&[0, 0]);
        }
        let event = ClassicDescriptor { class: CLASS_GUID, opcode, level, version: 0, flags: 0 };
        let bytes: &[u8] = &payload;
        let delivery = PROVIDER.write_classic(&event, &|sink: &mut Sink<'_>| sink.push(bytes));
        if delivery.lost > 0 || delivery.too_long {
            LOST.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Waits, but not for long, until this process's own provider has taken note that it is enabled. A daemon that was started
/// just now may not have met it yet, and a script that enables its own provider means what it does next.
pub(crate) fn wait_until_enabled() {
    for _ in 0..500 {
        if PROVIDER.is_enabled(0, 0) || !REGISTERED.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether a tracker has anything to do.
#[inline]
fn wanted(handle: &Obj) -> bool {
    PROVIDER.is_enabled(0, 0) && handle.as_int() == Some(HANDLE)
}

/// `etw_log_message P MESSAGE ?LEVEL?`
pub(crate) fn log_message(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 3, 4, "HPROVIDER MESSAGE ?LEVEL?")?;
    let level = match args.get(3) {
        Some(word) => level(word)
            .ok_or_else(|| bad_arguments(format!("Invalid or unknown trace level \"{}\".", word.text())))?,
        None => 4,
    };
    if args[1].as_int() != Some(HANDLE) || !REGISTERED.load(Ordering::Relaxed) {
        return Err(win32_code(Code(6), "the provider handle is not valid"));
    }
    if PROVIDER.is_enabled(level, 0) {
        write(1, level, &[Part::Whole(args[2].as_internal())]);
    }
    Ok(Obj::empty())
}

/// The command line of the procedure that something happened in.
fn context(interp: Interp) -> Option<Obj> {
    let context = interp.caller();
    interp.reset();
    context
}

fn limited_context(context: &Option<Obj>) -> Part<'_> {
    Part::Limited(context.as_ref().map_or(&[], Obj::as_internal))
}

/// `etw_variable_tracker P NAME1 NAME2 OP`
pub(crate) fn variable_tracker(interp: Interp, args: &[Obj]) -> Outcome {
    words(args, 5, 5, "HPROVIDER NAME1 NAME2 OP")?;
    let [_, handle, name, index, operation] = args else { return Ok(Obj::empty()) };
    if wanted(handle) {
        let value = match operation.as_internal() {
            b"array" | b"unset" => None,
            _ => interp.variable(name, Some(index).filter(|index| !index.as_internal().is_empty())),
        };
        let context = context(interp);
        write(
            2,
            0,
            &[
                Part::Whole(operation.as_internal()),
                Part::Whole(name.as_internal()),
                Part::Whole(index.as_internal()),
                Part::Whole(value.as_ref().map_or(&[], Obj::as_internal)),
                limited_context(&context),
            ],
        );
    }
    Ok(Obj::empty())
}

/// `etw_execution_tracker P COMMAND ?CODE RESULT? OP`
pub(crate) fn execution_tracker(interp: Interp, args: &[Obj]) -> Outcome {
    let (handle, command, ended, operation) = match args {
        [_, handle, command, operation] => (handle, command, None, operation),
        [_, handle, command, code, result, operation] => (handle, command, Some((code, result)), operation),
        _ => {
            words(args, 4, 4, "HPROVIDER COMMAND ?CODE RESULT? OP")?;
            return Ok(Obj::empty());
        }
    };
    if wanted(handle) {
        let context = context(interp);
        let (code, result) = ended.map_or((&[][..], &[][..]), |(c, r)| (c.as_internal(), r.as_internal()));
        write(
            3,
            0,
            &[
                Part::Whole(operation.as_internal()),
                Part::Limited(command.as_internal()),
                Part::Whole(code),
                Part::Limited(result),
                limited_context(&context),
            ],
        );
    }
    Ok(Obj::empty())
}

/// `etw_command_tracker P OLD NEW OP`
pub(crate) fn command_tracker(interp: Interp, args: &[Obj]) -> Outcome {
    words(args, 5, 5, "HPROVIDER OLDNAME NEWNAME OP")?;
    let [_, handle, old, new, operation] = args else { return Ok(Obj::empty()) };
    if wanted(handle) {
        let context = context(interp);
        write(
            4,
            0,
            &[
                Part::Whole(operation.as_internal()),
                Part::Whole(old.as_internal()),
                Part::Whole(new.as_internal()),
                limited_context(&context),
            ],
        );
    }
    Ok(Obj::empty())
}
