//! The state of a run between firings, and of a firing.

use crate::agg::AggTable;
use crate::buffer::{Principal, Speculations};
use crate::dynvars::DynVars;
use crate::fault::{Fault, FaultKind};
use crate::host::{Deed, Host};
use crate::memory::Memory;
use crate::options::{FoundZone, RunOptions};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{ProbeId, Program, Repr, Scope};

/// Losses by type, since the consumer last reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops {
    /// Records that found no room in a principal buffer.
    pub(crate) principal: u64,
    /// Aggregation entries that found no room.
    pub aggregation: u64,
    /// Dynamic variables that found no room.
    pub dynamic: u64,
    /// Records that found no room in a speculation.
    pub speculation: u64,
    /// Speculations asked for when none was free.
    pub(crate) speculation_unavailable: u64,
    /// Faults in ERROR clauses.
    pub(crate) double_error: u64,
}

/// Storage of a scalar or by-reference variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    /// The value of a scalar.
    pub(crate) value: u64,
    /// Address of the storage of a by-reference variable.
    pub(crate) address: u64,
    /// Bytes of storage; 0 for a scalar.
    pub(crate) size: u32,
    /// A string that has been assigned, or by-reference storage that is always there.
    pub(crate) present: bool,
    /// Its value is a string.
    pub(crate) string: bool,
}

/// The layout of a dynamic variable.
#[derive(Clone, Debug)]
pub(crate) struct DynKind {
    pub(crate) thread: bool,
    pub(crate) storage: u32,
    pub(crate) string: bool,
    /// Each variable has the storage that its string needs; `storage` is the most.
    pub(crate) fits: bool,
    /// The size that counts, as in the original; without it the actual size counts.
    pub(crate) classic_size: Option<u64>,
}

/// A firing: where and for which enabling.
#[derive(Clone, Debug)]
pub(crate) struct Firing {
    /// The probe whose clause runs: ERROR after a fault.
    pub(crate) probe: ProbeId,
    pub(crate) cpu: u32,
    /// So many equal firings are one.
    pub(crate) times: u64,
    /// The enabling that runs.
    pub(crate) epid: u32,
    /// The clause that runs, by its place in the program.
    pub(crate) clause: u32,
    /// Clauses run even though tracing has stopped: END was fired.
    pub(crate) ending: bool,
    /// The thread, once asked for.
    pub(crate) tid: Option<u64>,
    /// Frames that a stack has at most.
    pub(crate) most_frames: u32,
    /// `arg0` … `arg5` of an ERROR clause.
    pub(crate) error_args: Option<[u64; 6]>,
    /// The destination of the clause's record.
    pub(crate) target: Target,
    /// A record is due.
    pub(crate) records: bool,
}

impl Firing {
    /// Before anything has fired.
    pub(crate) const NONE: Firing = Firing {
        probe: ProbeId(0),
        cpu: 0,
        times: 1,
        epid: 0,
        clause: 0,
        ending: false,
        tid: None,
        most_frames: u32::MAX,
        error_args: None,
        target: Target::Principal,
        records: false,
    };

    /// An argument of the probe; [`None`] if it could not be decoded.
    #[inline]
    pub(crate) fn arg<H: Host>(&self, n: u32, host: &mut H) -> Option<u64> {
        match &self.error_args {
            Some(args) => Some(args.get(n as usize).copied().unwrap_or(0)),
            None => host.arg(n),
        }
    }

    /// A built-in variable: the engine's own, else the host's.
    #[inline]
    pub(crate) fn builtin<H: Host>(&self, var: BuiltinVar, host: &mut H) -> u64 {
        match var {
            BuiltinVar::Cpu => u64::from(self.cpu),
            BuiltinVar::Id => u64::from(self.probe.0),
            BuiltinVar::Epid => u64::from(self.epid),
            BuiltinVar::Stackdepth | BuiltinVar::Ustackdepth => {
                host.builtin(self.probe, var).min(u64::from(self.most_frames))
            }
            _ => host.builtin(self.probe, var),
        }
    }
}

/// The destination of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Principal,
    Speculation(u64),
}

/// All mutable state of the firing side.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) firing: Firing,
    /// The fault that ended the last clause that one ended.
    pub(crate) fault: Fault,
    pub(crate) memory: Memory,
    /// One per variable of the program; unused for dynamic ones.
    pub(crate) slots: Vec<Slot>,
    pub(crate) dyn_kinds: Vec<Option<DynKind>>,
    pub(crate) dynvars: DynVars,
    pub(crate) aggs: Vec<AggTable>,
    /// The rest of `aggsize`, until the next drain or altogether.
    pub(crate) agg_room: u64,
    pub(crate) principal: Principal,
    pub(crate) speculations: Speculations,
    /// The record being built.
    pub(crate) record: Vec<u8>,
    /// A key being packed.
    pub(crate) key: Vec<u8>,
    /// Bytes on their way from one place to another.
    pub(crate) temp: Vec<u8>,
    /// Frames being taken.
    pub(crate) frames: Vec<u64>,
    /// The rest that `strtok(NULL, …)` goes on with.
    pub(crate) strtok: Vec<u8>,
    /// This firing has such a rest.
    pub(crate) strtok_goes_on: bool,
    pub(crate) random: u64,
    pub(crate) drops: Drops,
    /// Rounds of loops that the present clause may still make.
    pub(crate) rounds: u64,
    /// Rounds that a clause may make in a firing after the first of its loops.
    pub(crate) loopmax: u64,
    /// The zone of `strftime()`.
    pub(crate) zone: FoundZone,
    pub(crate) exit: Option<i32>,
    /// Destructive actions that the driver has not taken yet.
    pub(crate) deeds: Vec<Deed>,
    /// Those for which there was no room.
    pub(crate) deeds_left_out: u64,
    pub(crate) stackframes: u32,
    pub(crate) ustackframes: u32,
}

