//! The consumer: walks the records in order and writes the classic layout.

mod aggregation;
mod dates;
pub(crate) mod drops;
mod float;
mod flow;
mod json;
mod logged;
mod plan;
mod printf;
mod scene;
mod shape;
mod value;

use crate::agg::AggTable;
use crate::agg::rates::Rates;
use crate::buffer::{self, Header};
use crate::enabling::{ERROR_RECORD, Enabling};
use crate::fault::FaultKind;
use crate::host::{Names, Output};
use crate::options::{FoundZone, Order, RunOptions, Shown};
use crate::pack::{Reader, Value};
use crate::state::State;
pub(crate) use aggregation::histogram;
use aggregation::{order, settle};
use plan::Plan;
use scene::Scene;
use std::io::Write as _;
use tracewell_dlang::format::Format;
use tracewell_dlang::program::{Action, ActionKind, Aggregation, ProbeId, Program, Repr};
use tracewell_types::visible::{self, Keep};

/// Output is handed over when this much has gathered.
const CHUNK: usize = 64 << 10;

/// The state of the consumer between drains.
#[derive(Debug)]
pub(crate) struct Consumer {
    /// Text not yet handed over.
    text: Vec<u8>,
    /// The formats of `printf` made ready, by clause and action.
    plans: Vec<Vec<Option<Plan>>>,
    /// Values of the record being shown, as JSON.
    values: Vec<u8>,
    /// Lines of JSON that follow the current record.
    after: Vec<u8>,
    heading: bool,
    flow: flow::Flow,
    zone: FoundZone,
    /// What the rates of pictures are taken from.
    rates: Rates,
    /// Whether bars are coloured where output goes when no `freopen()` sends it elsewhere, once one did.
    colour: Option<bool>,
}

impl Consumer {
    pub(crate) fn new(program: &Program, options: &RunOptions) -> Consumer {
        let plan = |action: &Action| match action.kind {
            ActionKind::Printf(format) => {
                program.formats.get(format as usize).map(|format| Plan::new(format, &action.args))
            }
            _ => None,
        };
        Consumer {
            text: Vec::new(),
            rates: Rates::default(),
            plans: program.clauses.iter().map(|clause| clause.actions.iter().map(plan).collect()).collect(),
            values: Vec::new(),
            after: Vec::new(),
            heading: false,
            flow: flow::Flow::default(),
            zone: FoundZone::new(options.zone),
            colour: None,
        }
    }

    /// Shows all records.
    pub(crate) fn drain(
        &mut self,
        program: &Program,
        enablings: &[Enabling],
        state: &mut State,
        options: &mut RunOptions,
        names: &dyn Names,
        out: &mut dyn Output,
    ) {
        let mut cpus = state.principal.take();
        while let Some((cpu, youngest)) = buffer::next(&cpus, options.temporal) {
            let Some(buffer) = cpus.get_mut(cpu) else { break };
            while let Some((header, data)) = buffer.records.take(youngest) {
                if header.epid == ERROR_RECORD {
                    if !options.noerror {
                        self.flush(out);
                        error_line(data, enablings, options, names, out);
                    }
                    continue;
                }
                let enabling = (header.epid as usize).checked_sub(1).and_then(|e| enablings.get(e));
                let Some(&enabling) = enabling else { continue };
                self.record(program, header, enabling, data, state, options, names, out);
                if self.text.len() > CHUNK {
                    self.flush(out);
                }
            }
        }
        self.flush(out);
        state.principal.drained(cpus);
    }

    /// Shows one record.
    #[expect(clippy::too_many_arguments, reason = "the consumer's whole surroundings")]
    fn record(
        &mut self,
        program: &Program,
        header: Header,
        Enabling { probe, clause: number }: Enabling,
        data: &[u8],
        state: &mut State,
        options: &mut RunOptions,
        names: &dyn Names,
        out: &mut dyn Output,
    ) {
        let Some(clause) = program.clauses.get(number as usize) else { return };
        self.prefix(header.cpu, header.epid, probe, options, names);
        let start = self.text.len();
        let mut reader = Reader::record(data);
        while let Some(at) = reader.word16()
            && let Some(action) = clause.actions.get(usize::from(at))
        {
            if options.json {
                let scene = Scene { names, options, zone: &self.zone, exact: options.is_exact() };
                // A value that cannot be read here cannot be shown in the other form either.
                let _ = json::values(&mut self.values, action, reader, &scene);
            }
            let plan = self.plans.get(number as usize).and_then(|plans| plans.get(usize::from(at)));
            let shown = match plan {
                Some(Some(plan)) => {
                    let scene = Scene { names, options, zone: &self.zone, exact: options.is_exact() };
                    plan.show(&mut self.text, &action.args, &mut reader, &scene);
                    Some(())
                }
                _ => self.action(program, action, &mut reader, state, options, names, out),
            };
            if shown.is_none() {
                break;
            }
        }
        if options.json {
            json::record(&mut self.text, start, &names.probe(probe), header.cpu, &self.values);
            self.text.append(&mut self.after);
            self.values.clear();
        } else if !options.quiet {
            self.text.push(b'\n');
        }
    }

