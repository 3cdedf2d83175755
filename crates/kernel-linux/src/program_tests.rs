//! Runs the program of each row of the table over made objects of a kernel, and compares what it writes with these.

use std::os::fd::{AsFd, AsRawFd};
use std::sync::LazyLock;

use tracewell_corpus::Random;
use tracewell_types::call::Distinguished;
use zerocopy::{FromBytes, IntoBytes};

use super::*;
use crate::interpreter::UNWRITTEN;
use crate::made_kernel::{self, BEFORE, Kernel, NOW};
use crate::maps::{CALLS, all_rings, rings};
use crate::sample::{
    BlockDone, BlockStart, CLONE_THREAD, CallEnter, CallEnterWith, CallExit, CallExitWith, CrossCall, Exec,
    Exit, Fault, FileEnter, FileExit, Handled, Interrupt, Memory, NewTask, PathEnter, Rename, Retransmit,
    Signal, SoftIrq, State, Switch, TEXT, Transfer, Waking,
};
use crate::sys::Map;
use crate::table::{Build, Call, From, ROWS, file_calls};

static TYPES_NOW: LazyLock<Vec<u8>> = LazyLock::new(|| made_kernel::btf(NOW));
static TYPES_BEFORE: LazyLock<Vec<u8>> = LazyLock::new(|| made_kernel::btf(BEFORE));

const CPUS: u32 = 4;
/// Bytes that a program does not write.
const GAP: u32 = u32::from_ne_bytes([UNWRITTEN; 4]);

/// How a program is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    mode: Mode,
    stacks: bool,
    /// Rings are in a map of maps.
    many: bool,
    old: bool,
}

/// All ways of the rows; `old` only for the kernel of today.
fn ways() -> impl Iterator<Item = Way> {
    (0..8).map(|bits| Way {
        mode: if bits & 1 == 0 { Mode::Typed } else { Mode::Raw },
        stacks: bits & 2 != 0,
        many: bits & 4 != 0,
        old: false,
    })
}

/// What a program of calls is asked for.
#[derive(Clone, Copy, Default)]
struct Wishes<'w> {
    limits: Option<&'w [CallLimit]>,
    merged: Option<&'w Merged>,
    memory: Option<&'w CallMemory>,
    judged: Option<&'w Judged>,
    owner: Option<u32>,
}

/// What programs find: a kernel, and the maps of a session.
struct Bench {
    way: Way,
    types: &'static [u8],
    kernel: Kernel,
    maps: Maps,
    /// Descriptors of the rings.
    rings: Vec<i32>,
    /// With `many`, the rings.
    _kept: Vec<Map>,
}

impl Bench {
    fn new(way: Way) -> Bench {
        let mut kernel = Kernel::default();
        let machine = &mut kernel.machine;
        let made = rings(CPUS, 1 << 16, &mut |spec| Ok(machine.map(spec))).unwrap();
        let descriptors = made.iter().map(|ring| ring.as_fd().as_raw_fd()).collect();
        let (rings, kept) = if way.many {
            let all = machine.map(all_rings(CPUS, None));
            machine.put_maps(&all, &made);
            (Rings::Many(all), made)
        } else {
            (Rings::Few(made), Vec::new())
        };
        let maps = Maps::with(rings, CPUS, ROWS.len() as u32, &mut |spec| Ok(machine.map(spec))).unwrap();
        for (number, call, _) in file_calls() {
            machine.set(&maps.calls, &(number as u32).to_le_bytes(), &(call as u32).to_le_bytes());
        }
        machine.typed = way.mode == Mode::Typed;
        machine.cpu = 2;
        machine.kernel_stack = (0..9).map(|frame| 0xFFFF_FFFF_8100_0000 + 16 * frame).collect();
        machine.user_stack = Some((0..5).map(|frame| 0x5500_0000_1000 + 16 * frame).collect());
        let types: &[u8] = if way.old { &TYPES_BEFORE } else { &TYPES_NOW };
        Bench { way, types, kernel, maps, rings: descriptors, _kept: kept }
    }

    /// The number and the program of a row, found by its tracepoint and its first event.
    fn row(tracepoint: &str, event: &str) -> (u32, Build) {
        let is = |row: &&crate::table::Row| row.events.first().is_none_or(|first| *first == event);
        let mut all = (0..).zip(ROWS).filter(|(_, row)| row.from.name() == tracepoint && is(row));
        let (number, row) = all.next().unwrap_or_else(|| panic!("{tracepoint} {event}"));
        assert!(all.next().is_none());
        let From::Tracepoint(_, build) = row.from else { panic!("{tracepoint} is not a tracepoint") };
        (number, build)
    }

    /// Makes the program of a row.
    fn code(&self, (row, build): (u32, Build), wishes: Wishes<'_>) -> Vec<u64> {
        let btf = Btf::parse(self.types).unwrap();
        let mut builder = Builder::new(&btf, &self.maps, self.way.mode, row, self.way.stacks);
        builder.limit_to(wishes.limits);
        builder.merge_into(wishes.merged);
        builder.read_memory(wishes.memory);
        builder.judge_by(wishes.judged);
        builder.only_of(wishes.owner.map(|uid| Owner::new(&btf, uid).unwrap()));
        build(&mut builder).unwrap();
        builder.code().unwrap()
    }

    fn run_code(&mut self, code: &[u64], arguments: &[u64]) -> Option<Vec<u8>> {
        self.kernel.machine.run(code, arguments);
        let mut records = std::mem::take(&mut self.kernel.machine.records);
        assert!(records.len() <= 1);
        let record = records.pop()?;
        assert_eq!(record.ring, self.rings[self.kernel.machine.cpu as usize], "the ring of the processor");
        Some(record.bytes)
    }

    /// Runs the program of a row.
    fn run(&mut self, row: (u32, Build), arguments: &[u64]) -> Option<Vec<u8>> {
        let code = self.code(row, Wishes::default());
        self.run_code(&code, arguments)
    }

    /// The head of the sample that the next program writes, which looks at the clock so many times before.
    fn head(&self, kind: u32, row: u32) -> Head {
        let machine = &self.kernel.machine;
        Head { kind, row, time: machine.clock, tid: machine.tid, pid: machine.pid }
    }

    /// What a stack adds to a sample: so many frames of the kernel are left out.
    fn stack(&self, skipped: usize) -> Vec<u8> {
        if !self.way.stacks {
            return Vec::new();
        }
        let machine = &self.kernel.machine;
        let kernel = machine.kernel_stack.iter().skip(skipped).take(FRAMES);
        let user = machine.user_stack.iter().flatten().take(FRAMES);
        kernel.chain(user).flat_map(|frame| frame.to_le_bytes()).collect()
    }

    /// Runs a program and compares its record with a sample and a stack.
    fn expect<S: Sample + std::fmt::Debug>(
        &mut self,
        (tracepoint, event): (&str, &str),
        arguments: &[u64],
        skipped: usize,
        mut sample: S,
    ) {
        let row = Bench::row(tracepoint, event);
        *sample.head_mut() = self.head(S::KIND, row.0);
        let stack = self.stack(skipped);
        let record = self.run(row, arguments).unwrap_or_else(|| panic!("{tracepoint}: no record"));
        let (is, rest) = record.split_at(size_of::<S>());
        let way = self.way;
        assert_eq!(is, sample.as_bytes(), "{tracepoint} {way:?}: {:?}", S::read_from_bytes(is));
        assert_eq!(rest, stack, "{tracepoint} {way:?}");
    }

    fn expect_nothing(&mut self, (tracepoint, event): (&str, &str), arguments: &[u64]) {
        assert_eq!(self.run(Bench::row(tracepoint, event), arguments), None, "{tracepoint} {:?}", self.way);
    }