/// Storage beyond this for all plain variables together is refused.
const MOST_STORAGE: u64 = 1 << 28;

impl State {
    /// State for a program; `Err` says what cannot be had.
    pub(crate) fn new(program: &Program, options: &RunOptions) -> Result<State, String> {
        let strsize = options.sizes.longest.unwrap_or(options.sizes.strsize);
        let strsize = usize::try_from(strsize)
            .ok()
            .filter(|&n| n > 0 && n as u64 <= MOST_STORAGE)
            .ok_or_else(|| format!("invalid string size {strsize}"))?;
        let classic_sizes = options.sizes.growth.is_none();
        let mut memory = Memory::new(program.rodata.clone(), strsize, options.sizes.strsize);
        let mut slots = Vec::with_capacity(program.vars.len());
        let mut dyn_kinds = Vec::with_capacity(program.vars.len());
        let mut total = 0u64;
        for var in &program.vars {
            let string = var.repr == Repr::Str;
            let size = match &var.repr {
                // A string may fill all of `strsize`; the NUL comes on top.
                Repr::Str => strsize as u32 + 1,
                Repr::Bytes(n) => (*n).max(var.size),
                _ => 0,
            };
            let dynamic = var.associative || var.scope == Scope::Thread;
            dyn_kinds.push(dynamic.then(|| DynKind {
                thread: var.scope == Scope::Thread,
                storage: size,
                string,
                fits: string && options.sizes.longest.is_some(),
                classic_size: classic_sizes.then(|| {
                    let key = |k| crate::agg::classic_size(k, options.sizes.strsize).max(8);
                    u64::from(size.max(8)) + 16 + var.keys.iter().map(key).sum::<u64>()
                }),
            }));
            let mut slot = Slot { size, string, present: !string, ..Slot::default() };
            if !dynamic && size > 0 {
                total += u64::from(size) + 8;
                if total > MOST_STORAGE {
                    return Err("the variables take too much memory".into());
                }
                let (store, region) = match var.scope {
                    Scope::Clause => (&mut memory.locals, tracewell_dlang::ir::Region::LOCAL),
                    _ => (&mut memory.globals, tracewell_dlang::ir::Region::GLOBAL),
                };
                let start = store.len().next_multiple_of(8);
                store.resize(start + size as usize, 0);
                slot.address = region.address(start as u64);
            }
            slots.push(slot);
        }
        let aggs = program
            .aggs
            .iter()
            .map(|a| {
                AggTable::new(a, options.sizes.strsize, classic_sizes)
                    .ok_or_else(|| format!("aggregation @{} has too many buckets", a.name))
            })
            .collect::<Result<_, _>>()?;
        Ok(State {
            firing: Firing { most_frames: options.stacks.most, ..Firing::NONE },
            fault: Fault { kind: FaultKind::Unknown, value: 0 },
            memory,
            slots,
            dyn_kinds,
            dynvars: DynVars::new(options.sizes.dynvarsize),
            aggs,
            agg_room: options.sizes.aggsize,
            principal: Principal::new(options),
            speculations: Speculations::new(options),
            record: Vec::with_capacity(256),
            key: Vec::with_capacity(256),
            temp: Vec::with_capacity(256),
            frames: Vec::new(),
            strtok: Vec::new(),
            strtok_goes_on: false,
            random: options.seed | 1,
            drops: Drops::default(),
            rounds: 0,
            loopmax: options.loopmax.saturating_sub(1),
            zone: FoundZone::new(options.zone),
            exit: None,
            deeds: Vec::new(),
            deeds_left_out: 0,
            stackframes: options.stacks.frames,
            ustackframes: options.stacks.user_frames,
        })
    }

    /// A drain has made room for new keys of aggregations. Where room grows only what was taken away does.
    pub(crate) fn renew_agg_room(&mut self, options: &RunOptions) {
        self.agg_room = match options.sizes.growth {
            None => options.sizes.aggsize,
            Some(_) => options.sizes.aggsize.saturating_sub(self.aggs.iter().map(AggTable::bytes).sum()),
        };
    }

    /// Tracing has stopped: by `exit()`, or because a buffer of policy `fill` is full.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.exit.is_some() || self.principal.filled
    }

    /// Begins a firing, and forgets what belonged to the last one.
    #[inline]
    pub(crate) fn begin_firing(&mut self, probe: ProbeId, cpu: u32, times: u64) {
        self.firing.times = times;
        self.firing.probe = probe;
        self.firing.cpu = cpu;
        self.firing.ending = probe == ProbeId::END;
        self.firing.tid = None;
        self.memory.begin_firing();
        self.strtok_goes_on = false;
    }

    /// The next pseudo-random number (xorshift64*).
    pub(crate) fn rand(&mut self) -> u64 {
        let mut x = self.random;
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        self.random = x;
        x.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}
