//! Wait analysis over a made trace whose waits are known: a hundred thousand context switches, each with a stack and
//! after a thread was made ready.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

/// Rows of tab-separated values, the last of which is a number.
fn rows(program: &str, trace: &Path) -> BTreeMap<Vec<String>, u64> {
    let ran = common::run(common::command("dtrace").args(["-q", "-n", program, "-E"]).arg(trace));
    assert!(ran.status == Some(0) && ran.stderr.is_empty(), "{:?} {}", ran.status, ran.stderr);
    let lines = ran.stdout.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let mut words: Vec<String> = line.split('\t').map(|word| word.trim().to_owned()).collect();
            let number = words.pop().and_then(|word| word.parse().ok()).expect("a row ends with a number");
            (words, number)
        })
        .collect()
}

/// Sums by program, by place, and wake-ups are those of the trace (#5).
#[test]
fn waits_sum_to_what_the_trace_was_made_from() {
    let made = tracewell_testkit::switching(100_000).expect("the trace is made");
    let folder = tracewell_corpus::Scratch::new("waits");
    let trace = folder.write("waits.etl", &made.trace);

    let program = r#"
        sched:::off-cpu /pid != 0/ { self->off = timestamp; }
        sched:::on-cpu /self->off/
        {
            @us[execname, ustack(1)] = sum((timestamp - self->off) / 1000);
            self->off = 0;
        }
        END { printa("%s\t%k\t%@d\n", @us); }"#;
    let ran = common::run(common::command("dtrace").args(["-q", "-n", program, "-E"]).arg(&trace));
    assert!(ran.status == Some(0) && ran.stderr.is_empty(), "{:?} {}", ran.status, ran.stderr);
    // A program, the frame on a separate line, the sum.
    let mut words = ran.stdout.split_whitespace();
    let mut waits = BTreeMap::new();
    while let (Some(program), Some(frame), Some(us)) = (words.next(), words.next(), words.next()) {
        let address = frame.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        waits.insert(
            (program.to_owned(), address.expect("a frame is an address")),
            us.parse().expect("a sum"),
        );
    }
    assert_eq!(waits.len(), 192, "every place of every program");
    assert_eq!(waits, made.waits);

    let counts = rows(
        r#"sched:::off-cpu /pid != 0/ { self->off = 1; }
        sched:::on-cpu /self->off/ { @[execname] = count(); }
        END { printa("%s\t%@d\n", @); }"#,
        &trace,
    );
    let made_counts = made.counts.clone();
    assert_eq!(counts, made.counts.into_iter().map(|(program, n)| (vec![program], n)).collect());
    let wakeups = rows(
        r#"sched:::wakeup { @[execname, args[1]->pr_fname] = count(); } END { printa("%s\t%s\t%@d\n", @); }"#,
        &trace,
    );
    assert_eq!(wakeups, made.wakeups.into_iter().map(|((a, b), n)| (vec![a, b], n)).collect());

    // The kept script says the same of whole programs.
    let script = common::root().join("scripts/waits.d");
    let ran = common::run(common::command("dtrace").arg("-s").arg(script).arg("-E").arg(&trace));
    for program in waits.keys().map(|(program, _)| program) {
        let us: u64 = waits.iter().filter(|((of, _), _)| of == program).map(|(_, us)| us).sum();
        let row = ran.stdout.lines().find(|line| line.starts_with(program.as_str())).expect("a row");
        let numbers: Vec<u64> =
            row.split_whitespace().skip(1).map(|word| word.parse().expect("a number")).collect();
        let [waited, times, _, cut, _] = numbers[..] else { panic!("five numbers: {row}") };
        // Waits at the edges of the trace are not among those that the trace was made from. These are summed in whole
        // microseconds each, the script's as they are.
        let counted = made_counts[program];
        assert!((us..=us + counted).contains(&(waited - cut)), "{us} us: {row}");
        assert!((counted..=counted + 24).contains(&times), "{counted} waits: {row}");
    }
}
