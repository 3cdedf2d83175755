//! The library has no start-up code of a C compiler, and imports only what every Wine has.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_WINDOWS").is_ok() {
        for argument in
            ["-nostartfiles", "-nostdlib", "-Wl,--entry=DllMain", "-lkernel32", "-lntdll", "-lmsvcrt"]
        {
            println!("cargo::rustc-link-arg-cdylib={argument}");
        }
    }
}
