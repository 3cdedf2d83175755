//! The processes that are watched when children are followed: the kernel keeps their numbers up to date by itself, so that not even the
//! first call of a child is missed.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use crate::asm::{Asm, Helper, If, Label, Op, Reg, Size};
use crate::btf::Btf;
use crate::error::Error;
use crate::machine;
use crate::maps::kind;
use crate::sys::{self, Map, MapSpec, ProgramSpec, RAW_TRACEPOINT};

use Reg::{R0, R1, R2, R3, R4, R6, R10};

/// Maximum number of processes that one run follows, those that have ended among them.
const MOST: u32 = 1 << 16;
/// Places on the stack of a program: the number of a process, and what the map has of it.
const PID: i16 = -4;
const VALUE: i16 = -8;

/// The processes that are watched.
#[derive(Debug)]
pub(crate) struct Followed {
    pids: Map,
    /// Children for which there was no place.
    missed: Map,
    _program: OwnedFd,
    _link: OwnedFd,
}

impl Followed {
    /// Follows a process and all that it, and these, start from now on.
    pub(crate) fn new(pid: u32) -> Result<Followed, Error> {
        let types = machine::btf().map_err(|error| Error::of("read the kernel's types", error))?;
        let btf = Btf::parse(types.bytes()).map_err(|error| Error::Types(error.to_string()))?;
        let number = btf.field("task_struct.tgid").map_err(|error| Error::Types(error.to_string()))?;
        let making = |error| Error::of("make a map of processes", error);
        let map = |kind, value, entries, name| {
            Map::create(MapSpec { kind, key: 4, value, entries, name, ..MapSpec::default() }).map_err(making)
        };
        let (pids, missed) = (map(kind::HASH, 4, MOST, "tw_followed")?, map(kind::ARRAY, 8, 1, "tw_missed")?);
        pids.update(pid, &1_u32.to_ne_bytes()).map_err(making)?;
        let failed = |error| Error::of("follow processes", error);
        let code = program(&pids, &missed, number.offset)
            .ok_or_else(|| failed(io::Error::other("a jump leads nowhere")))?;
        let spec = ProgramSpec {
            kind: RAW_TRACEPOINT,
            attach: 0,
            btf_id: 0,
            flags: 0,
            name: "tw_follow",
            code: &code,
        };
        let program = sys::program_load(spec, &mut []).map_err(failed)?;
        let link = sys::raw_tracepoint_open(Some(c"task_newtask"), program.as_fd()).map_err(failed)?;
        Ok(Followed { pids, missed, _program: program, _link: link })
    }

    /// Leaves a program, by `out`, in a process that is not followed. Uses the registers of a call.
    pub(crate) fn check(&self, asm: &mut Asm, out: Label) {
        current(asm, &self.pids);
        asm.jump_if(If::Eq, R0, 0, out);
    }

    /// Number of children that could not be followed.
    pub(crate) fn missed(&self) -> u64 {
        let mut count = [0; 8];
        self.missed.lookup(0, &mut count).map_or(0, |()| u64::from_ne_bytes(count))
    }
}

/// Looks for this process in a map.
fn current(asm: &mut Asm, pids: &Map) {
    asm.call(Helper::PidTgid);
    asm.imm(Op::Shr, R0, 32);
    asm.store(Size::W, R10, PID, R0);
    entry(asm, pids);
    asm.call(Helper::MapLookup);
}

/// Map and key for a helper.
fn entry(asm: &mut Asm, map: &Map) {
    asm.map(R1, map.as_fd());
    asm.mov(R2, R10);
    asm.imm(Op::Add, R2, PID.into());
}