    /// Shows the aggregations that nothing has shown.
    pub(crate) fn finish(
        &mut self,
        program: &Program,
        state: &mut State,
        options: &RunOptions,
        names: &dyn Names,
        out: &mut dyn Output,
    ) {
        if !options.json {
            self.text.push(b'\n');
        }
        let Consumer { text, zone, .. } = self;
        let scene = Scene { names, options, zone, exact: options.is_exact() };
        let mut left: Vec<usize> = (0..state.aggs.len()).filter(|&n| !state.aggs[n].printed).collect();
        if options.aggs.falling {
            left.reverse();
        }
        for number in left {
            settle(&[number], &mut state.aggs, &scene);
            match program.aggs.get(number) {
                Some(agg) if options.json => json::aggregation(text, &agg.name, number, &state.aggs, &scene),
                _ => aggregation::default(text, &[number], &state.aggs, &scene),
            }
        }
        self.flush(out);
    }

    /// The current aggregations as a picture shows them at a time in nanoseconds.
    pub(crate) fn picture(
        &mut self,
        program: &Program,
        state: &mut State,
        options: &RunOptions,
        names: &dyn Names,
        (shown, now): (&Shown, i64),
    ) -> Vec<u8> {
        let mut text = Vec::new();
        // The picture is cut to the terminal's width, which marks of colours would not survive.
        let mut options = RunOptions { colour: false, ..options.clone() };
        match shown.order {
            Order::Asked => {}
            Order::Largest => {
                (options.aggs.sort_by_key, options.aggs.falling, options.aggs.position) = (false, true, 0);
            }
            Order::Keys => {
                (options.aggs.sort_by_key, options.aggs.falling, options.aggs.key_position) =
                    (true, false, 0);
            }
        }
        let options = &options;
        let scene = Scene { names, options, zone: &self.zone, exact: options.is_exact() };
        let count = state.aggs.len().min(program.aggs.len());
        for number in 0..count {
            if state.aggs[number].printed {
                continue;
            }
            settle(&[number], &mut state.aggs, &scene);
        }
        // Copies of large aggregations cost time and memory, so there are some only while they are needed.
        let rates = if shown.rates {
            self.rates.note(now, &state.aggs);
            let tables = state.aggs.iter().enumerate();
            Some(tables.map(|(number, table)| self.rates.of(number, table, now)).collect::<Vec<_>>())
        } else {
            self.rates = Rates::default();
            None
        };
        let tables = rates.as_deref().unwrap_or(&state.aggs);
        for number in (0..count).filter(|number| !tables[*number].printed) {
            aggregation::default(&mut text, &[number], tables, &scene);
        }
        text
    }

    fn flush(&mut self, out: &mut dyn Output) {
        if !self.text.is_empty() {
            out.write(&self.text);
            self.text.clear();
        }
    }

    /// Writes the prefix of a record's data.
    fn prefix(&mut self, cpu: u32, epid: u32, probe: ProbeId, options: &RunOptions, names: &dyn Names) {
        if options.quiet || options.json {
            return;
        }
        let text = &mut self.text;
        let probe_names = names.probe(probe);
        if options.flowindent {
            if !self.heading {
                text.extend_from_slice(format!("{:>3} {:<41}\n", "CPU", "FUNCTION").as_bytes());
            }
            let _ = write!(text, "{cpu:>3} ");
            let start = text.len();
            self.flow.line(text, epid, &probe_names);
            if !options.is_exact() {
                let line = text.split_off(start);
                visible::push(text, &line, Keep::Nothing);
            }
        } else {
            if !self.heading {
                let columns = if options.bare { String::new() } else { format!("{:>3} {:>6} ", "CPU", "ID") };
                let _ = writeln!(text, "{columns}{:>32}", "FUNCTION:NAME");
            }
            if !options.bare {
                let _ = write!(text, "{cpu:>3} {:>6} ", probe.0);
            }
            let exact = options.is_exact();
            let (function, name) =
                (scene::name(exact, probe_names.function), scene::name(exact, probe_names.name));
            let width = function.chars().count() + 1 + name.chars().count();
            value::blanks(text, 32usize.saturating_sub(width));
            let _ = write!(text, "{function}:{name} ");
        }
        self.heading = true;
    }

