//! The table of sources: which tracepoint is attached for which flag, what its program notes, and which of Windows' events
//! the samples become. `docs/kernel-linux.md` is compared with it by a test.

use std::mem::offset_of;

use tracewell_schema::{EventClass, kernel};

use crate::asm::{Helper, If, Op, Reg, Size};
use crate::btf::BtfError;
use crate::flags as flag;
use crate::maps::slot;
use crate::program::Builder;
use crate::sample::{
    BlockDone, BlockStart, CLONE_THREAD, CallEnter, CallEnterWith, CallExit, CallExitWith, CrossCall, Exec,
    Exit, Fault, FileEnter, FileExit, Handled, Interrupt, Memory, NewTask, PIECE_ROOM, PathEnter, Rename,
    Retransmit, Signal, SoftIrq, State, Switch, TEXT, Transfer, Waking,
};

use Reg::{R0, R1, R2, R3, R7, R8, R9};
use Size::{D, W};

type Built = Result<(), BtfError>;

/// What writes the program of a tracepoint.
pub(crate) type Build = fn(&mut Builder<'_>) -> Built;

/// A row: one source of events.
pub(crate) struct Row {
    /// The flags that each ask for it.
    pub(crate) flags: u32,
    /// Where the events come from.
    pub(crate) from: From,
    /// The events of Windows that its samples become, as `Class/Event`.
    pub(crate) events: &'static [&'static str],
    /// What differs from Windows, for the documentation.
    pub(crate) note: &'static str,
    /// Whom its program knows to be concerned.
    pub(crate) knows: Knows,
}

/// Whom a program knows to be concerned by an event, just as a reader of the record finds it. By this it can leave out records
/// that no reader needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knows {
    /// No thread, or each record is needed: others depend on it.
    Nothing,
    /// The thread in the header of the record.
    Thread,
    /// The process in the record.
    Process,
    /// The threads that go and come.
    Switch,
}

impl Row {
    /// Classes and types of its events.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&'static EventClass, u8)> {
        self.events.iter().filter_map(|event| {
            let (class, name) = event.split_once('/')?;
            let class = kernel::class(class)?;
            Some((class, class.events.iter().find(|known| known.name == name)?.opcode as u8))
        })
    }

    /// The hook ids of its events.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = u16> {
        self.types().filter_map(|(class, opcode)| Some(u16::from_be_bytes([class.group?, opcode])))
    }
}

