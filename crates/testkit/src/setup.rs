//! The state of the machine when the trace begins.

use crate::images::{COMMON_IMAGES, IMAGES, KERNEL_IMAGES, image_index};
use crate::script::JOBS;
use crate::world::{
    Account, Connection, File, Known, Process, ProcessIndex, Protocol, Role, Thread, ThreadState, World,
};
use std::collections::VecDeque;
use std::net::IpAddr;

/// Processors of the machine.
pub(crate) const CPUS: usize = 4;

/// Indices of the files and connections that scripts name. Where there are several, the first.
#[derive(Clone, Copy, Default)]
pub(crate) struct Places {
    pub(crate) mft: usize,
    pub(crate) system_log: usize,
    pub(crate) icons: usize,
    pub(crate) draft: usize,
    pub(crate) cache: usize,
    pub(crate) orders: usize,
    pub(crate) journal: usize,
    pub(crate) vault: usize,
    pub(crate) program: usize,
    pub(crate) headers: usize,
    pub(crate) sources: usize,
    pub(crate) objects: usize,
    pub(crate) dns_v4: usize,
    pub(crate) dns_v6: usize,
    pub(crate) voice: usize,
    pub(crate) sites: usize,
    pub(crate) customers: usize,
    pub(crate) database: usize,
    pub(crate) mail: usize,
}

/// Process ids with a meaning elsewhere.
pub(crate) mod pid {
    pub(crate) const SYSTEM: u32 = 4;
    /// First a compiler, later, re-used, the linker.
    pub(crate) const REUSED: u32 = 7044;
}

/// The thread id that two threads of different programs have one after the other.
pub(crate) const REUSED_TID: u32 = 7108;

struct Resident {
    pid: u32,
    parent: u32,
    image: &'static str,
    command: &'static str,
    account: Account,
    session: u32,
    known: Known,
    threads: &'static [(Role, i8, &'static str)],
}

const fn resident(
    pid: u32,
    parent: u32,
    image: &'static str,
    command: &'static str,
    account: Account,
    session: u32,
    threads: &'static [(Role, i8, &'static str)],
) -> Resident {
    Resident { pid, parent, image, command, account, session, known: Known::AtStart, threads }
}

use Role::Periodic;