    /// A thread: its address, thread number, process number and priority.
    fn task(&mut self, more: &[(&str, u64)]) -> (u64, [u32; 3]) {
        let numbers = [0; 3].map(|_: u32| self.kernel.any() as u32 >> 8);
        let [tid, pid, priority] = numbers.map(u64::from);
        let mut fields = vec![("pid", tid), ("tgid", pid), ("prio", priority)];
        fields.extend(more);
        (self.kernel.object("task_struct", &fields), numbers)
    }
}

/// A field of text: the rest of it is not written.
fn text<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut all = [UNWRITTEN; N];
    all[..text.len()].copy_from_slice(text);
    all[text.len()] = 0;
    all
}

#[test]
fn issue_23_programs_of_threads_write_what_the_kernel_has() {
    for way in ways() {
        let mut b = Bench::new(way);
        let uid = b.kernel.machine.uid as u32;
        let flags = b.kernel.any();
        let (task, [tid, pid, priority]) = b.task(&[]);
        b.kernel.set_bytes(task, "task_struct", "comm", b"fifteen letters\0");
        let comm = *b"fifteen letters\0";
        let new = NewTask { tid, pid, flags, uid, priority, comm, ..NewTask::default() };
        b.expect(("task_newtask", "Process/Start"), &[task, flags], 2, new);

        let name = b.kernel.machine.object(b"renamed\0");
        let renamed = Rename { tid, pid, comm: text(b"renamed"), ..Rename::default() };
        b.expect(("task_rename", "Thread/SetName"), &[task, name], 2, renamed);

        for tracepoint in ["sched_waking", "sched_wakeup_new"] {
            let waking = Waking { tid, pid, ..Waking::default() };
            b.expect((tracepoint, "Thread/ReadyThread"), &[task], 2, waking);
        }

        let (number, result) = (b.kernel.any(), b.kernel.any());
        let arguments = [number, 1, task, 1, result];
        let signal = Signal { tid, pid, number: number as u32, result: result as u32, ..Signal::default() };
        b.expect(("signal_generate", "Process/Signal"), &arguments, 2, signal);
    }
}

#[test]
fn issue_23_programs_of_signals_read_what_is_there() {
    for way in ways() {
        let mut b = Bench::new(way);
        let (code, handler) = (b.kernel.any() as u32, b.kernel.any());
        let info = b.kernel.object("kernel_siginfo", &[("si_code", code.into())]);
        let action = b.kernel.object("k_sigaction", &[("sa.sa_handler", handler)]);
        let handled =
            |code: u32| Handled { number: 11, code: code.cast_signed(), handler, ..Handled::default() };
        let row = ("signal_deliver", "Process/SignalHandled");
        b.expect(row, &[11, info, action], 2, handled(code));
        // Some signals have no information, but a small number in its place.
        for none in 0..3 {
            b.expect(row, &[11, none, action], 2, handled(0));
        }
    }
}

#[test]
fn issue_23_programs_of_switches_write_both_threads() {
    for old in [false, true] {
        for way in ways() {
            let mut b = Bench::new(Way { old, ..way });
            let (in_task, argument) = (b.kernel.any() as u32, b.kernel.any() as u32);
            let (before, [_, _, priority]) = b.task(&[("__state", in_task.into())]);
            let (after, [next, next_pid, next_priority]) = b.task(&[]);
            let state = if old { in_task } else { argument };
            let switch =
                Switch { next, next_pid, state, priority, next_priority, preempted: 1, ..Switch::default() };
            let all = [1, before, after, argument.into()];
            let arguments = if old { &all[..3] } else { &all };
            b.expect(("sched_switch", "Thread/CSwitch"), arguments, 2, switch);
        }
    }
}

#[test]
fn issue_23_programs_of_exits_know_the_last_thread() {
    let row = ("sched_process_exit", "Thread/End");
    for way in ways() {
        for last in [0, 1] {
            let mut b = Bench::new(way);
            let code = b.kernel.any() as u32;
            let (task, _) = b.task(&[("exit_code", code.into())]);
            let exit = Exit { last, code, ..Exit::default() };
            // The kernel's `bool` has one byte.
            b.expect(row, &[task, u64::from(last) | 0xF0], 2, exit);

            let mut b = Bench::new(Way { old: true, ..way });
            let signal = b.kernel.object("signal_struct", &[("live.counter", if last == 1 { 0 } else { 3 })]);
            let (task, _) = b.task(&[("exit_code", code.into()), ("signal", signal)]);
            b.expect(row, &[task], 2, exit);
        }
    }
}

#[test]
fn issue_23_programs_of_execs_write_path_and_arguments() {
    const AT: u64 = 0x7FFF_1234_0000;
    for way in ways() {
        for size in [0, 1, 9, 255, 256, 257, 4000] {
            let mut b = Bench::new(way);
            let line: Vec<u8> = (0..size).map(|index| index as u8 | 1).collect();
            b.kernel.machine.user(AT, &line);
            let memory =
                b.kernel.object("mm_struct", &[("arg_start", AT), ("arg_end", AT + line.len() as u64)]);
            let (task, _) = b.task(&[("mm", memory)]);
            let name = b.kernel.machine.object(b"/usr/bin/made\0");
            let program = b.kernel.object("linux_binprm", &[("filename", name)]);
            let old_tid = b.kernel.any() as u32;
            let mut arguments = [UNWRITTEN; TEXT];
            let fits = line.len().min(TEXT);
            arguments[..fits].copy_from_slice(&line[..fits]);
            let exec = Exec {
                old_tid,
                uid: b.kernel.machine.uid as u32,
                arguments_size: line.len() as u64,
                path: text(b"/usr/bin/made"),
                arguments,
                ..Exec::default()
            };
            let context = [task, old_tid.into(), program];
            b.expect(("sched_process_exec", "Process/DCStart"), &context, 2, exec);
        }
    }
}

#[test]
fn issue_23_programs_of_faults_and_cross_calls_write_their_arguments() {
    for way in ways() {
        let mut b = Bench::new(way);
        let [address, error, ip, routine, caller] = [0; 5].map(|_: u32| b.kernel.any());
        let field = if cfg!(target_arch = "x86_64") { "ip" } else { "pc" };
        let registers = b.kernel.object("pt_regs", &[(field, ip)]);
        let fault = Fault { address, ip, error, ..Fault::default() };
        for tracepoint in ["page_fault_user", "page_fault_kernel"] {
            b.expect((tracepoint, "PageFault/DemandZeroFault"), &[address, registers, error], 2, fault);
        }
        let call = CrossCall { routine, caller, ..CrossCall::default() };
        for tracepoint in ["ipi_send_cpu", "ipi_send_cpumask"] {
            b.expect((tracepoint, "PerfInfo/CrossCall"), &[3, caller, routine], 2, call);
        }
    }
}

