//! Lines of events that come one by one.

use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::{Record, Trace};
use tracewell_types::Guid;

use super::text::TextWriter;
use crate::term::Style;
use tracewell::events::event::Event;
use tracewell::events::json::JsonWriter;

/// Shows live events as `etw dump` shows those of a file.
pub(in crate::etw) struct Lines {
    decoder: Decoder,
    form: Form,
}

enum Form {
    Text(TextWriter),
    Json(JsonWriter),
}

impl Lines {
    /// Text for people, or one JSON object a line. What describes the events of files is taken from them first.
    pub(in crate::etw) fn new<'a>(
        json: bool,
        style: Style,
        files: impl Iterator<Item = &'a Trace<'a>>,
    ) -> Lines {
        let mut schemas = Schemas::new();
        for file in files {
            let mut records = file.file_order();
            while let Some(record) = records.next() {
                schemas.observe(&record);
            }
        }
        let form = if json {
            Form::Json(JsonWriter::new(false, true))
        } else {
            Form::Text(TextWriter::new(style, false, true))
        };
        Lines { decoder: Decoder::new(schemas), form }
    }

    /// Names a provider, before its first event is shown.
    pub(in crate::etw) fn name_provider(&mut self, guid: Guid, name: &str) {
        self.decoder.name_provider(guid, name);
    }

    /// Appends the line of an event that happened so many nanoseconds after the start; says who logged it.
    pub(in crate::etw) fn event(&mut self, out: &mut Vec<u8>, record: Record<'_>, time: i64, process: &str) {
        let id = self.decoder.id(&record);
        let format = self.decoder.get(id);
        let (pid, tid) = (record.pid(), record.tid());
        let event = Event {
            record,
            format,
            id,
            time,
            origin: 0,
            file: "",
            pid,
            tid,
            process,
            stack: &[],
            places: None,
            clock: None,
        };
        match &mut self.form {
            Form::Text(writer) => writer.event(out, &event),
            Form::Json(writer) => writer.event(out, &event),
        };
    }
}
