#![no_main]

#[path = "../../crates/tracewell/tests/fuzz/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::archive(bytes));
