//! The activity of threads: the steps, and the scripts that produce them by role.

use crate::dotnet::Clr;
use crate::machine::Machine;
use crate::moments::NetOp;
use crate::random::Random;
use crate::setup::Places;
use crate::world::{Role, ThreadIndex};

/// Kinds of disk transfers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DiskOp {
    Read,
    Write,
    Flush,
}

/// Programs that start during the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Program {
    Compiler { job: usize },
    Linker,
    Notepad,
}

/// A step of a thread. Times are microseconds of processor time or of waiting.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Computes.
    Run(i64),
    /// Waits for time to pass.
    Sleep(i64),
    /// Waits for a [`Step::Signal`].
    Await,
    /// Wakes a thread of that role.
    Signal(Role),
    Disk {
        op: DiskOp,
        file: usize,
        size: u32,
    },
    Net {
        op: NetOp,
        connection: usize,
        size: u32,
    },
    /// Looks up a name: query, then answer after the given time, status of the answer.
    DnsQuery {
        name: &'static str,
    },
    DnsAnswer {
        name: &'static str,
        status: u32,
    },
    Clr(Clr),
    Order {
        order: u32,
        cents: u32,
    },
    OrderFailed {
        order: u32,
    },
    Invoice {
        invoice: u32,
        pages: u16,
    },
    LoadImage(usize),
    UnloadImage(usize),
    Spawn(Program),
    SpawnThread(Role),
    NameThread,
    ExitThread,
    ExitProcess(i32),
}

use DiskOp::{Flush, Read, Write};
use NetOp::{Accept, Connect, Disconnect, Receive, Retransmit, Send};
use Step::*;

impl std::fmt::Debug for DiskOp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl DiskOp {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Read => "read",
            Write => "write",
            Flush => "flush",
        }
    }
}

/// Compiler runs of the build; the one at [`FAILING_JOB`] ends with an error.
pub(crate) const JOBS: usize = 14;
/// The compiler run that finds an error in its source.
pub(crate) const FAILING_JOB: usize = 9;
/// Compilers the build keeps running at once.
const PARALLEL: usize = 3;

/// Exceptions the shop throws, in turn.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("System.TimeoutException", "The database did not answer within 25 ms."),
    ("System.InvalidOperationException", "The basket is empty."),
    ("System.TimeoutException", "The database did not answer within 25 ms."),
    (
        "System.Collections.Generic.KeyNotFoundException",
        "The given key 'voucher' was not present in the dictionary.",
    ),
    ("System.FormatException", "Input string was not in a correct format."),
];