/// Where events come from.
#[derive(Clone, Copy)]
pub(crate) enum From {
    /// A tracepoint, and the program for it.
    Tracepoint(&'static str, Build),
    /// The ring of performance events of each processor.
    Perf(&'static str),
    /// The file system `/proc`, when a session starts and stops.
    Proc(&'static str),
}

impl From {
    /// Its name: of a tracepoint the kernel's.
    pub(crate) fn name(self) -> &'static str {
        match self {
            From::Tracepoint(name, _) | From::Perf(name) | From::Proc(name) => name,
        }
    }
}

const fn row(
    flags: u32,
    tracepoint: &'static str,
    build: Build,
    events: &'static [&'static str],
    note: &'static str,
) -> Row {
    Row { flags, from: From::Tracepoint(tracepoint, build), events, note, knows: Knows::Nothing }
}

impl Row {
    const fn of(self, knows: Knows) -> Row {
        Row { knows, ..self }
    }
}

const BLOCK: u32 = flag::DISK_IO | flag::DISK_IO_INIT;
const FILES: u32 = flag::FILE_IO | flag::FILE_IO_INIT | flag::DISK_FILE_IO;
const TASKS: u32 = flag::PROCESS | flag::THREAD;

/// All rows. A sample names its row by the place in this table.
pub(crate) const ROWS: &[Row] = &[
    row(
        TASKS | flag::IMAGE_LOAD,
        "task_newtask",
        new_task,
        &["Process/Start", "Thread/Start"],
        "A new process has the name of its parent until it runs a program.",
    ),
    row(
        TASKS | flag::IMAGE_LOAD,
        "sched_process_exec",
        exec,
        &["Process/DCStart"],
        "A process that runs another program has a new UniqueProcessKey, name and command line (the first 255 bytes).",
    ),
    row(
        TASKS | flag::IMAGE_LOAD,
        "sched_process_exit",
        exit,
        &["Thread/End", "Process/End"],
        "ExitStatus is the exit code; a process that a signal ended has 128 and the number of the signal.",
    ),
    row(
        flag::PROCESS,
        "signal_generate",
        signal,
        &["Process/Signal", "Process/SignalDiscarded"],
        "Windows has no signals; the events are ours. SignalDiscarded is a signal that is ignored.",
    ),
    row(
        flag::PROCESS,
        "signal_deliver",
        handled,
        &["Process/SignalHandled"],
        "Handler is 0 for what the kernel does by itself.",
    ),
    row(
        flag::THREAD,
        "task_rename",
        rename,
        &["Thread/SetName"],
        "The kernel's names have at most 15 bytes.",
    ),
    row(
        flag::CSWITCH,
        "sched_switch",
        switch,
        &["Thread/CSwitch", "Thread/SetPriority"],
        "Priorities are 31 less the kernel's, scaled: real-time threads have 16 to 31, others 1 to 15, the idle thread 0. SetPriority \
         is logged when a thread with another priority than before is switched.",
    )
    .of(Knows::Switch),
    row(
        flag::DISPATCHER,
        "sched_waking",
        waking,
        &["Thread/ReadyThread"],
        "Logged where the waker runs. AdjustReason is Unwait.",
    )
    .of(Knows::Thread),
    row(
        flag::DISPATCHER,
        "sched_wakeup_new",
        waking,
        &["Thread/ReadyThread"],
        "The first time that a thread is ready.",
    )
    .of(Knows::Thread),
    row(
        flag::SYSTEMCALL,
        "sys_enter",
        call_enter,
        &["PerfInfo/SysClEnter"],
        "SysCallAddress is the function of the kernel for the call. Version 128 adds number, arguments and name of the call.",
    ),
    row(
        flag::SYSTEMCALL,
        "sys_exit",
        call_exit,
        &["PerfInfo/SysClExit"],
        "SysCallNtStatus has the low 32 bits of the result: a negative number is an error number. Version 128 adds number, result and \
         name.",
    ),
    row(
        flag::MEMORY_PAGE_FAULTS,
        "page_fault_user",
        fault,
        &["PageFault/DemandZeroFault", "PageFault/CopyOnWrite", "PageFault/AccessViolation"],
        "DemandZeroFault is any access to a page that is not there: the tracepoint does not distinguish a new page from one \
         in the page cache. CopyOnWrite is a write to a page that may be read, AccessViolation any other that is not allowed.",
    )
    .of(Knows::Thread),
    row(
        flag::MEMORY_PAGE_FAULTS,
        "page_fault_kernel",
        fault,
        &["PageFault/DemandZeroFault", "PageFault/CopyOnWrite", "PageFault/AccessViolation"],
        "The same, of the kernel's accesses to user memory.",
    )
    .of(Knows::Thread),
    row(flag::INTERRUPT, "irq_handler_entry", interrupt_begins, &[], "The time at which a handler begins."),
    row(
        flag::INTERRUPT,
        "irq_handler_exit",
        interrupt_ends,
        &["PerfInfo/ISR"],
        "Vector is the number of the interrupt, Routine its handler.",
    ),
    row(
        flag::INTERRUPT,
        "local_timer_entry",
        interrupt_begins,
        &[],
        "The time at which the local timer's interrupt begins.",
    ),
    row(
        flag::INTERRUPT,
        "local_timer_exit",
        vector_ends,
        &["PerfInfo/ISR"],
        "Vector is that of the processor.",
    ),
    row(
        flag::INTERRUPT,
        "reschedule_entry",
        interrupt_begins,
        &[],
        "The time at which the interrupt begins.",
    ),
    row(
        flag::INTERRUPT,
        "reschedule_exit",
        vector_ends,
        &["PerfInfo/ISR"],
        "An interrupt between processors.",
    ),
    row(
        flag::INTERRUPT,
        "call_function_entry",
        interrupt_begins,
        &[],
        "The time at which the interrupt begins.",
    ),
    row(
        flag::INTERRUPT,
        "call_function_exit",
        vector_ends,
        &["PerfInfo/ISR"],
        "An interrupt between processors.",
    ),
    row(
        flag::INTERRUPT,
        "call_function_single_entry",
        interrupt_begins,
        &[],
        "The time at which the interrupt begins.",
    ),
    row(
        flag::INTERRUPT,
        "call_function_single_exit",
        vector_ends,
        &["PerfInfo/ISR"],
        "An interrupt between processors.",
    ),
    row(
        flag::INTERRUPT,
        "ipi_send_cpu",
        cross_call,
        &["PerfInfo/CrossCall"],
        "The event is ours. Routine is the function that another processor is to run, 0 for a plain interrupt.",
    ),
    row(
        flag::INTERRUPT,
        "ipi_send_cpumask",
        cross_call,
        &["PerfInfo/CrossCall"],
        "The same, of several processors.",
    ),
    row(flag::DPC, "softirq_entry", softirq_begins, &[], "The time at which a softirq begins."),
    row(
        flag::DPC,
        "softirq_exit",
        softirq_ends,
        &["PerfInfo/DPC", "PerfInfo/TimerDPC"],
        "The softirqs of timers are TimerDPC. Routine is the function of the kernel for the softirq.",
    ),
    row(
        BLOCK,
        "block_io_start",
        block_start,
        &["DiskIo/ReadInit", "DiskIo/WriteInit", "DiskIo/FlushInit"],
        "Discards are writes.",
    ),
    row(
        BLOCK,
        "block_io_done",
        block_done,
        &["DiskIo/Read", "DiskIo/Write", "DiskIo/FlushBuffers"],
        "DiskNumber counts the disks in the order of /sys/block. FileObject is the inode, where the first page belongs to a file.",
    ),
    row(
        flag::NETWORK_TCPIP,
        "sock_send_length",
        sends,
        &["TcpIp/SendIPV4", "TcpIp/SendIPV6", "UdpIp/SendIPV4", "UdpIp/SendIPV6"],
        "size is what a call sent, not a segment. A datagram of a socket without a peer has no destination.",
    )
    .of(Knows::Process),
    row(
        flag::NETWORK_TCPIP,
        "sock_recv_length",
        receives,
        &["TcpIp/RecvIPV4", "TcpIp/RecvIPV6", "UdpIp/RecvIPV4", "UdpIp/RecvIPV6"],
        "size is what a call received; looking at data without taking them (MSG_PEEK) is not logged.",
    )
    .of(Knows::Process),
    row(
        flag::NETWORK_TCPIP,
        "inet_sock_set_state",
        state,
        &[
            "TcpIp/ConnectIPV4",
            "TcpIp/ConnectIPV6",
            "TcpIp/AcceptIPV4",
            "TcpIp/AcceptIPV6",
            "TcpIp/DisconnectIPV4",
            "TcpIp/DisconnectIPV6",
            "TcpIp/StateIPV4",
            "TcpIp/StateIPV6",
            "TcpIp/ConnectRequestIPV4",
            "TcpIp/ConnectRequestIPV6",
            "TcpIp/ConnectRefusedIPV4",
            "TcpIp/ConnectRefusedIPV6",
        ],
        "PID is the process that connected, or that listens at the port. States, requests and refusals are ours: Windows does not \
         log them.",
    ),
    row(
        flag::NETWORK_TCPIP,
        "tcp_retransmit_skb",
        retransmit,
        &["TcpIp/RetransmitIPV4", "TcpIp/RetransmitIPV6"],
        "PID is the last process that used the connection.",
    ),
    row(
        FILES,
        "sys_enter",
        file_enter,
        &[
            "FileIo/Create",
            "FileIo/Read",
            "FileIo/Write",
            "FileIo/Flush",
            "FileIo/DirEnum",
            "FileIo/QueryInfo",
            "FileIo/SetInfo",
            "FileIo/Cleanup",
            "FileIo/Close",
            "FileIo/Delete",
            "FileIo/Rename",
        ],
        "Calls that name a file or its descriptor: open, read, write, fsync, getdents64, fstat, ftruncate, close, unlink, rename \
         and their relatives. Not sockets, mapped files, splice, sendfile, copy_file_range and io_uring. IrpPtr identifies the \
         thread, which has one call at a time. FileObject is the open file, FileKey its inode.",
    ),
    row(
        FILES,
        "sys_exit",
        file_exit,
        &["FileIo/OperationEnd", "FileIo/Name"],
        "ExtraInfo is the result; NtStatus is 0, or the low 32 bits of a negative result. The name of a file is logged when it \
         is first used, as the kernel or /proc has it.",
    ),
    row(
        flag::VIRTUAL_ALLOC,
        "sys_exit",
        memory,
        &["PageFault/VirtualAlloc", "PageFault/VirtualFree"],
        "mmap and growing brk are VirtualAlloc with MEM_RESERVE and MEM_COMMIT, munmap and shrinking brk VirtualFree with MEM_RELEASE; \
         mremap is both.",
    )
    .of(Knows::Thread),
    Row {
        flags: flag::PROFILE,
        from: From::Perf("cpu-clock"),
        events: &["PerfInfo/SampleProfile"],
        note: "1,000 samples a second and processor. Code that runs with interrupts off is sampled when it allows them.",
        knows: Knows::Nothing,
    },
    Row {
        flags: flag::IMAGE_LOAD,
        from: From::Perf("mmap2"),
        events: &["Image/Load", "Image/Unload", "Image/DCStart"],
        note: "Mappings of files that may be executed; the image is the whole program or library, as the headers of the file describe it. The build id is in KernelTraceControl/DbgIDRSDS. A process that is made \
               has the images of its parent (DCStart); Unload is logged when a process ends or runs another program.",
        knows: Knows::Nothing,
    },
    Row {
        flags: flag::MEMORY_HARD_FAULTS,
        from: From::Perf("major-faults"),
        events: &["PageFault/HardFault"],
        note: "ByteCount is one page, and InitialTime that of the event; the file is unknown.",
        knows: Knows::Nothing,
    },
    Row {
        flags: TASKS,
        from: From::Proc("/proc"),
        events: &["Process/DCStart", "Thread/DCStart", "Process/DCEnd", "Thread/DCEnd"],
        note: "At start and end of a session.",
        knows: Knows::Nothing,
    },
    Row {
        flags: flag::IMAGE_LOAD,
        from: From::Proc("/proc/PID/maps"),
        events: &["Image/DCStart"],
        note: "At the start of a session; the kernel and its modules are images of process 0.",
        knows: Knows::Nothing,
    },
];

/// The functions that handle interrupts of the processor, by the tracepoint.
pub(crate) const VECTORS: &[(&str, &str)] = &[
    ("local_timer_exit", "sysvec_apic_timer_interrupt"),
    ("reschedule_exit", "sysvec_reschedule_ipi"),
    ("call_function_exit", "sysvec_call_function"),
    ("call_function_single_exit", "sysvec_call_function_single"),
];

/// The functions of the softirqs, by number; of each the names that kernels have for it.
pub(crate) const SOFT_IRQS: [&[&str]; 10] = [
    &["tasklet_hi_action"],
    &["run_timer_softirq"],
    &["net_tx_action"],
    &["net_rx_action"],
    &["blk_done_softirq"],
    &["irq_poll_softirq"],
    &["tasklet_action"],
    &["sched_balance_softirq", "run_rebalance_domains"],
    &["hrtimer_run_softirq"],
    &["rcu_core_si"],
];
/// The softirqs that run timers.
pub(crate) const TIMERS: [u64; 2] = [1, 8];

/// What a system call is to the file and memory rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Call {
    Other = 0,
    /// The first argument is a descriptor.
    Descriptor = 1,
    /// The first argument is a path,
    Path = 2,
    /// or the second, behind the descriptor of a directory.
    PathAt = 3,
    /// As [`Call::Path`], and the result is a descriptor.
    Open = 4,
    /// As [`Call::PathAt`], and the result is a descriptor.
    OpenAt = 5,
    /// Maps or unmaps memory.
    Memory = 6,
}

