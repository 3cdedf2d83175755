//! Places in the code of a process at which the kernel runs a program of ours (uprobes).
//!
//! [`Uprobes::attach`] attaches to places of a file, which need not be mapped yet. All hits come through one ring, in the order
//! in which the kernel reserved their room, so the hits of a thread are in order. Nothing remains in the process when the
//! value is dropped, or when this process is killed: the attachments belong to descriptors.

use std::ffi::CString;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustc_hash::FxHashMap;
use tracewell_types::deed::{Done, Steps};
use tracewell_types::hit::{ARGUMENTS, PIECE, REGISTERS};
use tracewell_types::operand::{self, Operand, Reach};

use crate::asm::{Asm, Helper, If, Label, Op, Reg, Size};
use crate::deed::{self, Gate};
use crate::error::Error;
use crate::follow::Followed;
use crate::machine::online_processors;
use crate::maps::kind;
use crate::perf::{self, PerfEvent, Role};
use crate::ring::BpfRing;
use crate::sys::{self, Map, MapSpec, ProgramSpec, UPROBE_MULTI, UprobesSpec};
use crate::translate::Image;
use crate::whole::Files;

use Reg::{R0, R1, R2, R3, R4, R6, R7, R8, R9, R10};

/// Type of a program that reads registers (`BPF_PROG_TYPE_KPROBE`).
const KPROBE: u32 = 2;
/// Bytes of the ring.
const RING_SIZE: u32 = 32 << 20;
/// The program may wait for memory that is not there yet (`BPF_F_SLEEPABLE`).
const SLEEPABLE: u32 = 1 << 4;
/// The ring is read by the clock, not by wake-ups.
const NO_WAKEUP: i32 = 1;
/// The events that mappings come from, and the bytes of the ring of one.
const MAPPINGS: Role = Role::Clock { interval: None, mappings: true, frames: false };
const MAPPINGS_SIZE: u32 = 256 << 10;
/// Flag of a stack of the user.
const USER_STACK: i32 = 1 << 8;

/// Maximum number of frames of a stack.
pub const FRAMES: usize = 127;
/// Number of arguments whose memory is read: those that functions get in registers.
const POINTERS: usize = 6;
/// Arguments that functions get on the stack.
const STACKED: usize = ARGUMENTS - POINTERS;

/// Places of the argument registers in `struct pt_regs`, by the calling convention of x86-64.
pub const ARGUMENT_REGISTERS: [usize; POINTERS] = [14, 13, 12, 11, 9, 8];
/// Place of the register with the result of a function.
pub const RESULT_REGISTER: usize = 10;
/// Place of the instruction pointer.
pub const IP_REGISTER: usize = 16;
/// Place of the stack pointer.
pub const SP_REGISTER: usize = 19;

/// Layout of a hit in the ring.
mod at {
    use super::{ARGUMENTS, FRAMES, PIECE, POINTERS, REGISTERS, STACKED};
    pub(super) const TIME: i16 = 0;
    pub(super) const THREAD: i16 = 8;
    pub(super) const COOKIE: i16 = 16;
    pub(super) const CPU: i16 = 24;
    pub(super) const REGS: i16 = 32;
    pub(super) const TOP: i16 = REGS + 8 * REGISTERS as i16;
    // What the stack has above the return address comes with it in one read: arguments from the seventh on.
    const LAST: i16 = TOP + 8;
    const FIRST: i16 = LAST + 8 * STACKED as i16;
    pub(super) const DEPTH: i16 = LAST + 8 * ARGUMENTS as i16;
    pub(super) const SIZES: i16 = DEPTH + 8;
    pub(super) const END: i16 = SIZES + 8 * POINTERS as i16;
    pub(super) const MEMORY: i32 = (POINTERS * PIECE) as i32;

    /// Place of an argument.
    pub(super) fn argument(index: usize) -> i16 {
        match index.checked_sub(POINTERS) {
            None => FIRST + 8 * index as i16,
            Some(stacked) => LAST + 8 * stacked as i16,
        }
    }
    pub(super) const REACH: i32 = 16 + PIECE as i32;
    pub(super) const STACK: i32 = (FRAMES * 8) as i32;
}

/// What is read at each hit besides registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Only where and when: no registers, no arguments, and none of the following.
    pub bare: bool,
    /// The user's stack.
    pub stacks: bool,
    /// The memory that the arguments, or the result, point to.
    pub memory: bool,
    /// The memory that pointers lead to.
    pub reaches: Vec<Reach>,
    /// Also the processes that the process, and these, start from now on.
    pub follows: bool,
    /// Places may have deeds.
    pub deeds: bool,
}