/// The next steps of a thread.
pub(crate) fn next(machine: &mut Machine, thread: ThreadIndex) -> Vec<Step> {
    let role = machine.world.threads[thread].role;
    let round = machine.world.threads[thread].round;
    machine.world.threads[thread].round += 1;
    let known = machine.places;
    let random = &mut machine.random;
    match role {
        Role::Idle | Role::Parked => vec![Await],
        Role::Tracer => {
            if round == 0 {
                vec![Run(300), Sleep(random.range(4_000, 6_000))]
            } else {
                vec![Run(80), Sleep(1_000_000)]
            }
        }
        Role::Periodic { every, run } => {
            vec![Sleep(random.range(every / 2, every * 3 / 2)), Run(random.range(run / 2, run * 3 / 2))]
        }
        Role::SystemWriter => vec![
            Sleep(random.range(60_000, 140_000)),
            Run(60),
            Disk {
                op: Write,
                file: if round.is_multiple_of(3) { known.mft } else { known.system_log },
                size: 4096 << random.index(3),
            },
            Run(30),
        ],
        Role::DnsCache => dns_cache(random, known, round),
        Role::ExplorerUi => explorer(random, known, round),
        Role::EditorUi => editor(random, known, round),
        Role::BrowserUi => {
            let mut steps = vec![Await, Run(random.range(400, 1_700))];
            if round.is_multiple_of(3) {
                steps.push(Signal(Role::BrowserVoice));
            }
            steps
        }
        Role::BrowserVoice => vec![
            Await,
            Run(60),
            Net { op: Send, connection: known.voice, size: 172 },
            Net { op: Receive, connection: known.voice, size: 172 },
        ],
        Role::BrowserNetwork => browser_network(random, known, round),
        Role::BrowserContent { tab } => browser_content(random, known, tab, round),
        Role::DatabaseBackend { index } => database_backend(random, known, index, round),
        Role::DatabaseLog => vec![
            Await,
            Run(40),
            Disk { op: Write, file: known.journal, size: 8_192 },
            Disk { op: Flush, file: known.journal, size: 0 },
            Run(25),
        ],
        Role::ShopWorker { index } => shop_worker(random, known, index, round),
        Role::ShopCollector => collector(random, round),
        Role::BackupReader => backup_reader(known, round),
        Role::Scanner => vec![
            Await,
            Run(random.range(1_200, 3_000)),
            Disk { op: Read, file: known.objects + random.index(JOBS), size: 65_536 },
            Run(random.range(4_000, 11_000)),
        ],
        Role::Build => build(round),
        Role::Compile { job } => compile(random, known, job, round),
        Role::Link => link(random, known, round),
        Role::Notepad => notepad(random, round),
        Role::Pool => vec![Run(2_000), NameThread, Run(random.range(8_000, 30_000)), ExitThread],
        Role::Invoicer => vec![
            Sleep(random.range(120_000, 260_000)),
            Run(random.range(2_000, 6_000)),
            Invoice { invoice: 70_001 + round as u32, pages: 1 + random.index(6) as u16 },
            Run(200),
        ],
        Role::Mailer => mailer(known, round),
    }
}

fn dns_cache(random: &mut Random, known: Places, round: usize) -> Vec<Step> {
    vec![
        Await,
        Run(90),
        Net {
            op: Send,
            connection: if round.is_multiple_of(2) { known.dns_v4 } else { known.dns_v6 },
            size: 40 + random.index(30) as u32,
        },
        Sleep(random.range(8_000, 22_000)),
        Net {
            op: Receive,
            connection: if round.is_multiple_of(2) { known.dns_v4 } else { known.dns_v6 },
            size: 90 + random.index(200) as u32,
        },
        Run(120),
        Signal(Role::BrowserNetwork),
    ]
}

fn explorer(random: &mut Random, known: Places, round: usize) -> Vec<Step> {
    let mut steps = vec![Sleep(random.range(50_000, 110_000)), Run(random.range(150, 900))];
    if round % 8 == 3 {
        steps.push(Disk { op: Read, file: known.icons, size: 16_384 });
        steps.push(Run(400));
    }
    if round == 40 {
        steps.push(Spawn(Program::Notepad));
    }
    steps
}

fn editor(random: &mut Random, known: Places, round: usize) -> Vec<Step> {
    // Keystrokes; now and then the text is saved and the whole of it coloured anew.
    let mut steps = vec![Sleep(random.range(70_000, 190_000)), Run(random.range(300, 1_500))];
    if round % 12 == 11 {
        steps.extend([
            Disk { op: Write, file: known.draft, size: 24_576 },
            Disk { op: Flush, file: known.draft, size: 0 },
            Run(38_000),
        ]);
    }
    steps
}

fn browser_content(random: &mut Random, known: Places, tab: usize, round: usize) -> Vec<Step> {
    let mut steps =
        vec![Await, Run(random.range(700, 4_200) * if tab == 1 { 3 } else { 1 }), Signal(Role::BrowserUi)];
    if round % 9 == 4 {
        steps.insert(2, Disk { op: Write, file: known.cache, size: 32_768 });
    }
    steps
}

fn database_backend(random: &mut Random, known: Places, index: usize, round: usize) -> Vec<Step> {
    let mut steps = vec![Await, Run(random.range(250, 800))];
    if random.one_in(3) {
        steps.push(Disk { op: Read, file: known.orders, size: 8_192 });
        steps.push(Run(120));
    }
    if round % 4 == 3 {
        steps.push(Signal(Role::DatabaseLog));
    }
    steps.push(Signal(Role::ShopWorker { index }));
    steps
}