/// The event that a call on a file becomes: its type in `FileIo`.
pub(crate) mod operation {
    use tracewell_schema::kernel::hook;

    const fn of(hook: u16) -> u8 {
        hook as u8
    }

    pub(crate) const CREATE: u8 = of(hook::FILE_IO_CREATE);
    pub(crate) const CLEANUP: u8 = of(hook::FILE_IO_CLEANUP);
    pub(crate) const CLOSE: u8 = of(hook::FILE_IO_CLOSE);
    pub(crate) const READ: u8 = of(hook::FILE_IO_READ);
    pub(crate) const WRITE: u8 = of(hook::FILE_IO_WRITE);
    pub(crate) const SET_INFO: u8 = of(hook::FILE_IO_SET_INFO);
    pub(crate) const DELETE: u8 = of(hook::FILE_IO_DELETE);
    pub(crate) const RENAME: u8 = of(hook::FILE_IO_RENAME);
    pub(crate) const DIR_ENUM: u8 = of(hook::FILE_IO_DIR_ENUM);
    pub(crate) const FLUSH: u8 = of(hook::FILE_IO_FLUSH);
    pub(crate) const QUERY_INFO: u8 = of(hook::FILE_IO_QUERY_INFO);
    pub(crate) const NAME: u8 = of(hook::FILE_IO_NAME);
    pub(crate) const END: u8 = of(hook::FILE_IO_OPERATION_END);
}

