//! A firing allocates nothing once the tables and buffers have grown.
#![allow(missing_docs)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use support::{TestHost, TestNames, engine};
use tracewell_dengine::host::Output;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::ProbeId;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts bytes and keeps nothing.
struct Discard(usize);

impl Output for Discard {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }
    fn error(&mut self, line: &str) {
        panic!("{line}");
    }
    fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
        Ok(())
    }
    fn system(&mut self, _: &[u8]) {}
}

#[test]
fn steady_state() {
    let wrap = |tables: &str, actions: &str, code: &str| {
        format!("{tables}\nclause \"x\" {{ probes 4 registers 8\n{actions}\ncode\n{code}\nret\n}}")
    };
    for (name, program) in [
        ("empty", wrap("", "", "")),
        ("arithmetic", wrap("", "", "ldarg r0, 0\nseti r1, 3\nmul r2, r0, r1")),
        ("count", wrap("agg \"a\" count [str]", "", "ldb r0, execname\nagg 0, r0..1")),
        (
            "two keys",
            wrap(
                "agg \"a\" quantize [s4, str]",
                "",
                "ldb r0, pid\nldb r1, execname\nldarg r2, 0\nagg 0, r0..3",
            ),
        ),
        (
            "printf",
            wrap(
                "format \"%-20s %6d %8x %d\\n\"",
                "action printf 0 (str, s4, u8, s8) number 1",
                "ldb r0, execname\nldb r1, pid\nldarg r2, 0\nldarg r3, 1\nact 0, r0..4",
            ),
        ),
        (
            "thread-local",
            wrap(
                "var thread \"t\" s8",
                "",
                "ldarg r0, 0\naddi r0, r0, 1\nstd r0, 0, r0..0\nseti r0, 0\nstd r0, 0, r0..0",
            ),
        ),
        (
            "strings",
            wrap(
                "var global \"s\" str\nvar thread \"t\" str",
                "",
                "ldb r0, execname\nldb r1, execname\ncall r2, strjoin, r0..2\nstg 0, r2\nstd r2, 1, r0..0",
            ),
        ),
        (
            "strtok",
            wrap(
                "data \"a,b,c\\0,\\0\"\nvar global \"s\" str",
                "",
                "sets r0, 0\nsets r1, 6\ncall r2, strtok, r0..2\nseti r0, 0\ncall r2, strtok, r0..2\nstg 0, r2",
            ),
        ),
        (
            "predicate",
            wrap("", "", "")
                .replace("registers 8", "registers 8 predicate 2")
                .replace("code\n", "code\nldarg r0, 0\njnei r0, 5, 2"),
        ),
        ("trace", wrap("", "action trace (s8) number 1", "ldarg r0, 0\nact 0, r0..1")),
    ] {
        let mut engine = engine(&program, &[("quiet", "on")]).unwrap();
        let mut host = TestHost::default();
        let s = host.string("chrome.exe");
        host.set(BuiltinVar::Execname, s);
        let mut out = Discard(0);
        let mut go = |n: u64| {
            for i in 0..n {
                host.args[0] = i % 50;
                engine.fire(ProbeId(4), 0, &mut host);
                if i % 10 == 9 {
                    engine.drain(&TestNames, &mut out);
                }
            }
        };
        go(1000);
        let before = COUNT.with(Cell::get);
        go(1000);
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{name}");
    }
}