impl Capture {
    /// Place of the memory that a pointer leads to: its address, its size, then the bytes.
    fn reach(&self, index: usize) -> i32 {
        let memory = if self.memory { at::MEMORY } else { 0 };
        i32::from(at::END) + memory + index as i32 * at::REACH
    }

    /// Place of the stack.
    fn stack(&self) -> i32 {
        self.reach(self.reaches.len())
    }

    /// Place of the deeds that were done.
    fn deeds(&self) -> i32 {
        self.stack() + if self.stacks { at::STACK } else { 0 }
    }

    /// Bytes of a hit.
    fn size(&self) -> i32 {
        if self.bare {
            return at::REGS.into();
        }
        self.deeds() + if self.deeds { deed::SIZE } else { 0 }
    }
}

/// When a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Before the instruction at the place.
    Before,
    /// When the function that begins at the place returns.
    Return,
}

/// What a program does at its places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Doing {
    /// Where the arguments are, if the places describe them.
    pub operands: Option<Vec<Operand>>,
    /// The deeds of the clauses on the places.
    pub deeds: Vec<Steps>,
    /// The places are the return instruction of a function, so many bytes from its start.
    pub return_offset: Option<u64>,
    /// The watched program begins at the place: deeds are done from now on.
    pub begins: bool,
}

/// A place in the code of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Offset in the file.
    pub offset: u64,
    /// Offset of a counter that the kernel raises while the place is watched; 0 for none.
    pub counter: u64,
    /// A number that comes back in [`Hit::cookie`].
    pub cookie: u64,
}

/// A hit of a place.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'a> {
    bytes: &'a [u8],
    capture: &'a Capture,
}

impl<'a> Hit<'a> {
    fn word(&self, at: i16) -> u64 {
        let at = usize::try_from(at).unwrap_or(0);
        self.bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_ne_bytes(*word))
    }

    /// Nanoseconds of the monotonic clock.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.word(at::TIME)
    }

    /// Process and thread, of the initial namespace.
    #[must_use]
    pub fn thread(&self) -> (u32, u32) {
        let both = self.word(at::THREAD);
        ((both >> 32) as u32, both as u32)
    }

    /// The processor.
    #[must_use]
    pub fn cpu(&self) -> u16 {
        self.word(at::CPU) as u16
    }

    /// The number of the place.
    #[must_use]
    pub fn cookie(&self) -> u64 {
        self.word(at::COOKIE)
    }

    /// The registers.
    #[must_use]
    pub fn registers(&self) -> [u64; REGISTERS] {
        std::array::from_fn(|index| self.word(at::REGS + 8 * index as i16))
    }

    /// The arguments: those of a function as its calling convention passes them, or those that the place has
    /// [described](Uprobes::attach_doing); of a return the second one is the result.
    #[must_use]
    pub fn arguments(&self) -> [u64; ARGUMENTS] {
        std::array::from_fn(|index| self.word(at::argument(index)))
    }

    /// The word at the top of the stack, which is the return address at the entry of a function.
    #[must_use]
    pub fn top(&self) -> u64 {
        self.word(at::TOP)
    }

    /// The deeds that were done.
    #[must_use]
    pub fn done(&self) -> Option<Done> {
        let at = usize::try_from(self.capture.deeds())
            .ok()
            .filter(|_| self.capture.deeds && !self.capture.bare)?;
        Done::parse(self.bytes.get(at..)?)
    }

    /// The frames of the stack as the kernel walks it, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = u64> + use<'a> {
        let size = self.word(at::DEPTH).cast_signed().clamp(0, i64::from(at::STACK));
        let bytes = self
            .bytes
            .get(self.capture.stack() as usize..)
            .and_then(|rest| rest.get(..size as usize))
            .unwrap_or_default();
        bytes.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word))
    }

    /// The memory at the addresses that the first arguments hold, or the one that the result holds: address and bytes.
    pub fn memory(&self, when: When) -> impl Iterator<Item = (u64, &'a [u8])> + use<'a> {
        let arguments = self.arguments();
        let sizes: [u64; POINTERS] = std::array::from_fn(|index| self.word(at::SIZES + 8 * index as i16));
        let (bytes, count) = (self.bytes, if self.capture.memory { POINTERS } else { 0 });
        let pointed = (0..count).filter_map(move |index| {
            let argument = *pointers(when).get(index)?;
            let size = usize::try_from(sizes[index]).ok().filter(|size| (1..=PIECE).contains(size))?;
            let piece = bytes.get(at::END as usize + index * PIECE..)?.get(..size)?;
            Some((*arguments.get(argument)?, piece))
        });
        let capture = self.capture;
        let reached = (0..capture.reaches.len()).filter_map(move |index| {
            let start = usize::try_from(capture.reach(index)).ok()?;
            let mut words = bytes.get(start..)?.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word));
            let (address, size) = (words.next()?, words.next()?);
            let size = usize::try_from(size).ok().filter(|size| (1..=PIECE).contains(size))?;
            Some((address, bytes.get(start + 16..)?.get(..size)?))
        });
        pointed.chain(reached)
    }
}