/// The calls that the file and memory rows look at: number, what it is, and its event.
pub(crate) fn file_calls() -> Vec<(i64, Call, u8)> {
    use Call::{Descriptor, Memory, OpenAt, PathAt};
    let mut all = vec![
        (libc::SYS_openat, OpenAt, operation::CREATE),
        (libc::SYS_openat2, OpenAt, operation::CREATE),
        (libc::SYS_read, Descriptor, operation::READ),
        (libc::SYS_pread64, Descriptor, operation::READ),
        (libc::SYS_readv, Descriptor, operation::READ),
        (libc::SYS_preadv, Descriptor, operation::READ),
        (libc::SYS_preadv2, Descriptor, operation::READ),
        (libc::SYS_write, Descriptor, operation::WRITE),
        (libc::SYS_pwrite64, Descriptor, operation::WRITE),
        (libc::SYS_writev, Descriptor, operation::WRITE),
        (libc::SYS_pwritev, Descriptor, operation::WRITE),
        (libc::SYS_pwritev2, Descriptor, operation::WRITE),
        (libc::SYS_close, Descriptor, operation::CLOSE),
        (libc::SYS_fsync, Descriptor, operation::FLUSH),
        (libc::SYS_fdatasync, Descriptor, operation::FLUSH),
        (libc::SYS_getdents64, Descriptor, operation::DIR_ENUM),
        (libc::SYS_fstat, Descriptor, operation::QUERY_INFO),
        (libc::SYS_ftruncate, Descriptor, operation::SET_INFO),
        (libc::SYS_fchmod, Descriptor, operation::SET_INFO),
        (libc::SYS_fchown, Descriptor, operation::SET_INFO),
        (libc::SYS_fallocate, Descriptor, operation::SET_INFO),
        (libc::SYS_unlinkat, PathAt, operation::DELETE),
        (libc::SYS_renameat2, PathAt, operation::RENAME),
        (libc::SYS_mmap, Memory, 0),
        (libc::SYS_munmap, Memory, 0),
        (libc::SYS_mremap, Memory, 0),
        (libc::SYS_brk, Memory, 0),
    ];
    #[cfg(target_arch = "x86_64")]
    all.extend([
        (libc::SYS_open, Call::Open, operation::CREATE),
        (libc::SYS_creat, Call::Open, operation::CREATE),
        (libc::SYS_unlink, Call::Path, operation::DELETE),
        (libc::SYS_rmdir, Call::Path, operation::DELETE),
        (libc::SYS_rename, Call::Path, operation::RENAME),
        (libc::SYS_renameat, PathAt, operation::RENAME),
        (libc::SYS_getdents, Descriptor, operation::DIR_ENUM),
    ]);
    all
}