#[test]
fn issue_23_interrupts_begin_on_their_processor() {
    for way in ways() {
        let mut b = Bench::new(way);
        let handler = b.kernel.any();
        let action = b.kernel.object("irqaction", &[("handler", handler)]);
        let begins =
            ["local_timer_entry", "reschedule_entry", "call_function_entry", "call_function_single_entry"];
        for begin in ["irq_handler_entry"].iter().chain(&begins) {
            let exit = begin.replace("entry", "exit");
            let end = (exit.as_str(), "PerfInfo/ISR");
            b.kernel.machine.cpu = 1;
            // One that begins elsewhere, or one without a beginning, is none.
            let mut b2 = Bench::new(way);
            b2.expect_nothing((begin, ""), &[7, action, 1]);
            b2.kernel.machine.cpu = 3;
            b2.expect_nothing(end, &[7, action, 1]);

            let begun = b.kernel.machine.clock;
            b.expect_nothing((begin, ""), &[7, action, 1]);
            let of_device = *begin == "irq_handler_entry";
            let (routine, handled) = if of_device { (handler, 5) } else { (0, 1) };
            let interrupt = Interrupt { begun, routine, vector: 7, handled, ..Interrupt::default() };
            b.expect(end, &[7, action, 5], 2, interrupt);
        }
        // A softirq has its own place, also while an interrupt is handled.
        let begun = b.kernel.machine.clock;
        b.expect_nothing(("softirq_entry", ""), &[9]);
        b.expect_nothing(("irq_handler_entry", ""), &[7, action]);
        let done = SoftIrq { begun, vector: 9, ..SoftIrq::default() };
        b.expect(("softirq_exit", "PerfInfo/DPC"), &[9], 2, done);
    }
}

#[test]
fn issue_23_programs_of_disks_write_transfers() {
    for way in ways() {
        // At each step the way to the file may end; then the mapping's low bits say that it has none.
        for ends in 0..6 {
            let mut b = Bench::new(way);
            let [sector, host] = [0; 2].map(|_: u32| b.kernel.any());
            let [bytes, flags, major, minor] = [0; 4].map(|_: u32| b.kernel.any() as u32);
            let disk = b.kernel.object("gendisk", &[("major", major.into()), ("first_minor", minor.into())]);
            let queue = b.kernel.object("request_queue", &[("disk", disk)]);
            let or_null = |at: u64, step: u32| if ends == step { 0 } else { at };
            let space = b.kernel.object("address_space", &[("host", host)]);
            let mapping = if ends == 5 { space | 1 } else { or_null(space, 0) };
            let page = b.kernel.object("page", &[("mapping", mapping)]);
            let vector = b.kernel.object("bio_vec", &[("bv_page", or_null(page, 1))]);
            let bio = b.kernel.object("bio", &[("bi_io_vec", or_null(vector, 2))]);
            let fields = [
                ("q", queue),
                ("__sector", sector),
                ("__data_len", bytes.into()),
                ("cmd_flags", flags.into()),
                ("bio", or_null(bio, 3)),
            ];
            let request = b.kernel.object("request", &fields);
            let file = if ends == 4 { host } else { 0 };
            let start =
                BlockStart { request, sector, file, bytes, flags, major, minor, ..BlockStart::default() };
            b.expect(("block_io_start", "DiskIo/ReadInit"), &[request], 2, start);
            let done = BlockDone { request, ..BlockDone::default() };
            b.expect(("block_io_done", "DiskIo/Read"), &[request], 2, done);
        }
    }
}

/// A socket of a family, and both of its ends.
fn socket(b: &mut Bench, family: i32, protocol: i32) -> (u64, Ends) {
    let [local_port, remote_port] = [0; 2].map(|_: u32| b.kernel.any() as u16);
    let [local, remote] = [0; 2].map(|_: u32| b.kernel.any() as u32);
    let [long_local, long_remote] = [0; 2].map(|_: u32| (u128::from(b.kernel.any()) * 3).to_le_bytes());
    let fields = [
        ("__sk_common.skc_family", family as u64),
        ("__sk_common.skc_num", local_port.into()),
        ("__sk_common.skc_dport", remote_port.into()),
        ("__sk_common.skc_rcv_saddr", local.into()),
        ("__sk_common.skc_daddr", remote.into()),
        ("sk_protocol", protocol as u64),
    ];
    let socket = b.kernel.object("sock", &fields);
    b.kernel.set_bytes(socket, "sock", "__sk_common.skc_v6_rcv_saddr", &long_local);
    b.kernel.set_bytes(socket, "sock", "__sk_common.skc_v6_daddr", &long_remote);
    // An address of 4 bytes leaves the rest of its place as it is.
    let short = |address: u32| {
        let mut all = [UNWRITTEN; 16];
        all[..4].copy_from_slice(&address.to_le_bytes());
        all
    };
    let six = family == libc::AF_INET6;
    let ends = Ends {
        socket,
        family: family as u16,
        protocol: protocol as u16,
        local_port,
        remote_port,
        local: if six { long_local } else { short(local) },
        remote: if six { long_remote } else { short(remote) },
    };
    (socket, ends)
}

#[test]
fn issue_23_programs_of_sockets_write_both_ends() {
    let (sends, receives) = (("sock_send_length", "TcpIp/SendIPV4"), ("sock_recv_length", "TcpIp/RecvIPV4"));
    for way in ways() {
        for (family, protocol) in [(libc::AF_INET, libc::IPPROTO_TCP), (libc::AF_INET6, libc::IPPROTO_UDP)] {
            let mut b = Bench::new(way);
            let (at, ends) = socket(&mut b, family, protocol);
            for (length, moves) in
                [(1, true), (70_000, true), (0, false), (-11, false), (1 << 33, false), ((1 << 33) + 5, true)]
            {
                let arguments = [at, i64::cast_unsigned(length), 0x4000];
                for row in [sends, receives] {
                    if moves {
                        let bytes = length as i32;
                        let transfer = Transfer { ends, bytes, flags: 0x4000, ..Transfer::default() };
                        b.expect(row, &arguments, 2, transfer);
                    } else {
                        b.expect_nothing(row, &arguments);
                    }
                }
            }
            b.expect_nothing(receives, &[at, 5, 0x4000 | libc::MSG_PEEK as u64]);
            let sent = Transfer { ends, bytes: 5, flags: 2, ..Transfer::default() };
            b.expect(sends, &[at, 5, libc::MSG_PEEK as u64], 2, sent);

            let old_and_new = State { ends, old: 7, new: 1, ..State::default() };
            let row = ("inet_sock_set_state", "TcpIp/ConnectIPV4");
            match protocol {
                libc::IPPROTO_TCP => b.expect(row, &[at, 7, 1], 2, old_and_new),
                _ => b.expect_nothing(row, &[at, 7, 1]),
            }

            let segment = b.kernel.object("sk_buff", &[("len", 1448)]);
            for (segment, bytes) in [(segment, 1448), (0, 0)] {
                let again = Retransmit { ends, bytes, spare: GAP, ..Retransmit::default() };
                b.expect(("tcp_retransmit_skb", "TcpIp/RetransmitIPV4"), &[at, segment], 2, again);
            }
        }
        let mut b = Bench::new(way);
        let (local, _) = socket(&mut b, libc::AF_UNIX, 0);
        b.expect_nothing(sends, &[local, 5, 0]);
        b.expect_nothing(receives, &[local, 5, 0]);
    }
}

/// Registers of a call with a number and arguments.
fn registers(b: &mut Bench, number: u64, arguments: [u64; 6]) -> u64 {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    if cfg!(target_arch = "x86_64") {
        let fields = [
            ("orig_ax", number),
            ("di", first),
            ("si", second),
            ("dx", third),
            ("r10", fourth),
            ("r8", fifth),
            ("r9", sixth),
        ];
        return b.kernel.object("pt_regs", &fields);
    }
    let at = b.kernel.object("pt_regs", &[("syscallno", number), ("orig_x0", first)]);
    b.kernel.set_words(at, "pt_regs", "regs", &[0, second, third, fourth, fifth, sixth]);
    at
}