/// The arguments whose memory is read.
fn pointers(when: When) -> &'static [usize] {
    match when {
        When::Before => &[0, 1, 2, 3, 4, 5],
        When::Return => &[1],
    }
}

/// Places of a process, with the ring that their hits come through.
#[derive(Debug)]
pub struct Uprobes {
    pid: u32,
    capture: Capture,
    before: OwnedFd,
    after: OwnedFd,
    /// The programs of places that describe their arguments, or have deeds.
    special: FxHashMap<(When, Doing), OwnedFd>,
    /// What lets deeds through, if there may be any.
    gate: Option<Gate>,
    /// The kernel refuses programs with deeds.
    refuses_deeds: bool,
    reader: BpfRing,
    lost: Map,
    /// The processes, where children are followed.
    followed: Option<Followed>,
    links: Vec<OwnedFd>,
    bytes: Vec<u8>,
    /// The programs refer to it; the reader has it mapped.
    ring: Map,
}

impl Uprobes {
    /// Makes the ring and the programs for a process.
    ///
    /// # Errors
    /// The processor is not an x86-64, the kernel is too old, or the rights are missing.
    pub fn new(pid: u32, capture: Capture) -> Result<Uprobes, Error> {
        if !cfg!(target_arch = "x86_64") {
            let why = io::Error::new(io::ErrorKind::Unsupported, "only x86-64 is supported");
            return Err(Error::of("watch functions", why));
        }
        let making = |error| Error::of("make a ring for functions", error);
        let ring = MapSpec { kind: kind::RING, entries: RING_SIZE, name: "tw_hits", ..MapSpec::default() };
        let ring = Map::create(ring).map_err(making)?;
        let reader = BpfRing::map(ring.as_fd(), RING_SIZE).map_err(making)?;
        let lost = Map::create(MapSpec {
            kind: kind::ARRAY,
            key: 4,
            value: 8,
            entries: 1,
            name: "tw_lost",
            ..MapSpec::default()
        })
        .map_err(making)?;
        let followed = if capture.follows { Some(Followed::new(pid)?) } else { None };
        let shared = Shared { ring: &ring, lost: &lost, followed: followed.as_ref(), gate: None };
        let load = |when| load(&shared, (when, &Doing::default()), &capture);
        let (before, after) = (load(When::Before)?, load(When::Return)?);
        Ok(Uprobes {
            pid,
            capture,
            before,
            after,
            special: FxHashMap::default(),
            gate: None,
            refuses_deeds: false,
            reader,
            lost,
            followed,
            links: Vec::new(),
            bytes: Vec::new(),
            ring,
        })
    }

    /// Attaches to places of a file.
    ///
    /// # Errors
    /// The kernel's answer.
    pub fn attach(&mut self, file: &Path, when: When, places: &[Place]) -> io::Result<()> {
        let program = match when {
            When::Before => &self.before,
            When::Return => &self.after,
        };
        let link = link(program, file, (when, self.process()), places)?;
        self.links.extend(link);
        Ok(())
    }

    /// Fails if the kernel refuses a breakpoint at one of the places of a file. It tries them in a mapping of this process, whose
    /// code never runs: attaching to a file that the watched process does not map yet always succeeds.
    ///
    /// # Errors
    /// The kernel's answer, or the file cannot be mapped.
    pub fn try_places(&self, file: &Path, when: When, places: &[Place]) -> io::Result<()> {
        let program = match when {
            When::Before => &self.before,
            When::Return => &self.after,
        };
        // A counter is in memory that the program can write, which this mapping has none of.
        let places: Vec<Place> = places.iter().map(|place| Place { counter: 0, ..*place }).collect();
        // A pipe would be waited for.
        let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(file)?;
        let size = usize::try_from(opened.metadata()?.len()).map_err(io::Error::other)?;
        let _mapped = sys::CodeMap::of(opened.as_fd(), size)?;
        link(program, file, (when, Some(sys::own_process())), &places).map(drop)
    }