fn new_task(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.argument(1, R9);
    b.no_mark();
    let known = b.asm.label();
    b.asm.jump_if(If::Set, R9, CLONE_THREAD as i32, known);
    b.forget_verdict(Some(R8))?;
    b.asm.place(known);
    b.begin::<NewTask>();
    b.put_mark(offset_of!(NewTask, mark));
    b.put(offset_of!(NewTask, flags), D, R9);
    b.copy(offset_of!(NewTask, tid), W, R8, "task_struct.pid")?;
    b.copy(offset_of!(NewTask, pid), W, R8, "task_struct.tgid")?;
    b.copy(offset_of!(NewTask, priority), W, R8, "task_struct.prio")?;
    b.copy_bytes(offset_of!(NewTask, comm), 16, R8, "task_struct.comm")?;
    b.asm.call(Helper::Uid);
    b.put(offset_of!(NewTask, uid), W, R0);
    b.finish();
    Ok(())
}

fn exec(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.argument(1, R9);
    b.forget_verdict(None)?;
    b.begin::<Exec>();
    b.put_mark(offset_of!(Exec, mark));
    b.put(offset_of!(Exec, old_tid), W, R9);
    b.asm.call(Helper::Uid);
    b.put(offset_of!(Exec, uid), W, R0);
    b.argument(2, R9);
    b.field(R3, R9, "linux_binprm.filename")?;
    b.copy_to(offset_of!(Exec, path), TEXT, Helper::ReadKernelText);
    // The arguments lie in the memory of the new program, from one address to another.
    b.field(R8, R8, "task_struct.mm")?;
    b.field(R9, R8, "mm_struct.arg_start")?;
    b.field(R1, R8, "mm_struct.arg_end")?;
    b.asm.reg(Op::Sub, R1, R9);
    b.put(offset_of!(Exec, arguments_size), D, R1);
    b.asm.mov(R2, R1);
    b.asm.mov(R3, R9);
    b.copy_up_to(offset_of!(Exec, arguments), TEXT, Helper::ReadUser);
    b.finish();
    Ok(())
}

fn exit(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    let more = b.asm.label();
    if b.btf().arguments("sched_process_exit") >= Some(2) {
        b.argument(1, R9);
        b.asm.imm(Op::And, R9, 1);
    } else {
        // Older kernels lack the argument; the last thread of a process has counted itself out.
        b.peek(R1, R8, "task_struct.signal")?;
        b.peek(R1, R1, "signal_struct.live.counter")?;
        b.asm.set(R9, 0);
        let live = b.asm.label();
        b.asm.jump_if(If::Ne, R1, 0, live);
        b.asm.set(R9, 1);
        b.asm.place(live);
    }
    b.asm.jump_if(If::Eq, R9, 0, more);
    b.forget_verdict(None)?;
    b.asm.place(more);
    b.begin::<Exit>();
    b.copy(offset_of!(Exit, code), W, R8, "task_struct.exit_code")?;
    b.put(offset_of!(Exit, last), W, R9);
    b.finish();
    Ok(())
}

fn signal(b: &mut Builder<'_>) -> Built {
    b.argument(2, R8);
    b.begin::<Signal>();
    b.copy(offset_of!(Signal, tid), W, R8, "task_struct.pid")?;
    b.copy(offset_of!(Signal, pid), W, R8, "task_struct.tgid")?;
    b.argument(0, R1);
    b.put(offset_of!(Signal, number), W, R1);
    b.argument(4, R1);
    b.put(offset_of!(Signal, result), W, R1);
    b.finish();
    Ok(())
}

fn handled(b: &mut Builder<'_>) -> Built {
    b.argument(1, R8);
    b.argument(2, R9);
    b.begin::<Handled>();
    b.argument(0, R1);
    b.put(offset_of!(Handled, number), W, R1);
    // Some signals have no information, but a small number in its place.
    b.asm.set(R1, 0);
    let none = b.asm.label();
    b.asm.jump_if(If::Le, R8, 2, none);
    b.peek(R1, R8, "kernel_siginfo.si_code")?;
    b.asm.place(none);
    b.put(offset_of!(Handled, code), W, R1);
    b.peek(R1, R9, "k_sigaction.sa.sa_handler")?;
    b.put(offset_of!(Handled, handler), D, R1);
    b.finish();
    Ok(())
}

fn cross_call(b: &mut Builder<'_>) -> Built {
    b.begin::<CrossCall>();
    b.argument(1, R1);
    b.put(offset_of!(CrossCall, caller), D, R1);
    b.argument(2, R1);
    b.put(offset_of!(CrossCall, routine), D, R1);
    b.finish();
    Ok(())
}

fn rename(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.argument(1, R9);
    b.begin::<Rename>();
    b.copy(offset_of!(Rename, tid), W, R8, "task_struct.pid")?;
    b.copy(offset_of!(Rename, pid), W, R8, "task_struct.tgid")?;
    b.asm.mov(R3, R9);
    b.copy_to(offset_of!(Rename, comm), 16, Helper::ReadKernelText);
    b.finish();
    Ok(())
}