/// A process that has only one open file, of a descriptor; returns the file and its inode.
fn open_file(b: &mut Bench, descriptor: u64, position: u64, mode: u64) -> (u64, u64) {
    let inode = b.kernel.object("inode", &[("i_mode", mode)]);
    let file = b.kernel.object("file", &[("f_inode", inode), ("f_pos", position)]);
    let mut open = [0_u64; 8];
    open[descriptor as usize] = file;
    let open = b.kernel.machine.object(&open.iter().flat_map(|at| at.to_le_bytes()).collect::<Vec<u8>>());
    let table = b.kernel.object("fdtable", &[("max_fds", 8), ("fd", open)]);
    let files = b.kernel.object("files_struct", &[("fdt", table)]);
    (b.kernel.machine.task, _) = b.task(&[("files", files)]);
    (file, inode)
}

#[test]
fn issue_23_programs_of_file_calls_find_the_open_file() {
    let row = ("sys_enter", "FileIo/Create");
    for way in ways() {
        for (number, call, _) in file_calls() {
            let mut b = Bench::new(way);
            let position = b.kernel.any();
            let (file, inode) = open_file(&mut b, 5, position, 0o100_644);
            let mut arguments = [0; 6].map(|_: u32| b.kernel.any());
            let number = number as u64;
            match call {
                Call::Descriptor => {
                    // A descriptor has 32 bits of its register.
                    arguments[0] = 5 | 0xABCD << 32;
                    let at = registers(&mut b, number, arguments);
                    let enter = FileEnter {
                        number: number as u32,
                        descriptor: GAP,
                        file,
                        inode,
                        position,
                        mode: 0o100_644,
                        spare: GAP,
                        arguments: *arguments.first_chunk().unwrap(),
                        ..FileEnter::default()
                    };
                    b.expect(row, &[at, number], 3, enter);
                    for closed in [4, 7, 8, 9, 0xFFFF_FFFF] {
                        arguments[0] = closed;
                        let at = registers(&mut b, number, arguments);
                        b.expect_nothing(row, &[at, number]);
                    }
                }
                Call::Path | Call::Open | Call::PathAt | Call::OpenAt => {
                    const NAME: u64 = 0x7F00_0000_1000;
                    b.kernel.machine.user(NAME, b"/etc/hosts\0");
                    let is_at = matches!(call, Call::PathAt | Call::OpenAt);
                    arguments[usize::from(is_at)] = NAME;
                    let at = registers(&mut b, number, arguments);
                    let enter = PathEnter {
                        number: number as u32,
                        spare: GAP,
                        arguments: *arguments.first_chunk().unwrap(),
                        path: text(b"/etc/hosts"),
                        ..PathEnter::default()
                    };
                    b.expect(row, &[at, number], 3, enter);
                }
                Call::Memory | Call::Other => {
                    arguments[0] = 5;
                    let at = registers(&mut b, number, arguments);
                    b.expect_nothing(row, &[at, number]);
                }
            }
        }
    }
}

#[test]
fn issue_23_programs_of_returns_find_what_was_opened() {
    let (files, memory) = (("sys_exit", "FileIo/OperationEnd"), ("sys_exit", "PageFault/VirtualAlloc"));
    for way in ways() {
        for (number, call, _) in file_calls() {
            for result in [3, 0, 7, 8, -2] {
                let mut b = Bench::new(way);
                let (file, inode) = open_file(&mut b, 3, 0, 0);
                let arguments = [0; 6].map(|_: u32| b.kernel.any());
                let number = number as u32;
                let at = registers(&mut b, number.into(), arguments);
                let result = i64::cast_unsigned(result);
                let opens = matches!(call, Call::Open | Call::OpenAt);
                let (file, inode) = match result {
                    _ if call == Call::Memory => {
                        b.expect_nothing(files, &[at, result]);
                        let arguments = *arguments.first_chunk().unwrap();
                        let spare = GAP;
                        let done = Memory { number, spare, result, arguments, ..Memory::default() };
                        b.expect(memory, &[at, result], 3, done);
                        continue;
                    }
                    3 if opens => (file, inode),
                    // A thread cannot have opened what is not open: another one has closed it.
                    0 | 7 | 8 if opens => {
                        b.expect_nothing(files, &[at, result]);
                        continue;
                    }
                    _ => (0, 0),
                };
                let exit = FileExit { number, spare: GAP, result, file, inode, ..FileExit::default() };
                b.expect(files, &[at, result], 2, exit);
                b.expect_nothing(memory, &[at, result]);
            }
        }
    }
}

#[test]
fn issue_23_calls_that_are_not_of_files_are_left_out() {
    for way in ways() {
        let mut b = Bench::new(way);
        open_file(&mut b, 5, 0, 0);
        for number in [libc::SYS_getpid as u64, u64::from(CALLS) - 1, CALLS.into(), u64::MAX, 1 << 32] {
            let at = registers(&mut b, number, [5; 6]);
            b.expect_nothing(("sys_enter", "FileIo/Create"), &[at, number]);
            b.expect_nothing(("sys_exit", "FileIo/OperationEnd"), &[at, 5]);
            b.expect_nothing(("sys_exit", "PageFault/VirtualAlloc"), &[at, 5]);
        }
    }
}

#[test]
fn issue_23_what_finds_no_room_is_counted_as_lost() {
    for way in ways() {
        let mut b = Bench::new(way);
        let (task, _) = b.task(&[]);
        let row = Bench::row("sched_waking", "Thread/ReadyThread");
        b.kernel.machine.full = true;
        for count in 1..4_u64 {
            assert_eq!(b.run(row, &[task]), None);
            let losses = b.kernel.machine.get(&b.maps.lost, &[0; 4]).unwrap();
            let last = b.kernel.machine.clock - 1;
            assert_eq!(losses, [count, last].as_bytes(), "{way:?}");
        }
        // Another processor counts by itself, and one without a ring writes nothing.
        b.kernel.machine.cpu = 1;
        assert_eq!(b.kernel.machine.get(&b.maps.lost, &[0; 4]).unwrap(), [0; 16]);
        b.kernel.machine.full = false;
        b.kernel.machine.cpu = CPUS;
        assert_eq!(b.run(row, &[task]), None);
        assert_eq!(b.kernel.machine.get(&b.maps.lost, &[0; 4]).unwrap(), [0; 16]);
        for cpu in 0..CPUS {
            b.kernel.machine.cpu = cpu;
            assert!(b.run(row, &[task]).is_some());
        }
    }
}

#[test]
fn issue_23_stacks_are_cut_and_may_be_absent() {
    for many in [false, true] {
        let mut b = Bench::new(Way { mode: Mode::Typed, stacks: true, many, old: false });
        let (task, [tid, pid, _]) = b.task(&[]);
        let waking = Waking { tid, pid, ..Waking::default() };
        let row = ("sched_waking", "Thread/ReadyThread");
        let long: Vec<u64> = (0..100).map(|frame| 0xFFFF_FFFF_8200_0000 + frame).collect();
        for (kernel, user) in [(100, Some(100)), (66, Some(64)), (2, Some(1)), (0, Some(0)), (5, None)] {
            b.kernel.machine.kernel_stack = long[..kernel].to_vec();
            b.kernel.machine.user_stack = user.map(|count: usize| long[100 - count..].to_vec());
            b.expect(row, &[task], 2, waking);
        }
    }
}

