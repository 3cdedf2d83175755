//! The engine: a program, its state, and the two sides of it — firing and consuming.

use crate::action;
use crate::agg::AggTable;
use crate::consume::Consumer;
use crate::fault::{Fault, FaultKind};
use crate::host::{Host, Names, Output};
use crate::interp::{self, Context, End, Registers};
use crate::options::{BufPolicy, RunOptions};
use crate::pack::{Reader, Value};
use crate::state::{Drops, Firing, State, Target};
use std::fmt;
use tracewell_dlang::ir::{Inst, Op};
use tracewell_dlang::program::{Aggregation, ProbeId, Program, Repr};

/// A program being run.
///
/// The driver fires probes in order of time, BEGIN first and END last, drains from time to time, and
/// finishes. Firing never writes output and draining never runs clauses.
#[derive(Debug)]
pub struct Engine {
    program: Program,
    options: RunOptions,
    /// Clauses made ready, in program order.
    ready: Vec<ReadyClause>,
    /// Enablings in order of their numbers; enabling 1 stands first.
    enablings: Vec<Enabling>,
    /// Where each probe's enablings stand in `by_probe`: (first, past the last).
    probes: Vec<(u32, u32)>,
    by_probe: Vec<u32>,
    state: State,
    regs: Box<Registers>,
    consumer: Consumer,
}

/// A clause enabled on a probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabling {
    pub(crate) probe: ProbeId,
    pub(crate) clause: u32,
}

/// A clause's code as the interpreter takes it.
#[derive(Clone, Debug)]
struct ReadyClause {
    /// The code; jumps from the predicate to the final `ret` lead past it, so that they can be told
    /// from a predicate that held and an empty body.
    code: Vec<Inst>,
    predicate_end: usize,
    /// Classic bytes of its record; 0 when it leaves none.
    cost: u64,
    default_action: bool,
    /// It may leave a record.
    records: bool,
    /// It has loops, so its record may be larger than its actions each once.
    loops: bool,
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The program's code is faulty.
    Program(String),
    /// It has destructive actions, and they are not allowed.
    Destructive,
    /// A size in the options cannot be had.
    Size(String),
    /// The records of END do not fit a buffer of policy `fill`.
    EndTooLarge,
    /// It enables too many probes.
    TooManyProbes,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Program(what) => write!(f, "invalid program: {what}"),
            StartError::Destructive => f.write_str("destructive actions not allowed"),
            StartError::Size(what) => f.write_str(what),
            StartError::EndTooLarge => f.write_str("END enablings exceed size of principal buffer"),
            StartError::TooManyProbes => f.write_str("too many probes"),
        }
    }
}

impl std::error::Error for StartError {}

/// Sizes above this are refused, or reduced to it.
const MOST_SIZE: u64 = 1 << 32;
/// Probe numbers above this are refused: the table of them is dense.
const MOST_PROBE: u32 = 1 << 26;