fn switch(b: &mut Builder<'_>) -> Built {
    b.argument(1, R8);
    b.argument(2, R9);
    b.check_switch()?;
    let has_halves = b.check_owner_of_switch();
    b.begin::<Switch>();
    b.copy(offset_of!(Switch, priority), W, R8, "task_struct.prio")?;
    b.copy(offset_of!(Switch, next), W, R9, "task_struct.pid")?;
    b.copy(offset_of!(Switch, next_pid), W, R9, "task_struct.tgid")?;
    b.copy(offset_of!(Switch, next_priority), W, R9, "task_struct.prio")?;
    b.argument(0, R1);
    b.put(offset_of!(Switch, preempted), W, R1);
    if b.btf().arguments("sched_switch") >= Some(4) {
        b.argument(3, R1);
    } else {
        b.field(R1, R8, "task_struct.__state")?;
    }
    b.put(offset_of!(Switch, state), W, R1);
    if has_halves {
        let goes = [
            (offset_of!(Switch, head.tid), -1),
            (offset_of!(Switch, head.pid), -1),
            (offset_of!(Switch, priority), 0),
            (offset_of!(Switch, preempted), 0),
            (offset_of!(Switch, state), 0),
        ];
        let comes = [
            (offset_of!(Switch, next), -1),
            (offset_of!(Switch, next_pid), -1),
            (offset_of!(Switch, next_priority), 0),
        ];
        b.keep_halves(offset_of!(Switch, preempted), &goes, &comes);
    }
    b.finish();
    Ok(())
}

fn waking(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.check_limits()?;
    b.begin::<Waking>();
    b.copy(offset_of!(Waking, tid), W, R8, "task_struct.pid")?;
    b.copy(offset_of!(Waking, pid), W, R8, "task_struct.tgid")?;
    b.finish();
    Ok(())
}

/// Frames of the kernel between a program at a system call and the call: the program, and two functions that run it.
const CALL_FRAMES: i32 = 3;

fn call_enter(b: &mut Builder<'_>) -> Built {
    b.skip_frames(CALL_FRAMES);
    b.argument(1, R9);
    b.argument(0, R8);
    b.check_limits()?;
    b.count_call(false)?;
    if let Some((without, pieces)) = b.memory_or()? {
        b.begin_with::<CallEnterWith>(pieces * PIECE_ROOM);
        b.put(offset_of!(CallEnterWith, number), D, R9);
        b.put_imm(offset_of!(CallEnterWith, pieces), D, pieces as i32);
        b.arguments(offset_of!(CallEnterWith, arguments), 6, R8)?;
        b.read_pieces(size_of::<CallEnterWith>())?;
        b.submit();
        let out = b.out();
        b.asm.jump(out);
        b.asm.place(without);
    }
    b.begin::<CallEnter>();
    b.put(offset_of!(CallEnter, number), D, R9);
    b.arguments(offset_of!(CallEnter, arguments), 6, R8)?;
    b.finish();
    Ok(())
}

fn call_exit(b: &mut Builder<'_>) -> Built {
    b.skip_frames(CALL_FRAMES);
    b.argument(0, R8);
    b.call_number(R9, R8)?;
    b.check_limits()?;
    b.count_call(true)?;
    if let Some((without, pieces)) = b.memory_or()? {
        b.begin_with::<CallExitWith>(pieces * PIECE_ROOM);
        b.put(offset_of!(CallExitWith, number), D, R9);
        b.argument(1, R1);
        b.put(offset_of!(CallExitWith, result), D, R1);
        b.put_imm(offset_of!(CallExitWith, pieces), D, pieces as i32);
        b.read_pieces(size_of::<CallExitWith>())?;
        b.submit();
        let out = b.out();
        b.asm.jump(out);
        b.asm.place(without);
    }
    b.begin::<CallExit>();
    b.put(offset_of!(CallExit, number), D, R9);
    b.argument(1, R1);
    b.put(offset_of!(CallExit, result), D, R1);
    b.finish();
    Ok(())
}

fn fault(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.argument(1, R9);
    b.check_limits()?;
    b.begin::<Fault>();
    b.put(offset_of!(Fault, address), D, R8);
    b.argument(2, R1);
    b.put(offset_of!(Fault, error), D, R1);
    b.copy(
        offset_of!(Fault, ip),
        D,
        R9,
        if cfg!(target_arch = "x86_64") { "pt_regs.ip" } else { "pt_regs.pc" },
    )?;
    b.finish();
    Ok(())
}

fn interrupt_begins(b: &mut Builder<'_>) -> Built {
    b.note_time(slot::INTERRUPT);
    b.end();
    Ok(())
}

fn interrupt_ends(b: &mut Builder<'_>) -> Built {
    b.since(slot::INTERRUPT);
    b.begin::<Interrupt>();
    b.put(offset_of!(Interrupt, begun), D, R9);
    b.argument(0, R1);
    b.put(offset_of!(Interrupt, vector), W, R1);
    b.argument(1, R8);
    b.copy(offset_of!(Interrupt, routine), D, R8, "irqaction.handler")?;
    b.argument(2, R1);
    b.put(offset_of!(Interrupt, handled), W, R1);
    b.finish();
    Ok(())
}

