//! Counts of what the simulation did, kept while it does it. No record is ever read back.

use crate::world::Process;
use std::collections::BTreeMap;
use std::net::IpAddr;
use tracewell_types::Guid;

/// Nanoseconds in a tick of the performance counter.
pub(crate) const TICK_NS: u64 = 100;

/// Count, bytes, response times in ticks.
#[derive(Default, Clone, Copy)]
pub(crate) struct Transfers {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
    pub(crate) response: u64,
    pub(crate) slowest: u64,
}

impl Transfers {
    fn add(&mut self, bytes: u32, response: u64) {
        self.count += 1;
        self.bytes += u64::from(bytes);
        self.response += response;
        self.slowest = self.slowest.max(response);
    }
}

/// Values of a number field.
#[derive(Default, Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) count: u64,
    pub(crate) sum: u64,
    pub(crate) least: Option<u64>,
    pub(crate) greatest: u64,
}

/// A process start or end.
pub(crate) struct Life {
    /// Ticks after the start of the trace.
    pub(crate) at: i64,
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) image: String,
    pub(crate) command: String,
    pub(crate) status: Option<i32>,
}

/// Network traffic of one program with one peer.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Flow {
    pub(crate) program: String,
    pub(crate) protocol: &'static str,
    pub(crate) peer: IpAddr,
    pub(crate) port: u16,
}

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) headers: BTreeMap<&'static str, u64>,
    pub(crate) first_time: Option<i64>,
    pub(crate) last_time: i64,
    pub(crate) counts: BTreeMap<&'static str, u64>,
    pub(crate) counts_by_program: BTreeMap<(&'static str, String), u64>,
    pub(crate) starts: Vec<Life>,
    pub(crate) ends: Vec<Life>,
    pub(crate) modules: BTreeMap<&'static str, u64>,
    pub(crate) samples: BTreeMap<(String, u32), u64>,
    pub(crate) samples_by_cpu: BTreeMap<usize, u64>,
    pub(crate) samples_by_address: BTreeMap<(String, u64), u64>,
    /// Ticks by program and processor.
    pub(crate) on_cpu: BTreeMap<(String, usize), u64>,
    pub(crate) switched_in: BTreeMap<String, u64>,
    pub(crate) switched_out: BTreeMap<String, u64>,
    pub(crate) wakeups: BTreeMap<(String, String), u64>,
    pub(crate) stacks: BTreeMap<(&'static str, &'static str, String, Vec<u64>), u64>,
    pub(crate) disk_starts: BTreeMap<(&'static str, String), u64>,
    pub(crate) disk: BTreeMap<(&'static str, String), Transfers>,
    pub(crate) disk_by_running: BTreeMap<(&'static str, String), Transfers>,
    pub(crate) disk_by_file: BTreeMap<(String, &'static str), Transfers>,
    pub(crate) disk_by_disk: BTreeMap<(u32, &'static str), Transfers>,
    /// Operation and greatest power of two not above the microseconds.
    pub(crate) disk_histogram: BTreeMap<(&'static str, u64), u64>,
    pub(crate) network: BTreeMap<(&'static str, &'static str, u8), (u64, u64)>,
    pub(crate) flows: BTreeMap<(Flow, &'static str), (u64, u64)>,
    pub(crate) events: BTreeMap<(Guid, u16), u64>,
    pub(crate) events_by_program: BTreeMap<(Guid, String), u64>,
    pub(crate) exceptions: BTreeMap<&'static str, u64>,
    pub(crate) collections: BTreeMap<u32, u64>,
    pub(crate) allocations: BTreeMap<&'static str, (u64, u64)>,
    pub(crate) methods: (u64, u64),
    pub(crate) dns: BTreeMap<(&'static str, u32), u64>,
    pub(crate) numbers: BTreeMap<(&'static str, &'static str), Numbers>,
    pub(crate) strings: BTreeMap<(&'static str, &'static str, String), u64>,
}

impl Tally {
    pub(crate) fn record(&mut self, kind: &'static str, time: i64) {
        *self.headers.entry(kind).or_default() += 1;
        self.first_time.get_or_insert(time);
        self.last_time = self.last_time.max(time);
    }

    pub(crate) fn count(&mut self, what: &'static str, number: u64) {
        *self.counts.entry(what).or_default() += number;
    }

    pub(crate) fn count_for(&mut self, what: &'static str, program: &str) {
        self.count(what, 1);
        *self.counts_by_program.entry((what, program.to_owned())).or_default() += 1;
    }

    pub(crate) fn process_start(&mut self, at: i64, process: &Process) {
        self.count_for("start", &process.program());
        self.starts.push(life(at, process, None));
    }

    pub(crate) fn process_end(&mut self, at: i64, process: &Process, status: i32) {
        self.count_for("exit", &process.program());
        self.ends.push(life(at, process, Some(status)));
    }

    pub(crate) fn module_load(&mut self, path: &'static str) {
        *self.modules.entry(path).or_default() += 1;
    }

    /// A context switch; `ran` is how long the old thread ran if the trace saw it begin.
    pub(crate) fn switch(&mut self, cpu: usize, old: &str, new: &str, ran: Option<i64>) {
        self.count("cswitch", 1);
        *self.switched_out.entry(old.to_owned()).or_default() += 1;
        *self.switched_in.entry(new.to_owned()).or_default() += 1;
        if let Some(ran) = ran {
            *self.on_cpu.entry((old.to_owned(), cpu)).or_default() += ran.unsigned_abs();
        }
    }

    pub(crate) fn wakeup(&mut self, waker: String, woken: String) {
        self.count("wakeup", 1);
        *self.wakeups.entry((waker, woken)).or_default() += 1;
    }

    pub(crate) fn sample(&mut self, program: &str, pid: u32, cpu: usize, address: u64) {
        self.count("sample", 1);
        *self.samples.entry((program.to_owned(), pid)).or_default() += 1;
        *self.samples_by_cpu.entry(cpu).or_default() += 1;
        *self.samples_by_address.entry((program.to_owned(), address)).or_default() += 1;
    }

    pub(crate) fn stack_half(
        &mut self,
        event: &'static str,
        mode: &'static str,
        program: &str,
        frames: &[u64],
    ) {
        *self.stacks.entry((event, mode, program.to_owned(), frames.to_vec())).or_default() += 1;
    }

    pub(crate) fn disk_start(&mut self, op: &'static str, program: &str) {
        self.count("disk-start", 1);
        *self.disk_starts.entry((op, program.to_owned())).or_default() += 1;
    }

    #[expect(clippy::too_many_arguments, reason = "one call describes a whole transfer")]
    pub(crate) fn disk_done(
        &mut self,
        op: &'static str,
        issuer: String,
        running: String,
        path: &str,
        disk: u32,
        bytes: u32,
        response: u64,
    ) {
        self.count("disk-done", 1);
        self.disk.entry((op, issuer)).or_default().add(bytes, response);
        self.disk_by_running.entry((op, running)).or_default().add(bytes, response);
        self.disk_by_file.entry((path.to_owned(), op)).or_default().add(bytes, response);
        self.disk_by_disk.entry((disk, op)).or_default().add(bytes, response);
        let microseconds = response * TICK_NS / 1_000;
        let bucket = if microseconds == 0 { 0 } else { 1 << microseconds.ilog2() };
        *self.disk_histogram.entry((op, bucket)).or_default() += 1;
    }

    pub(crate) fn network(
        &mut self,
        op: &'static str,
        program: String,
        protocol: &'static str,
        peer: (IpAddr, u16),
        bytes: u32,
    ) {
        let family = if peer.0.is_ipv6() { 6 } else { 4 };
        let all = self.network.entry((protocol, op, family)).or_default();
        all.0 += 1;
        all.1 += u64::from(bytes);
        let flow = Flow { program, protocol, peer: peer.0, port: peer.1 };
        let one = self.flows.entry((flow, op)).or_default();
        one.0 += 1;
        one.1 += u64::from(bytes);
    }

    pub(crate) fn event(&mut self, provider: Guid, id: u16, program: &str) {
        self.count("event", 1);
        *self.events.entry((provider, id)).or_default() += 1;
        *self.events_by_program.entry((provider, program.to_owned())).or_default() += 1;
    }

    pub(crate) fn exception(&mut self, kind: &'static str) {
        *self.exceptions.entry(kind).or_default() += 1;
    }

    pub(crate) fn collection(&mut self, generation: u32) {
        *self.collections.entry(generation).or_default() += 1;
    }

    pub(crate) fn allocation(&mut self, kind: &'static str, bytes: u32) {
        let entry = self.allocations.entry(kind).or_default();
        entry.0 += 1;
        entry.1 += u64::from(bytes);
    }

    pub(crate) fn method(&mut self, size: u32) {
        self.methods.0 += 1;
        self.methods.1 += u64::from(size);
    }

    pub(crate) fn dns(&mut self, name: &'static str, status: u32) {
        *self.dns.entry((name, status)).or_default() += 1;
    }

    pub(crate) fn tracelogging(&mut self, event: &'static str, field: &'static str, value: u64) {
        let numbers = self.numbers.entry((event, field)).or_default();
        numbers.count += 1;
        numbers.sum += value;
        numbers.least = Some(numbers.least.map_or(value, |least| least.min(value)));
        numbers.greatest = numbers.greatest.max(value);
    }

    pub(crate) fn tracelogging_string(&mut self, event: &'static str, field: &'static str, value: &str) {
        *self.strings.entry((event, field, value.to_owned())).or_default() += 1;
    }
}

fn life(at: i64, process: &Process, status: Option<i32>) -> Life {
    Life {
        at,
        pid: process.pid,
        parent: process.parent,
        image: process.image.to_owned(),
        command: process.command.clone(),
        status,
    }
}
