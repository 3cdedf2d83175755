//! Variables of threads (`self->`): a thread whose id another one had before finds nothing of that one's.

mod described;

use described::{Way, ran_by};
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, trace};

/// Samples that found a thread running.
fn sample(tid: u32) -> Described {
    let payload = format!("ptr 0x401000 u32 {tid} u16 1 u16 0");
    Described::kernel("PerfInfo", 46, 2, &payload).expect("a class")
}

/// A start (1), an end (2) or a description (3) of a thread.
fn thread(opcode: u8, pid: u32, tid: u32) -> Described {
    let payload =
        format!("u32 {pid} u32 {tid} ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 u32 0 u8 8 u8 5 u8 2 u8 0");
    Described::kernel("Thread", opcode, 3, &payload).expect("a class")
}

/// Prints how often each thread was seen before.
const COUNTED: &str =
    "self int seen; profile:::sample-997 { printf(\"%d %d;\", tid, self->seen); self->seen++; }";

fn shown(program: &str, records: &[Described], way: Way) -> String {
    let mut shown = [PointerSize::P32, PointerSize::P64].map(|size| {
        let bytes = trace(size, records).expect("the trace is written");
        ran_by(program, &bytes, way).expect("the program compiles").text
    });
    assert_eq!(shown[0], shown[1]);
    std::mem::take(&mut shown[0])
}

#[test]
fn issue_15_an_id_that_is_used_again_has_variables_of_another_thread() {
    let again = |records: &[Described]| {
        [Way::Surveyed, Way::Learning(1), Way::Learning(3), Way::Learning(100)]
            .map(|way| shown(COUNTED, records, way))
    };
    for (what, between, expected) in [
        ("it goes on", vec![], "50 0;50 1;50 2;50 3;"),
        ("it is described again", vec![thread(4, 200, 50)], "50 0;50 1;50 2;50 3;"),
        ("it ends", vec![thread(2, 200, 50)], "50 0;50 1;50 2;50 3;"),
        ("another one of the process", vec![thread(2, 200, 50), thread(1, 200, 50)], "50 0;50 1;50 0;50 1;"),
        ("of another process", vec![thread(2, 200, 50), thread(1, 100, 50)], "50 0;50 1;50 0;50 1;"),
        ("the end was lost", vec![thread(1, 200, 50)], "50 0;50 1;50 0;50 1;"),
        (
            "two others",
            vec![thread(2, 200, 50), thread(1, 100, 50), sample(50), thread(2, 100, 50), thread(1, 200, 50)],
            "50 0;50 1;50 0;50 0;50 1;",
        ),
        ("another id", vec![thread(2, 200, 54), thread(1, 200, 54), sample(54)], "50 0;50 1;54 0;50 2;50 3;"),
    ] {
        let mut records = vec![thread(3, 200, 50), sample(50), sample(50)];
        records.extend(between);
        records.extend([sample(50), sample(50)]);
        assert_eq!(again(&records), [expected; 4], "{what}");
    }
}

/// Arrays of a thread, and the number of their elements.
#[test]
fn issue_15_arrays_of_a_thread_end_with_it() {
    let program = "profile:::sample-997 { self->at[cpu, \"x\"]++; printf(\"%d;\", self->at[cpu, \"x\"]); }";
    let reused = [sample(50), sample(50), thread(2, 200, 50), thread(1, 200, 50), sample(50)];
    let records: Vec<_> = [thread(3, 200, 50)].into_iter().chain(reused).collect();
    for way in [Way::Surveyed, Way::Learning(2)] {
        assert_eq!(shown(program, &records, way), "1;2;1;", "{way:?}");
    }
}

/// The variables of 10,000 threads do not fit the store; those of the threads that are there do.
#[test]
fn issue_15_variables_of_threads_that_ended_are_freed() {
    let mut records = vec![thread(3, 200, 50), sample(50)];
    for tid in (1000..41_000).step_by(4) {
        records.extend([thread(1, 200, tid), sample(tid), thread(2, 200, tid)]);
    }
    records.push(sample(50));
    let program = "int kept; profile:::sample-997 { self->seen++; self->text[tid] = \"of this thread\"; } \
                   profile:::sample-997 /tid == 50/ { kept = self->seen; } END { printf(\"%d\", kept); }";
    for (way, kept) in [(Way::Surveyed, "2"), (Way::Learning(1000), "2"), (Way::Asking(1000), "1")] {
        let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
        assert_eq!(ran_by(program, &bytes, way).expect("the program compiles").text, kept, "{way:?}");
    }
}
