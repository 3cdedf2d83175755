//! Runs programs for the kernel in tests, without a kernel: an interpreter of eBPF (RFC 9669), and what the functions do that programs
//! call.
//!
//! It is as strict as the kernel's verifier, and stricter: a program may use only registers and bytes that were written, memory that
//! it may reach, and helpers that its type has; it leads to each of its instructions, and submits what it reserves.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, AsRawFd};

use crate::maps::kind;
use crate::sys::{Map, MapSpec};

/// Where the frame, the context, and memory of programs begin. Below the first two are unmapped addresses.
const FRAME: u64 = 0xFFFF_C800_0000_0000;
const FRAME_SIZE: u64 = 512;
const CONTEXT: u64 = 0xFFFF_C700_0000_0000;
const OWN: u64 = 0xFFFF_C900_0000_0000;
const OBJECTS: u64 = 0xFFFF_8880_0000_0000;
/// A map as a program has it in a register.
const HANDLE: u64 = 0xEB00_0000_0000_0000;
/// An address below this one is no address: a typed load from there is 0.
const NULL_PAGE: u64 = 4096;
const STEPS: usize = 1 << 16;

/// Errors that helpers return.
const EPERM: u64 = (-1_i64).cast_unsigned();
const ENOENT: u64 = (-2_i64).cast_unsigned();
const E2BIG: u64 = (-7_i64).cast_unsigned();
const EFAULT: u64 = (-14_i64).cast_unsigned();
const EEXIST: u64 = (-17_i64).cast_unsigned();
const EINVAL: u64 = (-22_i64).cast_unsigned();
const ENOSPC: u64 = (-28_i64).cast_unsigned();

/// Whose memory a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    /// Objects of the kernel.
    Kernel,
    /// Memory of the process.
    User,
    /// Memory of the process that is there only for one who waits.
    Absent,
    /// Elements of maps, and reserved records.
    Own,
    Frame,
    Context,
}

/// Consecutive memory. A byte that was never written is [`None`].
#[derive(Debug)]
struct Region {
    space: Space,
    bytes: Vec<Option<u8>>,
}

#[derive(Debug, Default)]
struct MapState {
    kind: u32,
    key: usize,
    value: usize,
    entries: usize,
    /// Keys of a hash map.
    keys: Vec<Vec<u8>>,
    /// Addresses of the values, by processor and key.
    values: BTreeMap<(u32, Vec<u8>), u64>,
    /// The maps in a map of maps.
    inner: Vec<i32>,
    /// The stacks in a map of stacks.
    stacks: Vec<Vec<u64>>,
}

impl MapState {
    fn is_hash(&self) -> bool {
        matches!(self.kind, kind::HASH | kind::PER_CPU_HASH)
    }

    fn is_per_cpu(&self) -> bool {
        matches!(self.kind, kind::PER_CPU_HASH | kind::PER_CPU_ARRAY)
    }
}

/// A record that a program wrote to a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Descriptor of the ring.
    pub(crate) ring: i32,
    /// Its bytes; those that were never written are 0xEE.
    pub(crate) bytes: Vec<u8>,
}

/// What a byte of a record is that a program did not write.
pub(crate) const UNWRITTEN: u8 = 0xEE;

