//! What a trace says, read by hand: records as the container has them, fields at the offsets that their documentation
//! gives, and a model of processes and threads that shares nothing with the commands.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use tracewell_etl::{Clock, Identity, Trace};
use tracewell_schema::{kernel, providers};
use tracewell_types::Guid;

/// A record.
pub(crate) struct Event {
    /// Nanoseconds since the trace began.
    pub(crate) ns: i64,
    /// The time as the record has it, in ticks.
    pub(crate) raw: i64,
    /// Processor.
    pub(crate) cpu: u16,
    /// Class of the kernel's, or provider, by name; a GUID where it has none that is known.
    pub(crate) class: &'static str,
    /// Event type of a class, id of a provider's event.
    pub(crate) number: u16,
    pub(crate) version: u8,
    /// Bytes of a pointer.
    pub(crate) pointer: usize,
    /// Thread and process: those of the header, or else those that run on the processor.
    pub(crate) tid: u32,
    pub(crate) pid: u32,
    pub(crate) payload: Box<[u8]>,
}

impl Event {
    /// A number of so many bytes at an offset; 0 beyond the end.
    pub(crate) fn number_at(&self, at: usize, bytes: usize) -> u64 {
        let field = self.payload.get(at..at + bytes).unwrap_or(&[]);
        field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    pub(crate) fn u8(&self, at: usize) -> u64 {
        self.number_at(at, 1)
    }

    pub(crate) fn u16(&self, at: usize) -> u64 {
        self.number_at(at, 2)
    }

    pub(crate) fn u32(&self, at: usize) -> u32 {
        self.number_at(at, 4) as u32
    }

    pub(crate) fn u64(&self, at: usize) -> u64 {
        self.number_at(at, 8)
    }

    /// A number as wide as a pointer.
    pub(crate) fn ptr(&self, at: usize) -> u64 {
        self.number_at(at, self.pointer)
    }

    /// A port, in network order.
    pub(crate) fn port(&self, at: usize) -> u64 {
        self.u8(at) << 8 | self.u8(at + 1)
    }

    /// UTF-16 text up to its NUL, and where it ends.
    pub(crate) fn utf16(&self, at: usize) -> (String, usize) {
        let units: Vec<u16> = (at..self.payload.len().saturating_sub(1))
            .step_by(2)
            .map(|at| self.u16(at) as u16)
            .take_while(|unit| *unit != 0)
            .collect();
        (String::from_utf16_lossy(&units), at + 2 * units.len() + 2)
    }

    /// 8-bit text up to its NUL.
    pub(crate) fn ansi(&self, at: usize) -> String {
        let bytes = self.payload.get(at..).unwrap_or(&[]);
        let bytes: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// An address of 4 or 16 bytes, as text.
    pub(crate) fn address(&self, at: usize, bytes: usize) -> String {
        let field = self.payload.get(at..at + bytes).unwrap_or(&[]);
        match <[u8; 4]>::try_from(field) {
            Ok(four) => std::net::Ipv4Addr::from(four).to_string(),
            Err(_) => <[u8; 16]>::try_from(field).map(std::net::Ipv6Addr::from).unwrap().to_string(),
        }
    }
}

/// From when to when something was so; the ends of time where the trace does not say.
struct Span<T> {
    from: i64,
    to: i64,
    what: T,
}

/// What was so at a time: of those that cover it the last to begin, else the nearest.
fn at<T>(spans: Option<&Vec<Span<T>>>, ns: i64) -> Option<&T> {
    let spans = spans?;
    let covering = spans.iter().filter(|span| span.from <= ns && ns <= span.to);
    let nearest = || spans.iter().min_by_key(|span| span.from.abs_diff(ns).min(span.to.abs_diff(ns)));
    covering.max_by_key(|span| span.from).or_else(nearest).map(|span| &span.what)
}

/// A module in memory: where it begins and ends, its name without path and extension.
#[derive(PartialEq)]
struct Module {
    base: u64,
    end: u64,
    name: String,
}

/// A trace as its events by time, and who was who.
pub(crate) struct Facts {
    pub(crate) events: Vec<Event>,
    /// Length in nanoseconds, to the last record.
    pub(crate) length: i64,
    /// Nanoseconds for its ticks.
    pub(crate) clock: Clock,
    programs: HashMap<u32, Vec<Span<String>>>,
    threads: HashMap<u32, Vec<Span<u32>>>,
    /// Modules of a process (0: of the kernel) by first address, with their end, span and name.
    modules: HashMap<u32, Vec<Span<Module>>>,
    /// Names of files by object, and drives by device.
    files: HashMap<u64, Vec<Span<String>>>,
    drives: BTreeMap<String, String>,
}

impl Facts {
    pub(crate) fn read(path: &Path) -> Facts {
        let bytes = std::fs::read(path).expect("the trace can be read");
        let trace = Trace::open(&bytes).expect("the trace can be opened");
        let clock = trace.clock();
        let origin = clock.ns(clock.raw_start());
        let mut others: HashMap<Guid, &'static str> = HashMap::new();
        let mut named = |guid: Guid, name: Option<&'static str>| {
            name.unwrap_or_else(|| {
                others.entry(guid).or_insert_with(|| Box::leak(guid.to_string().into_boxed_str()))
            })
        };
        let mut events: Vec<Event> = Vec::new();
        let mut records = trace.by_time();
        while let Some(record) = records.next() {
            let (class, number) = match record.identity() {
                Identity::Kernel { group, opcode } => {
                    (kernel::by_hook(group, opcode).map_or("", |class| class.name), u16::from(opcode))
                }
                Identity::Class { guid, opcode } => {
                    (named(guid, kernel::by_guid(&guid).map(|class| class.name)), u16::from(opcode))
                }
                Identity::Provider { guid, id, .. } => (named(guid, providers::name(&guid)), id),
                _ => ("", 0),
            };
            events.push(Event {
                ns: clock.ns(record.time()) - origin,
                raw: record.time(),
                cpu: record.cpu(),
                class,
                number,
                version: record.version(),
                pointer: record.pointer_size().into(),
                tid: record.tid().unwrap_or(u32::MAX),
                pid: record.pid().unwrap_or(u32::MAX),
                payload: record.payload().into(),
            });
        }
        let length = events.last().map_or(0, |event| event.ns);
        let mut facts = Facts {
            events: Vec::new(),
            length,
            clock: *clock,
            programs: HashMap::new(),
            threads: HashMap::new(),
            modules: HashMap::new(),
            files: HashMap::new(),
            drives: BTreeMap::new(),
        };
        events.iter().for_each(|event| facts.learn(event));
        let mut running: HashMap<u16, u32> = HashMap::new();
        for event in &mut events {
            if (event.class, event.number) == ("Thread", 36) {
                running.insert(event.cpu, event.u32(0));
            }
            if event.tid == u32::MAX {
                event.tid = match (event.class, event.number) {
                    ("PerfInfo", 46) => event.u32(event.pointer),
                    _ => running.get(&event.cpu).copied().unwrap_or(u32::MAX),
                };
                event.pid = match (event.class, at(facts.threads.get(&event.tid), event.ns)) {
                    (_, Some(pid)) => *pid,
                    ("Image", None) => event.u32(2 * event.pointer),
                    _ => u32::MAX,
                };
            }
        }
        facts.events = events;
        facts
    }

    /// Processes events about processes, threads, modules and files. Event types 1 and 2 are starts and ends; 3 and 4 list
    /// what exists at the beginning and at the end of a trace.
    fn learn(&mut self, event: &Event) {
        let p = event.pointer;
        let (ns, opcode) = (event.ns, event.number);
        match (event.class, opcode) {
            ("Process", 1..=4 | 39) => {
                // Key, ids of process, parent and session, status, page directory, from version 4 on flags, then who.
                let who = p + 16 + p + if event.version >= 4 { 4 } else { 0 };
                let sid =
                    if event.u32(who) == 0 { 4 } else { 2 * p + 8 + 4 * event.u8(who + 2 * p + 1) as usize };
                let name = event.ansi(who + sid).to_lowercase();
                span(self.programs.entry(event.u32(p)).or_default(), ns, opcode, name);
            }
            ("Thread", 1..=4) => {
                span(self.threads.entry(event.u32(4)).or_default(), ns, opcode, event.u32(0));
            }
            ("Image", 2 | 3 | 4 | 10) => {
                // Base, size, process, checksum, time, signature, default base, four numbers, name.
                let (path, _) = event.utf16(2 * p + 16 + p + 16);
                let (base, size) = (event.ptr(0), event.ptr(p));
                let file = path.rsplit('\\').next().unwrap_or_default().to_lowercase();
                let name = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem).to_owned();
                let pid = if base >> (8 * p - 1) == 1 { 0 } else { event.u32(2 * p) };
                let opcode = if opcode == 10 { 1 } else { opcode };
                span(
                    self.modules.entry(pid).or_default(),
                    ns,
                    opcode,
                    Module { base, end: base.saturating_add(size), name },
                );
            }
            ("FileIo", 0 | 32 | 35 | 36) => {
                let names = self.files.entry(event.ptr(0)).or_default();
                let (path, _) = event.utf16(p);
                // A file is known by its object from where it is named on; a rundown names what was there before.
                let from = if opcode == 32 || opcode == 0 { ns } else { i64::MIN };
                names.push(Span { from, to: i64::MAX, what: path });
            }
            ("SystemConfigEx", 35) => {
                // Of volumes: device and drive, as text.
                let (device, end) = event.utf16(0);
                let (drive, _) = event.utf16(end);
                self.drives.insert(device, drive);
            }
            _ => {}
        }
    }

