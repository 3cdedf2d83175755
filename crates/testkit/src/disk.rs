//! Disk transfers and the names of files.

use crate::emit::{Header, Payload, group};
use crate::machine::{DiskRequest, MICROSECOND, Machine, RAW_START, Upcoming};
use crate::moments::Seen;
use crate::script::DiskOp;
use crate::world::{Known, ThreadIndex};

/// FileIo opcodes that only give names.
pub(crate) mod name {
    pub(crate) const CREATE: u8 = 32;
    pub(crate) const RUNDOWN: u8 = 36;
}

impl Machine {
    pub(crate) fn disk_start(&mut self, cpu: usize, thread: ThreadIndex, op: DiskOp, file: usize, size: u32) {
        if self.world.files[file].known == Known::ByStart && !self.world.files[file].named {
            self.file_name(cpu, file, name::CREATE);
        }
        // Slots of request packets are used again, the lowest first.
        let packet = self.free_packets.pop_first().unwrap_or(0xFFFF_A38D_0FFF_0010);
        let opcode = match op {
            DiskOp::Read => 12,
            DiskOp::Write => 13,
            DiskOp::Flush => 15,
        };
        let (tid, pid) = (self.world.tid(thread), self.world.pid_of(thread));
        let payload = Payload::new().u64(packet).u32(tid);
        let header = Header::System { group: group::DISK_IO, opcode, version: 3, tid, pid };
        let started = self.log(cpu, header, payload.0);
        let ran = self.now - self.cpus[cpu].last_switch.unwrap_or(self.now);
        self.seen(started, cpu, thread, Seen::DiskStart { request: self.requests.len(), ran });
        let disk = self.world.files[file].disk as usize;
        let service = self.service_time(disk, op, file, size);
        let begin = self.now.max(self.disk_busy_until[disk]);
        // The solid-state disk serves several transfers at once.
        self.disk_busy_until[disk] = begin + if disk == 0 { service / 4 } else { service };
        let offset = self.world.files[file].offset + 4_096 * (self.random.next() % 2_048);
        let request = self.requests.len();
        self.requests.push(DiskRequest { op, thread, file, size, offset, started, packet });
        self.at(begin + service, Upcoming::DiskDone { request });
        self.tally.disk_start(op.name(), &self.world.program(thread));
    }

    /// The duration of the disk's own work, in ticks.
    fn service_time(&mut self, disk: usize, op: DiskOp, file: usize, size: u32) -> i64 {
        let microseconds = match (disk, op) {
            (0, DiskOp::Flush) => self.random.range(700, 2_600),
            // The table of orders lies scattered: one read in nine is slow.
            (0, DiskOp::Read) if file == self.places.orders && self.random.one_in(9) => {
                self.random.range(9_000, 26_000)
            }
            (0, DiskOp::Read) => self.random.range(70, 240) + i64::from(size) / 1_900,
            (0, DiskOp::Write) => self.random.range(40, 150) + i64::from(size) / 1_400,
            (_, DiskOp::Flush) => self.random.range(60_000, 140_000),
            // The head has to travel.
            (_, DiskOp::Write) if self.random.one_in(30) => self.random.range(140_000, 420_000),
            _ => self.random.range(4_000, 16_000) + i64::from(size) / 95,
        };
        microseconds * MICROSECOND
    }

    pub(crate) fn disk_done(&mut self, request: usize) {
        let DiskRequest { op, thread, file, size, offset, started, packet } = self.requests[request];
        // The interrupt of each disk goes to its own processor.
        let disk = self.world.files[file].disk;
        let cpu = if disk == 0 { 1 } else { 3 };
        // The completion is logged at the next tick; the response time counts up to it.
        let response = (RAW_START + self.now + 1 - started) as u64;
        let key = self.world.files[file].key;
        let tid = self.world.tid(thread);
        let payload = match op {
            DiskOp::Flush => Payload::new().u32(disk).u32(0x0006_0000).u64(response).u64(packet).u32(tid),
            _ => Payload::new()
                .u32(disk)
                .u32(if op == DiskOp::Read { 0x0006_0900 } else { 0x0006_0A01 })
                .u32(size)
                .u32(0)
                .u64(offset)
                .u64(key)
                .u64(packet)
                .u64(response)
                .u32(tid),
        };
        let opcode = match op {
            DiskOp::Read => 10,
            DiskOp::Write => 11,
            DiskOp::Flush => 14,
        };
        let time = self.log(cpu, Header::PerfInfo { group: group::DISK_IO, opcode, version: 3 }, payload.0);
        self.seen(time, cpu, thread, Seen::DiskDone { request });
        self.free_packets.insert(packet);
        let issuer = self.world.program(thread);
        let running = self.world.program(self.cpus[cpu].current);
        let file = &self.world.files[file];
        // A flush names no file; a file that no record names has no path.
        let path = match (op, file.known) {
            (DiskOp::Flush, _) | (_, Known::Never) => "",
            _ => &file.path,
        };
        self.tally.disk_done(op.name(), issuer, running, path, disk, size, response);
        self.make_ready(thread, cpu);
    }

    pub(crate) fn file_name(&mut self, cpu: usize, file: usize, opcode: u8) {
        let payload = Payload::new().u64(self.world.files[file].key).utf16(&self.world.files[file].path);
        self.log(cpu, Header::PerfInfo { group: group::FILE_IO, opcode, version: 2 }, payload.0);
        self.world.files[file].named = true;
        self.tally.count("file-names", 1);
    }

    /// Names: at the start for files open by then, at the end for all except those that are never
    /// named.
    pub(crate) fn file_rundown(&mut self, cpu: usize, start: bool) {
        for file in 0..self.world.files.len() {
            let known = self.world.files[file].known;
            let listed = if start {
                known == Known::AtStart
            } else {
                known == Known::AtEnd || (known != Known::Never && self.world.files[file].named)
            };
            if listed {
                self.file_name(cpu, file, name::RUNDOWN);
            }
        }
    }
}