fn backup_reader(known: Places, round: usize) -> Vec<Step> {
    if round == 0 {
        return vec![Sleep(700_000)];
    }
    if round % 26 == 25 {
        vec![Disk { op: Flush, file: known.vault, size: 0 }, Sleep(90_000)]
    } else if round % 7 == 6 {
        vec![Disk { op: Read, file: known.orders, size: 262_144 }, Run(900)]
    } else {
        vec![Disk { op: Write, file: known.vault, size: 1 << 20 }, Run(700)]
    }
}

fn link(random: &mut Random, known: Places, round: usize) -> Vec<Step> {
    match round {
        0 => vec![
            LoadImage(crate::images::image_index("ntdll.dll")),
            LoadImage(crate::images::image_index("LINK.exe")),
            LoadImage(crate::images::image_index("kernel32.dll")),
            LoadImage(crate::images::image_index("KernelBase.dll")),
            Run(9_000),
        ],
        1..=13 => vec![
            Disk { op: Read, file: known.objects + round - 1, size: 65_536 },
            Run(random.range(9_000, 16_000)),
        ],
        14 => vec![
            Run(160_000),
            Disk { op: Write, file: known.program, size: 1_835_008 },
            Signal(Role::Scanner),
        ],
        _ => vec![Signal(Role::Build), ExitProcess(0)],
    }
}

fn notepad(random: &mut Random, round: usize) -> Vec<Step> {
    match round {
        0 => vec![
            LoadImage(crate::images::image_index("ntdll.dll")),
            LoadImage(crate::images::image_index("NOTEPAD.EXE")),
            LoadImage(crate::images::image_index("kernel32.dll")),
            LoadImage(crate::images::image_index("KernelBase.dll")),
            Run(14_000),
        ],
        _ => vec![Sleep(random.range(200_000, 400_000)), Run(random.range(200, 900))],
    }
}

fn mailer(known: Places, round: usize) -> Vec<Step> {
    vec![
        Sleep(500_000),
        Net { op: Connect, connection: known.mail + round % 4, size: 0 },
        Run(300),
        Net { op: Send, connection: known.mail + round % 4, size: 2_048 },
        Sleep(40_000),
        Net { op: Retransmit, connection: known.mail + round % 4, size: 2_048 },
        Sleep(60_000),
        Net { op: Receive, connection: known.mail + round % 4, size: 512 },
        Run(150),
        Net { op: Disconnect, connection: known.mail + round % 4, size: 0 },
    ]
}

fn browser_network(random: &mut Random, known: Places, round: usize) -> Vec<Step> {
    const NAMES: [&str; 6] = [
        "www.example.com",
        "cdn.example.net",
        "img.example.org",
        "ads.example.net",
        "api.example.com",
        "no-such-host.example",
    ];
    if round.is_multiple_of(24) {
        let name = NAMES[(round / 24) % NAMES.len()];
        let status = if name.starts_with("no-such") { 9003 } else { 0 };
        return vec![
            Run(80),
            DnsQuery { name },
            Signal(Role::DnsCache),
            Await,
            DnsAnswer { name, status },
            Run(60),
        ];
    }
    let site = known.sites + [0, 1, 1, 2, 3, 1, 4, 5][random.index(8)];
    let mut steps = vec![Sleep(random.range(5_000, 16_000)), Run(40)];
    if round % 25 == 1 {
        steps.push(Net { op: Connect, connection: site, size: 0 });
    }
    steps.push(Net { op: Send, connection: site, size: 300 + random.index(900) as u32 });
    for _ in 0..1 + random.index(3) {
        steps.push(Net { op: Receive, connection: site, size: 1_400 + random.index(14_000) as u32 });
    }
    if round % 60 == 45 {
        steps.push(Net { op: Retransmit, connection: site, size: 1_400 });
    }
    if round % 25 == 24 {
        steps.push(Net { op: Disconnect, connection: site, size: 0 });
    }
    steps.push(Run(70));
    steps.push(Signal(Role::BrowserContent { tab: random.index(3) }));
    steps
}

