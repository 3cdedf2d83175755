//! A kernel for tests: types that are described like a kernel's (BTF), and objects of them in the memory of a [`Machine`].

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tracewell_corpus::Random;

use crate::interpreter::Machine;

/// Structures with the fields that programs read: name and bytes; of each field its place, and its bytes or its structure.
/// No two fields of a structure overlap, except registers of different processors, and between them lie bytes that belong to none.
const TYPES: &str = "
task_struct 4608: __state@24=4 prio@108=4 mm@2312=8 exit_code@2384=4 pid@2480=4 tgid@2484=4 start_time@2664=8
 self_exec_id@2960=8 real_cred@2992=8 comm@3024=16t files@3088=8 signal@3120=8
linux_binprm 384: filename@96=8
cred 184: uid@8=4 gid@12=4 suid@16=4 sgid@20=4 euid@24=4 egid@28=4 fsuid@32=4 fsgid@36=4 cap_permitted@56=8
mm_struct 1024: arg_start@344=8 arg_end@352=8 flags@400=8
atomic_t 4: counter@0=4
signal_struct 1096: live@4=atomic_t
kernel_siginfo 48: si_signo@0=4 si_code@8=4
sigaction 32: sa_flags@8=8 sa_handler@0=8
k_sigaction 48: sa@16=sigaction
pt_regs 272: regs@56=16t r10@56=8 r9@64=8 r8@72=8 dx@96=8 si@104=8 di@112=8 orig_ax@120=8 ip@128=8 orig_x0@168=8 pc@176=8
 syscallno@184=4
irqaction 128: handler@8=8
request 320: q@8=8 cmd_flags@24=4 __data_len@44=4 __sector@48=8 bio@56=8
request_queue 1024: disk@112=8
gendisk 1104: major@16=4 first_minor@20=4
bio 136: bi_io_vec@96=8
bio_vec 16: bv_page@8=8
page 64: mapping@24=8
address_space 192: host@16=8
sock_common 136: skc_daddr@8=4 skc_rcv_saddr@12=4 skc_dport@20=2 skc_num@22=2 skc_family@24=2 skc_v6_daddr@64=16t
 skc_v6_rcv_saddr@80=16t
sock 760: __sk_common@8=sock_common sk_protocol@538=2
sk_buff 232: len@112=4
files_struct 704: fdt@32=8
fdtable 56: max_fds@16=4 fd@24=8
file 232: f_inode@32=8 f_pos@104=8
inode 632: i_mode@2=2
";

/// Tracepoints, and the number of their arguments now, and before that changed.
pub(crate) const NOW: &[(&str, u32)] = &[("sched_switch", 4), ("sched_process_exit", 2)];
pub(crate) const BEFORE: &[(&str, u32)] = &[("sched_switch", 3), ("sched_process_exit", 1)];

