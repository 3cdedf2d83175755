//! Code generation, goldens and checks: `cargo run -p xtask -- help`.
fn main() {}
