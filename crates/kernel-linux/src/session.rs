//! A recording of the kernel: attaches, reads rings by the clock, puts samples in order, and hands out records.

use std::ffi::CString;
use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_etl::def::guid;
use zerocopy::FromBytes;

use tracewell_types::call::CallTest;

use crate::btf::Btf;
use crate::calls;
use crate::clock::RawTime;
use crate::error::Error;
use crate::event_info;
use crate::filter::{Filter, Filters};
use crate::flags as flag;
use crate::judged::Judged;
use crate::limits::{CallLimit, CallMemory, Limits};
use crate::machine::{self, ThisMachine};
use crate::maps::{CALLS, Maps};
use crate::merged::Merged;
use crate::needed;
use crate::out::{Out, give_back};
use crate::owner::{self, Owner};
use crate::perf::{self, Event, PerfEvent, Role};
use crate::program::{Builder, Mode, nothing};
use crate::ring::BpfRing;
use crate::rings;
use crate::sample::Head;
use crate::sys::{self, ProgramSpec, RAW_TRACEPOINT};
use crate::table::{Build, From, ROWS, SOFT_IRQS, VECTORS, file_calls};
use crate::tasks::{self, Task, Tasks};
use crate::tracepoint::{self, Tracepoint};
use crate::translate::{Facts, Fixed, Rundown, Translator, file_name};
use crate::unwind::Unwinder;
use crate::waiting::Waiting;
use crate::whole::Files;
use tracewell_schema::kernel::hook;

/// Types of programs, and what they attach to (linux/bpf.h).
const TRACING: u32 = 26;
const TRACE_RAW_TP: u32 = 23;

/// How long a sample may take from its time stamp to its place in a ring, in nanoseconds. What is younger waits for the next
/// reading, so that rings are merged in order.
const SETTLED: u64 = 10_000_000;
/// The same when a consumer waits for the records.
const PROMPT: u64 = 500_000;
/// The flags whose programs serve a session: calls that map memory confirm mappings of images.
fn served(options: &Options) -> u32 {
    let confirms = options.owner.is_some() && options.flags & flag::IMAGE_LOAD != 0;
    options.flags | if confirms { flag::VIRTUAL_ALLOC } else { 0 }
}

/// Flags whose programs distinguish system calls.
const CALLERS: u32 = flag::FILE_IO | flag::FILE_IO_INIT | flag::DISK_FILE_IO | flag::VIRTUAL_ALLOC;
/// Tracepoints without which a result of a test would hold for the next program of a process, too.
const FOLLOWED: [&str; 2] = ["task_newtask", "sched_process_exec"];
/// Attaching to more tracepoints than this needs more open files than are usual.
const MANY: usize = 256;
/// Maximum number of bytes of a verifier's log.
const LOG: usize = 1 << 16;

/// What a session is to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Enabled flags: those of [`crate::flags`].
    pub flags: u32,
    /// The events that are to have stacks, as the hook ids of their records (group and event type). An event has its stack
    /// also when another event of the same source is in the list.
    pub stacks: Vec<u16>,
    /// Nanoseconds between two samples of a processor.
    pub interval: u64,
    /// Bytes of each processor's ring, rounded up to a power of 2.
    pub ring: u32,
    /// What is logged of that.
    pub limits: Limits,
    /// The user whose processes alone are recorded; `None` for all. Only [`owned_flags`] can be enabled then, without stacks and
    /// without addresses of the kernel.
    pub owner: Option<u32>,
}

/// The flags that a session may have that records the processes of one user.
#[must_use]
pub fn owned_flags() -> u32 {
    owner::FLAGS
}

impl Default for Options {
    /// Processes, threads and images; no stacks; 1,000 samples a second; 4 MiB for each processor.
    fn default() -> Options {
        let flags = flag::PROCESS | flag::THREAD | flag::IMAGE_LOAD;
        Options {
            flags,
            stacks: Vec::new(),
            interval: 1_000_000,
            ring: 4 << 20,
            limits: Limits::default(),
            owner: None,
        }
    }
}

/// Which tracepoints are events of the provider [`PROVIDER`](crate::PROVIDER).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracing {
    /// Numbers of tracepoints; `None` for all.
    pub ids: Option<Vec<u16>>,
    /// Whether events carry the stacks they come from.
    pub stacks: bool,
}

/// Events that were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The processor; `None` if it is not known.
    pub cpu: Option<u16>,
    /// The time after which they were lost, in nanoseconds of the monotonic clock,
    pub from: u64,
    /// and the latest at which one was.
    pub to: u64,
    /// How many.
    pub count: u64,
}

/// What receives the records of a session.
pub trait Sink {
    /// Takes a complete record, with its processor and its raw time. The records of one processor come in the order of
    /// their times.
    fn record(&mut self, cpu: u16, time: u64, record: &[u8]);

    /// Takes note of a loss.
    fn lost(&mut self, loss: Loss);

    /// All records before this time of the monotonic clock have been handed out.
    fn complete_to(&mut self, time: u64) {
        let _ = time;
    }
}

/// A source that a kernel does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its name.
    pub source: String,
    /// The flags that it would serve.
    pub flags: u32,
    /// Why it is missing.
    pub why: String,
}

/// What a session did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Samples that were taken from the rings.
    pub samples: u64,
    /// Records that were handed out.
    pub records: u64,
    /// Events that were lost.
    pub lost: u64,
    /// Samples that came too late to be in order; their records have a time just after the one before.
    pub late: u64,
    /// Files without a known name.
    pub unknown_names: u64,
    /// Disk transfers that ended without a beginning.
    pub unknown_transfers: u64,
    /// Samples that could not be read.
    pub unread: u64,
}