    /// Shows or carries out one action; [`None`] when its data cannot be read.
    #[expect(clippy::too_many_arguments, reason = "the consumer's whole surroundings")]
    fn action(
        &mut self,
        program: &Program,
        action: &Action,
        reader: &mut Reader<'_>,
        state: &mut State,
        options: &mut RunOptions,
        names: &dyn Names,
        out: &mut dyn Output,
    ) -> Option<()> {
        let Consumer { text, zone, after, .. } = self;
        let scene = Scene { names, options, zone, exact: options.is_exact() };
        let format = |number: &u32| program.formats.get(*number as usize);
        match &action.kind {
            ActionKind::Trace | ActionKind::Show => {
                for repr in &action.args {
                    value::trace(text, &reader.value(repr)?, &scene);
                }
            }
            ActionKind::Tracemem { .. } => {
                let n = reader.word32()?;
                value::dump(text, reader.take(n as usize)?);
            }
            ActionKind::Printf(number) => {
                Plan::new(format(number)?, &action.args).show(text, &action.args, reader, &scene);
            }
            ActionKind::Print(shape) => {
                let value = reader.value(action.args.first()?)?;
                let start = text.len();
                shape::print(text, shape, &value);
                // Names of types and members are those of the trace; the layout is not.
                if !scene.exact {
                    let shown = text.split_off(start);
                    visible::push(text, &shown, Keep::Layout);
                }
            }
            ActionKind::Printa { format: number, aggs } => {
                skip(reader, &action.args)?;
                let format = match number {
                    Some(number) => Some(format(number)?),
                    None => None,
                };
                printa(text, after, format, aggs, &program.aggs, &mut state.aggs, &scene)?;
            }
            ActionKind::EtwTrace(number) => {
                let event = program.events.get(*number as usize)?;
                let logged = logged::event(text, (*number, event), action, reader, &scene)?;
                text.push(b'\n');
                out.log(&logged);
            }
            ActionKind::Exit
            | ActionKind::Expr
            | ActionKind::Speculate
            | ActionKind::Commit
            | ActionKind::Discard
            | ActionKind::Stop
            | ActionKind::Raise
            | ActionKind::Panic
            | ActionKind::Breakpoint
            | ActionKind::Chill
            | ActionKind::Copyout
            | ActionKind::Copyoutstr => skip(reader, &action.args)?,
            ActionKind::Clear(_)
            | ActionKind::Trunc(_)
            | ActionKind::Normalize(_)
            | ActionKind::Denormalize(_) => change(action, reader, &mut state.aggs, &scene)?,
            ActionKind::Setopt => {
                let [name, value] = words(action, reader)?;
                if let Err(error) = options.set_live(&name.unwrap_or_default(), value.as_deref()) {
                    self.flush(out);
                    out.error(&format!("dtrace: setopt(): {error}"));
                }
            }
            ActionKind::Ftruncate => {
                skip(reader, &action.args)?;
                self.flush(out);
                out.truncate();
            }
            ActionKind::Freopen(number) => {
                let path = exactly(format(number)?, action, reader, scene);
                self.flush(out);
                match out.reopen((!path.is_empty()).then_some(&path)) {
                    Ok(()) => {
                        let original = *self.colour.get_or_insert(options.colour);
                        options.colour = original && path.is_empty();
                    }
                    Err(error) => out.error(&format!("dtrace: freopen(): {error}")),
                }
            }
            ActionKind::System(number) => {
                let command = exactly(format(number)?, action, reader, scene);
                self.flush(out);
                out.system(&command);
            }
        }
        Some(())
    }
}

/// Shows aggregations: by a format, or in their default form.
fn printa(
    text: &mut Vec<u8>,
    after: &mut Vec<u8>,
    format: Option<&Format>,
    aggs: &[u32],
    declared: &[Aggregation],
    values: &mut [AggTable],
    scene: &Scene<'_>,
) -> Option<()> {
    let aggs: Vec<usize> = aggs.iter().map(|agg| *agg as usize).collect();
    settle(&aggs, values, scene);
    match format {
        Some(format) => aggregation::formatted(text, format, &aggs, values, scene),
        None if scene.options.json => {}
        None => {
            text.push(b'\n');
            aggregation::default(text, &aggs, values, scene);
        }
    }
    for agg in aggs {
        if let Some(known) = declared.get(agg).filter(|_| scene.options.json) {
            json::aggregation(after, &known.name, agg, values, scene);
        }
        values.get_mut(agg)?.printed = true;
    }
    Some(())
}