/// A machine that runs programs: its state is what helpers answer.
#[derive(Debug)]
pub(crate) struct Machine {
    regions: BTreeMap<u64, Region>,
    maps: BTreeMap<i32, MapState>,
    next_own: u64,
    next_object: u64,
    reserved: BTreeMap<u64, i32>,
    /// Whether programs may load from the kernel's objects (`tp_btf`).
    pub(crate) typed: bool,
    /// Whether programs may wait for memory.
    pub(crate) sleeps: bool,
    pub(crate) cpu: u32,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    pub(crate) uid: u64,
    pub(crate) task: u64,
    pub(crate) cookie: u64,
    /// The time that the next look at the clock has.
    pub(crate) clock: u64,
    pub(crate) kernel_stack: Vec<u64>,
    /// [`None`] in threads of the kernel.
    pub(crate) user_stack: Option<Vec<u64>>,
    /// Whether rings have no room.
    pub(crate) full: bool,
    /// Whether maps of stacks have no place for another one.
    pub(crate) no_stacks: bool,
    /// The signals that were sent.
    pub(crate) signals: Vec<u64>,
    /// Whether no signal can be sent to the process.
    pub(crate) refuses_signals: bool,
    pub(crate) records: Vec<Record>,
    /// The addresses of the kernel's symbols.
    pub(crate) symbols: BTreeMap<String, u64>,
    /// Whether it shows none of them to the process.
    pub(crate) hides_symbols: bool,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine {
            regions: BTreeMap::new(),
            maps: BTreeMap::new(),
            next_own: OWN,
            next_object: OBJECTS,
            reserved: BTreeMap::new(),
            typed: false,
            sleeps: false,
            cpu: 0,
            pid: 700,
            tid: 701,
            uid: 1000 | 1001 << 32,
            task: 0,
            cookie: 0,
            clock: 5_000_000_000,
            kernel_stack: Vec::new(),
            user_stack: None,
            full: false,
            no_stacks: false,
            signals: Vec::new(),
            refuses_signals: false,
            records: Vec::new(),
            symbols: BTreeMap::new(),
            hides_symbols: false,
        }
    }
}

fn filled(bytes: &[u8]) -> Vec<Option<u8>> {
    bytes.iter().map(|byte| Some(*byte)).collect()
}

impl Machine {
    /// Makes a map.
    pub(crate) fn map(&mut self, spec: MapSpec<'_>) -> Map {
        let map = Map::without_kernel(spec);
        let state = MapState {
            kind: spec.kind,
            key: spec.key as usize,
            value: spec.value as usize,
            entries: spec.entries as usize,
            ..MapState::default()
        };
        self.maps.insert(map.as_fd().as_raw_fd(), state);
        map
    }

