//! What the .NET runtime says about memory, compiled methods and exceptions.

use tracewell_decode::Accessor;
use tracewell_etl::Record;

use super::Collected;
use super::dotnet::{Allocated, Collection, Compiled, Pause, Thrown};
use super::pass::{Now, Pass};
use super::role::Role;
use super::samples::Stack;
use crate::ledger::Sums;

/// A field as text.
fn text(field: &Accessor, payload: &[u8]) -> Option<String> {
    Some(field.value(payload)?.display(field.field()?).to_string())
}

/// The sum of fields.
fn sum(fields: &[Accessor], payload: &[u8]) -> u64 {
    fields.iter().filter_map(|field| field.int(payload)).fold(0, u64::saturating_add)
}

impl Pass<'_> {
    /// An event about memory or exceptions.
    pub(super) fn runtime(&mut self, role: &Role, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let payload = now.record.payload();
        let process = self.process(now, out);
        match role {
            Role::Collection { count, depth, reason } => {
                let number = count.int(payload)?;
                let depth = depth.as_ref().and_then(|field| field.int(payload)).unwrap_or(0) as u32;
                let reason = reason.as_ref().and_then(|field| text(field, payload)).unwrap_or_default();
                collection(now.time, process, (depth, number), reason, out);
            }
            Role::Allocation { bytes, kind } => {
                let kind = kind.as_ref().and_then(|field| text(field, payload)).unwrap_or_default();
                let bytes = bytes.int(payload)?;
                let stack = self.stack(now, process, out);
                let allocated = Allocated { process, kind: out.clr.names.of(&kind), stack };
                out.clr.allocated.add(now.time, &allocated, Sums::one(bytes, 0));
                let sums = out.runtimes.entry(process).or_default().allocations.entry(kind).or_default();
                *sums = (sums.0 + 1, sums.1.saturating_add(bytes));
            }
            Role::Heap { sizes, promoted } => {
                let runtime = out.runtimes.entry(process).or_default();
                let size = sum(sizes, payload);
                let (least, most) = runtime.heap.unwrap_or((size, size));
                runtime.heap = Some((least.min(size), most.max(size)));
                if let Some(last) = runtime.last_at.and_then(|at| out.clr.collections.get_mut(at)) {
                    (last.heap, last.promoted) = (size, sum(promoted, payload));
                }
            }
            Role::Exception { kind, message } => {
                let kind = text(kind, payload)?;
                let message = message.as_ref().and_then(|field| text(field, payload)).unwrap_or_default();
                let stack = self.stack(now, process, out);
                let names = &mut out.clr.names;
                let thrown = Thrown { process, kind: names.of(&kind), message: names.of(&message), stack };
                out.clr.thrown.add(now.time, &thrown, Sums::one(0, 0));
                *out.runtimes.entry(process).or_default().exceptions.entry(kind).or_default() += 1;
            }
            _ => {}
        }
        Some(())
    }

    /// The number of the stack of an event.
    fn stack(&self, now: &Now<'_, '_, '_>, process: u32, out: &mut Collected) -> u32 {
        let stack = Stack { process, address: 0, halves: self.event_halves };
        out.samples.stacks.number(stack, now.record.time(), now.trace)
    }

    /// A span of the .NET runtime: its name, start and length, and for compilations the record that begins it.
    pub(super) fn runtime_span(
        &mut self,
        name: &str,
        (started, took): (i64, i64),
        process: u32,
        start: Option<(Vec<u8>, u16)>,
        out: &mut Collected,
    ) {
        match name {
            "gc-pause" => {
                let runtime = out.runtimes.entry(process).or_default();
                let (depth, number) = runtime.last.unwrap_or_default();
                let generation = runtime.generations.entry(depth).or_default();
                if generation.pauses.longest.is_none_or(|(longest, _)| took > longest) {
                    generation.longest = Some(number);
                }
                generation.pauses.add(started, took);
                if let Some(last) = runtime.last_at.and_then(|at| out.clr.collections.get_mut(at)) {
                    last.pause = last.pause.saturating_add(took);
                }
                out.clr.pauses.add(started, &Pause { process, depth }, took);
            }
            "jit" => {
                out.runtimes.entry(process).or_default().compilations.add(started, took);
                let (method, size) =
                    start.and_then(|(bytes, cpu)| self.method(&bytes, cpu)).unwrap_or_default();
                let compiled = Compiled { process, method: out.clr.names.of(&method) };
                out.clr.compiled.add(started, &compiled, Sums::one(size, took));
            }
            _ => {}
        }
    }

    /// The method that a record begins to compile, and the size of its code before that.
    fn method(&mut self, bytes: &[u8], cpu: u16) -> Option<(String, u64)> {
        let record = Record::parse(bytes, cpu).ok()?;
        let layout = self.decoder.format(&record).layout.as_ref()?;
        let field = |name| Accessor::new(layout, name, record.pointer_size());
        let part = |name| field(name).and_then(|field| text(&field, record.payload()));
        let size = field("MethodILSize").and_then(|field| field.int(record.payload())).unwrap_or(0);
        Some((format!("{}.{}", part("MethodNamespace")?, part("MethodName")?), size))
    }
}

fn collection(time: i64, process: u32, (depth, number): (u32, u64), reason: String, out: &mut Collected) {
    let runtime = out.runtimes.entry(process).or_default();
    // Runtimes may log several versions of one event.
    if runtime.last.replace((depth, number)) == Some((depth, number)) {
        return;
    }
    let all = &mut out.clr;
    runtime.last_at = (all.collections.len() < all.limits.collections).then_some(all.collections.len());
    let of =
        Collection { time, process, number, depth, reason: all.names.of(&reason), ..Collection::default() };
    match runtime.last_at {
        Some(_) => all.collections.push(of),
        None => all.dropped += 1,
    }
    *runtime.generations.entry(depth).or_default().reasons.entry(reason).or_default() += 1;
}