static RESIDENTS: &[Resident] = &[
    resident(
        0,
        0,
        "Idle",
        "",
        Account::LocalSystem,
        u32::MAX,
        &[
            (Role::Idle, 0, "Idle Thread"),
            (Role::Idle, 0, "Idle Thread"),
            (Role::Idle, 0, "Idle Thread"),
            (Role::Idle, 0, "Idle Thread"),
        ],
    ),
    resident(
        4,
        0,
        "System",
        "",
        Account::LocalSystem,
        u32::MAX,
        &[
            (Role::SystemWriter, 16, ""),
            (Periodic { every: 31_000, run: 90 }, 12, ""),
            (Periodic { every: 64_000, run: 220 }, 13, ""),
        ],
    ),
    resident(
        348,
        4,
        "smss.exe",
        r"\SystemRoot\System32\smss.exe",
        Account::LocalSystem,
        u32::MAX,
        &[(Role::Parked, 11, "")],
    ),
    resident(
        508,
        348,
        "csrss.exe",
        r"%SystemRoot%\system32\csrss.exe ObjectDirectory=\Windows SharedSection=1024,20480,768 Windows=On",
        Account::LocalSystem,
        1,
        &[(Periodic { every: 45_000, run: 120 }, 14, ""), (Role::Parked, 14, "")],
    ),
    resident(
        692,
        560,
        "services.exe",
        r"C:\Windows\system32\services.exe",
        Account::LocalSystem,
        0,
        &[(Periodic { every: 400_000, run: 300 }, 9, ""), (Role::Parked, 9, "")],
    ),
    resident(
        1180,
        692,
        "svchost.exe",
        r"C:\Windows\system32\svchost.exe -k NetworkService -p -s Dnscache",
        Account::NetworkService,
        0,
        &[(Role::DnsCache, 10, "")],
    ),
    resident(
        1456,
        692,
        "svchost.exe",
        r"C:\Windows\system32\svchost.exe -k netsvcs -p",
        Account::LocalSystem,
        0,
        &[(Periodic { every: 24_000, run: 260 }, 8, ""), (Role::Mailer, 8, "")],
    ),
    // Missed by the rundown at the start, as happens when a process starts while it runs.
    Resident {
        pid: 2212,
        parent: 692,
        image: "svchost.exe",
        command: r"C:\Windows\system32\svchost.exe -k LocalServiceNoNetwork -p -s DPS",
        account: Account::LocalService,
        session: 0,
        known: Known::AtEnd,
        threads: &[(Periodic { every: 37_000, run: 400 }, 8, "")],
    },
    resident(
        2504,
        692,
        "GuardSvc.exe",
        r#""C:\Program Files\Guard\GuardSvc.exe""#,
        Account::LocalSystem,
        0,
        &[(Role::Scanner, 8, "Scan")],
    ),
    resident(
        2876,
        692,
        "OakDB.exe",
        r#""C:\Program Files\OakDB\bin\oakdb.exe" -D C:\OakDB\data"#,
        Account::NetworkService,
        0,
        &[
            (Role::DatabaseBackend { index: 0 }, 9, "backend 0"),
            (Role::DatabaseBackend { index: 1 }, 9, "backend 1"),
            (Role::DatabaseBackend { index: 2 }, 9, "backend 2"),
            (Role::DatabaseBackend { index: 3 }, 9, "backend 3"),
            (Role::DatabaseLog, 10, "journal writer"),
        ],
    ),
    resident(
        3312,
        692,
        "ShopApi.exe",
        r#""C:\Shop\ShopApi.exe" --urls http://10.0.0.20:8080"#,
        Account::NetworkService,
        0,
        &[
            (Role::ShopWorker { index: 0 }, 9, ".NET ThreadPool Worker"),
            (Role::ShopWorker { index: 1 }, 9, ".NET ThreadPool Worker"),
            (Role::ShopWorker { index: 2 }, 9, ".NET ThreadPool Worker"),
            (Role::ShopWorker { index: 3 }, 9, ".NET ThreadPool Worker"),
            (Role::ShopCollector, 10, ".NET Server GC"),
        ],
    ),
    resident(
        3600,
        692,
        "VaultBackup.exe",
        r#""C:\Program Files\Vault\VaultBackup.exe" /run nightly"#,
        Account::LocalSystem,
        0,
        &[(Role::BackupReader, 4, "copy")],
    ),
    resident(
        4120,
        4080,
        "Explorer.EXE",
        r"C:\Windows\Explorer.EXE",
        Account::Ada,
        1,
        &[(Role::ExplorerUi, 9, ""), (Periodic { every: 90_000, run: 180 }, 8, "")],
    ),
    resident(
        5208,
        4120,
        "Quill.exe",
        r#""C:\Program Files\Quill\Quill.exe" "C:\Users\Ada\Thesis\chapter 3.txt""#,
        Account::Ada,
        1,
        &[(Role::EditorUi, 10, "main")],
    ),
    resident(
        5520,
        4120,
        "Heron.exe",
        r#""C:\Program Files\Heron\Heron.exe""#,
        Account::Ada,
        1,
        &[
            (Role::BrowserUi, 10, "UI"),
            (Role::BrowserNetwork, 9, "Socket Thread"),
            (Role::BrowserVoice, 11, "Audio"),
        ],
    ),
    resident(
        5604,
        5520,
        "Heron.exe",
        r#""C:\Program Files\Heron\Heron.exe" -contentproc tab 0"#,
        Account::Ada,
        1,
        &[(Role::BrowserContent { tab: 0 }, 8, "Web Content")],
    ),
    resident(
        5668,
        5520,
        "Heron.exe",
        r#""C:\Program Files\Heron\Heron.exe" -contentproc tab 1"#,
        Account::Ada,
        1,
        &[(Role::BrowserContent { tab: 1 }, 8, "Web Content")],
    ),
    resident(
        5732,
        5520,
        "Heron.exe",
        r#""C:\Program Files\Heron\Heron.exe" -contentproc tab 2"#,
        Account::Ada,
        1,
        &[(Role::BrowserContent { tab: 2 }, 8, "Web Content")],
    ),
    resident(
        6100,
        4120,
        "Invoicer.exe",
        r#""C:\Program Files (x86)\Invoicer\Invoicer.exe" /batch"#,
        Account::Ada,
        1,
        &[(Role::Invoicer, 8, "")],
    ),
    resident(6612, 6540, "ninja.exe", "ninja -C build -j 3", Account::Ada, 1, &[(Role::Build, 8, "")]),
    resident(6888, 6540, "wpr.exe", "wpr -stop sample.etl", Account::Ada, 1, &[(Role::Tracer, 13, "")]),
];

