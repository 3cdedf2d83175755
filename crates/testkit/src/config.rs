//! Records about the trace and the machine: header extensions, system configuration, what merging adds.

use crate::emit::{Header, Payload, group};
use crate::images::{IMAGES, KERNEL_IMAGES, database_name, signature};
use crate::machine::Machine;
use crate::manifest;
use crate::setup::CPUS;
use crate::world::Role;
use tracewell_types::Guid;

/// SystemConfigEx, logged by the tool that merges.
const SYSTEM_CONFIG_EX: Guid = Guid::parse("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
/// KernelTraceControl image ids, logged by the tool that merges.
pub(crate) const IMAGE_ID: Guid = Guid::parse("b3e675d7-2554-4f18-830b-2762732560de");

/// EventMetadata, logged by the tool that merges.
const EVENT_METADATA: Guid = Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");

/// Kernel event groups on: process, thread, image, disk, file names, network, context switches, ready threads,
/// profile, deferred calls, interrupts, system calls, page faults, registry, file operations.
const GROUP_MASKS: [u32; 8] = [0x0703_3FF7, 0, 0, 0, 0, 0, 0, 0];
const KERNEL_EVENT_VERSION: u32 = 85;

/// Nanoseconds of the profile interval, in units of 100.
const PROFILE_INTERVAL: u32 = 10_000;

/// Speed of the processors.
pub(crate) const CPU_MHZ: u32 = 2_904;

/// Device paths and what users call them.
pub(crate) const VOLUMES: [(&str, &str); 4] = [
    (r"\??\", r"\\"),
    (r"\SystemRoot\", r"C:\Windows\"),
    (r"\Device\HarddiskVolume3\", r"C:\"),
    (r"\Device\HarddiskVolume5\", r"D:\"),
];

const SERVICES: [(u32, u32, &str, &str, &str); 5] = [
    (1180, 0x4B, "Dnscache", "DNS Client", "svchost.exe"),
    (1456, 0x4E, "Schedule", "Task Scheduler", "svchost.exe"),
    (2212, 0x56, "DPS", "Diagnostic Policy Service", "svchost.exe"),
    (2876, 0, "OakDB", "Oak Database", "oakdb.exe"),
    (3312, 0, "ShopApi", "Shop", "ShopApi.exe"),
];

impl Machine {
    /// Thread and process of the tool that controls the trace.
    pub(crate) fn tracer_ids(&self) -> (u32, u32) {
        let Some(thread) = self.world.thread_with(Role::Tracer) else { return (0, 0) };
        (self.world.tid(thread), self.world.pid_of(thread))
    }

    fn by_tracer(&self, group: u8, opcode: u8, version: u16) -> Header {
        let (tid, pid) = self.tracer_ids();
        Header::System { group, opcode, version, tid, pid }
    }

    /// The records after the log file header.
    pub(crate) fn header_extras(&mut self) {
        let header = self.by_tracer(group::EVENT_TRACE, 80, 2);
        self.log(0, header, vec![0; 48]);
        let header = self.by_tracer(group::EVENT_TRACE, 5, 2);
        self.log(0, header, group_masks());
        let interval = Payload::new().u32(0).u32(PROFILE_INTERVAL).u32(PROFILE_INTERVAL).utf16("Timer");
        let header = self.by_tracer(group::PERF_INFO, 73, 3);
        self.log(0, header, interval.0);
    }

    /// The records that end the trace.
    pub(crate) fn trailer(&mut self, cpu: usize) {
        let interval = Payload::new().u32(0).u32(PROFILE_INTERVAL).u32(PROFILE_INTERVAL).utf16("Timer");
        let header = self.by_tracer(group::PERF_INFO, 74, 3);
        self.log(cpu, header, interval.0);
        self.log(cpu, Header::PerfInfo { group: group::EVENT_TRACE, opcode: 32, version: 2 }, group_masks());
        self.log(cpu, Header::PerfInfo { group: group::EVENT_TRACE, opcode: 8, version: 2 }, Vec::new());
    }

    pub(crate) fn system_configuration(&mut self, cpu: usize) {
        for (opcode, version, payload) in [
            (10, 3, processor_payload()),
            (11, 2, disk_payload(0, "Sable NVMe 512", 119_000)),
            (11, 2, disk_payload(1, "Ferro HDD 2TB", 243_000)),
            (12, 2, volume_payload(0, "C:", 3)),
            (12, 2, volume_payload(1, "D:", 5)),
            (13, 2, network_payload()),
            (16, 2, vec![0, 0, 1, 1, 1, 0, 0, 0]),
            (25, 2, Payload::new().utf16("Contoso").utf16("Lantern 4").utf16("11/02/2019").utf16("1.07").0),
        ] {
            let header = self.by_tracer(group::CONFIG, opcode, version);
            self.log(cpu, header, payload);
        }
        for (pid, tag, name, display, process) in SERVICES {
            let payload = Payload::new()
                .u32(pid)
                .u32(4)
                .u32(tag)
                .utf16(name)
                .utf16(display)
                .utf16(process)
                .utf16("")
                .utf16("");
            let header = self.by_tracer(group::CONFIG, 15, 3);
            self.log(cpu, header, payload.0);
        }
        self.tally.count("hwconfig", 8 + SERVICES.len() as u64);
    }

    /// Volumes, build and image ids.
    pub(crate) fn merge_records(&mut self, cpu: usize) {
        let (tid, pid) = self.tracer_ids();
        let full = |class, opcode, version| Header::Full { class, opcode, version, tid, pid };
        let build = Payload::new()
            .i64(132_255_000_000_000_000)
            .utf16("19041.1.amd64fre.vb_release.191206-1406")
            .utf16("Windows 10 Pro");
        self.log(cpu, full(SYSTEM_CONFIG_EX, 32, 0), build.0);
        let paths = Payload::new().utf16(r"C:\Windows\system32\").utf16(r"C:\Windows\");
        self.log(cpu, full(SYSTEM_CONFIG_EX, 33, 0), paths.0);
        for (nt, dos) in VOLUMES {
            self.log(cpu, full(SYSTEM_CONFIG_EX, 35, 0), Payload::new().utf16(nt).utf16(dos).0);
        }
        for event in manifest::EVENTS {
            self.log(cpu, full(EVENT_METADATA, 32, 0), manifest::event_info(event));
        }
        for (pid, index) in self.mappings() {
            let image = &IMAGES[index];
            let name = image.path.rsplit('\\').next().unwrap_or_default();
            let payload =
                Payload::new().u64(image.base).u64(image.size).u32(pid).u32(image.time_stamp).utf16(name);
            self.log(cpu, full(IMAGE_ID, 0, 2), payload.0);
            let name = database_name(image);
            let payload = Payload::new().u64(image.base).u32(pid).guid(signature(index)).u32(1).ansi(&name);
            self.log(cpu, full(IMAGE_ID, 36, 2), payload.0);
        }
    }

    /// The images that processes have or had, by image and in the order of processes; the kernel's are those of
    /// process 0.
    fn mappings(&self) -> Vec<(u32, usize)> {
        let mut mappings = Vec::new();
        for index in 0..IMAGES.len() {
            if index < KERNEL_IMAGES {
                mappings.push((0, index));
                continue;
            }
            for process in self.world.processes.iter().filter(|process| process.mapped.contains(&index)) {
                if !mappings.contains(&(process.pid, index)) {
                    mappings.push((process.pid, index));
                }
            }
        }
        mappings
    }
}

fn group_masks() -> Vec<u8> {
    let mut payload = Payload::new();
    for mask in GROUP_MASKS {
        payload = payload.u32(mask);
    }
    payload.u32(KERNEL_EVENT_VERSION).0
}

fn processor_payload() -> Vec<u8> {
    Payload::new()
        .u32(CPU_MHZ)
        .u32(CPUS as u32)
        .u32(16_384)
        .u32(4_096)
        .u32(65_536)
        .utf16_field("LANTERN", 256)
        .utf16_field("WORKGROUP", 134)
        .u64(0)
        .u64(0x7FFF_FFFE_FFFF)
        .u16(9)
        .u16(6)
        .u16(0x9E0A)
        .u8(0)
        .u8(1)
        .u32(2_667)
        .0
}

fn disk_payload(disk: u32, name: &str, cylinders: u64) -> Vec<u8> {
    Payload::new()
        .u32(disk)
        .u32(512)
        .u32(63)
        .u32(255)
        .u64(cylinders)
        .u32(disk)
        .u32(0)
        .u32(0)
        .u32(0)
        .utf16_field(name, 256)
        .u32(2)
        .u8(1)
        .u8(0)
        .utf16_field(if disk == 0 { "C" } else { "D" }, 3)
        .zeros(4)
        .0
}

fn volume_payload(disk: u32, drive: &str, partition: u32) -> Vec<u8> {
    let clusters = 120_000_000_i64;
    Payload::new()
        .u64(0x1F50_0000)
        .u64(clusters as u64 * 4_096)
        .u32(disk)
        .u32(112)
        .u32(1)
        .utf16_field(drive, 4)
        .u32(0)
        .u32(partition)
        .u32(8)
        .u32(512)
        .u32(0)
        .i64(clusters / 3)
        .i64(clusters)
        .utf16_field("NTFS", 16)
        .u32(0)
        .u32(0)
        .0
}

fn network_payload() -> Vec<u8> {
    Payload::new()
        .u64(0x0000_20A1_3C00_5E00)
        .u32(6)
        .u32(4)
        .u32(4)
        .utf16("Contoso Gigabit Adapter")
        .utf16("10.0.0.20;2001:db8:1::20")
        .utf16("192.0.2.53;2001:db8:1::53")
        .0
}