impl Engine {
    /// Verifies a program and makes it ready to run.
    ///
    /// # Errors
    /// Faulty code, destructive actions that are not allowed, or sizes that cannot be had.
    pub fn new(program: Program, mut options: RunOptions) -> Result<Engine, StartError> {
        tracewell_dlang::ir::verify::verify(&program).map_err(|e| StartError::Program(e.to_string()))?;
        let destructive = |c: &tracewell_dlang::program::Clause| {
            c.actions.iter().any(|a| action::destructive(&a.kind))
                || c.code.iter().any(|i| {
                    i.op == Op::Call
                        && matches!(
                            u16::try_from(i.imm).ok().and_then(tracewell_dlang::builtins::Subr::from_number),
                            Some(
                                tracewell_dlang::builtins::Subr::Copyout
                                    | tracewell_dlang::builtins::Subr::Copyoutstr
                            )
                        )
                })
        };
        if !options.destructive && program.clauses.iter().any(destructive) {
            return Err(StartError::Destructive);
        }
        fit_sizes(&mut options)?;
        let state = State::new(&program, &options).map_err(StartError::Size)?;
        let ready: Vec<ReadyClause> = program
            .clauses
            .iter()
            .map(|clause| {
                let predicate_end = clause.predicate_end as usize;
                let mut code = clause.code.clone();
                let (last, past) = (code.len() - 1, code.len() as i32);
                for inst in code.iter_mut().take(predicate_end) {
                    if inst.is_jump() && inst.imm as usize == last {
                        inst.imm = past;
                    }
                }
                let cost = action::classic_record(clause, options.strsize, predicate_end == last);
                // Braces with nothing in them record as much as no braces.
                let default_action = clause.default_action || predicate_end == last;
                let loops = code.iter().any(|i| i.op == Op::Back);
                let records = default_action || cost > 0;
                ReadyClause { code, predicate_end, cost, default_action, records, loops }
            })
            .collect();
        let mut enablings = Vec::new();
        for (number, clause) in program.clauses.iter().enumerate() {
            for &probe in &clause.probes {
                if probe.0 > MOST_PROBE {
                    return Err(StartError::TooManyProbes);
                }
                enablings.push(Enabling { probe, clause: number as u32 });
            }
        }
        if options.bufpolicy == BufPolicy::Fill {
            let end: u64 = enablings
                .iter()
                .filter(|e| e.probe == ProbeId::END)
                .map(|e| ready[e.clause as usize].cost)
                .sum();
            if end > options.bufsize {
                return Err(StartError::EndTooLarge);
            }
        }
        let (probes, by_probe) = index(&enablings);
        let consumer = Consumer::new(&options);
        Ok(Engine {
            program,
            options,
            ready,
            enablings,
            probes,
            by_probe,
            state,
            regs: Box::new([0; 256]),
            consumer,
        })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The options as they are now.
    #[must_use]
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// Whether any clause is enabled on a probe.
    #[must_use]
    #[inline]
    pub fn is_enabled(&self, probe: ProbeId) -> bool {
        self.probes.get(probe.0 as usize).is_some_and(|(first, end)| first < end)
    }

    /// Runs the clauses of a probe, in program order. After `exit()` only END's run.
    #[inline]
    pub fn fire<H: Host>(&mut self, probe: ProbeId, cpu: u32, host: &mut H) {
        let Some(&(first, end)) = self.probes.get(probe.0 as usize) else { return };
        if first < end {
            self.fire_range(probe, cpu, host, first as usize, end as usize);
        }
    }

    fn fire_range<H: Host>(&mut self, probe: ProbeId, cpu: u32, host: &mut H, first: usize, end: usize) {
        let ending = probe == ProbeId::END;
        // The script's own probes fire wherever the run is.
        if self.options.cpu.is_some_and(|only| only != cpu) && !ending && probe != ProbeId::BEGIN {
            return;
        }
        let mut firing = Firing {
            probe,
            cpu,
            epid: 0,
            tid: None,
            error_args: None,
            target: Target::Principal,
            records: false,
        };
        self.state.begin_firing();
        for at in first..end {
            if !ending && self.stopped() {
                return;
            }
            let epid = self.by_probe[at];
            firing.epid = epid;
            if let Err((fault, pc)) = self.run(&mut firing, host) {
                self.fault(&firing, fault, pc, host);
            }
        }
    }

    /// Runs one enabling.
    #[inline]
    fn run<H: Host>(&mut self, firing: &mut Firing, host: &mut H) -> Result<(), (Fault, usize)> {
        let Enabling { clause, .. } = self.enablings[firing.epid as usize - 1];
        let ready = &self.ready[clause as usize];
        if !ready.records {
            // Nothing of it needs room, so predicate and statements run in one go.
            let mut cx = Context {
                program: &self.program,
                clause: &self.program.clauses[clause as usize],
                state: &mut self.state,
                host,
                firing,
                fault: Fault { kind: FaultKind::Unknown, value: 0 },
            };
            return match interp::run(&ready.code, 0, ready.code.len(), &mut self.regs, &mut cx) {
                End::At(_) | End::Abandoned => Ok(()),
                End::Fault(pc) => Err((cx.fault, pc)),
            };
        }
        self.run_recording(firing, host)
    }

    /// Runs one enabling that may leave a record.
    fn run_recording<H: Host>(&mut self, firing: &mut Firing, host: &mut H) -> Result<(), (Fault, usize)> {
        let Enabling { clause, .. } = self.enablings[firing.epid as usize - 1];
        let ready = &self.ready[clause as usize];
        firing.target = Target::Principal;
        firing.records = ready.default_action;
        self.state.record.clear();
        let mut cx = Context {
            program: &self.program,
            clause: &self.program.clauses[clause as usize],
            state: &mut self.state,
            host,
            firing,
            fault: Fault { kind: FaultKind::Unknown, value: 0 },
        };
        if ready.predicate_end > 0 {
            match interp::run(&ready.code, 0, ready.predicate_end, &mut self.regs, &mut cx) {
                End::At(pc) if pc == ready.predicate_end => {}
                End::At(_) | End::Abandoned => return Ok(()),
                End::Fault(pc) => return Err((cx.fault, pc)),
            }
        }
        if ready.cost > 0 && !cx.state.principal.reserve(cx.firing.cpu, ready.cost) {
            return Ok(());
        }
        let end = ready.code.len() - 1;
        let ended = if ready.predicate_end == end {
            End::At(end)
        } else {
            interp::run(&ready.code, ready.predicate_end, end, &mut self.regs, &mut cx)
        };
        match ended {
            End::At(_) if cx.firing.records => {}
            End::At(_) | End::Abandoned => return Ok(()),
            End::Fault(pc) => return Err((cx.fault, pc)),
        }
        let cost = match ready.loops {
            false => ready.cost,
            true => match crate::dx::grown(ready.cost, cx.state, cx.firing) {
                Some(cost) => cost,
                None => return Ok(()),
            },
        };
        let (cpu, epid) = (cx.firing.cpu, cx.firing.epid);
        let State { principal, speculations, record, .. } = &mut *cx.state;
        match cx.firing.target {
            Target::Principal => principal.push(cpu, epid, cost, record),
            Target::Speculation(id) => speculations.push(id, cpu, epid, cost, record),
        }
        Ok(())
    }

    /// Records a fault and fires ERROR.
    #[cold]
    fn fault<H: Host>(&mut self, firing: &Firing, fault: Fault, pc: usize, host: &mut H) {
        if firing.error_args.is_some() {
            self.state.drops.double_error += 1;
            return;
        }
        let Enabling { clause, .. } = self.enablings[firing.epid as usize - 1];
        let clause = &self.program.clauses[clause as usize];
        let (start, number) =
            clause.marks.iter().rev().find(|(start, _)| *start as usize <= pc).copied().unwrap_or((0, 0));
        let offset = (pc as u64 - u64::from(start)) * 4;
        let args =
            [0, u64::from(firing.epid), u64::from(number), offset, u64::from(fault.kind as u32), fault.value];
        self.state.record.clear();
        for word in &args[1..] {
            self.state.record.extend_from_slice(&word.to_le_bytes());
        }
        let State { principal, record, .. } = &mut self.state;
        if principal.reserve(firing.cpu, crate::buffer::CLASSIC_HEADER) {
            principal.push(firing.cpu, ERROR_RECORD, crate::buffer::CLASSIC_HEADER, record);
        }
        let Some(&(first, end)) = self.probes.get(ProbeId::ERROR.0 as usize) else { return };
        let mut nested = Firing {
            probe: ProbeId::ERROR,
            cpu: firing.cpu,
            epid: 0,
            tid: firing.tid,
            error_args: Some(args),
            target: Target::Principal,
            records: false,
        };
        for at in first..end {
            if firing.probe != ProbeId::END && self.stopped() {
                return;
            }
            nested.epid = self.by_probe[at as usize];
            if let Err((fault, pc)) = self.run(&mut nested, host) {
                self.fault(&nested, fault, pc, host);
            }
        }
    }

    /// The status that `exit()` gave last; [`None`] while the run goes on.
    #[must_use]
    pub fn exit_status(&self) -> Option<i32> {
        self.state.exit
    }

    /// Tracing has stopped: by `exit()`, or because a buffer of policy `fill` is full.
    #[must_use]
    #[inline]
    pub fn stopped(&self) -> bool {
        self.state.exit.is_some() || self.state.principal.filled
    }

    /// There is something to drain. Cheap. (Policy `ring` waits for the end.)
    #[must_use]
    #[inline]
    pub fn pending(&self) -> bool {
        self.options.bufpolicy != BufPolicy::Ring
            && (self.state.principal.count() > 0 || self.state.drops != Drops::default())
    }

    /// What was lost since the last drain, but for the principal buffers' own.
    #[must_use]
    pub fn drops(&self) -> Drops {
        let mut drops = self.state.drops;
        drops.principal = self.state.principal.cpus.iter().map(|b| b.drops).sum();
        drops
    }

    /// Shows what was recorded since the last time, in order, and tells of drops. Policy `ring` shows
    /// nothing before [`Engine::finish`].
    pub fn drain(&mut self, names: &dyn Names, out: &mut dyn Output) {
        if self.options.bufpolicy != BufPolicy::Ring {
            self.consume(names, out);
        }
    }

    /// Drains what is left and shows the aggregations that `printa` did not. Fire END before.
    pub fn finish(&mut self, names: &dyn Names, out: &mut dyn Output) {
        self.consume(names, out);
        self.consumer.finish(&self.program, &mut self.state, &self.options, names, out);
    }

    /// The aggregations that `printa()` has not shown, as they would be shown if the run ended now. Changes
    /// nothing.
    #[must_use]
    pub fn picture(&self, names: &dyn Names) -> Vec<u8> {
        self.consumer.picture(&self.program, &self.state, &self.options, names)
    }

    fn consume(&mut self, names: &dyn Names, out: &mut dyn Output) {
        self.consumer.drain(&self.program, &self.enablings, &mut self.state, &mut self.options, names, out);
        self.state.agg_room = self.options.aggsize;
    }

    /// The aggregations as they stand, in order of their creation, each entry in order of first use:
    /// for machine-readable output and tests.
    pub fn results(&self) -> impl Iterator<Item = AggEntry<'_>> {
        self.program.aggs.iter().zip(&self.state.aggs).flat_map(|(aggregation, table)| {
            (0..table.len()).map(move |entry| AggEntry { aggregation, table, entry })
        })
    }
}

