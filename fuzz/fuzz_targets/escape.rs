#![no_main]

#[path = "../../crates/types/tests/fuzz/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::text(bytes));
