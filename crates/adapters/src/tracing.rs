//! Events and spans of the `tracing` crate as events.

use std::fmt::{self, Debug, Write};

use tracewell_session::provider::{activity, leave_out};
use tracewell_session::{Activity, EventDescriptor, Provider};
use tracewell_types::Guid;
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use crate::dynamic::DynamicEvent;
use crate::levels;
use crate::registered::{self, Error};

/// Opcodes of the events that begin and end a span.
const START: u8 = 1;
const STOP: u8 = 2;

/// A layer that writes events and spans as events of a provider.
///
/// The name of an event is the one that the program set, or else the text of the macro: `info!(price = 45, "sold")` logs `sold`. A text
/// with values in it (`"sold {item}"`) would be another name each time, so such an event, one without a text, and one whose text is
/// longer than 128 bytes are named after their target; of all others the target is the field `target`. Fields keep their types; the
/// text is always the field `message`. A span is a pair of events with the opcodes start and stop and
/// an activity id. Events inside the span carry this id, and nested spans carry it as related activity.
#[derive(Clone, Copy, Debug)]
pub struct EtwLayer {
    provider: &'static Provider,
}

/// Makes the program a provider of this name, for the registry of `tracing-subscriber`.
///
/// # Errors
///
/// When no GUID can be made of the name.
pub fn tracing_layer(name: &str) -> Result<EtwLayer, Error> {
    Ok(EtwLayer { provider: registered::provider(name)? })
}

/// The activity of a span, kept with it.
struct SpanActivity {
    id: Guid,
    /// Activities of the threads that were in it, to be set again when they leave.
    before: Vec<(std::thread::ThreadId, Guid)>,
}

fn descriptor(metadata: &Metadata<'_>, opcode: u8) -> EventDescriptor {
    let level = match *metadata.level() {
        Level::ERROR => levels::ERROR,
        Level::WARN => levels::WARNING,
        Level::INFO => levels::INFORMATION,
        Level::DEBUG => levels::VERBOSE,
        Level::TRACE => levels::TRACE,
    };
    EventDescriptor { channel: 11, level, opcode, ..EventDescriptor::default() }
}

impl EtwLayer {
    fn is_enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.provider.is_enabled(descriptor(metadata, 0).level, 0)
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for EtwLayer {
    fn on_layer(&mut self, _: &mut S) {
        let event: fn(&EtwLayer, &Event<'_>, Context<'_, S>) = <EtwLayer as Layer<S>>::on_event;
        let begin: fn(&EtwLayer, &Attributes<'_>, &Id, Context<'_, S>) = <EtwLayer as Layer<S>>::on_new_span;
        let record: fn(&EtwLayer, &Id, &Record<'_>, Context<'_, S>) = <EtwLayer as Layer<S>>::on_record;
        let end: fn(&EtwLayer, Id, Context<'_, S>) = <EtwLayer as Layer<S>>::on_close;
        for function in [event as *const (), begin as *const (), record as *const (), end as *const ()] {
            leave_out(function);
        }
        DynamicEvent::leave_out();
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        if !self.is_enabled(metadata) {
            return;
        }
        let mut message = Message::default();
        // Unnamed events are named after their source location by the macro.
        let own = if metadata.name().starts_with("event ") {
            event.record(&mut message);
            message.name()
        } else {
            Some(metadata.name())
        };
        let mut dynamic = DynamicEvent::start(own.unwrap_or_else(|| metadata.target()));
        event.record(&mut Values(&mut dynamic));
        if own.is_some() {
            dynamic.text("target", metadata.target());
        }
        let span = context.event_span(event);
        let id = span.and_then(|span| span.extensions().get::<SpanActivity>().map(|activity| activity.id));
        dynamic.log(self.provider, &descriptor(metadata, 0), &Activity { id, related: None });
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let own = activity::create();
        let outer = span
            .parent()
            .and_then(|parent| parent.extensions().get::<SpanActivity>().map(|activity| activity.id));
        span.extensions_mut().insert(SpanActivity { id: own, before: Vec::new() });
        let metadata = attributes.metadata();
        if !self.is_enabled(metadata) {
            return;
        }
        let mut dynamic = DynamicEvent::start(metadata.name());
        attributes.record(&mut Values(&mut dynamic));
        let current = activity::current();
        let related = outer.or((!current.is_zero()).then_some(current));
        dynamic.log(self.provider, &descriptor(metadata, START), &Activity { id: Some(own), related });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if !self.is_enabled(span.metadata()) {
            return;
        }
        let mut dynamic = DynamicEvent::start(span.metadata().name());
        values.record(&mut Values(&mut dynamic));
        let own = span.extensions().get::<SpanActivity>().map(|activity| activity.id);
        let activity = Activity { id: own, related: None };
        dynamic.log(self.provider, &descriptor(span.metadata(), 0), &activity);
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(own) = extensions.get_mut::<SpanActivity>() {
            own.before.push((std::thread::current().id(), activity::set(own.id)));
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        let thread = std::thread::current().id();
        if let Some(own) = extensions.get_mut::<SpanActivity>()
            && let Some(place) = own.before.iter().rposition(|(entered, _)| *entered == thread)
        {
            activity::set(own.before.remove(place).1);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        if !self.is_enabled(span.metadata()) {
            return;
        }
        let own = span.extensions().get::<SpanActivity>().map(|activity| activity.id);
        let activity = Activity { id: own, related: None };
        let dynamic = DynamicEvent::start(span.metadata().name());
        dynamic.log(self.provider, &descriptor(span.metadata(), STOP), &activity);
    }
}

/// The text of an event, if it has no values in it.
struct Message {
    text: [u8; 128],
    len: usize,
    /// A text without values is written in one piece.
    pieces: usize,
}

impl Default for Message {
    fn default() -> Message {
        Message { text: [0; 128], len: 0, pieces: 0 }
    }
}

impl Message {
    /// The text as a name.
    fn name(&self) -> Option<&str> {
        let text = self.text.get(..self.len).filter(|text| self.pieces == 1 && !text.is_empty())?;
        std::str::from_utf8(text).ok()
    }
}

impl Write for Message {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.pieces += 1;
        let room = self.text.get_mut(..piece.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(piece.as_bytes());
        self.len = piece.len();
        Ok(())
    }
}

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" && write!(self, "{value:?}").is_err() {
            // Too long.
            self.len = 0;
        }
    }
}

struct Values<'a>(&'a mut DynamicEvent);

impl Visit for Values<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.float(field.name(), value);
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.signed(field.name(), value);
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.unsigned(field.name(), value);
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.boolean(field.name(), value);
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.text(field.name(), value);
    }
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.formatted(field.name(), format_args!("{value:?}"));
    }
}
