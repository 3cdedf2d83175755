//! Traces made for tests.
#![allow(dead_code, reason = "each test uses a part")]

use std::io::Cursor;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{
    Event, Full, Instance, Message, PerfInfo, PointerSize, System, TraceConfig, TraceWriter,
};
use tracewell_etl::{ExtendedItem, Trace};
use tracewell_types::{FileTime, Guid};

/// A small generator of random numbers (xorshift), so that a failure can be repeated.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}

pub(crate) fn config(compression: CompressionFormat) -> TraceConfig {
    TraceConfig {
        session_name: "made".into(),
        processors: 4,
        buffer_size: 4096,
        compression,
        ..TraceConfig::default()
    }
}

/// A trace of `count` records of every header kind on all processors, with times that never go back on one.
pub(crate) fn sample(random: &mut Random, config: TraceConfig, count: usize) -> Vec<u8> {
    sample_with(random, config, count, false)
}

/// As [`sample`]; `untimed` leaves the time out of some messages, which then have that of the record before them.
pub(crate) fn sample_with(random: &mut Random, config: TraceConfig, count: usize, untimed: bool) -> Vec<u8> {
    let processors = config.processors as usize;
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    let mut time = 0;
    for _ in 0..count {
        time += random.below(3) as i64;
        let cpu = random.below(processors) as u16;
        write_one(&mut writer, random, (cpu, time), untimed);
    }
    writer.finish(FileTime(1)).unwrap().into_inner()
}

fn write_one(
    writer: &mut TraceWriter<Cursor<Vec<u8>>>,
    random: &mut Random,
    (cpu, time): (u16, i64),
    untimed: bool,
) {
    let text = b"some words that come again and again, so that compression has something to do ";
    let start = random.below(text.len());
    let payload = &text[start..start + random.below(text.len() - start)];
    let pointer_size = [PointerSize::P32, PointerSize::P64][random.below(2)];
    let guid = Guid::new(random.below(5) as u32, 1, 2, [3; 8]);
    let opcode = random.below(40) as u8;
    let system =
        System { time, group: 1 + random.below(20) as u8, opcode, pointer_size, ..System::default() };
    let full = Full { time, guid, opcode, pointer_size, ..Full::default() };
    match random.below(7) {
        0 => writer.system(cpu, &system, payload),
        1 => writer.compact(cpu, &system, payload),
        2 => {
            let counters = [1, 2, 3];
            let counters = &counters[..random.below(4)];
            let header = PerfInfo { time, group: 15, opcode, counters, pointer_size, ..PerfInfo::default() };
            writer.perfinfo(cpu, &header, payload)
        }
        3 => writer.full(cpu, &full, payload),
        4 => writer.instance(cpu, &full, &Instance::default(), payload),
        5 => {
            let data = [7; 40];
            let item = ExtendedItem { kind: ExtendedKind::STACK_TRACE64, data: &data[..random.below(6) * 8] };
            let header = Event { time, provider: guid, opcode, pointer_size, ..Event::default() };
            writer.event(cpu, &header, &[item; 3][..random.below(4)], payload)
        }
        _ => {
            let time = (!untimed || random.below(2) == 0).then_some(time);
            let header = Message { number: 1, guid: Some(guid), time, ..Message::default() };
            writer.message(cpu, &header, payload)
        }
    }
    .unwrap();
}

/// Processor, raw time and bytes of every record in file order.
pub(crate) fn read_all(trace: &Trace<'_>) -> Vec<(u16, i64, Vec<u8>)> {
    let mut records = Vec::new();
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        records.push((record.cpu(), record.time(), record.bytes().to_vec()));
    }
    records
}

/// Changes some bytes; headers are hit more often than chance would.
pub(crate) fn damage(random: &mut Random, file: &mut [u8]) {
    for _ in 0..1 + random.below(12) {
        let buffer = random.below(file.len() / 4096 + 1) * 4096;
        let place = if random.below(2) == 0 { buffer + random.below(160) } else { random.below(file.len()) };
        let Some(byte) = file.get_mut(place) else { continue };
        *byte = match random.below(4) {
            0 => 0,
            1 => 0xFF,
            2 => *byte ^ 1 << random.below(8),
            _ => random.next() as u8,
        };
    }
}
