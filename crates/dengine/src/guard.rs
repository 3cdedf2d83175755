//! Guards: tests at the head of a clause that need no interpreter.
//!
//! Most predicates are chains of comparisons of an argument or a built-in variable with a constant, and most
//! firings fail at the first of them. A comparison with a constant asks whether the value lies in a range of the
//! circle of 64-bit numbers, so one subtraction and one comparison decide each of them.

use crate::host::Host;
use crate::interp::Registers;
use crate::state::Firing;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::{Inst, Op};

/// A value that is compared with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// An argument of the probe.
    Arg(u32),
    /// A built-in variable.
    Builtin(BuiltinVar),
}

/// A test that a firing passes when a value lies in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    source: Source,
    /// The range's first number.
    low: u64,
    /// Number of further values in the range, wrapping around if necessary.
    span: u64,
    /// The register that holds the value from then on, as the code behind the guards may expect.
    register: u8,
}

impl Guard {
    /// The guard that a pair of instructions amounts to: a value is loaded, and a comparison of it with a
    /// constant leads to `exit` if the test fails.
    fn of(load: Inst, jump: Inst, exit: i32) -> Option<Guard> {
        let source = match load.op {
            Op::LdArg => Source::Arg(u32::try_from(load.imm).ok()?),
            Op::LdB => Source::Builtin(BuiltinVar::from_number(u16::try_from(load.imm).ok()?)?),
            _ => return None,
        };
        if !jump.is_jump() || jump.a != load.d || jump.imm != exit {
            return None;
        }
        let constant = i64::from(jump.short());
        let unsigned = constant as u64;
        const LEAST: u64 = i64::MIN as u64;
        // The numbers for which the jump is not taken.
        let (low, past) = match jump.op {
            Op::Jz => (1, 0),
            Op::Jnz => (0, 1),
            Op::JEqI => (unsigned.wrapping_add(1), unsigned),
            Op::JNeI => (unsigned, unsigned.wrapping_add(1)),
            Op::JSltI => (unsigned, LEAST),
            Op::JSgeI => (LEAST, unsigned),
            Op::JUltI if constant != 0 => (unsigned, 0),
            Op::JUgeI if constant != 0 => (0, unsigned),
            _ => return None,
        };
        Some(Guard { source, low, span: past.wrapping_sub(low).wrapping_sub(1), register: load.d })
    }

    /// The guards at the head of code whose failed predicate jumps to `exit`.
    pub(crate) fn all(predicate: &[Inst], exit: i32) -> Vec<Guard> {
        predicate.as_chunks::<2>().0.iter().map_while(|[load, jump]| Guard::of(*load, *jump, exit)).collect()
    }

    /// Number of instructions that a guard replaces.
    pub(crate) const INSTRUCTIONS: usize = 2;

    /// Returns whether a firing passes.
    #[inline]
    pub(crate) fn holds<H: Host>(&self, firing: &Firing, host: &mut H, regs: &mut Registers) -> Passed {
        let value = match self.source {
            Source::Arg(n) => match firing.arg(n, host) {
                Some(value) => value,
                None => return Passed::Fault,
            },
            Source::Builtin(var) => firing.builtin(var, host),
        };
        regs[usize::from(self.register)] = value;
        if value.wrapping_sub(self.low) <= self.span { Passed::Yes } else { Passed::No }
    }
}

/// The outcome of guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    Yes,
    No,
    /// A value could not be decoded: the interpreter faults where it reads it.
    Fault,
}

/// Returns whether a firing passes all of these.
#[inline(never)]
pub(crate) fn pass<H: Host>(guards: &[Guard], firing: &Firing, host: &mut H, regs: &mut Registers) -> Passed {
    for guard in guards {
        match guard.holds(firing, host, regs) {
            Passed::Yes => {}
            other => return other,
        }
    }
    Passed::Yes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;
    use tracewell_dlang::program::ProbeId;

    struct One(u64);
    impl Host for One {
        fn builtin(&mut self, _: ProbeId, _: BuiltinVar) -> u64 {
            self.0
        }
        fn arg(&mut self, _: u32) -> Option<u64> {
            Some(self.0)
        }
    }

    /// The interpreter's result for the same jump.
    fn taken(jump: Inst, value: u64) -> bool {
        let c = i64::from(jump.short());
        match jump.op {
            Op::Jz => value == 0,
            Op::Jnz => value != 0,
            Op::JEqI => value as i64 == c,
            Op::JNeI => value as i64 != c,
            Op::JSltI => (value as i64) < c,
            Op::JSgeI => value as i64 >= c,
            Op::JUltI => value < c as u64,
            _ => value >= c as u64,
        }
    }

    #[test]
    fn a_guard_decides_as_the_jump_it_replaces() {
        let load = Inst { op: Op::LdArg, d: 3, a: 0, b: 0, imm: 1 };
        let mut regs = [0; 256];
        let firing = Firing::NONE;
        let edges = [0, 1, 2, 6, 7, 8, 32767, 32768, u64::MAX, u64::MAX - 1, u64::MAX - 7];
        let values: Vec<u64> =
            edges.into_iter().flat_map(|v| [v, v ^ 1 << 63, v.wrapping_add(1 << 40)]).collect();
        let mut guards = 0;
        for op in [Op::Jz, Op::Jnz, Op::JEqI, Op::JNeI, Op::JSltI, Op::JSgeI, Op::JUltI, Op::JUgeI] {
            for short in [0, 1, 7, -1, -7, i16::MAX, i16::MIN] {
                let short = if matches!(op, Op::Jz | Op::Jnz) { 0 } else { short };
                let jump = Inst { a: 3, imm: 9, ..Inst::new(op) }.with_short(short);
                let Some(guard) = Guard::of(load, jump, 9) else {
                    assert!(short == 0 && matches!(op, Op::JUltI | Op::JUgeI), "{jump:?}");
                    continue;
                };
                guards += 1;
                for &value in &values {
                    let holds = guard.holds(&firing, &mut One(value), &mut regs);
                    assert_eq!(holds == Passed::Yes, !taken(jump, value), "{jump:?} {value:#x}");
                    assert_eq!(regs[3], value);
                }
            }
        }
        assert_eq!(guards, 8 * 7 - 2);
    }

    #[test]
    fn only_chains_that_lead_out_are_guards() {
        let load = |d| Inst { op: Op::LdB, d, imm: i32::from(BuiltinVar::Pid as u16), ..Inst::new(Op::LdB) };
        let jump = |a, imm| Inst { a, imm, ..Inst::new(Op::JNeI) }.with_short(5);
        let count = |code: &[Inst]| Guard::all(code, 9).len();
        assert_eq!(count(&[load(0), jump(0, 9), load(1), jump(1, 9)]), 2);
        assert_eq!(count(&[load(0), jump(0, 9), load(1), jump(0, 9)]), 1, "another register");
        assert_eq!(count(&[load(0), jump(0, 4), load(1), jump(1, 9)]), 0, "not to the exit");
        assert_eq!(count(&[load(0), jump(0, 9), load(1)]), 1, "a load alone");
        assert_eq!(count(&[Inst { op: Op::LdG, ..load(0) }, jump(0, 9)]), 0);
    }
}
