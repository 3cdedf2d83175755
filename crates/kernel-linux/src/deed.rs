//! What programs do to the process whose probe was hit: they send signals to it.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;

use tracewell_types::deed::{Calculation, Comparison, DONE, Origin, Step, Steps};
use tracewell_types::hit::{ARGUMENTS, REGISTERS};

use crate::asm::{Asm, Helper, If, Label, Op, Reg, Size};
use crate::maps::kind;
use crate::sys::{Map, MapSpec};

use Reg::{R0, R1, R2, R7, R9, R10};

/// Where the slots of a clause begin in the frame, below those of the other phrases.
const SLOTS: i16 = -160;
/// Bytes that a program with deeds needs in its record: which were done.
pub(crate) const SIZE: i32 = DONE as i32;
/// The highest signal with a name.
const MOST_SIGNAL: i32 = 31;
/// Places in the element of the gate: the run has begun and has not ended, and so has the watched program.
const LIVE: i16 = 0;
const BEGUN: i16 = 8;

/// What lets deeds through: those of a run happen from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Gate {
    map: Arc<Map>,
    /// The process that runs `dtrace`, to which nothing is done.
    own: u32,
}

impl Gate {
    /// Makes a gate that is closed. `begun` says that the watched program runs already, and `own` is this process.
    pub(crate) fn create(begun: bool, own: u32) -> io::Result<Gate> {
        let spec = MapSpec {
            kind: kind::ARRAY,
            key: 4,
            value: 16,
            entries: 1,
            name: "tw_gate",
            ..MapSpec::default()
        };
        let gate = Gate { map: Arc::new(Map::create(spec)?), own };
        gate.set(false, begun)?;
        Ok(gate)
    }

    /// A gate that no kernel has.
    #[cfg(test)]
    pub(crate) fn without_kernel(make: impl FnOnce(MapSpec<'_>) -> Map) -> Gate {
        let spec = MapSpec { kind: kind::ARRAY, key: 4, value: 16, entries: 1, ..MapSpec::default() };
        Gate { map: Arc::new(make(spec)), own: std::process::id() }
    }

    /// The element in which the gate is.
    #[cfg(test)]
    pub(crate) fn map(&self) -> &Map {
        &self.map
    }

    fn set(&self, live: bool, begun: bool) -> io::Result<()> {
        let mut value = [0; 16];
        value[0] = live.into();
        value[8] = begun.into();
        self.map.update(0, &value)
    }

    /// Lets deeds through once the watched program has begun; it must not have been let go yet if it is still to begin.
    pub fn open(&self) {
        let mut value = [0; 16];
        // Without its element no deed is done by a program; the reader then does them.
        if self.map.lookup(0, &mut value).is_ok() {
            let _ = self.set(true, value[8] != 0);
        }
    }

    /// Has a program note that the watched program begins.
    pub(crate) fn begin(&self, asm: &mut Asm) {
        asm.map_value(R1, self.map.as_fd());
        asm.store_imm(Size::D, R1, BEGUN, 1);
    }
}

/// Where the numbers of a place are in the record in `R7`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// Of an argument.
    pub(crate) argument: fn(usize) -> i16,
    /// Of the first register.
    pub(crate) registers: i16,
    /// Of the register with the result of a function.
    pub(crate) result: i16,
    /// Of the deeds that were done.
    pub(crate) done: i32,
    /// Registers are the arguments of a return, whose instruction is so many bytes from the start of its function.
    pub(crate) returns: Option<u64>,
}

fn slot(number: u8) -> i16 {
    SLOTS - 8 * i16::from(number)
}

/// Does the deeds of the clauses on a place, and stores in the record which were done.
pub(crate) fn add(asm: &mut Asm, gate: &Gate, clauses: &[Steps], places: &Places) {
    let out = asm.label();
    let done = places.done as i16;
    asm.store_imm(Size::D, R7, done, 0);
    asm.map_value(R9, gate.map.as_fd());
    for at in [LIVE, BEGUN] {
        asm.load(Size::D, R1, R9, at);
        asm.jump_if(If::Eq, R1, 0, out);
    }
    asm.call(Helper::PidTgid);
    asm.imm(Op::Shr, R0, 32);
    asm.jump_if(If::Eq, R0, gate.own.cast_signed(), out);
    for steps in clauses {
        clause(asm, steps, places, out);
    }
    asm.place(out);
}