/// A limit, and whether it applies, by the words of its documentation.
fn applies(limit: &CallLimit, number: u64, arguments: [u64; 6], result: u64, b: &Bench) -> bool {
    let machine = &b.kernel.machine;
    let holds = |test: &CallTest| {
        let value = match test.subject {
            Subject::Process => machine.pid.into(),
            Subject::Thread => machine.tid.into(),
            Subject::Processor => machine.cpu.into(),
            Subject::Argument(index) => arguments[usize::from(index)],
            Subject::Result => result,
            Subject::User | Subject::Name | Subject::Field(_) => panic!("a test of something else"),
        };
        let (value, other) = (i128::from(value.cast_signed()), i128::from(test.number));
        let unsigned = |value: i128| value.rem_euclid(1 << 64);
        let related = match test.relation {
            Relation::Equal => value == other,
            Relation::Less => value < other,
            Relation::LessOrEqual => value <= other,
            Relation::Below => unsigned(value) < unsigned(other),
            Relation::BelowOrEqual => unsigned(value) <= unsigned(other),
        };
        related == test.holds
    };
    limit.number.is_none_or(|only| u64::from(only) == number) && limit.tests.iter().all(holds)
}

fn any_test(random: &mut Random, returns: bool) -> CallTest {
    let subject = match random.bits() % 5 {
        0 => Subject::Process,
        1 => Subject::Thread,
        2 => Subject::Processor,
        _ if returns => Subject::Result,
        _ => Subject::Argument((random.bits() % 6) as u8),
    };
    let relation =
        [Relation::Equal, Relation::Less, Relation::LessOrEqual, Relation::Below, Relation::BelowOrEqual]
            [(random.bits() % 5) as usize];
    CallTest {
        subject,
        relation,
        holds: random.bits().is_multiple_of(2),
        number: [-1, 0, 1, 2, 3, 700, 701, i32::MIN, i32::MAX][(random.bits() % 9) as usize],
    }
}

fn any_limits(random: &mut Random, returns: bool) -> Vec<CallLimit> {
    (0..1 + random.bits() % 3)
        .map(|_| CallLimit {
            number: (!random.bits().is_multiple_of(3)).then(|| (random.bits() % 3) as u32),
            tests: (0..random.bits() % 3).map(|_| any_test(random, returns)).collect(),
        })
        .collect()
}

const NUMBERS: [u64; 9] = [0, 1, 2, 3, 700, 1 << 31, u64::MAX, 0x8000_0000_0000_0000, 0xFFFF_FFFF_8000_0000];

#[test]
fn issue_23_only_calls_within_limits_are_logged() {
    let mut random = Random(23);
    let (mut logged, mut left_out) = (0, 0);
    for round in 0..400 {
        let way = ways().nth(round % 8).unwrap();
        let returns = round % 3 == 0;
        let mut b = Bench::new(way);
        let limits = any_limits(&mut random, returns);
        let row = if returns {
            Bench::row("sys_exit", "PerfInfo/SysClExit")
        } else {
            Bench::row("sys_enter", "PerfInfo/SysClEnter")
        };
        let code = b.code(row, Wishes { limits: Some(&limits), ..Wishes::default() });
        for _ in 0..8 {
            let mut pick = |from: &[u64]| from[(random.bits() % from.len() as u64) as usize];
            let (number, result) = (pick(&NUMBERS[..4]), pick(&NUMBERS));
            let arguments = [0; 6].map(|_: u32| pick(&NUMBERS));
            b.kernel.machine.cpu = pick(&NUMBERS[..4]) as u32;
            (b.kernel.machine.pid, b.kernel.machine.tid) = (pick(&[1, 700]) as u32, pick(&[2, 701]) as u32);
            let expected = limits.iter().any(|limit| applies(limit, number, arguments, result, &b));
            let at = registers(&mut b, number, arguments);
            let context = [at, if returns { result } else { number }];
            let (enter, exit) = (b.head(CallEnter::KIND, row.0), b.head(CallExit::KIND, row.0));
            let expected = expected.then(|| {
                let call = match returns {
                    true => CallExit { head: exit, number, result }.as_bytes().to_vec(),
                    false => CallEnter { head: enter, number, arguments }.as_bytes().to_vec(),
                };
                [call, b.stack(3)].concat()
            });
            *(if expected.is_some() { &mut logged } else { &mut left_out }) += 1;
            assert_eq!(b.run_code(&code, &context), expected, "{limits:?} {way:?}");
        }
    }
    assert!(logged > 300 && left_out > 300, "{logged} and {left_out}");
}

#[test]
fn issue_23_too_many_limits_and_one_for_all_limit_nothing() {
    let mut b = Bench::new(ways().next().unwrap());
    let none = CallLimit { number: Some(1), tests: Vec::new() };
    let row = Bench::row("sys_enter", "PerfInfo/SysClEnter");
    let at = registers(&mut b, 0, [0; 6]);
    for (limits, logged) in [
        (vec![none.clone(); limits::MOST], false),
        (vec![none.clone(); limits::MOST + 1], true),
        (vec![none, CallLimit::default()], true),
    ] {
        let code = b.code(row, Wishes { limits: Some(&limits), ..Wishes::default() });
        assert_eq!(b.run_code(&code, &[at, 0]).is_some(), logged);
    }
}

/// The bytes that the process has at an address, as the documentation of pieces has it.
fn expected_piece(memory: &[(u64, Vec<u8>)], address: u64) -> Vec<u8> {
    let rest = memory.iter().find_map(|(at, bytes)| {
        bytes.get(usize::try_from(address.checked_sub(*at)?).ok()?..).filter(|rest| !rest.is_empty())
    });
    let Some(rest) = rest else { return Vec::new() };
    let to_page_end = 4096 - (address % 4096) as usize;
    match rest.len() {
        PIECE.. => rest[..PIECE].to_vec(),
        // What lies in its first page, if that is less.
        _ if to_page_end < PIECE && rest.len() >= to_page_end => rest[..to_page_end].to_vec(),
        _ => Vec::new(),
    }
}

#[test]
fn issue_23_memory_of_calls_is_read_as_far_as_it_is_there() {
    const PAGE: u64 = 0x7F00_0000_0000;
    let mut random = Random(24);
    for round in 0..200 {
        let way = ways().nth(round % 8).unwrap();
        let returns = round % 3 == 0;
        let mut b = Bench::new(way);
        let page: Vec<u8> = (0..4096).map(|_| random.bits() as u8).collect();
        let memory = [(PAGE, page.clone()), (PAGE + 0x10000, [page.clone(), page].concat())];
        for (at, bytes) in &memory {
            b.kernel.machine.user(*at, bytes);
        }
        let calls = vec![CallLimit { number: Some(1), tests: Vec::new() }];
        let asked = CallMemory { arguments: 1 + (random.bits() % 63) as u8, calls };
        let places =
            [PAGE, PAGE + 4096 - 256, PAGE + 4096 - 255, PAGE + 4095, PAGE + 0x10000 + 4095, 8, PAGE + 7];
        let arguments = [0; 6].map(|_: u32| places[(random.bits() % 7) as usize]);
        let row = if returns {
            Bench::row("sys_exit", "PerfInfo/SysClExit")
        } else {
            Bench::row("sys_enter", "PerfInfo/SysClEnter")
        };
        let code = b.code(row, Wishes { memory: Some(&asked), ..Wishes::default() });
        for number in [1, 2] {
            let at = registers(&mut b, number, arguments);
            let context = [at, if returns { 99 } else { number }];
            let pieces = u64::from(if number == 1 { asked.arguments.count_ones() } else { 0 });
            let head = |kind| b.head(kind, row.0);
            let expected = match (returns, number) {
                (false, 1) => CallEnterWith { head: head(CallEnterWith::KIND), number, arguments, pieces }
                    .as_bytes()
                    .to_vec(),
                (false, _) => {
                    CallEnter { head: head(CallEnter::KIND), number, arguments }.as_bytes().to_vec()
                }
                (true, 1) => {
                    let head = head(CallExitWith::KIND);
                    CallExitWith { head, number, result: 99, pieces }.as_bytes().to_vec()
                }
                (true, _) => CallExit { head: head(CallExit::KIND), number, result: 99 }.as_bytes().to_vec(),
            };
            let stack = b.stack(3);
            let record = b.run_code(&code, &context).unwrap();
            let (call, rest) = record.split_at(expected.len());
            assert_eq!(call, expected, "{way:?}");
            let (read, frames) = crate::sample::split_pieces(rest, pieces).unwrap();
            assert_eq!(frames, stack, "{way:?}");
            let asked =
                (0..6).filter(|index| asked.arguments & 1 << index != 0).map(|index| arguments[index]);
            let expected: Vec<_> = asked
                .map(|address| (address, expected_piece(&memory, address)))
                .take(pieces as usize)
                .collect();
            let read: Vec<_> = crate::sample::pieces(read).map(|(at, bytes)| (at, bytes.to_vec())).collect();
            assert_eq!(read, expected, "{way:?}");
        }
    }
}

