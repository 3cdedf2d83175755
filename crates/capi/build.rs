//! Gives the shared library the name that programs look it up by when they start: with the number of its interface, so
//! that one with another interface can be installed beside it.

/// Changes when programs that were built with an older header no longer work.
const INTERFACE: u32 = 0;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtracewell.so.{INTERFACE}");
    }
}
