//! Handles of files and live sessions, and reading them.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use tracewell::open::{self, InputError, Limit, TraceFile};
use tracewell_etl::map::survive_truncation;
use tracewell_session::{Backlog, Controller};

use crate::event::{self, EVENT_ERRORS, Event, PROPERTY_ERRORS};
use crate::failure::{bad_arguments, file_error, integer, plain, win32, words};
use crate::pump::{self, Descriptor, Flow, MOST_EVENTS, Sink, Source, Span};
use crate::rows::{Form, Gathered, Origin};
use crate::sys::{Failure, Interp, Obj, Outcome, code};
use crate::{background, controller, provider};

/// A consumer: its source, unless that is being read.
struct Consumer {
    source: Option<Source>,
}

#[derive(Default)]
struct State {
    consumers: HashMap<i64, Consumer>,
    last: i64,
    formatters: Vec<String>,
    last_formatter: u64,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add(source: Source) -> Obj {
    let mut state = state();
    state.last += 1;
    let handle = state.last;
    state.consumers.insert(handle, Consumer { source: Some(source) });
    Obj::int(handle)
}

/// Opens a file: a trace, or an archive of traces, which are read together.
pub(crate) fn file_source(path: &str) -> Result<Source, Failure> {
    // A script must not end the interpreter's process because another one shortens the file.
    survive_truncation();
    let opened: Result<Vec<TraceFile>, InputError> =
        open::traces(Path::new(path), &Limit::default()).into_iter().collect();
    let files = opened.and_then(|files| {
        files.iter().try_for_each(|file| file.trace().map(drop))?;
        Ok(files)
    });
    let refused = |error: InputError| match &error {
        InputError::Io(path, system) if system.raw_os_error().is_some() => {
            file_error(system, &path.display().to_string())
        }
        InputError::Format(_, why, guess) => {
            let guess = guess.map(|guess| format!(" ({guess})")).unwrap_or_default();
            pump::damaged(path, &format!("{why}{guess}"))
        }
        _ => pump::damaged(path, &error.to_string()),
    };
    files.map(|files| Source::Files(path.to_owned(), Arc::new(files))).map_err(refused)
}

pub(crate) fn live_source(name: &str) -> Result<Source, Failure> {
    let live = controller::engine().attach(name, Backlog::Lose).map_err(|e| win32(&e))?;
    Ok(Source::Live(name.to_owned(), live))
}

/// `tracewell::open_file PATH`
pub(crate) fn open_file(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "PATH")?;
    file_source(&args[1].text()).map(add)
}

/// `etw_open_session NAME`
pub(crate) fn open_session(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "SESSIONNAME")?;
    live_source(&args[1].text()).map(add)
}

fn not_found(word: &Obj) -> Failure {
    bad_arguments(format!("Cannot find trace session with handle {}.", word.text()))
}

/// `etw_close_session C`. One that is being read ends after the event at hand.
pub(crate) fn close(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "HTRACE")?;
    let handle = args[1].as_int();
    match handle.and_then(|handle| state().consumers.remove(&handle)) {
        Some(_) => {
            background::close(handle.unwrap_or_default());
            Ok(Obj::empty())
        }
        None => Err(not_found(&args[1])),
    }
}

/// `etw_open_formatter`
pub(crate) fn open_formatter(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    let mut state = state();
    state.last_formatter += 1;
    let name = format!("{}{}", if event::is_by_class() { "mof" } else { "tdh" }, state.last_formatter);
    state.formatters.push(name.clone());
    Ok(Obj::new(&name))
}

/// `etw_close_formatter F`
pub(crate) fn close_formatter(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "FORMATTER")?;
    let name = args[1].text();
    state().formatters.retain(|known| *known != name);
    Ok(Obj::empty())
}

/// Refuses what is no formatter.
pub(crate) fn check_formatter(word: &Obj) -> Result<(), Failure> {
    let name = word.text();
    if state().formatters.contains(&name) {
        return Ok(());
    }
    Err(bad_arguments(format!("Invalid ETW formatter id \"{name}\"")))
}

/// `etw_errors`
pub(crate) fn errors(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    let dict = Obj::dict();
    let put = |key: &str, value: Obj| dict.put(&Obj::new(key), &value);
    put("error_count", Obj::unsigned(EVENT_ERRORS.load(Ordering::Relaxed)));
    put("property_error_count", Obj::unsigned(PROPERTY_ERRORS.load(Ordering::Relaxed)));
    put("last_winerr", Obj::int(0));
    put("last_winerr_text", Obj::empty());
    put("provider_events_lost", Obj::unsigned(provider::lost()));
    put("session_events_lost", Obj::unsigned(pump::SESSION_LOST.load(Ordering::Relaxed)));
    put("consumer_events_lost", Obj::unsigned(pump::CONSUMER_LOST.load(Ordering::Relaxed)));
    Ok(dict)
}

/// Collects raw events, and gives them out by buffer: to a callback, or into a list.
struct Raw {
    interp: Interp,
    /// The words of the callback.
    callback: Option<Vec<Obj>>,
    events: Gathered,
    all: Vec<Obj>,
}

