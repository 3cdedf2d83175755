#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tracewell_session::engine::fuzzing::ring(bytes));
