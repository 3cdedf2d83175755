//! Object files with the probes of declared providers (`-G`): the functions that the macros of a header (`-h`) call.
//!
//! Each probe is a function of two instructions that do nothing and return, with a note (`.note.stapsdt`) that reports its
//! arguments where the calling convention of x86-64 passes them. Whether anyone looks is a counter in `.probes`, which those
//! who look raise.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tracewell_dlang::header::{DeclaredProbe, DeclaredProvider, Passed, counter};

/// Numbers of the sections, in the order in which they are written.
const TEXT: u16 = 1;
const NOTES: u16 = 3;
const BASE: u16 = 5;
const COUNTERS: u16 = 6;
const SYMBOLS: u16 = 8;
const NAMES: u16 = 9;

/// The numbers of the first symbols: sections, then the base of the notes.
const TEXT_SYMBOL: u64 = 1;
const COUNTERS_SYMBOL: u64 = 2;
const BASE_SYMBOL: u64 = 3;
/// The number of symbols that are local: with the empty one.
const LOCALS: u32 = 3;

/// Kinds of relocations.
const ABSOLUTE: u64 = 1;
const RELATIVE: u64 = 2;

/// A section: name, type, flags, bytes, link, info, alignment, size of an entry.
type Section = (&'static str, u32, u64, Vec<u8>, u32, u32, u64, u64);

/// The parts of the file that grow with each probe.
#[derive(Default)]
struct Parts {
    text: Vec<u8>,
    text_relocations: Vec<u8>,
    notes: Vec<u8>,
    note_relocations: Vec<u8>,
    counters: Vec<u8>,
    symbols: Vec<u8>,
    names: Vec<u8>,
}

/// The object file for providers: with all probes, or those whose functions other objects need.
pub(super) fn object(providers: &[DeclaredProvider], needed: Option<&BTreeSet<String>>) -> Vec<u8> {
    let mut parts = Parts { names: vec![0], ..Parts::default() };
    parts.symbol("", (0, 0), 0, 0, 0);
    // Symbols of the sections, and the one that notes are moved with: weak and hidden.
    parts.symbol("", (3, 0), TEXT, 0, 0);
    parts.symbol("", (3, 0), COUNTERS, 0, 0);
    parts.symbol("_.stapsdt.base", (0x21, 2), BASE, 0, 1);
    for provider in providers {
        for probe in &provider.probes {
            let is_needed = |name: &String| needed.is_none_or(|needed| needed.contains(name));
            if functions(&provider.name, &probe.name).iter().any(is_needed) {
                parts.probe(&provider.name, probe);
            }
        }
    }
    parts.finish()
}

/// The functions of a probe: the one that fires it, and the one that says whether anyone looks.
fn functions(provider: &str, probe: &str) -> [String; 2] {
    ["__dtrace_", "__dtraceenabled_"].map(|begin| format!("{begin}{provider}___{probe}"))
}

/// The names that the object files of a program need, which fire the probes of providers; [`None`] without such files.
///
/// # Errors
/// The first one that cannot be linked with [`object`], or that fires no probe of the providers.
pub(super) fn needed(
    objects: &[PathBuf],
    providers: &[DeclaredProvider],
) -> Result<Option<BTreeSet<String>>, String> {
    let all = || providers.iter().flat_map(|of| of.probes.iter().map(|probe| (&*of.name, &*probe.name)));
    let functions: BTreeSet<String> =
        all().flat_map(|(provider, probe)| functions(provider, probe)).collect();
    let counters: BTreeSet<String> = all().map(|(provider, probe)| counter(provider, probe)).collect();
    let mut needed = BTreeSet::new();
    for path in objects {
        let shown = path.display();
        let names = tracewell_symbols::object_names(path).map_err(|why| format!("{shown}: {why}"))?;
        // Its own probes, or those of the macros of another header for such notes.
        let mut fires = tracewell_symbols::static_probes(path)
            .iter()
            .any(|probe| providers.iter().any(|of| of.name == probe.provider));
        for name in names {
            // A program may only ask whether anyone looks.
            fires |= counters.contains(&name);
            if functions.contains(&name) {
                fires = true;
                needed.insert(name);
            }
        }
        if !fires {
            let names: Vec<&str> = providers.iter().map(|provider| provider.name.as_str()).collect();
            return Err(format!(
                "{shown} fires no probe of the provider {} that the script declares: include the header of -h in its source",
                names.join(", ")
            ));
        }
    }
    Ok((!objects.is_empty()).then_some(needed))
}

impl Parts {
    fn symbol(&mut self, name: &str, (info, other): (u8, u8), section: u16, value: u64, size: u64) {
        let at = if name.is_empty() { 0 } else { self.names.len() as u32 };
        if !name.is_empty() {
            self.names.extend(name.as_bytes());
            self.names.push(0);
        }
        self.symbols.extend(at.to_le_bytes());
        self.symbols.extend([info, other]);
        self.symbols.extend(section.to_le_bytes());
        self.symbols.extend(value.to_le_bytes());
        self.symbols.extend(size.to_le_bytes());
    }

    /// A function of these bytes; returns its place. Several objects of a program may have the same one, of which the linker
    /// keeps the first; those of its libraries are others.
    fn function(&mut self, name: &str, code: &[u8]) -> u64 {
        const WEAK_FUNCTION: u8 = 0x22;
        const HIDDEN: u8 = 2;
        self.text.resize(self.text.len().next_multiple_of(16), 0xCC);
        let at = self.text.len() as u64;
        self.text.extend(code);
        self.symbol(name, (WEAK_FUNCTION, HIDDEN), TEXT, at, code.len() as u64);
        at
    }

    fn probe(&mut self, provider: &str, probe: &DeclaredProbe) {
        let name = &probe.name;
        let [fires, asks] = functions(provider, name);
        let counter = self.counters.len() as u64;
        self.counters.extend([0; 2]);
        // nop; ret
        let site = self.function(&fires, &[0x90, 0xC3]);
        // movzwl counter(%rip), %eax; ret
        let enabled = [0x0F, 0xB7, 0x05, 0, 0, 0, 0, 0xC3];
        let enabled = self.function(&asks, &enabled);
        let place = (enabled + 3, COUNTERS_SYMBOL, RELATIVE);
        relocate(&mut self.text_relocations, place, counter.cast_signed() - 4);
        let mut texts = Vec::new();
        for text in [provider, name, &operands(probe)] {
            texts.extend(text.as_bytes());
            texts.push(0);
        }
        self.notes.extend([8, 24 + texts.len() as u32, 3].iter().flat_map(|word: &u32| word.to_le_bytes()));
        self.notes.extend(b"stapsdt\0");
        let words = self.notes.len() as u64;
        self.notes.extend([0; 24]);
        self.notes.extend(texts);
        self.notes.resize(self.notes.len().next_multiple_of(4), 0);
        let symbols = [(TEXT_SYMBOL, site), (BASE_SYMBOL, 0), (COUNTERS_SYMBOL, counter)];
        for (index, (symbol, distance)) in (0..).zip(symbols) {
            let place = (words + 8 * index, symbol, ABSOLUTE);
            relocate(&mut self.note_relocations, place, distance.cast_signed());
        }
    }

    fn finish(self) -> Vec<u8> {
        const PROGRAM: u32 = 1;
        const TABLE: u32 = 2;
        const TEXTS: u32 = 3;
        const RELOCATIONS: u32 = 4;
        const NOTE: u32 = 7;
        const GROUP: u32 = 17;
        const WRITE: u64 = 1;
        const ALLOCATED: u64 = 2;
        const CODE: u64 = 4;
        const GROUPED: u64 = 0x200;
        let (symbols, names) = (u32::from(SYMBOLS), u32::from(NAMES));
        // Of the groups with this name, the linker keeps one.
        let group = [1, u32::from(BASE)].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        let sections: [Section; 11] = [
            (".text", PROGRAM, ALLOCATED | CODE, self.text, 0, 0, 16, 0),
            (".rela.text", RELOCATIONS, 0, self.text_relocations, symbols, TEXT.into(), 8, 24),
            (".note.stapsdt", NOTE, 0, self.notes, 0, 0, 4, 0),
            (".rela.note.stapsdt", RELOCATIONS, 0, self.note_relocations, symbols, NOTES.into(), 8, 24),
            (".stapsdt.base", PROGRAM, ALLOCATED | GROUPED, vec![0], 0, 0, 1, 0),
            (".probes", PROGRAM, ALLOCATED | WRITE, self.counters, 0, 0, 2, 0),
            (".group", GROUP, 0, group, symbols, BASE_SYMBOL as u32, 4, 4),
            (".symtab", TABLE, 0, self.symbols, names, LOCALS, 8, 24),
            (".strtab", TEXTS, 0, self.names, 0, 0, 1, 0),
            (".note.GNU-stack", PROGRAM, 0, Vec::new(), 0, 0, 1, 0),
            (".shstrtab", TEXTS, 0, Vec::new(), 0, 0, 1, 0),
        ];
        file(sections)
    }
}

fn relocate(out: &mut Vec<u8>, (place, symbol, kind): (u64, u64, u64), distance: i64) {
    out.extend(place.to_le_bytes());
    out.extend((symbol << 32 | kind).to_le_bytes());
    out.extend(distance.to_le_bytes());
}

/// The file of sections; the last one gets the names of all.
fn file(mut sections: [Section; 11]) -> Vec<u8> {
    let mut names = vec![0u8];
    let mut starts = Vec::new();
    for (name, ..) in &sections {
        starts.push(names.len() as u32);
        names.extend(name.as_bytes());
        names.push(0);
    }
    if let Some((.., bytes, _, _, _, _)) = sections.last_mut() {
        *bytes = names;
    }
    let mut out = vec![0u8; 64];
    let mut headers = vec![0u8; 64];
    for ((_, kind, flags, bytes, link, info, align, entry), name) in sections.iter().zip(starts) {
        out.resize(out.len().next_multiple_of(*align as usize), 0);
        headers.extend([name, *kind].iter().flat_map(|word| word.to_le_bytes()));
        let words = [*flags, 0, out.len() as u64, bytes.len() as u64];
        headers.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        headers.extend([*link, *info].iter().flat_map(|word| word.to_le_bytes()));
        headers.extend([*align, *entry].iter().flat_map(|word| word.to_le_bytes()));
        out.extend(bytes);
    }
    out.resize(out.len().next_multiple_of(8), 0);
    let table = out.len() as u64;
    out.extend(headers);
    let mut head = Vec::with_capacity(64);
    head.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    // A file for the linker, for x86-64, of version 1.
    head.extend([1u16, 62].iter().flat_map(|half| half.to_le_bytes()));
    head.extend(1u32.to_le_bytes());
    head.extend([0u64, 0, table].iter().flat_map(|word| word.to_le_bytes()));
    head.extend(0u32.to_le_bytes());
    head.extend([64u16, 0, 0, 64, 12, 11].iter().flat_map(|half| half.to_le_bytes()));
    if let Some(place) = out.get_mut(..head.len()) {
        place.copy_from_slice(&head);
    }
    out
}

/// Where the arguments of a probe are when its function begins.
fn operands(probe: &DeclaredProbe) -> String {
    const REGISTERS: [[&str; 4]; 6] = [
        ["dil", "di", "edi", "rdi"],
        ["sil", "si", "esi", "rsi"],
        ["dl", "dx", "edx", "rdx"],
        ["cl", "cx", "ecx", "rcx"],
        ["r8b", "r8w", "r8d", "r8"],
        ["r9b", "r9w", "r9d", "r9"],
    ];
    let (mut integers, mut floats, mut stack) = (0, 0, 8);
    let mut places = Vec::new();
    for of in probe.types.iter().map(|ty| Passed::of(ty)) {
        if of.float && floats < 8 {
            places.push(of.at(&format!("%xmm{floats}")));
            floats += 1;
            continue;
        }
        let register = if of.float { None } else { REGISTERS.get(integers) };
        match register {
            Some(names) => {
                let name = names.get(of.size.ilog2() as usize).copied().unwrap_or_default();
                places.push(of.at(&format!("%{name}")));
                integers += 1;
            }
            None => {
                places.push(of.at(&format!("{stack}(%rsp)")));
                stack += 8;
            }
        }
    }
    let shown = probe.shown.iter().filter_map(|at| places.get(*at).map(String::as_str));
    shown.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_arguments_are_where_the_calling_convention_passes_them() {
        for (types, expected) in [
            (&[][..], ""),
            (&["int", "char *", "long"], "-4@%edi 8@%rsi -8@%rdx"),
            (&["unsigned char", "short", "uint32_t"], "1@%dil -2@%si 4@%edx"),
            (&["double", "int", "float"], "8f@%xmm0 -4@%edi 4f@%xmm1"),
            (&["int"; 8], "-4@%edi -4@%esi -4@%edx -4@%ecx -4@%r8d -4@%r9d -4@8(%rsp) -4@16(%rsp)"),
            (&["const char *", "struct item", "unsigned", "size_t"], "8@%rdi 8@%rsi 4@%edx 8@%rcx"),
            (&["uintptr_t", "intptr_t", "unsigned long long", "uint8_t"], "8@%rdi -8@%rsi 8@%rdx 1@%cl"),
        ] {
            let types: Vec<String> = types.iter().map(|of| (*of).to_owned()).collect();
            let mut probe = DeclaredProbe { name: "p".to_owned(), shown: (0..types.len()).collect(), types };
            assert_eq!(operands(&probe), expected, "{:?}", probe.types);
            // Scripts may see them in another order.
            probe.shown = probe.shown.iter().rev().chain(probe.shown.first()).copied().collect();
            let mut places: Vec<&str> = expected.split(' ').filter(|place| !place.is_empty()).rev().collect();
            places.extend(places.last().copied());
            assert_eq!(operands(&probe), places.join(" "));
        }
    }
}
