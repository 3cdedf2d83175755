#![no_main]

#[path = "../../crates/decode/tests/fuzz/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::table_target(bytes));
