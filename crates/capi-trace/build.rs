//! Sets the name by which the dynamic loader looks up the shared library: with the number of its interface, so that a
//! version with another interface can be installed in parallel.

/// Changes when programs that were built with an older header no longer work.
const INTERFACE: u32 = 0;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtracewell_trace.so.{INTERFACE}");
    }
}