    /// The process that the kernel runs programs for; [`None`] for all.
    fn process(&self) -> Option<u32> {
        self.followed.is_none().then_some(self.pid)
    }

    /// Attaches to places of a file whose arguments are described (at most [`ARGUMENTS`] of them are read), or that have deeds.
    /// Deeds that the kernel refuses are not done; hits say so.
    ///
    /// # Errors
    /// The kernel's answer.
    pub fn attach_doing(
        &mut self,
        file: &Path,
        (when, doing): (When, &Doing),
        places: &[Place],
    ) -> io::Result<()> {
        let mut doing = doing.clone();
        if self.refuses_deeds || self.gate.is_none() {
            doing.deeds.clear();
            doing.begins = false;
        }
        if doing.deeds.is_empty() {
            doing.return_offset = None;
        }
        if doing == Doing::default() {
            return self.attach(file, when, places);
        }
        let key = (when, doing);
        if !self.special.contains_key(&key) {
            let shared = Shared {
                ring: &self.ring,
                lost: &self.lost,
                followed: self.followed.as_ref(),
                gate: self.gate.as_ref(),
            };
            let program = match load(&shared, (when, &key.1), &self.capture) {
                Err(_) if !key.1.deeds.is_empty() => {
                    self.refuses_deeds = true;
                    return self.attach_doing(file, (when, &key.1), places);
                }
                program => program.map_err(io::Error::other)?,
            };
            self.special.insert(key.clone(), program);
        }
        let Some(program) = self.special.get(&key) else { return Ok(()) };
        let link = link(program, file, (when, self.process()), places)?;
        self.links.extend(link);
        Ok(())
    }

    /// Makes what lets deeds through. `begun` says that the watched program runs already; nothing is done to `own`.
    ///
    /// # Errors
    /// The kernel's answer.
    pub fn allow_deeds(&mut self, begun: bool, own: u32) -> io::Result<Gate> {
        let gate = Gate::create(begun, own)?;
        self.gate = Some(gate.clone());
        Ok(gate)
    }

    /// Detaches from all places. Hits that are in the ring stay there.
    pub fn detach(&mut self) {
        self.links.clear();
    }

    /// Hands out the hits that are in the ring.
    pub fn read(&mut self, mut take: impl FnMut(Hit<'_>)) {
        let (reader, capture) = (&self.reader, &self.capture);
        self.bytes.clear();
        reader.read(&mut self.bytes, |bytes, start| {
            take(Hit { bytes: bytes.get(start..).unwrap_or_default(), capture });
            bytes.truncate(start);
        });
    }

    /// Number of children that could not be followed, because there were too many.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.followed.as_ref().map_or(0, Followed::missed)
    }

    /// Number of hits that found no room in the ring.
    #[must_use]
    pub fn lost(&self) -> u64 {
        let mut count = [0; 8];
        self.lost.lookup(0, &mut count).map_or(0, |()| u64::from_ne_bytes(count))
    }
}

/// The programs and libraries that processes map for execution, from now on.
#[derive(Debug)]
pub struct Mappings {
    events: Vec<PerfEvent>,
    bytes: Vec<u8>,
    files: Files,
    found: InOrder<(u64, u32, Image)>,
}

/// What several processors report, in order of time: a process that goes on to another processor has its records in two rings.
#[derive(Debug)]
struct InOrder<T>(Vec<(u64, T)>);

impl<T> InOrder<T> {
    /// Takes what is earlier than a time before which all rings were read. The rest may come after what is not read yet.
    fn until(&mut self, time: u64) -> impl Iterator<Item = T> {
        let InOrder(found) = self;
        found.sort_by_key(|(time, _)| *time);
        let ready = found.partition_point(|(found, _)| *found < time);
        found.drain(..ready).map(|(_, found)| found)
    }
}

impl Mappings {
    /// Begins to note mappings.
    ///
    /// # Errors
    /// The rights are missing.
    pub fn new() -> Result<Mappings, Error> {
        let failed = |error| Error::of("open an event for mappings", error);
        let mut events = Vec::new();
        for cpu in online_processors() {
            let event = PerfEvent::open(MAPPINGS, cpu, MAPPINGS_SIZE).map_err(failed)?;
            event.enable(true).map_err(failed)?;
            events.push(event);
        }
        Ok(Mappings { events, bytes: Vec::new(), files: Files::default(), found: InOrder(Vec::new()) })
    }

