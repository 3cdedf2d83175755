#![no_main]

#[path = "../../crates/dengine/tests/targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::aggregations(bytes));
