//! An event as the writers and the conditions see it.

use tracewell_decode::{EventFormat, Fields, FormatId, Lack, NamedValue, Value};
use tracewell_etl::{Clock, Record};
use tracewell_schema::Hint;
use tracewell_state::Machine;
use tracewell_symbols::Symbols;

use super::property::Item;

/// A record with everything that is known about it.
#[derive(Debug)]
pub struct Event<'a> {
    /// The record.
    pub record: Record<'a>,
    /// What describes the event.
    pub format: &'a EventFormat,
    /// The number of the format.
    pub id: FormatId,
    /// Nanoseconds since the start of the first trace.
    pub time: i64,
    /// When that was, in nanoseconds since 1970 began.
    pub origin: i64,
    /// The file it is from; empty when it comes from none.
    pub file: &'a str,
    /// The process id, from the record or from who ran.
    pub pid: Option<u32>,
    /// The thread id.
    pub tid: Option<u32>,
    /// The name of the process; empty if the trace does not contain it.
    pub process: &'a str,
    /// The addresses of its stack, innermost first: those it carries and those that were logged for it. Empty
    /// unless stacks are asked for.
    pub stack: &'a [u64],
    /// Resolves addresses; `None` unless stacks are requested.
    pub places: Option<Places<'a>>,
    /// The unit of the trace's raw times; unknown for live events.
    pub clock: Option<Clock>,
}

/// Resolves addresses to names, using the images in the trace and symbol files.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The images.
    pub machine: &'a Machine,
    /// The names of functions.
    pub symbols: &'a Symbols<'a>,
}

impl Places<'_> {
    /// Describes an address of a process at a raw time: `module!function+0x1`, else `image.dll+0x1`. [`None`] if it is unknown. Of
    /// a return address, the function is that of the call.
    #[must_use]
    pub fn name(&self, pid: u32, address: u64, time: i64, is_return: bool) -> Option<String> {
        let location = match is_return {
            false => self.symbols.locate(pid, address, time),
            true => self.symbols.locate_return(pid, address, time),
        };
        if let Some((location, symbol)) = location.as_ref().and_then(|l| Some((l, l.symbol.as_ref()?))) {
            let function = format!("{}!{symbol}", location.module);
            let offset = location.offset;
            return Some(if offset == 0 { function } else { format!("{function}+{offset:#x}") });
        }
        let image = self.machine.image_at(pid, address, time)?;
        let offset = address.checked_sub(image.value.base)?;
        Some(format!("{}+{offset:#x}", self.machine.name(image.value.module)))
    }
}

impl<'a> Event<'a> {
    /// The fields of the payload.
    pub fn fields(&self) -> Fields<'a> {
        self.format.fields(&self.record)
    }

    /// The field called `name`, or `name.member.member` of structs and arrays of structs. Letters are compared without
    /// case; of several fields of one name it is the first.
    pub fn field(&self, name: &str) -> Option<Cellful<'a>> {
        reach(self.fields(), name)
    }

    /// Interprets a field as a raw time of the trace's clock; returns nanoseconds since the start of the first trace. Zero
    /// means that no time is set.
    pub fn trace_time(&self, field: &NamedValue<'_>) -> Option<i64> {
        let clock = self.clock.filter(|_| field.field.hint == Hint::TraceTime)?;
        let raw = match field.value {
            Value::Unsigned(raw) => raw.cast_signed(),
            Value::Signed(raw) => raw,
            _ => return None,
        };
        let since = clock.duration_ns(raw.wrapping_sub(self.record.time()));
        (raw != 0).then_some(self.time.saturating_add(since))
    }

    /// Returns `true` if the layout takes up the whole payload.
    pub fn is_understood(&self) -> bool {
        matches!(self.fields().finish(), Ok([]))
    }

    /// Why the event was not, or not in full, decoded by the description of its version.
    pub fn lack(&self) -> Option<Lack> {
        if self.format.exact && self.format.inferred.is_none() && self.is_understood() {
            return None;
        }
        self.fields().lack(self.format)
    }

    /// Describes each address of the stack: `module!function+0x1`, else `image.dll+0x1`, else the address.
    pub fn frames(&self) -> impl Iterator<Item = String> {
        (0..self.stack.len()).filter_map(|at| {
            let address = *self.stack.get(at)?;
            Some(self.place(at).unwrap_or_else(|| format!("{address:#x}")))
        })
    }

    /// Describes an address of the stack; `None` if it is unknown. All but the innermost are return addresses.
    pub fn place(&self, at: usize) -> Option<String> {
        let (address, places) = (*self.stack.get(at)?, self.places?);
        let (pid, time) = (self.pid.unwrap_or(0), self.record.time());
        places.name(pid, address, time, at > 0)
    }
}

/// The value of a column for an event.
#[derive(Debug)]
pub enum Cellful<'a> {
    /// A property.
    Head(Item<'a>),
    /// A field.
    Field(NamedValue<'a>),
    /// A member of each struct of an array.
    Fields(Vec<NamedValue<'a>>),
}

fn reach<'a>(mut fields: Fields<'a>, path: &str) -> Option<Cellful<'a>> {
    // A name may have dots in it, so the rest of the path may be one.
    let (found, rest) = fields.find_map(|field| {
        let (name, rest) = path.split_at_checked(field.field.name.len())?;
        let is_it = name.eq_ignore_ascii_case(&field.field.name);
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix('.')? };
        is_it.then_some((field, rest))
    })?;
    if rest.is_empty() {
        return Some(Cellful::Field(found));
    }
    match found.value {
        Value::Struct(members) => reach(members.fields(), rest),
        Value::Array(array) => {
            let mut all = Vec::new();
            for element in array {
                let Value::Struct(members) = element else { return None };
                match reach(members.fields(), rest) {
                    Some(Cellful::Field(field)) => all.push(field),
                    Some(Cellful::Fields(fields)) => all.extend(fields),
                    _ => {}
                }
            }
            Some(Cellful::Fields(all))
        }
        _ => None,
    }
}

/// The source of a description in one word.
pub fn source_name(format: &EventFormat) -> &'static str {
    use tracewell_decode::Source;
    match format.source {
        Source::None => "none",
        Source::Kernel => "kernel",
        Source::TraceLogging => "tracelogging",
        Source::TraceManifest => "trace-manifest",
        Source::Merged => "merged",
        Source::User => "given",
        Source::Bundled => "bundled",
        Source::Collected => "collected",
        Source::Header => "header",
    }
}