    /// Hands out the images that were mapped since the last call, in order of time: time in nanoseconds of the monotonic clock,
    /// process, first address, size and path.
    pub fn read(&mut self, mut take: impl FnMut(u64, u32, u64, u64, &str)) {
        let now = sys::monotonic();
        for event in &self.events {
            self.bytes.clear();
            event.read(&mut self.bytes);
            for record in perf::records(&self.bytes) {
                if let Some(perf::Event::Mapped { ids: (pid, _), image }) = perf::parse(MAPPINGS, record) {
                    let image = self.files.whole(pid, image);
                    let time = perf::time(record).unwrap_or_default();
                    self.found.0.push((time, (time, pid, image)));
                }
            }
        }
        for (time, pid, image) in self.found.until(now) {
            take(time, pid, image.base, image.size, &image.path);
        }
    }
}

/// What programs share.
struct Shared<'m> {
    ring: &'m Map,
    /// The count of what had no room in the ring.
    lost: &'m Map,
    followed: Option<&'m Followed>,
    gate: Option<&'m Gate>,
}

/// Makes the program for places: when it runs, and what else it does.
fn load(maps: &Shared<'_>, when: (When, &Doing), capture: &Capture) -> Result<OwnedFd, Error> {
    let code = program(maps, when, capture)
        .ok_or_else(|| Error::of("watch functions", io::Error::other("a jump leads nowhere")))?;
    let reads = |operand: &Operand| matches!(operand.place, operand::Place::Memory { .. });
    let waits = capture.memory || !capture.reaches.is_empty() || when.1.operands.iter().flatten().any(reads);
    let spec = ProgramSpec {
        kind: KPROBE,
        attach: UPROBE_MULTI,
        btf_id: 0,
        flags: if waits { SLEEPABLE } else { 0 },
        name: "tw_function",
        code: &code,
    };
    sys::program_load(spec, &mut []).map_err(|error| match error.raw_os_error() {
        Some(libc::EINVAL) => Error::of(
            "watch functions",
            io::Error::new(io::ErrorKind::Unsupported, "the kernel is older than Linux 6.6"),
        ),
        _ => Error::of("load a program for functions", error),
    })
}

/// Attaches a program to places of a file, for a process or for all.
fn link(
    program: &OwnedFd,
    file: &Path,
    (when, pid): (When, Option<u32>),
    places: &[Place],
) -> io::Result<Option<OwnedFd>> {
    if places.is_empty() {
        return Ok(None);
    }
    let path = CString::new(file.as_os_str().as_bytes())?;
    let list = |field: fn(&Place) -> u64| places.iter().map(field).collect::<Vec<u64>>();
    let spec = UprobesSpec {
        path: &path,
        offsets: &list(|place| place.offset),
        counters: &list(|place| place.counter),
        cookies: &list(|place| place.cookie),
        returns: when == When::Return,
        pid: pid.unwrap_or(0),
    };
    sys::uprobes_attach(program.as_fd(), spec).map(Some)
}