    /// Puts maps into a map of maps.
    pub(crate) fn put_maps<'m>(&mut self, outer: &Map, inner: impl IntoIterator<Item = &'m Map>) {
        let inner = inner.into_iter().map(|map| map.as_fd().as_raw_fd()).collect();
        self.maps.get_mut(&outer.as_fd().as_raw_fd()).unwrap().inner = inner;
    }

    /// Puts an object into the kernel's memory; returns its address.
    pub(crate) fn object(&mut self, bytes: &[u8]) -> u64 {
        let at = self.next_object;
        self.next_object += (bytes.len() as u64).next_multiple_of(64) + 64;
        self.regions.insert(at, Region { space: Space::Kernel, bytes: filled(bytes) });
        at
    }

    /// Overwrites a part of an object.
    pub(crate) fn poke(&mut self, at: u64, bytes: &[u8]) {
        self.write(at, &filled(bytes));
    }

    /// Puts bytes into the memory of the process.
    pub(crate) fn user(&mut self, at: u64, bytes: &[u8]) {
        self.regions.insert(at, Region { space: Space::User, bytes: filled(bytes) });
    }

    /// Puts bytes into memory of the process that one has to wait for.
    pub(crate) fn absent(&mut self, at: u64, bytes: &[u8]) {
        self.regions.insert(at, Region { space: Space::Absent, bytes: filled(bytes) });
    }

    /// Sets an element of a map on this processor.
    pub(crate) fn set(&mut self, map: &Map, key: &[u8], value: &[u8]) {
        let fd = map.as_fd().as_raw_fd();
        assert_eq!(self.update(fd, key.to_vec(), &filled(value), 0), 0, "the map is full");
    }

    /// An element of a map on this processor.
    pub(crate) fn get(&mut self, map: &Map, key: &[u8]) -> Option<Vec<u8>> {
        let fd = map.as_fd().as_raw_fd();
        let size = self.maps[&fd].value as u64;
        let at = self.element(fd, key)?;
        Some(self.read(at, size).iter().map(|byte| byte.unwrap_or(UNWRITTEN)).collect())
    }

    /// The keys of a hash map, in the order in which they came.
    pub(crate) fn keys(&self, map: &Map) -> Vec<Vec<u8>> {
        self.maps[&map.as_fd().as_raw_fd()].keys.clone()
    }

    /// The stacks of a map of stacks, by number.
    pub(crate) fn stacks(&self, map: &Map) -> Vec<Vec<u64>> {
        self.maps[&map.as_fd().as_raw_fd()].stacks.clone()
    }

    fn region(&self, at: u64, size: u64) -> Option<(u64, &Region)> {
        let (base, region) = self.regions.range(..=at).next_back()?;
        (at - base + size <= region.bytes.len() as u64).then_some((*base, region))
    }

    fn read(&self, at: u64, size: u64) -> Vec<Option<u8>> {
        let (base, region) = self.region(at, size).unwrap_or_else(|| panic!("{size} bytes at {at:#x}"));
        region.bytes[(at - base) as usize..][..size as usize].to_vec()
    }

    fn write(&mut self, at: u64, bytes: &[Option<u8>]) {
        let (base, _) =
            self.region(at, bytes.len() as u64).unwrap_or_else(|| panic!("{} bytes to {at:#x}", bytes.len()));
        let region = self.regions.get_mut(&base).unwrap();
        region.bytes[(at - base) as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    /// The bytes at an address, which must have been written.
    fn known(&self, at: u64, size: u64) -> Vec<u8> {
        let bytes = self.read(at, size).into_iter();
        bytes.map(|byte| byte.unwrap_or_else(|| panic!("bytes at {at:#x} were never written"))).collect()
    }

    /// What a program loads.
    fn load(&self, at: u64, size: u64) -> u64 {
        assert_eq!(at % size, 0, "a load of {size} bytes at {at:#x}");
        if self.typed && at < NULL_PAGE {
            return 0;
        }
        let (_, region) =
            self.region(at, size).unwrap_or_else(|| panic!("a load of {size} bytes at {at:#x}"));
        match region.space {
            Space::Own | Space::Frame => {}
            Space::Context => assert_eq!(size, 8, "the context has words"),
            Space::Kernel => assert!(self.typed, "a load from the kernel's memory"),
            Space::User | Space::Absent => panic!("a load from the memory of the process"),
        }
        let mut word = [0; 8];
        word[..size as usize].copy_from_slice(&self.known(at, size));
        u64::from_le_bytes(word)
    }

    fn store(&mut self, at: u64, size: u64, value: u64) {
        assert_eq!(at % size, 0, "a store of {size} bytes at {at:#x}");
        let (_, region) =
            self.region(at, size).unwrap_or_else(|| panic!("a store of {size} bytes at {at:#x}"));
        assert!(matches!(region.space, Space::Own | Space::Frame), "a store to {:?}", region.space);
        self.write(at, &filled(&value.to_le_bytes()[..size as usize]));
    }

    fn own(&mut self, bytes: Vec<Option<u8>>) -> u64 {
        let at = self.next_own;
        self.next_own += (bytes.len() as u64).next_multiple_of(64) + 64;
        self.regions.insert(at, Region { space: Space::Own, bytes });
        at
    }

    fn state(&self, handle: u64) -> (i32, &MapState) {
        let fd = (handle ^ HANDLE) as i32;
        let found = self.maps.get(&fd).filter(|_| handle >> 56 == HANDLE >> 56);
        (fd, found.unwrap_or_else(|| panic!("{handle:#x} is no map")))
    }

    fn ring(&self, handle: u64) -> i32 {
        let (fd, state) = self.state(handle);
        assert_eq!(state.kind, kind::RING, "not a ring");
        fd
    }

    /// The address of an element.
    fn element(&mut self, fd: i32, key: &[u8]) -> Option<u64> {
        let state = &self.maps[&fd];
        let number = || u32::from_le_bytes(key.try_into().unwrap()) as usize;
        match state.kind {
            kind::ARRAY_OF_MAPS => return state.inner.get(number()).map(|fd| HANDLE | *fd as u64),
            kind::ARRAY | kind::PER_CPU_ARRAY if number() >= state.entries => return None,
            kind::ARRAY | kind::PER_CPU_ARRAY => {}
            kind::HASH | kind::PER_CPU_HASH if !state.keys.iter().any(|known| known == key) => return None,
            kind::HASH | kind::PER_CPU_HASH => {}
            other => panic!("no elements in maps of kind {other}"),
        }
        let place = (if state.is_per_cpu() { self.cpu } else { 0 }, key.to_vec());
        if let Some(at) = state.values.get(&place) {
            return Some(*at);
        }
        // What a long element has, in which samples are put together, is left from other samples.
        let value = if state.value > 16 && state.is_per_cpu() { None } else { Some(0) };
        let at = self.own(vec![value; state.value]);
        self.maps.get_mut(&fd).unwrap().values.insert(place, at);
        Some(at)
    }

    fn update(&mut self, fd: i32, key: Vec<u8>, value: &[Option<u8>], flags: u64) -> u64 {
        assert!(flags <= 1, "flags of an update: {flags}");
        let state = self.maps.get_mut(&fd).unwrap();
        if state.is_hash() {
            match state.keys.contains(&key) {
                true if flags == 1 => return EEXIST,
                true => {}
                false if state.keys.len() >= state.entries => return E2BIG,
                false => state.keys.push(key.clone()),
            }
        }
        let Some(at) = self.element(fd, &key) else { return E2BIG };
        self.write(at, value);
        0
    }

    fn remove(&mut self, fd: i32, key: &[u8]) -> u64 {
        let state = self.maps.get_mut(&fd).unwrap();
        let before = state.keys.len();
        state.keys.retain(|known| known != key);
        state.values.retain(|(_, known), _| known != key);
        if state.keys.len() < before { 0 } else { ENOENT }
    }

    /// Copies memory; zeros where it is not all there.
    fn copy(&mut self, (to, size, from): (u64, u64, u64), spaces: &[Space]) -> u64 {
        let found = self.region(from, size).filter(|(_, region)| spaces.contains(&region.space));
        let bytes = found.map(|_| self.read(from, size));
        let result = if bytes.is_some() || size == 0 { 0 } else { EFAULT };
        self.write(to, &bytes.unwrap_or_else(|| vec![Some(0); size as usize]));
        result
    }

    /// Copies a text with its NUL, and nothing behind it.
    fn copy_text(&mut self, (to, size, from): (u64, u64, u64), space: Space) -> u64 {
        let found = self.region(from, 1).filter(|(_, region)| region.space == space);
        let text = found.map(|(base, region)| {
            let rest = region.bytes[(from - base) as usize..].iter().map(|byte| byte.unwrap());
            let mut text: Vec<u8> = rest.take_while(|byte| *byte != 0).take(size as usize - 1).collect();
            text.push(0);
            text
        });
        let Some(text) = text else {
            self.write(to, &vec![Some(0); size as usize]);
            return EFAULT;
        };
        self.write(to, &filled(&text));
        text.len() as u64
    }

    /// The frames of a stack as flags ask for it.
    fn frames(&self, flags: u64) -> Option<Vec<u64>> {
        assert_eq!(flags & !0x1FF, 0, "flags of a stack: {flags:#x}");
        let stack = if flags & 0x100 != 0 { self.user_stack.as_ref()? } else { &self.kernel_stack };
        Some(stack.iter().copied().skip((flags & 0xFF) as usize).collect())
    }

    fn stack(&mut self, to: u64, size: u64, flags: u64) -> u64 {
        let Some(mut frames) = self.frames(flags) else {
            self.write(to, &vec![Some(0); size as usize]);
            return EFAULT;
        };
        frames.truncate(size as usize / 8);
        let mut bytes: Vec<u8> = frames.iter().flat_map(|frame| frame.to_le_bytes()).collect();
        let used = bytes.len();
        bytes.resize(size as usize, 0);
        self.write(to, &filled(&bytes));
        used as u64
    }

    fn stack_number(&mut self, map: u64, flags: u64) -> u64 {
        let (fd, state) = self.state(map);
        assert_eq!(state.kind, kind::STACKS, "not a map of stacks");
        let Some(mut frames) = self.frames(flags).filter(|frames| !frames.is_empty()) else { return EFAULT };
        frames.truncate(state.value / 8);
        let known = state.stacks.iter().position(|known| *known == frames);
        if known.is_none() && self.no_stacks {
            return EEXIST;
        }
        let stacks = &mut self.maps.get_mut(&fd).unwrap().stacks;
        known.unwrap_or_else(|| {
            stacks.push(frames);
            stacks.len() - 1
        }) as u64
    }

    fn submit(&mut self, ring: i32, bytes: &[Option<u8>]) {
        let bytes = bytes.iter().map(|byte| byte.unwrap_or(UNWRITTEN)).collect();
        self.records.push(Record { ring, bytes });
    }

    /// The key that a helper finds at an address.
    fn key(&self, map: u64, at: u64) -> (i32, Vec<u8>) {
        let (fd, state) = self.state(map);
        (fd, self.known(at, state.key as u64))
    }

    /// Looks a symbol up by its name, which ends with a NUL, and writes its address.
    fn symbol(&mut self, name: &[u8], flags: u64, to: u64) -> u64 {
        assert_eq!(to % 8, 0, "an address at {to:#x}");
        let name = match name {
            [name @ .., 0] if !name.is_empty() && flags == 0 => str::from_utf8(name).unwrap(),
            _ => return EINVAL,
        };
        if self.hides_symbols {
            return EPERM;
        }
        let address = self.symbols.get(name).copied().unwrap_or(0);
        self.store(to, 8, address);
        if address == 0 { ENOENT } else { 0 }
    }

    /// Calls a helper by its number (linux/bpf.h) with what is in `R1` to `R5`.
    fn call(&mut self, number: i32, r: impl Fn(usize) -> u64) -> u64 {
        use Space::{Absent, Kernel, User};
        match number {
            1 => {
                let (fd, key) = self.key(r(1), r(2));
                self.element(fd, &key).unwrap_or(0)
            }
            2 => {
                let (fd, key) = self.key(r(1), r(2));
                let value = filled(&self.known(r(3), self.maps[&fd].value as u64));
                self.update(fd, key, &value, r(4))
            }
            3 => {
                let (fd, key) = self.key(r(1), r(2));
                self.remove(fd, &key)
            }
            5 => {
                self.clock += 1;
                self.clock - 1
            }
            8 => self.cpu.into(),
            14 => u64::from(self.pid) << 32 | u64::from(self.tid),
            15 => self.uid,
            27 => {
                assert_eq!(r(1), CONTEXT);
                self.stack_number(r(2), r(3))
            }
            35 => self.task,
            67 => {
                assert_eq!(r(1), CONTEXT);
                self.stack(r(2), r(3), r(4))
            }
            109 => {
                if self.refuses_signals {
                    return EPERM;
                }
                self.signals.push(r(1));
                0
            }
            112 => self.copy((r(1), r(2), r(3)), &[User]),
            113 => self.copy((r(1), r(2), r(3)), &[Kernel]),
            114 => self.copy_text((r(1), r(2), r(3)), User),
            115 => self.copy_text((r(1), r(2), r(3)), Kernel),
            130 => {
                assert_eq!(r(4), 1, "the ring is read by the clock");
                let ring = self.ring(r(1));
                let bytes = self.read(r(2), r(3));
                if self.full {
                    return ENOSPC;
                }
                self.submit(ring, &bytes);
                0
            }
            131 => {
                assert_eq!(r(3), 0);
                let ring = self.ring(r(1));
                if self.full {
                    return 0;
                }
                let at = self.own(vec![None; r(2) as usize]);
                self.reserved.insert(at, ring);
                at
            }
            132 => {
                assert_eq!(r(2), 1, "the ring is read by the clock");
                let ring = self.reserved.remove(&r(1)).expect("a reserved record");
                let Region { bytes, .. } = self.regions.remove(&r(1)).unwrap();
                self.submit(ring, &bytes);
                0
            }
            148 => {
                assert!(self.sleeps, "a program that may wait");
                self.copy((r(1), r(2), r(3)), &[User, Absent])
            }
            158 => {
                assert!(self.typed, "a helper of typed programs");
                self.task
            }
            174 => {
                assert_eq!(r(1), CONTEXT);
                self.cookie
            }
            179 => {
                assert!(self.sleeps, "a program that a system call runs");
                let name = self.known(r(1), r(2));
                self.symbol(&name, r(3), r(4))
            }
            other => panic!("helper {other}"),
        }
    }

    /// Runs a program with the words of a context. It must end with 0.
    pub(crate) fn run(&mut self, code: &[u64], context: &[u64]) {
        assert_reached(code);
        let words: Vec<u8> = context.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.regions.insert(CONTEXT, Region { space: Space::Context, bytes: filled(&words) });
        let frame = vec![None; FRAME_SIZE as usize];
        self.regions.insert(FRAME, Region { space: Space::Frame, bytes: frame });
        let mut registers = [None; 11];
        registers[1] = Some(CONTEXT);
        registers[10] = Some(FRAME + FRAME_SIZE);
        let mut at = 0;
        for _ in 0..STEPS {
            match self.step(code, at, &mut registers) {
                Some(next) => at = next,
                None => {
                    assert_eq!(registers[0], Some(0), "a program ends with 0");
                    assert!(self.reserved.is_empty(), "a record is neither submitted nor discarded");
                    return;
                }
            }
        }
        panic!("the program does not end");
    }

    /// Runs an instruction; returns the place of the next one.
    fn step(&mut self, code: &[u64], at: usize, registers: &mut [Option<u64>; 11]) -> Option<usize> {
        let word = code[at];
        let Parts { code: op, dst, src, offset, imm } = Parts::of(word);
        let read = |registers: &[Option<u64>; 11], which: usize| {
            registers[which].unwrap_or_else(|| panic!("R{which} at {at} was never written"))
        };
        // What an instruction does not use is 0.
        match (op & 7, op) {
            (1 | 3, _) => assert_eq!(imm, 0, "an instruction at {at}: {word:#018x}"),
            (2, _) => assert_eq!(src, 0, "an instruction at {at}: {word:#018x}"),
            (5, 0x85) => assert_eq!((dst, src, offset), (0, 0, 0), "an instruction at {at}: {word:#018x}"),
            (5, 0x95) => assert_eq!(word, 0x95, "an instruction at {at}"),
            (7, _) if op & 8 == 0 => {
                assert_eq!((src, offset), (0, 0), "an instruction at {at}: {word:#018x}")
            }
            (7, _) => assert_eq!((offset, imm), (0, 0), "an instruction at {at}: {word:#018x}"),
            (5, 0x05) => assert_eq!((dst, src, imm), (0, 0, 0), "an instruction at {at}: {word:#018x}"),
            _ => {}
        }
        let number = i64::from(imm).cast_unsigned();
        let near = |base: u64| base.wrapping_add_signed(offset.into());
        match op & 7 {
            0 => {
                assert_eq!(op, 0x18, "an instruction at {at}: {word:#018x}");
                let high = code[at + 1] >> 32;
                let wide = high << 32 | u64::from(imm.cast_unsigned());
                registers[dst] = Some(match src {
                    0 => wide,
                    1 => HANDLE | wide,
                    2 => self.element(imm, &[0; 4]).unwrap(),
                    other => panic!("a wide number of kind {other}"),
                });
                return Some(at + 2);
            }
            1 => registers[dst] = Some(self.load(near(read(registers, src)), size_of(op))),
            2 => self.store(near(read(registers, dst)), size_of(op), number),
            3 if op == 0xDB => {
                let place = near(read(registers, dst));
                let sum = self.load(place, 8).wrapping_add(read(registers, src));
                self.store(place, 8, sum);
            }
            3 => self.store(near(read(registers, dst)), size_of(op), read(registers, src)),
            5 => match op {
                0x05 => return Some(target(at, offset)),
                0x85 => {
                    let result = self.call(imm, |which| read(registers, which));
                    // Calls leave nothing in the registers of their arguments.
                    registers[1..=5].fill(None);
                    registers[0] = Some(result);
                }
                0x95 => return None,
                _ => {
                    let left = read(registers, dst);
                    let right = if op & 8 == 0 { number } else { read(registers, src) };
                    if compares(op & !8, left, right) {
                        return Some(target(at, offset));
                    }
                }
            },
            7 => {
                assert_ne!(dst, 10, "R10 is fixed");
                let right = if op & 8 == 0 { number } else { read(registers, src) };
                registers[dst] = Some(match op & 0xF0 {
                    0xB0 => right,
                    other => operate(other, read(registers, dst), right),
                });
            }
            _ => panic!("an instruction at {at}: {word:#018x}"),
        }
        Some(at + 1)
    }
}

/// The parts of an instruction.
struct Parts {
    code: u8,
    dst: usize,
    src: usize,
    offset: i16,
    imm: i32,
}

impl Parts {
    fn of(word: u64) -> Parts {
        let [code, registers, a, b, c, d, e, f] = word.to_le_bytes();
        Parts {
            code,
            dst: usize::from(registers & 15),
            src: usize::from(registers >> 4),
            offset: i16::from_le_bytes([a, b]),
            imm: i32::from_le_bytes([c, d, e, f]),
        }
    }
}

fn size_of(op: u8) -> u64 {
    assert_eq!(op & 0xE0, 0x60, "a load or store: {op:#x}");
    [4, 2, 1, 8][usize::from(op >> 3 & 3)]
}

fn target(at: usize, offset: i16) -> usize {
    assert!(offset >= 0, "our programs only go forwards");
    at + 1 + offset as usize
}

fn compares(op: u8, left: u64, right: u64) -> bool {
    let (signed_left, signed_right) = (left.cast_signed(), right.cast_signed());
    match op {
        0x15 => left == right,
        0x25 => left > right,
        0x35 => left >= right,
        0x45 => left & right != 0,
        0x55 => left != right,
        0x65 => signed_left > signed_right,
        0x75 => signed_left >= signed_right,
        0xA5 => left < right,
        0xB5 => left <= right,
        0xC5 => signed_left < signed_right,
        0xD5 => signed_left <= signed_right,
        other => panic!("a jump {other:#x}"),
    }
}

fn operate(op: u8, left: u64, right: u64) -> u64 {
    match op {
        0x00 => left.wrapping_add(right),
        0x10 => left.wrapping_sub(right),
        0x20 => left.wrapping_mul(right),
        0x40 => left | right,
        0x50 => left & right,
        0x60 => left << right,
        0x70 => left >> right,
        0xA0 => left ^ right,
        0xC0 => (left.cast_signed() >> right).cast_unsigned(),
        other => panic!("an operation {other:#x}"),
    }
}

/// The kernel refuses a program with instructions that nothing leads to, or that ends without an exit.
fn assert_reached(code: &[u64]) {
    let mut reached = vec![false; code.len()];
    let mut from = vec![0];
    while let Some(at) = from.pop() {
        assert!(at < code.len(), "the program has no end");
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let Parts { code: op, offset, .. } = Parts::of(code[at]);
        match op {
            0x18 => {
                reached[at + 1] = true;
                from.push(at + 2);
            }
            0x95 => {}
            0x05 => from.push(target(at, offset)),
            0x85 => from.push(at + 1),
            _ if op & 7 == 5 => from.extend([at + 1, target(at, offset)]),
            _ => from.push(at + 1),
        }
    }
    assert_eq!(reached.iter().position(|reached| !reached), None, "instructions that nothing leads to");
}