/// What equal calls have in common: the words of the key, and the two stacks.
type Group = (Vec<u64>, [Vec<u64>; 2]);

#[test]
fn issue_23_equal_calls_are_counted_together() {
    let mut random = Random(25);
    for round in 0..120_usize {
        let way = ways().nth(round % 8).unwrap();
        let returns = round.is_multiple_of(3);
        let merging = Distinguished {
            arguments: if returns { (round % 2) as u8 } else { (round % 7) as u8 },
            kernel_stack: round & 8 != 0,
            user_stack: round & 16 != 0,
        };
        let mut b = Bench::new(way);
        let machine = &mut b.kernel.machine;
        let merged = Merged::with(merging, 3, returns, CPUS, &mut |spec| Ok(machine.map(spec))).unwrap();
        let half = usize::from(round & 32 != 0);
        machine.set(&merged.chosen, &[0; 4], &(half as u32).to_le_bytes());
        let row = if returns {
            Bench::row("sys_exit", "PerfInfo/SysClExit")
        } else {
            Bench::row("sys_enter", "PerfInfo/SysClEnter")
        };
        let code = b.code(row, Wishes { merged: Some(&merged), ..Wishes::default() });
        let mut model: Vec<(Group, u32, u64, u64)> = Vec::new();
        for _ in 0..20 {
            let mut pick = |from: &[u64]| from[(random.bits() % from.len() as u64) as usize];
            let (number, result) = (pick(&[1, 2]), pick(&[0, u64::MAX]));
            let arguments = [0; 6].map(|_: u32| pick(&[6, 7]));
            let (start, programs) = (pick(&[50, 60]), pick(&[1, 1, 1, 2]));
            let machine = &mut b.kernel.machine;
            machine.cpu = pick(&[0, 3]) as u32;
            machine.tid = pick(&[701, 702]) as u32;
            machine.kernel_stack = vec![0, 1, 2, pick(&[3, 30]), 4];
            machine.user_stack = [None, Some(vec![5]), Some(vec![6, 7])][pick(&[0, 1, 2]) as usize].clone();
            machine.no_stacks = false;
            let ids = u64::from(machine.pid) << 32 | u64::from(machine.tid);
            let (cpu, first) = (machine.cpu, machine.clock);
            let kernel_stack = machine.kernel_stack[3..].to_vec();
            let user_stack = machine.user_stack.clone().unwrap_or_default();
            let fields = [("start_time", start), ("self_exec_id", programs)];
            let task = b.kernel.object("task_struct", &fields);
            b.kernel.machine.task = task;
            let mut words = vec![ids, start, programs, number];
            let values = if returns { [result; 6] } else { arguments };
            words.extend(&values[..merging.arguments()]);
            let stacks = [
                if merging.kernel_stack { kernel_stack } else { Vec::new() },
                if merging.user_stack { user_stack } else { Vec::new() },
            ];
            let group = (words, stacks);
            let at = registers(&mut b, number, arguments);
            let none = b.run_code(&code, &[at, if returns { result } else { number }]);
            assert_eq!(none, None, "a call that is counted is not logged");
            match model.iter_mut().find(|(known, at, ..)| (known, *at) == (&group, cpu)) {
                Some((_, _, count, _)) => *count += 1,
                None => model.push((group, cpu, 1, first)),
            }
        }
        let maps = &merged.halves[half];
        let other = &merged.halves[1 - half];
        assert!(b.kernel.machine.keys(&other.calls).is_empty(), "the other half is read now");
        let mut counted = Vec::new();
        for key in b.kernel.machine.keys(&maps.calls) {
            let words: Vec<u64> = key.chunks(8).map(|word| u64::read_from_bytes(word).unwrap()).collect();
            let numbers = <[u32; 2]>::read_from_bytes(&key[32..40]).unwrap();
            let stacks = numbers.map(|number| match number {
                u32::MAX => Vec::new(),
                number => b.kernel.machine.stacks(maps.stacks.as_ref().unwrap())[number as usize].clone(),
            });
            let mut group = (words[..4].to_vec(), stacks);
            group.0.extend(&words[5..]);
            for cpu in 0..CPUS {
                b.kernel.machine.cpu = cpu;
                let value = b.kernel.machine.get(&maps.calls, &key).unwrap();
                let Value { count, first } = Value::read_from_bytes(&value).unwrap();
                if count > 0 {
                    counted.push((group.clone(), cpu, count, first));
                }
            }
        }
        counted.sort();
        model.sort();
        assert_eq!(counted, model, "{merging:?} {way:?}");
    }
}

#[test]
fn issue_23_a_call_that_finds_no_place_is_logged_alone() {
    for way in ways() {
        let mut b = Bench::new(way);
        let machine = &mut b.kernel.machine;
        let merging = Distinguished { arguments: 1, kernel_stack: true, user_stack: true };
        let merged = Merged::with(merging, 3, false, CPUS, &mut |spec| {
            // One place for calls.
            let entries = if spec.kind == crate::maps::kind::PER_CPU_HASH { 1 } else { spec.entries };
            Ok(machine.map(crate::sys::MapSpec { entries, ..spec }))
        });
        let merged = merged.unwrap();
        let row = Bench::row("sys_enter", "PerfInfo/SysClEnter");
        let code = b.code(row, Wishes { merged: Some(&merged), ..Wishes::default() });
        b.kernel.machine.task = b.kernel.object("task_struct", &[]);
        let mut call = |argument: u64, no_stacks: bool| {
            let arguments = [argument; 6];
            b.kernel.machine.no_stacks = no_stacks;
            let at = registers(&mut b, 1, arguments);
            // The clock is looked at for the first call of a group.
            let record = b.run_code(&code, &[at, 1])?;
            let time = b.kernel.machine.clock - 1;
            let head = Head { time, ..b.head(CallEnter::KIND, row.0) };
            let expected = CallEnter { head, number: 1, arguments };
            assert_eq!(record, [expected.as_bytes(), &b.stack(3)].concat());
            Some(())
        };
        assert_eq!(call(5, false), None);
        assert_eq!(call(5, false), None);
        assert_eq!(call(6, false), Some(()), "there is no place for another call");
        assert_eq!(call(5, true), None, "its stacks are known");
        b.kernel.machine.kernel_stack.push(9);
        let mut alone = |no_stacks| {
            b.kernel.machine.no_stacks = no_stacks;
            let at = registers(&mut b, 1, [5; 6]);
            b.run_code(&code, &[at, 1]).is_some()
        };
        assert!(alone(true), "there is no place for another stack");
    }
}