/// The clocks at one moment, for the header of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Nanoseconds of the monotonic clock, which records have.
    pub monotonic: u64,
    /// Nanoseconds since 1970 at the same moment.
    pub wall: u64,
    /// Nanoseconds since the machine was started.
    pub since_boot: u64,
}

impl Clock {
    /// Reads the clocks.
    #[must_use]
    pub fn now() -> Clock {
        Clock { monotonic: sys::monotonic(), wall: sys::wall(), since_boot: sys::since_boot() }
    }
}

/// A program that is attached: it is detached when the descriptors are closed.
#[derive(Debug)]
struct Attached {
    program: OwnedFd,
    _link: OwnedFd,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Bpf,
    Perf(Role),
    /// A process of a rundown.
    Found(usize, Rundown),
    /// A tracepoint that is attached to, so that its events are described although none comes.
    Described(u16),
}

/// A sample that waits to be put in order.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: u64,
    cpu: u16,
    what: What,
    start: usize,
    size: usize,
}

/// A recording of the kernel.
pub struct Session {
    options: Options,
    attached: Vec<Attached>,
    /// What programs share; nothing where the kernel takes none.
    maps: Option<Maps>,
    rings: Vec<BpfRing>,
    /// The state of threads as performance events report it, where the kernel takes no programs.
    tasks: Tasks,
    /// The calls that are counted.
    merged: Vec<Merged>,
    /// The time of the last of these of each thread, while they are read.
    merged_at: FxHashMap<u32, u64>,
    events: Vec<PerfEvent>,
    /// The tracepoints that are events of their provider, by number.
    points: FxHashMap<u16, Tracepoint>,
    missing: Vec<Missing>,
    translator: Translator<ThisMachine>,
    unwinder: Unwinder,
    facts: Vec<Facts>,
    /// What was said about processes before the first event of others was logged.
    judged_early: FxHashMap<u32, u64>,
    files: Files,
    /// Of the processes of a user: mappings that a sample has to confirm, and how many reports of mappings were lost.
    waiting: Option<Waiting>,
    lost_mappings: u64,
    /// The samples that wait, and their bytes.
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    scratch: Vec<u8>,
    out: Out,
    /// Losses of each processor that were reported.
    losses: Vec<u64>,
    last_read: u64,
    /// A ring was more than a quarter full at the last reading.
    is_pressed: bool,
    delivered: u64,
    totals: Totals,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("options", &self.options)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

fn load(
    kind: u32,
    attach: u32,
    btf_id: u32,
    name: &str,
    code: &[u64],
) -> Result<OwnedFd, (io::Error, String)> {
    let spec = ProgramSpec { kind, attach, btf_id, flags: 0, name, code };
    sys::program_load(spec, &mut []).or_else(|error| {
        // Once more, for the reason.
        let mut log = vec![0; LOG];
        sys::program_load(spec, &mut log).map_err(|_| {
            let end = log.iter().position(|byte| *byte == 0).unwrap_or(0);
            let said = String::from_utf8_lossy(log.get(..end).unwrap_or_default()).into_owned();
            (error, said)
        })
    })
}

/// Which kind of program the kernel takes.
fn mode(btf: &Btf<'_>) -> Result<Mode, Error> {
    let code = nothing();
    if let Some(id) = btf.tracepoint("sched_switch")
        && load(TRACING, TRACE_RAW_TP, id, "tw_probe", &code).is_ok()
    {
        return Ok(Mode::Typed);
    }
    match load(RAW_TRACEPOINT, 0, 0, "tw_probe", &code) {
        Ok(_) => Ok(Mode::Raw),
        Err((error, _)) => Err(Error::of("load programs into the kernel", error)),
    }
}

/// What a kernel lacks that does not describe its types.
const NO_TYPES: &str = "the kernel does not describe its types (/sys/kernel/btf/vmlinux): it has to be built with \
                        CONFIG_DEBUG_INFO_BTF, as those of distributions are";

/// The kernel's description of its types.
fn types() -> Result<machine::Types, String> {
    let types = machine::btf().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => NO_TYPES.to_owned(),
        _ => format!("cannot read the kernel's types: {error}"),
    })?;
    if types.bytes().is_empty() { Err(NO_TYPES.to_owned()) } else { Ok(types) }
}

/// What programs need in the kernel.
struct Programs<'t> {
    btf: Btf<'t>,
    mode: Mode,
    maps: Maps,
    rings: Vec<BpfRing>,
}

