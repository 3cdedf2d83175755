//! Clocks, and what a process and a thread are.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(target_arch = "x86_64")]
use super::rseq;

/// Clocks of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Since some start, never set.
    Monotonic,
    /// Since the machine was started, with the time it slept.
    Boot,
    /// Since 1970.
    Real,
}

/// Nanoseconds of a clock, by the C library: a program that runs under an emulator such as valgrind has no other way
/// to read it.
#[inline]
pub(crate) fn nanoseconds_of(clock: Clock) -> i64 {
    let clock = match clock {
        Clock::Monotonic => libc::CLOCK_MONOTONIC,
        Clock::Boot => libc::CLOCK_BOOTTIME,
        Clock::Real => libc::CLOCK_REALTIME,
    };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a local that the call writes to. All of these clocks exist on every Linux, so it cannot fail.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}

/// Kernel and user time that the calling thread has used, in nanoseconds.
pub(crate) fn thread_times() -> (u64, u64) {
    // SAFETY: all bytes of a `rusage` may be zero.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a local that the call writes to. If it fails, `usage` stays zero.
    unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
    let ns = |time: libc::timeval| {
        time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_usec.cast_unsigned() * 1_000
    };
    (ns(usage.ru_stime), ns(usage.ru_utime))
}

/// Whether the raw clock is the time stamp counter. The daemon decides for all writers of its sessions.
#[inline]
pub(crate) fn counts_cycles() -> bool {
    #[cfg(target_arch = "x86_64")]
    return rseq::invariant_clock();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The raw clock that records are stamped with, see [`crate::engine::clock`]: cycles, or nanoseconds.
#[inline]
pub(crate) fn timestamp(cycles: bool) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if cycles {
        // SAFETY: every x86-64 processor has this instruction.
        return unsafe { std::arch::x86_64::_rdtsc() }.cast_signed();
    }
    let _ = cycles;
    nanoseconds_of(Clock::Monotonic)
}

thread_local!(static WHO: Cell<u64> = const { Cell::new(0) });

/// Thread id in the lower half, process id in the upper, cached; and whether this is the thread's first call.
#[inline(always)]
pub(crate) fn who() -> (u64, bool) {
    let who = WHO.get();
    if who != 0 { (who, false) } else { (first_look(), true) }
}

/// The process.
pub(crate) fn process_id() -> u32 {
    (who().0 >> 32) as u32
}

#[cold]
#[inline(never)]
fn first_look() -> u64 {
    after_fork();
    let process = rustix::process::getpid().as_raw_nonzero().get().cast_unsigned();
    let thread = rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned();
    let who = u64::from(thread) | u64::from(process) << 32;
    WHO.set(who);
    who
}

/// How often this process is the child of a fork, counted over its ancestors.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Changes in the child of a fork.
pub(crate) fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Has the child of a fork forget the ids of its parent.
fn after_fork() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    extern "C" fn child() {
        WHO.set(0);
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    ONCE.call_once(|| {
        // SAFETY: condition 5.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(child)) };
    });
}

/// Has all threads take memory from the same place. A daemon has a thread for each program that comes and goes; with a
/// place for each of them, what it holds would grow with how many were ever there at once.
pub(crate) fn share_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it only sets a number of the allocator, for places that are made from now on.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Has this process have as many descriptors open as it is allowed to allow itself: what is meant for programs that use
/// `select` is too few for one that serves all others.
pub(crate) fn allow_descriptors() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Descriptors that this process may have open.
pub(crate) fn most_descriptors() -> usize {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX))
}

/// Has the calling thread run as soon as it can: writers that keep all processors busy must not starve the one that
/// makes room for them. In the real-time class where the process has the right, else with a better nice value where it
/// has that, else as it is. Threads and processes made by this one do not inherit it.
pub(crate) fn hurry() {
    let policy = libc::SCHED_RR | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the parameter is a plain structure of integers, for which zeros are good; 0 is the calling thread. The system is
    // called directly, because musl has only a stand-in for this function.
    let real_time = unsafe {
        let mut parameter: libc::sched_param = std::mem::zeroed();
        parameter.sched_priority = 1;
        libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const parameter) == 0
    };
    if !real_time {
        let _ = rustix::process::nice(-10);
    }
}

/// The return addresses of the calling function and its callers, innermost first, as far as the unwind tables of
/// the programs allow.
#[inline(never)]
pub(crate) fn call_stack(frames: &mut [u64; 64]) -> &[u64] {
    let mut addresses = [ptr::null_mut(); 65];
    let count = return_addresses(&mut addresses);
    // The first is in this function.
    let found = addresses.get(1..count).unwrap_or_default();
    for (frame, address) in frames.iter_mut().zip(found) {
        let address: *mut libc::c_void = *address;
        *frame = address.addr() as u64;
    }
    &frames[..found.len().min(frames.len())]
}

