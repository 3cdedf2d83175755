//! What tracing the Linux kernel costs the traced thread, beside `bpftrace` for the same question. As root; the tools take
//! turns, and each figure is the median of all rounds.
//!
//! `cargo bench -p tracewell-cli --bench kernel [ROUNDS [BPFTRACE]]`
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// A question, in D and for bpftrace, and what is traced.
    struct Question {
        name: &'static str,
        dtrace: &'static str,
        bpftrace: &'static str,
        work: fn() -> f64,
    }

    const QUESTIONS: &[Question] = &[
        Question {
            name: "a call counted by name",
            dtrace: "syscall:::entry { @[execname] = count(); }",
            bpftrace: "tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }",
            work: calls,
        },
        Question {
            name: "a call counted by the stack of its process",
            dtrace: "syscall:::entry { @[ustack()] = count(); }",
            bpftrace: "tracepoint:raw_syscalls:sys_enter { @[ustack()] = count(); }",
            work: calls,
        },
        Question {
            name: "a histogram of a result",
            dtrace: "syscall:::return { @[execname] = quantize(arg1); }",
            bpftrace: "tracepoint:raw_syscalls:sys_exit { @[comm] = hist(args->ret); }",
            work: calls,
        },
        Question {
            name: "a record of a write",
            dtrace: "syscall::write:entry { printf(\"%d %d %d\\n\", pid, arg0, arg2); }",
            bpftrace: "tracepoint:syscalls:sys_enter_write { printf(\"%d %d %d\\n\", pid, args->fd, args->count); }",
            work: writes,
        },
        Question {
            name: "a record of a switch",
            dtrace: "linux:::sched_switch { printf(\"%d %d %d\\n\", args->prev_pid, args->next_pid, args->prev_state); }",
            bpftrace: "tracepoint:sched:sched_switch { printf(\"%d %d %d\\n\", args->prev_pid, args->next_pid, args->prev_state); }",
            work: switches,
        },
        Question {
            name: "a record of a switch, in Windows' layout",
            dtrace: "sched:::on-cpu { printf(\"%d %d\\n\", pid, tid); }",
            bpftrace: "tracepoint:sched:sched_switch { printf(\"%d %d\\n\", args->next_pid, args->prev_pid); }",
            work: switches,
        },
    ];

    /// How long a tool may take to attach. `bpftrace` takes seconds on a busy machine.
    const ATTACHING: Duration = Duration::from_secs(60);
    /// How long to wait after that: all measurements follow when the tool is quiet.
    const SETTLING: Duration = Duration::from_secs(1);
    /// How long one measurement takes.
    const TIME: Duration = Duration::from_millis(400);

    /// Nanoseconds of processor time that this thread has had, whatever else the machine does.
    fn processor_time() -> f64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        text.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(f64::NAN)
    }

    /// Nanoseconds of processor time of one of as many steps as there is time for, and their number.
    fn paced(mut step: impl FnMut()) -> (f64, f64) {
        let (began, before, mut steps) = (Instant::now(), processor_time(), 0_u32);
        while began.elapsed() < TIME {
            (0..1000).for_each(|_| step());
            steps += 1000;
        }
        ((processor_time() - before) / f64::from(steps), f64::from(steps))
    }

    fn calls() -> f64 {
        let (took, _) = paced(|| {
            std::hint::black_box(std::os::unix::process::parent_id());
        });
        took
    }

    fn writes() -> f64 {
        let Ok(mut file) = std::fs::File::options().write(true).open("/dev/null") else { return f64::NAN };
        let (took, _) = paced(|| {
            let _ = file.write(&[0]);
        });
        took
    }

    /// Two threads that wake each other in turn: two switches a step, at least.
    fn switches() -> f64 {
        let Ok((mut one, mut other)) = UnixStream::pair() else { return f64::NAN };
        let echo = std::thread::spawn(move || {
            let mut byte = [0];
            let before = processor_time();
            while other.read_exact(&mut byte).is_ok() && other.write_all(&byte).is_ok() {}
            processor_time() - before
        });
        let mut byte = [0];
        let (took, steps) = paced(|| {
            let _ = one.write_all(&byte);
            let _ = one.read_exact(&mut byte);
        });
        drop(one);
        let other = echo.join().unwrap_or(f64::NAN);
        (took + other / steps) / 2.0
    }

    /// A tool while it traces.
    struct Tracer(Child);

    impl Tracer {
        fn start(program: &str, args: &[&str]) -> Option<Tracer> {
            let mut command = Command::new(program);
            command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().ok()?;
            let began = Instant::now();
            while !Tracer::has_attached(child.id()) {
                if began.elapsed() > ATTACHING || !matches!(child.try_wait(), Ok(None)) {
                    let _ = child.kill();
                    let _ = child.wait();
                    return None;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            // What it attaches first may not be all.
            std::thread::sleep(SETTLING);
            matches!(child.try_wait(), Ok(None)).then_some(Tracer(child))
        }

        /// Returns `true` if a process has a program attached in the kernel.
        fn has_attached(pid: u32) -> bool {
            let Ok(descriptors) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
            descriptors.flatten().any(|descriptor| {
                let what = std::fs::read_link(descriptor.path()).unwrap_or_default();
                let what = what.to_string_lossy();
                ["perf_event", "bpf-raw-tracepoint", "bpf_link"].iter().any(|kind| what.contains(kind))
            })
        }

        /// Megabytes that it has in memory.
        fn memory(&self) -> f64 {
            let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
            let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
            kilobytes.unwrap_or(0.0) / 1024.0
        }
    }

    impl Drop for Tracer {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn median(mut values: Vec<f64>) -> f64 {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn main() {
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        let rounds = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(5);
        let bpftrace = args.next().unwrap_or_else(|| "bpftrace".to_owned());
        let dtrace = env!("CARGO_BIN_EXE_dtrace");
        println!(
            "{:<44} {:>8} {:>8} {:>8} {:>6}   memory of dtrace, bpftrace",
            "nanoseconds added", "nothing", "dtrace", "bpftrace", "ratio"
        );
        for Question { name, dtrace: ours, bpftrace: theirs, work } in QUESTIONS {
            let (mut base, mut added, mut memory) = (Vec::new(), [Vec::new(), Vec::new()], [0.0_f64; 2]);
            for _ in 0..rounds {
                for (place, (program, args)) in
                    [(dtrace, ["-qn", ours]), (bpftrace.as_str(), ["-e", theirs])].into_iter().enumerate()
                {
                    let before = work();
                    base.push(before);
                    let Some(tracer) = Tracer::start(program, &args) else { continue };
                    added[place].push(work() - before);
                    memory[place] = memory[place].max(tracer.memory());
                }
            }
            let [ours, theirs] = added.map(median);
            println!(
                "{name:<44} {:8.0} {ours:8.0} {theirs:8.0} {:6.2}   {:.0} MB, {:.0} MB",
                median(base),
                ours / theirs,
                memory[0],
                memory[1]
            );
        }
    }
}

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}
