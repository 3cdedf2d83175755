//! Finds the addresses of the kernel's functions by their names.
//!
//! The kernel finds a name in microseconds, while its table of symbols takes tens of milliseconds to read as text. A program
//! asks it, run once: its map holds an address for each name, and behind them the names.

use std::io;
use std::os::fd::AsFd;

use rustc_hash::FxHashMap;

use crate::asm::{Asm, Helper, If, Op, Reg};
use crate::sys::{self, Map, MapSpec, ProgramSpec};

use Reg::{R0, R1, R2, R3, R4, R6, R10};

/// A program that is run by a system call, and may sleep (linux/bpf.h).
const SYSCALL: u32 = 31;
const SLEEPABLE: u32 = 1 << 4;
/// A map whose elements have numbers.
const ARRAY: u32 = 2;

/// Returns the addresses of those names that the kernel has.
pub(crate) fn of<'a>(names: &[&'a str]) -> io::Result<FxHashMap<&'a str, u64>> {
    let mut contents = vec![0; 8 * names.len()];
    let mut asm = Asm::default();
    let out = asm.label();
    let places: Vec<(usize, usize)> = names
        .iter()
        .map(|name| {
            let start = contents.len();
            contents.extend(name.bytes().chain([0]));
            (start, name.len() + 1)
        })
        .collect();
    contents.resize(contents.len().next_multiple_of(8), 0);
    let map = Map::create(MapSpec {
        kind: ARRAY,
        key: 4,
        value: u32::try_from(contents.len()).map_err(io::Error::other)?,
        entries: 1,
        name: "tw_names",
        ..MapSpec::default()
    })?;
    map.update(0, &contents)?;

    asm.store_imm(crate::asm::Size::W, R10, -4, 0);
    asm.map(R1, map.as_fd());
    asm.mov(R2, R10);
    asm.imm(Op::Add, R2, -4);
    asm.call(Helper::MapLookup);
    asm.jump_if(If::Eq, R0, 0, out);
    asm.mov(R6, R0);
    for (index, (start, size)) in places.into_iter().enumerate() {
        asm.mov(R1, R6);
        asm.imm(Op::Add, R1, i32::try_from(start).map_err(io::Error::other)?);
        asm.set(R2, i32::try_from(size).map_err(io::Error::other)?);
        asm.set(R3, 0);
        asm.mov(R4, R6);
        asm.imm(Op::Add, R4, i32::try_from(8 * index).map_err(io::Error::other)?);
        asm.call(Helper::SymbolAddress);
    }
    asm.place(out);
    asm.set(R0, 0);
    asm.exit();
    let code = asm.finish().ok_or_else(|| io::Error::other("a jump is too far"))?;
    let spec =
        ProgramSpec { kind: SYSCALL, attach: 0, btf_id: 0, flags: SLEEPABLE, name: "tw_names", code: &code };
    let program = sys::program_load(spec, &mut [])?;
    sys::program_run(program.as_fd())?;

    map.lookup(0, &mut contents)?;
    let addresses =
        contents.chunks_exact(8).map(|word| word.first_chunk().map_or(0, |w| u64::from_ne_bytes(*w)));
    let found: FxHashMap<&str, u64> =
        names.iter().copied().zip(addresses).filter(|(_, address)| *address != 0).collect();
    match found.is_empty() && !names.is_empty() {
        true => Err(io::ErrorKind::PermissionDenied.into()),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_16_the_kernel_finds_what_its_table_has() {
        let names = ["_stext", "_etext", "run_timer_softirq", "no_such_symbol_16"];
        let Ok(found) = of(&names) else {
            tracewell_corpus::skip(
                "CAP_BPF",
                "the kernel's addresses need CAP_BPF, CAP_PERFMON and CAP_SYSLOG",
            );
            return;
        };
        assert_eq!(found, crate::machine::symbols_of_table(&names));
        assert!(found.len() == 3 && found["_stext"] < found["_etext"], "{found:?}");
    }
}
