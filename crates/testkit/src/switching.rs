//! A trace of a machine that only switches threads: they run, wait, are woken and return, each time with a stack.
//! For tests and benchmarks of wait analysis, with the sums that such an analysis must find.

use std::collections::BTreeMap;
use std::io::Cursor;

use tracewell_etl::write::{PerfInfo, TraceWriter, WriteError};
use tracewell_types::FileTime;

use crate::emit::{Payload, group};
use crate::file::START_TIME;
use crate::machine::{MICROSECOND, RAW_START};
use crate::plain::{self, kernel_session};
use crate::random::Random;
use crate::sched::{PROCESS_VERSION, THREAD_VERSION};

/// Processors.
const CPUS: usize = 4;
/// Processes; each has as many threads on each processor.
const PROCESSES: usize = 8;
/// Threads of a process on a processor.
const THREADS: usize = 3;
/// Places where a thread may wait.
const SITES: u64 = 24;
/// Frames of the process's half of a stack.
const DEPTH: u64 = 12;
/// Why threads wait: `UserRequest`, `WrQueue`, `WrLpcReceive`, as `KWAIT_REASON` of Windows' headers numbers them.
const REASONS: [i8; 3] = [6, 15, 16];

/// A trace and what a wait analysis must find in it.
#[derive(Clone, Debug, Default)]
pub struct Switching {
    /// The trace file.
    pub trace: Vec<u8>,
    /// Microseconds of waiting by program and by the innermost address of its half of the stack: of each wait, whole ones.
    pub waits: BTreeMap<(String, u64), u64>,
    /// Waits by program.
    pub counts: BTreeMap<String, u64>,
    /// Times that a thread of the first program made one of the second ready.
    pub wakeups: BTreeMap<(String, String), u64>,
}

struct Thread {
    tid: u32,
    process: usize,
    /// When it left its processor, at which site, for which reason.
    left: Option<(i64, u64, i8)>,
}

fn program(process: usize) -> String {
    format!("worker{process}.exe")
}

fn pid(process: usize) -> u32 {
    1_000 + 100 * process as u32
}

/// The process's half of the stack of a wait, innermost first.
fn user_stack(process: usize, site: u64) -> impl Iterator<Item = u64> {
    (0..DEPTH)
        .map(move |frame| 0x7ff6_0000_0000 + ((process as u64) << 20) + (site << 8) * (frame + 1) + frame)
}

/// Makes a trace with so many context switches, each with both halves of a stack and after a thread was made ready.
///
/// # Errors
///
/// When a record does not fit the format, which would be a mistake in the simulation.
pub fn switching(switches: usize) -> Result<Switching, WriteError> {
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), kernel_session(CPUS as u32))?;
    let mut log = |cpu: usize, time: i64, group: u8, opcode: u8, version: u16, payload: Payload| {
        let header = PerfInfo { time, group, opcode, version: version as u8, ..PerfInfo::default() };
        writer.perfinfo(cpu as u16, &header, &payload.0)
    };
    let mut found = Switching::default();
    let mut queues: [Vec<Thread>; CPUS] = Default::default();
    let mut time = RAW_START;
    for process in 0..PROCESSES {
        let name = program(process);
        let payload = plain::process(0xFFFF_C00D_0000_0080 + process as u64, pid(process), &name, &name);
        log(0, time, group::PROCESS, 3, PROCESS_VERSION, payload)?;
        for (cpu, queue) in queues.iter_mut().enumerate() {
            for number in 0..THREADS {
                let tid = pid(process) + 1 + (cpu * THREADS + number) as u32;
                log(0, time, group::THREAD, 3, THREAD_VERSION, plain::thread(pid(process), tid))?;
                queue.push(Thread { tid, process, left: None });
            }
        }
    }
    let mut random = Random::new(0x7761_6974);
    let mut running: [Option<usize>; CPUS] = [None; CPUS];
    for at in 0..switches {
        // Processors take turns, so that records come in the order of time.
        let cpu = at % CPUS;
        time += random.range(3, 40) * MICROSECOND;
        let queue = &mut queues[cpu];
        let mut next = random.index(queue.len());
        if running[cpu] == Some(next) {
            next = (next + 1) % queue.len();
        }
        let (woken, waker) = (queue[next].tid, running[cpu].map(|index| queue[index].process));
        if let Some(waker) = waker {
            log(
                cpu,
                time - MICROSECOND,
                group::THREAD,
                50,
                4,
                Payload::new().u32(woken).i8(1).i8(2).u8(0).u8(0),
            )?;
            *found.wakeups.entry((program(waker), program(queue[next].process))).or_default() += 1;
        }
        let reason = REASONS[random.index(REASONS.len())];
        let old = running[cpu].map_or(0, |index| queue[index].tid);
        let switch = Payload::new().u32(woken).u32(old).i8(9).i8(8).u8(0).i8(0).i8(reason).i8(1).i8(5).i8(0);
        log(cpu, time, group::THREAD, 36, 4, switch.u32(1).u32(0))?;
        if let Some(index) = running[cpu].replace(next) {
            queue[index].left = Some((time, random.next() % SITES, reason));
        }
        let (tid, process) = (queue[next].tid, queue[next].process);
        let (waited, site) = match queue[next].left.take() {
            Some((left, site, _)) => (Some(time - left), site),
            None => (None, 0),
        };
        let stack = |frames: &mut dyn Iterator<Item = u64>| {
            frames.fold(Payload::new().i64(time).u32(pid(process)).u32(tid), Payload::u64)
        };
        let mut kernel = (0..6).map(|frame| 0xFFFF_F800_0001_0000 + (site << 12) + frame * 0x40);
        log(cpu, time + 1, group::STACK_WALK, 32, 2, stack(&mut kernel))?;
        log(cpu, time + 2, group::STACK_WALK, 32, 2, stack(&mut user_stack(process, site)))?;
        if let Some(waited) = waited {
            let innermost = user_stack(process, site).next().unwrap_or_default();
            *found.waits.entry((program(process), innermost)).or_default() += (waited / MICROSECOND) as u64;
            *found.counts.entry(program(process)).or_default() += 1;
        }
    }
    found.trace = writer.finish(FileTime(START_TIME.0 + time + MICROSECOND - RAW_START))?.into_inner();
    Ok(found)
}
