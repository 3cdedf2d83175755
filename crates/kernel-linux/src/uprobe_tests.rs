//! Runs the programs of places over made registers and memory, and compares the hits with what these have.

use tracewell_corpus::Random;

use super::*;
use crate::interpreter::Machine;

/// Memory of a process: two pages in a row, one alone, one that has to be waited for, and its stack.
const PAGES: u64 = 0x7F00_0000_0000;
const ALONE: u64 = 0x7F00_0010_0000;
const LATE: u64 = 0x7F00_0020_0000;
const STACK: u64 = 0x7FFE_0000_0F00;

/// The process that is hit.
struct Process {
    machine: Machine,
    memory: Vec<(u64, Vec<u8>)>,
    ring: Map,
    lost: Map,
    random: Random,
}

impl Process {
    fn new(seed: u64, sleeps: bool) -> Process {
        let mut machine = Machine::default();
        (machine.sleeps, machine.cpu, machine.cookie) = (sleeps, 3, 0xC00C_1E00_1122_3344);
        let mut random = Random(seed);
        let mut memory = Vec::new();
        for (at, size) in [(PAGES, 8192), (ALONE, 4096), (LATE, 4096), (STACK, 256)] {
            let mut bytes: Vec<u8> = (0..size).map(|_| random.bits() as u8).collect();
            // Words that lead to memory.
            for (index, place) in [(0, PAGES + 0x100), (1, ALONE + 4000), (2, LATE + 8), (3, 5)] {
                bytes[8 * index..][..8].copy_from_slice(&u64::to_le_bytes(place));
            }
            if at == LATE {
                machine.absent(at, &bytes)
            } else {
                machine.user(at, &bytes)
            }
            memory.push((at, bytes));
        }
        machine.user_stack = Some((0..200).map(|frame| 0x5500_0000_0000 + frame).collect());
        let spec = MapSpec { kind: kind::RING, entries: RING_SIZE, ..MapSpec::default() };
        let ring = machine.map(spec);
        let spec = MapSpec { kind: kind::ARRAY, key: 4, value: 8, entries: 1, ..MapSpec::default() };
        let lost = machine.map(spec);
        Process { machine, memory, ring, lost, random }
    }

    fn any(&mut self) -> u64 {
        self.random.bits()
    }

    /// An address, or any number.
    fn place(&mut self) -> u64 {
        let places = [
            PAGES,
            PAGES + 8,
            PAGES + 16,
            PAGES + 4000,
            PAGES + 8192 - 256,
            PAGES + 8192 - 255,
            PAGES + 8191,
            ALONE + 3841,
            LATE,
            LATE + 4090,
            STACK,
            0,
        ];
        let any = self.any();
        places.get((any >> 8) as usize % 14).copied().unwrap_or(any)
    }

    fn registers(&mut self) -> [u64; REGISTERS] {
        let mut registers = [0; REGISTERS].map(|_: u64| self.place());
        registers[SP_REGISTER] = STACK;
        registers
    }

    /// The bytes at an address, if they are all there.
    fn bytes(&self, address: u64, size: usize) -> Option<&[u8]> {
        self.memory.iter().find_map(|(at, bytes)| {
            let start = usize::try_from(address.checked_sub(*at)?).ok()?;
            bytes.get(start..start.checked_add(size)?)
        })
    }

