//! Stops the threads of another process, and reads and writes their registers: the system call `ptrace`.
//!
//! A tracer belongs to the thread that made it. What it has stopped goes on when that thread ends, so [`trace`] runs it on a
//! separate thread, and a killed tracer leaves no thread stopped.
//!
//! # Conditions
//!
//! 1. The kernel reads and writes through the addresses of a request only during the call. Every function here passes addresses of
//!    values that it owns or borrows until the call has returned, with the sizes that the request has.
//! 2. No request changes the memory of this process besides these values.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use libc::{c_int, c_long};

/// Registers of a thread on x86-64, as the kernel keeps them (`user_regs_struct` of asm/user_64.h).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the processor's names")]
pub struct Registers {
    pub r15: u64,
    pub r14: u64,
    pub r13: u64,
    pub r12: u64,
    pub rbp: u64,
    pub rbx: u64,
    pub r11: u64,
    pub r10: u64,
    pub r9: u64,
    pub r8: u64,
    pub rax: u64,
    pub rcx: u64,
    pub rdx: u64,
    pub rsi: u64,
    pub rdi: u64,
    pub orig_rax: u64,
    pub rip: u64,
    pub cs: u64,
    pub eflags: u64,
    pub rsp: u64,
    pub ss: u64,
    pub fs_base: u64,
    pub gs_base: u64,
    pub ds: u64,
    pub es: u64,
    pub fs: u64,
    pub gs: u64,
}

// Requests and options, whose types and names differ between C libraries (linux/ptrace.h).
const CONT: c_long = 7;
const DETACH: c_long = 17;
const SYSCALL: c_long = 24;
const GETREGSET: c_long = 0x4204;
const SETREGSET: c_long = 0x4205;
const SEIZE: c_long = 0x4206;
const INTERRUPT: c_long = 0x4207;
const GETSIGMASK: c_long = 0x420a;
const SETSIGMASK: c_long = 0x420b;
const TRACESYSGOOD: usize = 1;
const EVENT_STOP: c_int = 128;

/// The register set of general registers (linux/elf.h).
const GENERAL: usize = 1;
/// That with the state of floating-point and vector registers.
const XSTATE: usize = 0x202;
/// More than any processor has.
const LARGEST_STATE: usize = 1 << 16;
/// Marks stops for system calls.
const CALL_STOP: c_int = libc::SIGTRAP | 0x80;
/// How long a thread may take to stop, in steps.
const STEP: Duration = Duration::from_micros(50);
const PATIENCE: u32 = 40_000;
/// How often new threads are looked for.
const ROUNDS: u32 = 100;

/// Why a thread has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// As requested.
    Requested,
    /// It begins or ends a system call.
    Call,
    /// It is about to receive a signal.
    Signal(i32),
    /// It has ended.
    Gone,
}

/// Runs `work` with a tracer of a process. All threads that it has stopped go on afterwards.
///
/// # Errors
/// The thread for it cannot be started, `work` panicked, or this is no x86-64 processor.
pub fn trace<T: Send>(pid: u32, work: impl FnOnce(&mut Tracer) -> T + Send) -> io::Result<T> {
    if !cfg!(target_arch = "x86_64") {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "only the registers of x86-64 have names here",
        ));
    }
    let pid = i32::try_from(pid).map_err(io::Error::other)?;
    std::thread::scope(|scope| {
        let traced = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut tracer = Tracer { pid, stopped: BTreeMap::new() };
            let done = work(&mut tracer);
            tracer.let_go_all_but(None);
            done
        })?;
        traced.join().map_err(|_| io::Error::other("the tracer ended too early"))
    })
}

/// What stops the threads of a process.
#[derive(Debug)]
pub struct Tracer {
    pid: i32,
    /// The threads that have stopped, with the signal that each is about to receive; 0 for none.
    stopped: BTreeMap<i32, i32>,
}

