//! Has the loader initialize the library before all others, whose functions may have hooks.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,initfirst");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
    }
}
