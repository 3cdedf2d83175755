//! `etw_format_events`, and cells of the records that it makes.

use std::rc::Rc;

use tracewell_etl::def::event::EventFlags;

use crate::consumer;
use crate::event::COLUMNS;
use crate::failure::{bad_arguments, integer, words};
use crate::rows::{Batch, Form};
use crate::sys::lazy::Held;
use crate::sys::{Failure, Interp, Obj, Outcome};

/// `etw_format_events F ?BUFDESC EVENTS?...`
pub(crate) fn format_events(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, usize::MAX, "FORMATTER ?BUFDESC EVENTLIST ...?")?;
    consumer::check_formatter(&args[1])?;
    let records = Obj::list(&[]);
    let mut forms = Forms::default();
    for pair in args[2..].chunks(2) {
        let [descriptor, events] = pair else {
            return Err(bad_arguments("Buffer descriptor without an event list."));
        };
        let resolution = timer_resolution(descriptor)?;
        for event in events.items().ok_or_else(not_an_event)? {
            let record = forms.row_of(&event).or_else(|| format_one(&event, resolution));
            records.push(&record.ok_or_else(not_an_event)?);
        }
    }
    Ok(Obj::list(&[Obj::texts(COLUMNS.map(|(name, _)| name)), records]))
}

/// The batches of rows that were made last, each for a batch of events.
#[derive(Default)]
struct Forms(Option<(Rc<Held>, Rc<Held>)>);

impl Forms {
    /// The row of an event that has not been looked at.
    fn row_of(&mut self, event: &Obj) -> Option<Obj> {
        let (held, at) = event.deferred()?;
        let rows = match &self.0 {
            Some((events, rows)) if Rc::ptr_eq(events, &held) => Rc::clone(rows),
            _ => {
                let batch = held.source::<Batch>().filter(|batch| batch.is_raw())?;
                let rows = batch.formed(Form::whole());
                self.0 = Some((held, Rc::clone(&rows)));
                rows
            }
        };
        Some(Obj::lazy(&rows, at))
    }
}

/// `tracewell::cell RECORD PLACE`: an element of a record, which stays as small as it is.
pub(crate) fn cell(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 3, 3, "RECORD PLACE")?;
    let place = usize::try_from(integer(&args[2])?).unwrap_or(usize::MAX);
    let deferred = args[1].deferred();
    let lazy = deferred.and_then(|(held, at)| held.source::<Batch>()?.cell(at, place));
    Ok(lazy.or_else(|| args[1].item(place)).unwrap_or_else(Obj::empty))
}

/// `tracewell::row RECORD`: a list of the elements of a record, which stays as small as it is.
pub(crate) fn row(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "RECORD")?;
    let deferred = args[1].deferred();
    let made = deferred.and_then(|(held, at)| Some(held.source::<Batch>()?.made(at)));
    Ok(made.unwrap_or_else(|| args[1].clone()))
}

fn not_an_event() -> Failure {
    bad_arguments("Invalid event: not from etw_process_events.")
}

/// Place of the log file header in a buffer descriptor, and of the timer resolution in the header.
const HEADER_AT: usize = 4;
const RESOLUTION_AT: usize = 8;

fn timer_resolution(descriptor: &Obj) -> Result<i64, Failure> {
    let header = descriptor.items().and_then(|items| items.get(HEADER_AT)?.items());
    let resolution = header.and_then(|items| items.get(RESOLUTION_AT)?.as_int());
    resolution.ok_or_else(|| bad_arguments("Invalid buffer descriptor: not from etw_process_events."))
}

fn format_one(event: &Obj, resolution: i64) -> Option<Obj> {
    let parts = event.items()?;
    let [header, _, extended, data] = &parts[..] else { return None };
    let (header, data) = (header.items()?, data.items()?);
    let [flags, _, tid, pid, time, kernel, user, processor, _, descriptor, _] = &header[..] else {
        return None;
    };
    let descriptor = descriptor.items()?;
    let [id, version, channel, level, opcode, task, keywords] = &descriptor[..] else { return None };
    let [guid, class, _, provider, level_name, channel_name, names, task_name, opcode_name, message, ..] =
        &data[..]
    else {
        return None;
    };
    let properties = data.get(13)?;
    let private = flags.as_int()? & i64::from(EventFlags::PRIVATE_SESSION.0) != 0;
    let scaled = |ticks: &Obj| Some(Obj::int(ticks.as_int()?.saturating_mul(resolution)));
    let (user, kernel) =
        if private { (scaled(processor)?, Obj::int(0)) } else { (scaled(user)?, scaled(kernel)?) };
    let sid = extended.items()?.chunks(2).find_map(|pair| match pair {
        [key, value] if key.as_internal() == b"sid" => Some(value.clone()),
        _ => None,
    });
    Some(Obj::list(&[
        id.clone(),
        version.clone(),
        channel.clone(),
        level.clone(),
        opcode.clone(),
        task.clone(),
        keywords.clone(),
        time.clone(),
        tid.clone(),
        pid.clone(),
        guid.clone(),
        user,
        kernel,
        provider.clone(),
        class.clone(),
        channel_name.clone(),
        level_name.clone(),
        opcode_name.clone(),
        task_name.clone(),
        names.clone(),
        properties.clone(),
        message.clone(),
        sid.unwrap_or_else(Obj::empty),
    ]))
}