/// Makes a request.
///
/// # Safety
/// `data` is what the request takes: a number, or an address of what it reads or writes (condition 1).
unsafe fn request(what: c_long, tid: i32, address: usize, data: usize) -> io::Result<c_long> {
    // SAFETY: the caller's.
    let result = unsafe { libc::syscall(libc::SYS_ptrace, what, c_long::from(tid), address, data) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

impl Tracer {
    /// The threads that have stopped.
    pub fn stopped(&self) -> impl Iterator<Item = i32> {
        self.stopped.keys().copied()
    }

    /// Returns `true` if a stopped thread is about to receive a signal.
    #[must_use]
    pub fn has_signal(&self, tid: i32) -> bool {
        self.stopped.get(&tid).is_some_and(|signal| *signal != 0)
    }

    /// Stops all threads of the process.
    ///
    /// # Errors
    /// One may not be traced, or does not stop. Those that have stopped remain so.
    pub fn stop_all(&mut self) -> io::Result<()> {
        for _ in 0..ROUNDS {
            let new: Vec<i32> =
                self.threads()?.into_iter().filter(|tid| !self.stopped.contains_key(tid)).collect();
            if new.is_empty() {
                return Ok(());
            }
            let mut seized = Vec::new();
            for tid in new {
                // SAFETY: the request takes numbers.
                match unsafe { request(SEIZE, tid, 0, TRACESYSGOOD) } {
                    Ok(_) => seized.push(tid),
                    // It has ended meanwhile.
                    Err(error) if error.raw_os_error() == Some(libc::ESRCH) || !self.is_alive(tid) => {}
                    Err(error) => return Err(error),
                }
            }
            for &tid in &seized {
                self.interrupt(tid);
            }
            for tid in seized {
                match self.wait(tid, PATIENCE)? {
                    Some(Stop::Gone) => {}
                    Some(Stop::Signal(signal)) => {
                        self.stopped.insert(tid, signal);
                    }
                    Some(_) => {
                        self.stopped.insert(tid, 0);
                    }
                    None => return Err(io::Error::other(format!("thread {tid} does not stop"))),
                }
            }
        }
        Err(io::Error::other("it starts threads all the time"))
    }

    /// The threads that have not ended.
    fn threads(&self) -> io::Result<Vec<i32>> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid))?;
        let tids = tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse().ok());
        Ok(tids.filter(|tid| self.is_alive(*tid)).collect())
    }

    fn is_alive(&self, tid: i32) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/task/{tid}/stat", self.pid)).unwrap_or_default();
        let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
        state.is_some_and(|state| !matches!(state, 'Z' | 'X' | 'x'))
    }

    /// Requests that a thread stops.
    pub fn interrupt(&self, tid: i32) {
        // One that has ended is noticed when it is waited for.
        // SAFETY: the request takes numbers.
        let _ = unsafe { request(INTERRUPT, tid, 0, 0) };
    }

    /// Waits for a thread to stop, so many steps; [`None`] if it does not.
    ///
    /// # Errors
    /// The thread is not traced.
    pub fn wait(&self, tid: i32, steps: u32) -> io::Result<Option<Stop>> {
        for step in 0..steps {
            let mut status = 0;
            // SAFETY: the kernel writes the status, which is borrowed during the call.
            let waited = unsafe { libc::waitpid(tid, &raw mut status, libc::WNOHANG | libc::__WALL) };
            if waited < 0 {
                let error = io::Error::last_os_error();
                return if error.raw_os_error() == Some(libc::ECHILD) {
                    Ok(Some(Stop::Gone))
                } else {
                    Err(error)
                };
            }
            if waited == tid {
                return Ok(Some(meaning(status)));
            }
            // Most threads stop at once.
            if step < 64 { std::thread::yield_now() } else { std::thread::sleep(STEP) }
        }
        Ok(None)
    }

    /// Lets a stopped thread run until it begins or ends a system call, with a signal; 0 for none.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn to_next_call(&self, tid: i32, signal: i32) -> io::Result<()> {
        // SAFETY: the request takes numbers.
        unsafe { request(SYSCALL, tid, 0, usize::try_from(signal).unwrap_or(0)) }.map(drop)
    }

    /// Lets a stopped thread run. It remains traced.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn go_on(&self, tid: i32) -> io::Result<()> {
        // SAFETY: the request takes numbers.
        unsafe { request(CONT, tid, 0, 0) }.map(drop)
    }

    /// Has a stopped thread receive a signal when it is let go; 0 for none.
    pub fn receives(&mut self, tid: i32, signal: i32) {
        self.stopped.insert(tid, signal);
    }

    /// Lets a stopped thread go, with the signal that it was about to receive.
    pub fn let_go(&mut self, tid: i32) {
        if let Some(signal) = self.stopped.remove(&tid) {
            // One that has ended needs nothing.
            // SAFETY: the request takes numbers.
            let _ = unsafe { request(DETACH, tid, 0, usize::try_from(signal).unwrap_or(0)) };
        }
    }

    /// Lets all stopped threads go but one.
    pub fn let_go_all_but(&mut self, kept: Option<i32>) {
        let others: Vec<i32> = self.stopped().filter(|tid| Some(*tid) != kept).collect();
        for tid in others {
            self.let_go(tid);
        }
    }

    /// The registers of a stopped thread.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn registers(&self, tid: i32) -> io::Result<Registers> {
        let mut registers = Registers::default();
        let whole = size_of::<Registers>();
        let mut piece = libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: whole };
        // SAFETY: the request writes at most the length of the piece to it, and then the length that it has written; the structure
        // has numbers only, so that all bytes are valid.
        unsafe { request(GETREGSET, tid, GENERAL, &raw mut piece as usize) }?;
        if piece.iov_len == whole { Ok(registers) } else { Err(io::Error::other("it runs 32-bit code")) }
    }

    /// Sets the registers of a stopped thread.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn set_registers(&self, tid: i32, registers: &Registers) -> io::Result<()> {
        let from = (&raw const *registers).cast_mut().cast();
        let piece = libc::iovec { iov_base: from, iov_len: size_of::<Registers>() };
        // SAFETY: the request only reads the piece, up to its length.
        unsafe { request(SETREGSET, tid, GENERAL, &raw const piece as usize) }.map(drop)
    }

    /// The floating-point and vector registers of a stopped thread, in the format of the processor.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn state(&self, tid: i32) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0_u8; LARGEST_STATE];
        let mut piece = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        // SAFETY: the request writes at most the length of the piece to it, and then the length that it has written.
        unsafe { request(GETREGSET, tid, XSTATE, &raw mut piece as usize) }?;
        bytes.truncate(piece.iov_len);
        Ok(bytes)
    }

    /// Sets these registers.
    ///
    /// # Errors
    /// The thread is not stopped.
    pub fn set_state(&self, tid: i32, bytes: &[u8]) -> io::Result<()> {
        let piece = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        // SAFETY: the request only reads the piece, up to its length.
        unsafe { request(SETREGSET, tid, XSTATE, &raw const piece as usize) }.map(drop)
    }

    /// The signals that a stopped thread blocks.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn blocked(&self, tid: i32) -> io::Result<u64> {
        let mut mask = 0_u64;
        // SAFETY: the request writes 8 bytes, as its address says.
        unsafe { request(GETSIGMASK, tid, 8, &raw mut mask as usize) }?;
        Ok(mask)
    }

    /// Sets the signals that a stopped thread blocks.
    ///
    /// # Errors
    /// It is not stopped.
    pub fn block(&self, tid: i32, mask: u64) -> io::Result<()> {
        // SAFETY: the request reads 8 bytes, as its address says.
        unsafe { request(SETSIGMASK, tid, 8, &raw const mask as usize) }.map(drop)
    }
}

/// What a status of `waitpid` says.
fn meaning(status: c_int) -> Stop {
    if !libc::WIFSTOPPED(status) {
        return Stop::Gone;
    }
    let signal = libc::WSTOPSIG(status);
    let event = status >> 16;
    match signal {
        _ if event == EVENT_STOP => Stop::Requested,
        CALL_STOP => Stop::Call,
        signal => Stop::Signal(signal),
    }
}