    fn word(&self, address: u64) -> Option<u64> {
        self.bytes(address, 8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
    }

    /// The memory that a pointer leads to: a whole piece, or the rest of its page if that is shorter.
    fn piece(&self, address: u64) -> Option<Vec<u8>> {
        let rest = 4096 - (address % 4096) as usize;
        let whole = self.bytes(address, PIECE);
        whole.or_else(|| self.bytes(address, rest).filter(|_| rest < PIECE)).map(<[u8]>::to_vec)
    }

    /// Runs a program; returns the bytes of the hit.
    fn hit(
        &mut self,
        followed: Option<&Followed>,
        when: (When, Option<&[Operand]>),
        capture: &Capture,
        registers: [u64; REGISTERS],
    ) -> Option<Vec<u8>> {
        let doing = Doing { operands: when.1.map(<[Operand]>::to_vec), ..Doing::default() };
        let shared = Shared { ring: &self.ring, lost: &self.lost, followed, gate: None };
        let code = program(&shared, (when.0, &doing), capture).unwrap();
        self.machine.run(&code, &registers);
        self.machine.records.pop().map(|record| record.bytes)
    }

    fn lost(&mut self) -> u64 {
        u64::from_le_bytes(self.machine.get(&self.lost, &[0; 4]).unwrap().try_into().unwrap())
    }
}

fn any_reaches(process: &mut Process) -> Vec<Reach> {
    (0..process.any() % 3)
        .map(|_| Reach {
            argument: (process.any() % 11) as u8,
            steps: (0..process.any() % 3).map(|_| [0, 8, 16, 24][(process.any() % 4) as usize]).collect(),
            last: [0, 3, -8, 4096, i64::MIN][(process.any() % 5) as usize],
        })
        .collect()
}

/// What a reach finds: the last address, and the memory there.
fn reached(process: &Process, reach: &Reach, arguments: [u64; ARGUMENTS]) -> Option<(u64, Vec<u8>)> {
    let mut at = arguments[usize::from(reach.argument).min(ARGUMENTS - 1)];
    for step in &reach.steps {
        at = process.word(at.wrapping_add_signed(*step))?;
    }
    at = at.wrapping_add_signed(reach.last);
    Some((at, process.piece(at)?))
}

#[test]
fn issue_23_hits_have_registers_arguments_stack_and_memory() {
    let mut seen = [0; 3];
    for round in 0..600 {
        let mut process = Process::new(round, true);
        let capture = Capture {
            bare: false,
            stacks: round & 1 != 0,
            memory: round & 2 != 0,
            reaches: any_reaches(&mut process),
            ..Capture::default()
        };
        let when = if round & 4 == 0 { When::Before } else { When::Return };
        let registers = process.registers();
        let time = process.machine.clock;
        let bytes = process.hit(None, (when, None), &capture, registers).unwrap();
        let hit = Hit { bytes: &bytes, capture: &capture };
        assert_eq!((hit.time(), hit.thread(), hit.cpu()), (time, (700, 701), 3));
        assert_eq!(hit.cookie(), 0xC00C_1E00_1122_3344);
        assert_eq!(hit.registers(), registers);
        assert_eq!(Some(hit.top()), process.word(STACK));
        let mut arguments = [0; ARGUMENTS];
        match when {
            // di, si, dx, cx, r8, r9; the others lie above the return address.
            When::Before => {
                for (place, register) in arguments.iter_mut().zip([14, 13, 12, 11, 9, 8]) {
                    *place = registers[register];
                }
                for (index, place) in (0..).zip(&mut arguments[6..]) {
                    *place = process.word(STACK + 8 + 8 * index).unwrap();
                }
            }
            When::Return => arguments[1] = registers[10],
        }
        assert_eq!(hit.arguments(), arguments);
        let frames = if capture.stacks { FRAMES as u64 } else { 0 };
        assert!(hit.frames().eq((0..frames).map(|frame| 0x5500_0000_0000 + frame)));
        let pointers: &[usize] = match when {
            When::Before => &[0, 1, 2, 3, 4, 5],
            When::Return => &[1],
        };
        let pointers = pointers.iter().filter(|_| capture.memory);
        let mut expected: Vec<(u64, Vec<u8>)> = pointers
            .filter_map(|index| Some((arguments[*index], process.piece(arguments[*index])?)))
            .collect();
        expected.extend(capture.reaches.iter().filter_map(|reach| reached(&process, reach, arguments)));
        for (_, piece) in &expected {
            seen[if piece.len() == PIECE { 0 } else { 1 }] += 1;
        }
        seen[2] += capture.reaches.len();
        let memory: Vec<_> = hit.memory(when).map(|(at, bytes)| (at, bytes.to_vec())).collect();
        assert_eq!(memory, expected, "{capture:?}");
        assert_eq!(process.lost(), 0);
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

#[test]
fn issue_23_a_bare_hit_is_only_where_and_when() {
    let mut process = Process::new(1, false);
    let capture = Capture { bare: true, stacks: true, memory: true, ..Capture::default() };
    let registers = process.registers();
    let bytes = process.hit(None, (When::Before, None), &capture, registers).unwrap();
    let hit = Hit { bytes: &bytes, capture: &capture };
    assert_eq!((bytes.len(), hit.thread(), hit.cpu()), (32, (700, 701), 3));
    assert_eq!((hit.registers(), hit.top(), hit.frames().count()), ([0; REGISTERS], 0, 0));
}

#[test]
fn issue_23_stacks_that_are_not_there_have_no_frames() {
    let mut process = Process::new(1, false);
    process.machine.user_stack = None;
    let capture = Capture { stacks: true, ..Capture::default() };
    let mut registers = process.registers();
    registers[SP_REGISTER] = 64;
    let bytes = process.hit(None, (When::Before, None), &capture, registers).unwrap();
    let hit = Hit { bytes: &bytes, capture: &capture };
    assert_eq!((hit.frames().count(), hit.top()), (0, 0));
    assert_eq!(hit.arguments()[6..], [0; 4]);
}

fn any_operand(process: &mut Process) -> Operand {
    let mut small = |most: u64| process.any() % most;
    let register = |number: u64| number as u8;
    let place = match small(4) {
        0 => operand::Place::Constant(small(u64::MAX).cast_signed()),
        1 => operand::Place::Register { register: register(small(21)), high: small(3) == 0 },
        2 => operand::Place::Unreadable,
        _ => operand::Place::Memory {
            base: (small(4) != 0).then(|| register(small(21))),
            index: (small(3) == 0).then(|| (register(small(21)), small(4) as u8)),
            displacement: [0, 8, -8, PAGES.cast_signed()][small(4) as usize],
        },
    };
    Operand { size: [1, 2, 4, 8][small(4) as usize], signed: small(2) == 0, float: false, place }
}

/// The value of an operand; 0 where it cannot be read.
fn value(process: &Process, operand: &Operand, registers: [u64; REGISTERS]) -> u64 {
    let size = usize::from(operand.size);
    let mut bytes = [0; 8];
    match operand.place {
        operand::Place::Unreadable => return 0,
        operand::Place::Constant(value) => bytes = value.to_le_bytes(),
        operand::Place::Register { register, high } => {
            let skipped = usize::from(high);
            let register = registers[usize::from(register)].to_le_bytes();
            bytes[..8 - skipped].copy_from_slice(&register[skipped..]);
        }
        operand::Place::Memory { base, index, displacement } => {
            let of = |register: u8| registers[usize::from(register)];
            let mut at = displacement.cast_unsigned().wrapping_add(base.map_or(0, of));
            at = at.wrapping_add(index.map_or(0, |(index, shift)| of(index).wrapping_mul(1 << shift)));
            match process.bytes(at, size) {
                Some(read) => bytes[..size].copy_from_slice(read),
                None => return 0,
            }
        }
    }
    let sign = operand.signed && bytes[size - 1] >= 0x80;
    bytes[size..].fill(if sign { 0xFF } else { 0 });
    u64::from_le_bytes(bytes)
}

#[test]
fn issue_23_described_arguments_have_their_values() {
    for round in 0..600 {
        let mut process = Process::new(round, true);
        let operands: Vec<Operand> = (0..process.any() % 13).map(|_| any_operand(&mut process)).collect();
        let capture = Capture { memory: round & 1 != 0, ..Capture::default() };
        let mut registers = process.registers();
        registers[3] = (process.any() % 5) * 8;
        let bytes = process.hit(None, (When::Before, Some(&operands)), &capture, registers).unwrap();
        let hit = Hit { bytes: &bytes, capture: &capture };
        let mut expected = [0; ARGUMENTS];
        for (place, operand) in expected.iter_mut().zip(&operands) {
            *place = value(&process, operand, registers);
        }
        assert_eq!(hit.arguments(), expected, "{operands:?}");
        let pieces = expected[..6].iter().filter(|_| capture.memory);
        let pieces: Vec<_> = pieces.filter_map(|at| Some((*at, process.piece(*at)?))).collect();
        let memory: Vec<_> = hit.memory(When::Before).map(|(at, bytes)| (at, bytes.to_vec())).collect();
        assert_eq!(memory, pieces);
    }
}

#[test]
fn issue_23_hits_without_room_are_counted() {
    let mut process = Process::new(1, false);
    let registers = process.registers();
    process.machine.full = true;
    for count in 1..4 {
        let none = process.hit(None, (When::Before, None), &Capture::default(), registers);
        assert_eq!((none, process.lost()), (None, count));
    }
}

#[test]
fn issue_23_damaged_hits_are_read_as_far_as_they_are_there() {
    let mut process = Process::new(7, true);
    let reach = Reach { argument: 0, steps: vec![0], last: 0 };
    let capture = Capture { stacks: true, memory: true, reaches: vec![reach], ..Capture::default() };
    let registers = process.registers();
    let whole = process.hit(None, (When::Before, None), &capture, registers).unwrap();
    assert_eq!(whole.len() as i32, capture.size());
    for cut in (0..whole.len()).step_by(5) {
        let hit = Hit { bytes: &whole[..cut], capture: &capture };
        assert!(hit.frames().count() <= FRAMES);
        assert!(hit.memory(When::Before).all(|(_, bytes)| (1..=PIECE).contains(&bytes.len())));
    }
    // Sizes that no program writes.
    for size in [0, PIECE as u64 + 1, u64::MAX] {
        let mut bytes = whole.clone();
        for index in 0..POINTERS {
            bytes[at::SIZES as usize + 8 * index..][..8].copy_from_slice(&size.to_le_bytes());
        }
        bytes[at::DEPTH as usize..][..8].copy_from_slice(&size.to_le_bytes());
        let hit = Hit { bytes: &bytes, capture: &capture };
        assert!(hit.memory(When::Before).count() <= 1, "only the one that is reached");
        assert_eq!(hit.frames().count(), if size == PIECE as u64 + 1 { 32 } else { 0 });
    }
}

#[test]
fn issue_23_only_followed_processes_are_hit() {
    let mut process = Process::new(1, false);
    let followed = Followed::without_kernel(&mut process.machine, 2);
    let registers = process.registers();
    let capture = Capture::default();
    let is_hit = |process: &mut Process| {
        process.hit(Some(&followed), (When::Before, None), &capture, registers).is_some()
    };
    assert!(!is_hit(&mut process), "no process is followed");
    followed.add(&mut process.machine, 700);
    assert!(is_hit(&mut process));
    process.machine.pid = 701;
    assert!(!is_hit(&mut process), "the number of a thread is not that of a process");
    assert_eq!(process.lost(), 0, "these are not lost");
}

/// Each step by the signal that it leads to, at a place with the first argument 7 and the second -2.
#[test]
fn issue_17_deeds_are_done_as_the_steps_say() {
    use tracewell_types::deed::{Calculation as C, Comparison as If, Origin, Step};
    let number = |slot, number: i64| Step::Set(slot, Origin::Number(number.cast_unsigned()));
    let raise = |slot| Step::Raise(3, slot);
    let calculated =
        |calculation, a, b| vec![number(0, a), number(1, b), Step::Calculate(2, calculation, 0, 1), raise(2)];
    let compared = |comparison, a, b| {
        vec![
            number(0, a),
            number(1, b),
            number(2, 1),
            Step::JumpIf(comparison, 0, 1, 5),
            number(2, 2),
            raise(2),
        ]
    };
    let one = |from| vec![Step::Set(0, from), raise(0)];
    let extended = |value, bits, signed, expected| {
        let test = Step::JumpIf(If::NotEqual, 1, 2, 6);
        vec![
            number(0, value),
            Step::Extend(1, 0, bits, signed),
            number(2, expected),
            test,
            number(3, 9),
            raise(3),
        ]
    };
    let rows: &[(Vec<Step>, &[u64])] = &[
        (calculated(C::Add, 3, 4), &[7]),
        (calculated(C::Subtract, 9, 4), &[5]),
        (calculated(C::Multiply, 3, 4), &[12]),
        (calculated(C::And, 6, 12), &[4]),
        (calculated(C::Or, 6, 12), &[14]),
        (calculated(C::Xor, 6, 12), &[10]),
        (calculated(C::ShiftLeft, 3, 66), &[12]),
        (calculated(C::ShiftRight, 12, 1), &[6]),
        (calculated(C::ShiftRightSigned, 12, 2), &[3]),
        (compared(If::Equal, 1, 1), &[1]),
        (compared(If::NotEqual, 1, 1), &[2]),
        (compared(If::Less, -1, 1), &[1]),
        (compared(If::Below, -1, 1), &[2]),
        (compared(If::LessOrEqual, 1, 1), &[1]),
        (compared(If::BelowOrEqual, 2, 1), &[2]),
        (extended(0x1FF, 8, true, -1), &[9]),
        (extended(0x1FF, 8, false, 0xFF), &[9]),
        (extended(0x1FF, 8, false, -1), &[]),
        (one(Origin::Argument(0)), &[7]),
        (one(Origin::Register(14)), &[7]),
        (one(Origin::Register(10)), &[11]),
        (
            vec![
                Step::Set(0, Origin::Process),
                number(1, 680),
                Step::Calculate(2, C::Subtract, 0, 1),
                raise(2),
            ],
            &[20],
        ),
        (
            vec![
                Step::Set(0, Origin::Thread),
                number(1, 680),
                Step::Calculate(2, C::Subtract, 0, 1),
                raise(2),
            ],
            &[21],
        ),
        (vec![number(0, 4), Step::Jump(2), raise(0)], &[4]),
        // What is not a signal.
        (vec![number(0, 0), raise(0), number(1, 32), raise(1), number(2, -1), raise(2)], &[]),
        (vec![number(0, 5), raise(0), Step::Exit], &[5]),
    ];
    for (number, (steps, expected)) in rows.iter().enumerate() {
        let mut process = Process::new(1, false);
        let gate = Gate::without_kernel(|spec| process.machine.map(spec));
        let mut registers = process.registers();
        (registers[14], registers[13], registers[10]) = (7, (-2_i64).cast_unsigned(), 11);
        let capture = Capture { deeds: true, ..Capture::default() };
        let doing = Doing {
            deeds: vec![steps.clone(), vec![Step::Set(0, Origin::Number(8)), Step::Raise(4, 0)]],
            ..Doing::default()
        };
        let hit = |process: &mut Process, doing: &Doing| {
            let shared =
                Shared { ring: &process.ring, lost: &process.lost, followed: None, gate: Some(&gate) };
            let code = program(&shared, (When::Before, doing), &capture).unwrap();
            process.machine.run(&code, &registers);
            let bytes = process.machine.records.pop().unwrap().bytes;
            let done = Hit { bytes: &bytes, capture: &capture }.done().unwrap().0;
            (std::mem::take(&mut process.machine.signals), done)
        };
        // Before the run and the watched program have begun, nothing is done.
        assert_eq!(hit(&mut process, &doing), (Vec::new(), 0));
        let open = |process: &mut Process| {
            let value: Vec<u8> = [1_u64, 0].iter().flat_map(|word| word.to_ne_bytes()).collect();
            process.machine.set(gate.map(), &[0; 4], &value);
        };
        open(&mut process);
        assert_eq!(hit(&mut process, &doing), (Vec::new(), 0));
        assert_eq!(hit(&mut process, &Doing { begins: true, ..Doing::default() }), (Vec::new(), 0));
        let exits = steps.contains(&Step::Exit);
        let more: &[u64] = if exits { &[] } else { &[8] };
        let all = [*expected, more].concat();
        let bits = if expected.is_empty() { 0 } else { 8 } | if exits { 0 } else { 16 };
        assert_eq!(hit(&mut process, &doing), (all, bits), "{number}");
        let ended = hit(&mut process, &doing).0.is_empty();
        assert_eq!(ended, exits, "{number}");
        // What the kernel refuses was not done, and nothing is done to dtrace itself.
        process.machine.refuses_signals = true;
        assert_eq!(hit(&mut process, &doing), (Vec::new(), 0));
        process.machine.refuses_signals = false;
        process.machine.pid = std::process::id();
        assert_eq!(hit(&mut process, &doing), (Vec::new(), 0));
    }
}