/// The steps of one clause. `R9` is the element of the gate.
fn clause(asm: &mut Asm, steps: &[Step], places: &Places, out: Label) {
    let labels: Vec<Label> = (0..=steps.len()).map(|_| asm.label()).collect();
    let Some(&end) = labels.last() else { return };
    let to = |target: usize| labels.get(target).copied().unwrap_or(end);
    for (number, step) in steps.iter().enumerate() {
        asm.place(to(number));
        match *step {
            Step::Set(d, from) => {
                number_from(asm, from, places);
                asm.store(Size::D, R10, slot(d), R1);
            }
            Step::Calculate(d, calculation, a, b) => {
                asm.load(Size::D, R1, R10, slot(a));
                asm.load(Size::D, R2, R10, slot(b));
                let op = match calculation {
                    Calculation::Add => Op::Add,
                    Calculation::Subtract => Op::Sub,
                    Calculation::Multiply => Op::Mul,
                    Calculation::And => Op::And,
                    Calculation::Or => Op::Or,
                    Calculation::Xor => Op::Xor,
                    Calculation::ShiftLeft => Op::Shl,
                    Calculation::ShiftRight => Op::Shr,
                    Calculation::ShiftRightSigned => Op::Sar,
                };
                if matches!(op, Op::Shl | Op::Shr | Op::Sar) {
                    asm.imm(Op::And, R2, 63);
                }
                asm.reg(op, R1, R2);
                asm.store(Size::D, R10, slot(d), R1);
            }
            Step::Extend(d, a, bits, signed) => {
                asm.load(Size::D, R1, R10, slot(a));
                let unused = 64 - i32::from(bits.clamp(1, 64));
                asm.imm(Op::Shl, R1, unused);
                asm.imm(if signed { Op::Sar } else { Op::Shr }, R1, unused);
                asm.store(Size::D, R10, slot(d), R1);
            }
            Step::Jump(target) => asm.jump(to(target)),
            Step::JumpIf(comparison, a, b, target) => {
                asm.load(Size::D, R1, R10, slot(a));
                asm.load(Size::D, R2, R10, slot(b));
                let test = match comparison {
                    Comparison::Equal => If::Eq,
                    Comparison::NotEqual => If::Ne,
                    Comparison::Less => If::SLt,
                    Comparison::LessOrEqual => If::SLe,
                    Comparison::Below => If::Lt,
                    Comparison::BelowOrEqual => If::Le,
                };
                asm.jump_if_reg(test, R1, R2, to(target));
            }
            Step::Raise(deed, signal) => {
                let next = asm.label();
                asm.load(Size::D, R1, R10, slot(signal));
                // The reader reports what is not a signal.
                asm.jump_if(If::Eq, R1, 0, next);
                asm.jump_if(If::Gt, R1, MOST_SIGNAL, next);
                asm.call(Helper::SendSignal);
                asm.jump_if(If::Ne, R0, 0, next);
                note(asm, places.done as i16, deed);
                asm.place(next);
            }
            Step::Exit => {
                asm.store_imm(Size::D, R9, LIVE, 0);
                // The kernel refuses steps of other clauses that nothing leads to.
                asm.load(Size::D, R1, R9, LIVE);
                asm.jump_if(If::Eq, R1, 0, out);
            }
        }
    }
    asm.place(end);
}

/// Sets the bit of a deed in a word of the record.
fn note(asm: &mut Asm, at: i16, deed: u8) {
    asm.set_wide(R1, 1_u64.checked_shl(deed.into()).unwrap_or(0));
    asm.load(Size::D, R2, R7, at);
    asm.reg(Op::Or, R2, R1);
    asm.store(Size::D, R7, at, R2);
}

/// Leaves a number in `R1`.
fn number_from(asm: &mut Asm, from: Origin, places: &Places) {
    let register = |index: u8| places.registers + 8 * i16::from(index).min(REGISTERS as i16 - 1);
    match from {
        Origin::Number(number) => asm.set_wide(R1, number),
        Origin::Argument(index) => match (places.returns, index) {
            (Some(offset), 0) => asm.set_wide(R1, offset),
            (Some(_), 1) => asm.load(Size::D, R1, R7, places.result),
            (Some(_), _) => asm.set(R1, 0),
            (None, _) => {
                asm.load(Size::D, R1, R7, (places.argument)(usize::from(index).min(ARGUMENTS - 1)));
            }
        },
        Origin::Register(index) => asm.load(Size::D, R1, R7, register(index)),
        Origin::Process | Origin::Thread => {
            asm.call(Helper::PidTgid);
            asm.mov(R1, R0);
            if from == Origin::Thread {
                asm.imm(Op::Shl, R1, 32);
            }
            asm.imm(Op::Shr, R1, 32);
        }
    }
}
