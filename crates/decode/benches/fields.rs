//! Full decode of one event: a Process start, every field, text included.
//!
//! `cargo bench -p tracewell-decode --bench fields`; with a number behind `--` that many rounds, to count instructions.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::time::Instant;

use tracewell_decode::{Fields, Value};
use tracewell_schema::kernel;

/// A Process start of version 4 from a machine with 8-byte pointers.
fn payload() -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(0xFFFF_FA80_0123_4567_u64.to_le_bytes());
    for number in [4_321u32, 1_234, 1, 259] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(0x1234_5000_u64.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes.extend([1u64, 0].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend([1, 5, 0, 0, 0, 0, 0, 5]);
    for part in [21u32, 1_111_111_111, 2_222_222_222, 3_333_333_333, 1_001] {
        bytes.extend(part.to_le_bytes());
    }
    bytes.extend(b"notepad.exe\0");
    for text in ["\"C:\\Windows\\notepad.exe\" a.txt", "", ""] {
        bytes.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }
    bytes
}

fn main() {
    let layout = kernel::class("Process").and_then(|class| class.event(1, 4)).expect("described").version;
    let payload = payload();
    let fields = Fields::new(layout, &payload, 8).count();
    assert_eq!(Fields::new(layout, &payload, 8).finish(), Ok(&[][..]));
    let rounds: u32 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let mut best = f64::MAX;
    for _ in 0..7 {
        let begun = Instant::now();
        for _ in 0..rounds {
            let mut sum = 0u64;
            for named in Fields::new(black_box(layout), black_box(&payload), 8) {
                sum = sum.wrapping_add(match named.value {
                    Value::Utf16(text) => text.len() as u64,
                    Value::Ansi(text) => text.len() as u64,
                    value => value.as_u64().unwrap_or(1),
                });
            }
            black_box(sum);
        }
        best = best.min(begun.elapsed().as_secs_f64() * 1e9 / f64::from(rounds));
    }
    println!("Process start, {fields} fields of {} bytes: {best:.0} ns", payload.len());
}
