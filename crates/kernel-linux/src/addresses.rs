//! Finds the addresses of the kernel's functions by their names.
//!
//! The kernel finds a name in microseconds, while its table of symbols takes tens of milliseconds to read as text. A program
//! asks it, run once: its map holds an address for each name, and behind them the names.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustc_hash::FxHashMap;

use crate::asm::{Asm, Helper, If, Op, Reg};
use crate::maps::kind;
use crate::sys::{self, Map, MapSpec, ProgramSpec};

use Reg::{R0, R1, R2, R3, R4, R6, R10};

/// A program that is run by a system call, and may sleep (linux/bpf.h).
const SYSCALL: u32 = 31;
const SLEEPABLE: u32 = 1 << 4;

/// What is asked, and what asks.
struct Question {
    /// The element of the map: room for an address of each name, and behind them the names, each with a NUL.
    contents: Vec<u8>,
    /// Where each name is, and its bytes with the NUL.
    places: Vec<(usize, usize)>,
}

impl Question {
    fn of(names: &[&str]) -> Question {
        let mut contents = vec![0; 8 * names.len()];
        let places = names.iter().map(|name| {
            let start = contents.len();
            contents.extend(name.bytes().chain([0]));
            (start, name.len() + 1)
        });
        let places = places.collect();
        contents.resize(contents.len().next_multiple_of(8), 0);
        Question { contents, places }
    }

    /// The map for it.
    fn map(&self) -> io::Result<MapSpec<'static>> {
        let value = u32::try_from(self.contents.len()).map_err(io::Error::other)?;
        Ok(MapSpec { kind: kind::ARRAY, key: 4, value, entries: 1, name: "tw_names", ..MapSpec::default() })
    }

    /// The program that writes the addresses into the map.
    fn program(&self, map: BorrowedFd<'_>) -> io::Result<Vec<u64>> {
        let mut asm = Asm::default();
        let out = asm.label();
        asm.store_imm(crate::asm::Size::W, R10, -4, 0);
        asm.map(R1, map);
        asm.mov(R2, R10);
        asm.imm(Op::Add, R2, -4);
        asm.call(Helper::MapLookup);
        asm.jump_if(If::Eq, R0, 0, out);
        asm.mov(R6, R0);
        for (index, (start, size)) in self.places.iter().enumerate() {
            asm.mov(R1, R6);
            asm.imm(Op::Add, R1, i32::try_from(*start).map_err(io::Error::other)?);
            asm.set(R2, i32::try_from(*size).map_err(io::Error::other)?);
            asm.set(R3, 0);
            asm.mov(R4, R6);
            asm.imm(Op::Add, R4, i32::try_from(8 * index).map_err(io::Error::other)?);
            asm.call(Helper::SymbolAddress);
        }
        asm.place(out);
        asm.set(R0, 0);
        asm.exit();
        asm.finish().ok_or_else(|| io::Error::other("a jump is too far"))
    }
}

/// The names that have an address in the element.
fn answer<'a>(names: &[&'a str], contents: &[u8]) -> FxHashMap<&'a str, u64> {
    let addresses =
        contents.chunks_exact(8).map(|word| word.first_chunk().map_or(0, |w| u64::from_ne_bytes(*w)));
    names.iter().copied().zip(addresses).filter(|(_, address)| *address != 0).collect()
}

/// Returns the addresses of those names that the kernel has.
pub(crate) fn of<'a>(names: &[&'a str]) -> io::Result<FxHashMap<&'a str, u64>> {
    let mut question = Question::of(names);
    let map = Map::create(question.map()?)?;
    map.update(0, &question.contents)?;
    let code = question.program(map.as_fd())?;
    let spec =
        ProgramSpec { kind: SYSCALL, attach: 0, btf_id: 0, flags: SLEEPABLE, name: "tw_names", code: &code };
    let program = sys::program_load(spec, &mut [])?;
    sys::program_run(program.as_fd())?;
    map.lookup(0, &mut question.contents)?;
    let found = answer(names, &question.contents);
    match found.is_empty() && !names.is_empty() {
        true => Err(io::ErrorKind::PermissionDenied.into()),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use tracewell_corpus::Random;

    use super::*;
    use crate::interpreter::Machine;

    /// What the program finds in a kernel with these symbols.
    fn found<'a>(machine: &mut Machine, names: &[&'a str]) -> FxHashMap<&'a str, u64> {
        let question = Question::of(names);
        let map = machine.map(question.map().unwrap());
        machine.set(&map, &[0; 4], &question.contents);
        machine.run(&question.program(map.as_fd()).unwrap(), &[]);
        let contents = machine.get(&map, &[0; 4]).unwrap();
        assert_eq!(contents.len() % 8, 0, "the kernel pads elements to words");
        assert_eq!(contents[8 * names.len()..], question.contents[8 * names.len()..], "the names stay");
        answer(names, &contents)
    }

    #[test]
    fn issue_23_the_program_finds_what_the_kernel_has() {
        let mut random = Random::default();
        for round in 0..200 {
            let mut machine = Machine::default();
            machine.sleeps = true;
            // Names that others begin with, of all lengths.
            let names: Vec<String> =
                (0..round % 13).map(|number| "abcdefghijklm_x"[..=number].to_owned()).collect();
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            if round % 2 == 0 {
                names.reverse();
            }
            let mut expected = FxHashMap::default();
            for name in &names {
                // An address has bits in both halves.
                let address = random.bits() | 1 << 63 | 1;
                if random.bits() % 3 != 0 {
                    machine.symbols.insert((*name).to_owned(), address);
                    expected.insert(*name, address);
                }
            }
            machine.symbols.insert("abcdefghijklm_x_of_none".to_owned(), 7);
            assert_eq!(found(&mut machine, &names), expected, "{names:?}");
            // A kernel that shows no addresses to this process.
            machine.hides_symbols = true;
            assert_eq!(found(&mut machine, &names), FxHashMap::default());
        }
    }

    #[test]
    fn issue_23_more_names_than_a_jump_reaches_are_refused() {
        let machine = &mut Machine::default();
        let refused = |machine: &mut Machine, count| {
            let question = Question::of(&vec!["a"; count]);
            let map = machine.map(question.map().unwrap());
            question.program(map.as_fd()).err().map(|error| error.to_string())
        };
        // Seven instructions for each name, and one before them.
        assert_eq!(refused(machine, (i16::MAX as usize - 1) / 7), None);
        assert_eq!(refused(machine, (i16::MAX as usize - 1) / 7 + 1).as_deref(), Some("a jump is too far"));
    }

    /// Whether a kernel of this release has programs that ask it, and the function they call.
    fn is_able(release: &str) -> bool {
        let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (5_u32, 16_u32)
    }

    #[test]
    fn issue_16_the_kernel_finds_what_its_table_has() {
        let names = ["_stext", "_etext", "run_timer_softirq", "no_such_symbol_16"];
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let found = match of(&names) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return tracewell_corpus::skip(
                    "CAP_BPF",
                    "the kernel's addresses need CAP_BPF, CAP_PERFMON and CAP_SYSLOG",
                );
            }
            Err(error) if !is_able(&release) || error.raw_os_error() == Some(libc::ENOSYS) => {
                return tracewell_corpus::skip(
                    "linux-5.16",
                    &format!("the kernel {} answers no such program: {error}", release.trim()),
                );
            }
            Err(error) => panic!("the kernel refuses the program: {error}"),
        };
        assert_eq!(found, crate::machine::symbols_of_table(&names));
        assert!(found.len() == 3 && found["_stext"] < found["_etext"], "{found:?}");
    }
}
