//! Spans of time between two events.

use tracewell::views::ended::Ended;
use tracewell_decode::{Decoder, EventFormat};
use tracewell_etl::Record;
use tracewell_state::pairs::Pairing;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now};
use crate::derived::machine;
use crate::derived::out::{Each, Out, columns, number, text};

/// A span that ended.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    span: &'r Ended,
    provider: &'r str,
    started: i64,
    start_event: &'r str,
}

columns! { Row;
    "started" Time always State "ns" "When it began." = |row| Cell::Number(row.started.into());
    "ended" Time always State "ns" "When it ended." = |row| Cell::Number(row.now.time.into());
    "duration" I64 always State "ns" "From start to end." = |row| Cell::Number(row.now.time.saturating_sub(row.started).into());
    "number" U64 always State "" "Its number, in the order of the starts in its file." = |row| Cell::Number(row.span.number.into());
    "parent" U64 null State "" "The number of the span around it." = |row| number(Some(row.span.parent).filter(|parent| *parent != 0));
    "depth" U32 always State "" "The number of spans around it." = |row| Cell::Number(row.span.depth.into());
    "cpu" U16 always State "" "The processor on which it began." = |row| Cell::Number(row.span.cpu.into());
    "pid" U32 null State "" "The id of the process that began it." = |row| number(row.span.pid);
    "tid" U32 null State "" "The id of the thread that began it." = |row| number(row.span.tid);
    "process" Name null State "" "The name of the process." = |row| text(process(row.now, row.span));
    "provider" Name null Names "" "The provider of both events." = |row| text(row.provider);
    "name" Name always Names "" "The name of the span." = |row| Cell::Text(&row.span.name);
    "start_event" Name null Names "" "The name of the event that began it." = |row| text(row.start_event);
    "end_event" Name null Names "" "The name of the event that ended it." = |row| text(&row.now.format.name);
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// The name of the process that began a span.
pub(crate) fn process<'n>(now: &Now<'n>, span: &Ended) -> &'n str {
    let machine = now.machine();
    let process = span.pid.and_then(|pid| machine.process_at(pid, span.time));
    let process = process.and_then(|index| machine.process(index));
    process.map_or("", |process| machine::name(machine, &process.value))
}

/// Pairs starts and ends. The events that begin spans are read again with a separate decoder.
pub(crate) struct Pairs {
    pairing: Pairing,
    decoder: Decoder,
    ended: Vec<Ended>,
}

impl Pairs {
    pub(crate) fn new(decoder: Decoder) -> Pairs {
        Pairs { pairing: Pairing::new(), decoder, ended: Vec::new() }
    }

    /// Takes a record. Calls `each` for each span that ends with it, with the provider and the record and format that began it.
    pub(crate) fn observe(
        &mut self,
        now: &Now<'_>,
        mut each: impl FnMut(&Ended, &str, &Record<'_>, &EventFormat),
    ) {
        let ended = &mut self.ended;
        self.pairing
            .observe(0, now.record, (now.id, now.format), now.who, |span| ended.push(Ended::of(&span)));
        for span in self.ended.drain(..) {
            let Some(pair) = self.pairing.pairs().get(span.pair) else { continue };
            let Ok(start) = Record::parse(&span.start, span.cpu) else { continue };
            let start = start.read_as(span.reading);
            let id = self.decoder.id(&start);
            each(&span, &pair.provider, &start, self.decoder.get(id));
        }
    }
}

/// Makes the rows.
pub(crate) struct Spans(pub(crate) Pairs);

impl Follow for Spans {
    fn takes(&self, _: &EventFormat) -> bool {
        true
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        self.0.observe(now, |span, provider, _, format| {
            let started = now.clock.unix_ns(span.time);
            out.row(&Row { now, span, provider, started, start_event: &format.name }, each);
        });
    }
}
