//! User stacks of code without frame pointers: a copied stack is unwound with the information that compilers put into programs
//! for exceptions.
//!
//! A file may belong to any user. Of files that only root can write, the table of contents is used. Of others,
//! `.eh_frame` is read from its beginning, and used if each entry is short and no expression jumps, so that no step takes long.

use std::fmt;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;

use framehop::{
    CacheNative, ExplicitModuleSectionInfo, FrameAddress, MayAllocateDuringUnwind, Module, UnwindRegsNative,
    Unwinder as _, UnwinderNative,
};
use gimli::{BaseAddresses, CallFrameInstruction, CieOrFde, EhFrame, NativeEndian, Operation, UnwindSection};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, ReadCache, ReadRef, elf};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine;
use crate::whole::{self, Key};

/// Bytes of a stack that a sample has.
pub(crate) const STACK: u32 = 16 << 10;
/// The registers that a sample has, as bits, and their number. Layouts: asm/perf_regs.h.
#[cfg(target_arch = "x86_64")]
pub(crate) const REGISTERS: u64 = 1 << 6 | 1 << 7 | 1 << 8;
#[cfg(target_arch = "aarch64")]
pub(crate) const REGISTERS: u64 = 1 << 29 | 1 << 30 | 1 << 31 | 1 << 32;
pub(crate) const COUNT: usize = REGISTERS.count_ones() as usize;

/// Most frames of a stack.
const FRAMES: usize = 128;
/// Most processes that are known.
const MOST: usize = 1024;
/// Most bytes of unwinding information of one file, and of all.
const OF_FILE: u64 = 48 << 20;
const OF_ALL: u64 = 192 << 20;
/// Most instructions and operations of an entry.
const OF_ENTRY: usize = 4096;
/// Rights to write for others than the owner.
const WRITABLE: u32 = 0o022;
/// After how many nanoseconds a process is looked at again, if it runs what was not there.
const AGAIN: u64 = 100_000_000;

/// A thread where it left its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct User<'a> {
    pub(crate) registers: [u64; COUNT],
    /// What is on the stack from its pointer on.
    pub(crate) stack: &'a [u8],
}

impl User<'_> {
    #[cfg(target_arch = "x86_64")]
    fn start(&self) -> (u64, u64, UnwindRegsNative) {
        let [frame, stack, code] = self.registers;
        (code, stack, UnwindRegsNative::new(code, stack, frame))
    }

    #[cfg(target_arch = "aarch64")]
    fn start(&self) -> (u64, u64, UnwindRegsNative) {
        let [frame, link, stack, code] = self.registers;
        (code, stack, UnwindRegsNative::new(link, stack, frame))
    }
}

type Native = UnwinderNative<Arc<[u8]>, MayAllocateDuringUnwind>;

/// A file with code.
struct Code {
    /// The parts with code: where in the file, and address.
    parts: Vec<(u64, u64)>,
    unwinder: Native,
    bytes: u64,
}

/// A part of the memory of a process with code.
struct Part {
    range: Range<u64>,
    /// How far the code is from the addresses in its file.
    bias: u64,
    code: Arc<Code>,
}

struct Process {
    parts: Vec<Part>,
    /// When they were looked at.
    time: u64,
}

impl Process {
    fn part(&self, address: u64) -> Option<&Part> {
        self.parts.iter().find(|part| part.range.contains(&address))
    }
}

/// Unwinds stacks.
#[derive(Default)]
pub(crate) struct Unwinder {
    processes: FxHashMap<u32, Process>,
    files: FxHashMap<Key, Option<Arc<Code>>>,
    /// Bytes of all files.
    bytes: u64,
    /// What the kernel maps into each process, once it was looked for.
    shared: Option<Option<Arc<Code>>>,
    /// For code without information: by frame pointers.
    nothing: Native,
    cache: CacheNative<MayAllocateDuringUnwind>,
}

impl fmt::Debug for Unwinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unwinder").field("processes", &self.processes.len()).finish_non_exhaustive()
    }
}