#[test]
fn issue_23_the_largest_sample_has_room_for_its_stack() {
    let mut b = Bench::new(Way { mode: Mode::Typed, stacks: true, many: false, old: false });
    let calls = vec![CallLimit { number: Some(1), tests: Vec::new() }];
    let memory = CallMemory { arguments: 0x3F, calls };
    let row = Bench::row("sys_enter", "PerfInfo/SysClEnter");
    let code = b.code(row, Wishes { memory: Some(&memory), ..Wishes::default() });
    b.kernel.machine.kernel_stack = (0..100).collect();
    b.kernel.machine.user_stack = Some((0..100).collect());
    let at = registers(&mut b, 1, [8; 6]);
    let record = b.run_code(&code, &[at, 1]).unwrap();
    assert_eq!(record.len(), crate::sample::LARGEST + 2 * 8 * FRAMES);
    let stack = b.stack(3);
    assert!(record.ends_with(&stack));
}

/// A switch is logged if a limit applies to either of its threads; other events if one applies to the current thread.
#[test]
fn issue_16_only_events_within_limits_are_logged() {
    let field = if cfg!(target_arch = "x86_64") { "ip" } else { "pc" };
    for way in ways() {
        let mut random = Random(16);
        for _ in 0..60 {
            let mut b = Bench::new(way);
            let (task, [tid, pid, _]) = b.task(&[("__state", 0)]);
            let registers = b.kernel.object("pt_regs", &[(field, 7)]);
            let machine = &b.kernel.machine;
            let known = [machine.pid, machine.tid, pid, tid, machine.cpu];
            let limits: Vec<CallLimit> = (0..1 + random.bits() % 3)
                .map(|_| {
                    let tests = (0..1 + random.bits() % 2).map(|_| {
                        let (subject, relation) = match random.bits() % 3 {
                            0 => (Subject::Process, Relation::Equal),
                            1 => (Subject::Thread, Relation::Equal),
                            _ => (Subject::Processor, Relation::BelowOrEqual),
                        };
                        let number = known[random.bits() as usize % known.len()].cast_signed();
                        CallTest { subject, relation, holds: !random.bits().is_multiple_of(3), number }
                    });
                    CallLimit { number: None, tests: tests.collect() }
                })
                .collect();
            let machine = &b.kernel.machine;
            let within = |pid: u32, tid: u32| {
                limits.iter().any(|limit| {
                    limit.tests.iter().all(|test| {
                        let value = match test.subject {
                            Subject::Process => pid,
                            Subject::Thread => tid,
                            _ => machine.cpu,
                        };
                        test.passes(value.into())
                    })
                })
            };
            let current = within(machine.pid, machine.tid);
            let either = current || within(pid, tid);
            for (row, arguments, expected) in [
                (("sched_switch", "Thread/CSwitch"), [0, task, task, 0], either),
                (("sched_waking", "Thread/ReadyThread"), [task, 0, 0, 0], current),
                (("page_fault_user", "PageFault/DemandZeroFault"), [0x1000, registers, 4, 0], current),
            ] {
                let code =
                    b.code(Bench::row(row.0, row.1), Wishes { limits: Some(&limits), ..Wishes::default() });
                assert_eq!(b.run_code(&code, &arguments).is_some(), expected, "{row:?} {limits:?} {way:?}");
            }
        }
    }
}

