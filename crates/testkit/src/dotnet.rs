//! Events of providers: the .NET runtime, the DNS client, and two programs with TraceLogging.

use crate::emit::{Descriptor, Header, Payload};
use crate::machine::Machine;
use crate::manifest;
use crate::moments::Seen;
use crate::world::ThreadIndex;
use tracewell_types::Guid;

/// Microsoft-Windows-DotNETRuntime.
pub(crate) const CLR: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
/// Microsoft-Windows-DNS-Client.
pub(crate) const DNS_CLIENT: Guid = Guid::parse("1c95126e-7eea-49a9-a3fe-a378b03ddb4d");

/// The runtime's number in its process.
pub(crate) const CLR_INSTANCE: u16 = 7;

/// An event of the .NET runtime.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clr {
    GcStart { count: u32, generation: u32 },
    GcEnd { count: u32, generation: u32 },
    HeapStats,
    AllocationTick { bytes: u32, kind: usize },
    Exception { kind: &'static str, message: &'static str },
    MethodLoad { method: usize },
}

const ALLOCATED: [&str; 3] = ["System.String", "ShopApi.Models.OrderLine", "System.Byte[]"];
const CLASSES: [&str; 6] = ["Basket", "Orders", "Vouchers", "Customers", "Prices", "Json.Writer"];
const METHODS: [(&str, &str); 8] = [
    ("Load", "instance void  (int32)"),
    ("Save", "instance bool  (class ShopApi.Models.Order)"),
    ("Find", "class ShopApi.Models.Order  (int32)"),
    ("Total", "instance int64  ()"),
    ("Apply", "instance bool  (class System.String)"),
    ("MoveNext", "instance void  ()"),
    ("Write", "instance void  (class System.Text.Json.Utf8JsonWriter)"),
    ("Validate", "instance bool  ()"),
];

impl Machine {
    /// Logs an event of a provider; returns its raw time.
    pub(crate) fn event(
        &mut self,
        cpu: usize,
        thread: ThreadIndex,
        provider: Guid,
        descriptor: Descriptor,
        extended: Vec<(u16, Vec<u8>)>,
        payload: Payload,
    ) -> i64 {
        let process = self.world.process_of(thread);
        let wide = !process.wow64;
        self.tally.event(provider, descriptor.id, &process.program());
        let header = Header::Event {
            wide,
            tid: self.world.tid(thread),
            pid: process.pid,
            provider,
            descriptor,
            activity: Guid::ZERO,
            extended,
        };
        self.log(cpu, header, payload.0)
    }

    pub(crate) fn clr(&mut self, cpu: usize, thread: ThreadIndex, event: Clr) {
        let (kind, payload) = match event {
            Clr::GcStart { count, generation } => (
                &manifest::GC_START,
                // Count, depth, reason (small object allocation), type (blocking), client sequence number.
                Payload::new().u32(count).u32(generation).u32(0).u32(0).u16(CLR_INSTANCE).u64(0),
            ),
            Clr::GcEnd { count, generation } => {
                (&manifest::GC_END, Payload::new().u32(count).u32(generation).u16(CLR_INSTANCE))
            }
            Clr::HeapStats => (&manifest::HEAP_STATS, self.heap_stats()),
            Clr::AllocationTick { bytes, kind } => {
                let name = ALLOCATED[kind % ALLOCATED.len()];
                self.tally.allocation(name, bytes);
                let payload = Payload::new()
                    .u32(bytes)
                    .u32(0)
                    .u16(CLR_INSTANCE)
                    .u64(u64::from(bytes))
                    .u64(0x7FFB_2C90_1000 + 0x98 * kind as u64)
                    .utf16(name)
                    .u32(thread as u32 % 4)
                    .u64(0x1_E350_0028 + 0x2000 * u64::from(bytes % 977));
                (&manifest::ALLOCATION_TICK, payload)
            }
            Clr::Exception { kind, message } => {
                self.tally.exception(kind);
                let payload = Payload::new()
                    .utf16(kind)
                    .utf16(message)
                    .u64(0x7FFB_2C8A_3377)
                    .u32(0x8013_1509)
                    .u16(0x10)
                    .u16(CLR_INSTANCE);
                (&manifest::EXCEPTION, payload)
            }
            Clr::MethodLoad { method } => {
                let (name, signature) = METHODS[method % METHODS.len()];
                let class = CLASSES[(method / METHODS.len()) % CLASSES.len()];
                let size = 0x40 + 0x1B * (method as u32 % 29);
                self.tally.method(size);
                self.methods.push(0x7FFB_2D40_0024 + 0x400 * method as u64);
                let payload = Payload::new()
                    .u64(0x7FFB_2D10_0018 + 0x30 * method as u64)
                    .u64(0x7FFB_2CF0_4000)
                    .u64(0x7FFB_2D40_0000 + 0x400 * method as u64)
                    .u32(size)
                    .u32(0x0600_0001 + method as u32)
                    .u32(0x8)
                    .utf16(&format!("ShopApi.{class}"))
                    .utf16(name)
                    .utf16(signature)
                    .u16(CLR_INSTANCE);
                (&manifest::METHOD_LOAD, payload)
            }
        };
        if let Clr::GcStart { generation, .. } = event {
            self.tally.collection(generation);
        }
        let extended =
            if matches!(event, Clr::Exception { .. }) { self.event_stack(thread) } else { Vec::new() };
        let time = self.event(cpu, thread, CLR, kind.descriptor, extended, payload);
        match event {
            Clr::GcStart { .. } => self.seen(time, cpu, thread, Seen::GcStart),
            Clr::GcEnd { .. } => self.seen(time, cpu, thread, Seen::GcEnd),
            _ => {}
        }
    }

    fn heap_stats(&mut self) -> Payload {
        let mut payload = Payload::new();
        // Size and promoted bytes of each generation and the large object heap, then finalization.
        for generation in 0..4 {
            let size = self.random.range(1, 40) as u64 * (0x8000 << (3 * generation));
            payload = payload.u64(size).u64(size / 5);
        }
        payload.u64(4_096).u64(12).u32(3).u32(9).u32(610).u16(CLR_INSTANCE)
    }

    pub(crate) fn dns_query(&mut self, cpu: usize, thread: ThreadIndex, name: &'static str) {
        let payload = Payload::new()
            .utf16(name)
            .u32(1)
            .u64(0x4000_2000_4000_6000)
            .utf16("")
            .u32(0)
            .u32(0)
            .u32(0)
            .u32(1);
        self.event(cpu, thread, DNS_CLIENT, manifest::DNS_QUERY.descriptor, Vec::new(), payload);
        self.notes(cpu, thread, Seen::Asks(name));
    }

    pub(crate) fn dns_answer(&mut self, cpu: usize, thread: ThreadIndex, name: &'static str, status: u32) {
        let results = if status == 0 { "203.0.113.10;2001:db8:cd::1;" } else { "" };
        let payload = Payload::new().utf16(name).u32(1).u64(0x4000_2000_4000_6000).u32(status).utf16(results);
        self.event(cpu, thread, DNS_CLIENT, manifest::DNS_ANSWER.descriptor, Vec::new(), payload);
        self.tally.dns(name, status);
    }
}