fn vector_ends(b: &mut Builder<'_>) -> Built {
    b.since(slot::INTERRUPT);
    b.begin::<Interrupt>();
    b.put(offset_of!(Interrupt, begun), D, R9);
    b.argument(0, R1);
    b.put(offset_of!(Interrupt, vector), W, R1);
    b.put_imm(offset_of!(Interrupt, routine), D, 0);
    b.put_imm(offset_of!(Interrupt, handled), W, 1);
    b.finish();
    Ok(())
}

fn softirq_begins(b: &mut Builder<'_>) -> Built {
    b.note_time(slot::SOFT_IRQ);
    b.end();
    Ok(())
}

fn softirq_ends(b: &mut Builder<'_>) -> Built {
    b.since(slot::SOFT_IRQ);
    b.begin::<SoftIrq>();
    b.put(offset_of!(SoftIrq, begun), D, R9);
    b.argument(0, R1);
    b.put(offset_of!(SoftIrq, vector), D, R1);
    b.finish();
    Ok(())
}

fn block_start(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.begin::<BlockStart>();
    b.put(offset_of!(BlockStart, request), D, R8);
    b.copy(offset_of!(BlockStart, sector), D, R8, "request.__sector")?;
    b.copy(offset_of!(BlockStart, bytes), W, R8, "request.__data_len")?;
    b.copy(offset_of!(BlockStart, flags), W, R8, "request.cmd_flags")?;
    b.peek(R9, R8, "request.q")?;
    b.peek(R9, R9, "request_queue.disk")?;
    b.peek(R1, R9, "gendisk.major")?;
    b.put(offset_of!(BlockStart, major), W, R1);
    b.peek(R1, R9, "gendisk.first_minor")?;
    b.put(offset_of!(BlockStart, minor), W, R1);
    // The file of the first page: a mapping with its low bits set does not belong to a file.
    b.put_imm(offset_of!(BlockStart, file), D, 0);
    let unknown = b.asm.label();
    for path in ["request.bio", "bio.bi_io_vec", "bio_vec.bv_page", "page.mapping"] {
        let base = if path == "request.bio" { R8 } else { R9 };
        b.peek(R9, base, path)?;
        b.asm.jump_if(If::Eq, R9, 0, unknown);
    }
    b.asm.jump_if(If::Set, R9, 3, unknown);
    b.peek(R1, R9, "address_space.host")?;
    b.put(offset_of!(BlockStart, file), D, R1);
    b.asm.place(unknown);
    b.finish();
    Ok(())
}

fn block_done(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.begin::<BlockDone>();
    b.put(offset_of!(BlockDone, request), D, R8);
    b.finish();
    Ok(())
}

fn transfer(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.argument(1, R1);
    // What failed moved nothing.
    let out = b.out();
    b.asm.imm(Op::Shl, R1, 32);
    let some = b.asm.label();
    b.asm.jump_if(If::SGt, R1, 0, some);
    b.asm.jump(out);
    b.asm.place(some);
    b.field(R1, R8, "sock.__sk_common.skc_family")?;
    let inet = b.asm.label();
    b.asm.jump_if(If::Eq, R1, libc::AF_INET, inet);
    b.asm.jump_if(If::Ne, R1, libc::AF_INET6, out);
    b.asm.place(inet);
    b.check_limits()?;
    b.begin::<Transfer>();
    b.argument(1, R1);
    b.put(offset_of!(Transfer, bytes), W, R1);
    b.argument(2, R1);
    b.put(offset_of!(Transfer, flags), W, R1);
    b.ends(offset_of!(Transfer, ends))?;
    b.finish();
    Ok(())
}

fn sends(b: &mut Builder<'_>) -> Built {
    transfer(b)
}

fn receives(b: &mut Builder<'_>) -> Built {
    b.argument(2, R1);
    let out = b.out();
    b.asm.jump_if(If::Set, R1, libc::MSG_PEEK, out);
    transfer(b)
}

fn state(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.field(R1, R8, "sock.sk_protocol")?;
    let out = b.out();
    b.asm.jump_if(If::Ne, R1, libc::IPPROTO_TCP, out);
    b.begin::<State>();
    b.argument(1, R1);
    b.put(offset_of!(State, old), W, R1);
    b.argument(2, R1);
    b.put(offset_of!(State, new), W, R1);
    b.ends(offset_of!(State, ends))?;
    b.finish();
    Ok(())
}

fn retransmit(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.argument(1, R9);
    b.begin::<Retransmit>();
    b.asm.set(R1, 0);
    // A retransmission that a timer decides has no segment yet.
    let none = b.asm.label();
    b.asm.jump_if(If::Eq, R9, 0, none);
    b.peek(R1, R9, "sk_buff.len")?;
    b.asm.place(none);
    b.put(offset_of!(Retransmit, bytes), W, R1);
    b.ends(offset_of!(Retransmit, ends))?;
    b.finish();
    Ok(())
}

/// Leaves what the call is to us in `R8`; ends the program if it is nothing. `R9` is changed.
fn classify(b: &mut Builder<'_>, number: Reg) {
    let out = b.out();
    b.asm.jump_if(If::Ge, number, crate::maps::CALLS.cast_signed(), out);
    b.element(&b.maps().calls, number);
    b.asm.load(W, R8, R0, 0);
}