impl Unwinder {
    /// Puts the frames of an unwound stack behind those of the kernel, in place of what frame pointers gave, unless that reaches
    /// further.
    pub(crate) fn replace(
        &mut self,
        time: u64,
        pid: u32,
        user: &User<'_>,
        (of_kernel, frames): (usize, &mut Vec<u8>),
    ) {
        let known = frames.len();
        let ended = self.unwind(time, pid, user, frames);
        let by_pointers = known.saturating_sub(of_kernel);
        if ended || frames.len() - known >= by_pointers {
            frames.drain(of_kernel..known);
        } else {
            frames.truncate(known);
        }
    }

    /// What is mapped has changed.
    pub(crate) fn forget(&mut self, pid: u32) {
        self.processes.remove(&pid);
    }

    /// Appends the frames of a stack. Returns `true` if they are all.
    fn unwind(&mut self, time: u64, pid: u32, user: &User<'_>, out: &mut Vec<u8>) -> bool {
        let (code, stack, mut registers) = user.start();
        self.look(time, pid, code);
        let Unwinder { processes, nothing, cache, .. } = self;
        let Some(process) = processes.get(&pid) else { return false };
        let mut read = |address: u64| {
            let at = address.checked_sub(stack).and_then(|at| usize::try_from(at).ok()).ok_or(())?;
            let word = user.stack.get(at..).and_then(|rest| rest.first_chunk()).ok_or(())?;
            Ok(u64::from_ne_bytes(*word))
        };
        let mut address = FrameAddress::from_instruction_pointer(code);
        for _ in 0..FRAMES {
            out.extend_from_slice(&address.address().to_ne_bytes());
            let part = process.part(address.address_for_lookup());
            let (unwinder, bias) = part.map_or((&*nothing, 0), |part| (&part.code.unwinder, part.bias));
            let in_file = address.address().wrapping_sub(bias);
            let in_file = match address {
                FrameAddress::InstructionPointer(_) => FrameAddress::from_instruction_pointer(in_file),
                FrameAddress::ReturnAddress(_) => match FrameAddress::from_return_address(in_file) {
                    Some(address) => address,
                    None => return false,
                },
            };
            address = match unwinder.unwind_frame(in_file, &mut registers, cache, &mut read) {
                Ok(Some(next)) => match FrameAddress::from_return_address(next) {
                    Some(next) => next,
                    None => return true,
                },
                Ok(None) => return true,
                Err(_) => return false,
            };
        }
        false
    }

    /// Looks at what a process has mapped, if it is not known, or was not known to run this code.
    fn look(&mut self, time: u64, pid: u32, code: u64) {
        let known = self.processes.get(&pid);
        if known.is_some_and(|known| known.part(code).is_some() || time < known.time.saturating_add(AGAIN)) {
            return;
        }
        let Ok(maps) = fs::read_to_string(format!("/proc/{pid}/maps")) else { return };
        let mut parts = Vec::new();
        for image in machine::mappings(&maps) {
            let range = image.base..image.base.saturating_add(image.size);
            let mapped = format!("/proc/{pid}/map_files/{:x}-{:x}", range.start, range.end);
            let named = format!("/proc/{pid}/root{}", image.path);
            let found = whole::find(&mapped).or_else(|| whole::find(&named));
            let Some(code) = found.and_then(|(key, place)| self.code(key, &place)) else { continue };
            parts.extend(part(range, image.offset, code));
        }
        if let (Some(range), Some(code)) = (shared_range(&maps), self.shared()) {
            parts.extend(part(range, 0, code));
        }
        if self.processes.len() >= MOST {
            self.processes.clear();
        }
        self.processes.insert(pid, Process { parts, time });
    }