#[derive(Clone, Debug)]
enum Type {
    Number(u32),
    Bytes(u32),
    Of(&'static str),
}

#[derive(Clone, Debug)]
struct Member {
    name: &'static str,
    at: u32,
    ty: Type,
}

/// A structure: name, bytes, members.
type Structure = (&'static str, u32, Vec<Member>);

static STRUCTURES: LazyLock<Vec<Structure>> = LazyLock::new(structures);

fn structures() -> Vec<Structure> {
    let mut all: Vec<Structure> = Vec::new();
    for line in TYPES.lines().filter(|line| !line.is_empty()) {
        let fields = match line.split_once(':') {
            Some((head, fields)) => {
                let (name, size) = head.split_once(' ').unwrap();
                all.push((name, size.parse().unwrap(), Vec::new()));
                fields
            }
            None => line,
        };
        let members = &mut all.last_mut().unwrap().2;
        for field in fields.split_whitespace() {
            let (name, rest) = field.split_once('@').unwrap();
            let (at, ty) = rest.split_once('=').unwrap();
            let ty = match (ty.strip_suffix('t').and_then(|count| count.parse().ok()), ty.parse()) {
                (Some(count), _) => Type::Bytes(count),
                (_, Ok(size)) => Type::Number(size),
                _ => Type::Of(ty),
            };
            members.push(Member { name, at: at.parse().unwrap(), ty });
        }
    }
    all
}

/// A kernel: its types, and the objects that programs find.
#[derive(Debug, Default)]
pub(crate) struct Kernel {
    pub(crate) machine: Machine,
    random: Random,
}

impl Kernel {
    /// Any number.
    pub(crate) fn any(&mut self) -> u64 {
        self.random.bits()
    }

    /// An object whose fields have these values, by their paths in its structure. All its other bytes are any numbers.
    pub(crate) fn object(&mut self, structure: &str, fields: &[(&str, u64)]) -> u64 {
        let (_, size, _) = STRUCTURES.iter().find(|(name, ..)| *name == structure).unwrap();
        let bytes: Vec<u8> = (0..*size).map(|_| self.any() as u8).collect();
        let at = self.machine.object(&bytes);
        for (path, value) in fields {
            let (place, size) = place(structure, path);
            self.machine.poke(at + u64::from(place), &value.to_le_bytes()[..size as usize]);
        }
        at
    }

    /// Sets words of an object from a field on.
    pub(crate) fn set_words(&mut self, at: u64, structure: &str, path: &str, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.machine.poke(at + u64::from(place(structure, path).0), &bytes);
    }

    /// Sets the bytes of a field of an object.
    pub(crate) fn set_bytes(&mut self, at: u64, structure: &str, path: &str, bytes: &[u8]) {
        let (place, size) = place(structure, path);
        assert_eq!(size as usize, bytes.len());
        self.machine.poke(at + u64::from(place), bytes);
    }
}

/// Place and size of a field.
fn place(structure: &str, path: &str) -> (u32, u32) {
    let (mut structure, mut at) = (structure, 0);
    for part in path.split('.') {
        let (.., members) = STRUCTURES.iter().find(|(name, ..)| *name == structure).unwrap();
        let member = members.iter().find(|member| member.name == part).unwrap_or_else(|| panic!("{path}"));
        at += member.at;
        match member.ty {
            Type::Number(size) | Type::Bytes(size) => return (at, size),
            Type::Of(inner) => structure = inner,
        }
    }
    panic!("{path} is a structure")
}

/// The description of the types (Documentation/bpf/btf.rst), with tracepoints.
pub(crate) fn btf(tracepoints: &[(&str, u32)]) -> Vec<u8> {
    let (mut types, mut names) = (Vec::new(), vec![0]);
    let mut count = 0;
    let mut add = |words: &[u32]| {
        types.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        count += 1;
        count
    };
    let mut name = |text: &str| {
        let at = names.len() as u32;
        names.extend(text.bytes().chain([0]));
        at
    };
    // Kinds: 1 a number, 3 an array, 4 a structure, 2 a pointer, 13 a function, 8 a typedef.
    let numbers: BTreeMap<u32, u32> =
        [1, 2, 4, 8].map(|size| (size, add(&[0, 1 << 24, size, size * 8]))).into();
    let bytes = add(&[0, 3 << 24, 0, numbers[&1], numbers[&4], 16]);
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    for (structure, size, members) in STRUCTURES.iter() {
        let mut words = vec![name(structure), 4 << 24 | members.len() as u32, *size];
        for Member { name: member, at, ty } in members {
            let ty = match ty {
                Type::Number(size) => numbers[size],
                Type::Bytes(size) => {
                    assert_eq!(*size, 16);
                    bytes
                }
                Type::Of(inner) => known[inner],
            };
            words.extend([name(member), ty, at * 8]);
        }
        known.insert(structure, add(&words));
    }
    for (point, arguments) in tracepoints {
        let mut function = vec![0, 13 << 24 | (arguments + 1), 0];
        function.extend((0..=*arguments).flat_map(|_| [0, numbers[&8]]));
        let function = add(&function);
        let pointer = add(&[0, 2 << 24, function]);
        add(&[name(&format!("btf_trace_{point}")), 8 << 24, pointer]);
    }
    let mut out = vec![0x9F, 0xEB, 1, 0];
    let (types_size, names_size) = (types.len() as u32, names.len() as u32);
    for word in [24, 0, types_size, types_size, names_size] {
        out.extend(u32::to_le_bytes(word));
    }
    out.extend(types);
    out.extend(names);
    out
}