fn file_enter(b: &mut Builder<'_>) -> Built {
    b.skip_frames(CALL_FRAMES);
    b.argument(1, R9);
    classify(b, R9);
    let (out, path) = (b.out(), b.asm.label());
    b.asm.jump_if(If::Eq, R8, Call::Other as i32, out);
    b.asm.jump_if(If::Eq, R8, Call::Memory as i32, out);
    b.asm.jump_if(If::Ne, R8, Call::Descriptor as i32, path);

    b.argument(0, R8);
    b.call_argument(R1, R8, 0)?;
    b.open_file(R1)?;
    b.begin_file()?;
    b.asm.jump(out);

    b.asm.place(path);
    // R8: which argument the path is.
    b.asm.imm(Op::And, R8, 1);
    b.begin_path()?;
    b.end();
    Ok(())
}

impl Builder<'_> {
    /// The sample of an operation on the open file in `R9`.
    fn begin_file(&mut self) -> Built {
        let b = self;
        b.begin::<FileEnter>();
        b.put(offset_of!(FileEnter, file), D, R9);
        b.peek(R1, R9, "file.f_pos")?;
        b.put(offset_of!(FileEnter, position), D, R1);
        b.peek(R9, R9, "file.f_inode")?;
        b.put(offset_of!(FileEnter, inode), D, R9);
        b.peek(R1, R9, "inode.i_mode")?;
        b.put(offset_of!(FileEnter, mode), W, R1);
        b.argument(1, R1);
        b.put(offset_of!(FileEnter, number), W, R1);
        b.argument(0, R8);
        b.arguments(offset_of!(FileEnter, arguments), 4, R8)?;
        b.submit();
        Ok(())
    }

    fn begin_path(&mut self) -> Built {
        let b = self;
        b.asm.mov(R9, R8);
        b.begin::<PathEnter>();
        b.argument(1, R1);
        b.put(offset_of!(PathEnter, number), W, R1);
        b.argument(0, R8);
        b.arguments(offset_of!(PathEnter, arguments), 4, R8)?;
        b.asm.load(D, R3, R7, offset_of!(PathEnter, arguments) as i16);
        let first = b.asm.label();
        b.asm.jump_if(If::Eq, R9, 0, first);
        b.asm.load(D, R3, R7, offset_of!(PathEnter, arguments) as i16 + 8);
        b.asm.place(first);
        b.copy_to(offset_of!(PathEnter, path), TEXT, Helper::ReadUserText);
        b.submit();
        Ok(())
    }

    /// Copies the first arguments of a call from the registers in `base`.
    fn arguments(&mut self, at: usize, count: usize, base: Reg) -> Built {
        for index in 0..count {
            self.call_argument(R1, base, index)?;
            self.put(at + 8 * index, D, R1);
        }
        Ok(())
    }
}

fn file_exit(b: &mut Builder<'_>) -> Built {
    b.argument(0, R8);
    b.call_number(R9, R8)?;
    classify(b, R9);
    let out = b.out();
    b.asm.jump_if(If::Eq, R8, Call::Other as i32, out);
    b.asm.jump_if(If::Eq, R8, Call::Memory as i32, out);
    let (plain, filled) = (b.asm.label(), b.asm.label());
    b.asm.imm(Op::And, R8, Call::Open as i32);
    b.asm.jump_if(If::Eq, R8, 0, plain);
    b.argument(1, R1);
    let opened = b.asm.label();
    b.asm.jump_if(If::SGt, R1, -1, opened);
    b.asm.jump(plain);
    b.asm.place(opened);
    b.open_file(R1)?;
    b.asm.jump(filled);
    b.asm.place(plain);
    b.asm.set(R9, 0);
    b.asm.place(filled);
    b.begin::<FileExit>();
    b.put(offset_of!(FileExit, file), D, R9);
    b.argument(1, R1);
    b.put(offset_of!(FileExit, result), D, R1);
    b.argument(0, R8);
    b.call_number(R1, R8)?;
    b.put(offset_of!(FileExit, number), W, R1);
    b.peek(R1, R9, "file.f_inode")?;
    b.put(offset_of!(FileExit, inode), D, R1);
    b.finish();
    Ok(())
}

fn memory(b: &mut Builder<'_>) -> Built {
    b.skip_frames(CALL_FRAMES);
    b.argument(0, R8);
    b.call_number(R9, R8)?;
    classify(b, R9);
    let out = b.out();
    b.asm.jump_if(If::Ne, R8, Call::Memory as i32, out);
    // Each change of a break depends on the one before, which may be the parent's.
    let grows = b.asm.label();
    b.asm.jump_if(If::Eq, R9, libc::SYS_brk as i32, grows);
    b.check_limits()?;
    b.asm.place(grows);
    b.begin::<Memory>();
    b.put(offset_of!(Memory, number), W, R9);
    b.argument(0, R8);
    b.arguments(offset_of!(Memory, arguments), 4, R8)?;
    b.argument(1, R1);
    b.put(offset_of!(Memory, result), D, R1);
    b.finish();
    Ok(())
}