impl<'t> Programs<'t> {
    /// Makes what the programs for flags share, with a ring for each of the processors.
    fn prepare(types: &'t [u8], (flags, possible, ring): (u32, u32, u32)) -> Result<Programs<'t>, Error> {
        let btf = Btf::parse(types).map_err(|error| Error::Types(error.to_string()))?;
        let mode = mode(&btf)?;
        let (maps, rings) = Maps::create(possible, ring, ROWS.len() as u32)
            .map_err(|error| Error::of("make maps and rings", error))?;
        // Only these programs look at the map.
        let looks = flags & CALLERS != 0;
        for (number, call, _) in file_calls().into_iter().filter(|_| looks) {
            if let Some(number) = u32::try_from(number).ok().filter(|number| *number < CALLS) {
                let set = maps.calls.update(number, &(call as u32).to_ne_bytes());
                set.map_err(|error| Error::of("fill a map", error))?;
            }
        }
        Ok(Programs { btf, mode, maps, rings })
    }
}

/// The flags that this process may record: all if the kernel takes its programs, else those that performance events serve, and
/// none without rights for these.
pub(crate) fn available() -> u32 {
    let raw = load(RAW_TRACEPOINT, 0, 0, "tw_probe", &nothing());
    if raw.is_ok() && std::fs::metadata("/sys/kernel/btf/vmlinux").is_ok_and(|types| types.len() > 0) {
        return flag::all();
    }
    let tasks = machine::online_processors().first().map(|cpu| perf::may_open(*cpu));
    if tasks == Some(true) { tasks::FLAGS } else { 0 }
}

/// What a program is made with.
#[derive(Clone, Copy)]
struct Given<'g> {
    limits: Option<&'g [CallLimit]>,
    merged: Option<&'g Merged>,
    memory: Option<&'g CallMemory>,
    judged: Option<&'g Judged>,
    owner: Option<Owner>,
}