fn shop_worker(random: &mut Random, known: Places, index: usize, round: usize) -> Vec<Step> {
    let connection = known.customers + index * 2 + round % 2;
    let order = 40_000 + (index * 10_000 + round) as u32;
    let mut steps = vec![Sleep(random.range(20_000, 84_000))];
    if round.is_multiple_of(10) {
        steps.push(Net { op: Accept, connection, size: 0 });
    }
    steps.extend([
        Net { op: Receive, connection, size: 420 + random.index(600) as u32 },
        Run(random.range(300, 900)),
        Net { op: Send, connection: known.database + index, size: 180 },
        Signal(Role::DatabaseBackend { index }),
        Await,
        Net { op: Receive, connection: known.database + index, size: 900 + random.index(3_000) as u32 },
        Run(random.range(500, 1_900)),
    ]);
    if round < 12 {
        steps.push(Clr(Clr::MethodLoad { method: index * 12 + round }));
    }
    if round % 6 == 2 {
        steps.push(Clr(Clr::AllocationTick {
            bytes: 106_000 + random.index(8_000) as u32,
            kind: random.index(3),
        }));
    }
    if round % 14 == 6 + index % 4 {
        let (kind, message) = EXCEPTIONS[(round / 14 + index) % EXCEPTIONS.len()];
        steps.extend([Clr(Clr::Exception { kind, message }), Run(2_600), OrderFailed { order }]);
    } else {
        steps.push(Order { order, cents: 495 + 100 * random.index(180) as u32 });
    }
    steps.push(Net { op: Send, connection, size: 1_000 + random.index(9_000) as u32 });
    if round % 10 == 9 {
        steps.push(Net { op: Disconnect, connection, size: 0 });
    }
    steps
}

/// A collection every 0.2 s or so: mostly generation 0, rarely the whole heap.
fn collector(random: &mut Random, round: usize) -> Vec<Step> {
    let generation = if round % 12 == 11 { 2 } else { u32::from(round % 4 == 3) };
    let work = random.range(700, 1_500) * [1, 4, 30][generation as usize];
    let count = 118 + round as u32;
    vec![
        Sleep(random.range(120_000, 250_000)),
        Run(20),
        Clr(Clr::GcStart { count, generation }),
        Run(work),
        Clr(Clr::GcEnd { count, generation }),
        Clr(Clr::HeapStats),
        Run(60),
    ]
}

fn build(round: usize) -> Vec<Step> {
    if round < PARALLEL {
        vec![Run(1_500), Spawn(Program::Compiler { job: round })]
    } else if round < JOBS {
        vec![Await, Run(700), Spawn(Program::Compiler { job: round })]
    } else if round < JOBS + PARALLEL {
        vec![Await, Run(300)]
    } else if round == JOBS + PARALLEL {
        vec![Spawn(Program::Linker), Await, Run(500)]
    } else {
        vec![ExitProcess(0)]
    }
}

fn compile(random: &mut Random, known: Places, job: usize, round: usize) -> Vec<Step> {
    let image = crate::images::image_index;
    match round {
        0 => vec![
            LoadImage(image("ntdll.dll")),
            LoadImage(image("CL.exe")),
            LoadImage(image("kernel32.dll")),
            LoadImage(image("KernelBase.dll")),
            Run(6_000),
            Disk { op: Read, file: known.sources + job, size: 65_536 },
            Run(random.range(40_000, 90_000)),
        ],
        1..=5 => {
            let mut steps = vec![
                Disk { op: Read, file: known.headers + (job + round) % 4, size: 32_768 },
                Run(random.range(25_000, 80_000)),
            ];
            if round == 2 {
                steps.push(LoadImage(image("c2.dll")));
                steps.push(SpawnThread(Role::Pool));
            }
            steps
        }
        _ if job == FAILING_JOB => vec![Run(4_000), Signal(Role::Build), ExitProcess(2)],
        _ => vec![
            Run(random.range(420_000, 980_000)),
            Disk { op: Write, file: known.objects + job, size: 98_304 + 4_096 * job as u32 },
            Signal(Role::Scanner),
            UnloadImage(image("c2.dll")),
            Signal(Role::Build),
            ExitProcess(0),
        ],
    }
}