    /// The program of a process at a time.
    pub(crate) fn program(&self, pid: u32, ns: i64) -> String {
        at(self.programs.get(&pid), ns).cloned().unwrap_or_else(|| "<unknown>".to_owned())
    }

    /// The program of an event's process.
    pub(crate) fn program_of(&self, event: &Event) -> String {
        self.program(event.pid, event.ns)
    }

    /// The process of a thread at a time.
    pub(crate) fn process(&self, tid: u32, ns: i64) -> u32 {
        at(self.threads.get(&tid), ns).copied().unwrap_or(u32::MAX)
    }

    /// The module at an address at a time: that of the kernel (`pid` 0), or of a process.
    pub(crate) fn module(&self, pid: u32, address: u64, ns: i64) -> Option<&str> {
        let modules = self.modules.get(&pid)?;
        let here = |span: &&Span<Module>| {
            (span.what.base..span.what.end).contains(&address) && span.from <= ns && ns <= span.to
        };
        modules.iter().filter(here).max_by_key(|span| span.from).map(|span| span.what.name.as_str())
    }

    /// The path of a file object at a time, with its drive.
    pub(crate) fn file(&self, object: u64, ns: i64) -> String {
        // A file is read while it is being opened, and named just after that.
        let names = || self.files.get(&object).into_iter().flatten();
        let before = names().filter(|span| span.from <= ns).max_by_key(|span| span.from);
        let Some(path) = before.or_else(|| names().min_by_key(|span| span.from)).map(|span| &span.what)
        else {
            return "<none>".to_owned();
        };
        let drive = self.drives.iter().filter(|(device, _)| path.starts_with(device.as_str()));
        match drive.max_by_key(|(device, _)| device.len()) {
            Some((device, drive)) => format!("{drive}{}", &path[device.len()..]),
            None => path.clone(),
        }
    }

    /// The events of a class or provider with one of some numbers.
    pub(crate) fn of<'f>(&'f self, class: &'f str, numbers: &'f [u16]) -> impl Iterator<Item = &'f Event> {
        self.events.iter().filter(move |event| event.class == class && numbers.contains(&event.number))
    }
}

/// Notes that something began (1), ended (2), or is there at the beginning (3) or end (4) of the trace.
fn span<T: PartialEq>(spans: &mut Vec<Span<T>>, ns: i64, opcode: u16, what: T) {
    match opcode {
        1 => spans.push(Span { from: ns, to: i64::MAX, what }),
        2 | 39 => match spans.iter_mut().rev().find(|span| span.to == i64::MAX && span.what == what) {
            Some(span) => span.to = ns,
            None => spans.push(Span { from: i64::MIN, to: ns, what }),
        },
        _ if spans.iter().any(|span| span.to == i64::MAX && span.what == what) => {}
        _ => spans.push(Span { from: i64::MIN, to: i64::MAX, what }),
    }
}