    /// The code of a file, which is read once.
    fn code(&mut self, key: Key, place: &File) -> Option<Arc<Code>> {
        if let Some(known) = self.files.get(&key) {
            return known.clone();
        }
        let is_roots = place.metadata().is_ok_and(|facts| facts.mode() & WRITABLE == 0 && facts.uid() == 0);
        let code = whole::open(place).and_then(|file| code_of(&ReadCache::new(file), is_roots)).map(Arc::new);
        let bytes = code.as_ref().map_or(0, |code| code.bytes);
        if self.bytes + bytes > OF_ALL || self.files.len() >= MOST {
            (self.files, self.processes, self.bytes) = Default::default();
        }
        self.bytes += bytes;
        self.files.insert(key, code.clone());
        code
    }

    /// The code that the kernel maps into this process as into each.
    fn shared(&mut self) -> Option<Arc<Code>> {
        const MOST_BYTES: u64 = 1 << 20;
        let read = || {
            let range = shared_range(&fs::read_to_string("/proc/self/maps").ok()?)?;
            let mut bytes = vec![0; usize::try_from((range.end - range.start).min(MOST_BYTES)).ok()?];
            File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, range.start).ok()?;
            code_of(bytes.as_slice(), true).map(Arc::new)
        };
        self.shared.get_or_insert_with(read).clone()
    }
}

/// A part of a file that is mapped from an offset on.
fn part(range: Range<u64>, offset: u64, code: Arc<Code>) -> Option<Part> {
    const PAGE: u64 = 4096;
    let page = |address: u64| address & !(PAGE - 1);
    let inside = |(start, _): &&(u64, u64)| (offset..offset + (range.end - range.start)).contains(start);
    let same = code.parts.iter().find(|(start, _)| page(*start) == offset);
    let (start, address) = *same.or_else(|| code.parts.iter().find(inside))?;
    let bias = range.start.wrapping_sub(address.wrapping_sub(start.wrapping_sub(offset)));
    Some(Part { range, bias, code })
}

fn shared_range(maps: &str) -> Option<Range<u64>> {
    let line = maps.lines().find(|line| line.ends_with("[vdso]"))?;
    let (first, last) = line.split_once(' ')?.0.split_once('-')?;
    Some(u64::from_str_radix(first, 16).ok()?..u64::from_str_radix(last, 16).ok()?)
}

/// Reads the parts with code, and the unwinding information; nothing if there is none, or it is another user's and not simple.
fn code_of<'data, R: ReadRef<'data>>(data: R, is_roots: bool) -> Option<Code> {
    let header = elf::FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, data).ok()?.iter();
    let of_code = segments.filter(|segment| {
        segment.p_type(endian) == elf::PT_LOAD && segment.p_flags(endian).contains(elf::PF_X)
    });
    let of_code: Vec<_> = of_code
        .map(|segment| (segment.p_offset(endian), segment.p_vaddr(endian), segment.p_memsz(endian)))
        .collect();
    let sections = header.sections(endian, data).ok()?;
    let (_, section) = sections.section_by_name(endian, b".eh_frame")?;
    let (address, size) = (section.sh_addr(endian), section.sh_size(endian));
    if size > OF_FILE {
        return None;
    }
    let bytes: Arc<[u8]> = section.data(endian, data).ok()?.into();
    if !is_roots && !is_simple(&bytes, address) {
        return None;
    }
    let contents = sections.section_by_name(endian, b".eh_frame_hdr").filter(|_| is_roots);
    let contents =
        contents.filter(|(_, section)| section.sh_size(endian) <= OF_FILE).and_then(|(_, section)| {
            let bytes: Arc<[u8]> = section.data(endian, data).ok()?.into();
            let address = section.sh_addr(endian);
            Some((address..address.checked_add(section.sh_size(endian))?, bytes))
        });
    let size = size + contents.as_ref().map_or(0, |(_, bytes)| bytes.len() as u64);
    let first = of_code.iter().map(|(_, address, _)| *address).min()?;
    let end = of_code.iter().map(|(_, address, size)| address.saturating_add(*size)).max()?;
    let info = ExplicitModuleSectionInfo {
        text_svma: Some(first..end),
        eh_frame_svma: Some(address..address.checked_add(bytes.len() as u64)?),
        eh_frame: Some(bytes),
        eh_frame_hdr_svma: contents.as_ref().map(|(range, _)| range.clone()),
        eh_frame_hdr: contents.map(|(_, bytes)| bytes),
        ..ExplicitModuleSectionInfo::default()
    };
    let mut unwinder = Native::new();
    unwinder.add_module(Module::new(String::new(), first..end, 0, info));
    let parts = of_code.into_iter().map(|(offset, address, _)| (offset, address)).collect();
    Some(Code { parts, unwinder, bytes: size })
}

