//! A thread of a process that runs, made to call functions.

use std::io;

use tracewell_kernel_linux::threads::{Registers, Stop, Tracer};

use super::frame::{Frame, RESTORER, SIGRETURN, frame, interrupted, restarted};
use super::process::{Mapping, Memory};

/// How long a call may take, in steps of 50 µs.
const PATIENCE: u32 = 200_000;
/// Signals that the called function causes itself: ILL, TRAP, BUS, FPE, SEGV.
const FAULTS: [i32; 5] = [4, 5, 7, 8, 11];
/// Bytes of a stack that the called functions may need, and those of the frame.
const ROOM: u64 = 96 << 10;
const FRAME_ROOM: u64 = 16 << 10;
/// Bytes of a stack that are searched for frames of signals.
const SEARCHED: u64 = 256 << 10;
/// Code of programs of 64 bits.
const CODE_64: u64 = 0x33;
/// System calls in which threads wait without holding locks of the C library: `read`, `poll`, `select`, `pause`, `nanosleep`,
/// `accept`, `recvfrom`, `recvmsg`, `wait4`, `msgrcv`, `rt_sigtimedwait`, `rt_sigsuspend`, `io_getevents`, those that were begun
/// again, `semtimedop`, `clock_nanosleep`, `epoll_wait`, `waitid`, `pselect6`, `ppoll`, `epoll_pwait`, `accept4`, `epoll_pwait2`.
const WAITS: [u64; 23] =
    [0, 7, 23, 34, 35, 43, 45, 47, 61, 70, 128, 130, 208, 219, 220, 230, 232, 247, 270, 271, 281, 288, 441];
/// That of locks and conditions.
const FUTEX: u64 = 202;

/// What is where in a process.
#[derive(Debug)]
pub(crate) struct Seen<'m> {
    pub(crate) maps: &'m [Mapping],
    pub(crate) memory: &'m Memory,
    /// The address of the code that ends signal handlers, if it is known.
    pub(crate) restorer: Option<u64>,
}

impl Seen<'_> {
    fn mapping(&self, address: u64) -> Option<&Mapping> {
        self.maps.iter().find(|map| (map.start..map.end).contains(&address))
    }

    /// Where code goes on that signal handlers on the stack of a thread have interrupted.
    fn interrupted(&self, registers: &Registers) -> Vec<u64> {
        let (Some(stack), Some(restorer)) = (self.mapping(registers.rsp), self.restorer) else {
            return Vec::new();
        };
        let start = registers.rsp & !7;
        let mut bytes = vec![0; (stack.end - start).min(SEARCHED) as usize];
        match self.memory.read(start, &mut bytes) {
            Ok(()) => interrupted(&bytes, restorer),
            Err(_) => Vec::new(),
        }
    }

    /// Where all threads go on, which have stopped. `called` is one that calls functions, with its own registers.
    pub(crate) fn instructions(
        &self,
        tracer: &Tracer,
        called: Option<(i32, Registers)>,
    ) -> io::Result<Vec<u64>> {
        let mut all = Vec::new();
        for tid in tracer.stopped() {
            let registers = match called {
                Some((called, registers)) if called == tid => registers,
                _ => match tracer.registers(tid) {
                    Ok(registers) => registers,
                    // It was killed.
                    Err(error) if error.raw_os_error() == Some(3) => continue,
                    Err(error) => return Err(error),
                },
            };
            all.extend([registers.rip, restarted(&registers, true).rip]);
            all.extend(self.interrupted(&registers));
        }
        Ok(all)
    }

    /// The stopped thread that is the best one to call functions; [`None`] if all may hold locks. `avoided` says which files
    /// allocate memory.
    pub(crate) fn best(&self, tracer: &Tracer, avoided: &dyn Fn(&Mapping) -> bool) -> Option<i32> {
        let rank = |tid: i32| {
            let registers = tracer.registers(tid).ok()?;
            let stack = self.mapping(registers.rsp)?;
            // The kernel makes the first stack larger when it is used.
            let room = if stack.path == "[stack]" { FRAME_ROOM } else { ROOM };
            let roomy = registers.rsp - stack.start >= room;
            if tracer.has_signal(tid)
                || registers.cs != CODE_64
                || !roomy
                || !self.interrupted(&registers).is_empty()
            {
                return None;
            }
            let code = self.mapping(registers.rip)?;
            let calls = registers.orig_rax.cast_signed() >= 0;
            let of_loader = is_loader(code);
            match registers.orig_rax {
                call if calls && WAITS.contains(&call) && !of_loader => Some(0),
                FUTEX if !of_loader => Some(1),
                _ if !calls && !of_loader && !avoided(code) => Some(2),
                _ => None,
            }
        };
        tracer.stopped().filter_map(|tid| Some((rank(tid)?, tid))).min().map(|(_, tid)| tid)
    }
}

