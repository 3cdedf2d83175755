#![no_main]

#[path = "../../crates/symbols/tests/fuzz/mod.rs"]
mod targets;

// The first byte says which reader gets the rest. Panics that the library catches are no findings.
libfuzzer_sys::fuzz_target!(
    init: {
        let abort = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !tracewell_symbols::is_reading_symbols() {
                abort(panic);
            }
        }));
    },
    |bytes: &[u8]| {
        if let Some((which, bytes)) = bytes.split_first() {
            let (_, body) = targets::TARGETS[usize::from(*which) % targets::TARGETS.len()];
            body(bytes);
        }
    }
);