/// The program of a place: reads the registers, and what else is captured, into the ring.
fn program(shared: &Shared<'_>, (when, doing): (When, &Doing), capture: &Capture) -> Option<Vec<u64>> {
    let Shared { ring, lost, followed, gate } = *shared;
    let mut asm = Asm::default();
    let (full, out) = (asm.label(), asm.label());
    asm.mov(R6, R1);
    if let Some(followed) = followed {
        followed.check(&mut asm, out);
    }
    if let Some(gate) = gate.filter(|_| doing.begins) {
        gate.begin(&mut asm);
    }
    asm.map(R1, ring.as_fd());
    asm.set(R2, capture.size());
    asm.set(R3, 0);
    asm.call(Helper::RingReserve);
    asm.jump_if(If::Eq, R0, 0, full);
    asm.mov(R7, R0);
    asm.call(Helper::Nanoseconds);
    asm.store(Size::D, R7, at::TIME, R0);
    asm.call(Helper::PidTgid);
    asm.store(Size::D, R7, at::THREAD, R0);
    asm.mov(R1, R6);
    asm.call(Helper::Cookie);
    asm.store(Size::D, R7, at::COOKIE, R0);
    asm.call(Helper::Processor);
    asm.store(Size::D, R7, at::CPU, R0);
    if !capture.bare {
        contents(&mut asm, when, doing.operands.as_deref(), capture);
        if capture.deeds {
            let places = deed::Places {
                argument: at::argument,
                registers: at::REGS,
                result: at::REGS + 8 * RESULT_REGISTER as i16,
                done: capture.deeds(),
                returns: doing.return_offset,
            };
            match gate.filter(|_| !doing.deeds.is_empty()) {
                Some(gate) => deed::add(&mut asm, gate, &doing.deeds, &places),
                None => asm.store_imm(Size::D, R7, capture.deeds() as i16, 0),
            }
        }
    }
    asm.mov(R1, R7);
    asm.set(R2, NO_WAKEUP);
    asm.call(Helper::RingSubmit);
    asm.jump(out);
    asm.place(full);
    asm.store_imm(Size::W, R10, -4, 0);
    asm.map(R1, lost.as_fd());
    asm.mov(R2, R10);
    asm.imm(Op::Add, R2, -4);
    asm.call(Helper::MapLookup);
    asm.jump_if(If::Eq, R0, 0, out);
    asm.set(R1, 1);
    asm.add_atomic(R0, 0, R1);
    asm.place(out);
    asm.set(R0, 0);
    asm.exit();
    asm.finish()
}

/// Stores what a hit has beyond where and when it is.
fn contents(asm: &mut Asm, when: When, operands: Option<&[Operand]>, capture: &Capture) {
    for index in 0..REGISTERS as i16 {
        asm.load(Size::D, R1, R6, 8 * index);
        asm.store(Size::D, R7, at::REGS + 8 * index, R1);
    }
    asm.load(Size::D, R3, R6, 8 * SP_REGISTER as i16);
    asm.mov(R1, R7);
    asm.imm(Op::Add, R1, at::TOP.into());
    asm.set(R2, 8 * (1 + STACKED) as i32);
    // What cannot be read becomes zeros. The stack is in memory.
    asm.call(Helper::ReadUser);
    arguments(asm, when, operands);
    for index in 0..POINTERS as i16 {
        asm.store_imm(Size::D, R7, at::SIZES + 8 * index, 0);
    }
    if capture.memory {
        for (index, argument) in (0..).zip(pointers(when)) {
            piece(asm, index, at::argument(*argument));
        }
    }
    for (index, reach) in capture.reaches.iter().enumerate() {
        follow(asm, reach, capture.reach(index));
    }
    if capture.stacks {
        asm.mov(R1, R6);
        asm.mov(R2, R7);
        asm.imm(Op::Add, R2, capture.stack());
        asm.set(R3, at::STACK);
        asm.set(R4, USER_STACK);
        asm.call(Helper::Stack);
        asm.store(Size::D, R7, at::DEPTH, R0);
    } else {
        asm.store_imm(Size::D, R7, at::DEPTH, 0);
    }
}

/// Stores the arguments; those on the stack are there.
fn arguments(asm: &mut Asm, when: When, operands: Option<&[Operand]>) {
    match (when, operands) {
        (When::Before, None) => {
            for (index, register) in ARGUMENT_REGISTERS.into_iter().enumerate() {
                asm.load(Size::D, R1, R6, 8 * register as i16);
                asm.store(Size::D, R7, at::argument(index), R1);
            }
        }
        (When::Return, _) => {
            for index in 0..ARGUMENTS {
                asm.store_imm(Size::D, R7, at::argument(index), 0);
            }
            asm.load(Size::D, R1, R6, 8 * RESULT_REGISTER as i16);
            asm.store(Size::D, R7, at::argument(1), R1);
        }
        (When::Before, Some(operands)) => {
            for index in 0..ARGUMENTS {
                asm.store_imm(Size::D, R7, at::argument(index), 0);
            }
            for (index, operand) in operands.iter().take(ARGUMENTS).enumerate() {
                described(asm, operand, at::argument(index));
            }
        }
    }
}