/// A test of users or names fails only if the reader has said so of this process, since it runs this program.
#[test]
fn issue_16_tests_of_users_and_names_are_what_the_reader_found() {
    const PID: u32 = 70_000;
    let test = |subject, holds, number| CallTest { subject, relation: Relation::Equal, holds, number };
    let tests = [test(Subject::User, true, 7), test(Subject::Name, false, 5)];
    let names = [(5, "made".to_owned())];
    for way in ways() {
        let mut b = Bench::new(way);
        let machine = &mut b.kernel.machine;
        let judged = Judged::with(&tests, &names, &mut |spec| Ok(machine.map(spec))).unwrap().unwrap();
        machine.pid = PID;
        let place = (PID % judged::PLACES.cast_unsigned()) as usize * 8;
        let word = |b: &mut Bench| {
            let all = b.kernel.machine.get(&judged.map, &[0; 4]).unwrap();
            u64::from_le_bytes(*all[place..].first_chunk().unwrap())
        };
        let publish = |b: &mut Bench, word: u64| {
            let mut all = b.kernel.machine.get(&judged.map, &[0; 4]).unwrap();
            all[place..][..8].copy_from_slice(&word.to_le_bytes());
            b.kernel.machine.set(&judged.map, &[0; 4], &all);
        };
        let at = registers(&mut b, 1, [1; 6]);
        let ip = if cfg!(target_arch = "x86_64") { "ip" } else { "pc" };
        let interrupted = b.kernel.object("pt_regs", &[(ip, 7)]);
        let (other, _) = b.task(&[("__state", 0)]);
        let own = b.kernel.object("task_struct", &[("tgid", PID.into()), ("pid", 9), ("exit_code", 0)]);
        let limits: Vec<_> =
            tests.iter().map(|test| vec![CallLimit { number: None, tests: vec![*test] }]).collect();
        let logged = |b: &mut Bench| {
            let mut of = |limits: &[CallLimit], (tracepoint, event), arguments: &[u64]| {
                let wishes = Wishes { limits: Some(limits), judged: Some(&judged), ..Wishes::default() };
                let code = b.code(Bench::row(tracepoint, event), wishes);
                b.run_code(&code, arguments).is_some()
            };
            limits
                .iter()
                .map(|limits| {
                    let all = [
                        of(limits, ("sys_enter", "PerfInfo/SysClEnter"), &[at, 1]),
                        of(
                            limits,
                            ("page_fault_user", "PageFault/DemandZeroFault"),
                            &[0x1000, interrupted, 4],
                        ),
                        of(limits, ("sched_switch", "Thread/CSwitch"), &[0, own, own, 0]),
                    ];
                    // The reader has not found the other process.
                    assert!(of(limits, ("sched_switch", "Thread/CSwitch"), &[0, own, other, 0]));
                    assert!(all == [true; 3] || all == [false; 3], "{all:?}");
                    all[0]
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(logged(&mut b), [true, true], "nothing is known");
        publish(&mut b, judged.word((PID, 0), 7, "x"));
        assert_eq!(logged(&mut b), [true, true]);
        publish(&mut b, judged.word((PID, 0), 8, "x"));
        assert_eq!(logged(&mut b), [false, true]);
        publish(&mut b, judged.word((PID, 0), 8, "MADE"));
        assert_eq!(logged(&mut b), [false, false]);
        publish(&mut b, judged.word((PID % judged::PLACES.cast_unsigned(), 0), 8, "made"));
        assert_eq!(logged(&mut b), [true, true], "another process has the place");

        // A thread changes nothing; a new process, another program and the end do, whether or not there is room for their samples.
        let memory = b.kernel.object("mm_struct", &[("arg_start", 0), ("arg_end", 0)]);
        let file = b.kernel.machine.object(b"made\0");
        let program = b.kernel.object("linux_binprm", &[("filename", file)]);
        let runs = b.kernel.object("task_struct", &[("tgid", PID.into()), ("mm", memory)]);
        b.kernel.set_bytes(own, "task_struct", "comm", &[0; 16]);
        let (new, exec, end) = (
            ("task_newtask", "Process/Start"),
            ("sched_process_exec", "Process/DCStart"),
            ("sched_process_exit", "Thread/End"),
        );
        let mark_at = [offset_of!(NewTask, mark), offset_of!(Exec, mark), 0];
        for ((row, arguments, mark_at), forgets) in [
            ((new, [own, CLONE_THREAD, 0], mark_at[0]), false),
            ((new, [own, 0, 0], mark_at[0]), true),
            ((exec, [runs, 9, program], mark_at[1]), true),
            ((end, [own, 0, 0], mark_at[2]), false),
            ((end, [own, 1, 0], mark_at[2]), true),
        ] {
            for full in [false, true] {
                let known = judged.word((PID, 0), 8, "made");
                publish(&mut b, known);
                b.kernel.machine.full = full;
                let code =
                    b.code(Bench::row(row.0, row.1), Wishes { judged: Some(&judged), ..Wishes::default() });
                let record = b.run_code(&code, &arguments);
                b.kernel.machine.full = false;
                let word = word(&mut b);
                assert_eq!(record.is_none(), full);
                if let Some(record) = record.filter(|_| mark_at > 0) {
                    let mark = u64::from_le_bytes(*record[mark_at..].first_chunk().unwrap());
                    assert_eq!(mark, if forgets { word } else { 0 }, "{row:?}");
                }
                assert_eq!(logged(&mut b), [forgets, forgets], "{row:?} {full}");
                if forgets {
                    // What is found out about this program holds for it.
                    publish(&mut b, judged.word((PID, word), 8, "made"));
                    assert_eq!(logged(&mut b), [false, false], "{row:?} {full}");
                } else {
                    assert_eq!(word, known);
                }
            }
        }
    }
}

/// Of a switch between threads of different users only the half of the user is in the sample.
#[test]
fn issue_16_a_switch_shows_nothing_of_a_thread_of_another_user() {
    const USER: u64 = 1000;
    /// Whose the thread is, and whether it has memory.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Is {
        Own,
        Ending,
        OfOther,
        Undumped,
        InGroup,
    }
    let task = |b: &mut Bench, is: Is, pid: u32| {
        let user = if is == Is::OfOther { USER + 1 } else { USER };
        let mut fields: Vec<(&str, u64)> = ["uid", "euid", "suid", "fsuid"].map(|name| (name, user)).to_vec();
        fields.extend([
            ("gid", 7),
            ("egid", 7),
            ("sgid", 7),
            ("fsgid", if is == Is::InGroup { 8 } else { 7 }),
        ]);
        fields.push(("cap_permitted", 0));
        let credentials = b.kernel.object("cred", &fields);
        let memory = b.kernel.object("mm_struct", &[("flags", if is == Is::Undumped { 0xF0 } else { 0xF1 })]);
        let memory = if is == Is::Ending { 0 } else { memory };
        let fields =
            [("real_cred", credentials), ("mm", memory), ("tgid", pid.into()), ("pid", u64::from(pid) + 1)];
        b.kernel.object("task_struct", &[&fields[..], &[("prio", 120), ("__state", 1)]].concat())
    };
    let all = [Is::Own, Is::Ending, Is::OfOther, Is::Undumped, Is::InGroup];
    for way in ways().filter(|way| !way.stacks) {
        for (goes, comes) in all.iter().flat_map(|goes| all.iter().map(move |comes| (*goes, *comes))) {
            let mut b = Bench::new(way);
            let before = task(&mut b, goes, 20);
            let after = task(&mut b, comes, 30);
            (b.kernel.machine.task, b.kernel.machine.pid, b.kernel.machine.tid) = (before, 20, 21);
            let (row, build) = Bench::row("sched_switch", "Thread/CSwitch");
            let wishes = Wishes { owner: Some(USER as u32), ..Wishes::default() };
            let code = b.code((row, build), wishes);
            // The kernel's `bool` has one byte.
            let sample = b.run_code(&code, &[0xAB01, before, after, 1]);
            let halves = match goes {
                Is::Own => GOES,
                Is::Ending => ENDS,
                _ => 0,
            } | if comes == Is::Own { COMES } else { 0 };
            let sample = sample.map(|bytes| Switch::read_from_prefix(&bytes).unwrap().0);
            assert_eq!(sample.is_some(), halves != 0, "{goes:?} {comes:?}");
            let Some(sample) = sample else { continue };
            let none = u32::MAX;
            let shows = halves & (GOES | ENDS) != 0;
            let is =
                (sample.head.pid, sample.head.tid, sample.priority, sample.state, sample.preempted & 0xFF);
            assert_eq!(
                is,
                if shows { (20, 21, 120, 1, 1) } else { (none, none, 0, 0, 0) },
                "{goes:?} {comes:?}"
            );
            let is = (sample.next_pid, sample.next, sample.next_priority);
            assert_eq!(
                is,
                if comes == Is::Own { (30, 31, 120) } else { (none, none, 0) },
                "{goes:?} {comes:?}"
            );
            assert_eq!(sample.preempted >> 8, halves.cast_unsigned());
        }
    }
}

/// Whatever differs from a plain process of the user, nothing is logged.
#[test]
fn issue_16_a_session_of_a_user_has_only_samples_of_that_users_processes() {
    // A user above the largest number with a sign.
    for uid in [1000, 0x9000_0000_u32] {
        for way in ways().filter(|way| !way.stacks) {
            let user = u64::from(uid);
            let plain = [
                ("cred", "uid", user),
                ("cred", "euid", user),
                ("cred", "suid", user),
                ("cred", "fsuid", user),
                ("cred", "gid", 7),
                ("cred", "egid", 7),
                ("cred", "sgid", 7),
                ("cred", "fsgid", 7),
                ("cred", "cap_permitted", 0),
                ("mm_struct", "flags", 0xF1),
            ];
            let other = |place: usize| match plain[place] {
                ("mm_struct", ..) => vec![0xF0, 0xF2, 0xF3],
                (.., value) => vec![value + 1, value ^ 1 << 31],
            };
            let mut rows = vec![(plain, uid, true), (plain, uid + 1, false)];
            for place in 0..plain.len() {
                for value in other(place) {
                    let mut changed = plain;
                    changed[place].2 = value;
                    rows.push((changed, uid, false));
                }
            }
            for (fields, current, is_logged) in rows {
                let mut b = Bench::new(way);
                b.kernel.machine.uid = u64::from(current) | 0x77 << 32;
                let of = |of: &str| -> Vec<(&str, u64)> {
                    fields
                        .iter()
                        .filter(|(name, ..)| *name == of)
                        .map(|(_, path, value)| (*path, *value))
                        .collect()
                };
                let credentials = b.kernel.object("cred", &of("cred"));
                let memory = b.kernel.object("mm_struct", &of("mm_struct"));
                let fields =
                    [("real_cred", credentials), ("mm", memory), ("exit_code", 0), ("tgid", 5), ("pid", 5)];
                let task = b.kernel.object("task_struct", &fields);
                b.kernel.machine.task = task;
                b.kernel.set_bytes(task, "task_struct", "comm", &[0; 16]);
                let at = registers(&mut b, 1, [1; 6]);
                let name = b.kernel.machine.object(b"x\0");
                for (row, arguments) in [
                    (("sys_enter", "PerfInfo/SysClEnter"), [at, 1]),
                    (("sys_exit", "PerfInfo/SysClExit"), [at, 1]),
                    (("sys_exit", "FileIo/OperationEnd"), [at, 1]),
                    (("task_newtask", "Process/Start"), [task, 0]),
                    (("sched_process_exit", "Thread/End"), [task, 1]),
                    (("task_rename", "Thread/SetName"), [task, name]),
                ] {
                    let code =
                        b.code(Bench::row(row.0, row.1), Wishes { owner: Some(uid), ..Wishes::default() });
                    assert_eq!(
                        b.run_code(&code, &arguments).is_some(),
                        is_logged,
                        "{row:?} {way:?} {fields:?}"
                    );
                }
            }
        }
    }
}