/// Returns `true` for code of the loader.
fn is_loader(map: &Mapping) -> bool {
    map.path.rsplit('/').next().is_some_and(|name| name.starts_with("ld-linux") || name.starts_with("ld-2."))
}

/// The longest code of a C library that is read. A process may map any file of that name.
const LONGEST_CODE: u64 = 64 << 20;

/// Returns `true` for code that may be the C library's.
fn is_c_library(map: &Mapping) -> bool {
    let name = map.path.rsplit('/').next().unwrap_or_default();
    map.executable
        && map.end.saturating_sub(map.start) <= LONGEST_CODE
        && (name.starts_with("libc.so") || name.starts_with("libc-2."))
}

/// Finds the code of the C library that ends signal handlers.
pub(crate) fn restorer(maps: &[Mapping], memory: &Memory) -> Option<u64> {
    in_c_library(maps, memory, &RESTORER)
}

/// Finds code of the C library that makes a system call and returns: `syscall; ret`.
pub(crate) fn system_call(maps: &[Mapping], memory: &Memory) -> Option<u64> {
    in_c_library(maps, memory, &[0x0F, 0x05, 0xC3])
}

/// The address of these bytes in the code of the C library.
fn in_c_library(maps: &[Mapping], memory: &Memory, code: &[u8]) -> Option<u64> {
    maps.iter().filter(|map| is_c_library(map)).find_map(|map| {
        let mut bytes = vec![0; (map.end - map.start) as usize];
        memory.read(map.start, &mut bytes).ok()?;
        let at = bytes.windows(code.len()).position(|window| window == code)?;
        Some(map.start + at as u64)
    })
}

/// A stopped thread that calls functions. It goes on where it was when this ends, or when this process does.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tid: i32,
    before: Registers,
    state: Vec<u8>,
    blocked: u64,
    frame: Frame,
    restorer: u64,
    /// It has called a function.
    begun: bool,
    /// It did not return in time. It goes on by itself.
    lost: bool,
}

impl Call {
    /// Prepares the stack of a thread, with a text that functions may use.
    pub(crate) fn new(
        tracer: &Tracer,
        memory: &Memory,
        (tid, restorer): (i32, u64),
        text: &[u8],
    ) -> io::Result<Call> {
        let before = tracer.registers(tid)?;
        let state = tracer.state(tid)?;
        let blocked = tracer.blocked(tid)?;
        let frame = frame(&before, (&state, blocked), restorer, text);
        memory.write(frame.address, &frame.bytes)?;
        Ok(Call { tid, before, state, blocked, frame, restorer, begun: false, lost: false })
    }

    /// The address of the text.
    pub(crate) fn text(&self) -> u64 {
        self.frame.text
    }

    /// The thread, and where it goes on.
    pub(crate) fn called(&self) -> (i32, Registers) {
        (self.tid, self.before)
    }

    /// Calls a function, which may take its time.
    ///
    /// # Errors
    /// It did not return.
    pub(crate) fn run(&mut self, tracer: &Tracer, function: u64, arguments: [u64; 2]) -> Result<(), String> {
        let mut registers = self.before;
        [registers.rdi, registers.rsi] = arguments;
        (registers.rip, registers.rax) = (function, 0);
        self.go(tracer, registers).map(drop)
    }

    /// Makes a system call, by code that makes one and returns. Returns its result.
    ///
    /// # Errors
    /// The thread did not return.
    pub(crate) fn ask(
        &mut self,
        tracer: &Tracer,
        code: u64,
        (number, [first, rest @ ..]): (u64, [u64; 5]),
    ) -> Result<i64, String> {
        let mut registers = self.before;
        registers.rdi = first;
        [registers.rsi, registers.rdx, registers.r10, registers.r8] = rest;
        (registers.rip, registers.rax) = (code, number);
        let last = self.go(tracer, registers)?;
        Ok(last.filter(|last| last.orig_rax == number).map_or(-1, |last| last.rax.cast_signed()))
    }