/// The program for each new thread: a child of a followed process is followed, and no other, so that a number that is used again means
/// another process.
fn program(pids: &Map, missed: &Map, number: i16) -> Option<Vec<u64>> {
    let mut asm = Asm::default();
    let (other, out) = (asm.label(), asm.label());
    asm.load(Size::D, R6, R1, 0);
    current(&mut asm, pids);
    asm.store(Size::D, R10, -16, R0);
    // The number of the child's process.
    asm.mov(R1, R10);
    asm.imm(Op::Add, R1, PID.into());
    asm.set(R2, 4);
    asm.mov(R3, R6);
    asm.imm(Op::Add, R3, number.into());
    asm.call(Helper::ReadKernel);
    asm.load(Size::D, R1, R10, -16);
    asm.jump_if(If::Eq, R1, 0, other);
    asm.store_imm(Size::W, R10, VALUE, 1);
    entry(&mut asm, pids);
    asm.mov(R3, R10);
    asm.imm(Op::Add, R3, VALUE.into());
    asm.set(R4, 0);
    asm.call(Helper::MapUpdate);
    asm.jump_if(If::Eq, R0, 0, out);
    asm.store_imm(Size::W, R10, PID, 0);
    entry(&mut asm, missed);
    asm.call(Helper::MapLookup);
    asm.jump_if(If::Eq, R0, 0, out);
    asm.set(R1, 1);
    asm.add_atomic(R0, 0, R1);
    asm.jump(out);
    asm.place(other);
    entry(&mut asm, pids);
    asm.call(Helper::MapDelete);
    asm.place(out);
    asm.set(R0, 0);
    asm.exit();
    asm.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreter::Machine;
    use crate::made_kernel::Kernel;

    impl Followed {
        /// Maps without a kernel, with room for so many processes.
        pub(crate) fn without_kernel(machine: &mut Machine, room: u32) -> Followed {
            let fd = || std::fs::File::open("/dev/null").unwrap().into();
            let hash = MapSpec { kind: kind::HASH, key: 4, value: 4, entries: room, ..MapSpec::default() };
            let array = MapSpec { kind: kind::ARRAY, key: 4, value: 8, entries: 1, ..MapSpec::default() };
            let (pids, missed) = (machine.map(hash), machine.map(array));
            Followed { pids, missed, _program: fd(), _link: fd() }
        }

        /// Follows a process.
        pub(crate) fn add(&self, machine: &mut Machine, pid: u32) {
            machine.set(&self.pids, &pid.to_le_bytes(), &1_u32.to_le_bytes());
        }

        fn pids(&self, machine: &Machine) -> Vec<u32> {
            let number = |key: Vec<u8>| u32::from_le_bytes(key.try_into().unwrap());
            let mut pids: Vec<u32> = machine.keys(&self.pids).into_iter().map(number).collect();
            pids.sort_unstable();
            pids
        }
    }

    #[test]
    fn issue_23_children_of_followed_processes_are_followed_and_no_others() {
        let mut kernel = Kernel::default();
        let followed = Followed::without_kernel(&mut kernel.machine, 4);
        followed.add(&mut kernel.machine, 10);
        // A child for which there is no room changes none of the others, the first one of the system neither.
        let system = 0;
        followed.add(&mut kernel.machine, system);
        let types = crate::made_kernel::btf(&[]);
        let number = Btf::parse(&types).unwrap().field("task_struct.tgid").unwrap();
        let code = program(&followed.pids, &followed.missed, number.offset).unwrap();
        // Parent, child, then the processes that are followed, and the number of children that were missed.
        let steps: [(u32, u32, &[u32], u64); 8] = [
            (9, 20, &[0, 10], 0),
            (10, 11, &[0, 10, 11], 0),
            // A thread, which is not a process.
            (11, 11, &[0, 10, 11], 0),
            (11, 12, &[0, 10, 11, 12], 0),
            (10, 13, &[0, 10, 11, 12], 1),
            (12, 14, &[0, 10, 11, 12], 2),
            // The number is used again, by a process that is not followed.
            (9, 11, &[0, 10, 12], 2),
            (10, 15, &[0, 10, 12, 15], 2),
        ];
        for (parent, child, pids, missed) in steps {
            kernel.machine.pid = parent;
            kernel.machine.tid = 10;
            let task = kernel.object("task_struct", &[("pid", 10), ("tgid", child.into())]);
            kernel.machine.run(&code, &[task, 0]);
            assert_eq!(followed.pids(&kernel.machine), pids, "{parent} starts {child}");
            let count = kernel.machine.get(&followed.missed, &[0; 4]).unwrap();
            assert_eq!(count, missed.to_le_bytes(), "{parent} starts {child}");
        }
    }
}