/// Stores the value of an operand, where there are zeros.
fn described(asm: &mut Asm, operand: &Operand, at: i16) {
    let register = |register: u8| 8 * i16::from(register).min(REGISTERS as i16 - 1);
    match operand.place {
        operand::Place::Unreadable => return,
        operand::Place::Constant(value) => {
            asm.set_wide(R8, operand.extended(value.cast_unsigned()));
            asm.store(Size::D, R7, at, R8);
            return;
        }
        operand::Place::Register { register: from, high } => {
            asm.load(Size::D, R8, R6, register(from));
            if high {
                asm.imm(Op::Shr, R8, 8);
            }
        }
        operand::Place::Memory { base, index, displacement } => {
            asm.set_wide(R3, displacement.cast_unsigned());
            if let Some(base) = base {
                asm.load(Size::D, R1, R6, register(base));
                asm.reg(Op::Add, R3, R1);
            }
            if let Some((index, shift)) = index {
                asm.load(Size::D, R1, R6, register(index));
                asm.imm(Op::Shl, R1, i32::from(shift & 3));
                asm.reg(Op::Add, R3, R1);
            }
            asm.mov(R8, R3);
            asm.set(R9, i32::from(operand.size.clamp(1, 8)));
            let failed = asm.label();
            read_user(asm, (at.into(), R9, R8), failed);
            asm.place(failed);
            asm.load(Size::D, R8, R7, at);
        }
    }
    let unused = 64 - 8 * i32::from(operand.size.clamp(1, 8));
    if unused > 0 {
        asm.imm(Op::Shl, R8, unused);
        asm.imm(if operand.signed { Op::Sar } else { Op::Shr }, R8, unused);
    }
    asm.store(Size::D, R7, at, R8);
}

/// Reads the memory that an argument points to: as much as fits, or up to the end of the page if the next one is not there.
fn piece(asm: &mut Asm, index: i16, argument: i16) {
    let (done, part) = (asm.label(), asm.label());
    let size = PIECE as i32;
    let place = i32::from(at::END) + i32::from(index) * size;
    asm.load(Size::D, R8, R7, argument);
    asm.set(R9, size);
    read_user(asm, (place, R9, R8), part);
    asm.store_imm(Size::D, R7, at::SIZES + 8 * index, size);
    asm.jump(done);
    asm.place(part);
    page_end(asm, size, done);
    read_user(asm, (place, R9, R8), done);
    asm.store(Size::D, R7, at::SIZES + 8 * index, R9);
    asm.place(done);
}

/// Reads the memory that pointers lead to.
fn follow(asm: &mut Asm, reach: &Reach, place: i32) {
    let done = asm.label();
    let at = place as i16;
    asm.store_imm(Size::D, R7, at, 0);
    asm.store_imm(Size::D, R7, at + 8, 0);
    asm.load(Size::D, R8, R7, at::argument(usize::from(reach.argument).min(ARGUMENTS - 1)));
    for step in &reach.steps {
        asm.set_wide(R1, step.cast_unsigned());
        asm.reg(Op::Add, R8, R1);
        asm.set(R9, 8);
        read_user(asm, (place, R9, R8), done);
        asm.load(Size::D, R8, R7, at);
    }
    asm.set_wide(R1, reach.last.cast_unsigned());
    asm.reg(Op::Add, R8, R1);
    asm.store(Size::D, R7, at, R8);
    let part = asm.label();
    let size = PIECE as i32;
    asm.set(R9, size);
    read_user(asm, (place + 16, R9, R8), part);
    asm.store_imm(Size::D, R7, at + 8, size);
    asm.jump(done);
    asm.place(part);
    page_end(asm, size, done);
    read_user(asm, (place + 16, R9, R8), done);
    asm.store(Size::D, R7, at + 8, R9);
    asm.place(done);
}

/// Sets the size to the rest of the page; goes on at a label if that is more than a size.
fn page_end(asm: &mut Asm, size: i32, more: Label) {
    asm.mov(R1, R8);
    asm.imm(Op::And, R1, 4095);
    asm.set(R9, 4096);
    asm.reg(Op::Sub, R9, R1);
    asm.jump_if(If::Gt, R9, size, more);
}