    /// Has the thread run with these registers until it returns. Returns its registers after the last system call.
    fn go(&mut self, tracer: &Tracer, mut registers: Registers) -> Result<Option<Registers>, String> {
        let tid = self.tid;
        let failed = |error: io::Error| format!("thread {tid} cannot call a function: {error}");
        (registers.rsp, registers.orig_rax) = (self.frame.address, u64::MAX);
        // Neither single steps nor strings that are read backwards.
        registers.eflags &= !0x500;
        tracer.set_registers(tid, &registers).map_err(failed)?;
        self.begun = true;
        // Handlers are not to run before the function has returned: it holds locks.
        let faults = FAULTS.iter().fold(0, |mask, signal| mask | 1_u64 << (signal - 1));
        tracer.block(tid, !faults).map_err(failed)?;
        let (mut signal, mut last) = (0, None);
        loop {
            tracer.to_next_call(tid, std::mem::take(&mut signal)).map_err(failed)?;
            match tracer.wait(tid, PATIENCE).map_err(failed)? {
                Some(Stop::Call) => {
                    let registers = tracer.registers(tid).map_err(failed)?;
                    if self.has_returned(&registers) {
                        return Ok(last);
                    }
                    last = Some(registers);
                }
                Some(Stop::Requested) => {}
                Some(Stop::Signal(fault)) if FAULTS.contains(&fault) => {
                    return Err(format!(
                        "thread {tid} failed in a function that it was made to call (signal {fault})"
                    ));
                }
                Some(Stop::Signal(other)) => signal = other,
                Some(Stop::Gone) => {
                    self.lost = true;
                    return Err("the process has ended".to_owned());
                }
                None => {
                    self.lost = true;
                    return Err(format!(
                        "thread {tid} does not return from a function that it was made to call"
                    ));
                }
            }
        }
    }

    /// Returns `true` if the thread is about to have the kernel restore it.
    fn has_returned(&self, registers: &Registers) -> bool {
        let end = (self.restorer + RESTORER.len() as u64, SIGRETURN, self.frame.address + 8);
        (registers.rip, registers.orig_rax, registers.rsp) == end
    }

    /// Lets the thread go on where it was.
    pub(crate) fn finish(self, tracer: &mut Tracer) -> io::Result<()> {
        let Call { tid, before, state, blocked, .. } = self;
        if self.lost {
            // The kernel lets it go when the tracer ends.
            return Ok(());
        }
        if self.begun {
            tracer.set_state(tid, &state)?;
            tracer.block(tid, blocked)?;
            let again = restarted(&before, true);
            tracer.set_registers(tid, &again)?;
            // At a stop of another kind, the kernel decides itself whether an interrupted system call begins again.
            tracer.interrupt(tid);
            tracer.go_on(tid)?;
            match tracer.wait(tid, PATIENCE)? {
                Some(Stop::Requested) if tracer.registers(tid)?.rip == again.rip => {
                    tracer.set_registers(tid, &before)?
                }
                Some(Stop::Signal(signal)) => tracer.receives(tid, signal),
                _ => {}
            }
        }
        tracer.let_go(tid);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_only_code_of_a_c_library_of_a_usual_length_is_read() {
        let map = |path: &str, length: u64, executable| Mapping {
            start: 0x7f00_0000_0000,
            end: 0x7f00_0000_0000 + length,
            executable,
            offset: 0,
            inode: 1,
            path: path.to_owned(),
        };
        assert!(is_c_library(&map("/lib/libc.so.6", 0x20_0000, true)));
        assert!(is_c_library(&map("/lib/libc-2.31.so", LONGEST_CODE, true)));
        assert!(!is_c_library(&map("/lib/libc.so.6", LONGEST_CODE + 1, true)));
        assert!(!is_c_library(&map("/lib/libc.so.6", 1 << 45, true)));
        assert!(!is_c_library(&map("/lib/libc.so.6", 0x1000, false)));
        assert!(!is_c_library(&map("/lib/libcrypto.so.3", 0x1000, true)));
        assert!(!is_c_library(&map("", 0x1000, true)));
    }
}