impl Engine {
    /// Leaves aggregations keyed by stacks out of what [`Engine::finish`] shows: the driver shows them in
    /// a form of its own, by [`Engine::results`].
    pub fn withhold_stacks(&mut self) {
        for table in &mut self.state.aggs {
            if table.key_reprs.iter().any(|repr| matches!(repr, Repr::Stack { .. })) {
                table.printed = true;
            }
        }
    }
}

/// The number that error records carry in place of an enabling's.
pub(crate) const ERROR_RECORD: u32 = 0;

/// One key of an aggregation with its value.
#[derive(Clone, Copy, Debug)]
pub struct AggEntry<'e> {
    /// The aggregation.
    pub aggregation: &'e Aggregation,
    table: &'e AggTable,
    entry: usize,
}

/// An aggregation's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AggValue {
    /// A plain function's number, not normalized.
    Number(i64),
    /// A histogram's buckets in use: label and count.
    Buckets(Vec<(String, i64)>),
}

impl AggEntry<'_> {
    /// The keys as typed values.
    #[must_use]
    pub fn keys(&self) -> Vec<Value<'_>> {
        let mut reader = Reader::key(self.table.key(self.entry));
        self.table.key_reprs.iter().map_while(|repr| reader.value(repr)).collect()
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> AggValue {
        let value = self.table.value(self.entry);
        match &self.table.buckets {
            None => AggValue::Number(self.table.scalar(value, 1)),
            Some(buckets) => AggValue::Buckets(
                value
                    .iter()
                    .enumerate()
                    .filter(|(_, n)| **n != 0)
                    .map(|(bucket, n)| (buckets.label(bucket), *n))
                    .collect(),
            ),
        }
    }
}