/// A process without threads.
pub(crate) fn process(
    pid: u32,
    parent: u32,
    image: &'static str,
    command: String,
    account: Account,
    session: u32,
) -> Process {
    Process {
        pid,
        parent,
        image,
        command,
        account,
        session,
        wow64: image == "Invoicer.exe",
        known: Known::AtStart,
        key: 0xFFFF_C18E_4A00_0080 + u64::from(pid) * 0x840,
        directory_base: 0x1_0000_0000 + u64::from(pid) * 0x1_3000,
        ended: false,
        live_threads: 0,
        images: Vec::new(),
        mapped: Vec::new(),
    }
}

/// A thread that has not run yet.
pub(crate) fn thread(
    tid: u32,
    process: ProcessIndex,
    role: Role,
    priority: i8,
    name: &'static str,
) -> Thread {
    Thread {
        tid,
        process,
        role,
        priority,
        state: ThreadState::Waiting,
        known: Known::AtStart,
        name,
        service_tag: 0,
        steps: VecDeque::new(),
        round: 0,
        left: 0,
        signals: 0,
        waits_for_signal: false,
        waiting_since: 0,
        last_cpu: 0,
    }
}

/// The world at the start, and where its files and connections are.
pub(crate) fn world() -> (World, Places) {
    let mut world = World::default();
    let mut tid = 12;
    for resident in RESIDENTS {
        let index = world.processes.len();
        let mut new = process(
            resident.pid,
            resident.parent,
            resident.image,
            resident.command.to_owned(),
            resident.account,
            resident.session,
        );
        new.known = resident.known;
        new.images = images_of(&new);
        new.mapped = new.images.clone();
        for (number, &(role, priority, name)) in resident.threads.iter().enumerate() {
            let id =
                if resident.pid == 0 { 0 } else { resident.pid + 12 + 4 * (number as u32 * 3 + tid % 3) };
            tid += 1;
            let mut thread = thread(id, index, role, priority, name);
            thread.known = resident.known;
            thread.service_tag = if resident.image == "svchost.exe" { 0x40 + resident.pid / 100 } else { 0 };
            thread.last_cpu = if role == Role::Idle { number } else { world.threads.len() % CPUS };
            world.threads.push(thread);
            new.live_threads += 1;
        }
        world.processes.push(new);
    }
    let places = places(&mut world);
    (world, places)
}

fn images_of(process: &Process) -> Vec<usize> {
    if process.pid == 0 {
        return Vec::new();
    }
    if process.pid == pid::SYSTEM {
        return (0..KERNEL_IMAGES).collect();
    }
    let mut images = vec![image_index(process.image)];
    images.extend(COMMON_IMAGES.iter().map(|name| image_index(name)));
    match process.image {
        "Heron.exe" => images.extend(["heron_core.dll", "ws2_32.dll", "user32.dll"].map(image_index)),
        "ShopApi.exe" => images.extend(["coreclr.dll", "ShopApi.dll", "ws2_32.dll"].map(image_index)),
        "Explorer.EXE" | "Quill.exe" => images.push(image_index("user32.dll")),
        // The second ntdll.dll of the table, that of 32-bit programs.
        "Invoicer.exe" => images.extend(IMAGES.iter().position(|image| image.path.contains("SysWOW64"))),
        _ => {}
    }
    images
}

fn places(world: &mut World) -> Places {
    let mut files = Files { list: &mut world.files };
    let user = r"\Device\HarddiskVolume3\Users\Ada";
    let code = r"\Device\HarddiskVolume3\Code\lantern";
    let mut places = Places {
        mft: files.add(r"\Device\HarddiskVolume3\$Mft".into(), 0, Known::AtEnd),
        system_log: files.add(
            r"\Device\HarddiskVolume3\Windows\System32\config\SYSTEM.LOG1".into(),
            0,
            Known::AtStart,
        ),
        icons: files.add(format!(r"{user}\AppData\Local\IconCache.db"), 0, Known::AtEnd),
        draft: files.add(format!(r"{user}\Thesis\chapter 3.txt"), 0, Known::AtStart),
        cache: files.add(format!(r"{user}\AppData\Local\Heron\Cache2\entries"), 0, Known::AtEnd),
        orders: files.add(r"\Device\HarddiskVolume3\OakDB\data\orders.dat".into(), 0, Known::AtStart),
        journal: files.add(r"\Device\HarddiskVolume3\OakDB\data\journal.log".into(), 0, Known::AtEnd),
        vault: files.add(r"\Device\HarddiskVolume5\Vault\nightly.vlt".into(), 1, Known::AtStart),
        program: files.add(format!(r"{code}\build\lantern.exe"), 0, Known::ByStart),
        ..Places::default()
    };
    for (number, name) in ["vector", "string", "lantern_core.h", "lantern_render.h"].into_iter().enumerate() {
        let index = files.add(
            format!(r"{code}\include\{name}"),
            0,
            if number % 2 == 0 { Known::AtStart } else { Known::AtEnd },
        );
        if number == 0 {
            places.headers = index;
        }
    }
    for job in 0..JOBS {
        // The name of one source file is in no rundown at all.
        let known = if job == 5 { Known::Never } else { Known::AtStart };
        let index = files.add(format!(r"{code}\src\{}", source(job)), 0, known);
        if job == 0 {
            places.sources = index;
        }
    }
    for job in 0..JOBS {
        let index = files.add(format!(r"{code}\build\{}.obj", source(job)), 0, Known::ByStart);
        if job == 0 {
            places.objects = index;
        }
    }
    connections(world, &mut places);
    places
}