/// Carries out an action that changes an aggregation: `clear`, `trunc`, `normalize`, `denormalize`.
fn change(
    action: &Action,
    reader: &mut Reader<'_>,
    values: &mut [AggTable],
    scene: &Scene<'_>,
) -> Option<()> {
    match &action.kind {
        ActionKind::Clear(agg) => {
            skip(reader, &action.args)?;
            values.get_mut(*agg as usize)?.clear();
        }
        ActionKind::Trunc(agg) => {
            let count = match action.args.first() {
                Some(repr) => number(&reader.value(repr)?) as i64,
                None => 0,
            };
            settle(&[*agg as usize], values, scene);
            order::truncate(values.get_mut(*agg as usize)?, count, scene);
        }
        ActionKind::Normalize(agg) => {
            let by = number(&reader.value(action.args.first()?)?);
            values.get_mut(*agg as usize)?.normal = by.max(1);
        }
        ActionKind::Denormalize(agg) => {
            skip(reader, &action.args)?;
            values.get_mut(*agg as usize)?.normal = 1;
        }
        _ => {}
    }
    Some(())
}

/// The two texts of `setopt`: the name of an option and its value.
fn words(action: &Action, reader: &mut Reader<'_>) -> Option<[Option<String>; 2]> {
    let mut words = [None, None];
    for (word, repr) in words.iter_mut().zip(&action.args) {
        if let Value::Str(text) = reader.value(repr)? {
            *word = Some(String::from_utf8_lossy(text).into_owned());
        }
    }
    Some(words)
}

/// The formatted arguments of an action, byte for byte.
fn exactly(format: &Format, action: &Action, reader: &mut Reader<'_>, scene: Scene<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    let scene = Scene { exact: true, ..scene };
    Plan::new(format, &action.args).show(&mut text, &action.args, reader, &scene);
    text
}

/// Passes over values that are not shown.
fn skip(reader: &mut Reader<'_>, reprs: &[Repr]) -> Option<()> {
    reprs.iter().try_for_each(|repr| reader.value(repr).map(|_| ()))
}

/// The number that a value is.
fn number(value: &Value<'_>) -> u64 {
    if let Value::Int { value, .. } = value { *value } else { 0 }
}

fn error_line(
    data: &[u8],
    enablings: &[Enabling],
    options: &RunOptions,
    names: &dyn Names,
    out: &mut dyn Output,
) {
    let mut reader = Reader::record(data);
    let mut word = || reader.word64().unwrap_or(0);
    let (epid, number, offset, kind, address) = (word(), word(), word(), word(), word());
    let enabling = (epid as usize).checked_sub(1).and_then(|e| enablings.get(e));
    let probe = enabling.map_or(ProbeId(0), |e| e.probe);
    let kind = [
        FaultKind::Unknown,
        FaultKind::BadAddr,
        FaultKind::BadAlign,
        FaultKind::IllegalOp,
        FaultKind::DivZero,
        FaultKind::NoScratch,
        FaultKind::KernelPriv,
        FaultKind::UserPriv,
        FaultKind::TupleOverflow,
        FaultKind::BadStack,
        FaultKind::LoopMax,
    ]
    .into_iter()
    .find(|known| *known as u64 == kind)
    .unwrap_or(FaultKind::Unknown);
    let n = names.probe(probe);
    let place = if number == 0 { "predicate".to_owned() } else { format!("action #{number}") };
    let shown = if kind.has_address() { format!(" (0x{address:x})") } else { String::new() };
    let named = format!("{}:{}:{}:{}", n.provider, n.module, n.function, n.name);
    out.error(&if options.oracle {
        let clause = enabling.map_or(0, |e| e.clause);
        format!(
            "dtrace: error in dt_clause_{clause} for probe ID {} ({named}): {kind}{shown} at BPF pc {offset}",
            probe.0
        )
    } else {
        format!(
            "dtrace: error on enabled probe ID {epid} (ID {}: {named}): {kind}{shown} in {place} at DIF offset {offset}",
            probe.0
        )
    });
}