/// Refuses or reduces sizes that cannot be had.
fn fit_sizes(options: &mut RunOptions) -> Result<(), StartError> {
    let manual = options.bufresize_manual;
    for (name, size) in [
        ("bufsize", &mut options.bufsize),
        ("aggsize", &mut options.aggsize),
        ("specsize", &mut options.specsize),
        ("dynvarsize", &mut options.dynvarsize),
    ] {
        if *size > MOST_SIZE {
            if manual {
                return Err(StartError::Size(format!("{name} {size} is more than there is memory")));
            }
            *size = MOST_SIZE;
        }
    }
    if options.bufsize < crate::buffer::CLASSIC_HEADER {
        return Err(StartError::Size(format!("principal buffer of {} bytes is too small", options.bufsize)));
    }
    Ok(())
}

/// The dense table from probes to enablings.
fn index(enablings: &[Enabling]) -> (Vec<(u32, u32)>, Vec<u32>) {
    let most = enablings.iter().map(|e| e.probe.0 as usize + 1).max().unwrap_or(0);
    let mut counts = vec![0u32; most];
    for enabling in enablings {
        counts[enabling.probe.0 as usize] += 1;
    }
    let mut first = 0;
    let mut probes: Vec<(u32, u32)> = counts
        .iter()
        .map(|n| {
            let range = (first, first);
            first += n;
            range
        })
        .collect();
    let mut by_probe = vec![0u32; enablings.len()];
    for (number, enabling) in enablings.iter().enumerate() {
        let (_, end) = &mut probes[enabling.probe.0 as usize];
        by_probe[*end as usize] = number as u32 + 1;
        *end += 1;
    }
    (probes, by_probe)
}
