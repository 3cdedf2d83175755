#![no_main]

#[path = "../../crates/etl/tests/fuzz/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::pack(bytes));