/// Returns `true` if each entry is short, and no expression jumps: one that does may never end.
fn is_simple(bytes: &[u8], address: u64) -> bool {
    let section = EhFrame::new(bytes, NativeEndian);
    let bases = BaseAddresses::default().set_eh_frame(address);
    let mut seen = FxHashSet::default();
    let mut entries = section.entries(&bases);
    loop {
        let entry = match entries.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => return true,
            Err(_) => return false,
        };
        let fde = match entry {
            // Those that entries refer to are looked at then.
            CieOrFde::Cie(_) => continue,
            CieOrFde::Fde(partial) => partial.parse(EhFrame::cie_from_offset),
        };
        let Ok(fde) = fde else { return false };
        let cie = fde.cie();
        let encoding = cie.encoding();
        let is_new = seen.insert(cie.offset());
        if is_new && !are_short(&section, encoding, cie.instructions(&section, &bases)) {
            return false;
        }
        if !are_short(&section, encoding, fde.instructions(&section, &bases)) {
            return false;
        }
    }
}

type Reader<'a> = gimli::EndianSlice<'a, NativeEndian>;

fn are_short(
    section: &EhFrame<Reader<'_>>,
    encoding: gimli::Encoding,
    mut instructions: gimli::CallFrameInstructionIter<'_, Reader<'_>>,
) -> bool {
    let mut left = OF_ENTRY;
    while let Ok(next) = instructions.next() {
        let Some(instruction) = next else { return true };
        let expression = match instruction {
            CallFrameInstruction::DefCfaExpression { expression }
            | CallFrameInstruction::Expression { expression, .. }
            | CallFrameInstruction::ValExpression { expression, .. } => expression,
            _ if left == 0 => return false,
            _ => {
                left -= 1;
                continue;
            }
        };
        let Ok(expression) = expression.get(section) else { return false };
        let mut operations = expression.operations(encoding);
        while let Ok(next) = operations.next() {
            match next {
                None => break,
                Some(Operation::Skip { .. } | Operation::Bra { .. }) => return false,
                Some(_) if left == 0 => return false,
                Some(_) => left -= 1,
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry for code from 0x1000 on, with these instructions.
    fn section(instructions: &[u8]) -> Vec<u8> {
        let padded = |mut bytes: Vec<u8>| {
            // DW_CFA_nop.
            bytes.resize(bytes.len().next_multiple_of(8) + 4, 0);
            [(bytes.len() as u32).to_ne_bytes().to_vec(), bytes].concat()
        };
        // No augmentation, factors 1 and -8, the return address is register 16, the frame at rsp + 8, the return address before it.
        let common = padded(vec![0, 0, 0, 0, 1, 0, 1, 0x78, 16, 0x0C, 7, 8, 0x90, 1]);
        let mut entry = (common.len() as u32 + 4).to_ne_bytes().to_vec();
        entry.extend(0x1000_u64.to_ne_bytes());
        entry.extend(0x100_u64.to_ne_bytes());
        entry.extend(instructions);
        [common, padded(entry), vec![0; 4]].concat()
    }

    #[test]
    fn issue_16_expressions_that_jump_and_long_entries_are_refused() {
        assert!(is_simple(&section(&[]), 0x3000));
        // DW_CFA_def_cfa_expression: breg7 8.
        assert!(is_simple(&section(&[0x0F, 2, 0x77, 8]), 0x3000));
        for jump in [0x28, 0x2F] {
            // To itself: DW_OP_bra and DW_OP_skip -3. As the rule of the frame, of a register, and of its value.
            let code = [jump, 0xFD, 0xFF];
            assert!(!is_simple(&section(&[&[0x0F, 3], &code[..]].concat()), 0x3000));
            assert!(!is_simple(&section(&[&[0x10, 6, 3], &code[..]].concat()), 0x3000));
            assert!(!is_simple(&section(&[&[0x16, 6, 3], &code[..]].concat()), 0x3000));
        }
        let advance = |count| vec![0x41; count];
        assert!(is_simple(&section(&advance(OF_ENTRY - 20)), 0x3000));
        assert!(!is_simple(&section(&advance(OF_ENTRY + 1)), 0x3000));
        // DW_OP_lit0, many times.
        let mut long = vec![0x0F, 0x88, 0x27];
        long.extend(vec![0x30; 5000]);
        assert!(!is_simple(&section(&long), 0x3000));
        let cut = section(&[]);
        assert!(!is_simple(&cut[..cut.len() - 14], 0x3000));
    }

    #[test]
    fn issue_16_parts_are_where_their_files_say() {
        let code = |parts: &[(u64, u64)]| {
            Arc::new(Code { parts: parts.to_vec(), unwinder: Native::new(), bytes: 0 })
        };
        let bias = |range, offset, parts: &[_]| part(range, offset, code(parts)).map(|part| part.bias);
        assert_eq!(bias(0x7000_1000..0x7000_3000, 0x1000, &[(0x1000, 0x1000)]), Some(0x7000_0000));
        assert_eq!(bias(0x40_1000..0x40_3000, 0x1000, &[(0x1000, 0x40_1000)]), Some(0));
        // Code begins inside a page, at another address than its place in the file.
        assert_eq!(bias(0x7000_2000..0x7000_3000, 0x1000, &[(0x1940, 0x2940)]), Some(0x7000_0000));
        // The first of two parts that are mapped as one.
        assert_eq!(
            bias(0x7000_0000..0x7000_9000, 0, &[(0x1000, 0x2000), (0x5000, 0x6000)]),
            Some(0x6FFF_F000)
        );
        assert_eq!(bias(0x7000_0000..0x7000_1000, 0x9000, &[(0x1000, 0x1000)]), None);
    }

    #[test]
    fn issue_16_what_reaches_further_stays() {
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        // A process that is not there any more keeps what frame pointers gave.
        let user = User { registers: [0; COUNT], stack: &[] };
        let mut unwinder = Unwinder::default();
        let mut frames = words(&[u64::MAX << 8, 1, 2]);
        unwinder.replace(0, u32::MAX, &user, (8, &mut frames));
        assert_eq!(frames, words(&[u64::MAX << 8, 1, 2]));
        // By frame pointers, where there is no information.
        unwinder.processes.insert(1, Process { parts: Vec::new(), time: 0 });
        let stack = words(&[0x7010, 0x1111, 0, 0x2222]);
        // The frame pointer, the stack pointer, the code.
        let mut registers = [0; COUNT];
        (registers[0], registers[COUNT - 2], registers[COUNT - 1]) = (0x7000, 0x7000, 0x1234);
        let user = User { registers, stack: &stack };
        let mut unwound = words(&[u64::MAX << 8, 7]);
        unwinder.replace(0, 1, &user, (8, &mut unwound));
        assert_eq!(unwound, words(&[u64::MAX << 8, 0x1234, 0x1111, 0x2222]));
        // Less than that stays away: the stack ends too early.
        let user = User { registers, stack: &stack[..16] };
        let mut kept = words(&[u64::MAX << 8, 7, 8, 9, 10]);
        unwinder.replace(0, 1, &user, (8, &mut kept));
        assert_eq!(kept, words(&[u64::MAX << 8, 7, 8, 9, 10]));
    }

    /// A program of 64 bits: code of `size` bytes at 0x1000, from 0x2010 in the file on, and sections by name: address, what they hold.
    #[cfg(target_arch = "x86_64")]
    fn program(size: u64, sections: &[(&str, u64, &[u8])]) -> Vec<u8> {
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        let names: Vec<u8> = sections.iter().flat_map(|(name, ..)| name.bytes().chain([0])).collect();
        let names = [&[0], &names[..], b"names\0"].concat();
        let all = sections.iter().map(|section| (*section, 1)).chain([(("names", 0, &names[..]), 3)]);
        let (mut headers, mut bodies, mut name_at) = (vec![0; 64], Vec::new(), 1);
        for ((name, address, body), kind) in all {
            headers.extend(words(&[name_at | kind << 32, 2, address, 0x400 + bodies.len() as u64]));
            headers.extend(words(&[body.len() as u64, 0, 8, 0]));
            name_at += name.len() as u64 + 1;
            bodies.extend(body);
            bodies.resize(bodies.len().next_multiple_of(8), 0);
        }
        let count = sections.len() as u64 + 2;
        let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        file.extend(words(&[3 | 62 << 16 | 1 << 32, 0, 64, 0x200]));
        // No flags; sizes and numbers of headers, and the section with names.
        file.extend(words(&[64 << 32 | 56 << 48, 2 | 64 << 16 | count << 32 | (count - 1) << 48]));
        // Data, and code.
        file.extend(words(&[1 | 4 << 32, 0, 0, 0, 0x1000, 0x1000, 0x1000]));
        file.extend(words(&[1 | 5 << 32, 0x2010, 0x1000, 0x1000, size, size, 0x1000]));
        file.resize(0x200, 0);
        file.extend(headers);
        file.resize(0x400, 0);
        file.extend(bodies);
        file
    }

    /// `DW_CFA_def_cfa_offset 24`: two words of a function lie before its return address.
    #[cfg(target_arch = "x86_64")]
    const TWO_WORDS: &[u8] = &[0x0E, 24];

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn issue_23_programs_give_their_code_and_its_information() {
        let simple = section(TWO_WORDS);
        let jumps = section(&[0x0F, 3, 0x2F, 0xFD, 0xFF]);
        let table = [1, 0x1B, 3, 0x3B, 0, 0, 0, 0, 0, 0, 0, 0];
        let with = |frames: &[u8], roots| {
            let file = program(0x100, &[(".eh_frame_hdr", 0x4000, &table), (".eh_frame", 0x3000, frames)]);
            code_of(file.as_slice(), roots).map(|code| (code.parts, code.bytes))
        };
        let size = simple.len() as u64;
        // The table of contents of files that any user may write is not used, and neither is what may not end.
        assert_eq!(with(&simple, true), Some((vec![(0x2010, 0x1000)], size + 12)));
        assert_eq!(with(&simple, false), Some((vec![(0x2010, 0x1000)], size)));
        assert!(with(&jumps, true).is_some() && with(&jumps, false).is_none());
        let without = program(0x100, &[(".eh_frames", 0x3000, &simple)]);
        assert!(code_of(without.as_slice(), true).is_none());
        // More than is read of one file.
        let large = |size: u64| program(0x100, &[(".eh_frame", 0x3000, &vec![0; size as usize])]);
        assert!(code_of(large(OF_FILE).as_slice(), true).is_some());
        assert!(code_of(large(OF_FILE + 1).as_slice(), true).is_none());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn issue_23_a_stack_is_unwound_with_the_information_of_its_code() {
        const AT: u64 = 0x5555_0000;
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        let file = program(0x100, &[(".eh_frame", 0x3000, &section(TWO_WORDS))]);
        let code = Arc::new(code_of(file.as_slice(), false).unwrap());
        // The page with the code, which begins 16 bytes behind the beginning of the page in the file.
        let range = AT..AT + 0x110;
        let parts = vec![part(range, 0x2000, code).unwrap()];
        let mut unwinder = Unwinder::default();
        unwinder.processes.insert(1, Process { parts, time: 0 });
        let mut unwind = |ip: u64, stack: &[u64]| {
            let stack = words(stack);
            // Frame pointers would lead to the 9.
            let user = User { registers: [0x7000, 0x7000, ip], stack: &stack };
            let mut frames = Vec::new();
            let ended = unwinder.unwind(0, 1, &user, &mut frames);
            (ended, frames.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect())
        };
        // The first instruction, a call in the middle, and one that is the last: it returns behind the code.
        let (first, middle, behind) = (AT + 0x10, AT + 0x80, AT + 0x110);
        let stack = [1, 9, middle, 3, 9, behind, 5, 9, 0];
        assert_eq!(unwind(first, &stack), (true, vec![first, middle, behind]));
        assert_eq!(unwind(first, &stack[..8]), (false, vec![first, middle, behind]), "the copy ends");
        assert_eq!(unwind(first, &stack[..2]), (false, vec![first]));
        // Code that runs behind the part has no information: frame pointers lead on.
        assert_eq!(unwind(behind, &[0, middle, 7, 9, 0]), (true, vec![behind, middle]));
        // A stack that never ends is cut.
        let endless: Vec<u64> = (0..3 * 200).map(|at| if at % 3 == 2 { middle } else { 9 }).collect();
        let (ended, frames) = unwind(first, &endless);
        assert!(!ended && frames.len() == FRAMES, "{}", frames.len());
    }

    #[test]
    fn issue_23_processes_are_looked_at_again_when_they_run_other_code() {
        let pid = std::process::id();
        let here = code_of::<&[u8]> as fn(_, _) -> _ as usize as u64;
        let mut unwinder = Unwinder::default();
        unwinder.look(5, pid, here);
        let known = |unwinder: &Unwinder| {
            let process = unwinder.processes.get(&pid);
            process.map(|process| (process.time, process.part(here).is_some()))
        };
        assert_eq!(known(&unwinder), Some((5, true)));
        let shared = shared_range(&fs::read_to_string("/proc/self/maps").unwrap());
        assert_eq!(shared.is_some(), unwinder.shared().is_some());
        let part = shared.as_ref().map(|range| unwinder.processes[&pid].part(range.start).unwrap());
        assert!(part.is_none_or(|part| Some(&part.range) == shared.as_ref()));
        // Code that is known.
        unwinder.look(u64::MAX, pid, here);
        assert_eq!(known(&unwinder), Some((5, true)));
        unwinder.processes.insert(pid, Process { parts: Vec::new(), time: 5 });
        unwinder.look(AGAIN + 4, pid, here);
        assert_eq!(known(&unwinder), Some((5, false)), "it was looked at a moment ago");
        unwinder.look(AGAIN + 5, pid, here);
        assert_eq!(known(&unwinder), Some((AGAIN + 5, true)));
        unwinder.forget(pid);
        assert_eq!(known(&unwinder), None);
        unwinder.look(1, u32::MAX, here);
        assert!(unwinder.processes.is_empty(), "there is no such process");
        // All are forgotten before there are too many.
        let others = |count: u32| (0..count).map(|pid| (pid ^ 1 << 31, Process { parts: vec![], time: 0 }));
        unwinder.processes.extend(others(MOST as u32 - 1));
        unwinder.look(1, pid, here);
        assert_eq!(unwinder.processes.len(), MOST);
        unwinder.processes.extend(others(MOST as u32));
        unwinder.forget(pid);
        unwinder.look(1, pid, here);
        assert_eq!(unwinder.processes.len(), 1);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn issue_23_each_file_is_read_once_and_all_have_a_bound() {
        let folder = tracewell_corpus::Scratch::new("unwind-files");
        let frames = section(TWO_WORDS);
        let path = folder.write("program", &program(0x100, &[(".eh_frame", 0x3000, &frames)]));
        let ((device, number, size, time), place) = whole::find(&path.display().to_string()).unwrap();
        let key = |number| (device, number, size, time);
        let other = whole::find(&folder.write("text", b"no program").display().to_string()).unwrap();
        let mut unwinder = Unwinder::default();
        let code = unwinder.code(key(number), &place).unwrap();
        assert_eq!((code.bytes, unwinder.bytes), (frames.len() as u64, code.bytes));
        assert!(Arc::ptr_eq(&code, &unwinder.code(key(number), &place).unwrap()));
        assert_eq!(unwinder.bytes, code.bytes);
        // What has no code is remembered, too.
        assert!(unwinder.code(other.0, &other.1).is_none() && unwinder.files.len() == 2);
        assert!(unwinder.code(other.0, &place).is_none());
        let fill = |unwinder: &mut Unwinder, bytes, files: u64| {
            *unwinder = Unwinder { bytes, ..Unwinder::default() };
            unwinder.processes.insert(1, Process { parts: Vec::new(), time: 0 });
            unwinder.files.extend((0..files).map(|file| (key(!file), None)));
            unwinder.code(key(number), &place).unwrap();
            (unwinder.bytes, unwinder.files.len(), unwinder.processes.len())
        };
        let each = code.bytes;
        assert_eq!(fill(&mut unwinder, OF_ALL - each, 3), (OF_ALL, 4, 1));
        assert_eq!(fill(&mut unwinder, OF_ALL - each + 1, 3), (each, 1, 0));
        assert_eq!(fill(&mut unwinder, 0, MOST as u64 - 1), (each, MOST, 1));
        assert_eq!(fill(&mut unwinder, 0, MOST as u64), (each, 1, 0));
    }

    #[test]
    fn issue_23_the_code_of_the_kernel_in_each_process_is_found() {
        let maps = "00400000-00401000 r-xp 00000000 fe:00 7 /bin/[vdso] x\n\
                    7fff0000-7fff3000 r-xp 00000000 00:00 0          [vdso]\n7fff8000-7fff9000 r--p 0 0 0 [vvar]\n";
        assert_eq!(shared_range(maps), Some(0x7FFF_0000..0x7FFF_3000));
        for none in ["", "7fff0000-7fff3000", "7fff0000 [vdso]", "x-7fff3000 a [vdso]", "7fff0000-x a [vdso]"]
        {
            assert_eq!(shared_range(none), None, "{none}");
        }
    }

    #[test]
    fn issue_16_damaged_files_do_no_harm() {
        let whole = fs::read("/proc/self/exe").unwrap();
        let small = fs::read("/bin/true").ok().filter(|bytes| bytes.len() < 1 << 20);
        let Some(good) = small else {
            return tracewell_corpus::skip("a program of the system", "there is no small /bin/true");
        };
        assert!(code_of(whole.as_slice(), true).is_some());
        let code = code_of(good.as_slice(), false).unwrap();
        let parts = code.parts.clone();
        let mut state = 16_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below.max(1)
        };
        let (mut read, mut steps) = (0, 0);
        for round in 0..1500 {
            let mut bytes = good.clone();
            for _ in 0..=random(6) {
                // Headers, the tables at the end, anywhere.
                let at = match random(3) {
                    0 => random(0x300),
                    1 => bytes.len() - 1 - random(0x900),
                    _ => random(bytes.len()),
                };
                bytes[at] = [0, 0xFF, 0x7F, 0x2F, random(256) as u8][random(5)];
            }
            let Some(code) = code_of(bytes.as_slice(), round % 2 == 0) else { continue };
            read += 1;
            let stack: Vec<u64> = (0..64).map(|_| 0x1000 + random(0x9000) as u64).collect();
            let mut cache = CacheNative::new_in();
            for _ in 0..8 {
                let (_, address) = parts[random(parts.len())];
                let mut registers = User { registers: [0x7000; COUNT], stack: &[] }.start().2;
                let mut next = Some(address + random(0x3000) as u64);
                while let Some(address) = next.and_then(FrameAddress::from_return_address) {
                    let mut word = |at: u64| {
                        stack.get(usize::try_from(at.wrapping_sub(0x7000) / 8).unwrap()).copied().ok_or(())
                    };
                    steps += 1;
                    next = code
                        .unwinder
                        .unwind_frame(address, &mut registers, &mut cache, &mut word)
                        .ok()
                        .flatten();
                }
            }
        }
        assert!(read > 300 && steps > 5000, "{read} {steps}");
    }
}