impl Sink for Raw {
    fn event(&mut self, event: &Event<'_>, origin: &Rc<Origin>) -> Result<Flow, Failure> {
        self.events.add(event, origin);
        Ok(Flow::On)
    }

    fn is_full(&self) -> bool {
        self.callback.is_some() && self.events.len() >= MOST_EVENTS
    }

    fn buffer(&mut self, descriptor: &Descriptor<'_>) -> Result<Flow, Failure> {
        let events = Obj::list(&self.events.take(&Form::Raw));
        let Some(callback) = &self.callback else {
            self.all.extend([descriptor.to_obj(), events]);
            return Ok(Flow::On);
        };
        let mut words = callback.clone();
        words.extend([descriptor.to_obj(), events]);
        match self.interp.call(&words, true) {
            Ok(_) => Ok(Flow::On),
            Err(Failure::Script(code::BREAK)) => {
                self.interp.reset();
                Ok(Flow::Stop)
            }
            Err(Failure::Script(_)) => Err(Failure::Script(code::ERROR)),
            Err(failure) => Err(failure),
        }
    }
}

thread_local! {
    /// Whether this thread is reading events: the callbacks of one reading may not begin another.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Marks the thread as reading, until dropped.
pub(crate) struct Reading(());

impl Reading {
    pub(crate) fn begin() -> Result<Reading, Failure> {
        if READING.replace(true) {
            return Err(plain("Recursive call to ProcessTrace"));
        }
        Ok(Reading(()))
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        READING.set(false);
    }
}

fn time(word: &Obj) -> Result<Option<i64>, Failure> {
    if word.as_internal().is_empty() { Ok(None) } else { integer(word).map(Some) }
}

/// Most sources that are read at a time, as on Windows.
const MOST: usize = 64;

/// `tracewell::process CALLBACK START END C ?C...?`
pub(crate) fn process(interp: Interp, args: &[Obj]) -> Outcome {
    words(args, 4, usize::MAX, "CALLBACK START END ?HTRACE ...?")?;
    let span = Span { start: time(&args[2])?, end: time(&args[3])? };
    let handles = &args[4..];
    if handles.is_empty() {
        return Err(plain("At least one trace handle must be specified."));
    }
    if handles.len() > MOST {
        return Err(bad_arguments(format!("At most {MOST} traces can be processed at a time.")));
    }
    let reading = Reading::begin()?;
    let mut taken: Vec<(i64, Source)> = Vec::new();
    let mut fault = None;
    {
        let mut state = state();
        for word in handles {
            let consumer = word.as_int().and_then(|handle| Some((handle, state.consumers.get_mut(&handle)?)));
            match consumer.and_then(|(handle, consumer)| Some((handle, consumer.source.take()?))) {
                Some(source) => taken.push(source),
                None => {
                    fault = Some(not_found(word));
                    break;
                }
            }
        }
    }
    let (numbers, mut sources): (Vec<i64>, Vec<Source>) = taken.into_iter().unzip();
    let callback = args[1].items().filter(|words| !words.is_empty());
    let mut sink = Raw { interp, callback, events: Gathered::default(), all: Vec::new() };
    let result = match fault {
        Some(fault) => Err(fault),
        None => {
            let mut wanted = || {
                interp.go_on()?;
                Ok(numbers.iter().all(|handle| state().consumers.contains_key(handle)))
            };
            pump::run(&mut sources, span, &mut sink, &mut wanted)
        }
    };
    let mut state = state();
    for (handle, source) in numbers.iter().zip(sources) {
        if let Some(consumer) = state.consumers.get_mut(handle) {
            consumer.source = Some(source);
        }
    }
    drop(state);
    drop(reading);
    result.map(|()| Obj::list(&sink.all))
}

/// `tracewell::read_on CALLBACK START END C ?C...?`: returns at once; the event loop calls back.
pub(crate) fn read_on(interp: Interp, args: &[Obj]) -> Outcome {
    words(args, 5, usize::MAX, "CALLBACK START END HTRACE ?HTRACE ...?")?;
    let span = Span { start: time(&args[2])?, end: time(&args[3])? };
    let callback = args[1].items().unwrap_or_default();
    let mut taken = Vec::new();
    let mut fault = None;
    for word in &args[4..] {
        let mut state = state();
        let consumer = word.as_int().and_then(|handle| Some((handle, state.consumers.get_mut(&handle)?)));
        match consumer.and_then(|(handle, consumer)| Some((handle, consumer.source.take()?))) {
            Some(source) => taken.push(source),
            None => fault = fault.or_else(|| Some(not_found(word))),
        }
    }
    if let Some(fault) = fault {
        // Nothing is read when not all can be.
        let mut state = state();
        for (handle, source) in taken {
            if let Some(consumer) = state.consumers.get_mut(&handle) {
                consumer.source = Some(source);
            }
        }
        return Err(fault);
    }
    for (handle, source) in taken {
        background::start(interp, handle, source, span, callback.clone())?;
    }
    Ok(Obj::empty())
}

/// `tracewell::reading`: the consumers that are read in the background.
pub(crate) fn reading(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    Ok(Obj::list(&background::handles().into_iter().map(Obj::int).collect::<Vec<_>>()))
}