/// Finds the return addresses of the calling function and its callers, and returns their number.
#[cfg(target_env = "gnu")]
#[inline(always)]
fn return_addresses(addresses: &mut [*mut libc::c_void]) -> usize {
    // SAFETY: there is room for as many addresses as is said.
    let count = unsafe { libc::backtrace(addresses.as_mut_ptr(), addresses.len() as i32) };
    usize::try_from(count).unwrap_or(0)
}

/// Other C libraries have no such function: events have no stacks.
#[cfg(not(target_env = "gnu"))]
fn return_addresses(_: &mut [*mut libc::c_void]) -> usize {
    0
}

/// The address of the function that an address of code is in, by the unwind tables; 0 if these have none.
#[cfg(target_env = "gnu")]
pub(crate) fn function_of(address: u64) -> usize {
    unsafe extern "C" {
        /// Of the library of the compiler, which every program has that can unwind stacks.
        fn _Unwind_FindEnclosingFunction(address: *mut libc::c_void) -> *mut libc::c_void;
    }
    let address = ptr::without_provenance_mut(usize::try_from(address).unwrap_or(0));
    // SAFETY: the address is looked up in tables, and not read.
    unsafe { _Unwind_FindEnclosingFunction(address) }.addr()
}

/// Other C libraries give no stacks.
#[cfg(not(target_env = "gnu"))]
pub(crate) fn function_of(_: u64) -> usize {
    0
}

/// Returns `true` if this program runs with more rights than its caller has (a set-user-ID program, file capabilities):
/// then the environment is the caller's and not to be obeyed.
pub(crate) fn has_raised_rights() -> bool {
    // SAFETY: reads a number that the kernel gave the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Process, user and group at the other end of a socket, as the kernel knows them. The process is 0 if it is not visible
/// from this process's PID namespace.
pub(crate) fn peer_of(socket: &impl std::os::fd::AsRawFd) -> std::io::Result<[u32; 3]> {
    let mut peer = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let mut size = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the structure is a local of the size that is given.
    let done = unsafe {
        let place = (&raw mut peer).cast();
        libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, place, &raw mut size)
    };
    if done != 0 || size as usize != size_of::<libc::ucred>() {
        return Err(std::io::Error::last_os_error());
    }
    Ok([peer.pid.cast_unsigned(), peer.uid, peer.gid])
}

/// Whether this process has one thread only.
pub(crate) fn is_alone() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

/// Forks; `None` in the child. Fails when there is more than one thread: the child would have only this one, and
/// whatever the others held locked.
pub(crate) fn fork() -> std::io::Result<Option<rustix::process::Pid>> {
    if !is_alone() {
        return Err(std::io::ErrorKind::Unsupported.into());
    }
    // SAFETY: condition 7.
    let pid = unsafe { libc::fork() };
    if pid < 0 { Err(std::io::Error::last_os_error()) } else { Ok(rustix::process::Pid::from_raw(pid)) }
}

/// Leaves the terminal's session, as a daemon does.
pub(crate) fn detach() {
    let _ = rustix::process::setsid();
}

/// SIGTERM and SIGINT, taken as something to read rather than as the end of the process.
#[derive(Debug)]
pub(crate) struct Terminations(std::os::fd::OwnedFd);

impl Terminations {
    /// Blocks both signals, in this thread and in those it starts from now on.
    pub(crate) fn take() -> std::io::Result<Terminations> {
        use std::os::fd::FromRawFd;
        // SAFETY: the set is a local that `sigemptyset` initialises; the descriptor is new, so it has no other
        // owner.
        unsafe {
            let mut set = std::mem::MaybeUninit::uninit();
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), libc::SIGTERM);
            libc::sigaddset(set.as_mut_ptr(), libc::SIGINT);
            libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut());
            let file = libc::signalfd(-1, set.as_ptr(), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
            if file < 0 {
                return Err(std::io::Error::last_os_error());
            }
            Ok(Terminations(std::os::fd::OwnedFd::from_raw_fd(file)))
        }
    }

    /// To wait on.
    pub(crate) fn file(&self) -> &std::os::fd::OwnedFd {
        &self.0
    }

    /// Returns `true` if a signal arrived since the last call. An inherited descriptor reports the signals of the
    /// process that reads it.
    pub(crate) fn came(&self) -> bool {
        let mut any = [0; 128];
        rustix::io::read(&self.0, &mut any).is_ok_and(|read| read > 0)
    }
}

/// Has the calling thread take no signals: they are for the program's own threads.
pub(crate) fn block_signals() {
    // SAFETY: the set is a local that `sigfillset` initialises.
    unsafe {
        let mut all = std::mem::MaybeUninit::uninit();
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), ptr::null_mut());
    }
}