/// Source file of a compiler run.
pub(crate) fn source(job: usize) -> &'static str {
    const NAMES: [&str; JOBS] = [
        "main.cpp",
        "arena.cpp",
        "atlas.cpp",
        "audio.cpp",
        "camera.cpp",
        "ecs.cpp",
        "font.cpp",
        "input.cpp",
        "lexer.cpp",
        "mesh.cpp",
        "physics.cpp",
        "render.cpp",
        "scene.cpp",
        "shader.cpp",
    ];
    NAMES[job % JOBS]
}

struct Files<'a> {
    list: &'a mut Vec<File>,
}

impl Files<'_> {
    fn add(&mut self, path: String, disk: u32, known: Known) -> usize {
        let index = self.list.len();
        let key = 0xFFFF_A38D_02C0_0170 + index as u64 * 0x1_0A60;
        let offset = 0x2_4000_0000 + index as u64 * 0x0800_0000;
        self.list.push(File { key, path, disk, offset, known, named: false });
        index
    }
}

fn connections(world: &mut World, places: &mut Places) {
    let mut add = |pid: u32, protocol: Protocol, local: (&str, u16), peer: (&str, u16)| {
        let index = world.connections.len();
        let address =
            |text: &str| text.parse::<IpAddr>().unwrap_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED));
        let process = world.processes.iter().position(|process| process.pid == pid).unwrap_or(0);
        world.connections.push(Connection {
            process,
            protocol,
            local: (address(local.0), local.1),
            peer: (address(peer.0), peer.1),
            open: false,
        });
        index
    };
    use Protocol::{Tcp, Udp};
    places.dns_v4 = add(1180, Udp, ("10.0.0.20", 53_111), ("192.0.2.53", 53));
    places.dns_v6 = add(1180, Udp, ("2001:db8:1::20", 53_112), ("2001:db8:1::53", 53));
    places.voice = add(5520, Udp, ("10.0.0.20", 50_004), ("198.51.100.7", 3478));
    places.sites = add(5520, Tcp, ("10.0.0.20", 50_101), ("203.0.113.10", 443));
    add(5520, Tcp, ("2001:db8:1::20", 50_102), ("2001:db8:cd::1", 443));
    add(5520, Tcp, ("10.0.0.20", 50_103), ("203.0.113.44", 443));
    add(5520, Tcp, ("2001:db8:1::20", 50_104), ("2001:db8:ad::7", 443));
    add(5520, Tcp, ("10.0.0.20", 50_105), ("198.51.100.80", 80));
    add(5520, Tcp, ("10.0.0.20", 50_106), ("203.0.113.10", 8443));
    for index in 0..4u16 {
        for turn in 0..2u16 {
            let peer = format!("10.0.0.{}", 100 + 2 * index + turn);
            let first = add(3312, Tcp, ("10.0.0.20", 8080), (&peer, 61_000 + 7 * index + turn));
            if index == 0 && turn == 0 {
                places.customers = first;
            }
        }
    }
    for index in 0..4u16 {
        let first = add(3312, Tcp, ("::1", 50_300 + index), ("::1", 5433));
        if index == 0 {
            places.database = first;
        }
    }
    for index in 0..4u16 {
        let first = add(1456, Tcp, ("10.0.0.20", 50_400 + index), ("192.0.2.25", 25));
        if index == 0 {
            places.mail = first;
        }
    }
}