/// Reads memory of the process, first as it is, then waiting for what is not there yet; goes on at a label if there is none.
/// What cannot be read becomes zeros.
fn read_user(asm: &mut Asm, (place, size, address): (i32, Reg, Reg), failed: Label) {
    let read = asm.label();
    for helper in [Helper::ReadUser, Helper::CopyUser] {
        asm.mov(R1, R7);
        asm.imm(Op::Add, R1, place);
        asm.mov(R2, size);
        asm.mov(R3, address);
        asm.call(helper);
        asm.jump_if(If::Eq, R0, 0, read);
    }
    asm.jump(failed);
    asm.place(read);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_what_processors_report_is_in_order_of_time() {
        let mut found = InOrder(vec![(30, "library"), (50, "later"), (20, "program"), (20, "its linker")]);
        assert_eq!(found.until(50).collect::<Vec<_>>(), ["program", "its linker", "library"]);
        assert_eq!(found.until(50).count(), 0, "another ring may have something earlier");
        found.0.push((40, "another ring"));
        assert_eq!(found.until(51).collect::<Vec<_>>(), ["another ring", "later"]);
    }

    #[inline(never)]
    extern "C" fn watched(number: u64, text: *const u8) -> u64 {
        std::hint::black_box(text);
        std::hint::black_box(number) + 1
    }

    /// The offset in its file of a function of this program.
    fn offset_of(address: u64) -> u64 {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
        let mut found = maps.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let (start, end) = words.next()?.split_once('-')?;
            let offset = words.nth(1)?;
            (number(start)..number(end)).contains(&address).then(|| address - number(start) + number(offset))
        });
        found.next().unwrap()
    }

    /// What the next test runs in a child.
    #[test]
    fn issue_17_a_child_calls_once() {
        assert_eq!(watched(7, std::ptr::null()), 8);
    }

    #[test]
    fn issue_17_calls_of_children_are_hits_if_they_are_followed() {
        let function = watched as extern "C" fn(u64, *const u8) -> u64 as usize as u64;
        let me = std::env::current_exe().unwrap();
        for follows in [false, true] {
            let mut uprobes =
                match Uprobes::new(std::process::id(), Capture { follows, ..Capture::default() }) {
                    Ok(uprobes) => uprobes,
                    Err(error @ Error::Rights { .. }) => {
                        return tracewell_corpus::skip("root", &error.to_string());
                    }
                    Err(error) => panic!("{error}"),
                };
            uprobes
                .attach(&me, When::Before, &[Place { offset: offset_of(function), counter: 0, cookie: 1 }])
                .unwrap();
            let mut child = std::process::Command::new(&me)
                .args(["--exact", "uprobe::tests::issue_17_a_child_calls_once"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            let number = child.id();
            assert!(child.wait().unwrap().success());
            let mut hits = Vec::new();
            // Another test makes calls in this process.
            uprobes.read(|hit| hits.extend(Some(hit.thread().0).filter(|pid| *pid != std::process::id())));
            let expected = if follows { vec![number] } else { Vec::new() };
            assert_eq!((hits, uprobes.missed(), uprobes.lost()), (expected, 0, 0));
        }
    }

    #[test]
    fn issue_17_each_call_and_return_of_this_program_is_a_hit() {
        let capture = Capture { stacks: true, memory: true, ..Capture::default() };
        let mut uprobes = match Uprobes::new(std::process::id(), capture) {
            Ok(uprobes) => uprobes,
            Err(error @ Error::Rights { .. }) => return tracewell_corpus::skip("root", &error.to_string()),
            Err(error) => panic!("{error}"),
        };
        let function = watched as extern "C" fn(u64, *const u8) -> u64 as usize as u64;
        let me = std::env::current_exe().unwrap();
        let place = |cookie| Place { offset: offset_of(function), counter: 0, cookie };
        uprobes.attach(&me, When::Before, &[place(5)]).unwrap();
        uprobes.attach(&me, When::Return, &[place(6)]).unwrap();
        let text = b"hello\0";
        for number in 0..100 {
            std::hint::black_box(watched(std::hint::black_box(number), text.as_ptr()));
        }
        let mut hits = Vec::new();
        uprobes.read(|hit| {
            let registers = hit.registers();
            let value = match hit.cookie() {
                5 => {
                    let (address, bytes) =
                        hit.memory(When::Before).find(|(at, _)| *at == text.as_ptr() as u64).unwrap();
                    assert_eq!(address, text.as_ptr() as u64);
                    assert!(bytes.starts_with(text));
                    assert_eq!(hit.frames().next(), Some(function));
                    registers[ARGUMENT_REGISTERS[0]]
                }
                _ => registers[RESULT_REGISTER],
            };
            assert_eq!(hit.thread().0, std::process::id());
            hits.push((hit.cookie(), value));
        });
        let expected: Vec<_> = (0..100).flat_map(|number| [(5, number), (6, number + 1)]).collect();
        assert_eq!((hits, uprobes.lost()), (expected, 0));
        uprobes.detach();
        watched(0, text.as_ptr());
        uprobes.read(|_| panic!("a hit after the end"));
    }
}

#[cfg(test)]
#[path = "uprobe_tests.rs"]
mod programs;