fn attach(
    row: u32,
    (tracepoint, build): (&'static str, Build),
    (btf, maps, mode): (&Btf<'_>, &Maps, Mode),
    stacks: bool,
    given: Given<'_>,
) -> Result<Attached, String> {
    let id = btf.tracepoint(tracepoint).ok_or_else(|| "this kernel has no such tracepoint".to_owned())?;
    let code = |mode| {
        let mut builder = Builder::new(btf, maps, mode, row, stacks);
        builder.limit_to(given.limits);
        builder.merge_into(given.merged);
        builder.read_memory(given.memory);
        builder.judge_by(given.judged);
        builder.only_of(given.owner);
        build(&mut builder).map_err(|error| error.to_string())?;
        builder.code().ok_or_else(|| "its program is not complete".to_owned())
    };
    let program = match mode {
        Mode::Typed => load(TRACING, TRACE_RAW_TP, id, tracepoint, &code(Mode::Typed)?)
            .map(|program| (program, None))
            // A kernel whose types are not as the program has them may take copies.
            .or_else(|first| {
                let second = load(RAW_TRACEPOINT, 0, 0, tracepoint, &code(Mode::Raw).unwrap_or_default());
                second.map(|program| (program, Some(tracepoint))).map_err(|_| first)
            }),
        Mode::Raw => load(RAW_TRACEPOINT, 0, 0, tracepoint, &code(Mode::Raw)?).map(|p| (p, Some(tracepoint))),
    };
    let (program, name) = program.map_err(|(error, log)| {
        let last: Vec<&str> = log.lines().rev().take(6).collect();
        let said: Vec<&str> = last.into_iter().rev().collect();
        format!("the kernel refuses its program: {error}: {}", said.join("; "))
    })?;
    let name = name.map(|name| CString::new(name).unwrap_or_default());
    let link =
        sys::raw_tracepoint_open(name.as_deref(), program.as_fd()).map_err(|error| error.to_string())?;
    Ok(Attached { program, _link: link })
}

impl Session {
    /// A session that is attached to nothing yet, on so many processors.
    fn detached(
        options: Options,
        (maps, rings): (Option<Maps>, Vec<BpfRing>),
        translator: Translator<ThisMachine>,
        possible: u32,
    ) -> Session {
        let files = if options.owner.is_some() { Files::for_user() } else { Files::default() };
        let waiting = options.owner.map(|_| Waiting::default());
        Session {
            options,
            attached: Vec::new(),
            maps,
            rings,
            tasks: Tasks::default(),
            merged: Vec::new(),
            merged_at: FxHashMap::default(),
            events: Vec::new(),
            points: FxHashMap::default(),
            missing: Vec::new(),
            translator,
            facts: Vec::new(),
            judged_early: FxHashMap::default(),
            files,
            waiting,
            lost_mappings: 0,
            entries: Vec::new(),
            bytes: Vec::new(),
            scratch: Vec::new(),
            out: Out::default(),
            unwinder: Unwinder::default(),
            losses: vec![0; possible as usize],
            last_read: sys::monotonic(),
            is_pressed: false,
            delivered: 0,
            totals: Totals::default(),
        }
    }

    /// Starts recording.
    ///
    /// # Errors
    ///
    /// When rights are missing, or the kernel serves none of the sources of an enabled flag.
    pub fn start(options: Options, clock: Box<dyn RawTime>) -> Result<Session, Error> {
        let flags = options.flags;
        let possible = machine::possible_processors();
        let ring = options.ring.clamp(1 << 16, 1 << 30).next_power_of_two();
        let unowned = if options.owner.is_some() { flags & !owner::FLAGS } else { 0 };
        if unowned != 0 || options.owner.is_some() && !options.stacks.is_empty() {
            let why = format!(
                "these events show more than the processes of one user; ask for {} without stacks",
                flag::names(owner::FLAGS).join(", ")
            );
            return Err(Error::Unserved { flags: flag::names(flags), why });
        }
        if options.owner.is_some() && machine::dumps_all() {
            let why = "the kernel lets users look into programs with other rights (fs.suid_dumpable is 1; set it to 0 or 2)";
            return Err(Error::Unserved { flags: flag::names(flags), why: why.to_owned() });
        }
        let types = types();
        let programs = match &types {
            Ok(types) => Programs::prepare(types.bytes(), (served(&options), possible, ring)),
            Err(why) => Err(Error::Types(why.clone())),
        };
        let (kernel, (maps, rings)) = match programs {
            Ok(Programs { btf, mode, maps, rings }) => (Some((btf, mode)), (Some(maps), rings)),
            Err(_) if flags & !tasks::FLAGS == 0 && options.owner.is_none() => (None, (None, Vec::new())),
            Err(why) => return Err(why),
        };
        let translator = {
            // Nothing that says where the kernel is.
            let shown = if options.owner.is_some() { 0 } else { flags };
            let fixed = Fixed { flags, ..Session::fixed(shown) };
            Translator::new(ThisMachine { owner: options.owner }, fixed, clock)
        };

        let mut session = Session::detached(options, (maps, rings), translator, possible);
        session.open_events(ring)?;
        if let Some(kernel) = &kernel {
            let judged = session.judged();
            let owner = session.options.owner.map(|uid| Owner::new(&kernel.0, uid)).transpose();
            let owner = owner.map_err(|error| Error::Types(error.to_string()))?;
            session.attach(kernel, possible, judged.as_deref(), owner);
            if owner.is_some() {
                session.translator.log_for_user();
            }
            let lacks = |name| session.missing.iter().any(|missing| missing.source == name);
            let follows = !FOLLOWED.into_iter().any(lacks);
            session.translator.judge(judged.filter(|_| follows));
        }
        session.check_served()?;
        session.find_processes(Rundown::Start);
        Ok(session)
    }

    /// Makes what the tests of users and names look at; leaves these tests out if that fails.
    fn judged(&mut self) -> Option<Box<Judged>> {
        let limits = &mut self.options.limits;
        let events = limits.events.iter().flatten().flat_map(|event| &event.tests);
        let tests = limits.calls.tests().chain(events).filter(|test| test.is_of_reader());
        // Processes are known by their events.
        let tests: Vec<_> = tests.filter(|_| self.options.flags & flag::PROCESS != 0).copied().collect();
        let judged = Judged::create(&tests, &limits.names).ok().flatten();
        let is_known = |test: &CallTest| {
            !test.is_of_reader() || judged.as_ref().is_some_and(|judged| judged.bit(test).is_some())
        };
        limits.calls.retain_tests(is_known);
        for event in limits.events.iter_mut().flatten() {
            event.tests.retain(is_known);
        }
        judged.map(Box::new)
    }

    /// Attaches a program for each source of the enabled flags.
    fn attach(
        &mut self,
        (btf, mode): &(Btf<'_>, Mode),
        possible: u32,
        judged: Option<&Judged>,
        owner: Option<Owner>,
    ) {
        let Some(maps) = &self.maps else { return };
        let mut has_judged = judged.is_none();
        let served = served(&self.options);
        for (number, row) in (0..).zip(ROWS) {
            let From::Tracepoint(tracepoint, build) = row.from else { continue };
            if row.flags & served == 0 {
                continue;
            }
            if owner.is_some() && !owner::TRACEPOINTS.contains(&tracepoint) {
                let why =
                    "its events concern processes of other users, or show addresses of the kernel".to_owned();
                self.missing.push(Missing { source: tracepoint.to_owned(), flags: row.flags, why });
                continue;
            }
            // Rows of other flags have separate programs for the same tracepoint.
            let of_calls = self.options.limits.calls.of(tracepoint).filter(|_| row.flags == flag::SYSTEMCALL);
            let stacks = row.hooks().any(|hook| self.options.stacks.contains(&hook));
            let of_events = needed::limits(row, self.options.limits.events.as_deref(), stacks);
            let limits = of_calls.or(of_events.as_deref());
            if limits.is_some_and(<[CallLimit]>::is_empty) {
                continue;
            }
            if limits.is_some() && !has_judged {
                has_judged = true;
                // From the first event on. Processes that begin, or run other programs, are followed by now.
                let lacks = |name| self.missing.iter().any(|missing| missing.source == name);
                if !FOLLOWED.into_iter().any(lacks) {
                    let publish = |facts: &Facts| {
                        let name = file_name(&facts.name);
                        judged.map(|judged| (facts.pid, judged.publish_found(facts.pid, facts.uid, &name, 0)))
                    };
                    self.judged_early = machine::processes(false, None).iter().filter_map(publish).collect();
                }
            }
            // Counts are not samples, so that they would be of all users.
            let alone = row.flags == flag::SYSTEMCALL && owner.is_none();
            let merging = self.options.limits.calls.merging(tracepoint).filter(|_| alone);
            // Without such maps every call is logged, for the same answer.
            let merged = merging
                .and_then(|(merging, returns)| Merged::create(merging, number, returns, possible).ok());
            let memory =
                self.options.limits.calls.memory(tracepoint).filter(|_| row.flags == flag::SYSTEMCALL);
            let with = |merged| {
                let kernel = (btf, maps, *mode);
                attach(
                    number,
                    (tracepoint, build),
                    kernel,
                    stacks,
                    Given { limits, merged, memory, judged, owner },
                )
            };
            match with(merged.as_ref()).or_else(|why| if merged.is_some() { with(None) } else { Err(why) }) {
                Ok(attached) => {
                    self.attached.push(attached);
                    self.merged.extend(merged);
                }
                Err(why) => {
                    self.missing.push(Missing { source: tracepoint.to_owned(), flags: row.flags, why })
                }
            }
        }
    }

    /// Reads the kernel's symbols and the disks. The table of symbols is long: it is read only if it is needed.
    fn fixed(flags: u32) -> Fixed {
        let mut fixed = Fixed { flags, disks: machine::disks(), ..Fixed::default() };
        if flags & (flag::SYSTEMCALL | flag::DPC | flag::INTERRUPT | flag::IMAGE_LOAD) == 0 {
            return fixed;
        }
        let functions: Vec<(usize, String)> =
            if flags & flag::SYSTEMCALL != 0 { calls::functions().collect() } else { Vec::new() };
        let mut wanted = vec!["_stext", "_etext"];
        wanted.extend(SOFT_IRQS.iter().flat_map(|names| names.iter()));
        wanted.extend(VECTORS.iter().map(|(_, name)| name));
        wanted.extend(functions.iter().map(|(_, name)| name.as_str()));
        let symbols = machine::symbols(&wanted);
        let symbol = |name: &str| symbols.get(name).copied();
        fixed.calls.resize(CALLS as usize, 0);
        for (number, name) in &functions {
            if let (Some(place), Some(address)) = (fixed.calls.get_mut(*number), symbol(name)) {
                *place = address;
            }
        }
        fixed.kernel = (symbol("_stext").unwrap_or(0), symbol("_etext").unwrap_or(0));
        fixed.with_symbols(symbol)
    }

    fn open_events(&mut self, ring: u32) -> Result<(), Error> {
        let flags = self.options.flags;
        let frames = self.options.stacks.contains(&hook::PERF_INFO_SAMPLE_PROFILE);
        let roles = match self.waiting {
            Some(_) if flags & flag::IMAGE_LOAD != 0 => vec![Role::Mappings],
            Some(_) => Vec::new(),
            None => roles(flags, (self.options.interval, frames), self.maps.is_some()),
        };
        for cpu in machine::online_processors() {
            for role in &roles {
                // A sample with a stack has more than 16 KiB.
                let has_stacks = matches!(role, Role::Clock { frames: true, .. });
                let event = PerfEvent::open(*role, cpu, if has_stacks { 8 << 20 } else { ring.min(1 << 20) });
                self.events.push(event.map_err(|error| Error::of("open performance events", error))?);
            }
        }
        for event in &self.events {
            event.enable(true).map_err(|error| Error::of("start performance events", error))?;
        }
        Ok(())
    }

    /// Changes which tracepoints are events of their provider; `None` ends all.
    ///
    /// # Errors
    ///
    /// When rights are missing, or none of the tracepoints can be attached to.
    pub fn trace(&mut self, tracing: Option<&Tracing>, sink: &mut dyn Sink) -> Result<(), Error> {
        if self.options.owner.is_some() && tracing.is_some() {
            let why = "tracepoints show more than the processes of one user".to_owned();
            return Err(Error::Unserved { flags: Vec::new(), why });
        }
        let found = tracing.map_or_else(|| Ok(Vec::new()), |tracing| tracepoint::of(tracing.ids.as_deref()));
        let points = found.map_err(|error| Error::of("read the kernel's tracepoints", error))?;
        let role = tracing.map(|tracing| Role::Tracepoints { frames: tracing.stacks });
        let wanted: FxHashSet<u16> = points.iter().map(Tracepoint::id).collect();
        for event in self.events.iter_mut().filter(|event| event.role.is_of_tracepoints()) {
            let stays = Some(event.role) == role;
            event.keep(|id| stays && wanted.contains(&id));
        }
        self.collect(sys::monotonic(), sink);
        if self.events.iter().any(|event| event.role.is_of_tracepoints() && Some(event.role) != role) {
            self.report_rest(sink);
        }
        self.events.retain(|event| !event.role.is_of_tracepoints() || Some(event.role) == role);
        // What former tracepoints lacked is no concern of these.
        self.missing.retain(|missing| missing.flags != 0);
        let Some(role) = role else { return Ok(()) };
        for id in tracing.and_then(|tracing| tracing.ids.as_ref()).into_iter().flatten() {
            if !wanted.contains(id) {
                let why = "this kernel has no such tracepoint".to_owned();
                self.missing.push(Missing { source: format!("tracepoint {id}"), flags: 0, why });
            }
        }
        self.open_tracepoints(role, points)
    }

    fn open_tracepoints(&mut self, role: Role, points: Vec<Tracepoint>) -> Result<(), Error> {
        const OF_TRACEPOINTS: &str = "attach to the kernel's tracepoints";
        if points.len() > MANY {
            sys::raise_open_files();
        }
        if !self.events.iter().any(|event| event.role == role) {
            let ring = self.options.ring.clamp(1 << 16, rings::MOST).next_power_of_two();
            for cpu in machine::online_processors() {
                let event = PerfEvent::open(role, cpu, ring);
                self.events.push(event.map_err(|error| Error::of("open performance events", error))?);
            }
        }
        let has_initial_ids = machine::has_initial_ids();
        let mut refused = io::Error::from(io::ErrorKind::NotFound);
        let (all, mut attached) = (points.len(), 0);
        for point in points {
            let filters = Filters::new(&point, &self.options.limits, has_initial_ids);
            let rings = self.events.iter_mut().filter(|event| event.role == role && !event.has(point.id()));
            let filtered = rings.map(|event| (filters.on(event.cpu), event));
            // Where nothing passes, there is nothing to attach to.
            let mut some = filtered.filter(|(filter, _)| *filter != Filter::Nothing);
            let added = some.find_map(|(filter, event)| event.add(point.id(), &filter).err());
            match added {
                None => {
                    attached += 1;
                    let what = What::Described(point.id());
                    self.entries.push(Entry { time: sys::monotonic(), cpu: 0, what, start: 0, size: 0 });
                    self.points.insert(point.id(), point);
                }
                Some(why) => {
                    let source = format!("tracepoint {}", point.name());
                    self.missing.push(Missing { source, flags: 0, why: why.to_string() });
                    self.events.iter_mut().for_each(|event| event.keep(|id| id != point.id()));
                    refused = why;
                }
            }
        }
        // All of none is no failure.
        let lacks = self.missing.iter().any(|missing| missing.flags == 0);
        if attached == 0 && (all > 0 || lacks) {
            return Err(Error::of(OF_TRACEPOINTS, refused));
        }
        Ok(())
    }

    /// Fails if a flag is enabled of which not one source could be attached.
    fn check_served(&self) -> Result<(), Error> {
        let mut unserved = 0;
        let mut why = String::new();
        for (_, bit) in flag::NAMES.iter().filter(|(_, bit)| self.options.flags & bit != 0) {
            let has = |row: &&crate::table::Row| row.flags & bit != 0 && !row.events.is_empty();
            let mut sources = ROWS.iter().filter(has).map(|row| row.from);
            let served = sources.any(|from| match from {
                From::Tracepoint(name, _) => !self.missing.iter().any(|missing| missing.source == name),
                From::Perf(_) => true,
                From::Proc(_) => false,
            });
            if !served {
                unserved |= bit;
                if let Some(missing) = self.missing.iter().find(|missing| missing.flags & bit != 0) {
                    why = format!("tracepoint {}: {}", missing.source, missing.why);
                }
            }
        }
        match unserved {
            0 => Ok(()),
            flags => Err(Error::Unserved { flags: flag::names(flags), why }),
        }
    }

    /// The sources that this kernel does not have.
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// The user whose processes alone are recorded.
    #[must_use]
    pub fn owner(&self) -> Option<u32> {
        self.options.owner
    }

    /// What the kernel does not say because it takes no programs of this process; nothing if it does.
    #[must_use]
    pub fn unknown(&self) -> Option<String> {
        let takes =
            self.maps.is_some() || !self.events.iter().any(|event| matches!(event.role, Role::Tasks { .. }));
        let switches = self.options.stacks.contains(&hook::THREAD_CSWITCH);
        let stacks = if switches {
            ", priorities, signals and the stacks of switches"
        } else {
            ", priorities and signals"
        };
        (!takes).then(|| {
            format!("exit codes{stacks} are unknown: the kernel takes no programs of this process (CAP_BPF)")
        })
    }

    /// What the session did so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let unknown = self.translator.unknown();
        Totals {
            unknown_names: unknown.names,
            unknown_transfers: unknown.transfers,
            unread: unknown.samples,
            ..self.totals
        }
    }

    fn find_processes(&mut self, rundown: Rundown) {
        let flags = self.options.flags;
        if flags & (flag::PROCESS | flag::THREAD | flag::IMAGE_LOAD) == 0 {
            return;
        }
        let images = flags & flag::IMAGE_LOAD != 0;
        let images = images && rundown != Rundown::End;
        let mut all = machine::processes(images, self.options.owner);
        for facts in &mut all {
            let parts = std::mem::take(&mut facts.images).into_iter();
            facts.images = parts.map(|part| self.files.whole(facts.pid, part)).collect();
        }
        // The idle threads, one for each processor, have one id as on Windows, and the kernel's images are theirs.
        let (start, end) = self.translator.kernel();
        let images = if images { machine::kernel_images(start, end) } else { Vec::new() };
        if self.options.owner.is_none() {
            all.push(Facts {
                name: "Idle".into(),
                threads: vec![(0, "Idle".into())],
                images,
                ..Facts::default()
            });
        }
        all.sort_by_key(|facts| facts.pid);
        // Those at the start come before all else: their names hold for what they do until they are found.
        let time = if rundown == Rundown::Start { self.last_read } else { sys::monotonic() };
        for facts in all {
            self.tasks.found(&facts);
            if rundown == Rundown::Start {
                // Before the first of them is read, many calls may be made.
                self.translator.judge_found(&facts, self.judged_early.remove(&facts.pid).unwrap_or(0));
            }
            let what = What::Found(self.facts.len(), rundown);
            self.facts.push(facts);
            self.entries.push(Entry { time, cpu: 0, what, start: 0, size: 0 });
        }
    }

    /// Takes what the rings hold and hands out the records of all that is settled. Call it often enough that the rings do not
    /// overflow: some twenty times a second.
    pub fn read(&mut self, sink: &mut dyn Sink) {
        self.read_older(SETTLED, sink);
    }

    /// As [`Session::read`], for a consumer that waits: hands out all records that are older than half a millisecond. A sample
    /// that takes longer to its ring is late.
    pub fn read_now(&mut self, sink: &mut dyn Sink) {
        self.read_older(PROMPT, sink);
    }

    fn read_older(&mut self, age: u64, sink: &mut dyn Sink) {
        let now = sys::monotonic();
        self.collect(now, sink);
        self.deliver(now.saturating_sub(age), sink);
    }

    /// Returns `true` if a ring was more than a quarter full at the last reading. The next reading should be soon then.
    #[must_use]
    pub fn is_pressed(&self) -> bool {
        self.is_pressed
    }

    /// Hands out the processes that were found at the start, and what happened before.
    pub fn read_rundown(&mut self, sink: &mut dyn Sink) {
        let now = sys::monotonic();
        self.collect(now, sink);
        self.deliver(now, sink);
    }

    /// Finds the processes again, for a reader that came after the rundown at the start: they are handed out with the records
    /// of now.
    pub fn run_down_again(&mut self) {
        self.find_processes(Rundown::Again);
    }

    /// Ends the recording: detaches, runs down the processes, and hands out what is left.
    pub fn stop(mut self, sink: &mut dyn Sink) -> Totals {
        for event in &self.events {
            // Its samples stay.
            let _ = event.enable(false);
        }
        let misses: u64 = self
            .attached
            .iter()
            .map(|attached| sys::program_misses(attached.program.as_fd()).unwrap_or(0))
            .sum();
        self.attached.clear();
        let from = self.last_read;
        if !self.merged.is_empty() {
            // If the kernel cannot be waited for, nothing is merged.
            let _ = sys::wait_for_programs();
        }
        self.collect(sys::monotonic(), sink);
        self.report_rest(sink);
        self.find_processes(Rundown::End);
        if misses > 0 {
            self.totals.lost += misses;
            sink.lost(Loss { cpu: None, from, to: sys::monotonic(), count: misses });
        }
        self.deliver(u64::MAX, sink);
        self.totals()
    }

    /// Reports the losses behind the last records of rings.
    fn report_rest(&mut self, sink: &mut dyn Sink) {
        for event in &mut self.events {
            let count = event.unreported();
            if count > 0 {
                self.totals.lost += count;
                event.reported += count;
                sink.lost(Loss { cpu: Some(event.cpu), from: self.last_read, to: sys::monotonic(), count });
            }
        }
    }

    fn collect(&mut self, now: u64, sink: &mut dyn Sink) {
        let (entries, bytes) = (&mut self.entries, &mut self.bytes);
        let before = entries.len();
        self.is_pressed = false;
        for (cpu, ring) in (0..).zip(&self.rings) {
            let fill = ring.read(bytes, |bytes, start| {
                let sample = bytes.get(start..).unwrap_or_default();
                let time = Head::ref_from_prefix(sample).map_or(0, |(head, _)| head.time);
                entries.push(Entry { time, cpu, what: What::Bpf, start, size: sample.len() });
                // Every sample lies on a whole word, so that the next one's structure does.
                bytes.resize(bytes.len().next_multiple_of(8), 0);
            });
            self.is_pressed |= fill.is_much();
        }
        for merged in &mut self.merged {
            merged.read(|cpu, sample| {
                // A stack belongs to the event of its thread at its time, so no two have one time. A thread that made so many
                // calls was there for longer.
                let Ok((head, _)) = Head::mut_from_prefix(sample) else { return };
                let last = self.merged_at.entry(head.tid).or_default();
                head.time = head.time.max(*last + 1);
                *last = head.time;
                let (time, start, size) = (head.time, bytes.len(), sample.len());
                bytes.extend_from_slice(sample);
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                entries.push(Entry { time, cpu, what: What::Bpf, start, size });
            });
        }
        self.merged_at.clear();
        for event in &mut self.events {
            self.scratch.clear();
            self.is_pressed |= event.read(&mut self.scratch).is_much();
            for record in perf::records(&self.scratch) {
                let Some(time) = perf::time(record) else { continue };
                if let Some(Event::Lost(count)) = perf::parse(event.role, record) {
                    self.totals.lost += count;
                    event.reported += count;
                    sink.lost(Loss { cpu: Some(event.cpu), from: self.last_read, to: time, count });
                    continue;
                }
                let what = What::Perf(event.role);
                entries.push(Entry { time, cpu: event.cpu, what, start: bytes.len(), size: record.len() });
                bytes.extend_from_slice(record);
                bytes.resize(bytes.len().next_multiple_of(8), 0);
            }
        }
        self.totals.samples += (entries.len() - before) as u64;
        self.distrust_after_losses();
        let losses = self.maps.as_ref().and_then(|maps| maps.losses().ok()).unwrap_or_default();
        for ((cpu, told), (count, last)) in (0..).zip(&mut self.losses).zip(losses) {
            if count > *told {
                self.totals.lost += count - *told;
                sink.lost(Loss { cpu: Some(cpu), from: self.last_read, to: last, count: count - *told });
                *told = count;
            }
        }
        self.last_read = now;
    }

    /// Drops the mappings that wait if reports of others were lost. Losses are counted when they happen, and what happened later is
    /// not handed out yet.
    fn distrust_after_losses(&mut self) {
        let Some(waiting) = &mut self.waiting else { return };
        let mut of_mappings = self.events.iter().filter(|event| event.role == Role::Mappings).peekable();
        if of_mappings.peek().is_none() {
            return;
        }
        // A kernel that does not count them may have lost some at any time.
        let lost = of_mappings.map(PerfEvent::lost).sum::<Option<u64>>();
        if lost != Some(self.lost_mappings) {
            self.lost_mappings = lost.unwrap_or(u64::MAX);
            waiting.distrust(sys::monotonic());
        }
    }

    fn deliver(&mut self, limit: u64, sink: &mut dyn Sink) {
        // Rings are runs that are in order already, which the sort merges.
        self.entries.sort_by_key(|entry| entry.time);
        let settled = self.entries.partition_point(|entry| entry.time <= limit);
        for entry in self.entries.get(..settled).unwrap_or_default() {
            let time = ordered(entry.time, &mut self.delivered, &mut self.totals.late);
            let at = (entry.cpu, self.translator.raw(time));
            let range = entry.start..entry.start + entry.size;
            match entry.what {
                What::Bpf => {
                    if let Some(sample) = self.bytes.get_mut(range) {
                        if time != entry.time
                            && let Ok((head, _)) = Head::mut_from_prefix(sample)
                        {
                            head.time = time;
                        }
                        self.translator.sample(entry.cpu, sample, &mut self.out);
                        let confirmed = self.waiting.as_mut().and_then(|waiting| waiting.confirmed(sample));
                        for (ids, image) in confirmed
                            .into_iter()
                            .flat_map(|(ids, images)| images.into_iter().map(move |image| (ids, image)))
                        {
                            let image = self.files.whole(ids.0, image);
                            self.translator.mapped(at, ids, image, &mut self.out);
                        }
                    }
                }
                What::Perf(Role::Mappings) => {
                    let record = self.bytes.get(range).unwrap_or_default();
                    if let Some(waiting) = &mut self.waiting {
                        match perf::parse(Role::Mappings, record) {
                            Some(Event::Mapped { ids, image }) => waiting.add(entry.time, ids.1, image),
                            Some(Event::Task(Task::Named { ids, exec: true, .. })) => waiting.begins(ids.1),
                            _ => {}
                        }
                    }
                }
                What::Perf(role) => {
                    let record = self.bytes.get(range).unwrap_or_default();
                    match perf::parse(role, record) {
                        Some(Event::Sample { ids, address, .. }) if role == Role::Faults => {
                            self.translator.hard_fault(at, ids.1, address, &mut self.out);
                        }
                        Some(Event::Sample { ids, ip, chain, user, .. }) => {
                            let of_kernel = perf::frames(chain, &mut self.scratch);
                            if let Some(user) = user {
                                self.unwinder.replace(time, ids.0, &user, (of_kernel, &mut self.scratch));
                            }
                            self.translator.profiled(at, ids, ip, &self.scratch, &mut self.out);
                        }
                        Some(Event::Traced { ids, id, chain, record }) => {
                            perf::frames(chain, &mut self.scratch);
                            if let Some(point) = self.points.get(&id) {
                                self.out.traced(at, ids, (point, record), &self.scratch);
                            }
                        }
                        Some(Event::Mapped { ids, image }) => {
                            self.unwinder.forget(ids.0);
                            let image = self.files.whole(ids.0, image);
                            self.translator.mapped(at, ids, image, &mut self.out);
                        }
                        Some(Event::Task(task)) => {
                            self.tasks.sample(
                                (entry.cpu, time),
                                task,
                                machine::program_of,
                                &mut self.scratch,
                            );
                            if !self.scratch.is_empty() {
                                self.translator.sample(entry.cpu, &self.scratch, &mut self.out);
                            }
                        }
                        _ => {}
                    }
                }
                What::Described(id) => {
                    if let Some(point) = self.points.get(&id) {
                        let kind = (event_info::EVENT_INFO, 0);
                        self.out.class(at, guid::EVENT_METADATA, kind, |payload| point.describe(payload));
                    }
                }
                What::Found(index, rundown) => {
                    if let Some(facts) = self.facts.get(index) {
                        self.translator.found(at, facts, rundown, &mut self.out);
                    }
                }
            }
        }
        let totals = &mut self.totals;
        self.out.drain(|cpu, time, record| {
            totals.records += 1;
            sink.record(cpu, time, record);
        });
        self.entries.drain(..settled);
        self.keep_rest();
        if limit != u64::MAX {
            sink.complete_to(limit);
        }
    }

    /// Keeps only the bytes and processes that entries refer to.
    fn keep_rest(&mut self) {
        self.scratch.clear();
        for entry in &mut self.entries {
            let range = entry.start..entry.start + entry.size;
            entry.start = self.scratch.len();
            self.scratch.extend_from_slice(self.bytes.get(range).unwrap_or_default());
            self.scratch.resize(self.scratch.len().next_multiple_of(8), 0);
        }
        std::mem::swap(&mut self.scratch, &mut self.bytes);
        if !self.entries.iter().any(|entry| matches!(entry.what, What::Found(..))) {
            self.facts.clear();
        }
        give_back(&mut self.entries);
        give_back(&mut self.bytes);
        give_back(&mut self.scratch);
        self.out.give_back();
    }
}

/// What the performance events of each processor are for, where the kernel takes programs and where it does not.
fn roles(flags: u32, (interval, frames): (u64, bool), has_programs: bool) -> Vec<Role> {
    let mut roles = Vec::new();
    let (samples, mappings) = (flags & flag::PROFILE != 0, flags & flag::IMAGE_LOAD != 0);
    if samples || mappings {
        // More often than each 10 microseconds is more than a processor can do.
        let interval = samples.then(|| interval.max(10_000));
        roles.push(Role::Clock { interval, mappings, frames });
    }
    if flags & flag::MEMORY_HARD_FAULTS != 0 {
        roles.push(Role::Faults);
    }
    if !has_programs && flags & (flag::PROCESS | flag::THREAD | flag::IMAGE_LOAD | flag::CSWITCH) != 0 {
        roles.push(Role::Tasks { switches: flags & flag::CSWITCH != 0 });
    }
    roles
}

/// The time with which a sample is handed out. One that is too late comes just after the one before, not at the same time: that
/// may be of the same thread, and a stack is found by its thread and time.
fn ordered(time: u64, delivered: &mut u64, late: &mut u64) -> u64 {
    let is_late = time < *delivered;
    *late += u64::from(is_late);
    *delivered = if is_late { *delivered + 1 } else { time };
    *delivered
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
