//! The types of a function's arguments in D, from the debug information of its program.
//!
//! A structure `pair` of the program `known` is `struct known__pair` in D, so that it differs from
//! structures of scripts, of libraries and of other programs. Enumerators keep their names where the script does not use these for something else.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_dlang::catalog::{Declaration, ProbeArg, ProcessType};
use tracewell_symbols::{DebugStruct, DebugType, Signature, Signatures, TypeIndex};

/// Maximum number of structures that are declared for a function.
const MOST_STRUCTS: usize = 256;
/// Structures inside structures inside each other.
const DEEPEST: usize = 16;
/// Number of an argument that cannot be read: using it is a fault.
const UNREADABLE: u8 = u8::MAX;

/// The types of a probe's arguments, and the declarations that they need.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionTypes {
    /// The arguments.
    pub(crate) args: Vec<ProbeArg>,
    /// The declarations, in order.
    pub(crate) declarations: Vec<Declaration>,
}

/// The structures that were declared, by their names in D.
#[derive(Debug, Default)]
pub(crate) struct DeclaredTypes {
    names: FxHashMap<String, Content>,
}

/// What distinguishes structures with the same name: size, kind, names and places of the members.
type Content = (u64, bool, Vec<(String, u64)>);

/// A type as a declaration has it, before and after the name.
struct Text {
    before: String,
    after: String,
    size: u64,
    align: u64,
}

impl Text {
    fn scalar(name: &str, size: u64) -> Text {
        Text { before: format!("{name} "), after: String::new(), size, align: size.max(1) }
    }

    fn bytes(size: u64) -> Text {
        Text { before: "char ".to_owned(), after: format!("[{size}]"), size, align: 1 }
    }
}

impl DeclaredTypes {
    /// The arguments of a probe at the entry or the return of a function, and the declarations of their types.
    pub(crate) fn of_function(
        &mut self,
        known: &Signatures,
        signature: &Signature,
        module: &str,
        returns: bool,
    ) -> FunctionTypes {
        let mut writer = Writer {
            known,
            module,
            names: &mut self.names,
            written: FxHashSet::default(),
            open: Vec::new(),
            declarations: Vec::new(),
        };
        let argument = |native: String, from| ProbeArg {
            native: native.trim().to_owned(),
            translated: None,
            from,
            offset: 0,
            payload: None,
        };
        let mut args = Vec::new();
        match returns {
            true => {
                args.push(argument("int64_t".to_owned(), 0));
                if let Some(result) = signature.result {
                    let from = if writer.passed(result) == Passed::Word { 1 } else { UNREADABLE };
                    let native = writer.text(result, 0).before;
                    args.push(argument(native, from));
                }
            }
            false => {
                let mut passing = Passing::default();
                for (_, parameter) in &signature.parameters {
                    let from = passing.place(writer.passed(*parameter));
                    args.push(argument(writer.text(*parameter, 0).before, from));
                }
            }
        }
        writer.finish();
        FunctionTypes { args, declarations: writer.declarations }
    }

    /// A type by itself, and the declarations that it needs.
    pub(crate) fn of_type(&mut self, known: &Signatures, index: TypeIndex, module: &str) -> ProcessType {
        let mut writer = Writer {
            known,
            module,
            names: &mut self.names,
            written: FxHashSet::default(),
            open: Vec::new(),
            declarations: Vec::new(),
        };
        let Text { before, after, .. } = writer.text(index, 0);
        writer.finish();
        ProcessType { around: (before.trim_end().to_owned(), after), declarations: writer.declarations }
    }
}

struct Writer<'w> {
    known: &'w Signatures,
    module: &'w str,
    names: &'w mut FxHashMap<String, Content>,
    /// What is declared or being declared.
    written: FxHashSet<TypeIndex>,
    /// What pointers lead to.
    open: Vec<TypeIndex>,
    declarations: Vec<Declaration>,
}

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    /// As one integer.
    Word,
    /// As parts of a structure: so many in registers of integers, and so many in others.
    Parts(u8, u8),
    /// On the stack, in so many words.
    Stack(u64),
}

/// The calling convention of x86-64: six registers for integers and eight for floating-point numbers, then the stack.
#[derive(Default)]
struct Passing {
    integers: u8,
    floats: u8,
    stack: u64,
}

impl Passing {
    /// The number of the raw argument that a value is.
    fn place(&mut self, passed: Passed) -> u8 {
        let (integers, floats) = match passed {
            Passed::Word => (1, 0),
            Passed::Parts(integers, floats) => (integers, floats),
            Passed::Stack(words) => {
                self.stack = self.stack.saturating_add(words);
                return UNREADABLE;
            }
        };
        if self.integers + integers <= 6 && self.floats + floats <= 8 {
            let first = self.integers;
            self.integers += integers;
            self.floats += floats;
            return if passed == Passed::Word { first } else { UNREADABLE };
        }
        let at = self.stack.saturating_add(6);
        self.stack = self.stack.saturating_add(u64::from(integers + floats));
        if passed == Passed::Word { u8::try_from(at).unwrap_or(UNREADABLE) } else { UNREADABLE }
    }
}

impl Writer<'_> {
    fn kind(&self, index: TypeIndex) -> &DebugType {
        self.known.types.get(index as usize).unwrap_or(&DebugType::Void)
    }

    fn passed(&self, index: TypeIndex) -> Passed {
        match self.kind(index) {
            // One of 128 bits has two registers.
            DebugType::Int { size, .. } if *size > 8 => Passed::Parts(2, 0),
            DebugType::Int { .. } | DebugType::Pointer(_) | DebugType::Enum { .. } => Passed::Word,
            DebugType::Float(size) if *size <= 8 => Passed::Parts(0, 1),
            DebugType::Struct(of) if of.size <= 16 => {
                let words = of.size.div_ceil(8) as usize;
                let mut integers = [false; 2];
                self.mark_integers(index, 0, &mut integers, 0);
                let count = integers.iter().take(words).filter(|is| **is).count();
                Passed::Parts(count as u8, (words - count) as u8)
            }
            DebugType::Struct(DebugStruct { size, .. })
            | DebugType::Float(size)
            | DebugType::Opaque(size) => Passed::Stack(size.div_ceil(8)),
            DebugType::Array(..) | DebugType::Void => Passed::Stack(0),
        }
    }

    /// Marks the words of a small structure that have integers in them.
    fn mark_integers(&self, index: TypeIndex, at: u64, integers: &mut [bool; 2], depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match self.kind(index) {
            DebugType::Float(_) => {}
            DebugType::Struct(of) => {
                for (_, place, part) in of.members.iter().take(16) {
                    self.mark_integers(*part, at.saturating_add(*place), integers, depth + 1);
                }
            }
            DebugType::Array(of, count) => {
                let size = self.text_size(*of);
                for element in 0..(*count).min(16) {
                    let place = at.saturating_add(element * size.min(16));
                    self.mark_integers(*of, place, integers, depth + 1);
                }
            }
            kind => {
                let words = if matches!(kind, DebugType::Int { size: 16, .. }) { 2 } else { 1 };
                for word in integers.iter_mut().skip((at / 8) as usize).take(words) {
                    *word = true;
                }
            }
        }
    }

    fn text_size(&self, index: TypeIndex) -> u64 {
        match self.kind(index) {
            DebugType::Int { size, .. } | DebugType::Enum { size, .. } => *size,
            DebugType::Float(size) | DebugType::Opaque(size) => *size,
            DebugType::Pointer(_) => 8,
            DebugType::Struct(of) => of.size,
            DebugType::Array(..) | DebugType::Void => 1,
        }
    }

    /// A type as D writes it.
    fn text(&mut self, index: TypeIndex, depth: usize) -> Text {
        if depth > DEEPEST {
            return Text::bytes(self.text_size(index));
        }
        match self.kind(index).clone() {
            DebugType::Void => Text::scalar("void", 1),
            // D has no type of this size.
            DebugType::Int { size: 16, .. } => Text::bytes(16),
            DebugType::Int { size, signed, character } => {
                let name = match (size, signed, character) {
                    (1, true, true) => "char",
                    (1, true, false) => "int8_t",
                    (1, false, _) => "uint8_t",
                    (2, true, _) => "int16_t",
                    (2, false, _) => "uint16_t",
                    (4, true, _) => "int",
                    (4, false, _) => "uint32_t",
                    (_, true, _) => "int64_t",
                    (_, false, _) => "uint64_t",
                };
                Text::scalar(name, size)
            }
            DebugType::Float(4) => Text::scalar("float", 4),
            DebugType::Float(8) => Text::scalar("double", 8),
            DebugType::Enum { size, values, .. } => {
                self.enumerators(index, &values);
                Text::scalar(if size == 8 { "int64_t" } else { "int" }, if size == 8 { 8 } else { 4 })
            }
            DebugType::Pointer(to) => {
                let mut inner = match self.kind(to) {
                    DebugType::Struct(of) if !of.members.is_empty() => {
                        self.open.push(to);
                        let name = self.name_of(to);
                        Text::scalar(&name, 8)
                    }
                    DebugType::Struct(_) | DebugType::Opaque(_) | DebugType::Array(..) => {
                        Text::scalar("void", 8)
                    }
                    DebugType::Float(16) => Text::scalar("void", 8),
                    _ => self.text(to, depth + 1),
                };
                inner.before.push('*');
                Text { size: 8, align: 8, ..inner }
            }
            DebugType::Array(of, count) => {
                let element = self.text(of, depth + 1);
                let after = format!("[{count}]{}", element.after);
                Text { after, size: element.size.saturating_mul(count), ..element }
            }
            DebugType::Struct(of) if of.members.is_empty() => Text::bytes(of.size),
            DebugType::Struct(of) => {
                let align = self.declare(index, depth + 1);
                Text {
                    before: format!("{} ", self.name_of(index)),
                    after: String::new(),
                    size: of.size,
                    align,
                }
            }
            DebugType::Float(size) | DebugType::Opaque(size) => Text::bytes(size),
        }
    }

    /// The name of a structure in D.
    fn name_of(&mut self, index: TypeIndex) -> String {
        let DebugType::Struct(of) = self.kind(index).clone() else { return String::new() };
        let letters = |text: &str| -> String {
            let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            text.chars().map(letter).take(100).collect()
        };
        let word = if of.union { "union" } else { "struct" };
        let mut module = letters(self.module);
        // A name begins with no digit.
        if module.starts_with(|c: char| c.is_ascii_digit()) {
            module.insert(0, '_');
        }
        let own = if of.name.is_empty() { format!("type_{index}") } else { letters(&of.name) };
        let base = format!("{word} {module}__{own}");
        let members = of.members.iter().map(|(name, place, _)| (name.clone(), *place)).collect();
        let content = (of.size, of.union, members);
        let mut number = 1;
        loop {
            let name = if number == 1 { base.clone() } else { format!("{base}_{number}") };
            match self.names.get(&name) {
                Some(known) if *known != content => number += 1,
                Some(_) => return name,
                None => {
                    self.names.insert(name.clone(), content);
                    return name;
                }
            }
        }
    }

    /// Declares a structure, and returns what it is aligned to.
    fn declare(&mut self, index: TypeIndex, depth: usize) -> u64 {
        let DebugType::Struct(of) = self.kind(index).clone() else { return 1 };
        let first = self.written.insert(index);
        let mut text = format!("{} {{\n", self.name_of(index));
        let (mut at, mut align, mut gaps) = (0u64, 1u64, 0);
        for (name, place, part) in &of.members {
            let part = self.text(*part, depth);
            let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let begins = if of.union { 0 } else { at.next_multiple_of(part.align) };
            // What D would put elsewhere, such as members of packed structures, is left out.
            if !named || part.size == 0 || place % part.align != 0 || begins > *place {
                continue;
            }
            if begins < *place {
                gaps += 1;
                let _ = writeln!(text, "char _gap{gaps}[{}];", place - at);
            }
            let _ = writeln!(text, "{}{name}{};", part.before, part.after);
            at = place.saturating_add(part.size);
            align = align.max(part.align);
        }
        if at.next_multiple_of(align) < of.size || of.union && of.size > 0 {
            let rest = if of.union { of.size } else { of.size - at };
            let _ = writeln!(text, "char _gap[{rest}];");
        }
        text.push_str("};\n");
        if first && self.written.len() <= MOST_STRUCTS {
            let name = self.name_of(index);
            self.declarations.push(Declaration { name, text, optional: false });
        }
        align
    }

    /// Declares what pointers lead to.
    fn finish(&mut self) {
        while let Some(index) = self.open.pop() {
            if !self.written.contains(&index) && self.written.len() < MOST_STRUCTS {
                self.declare(index, 0);
            }
        }
    }

    fn enumerators(&mut self, index: TypeIndex, values: &[(String, i64)]) {
        if !self.written.insert(index) {
            return;
        }
        for (name, value) in values {
            let text = format!("enum {{ {name} = {value} }};\n");
            let name = format!("enumerator {name}");
            self.declarations.push(Declaration { name, text, optional: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAR: DebugType = DebugType::Int { size: 1, signed: true, character: true };

    fn int(size: u64, signed: bool) -> DebugType {
        DebugType::Int { size, signed, character: false }
    }

    fn record(name: &str, size: u64, members: &[(&str, u64, TypeIndex)]) -> DebugType {
        let members = members.iter().map(|(name, at, of)| ((*name).to_owned(), *at, *of)).collect();
        DebugType::Struct(DebugStruct { name: name.to_owned(), size, union: false, members })
    }

    fn known(types: &[DebugType]) -> Signatures {
        Signatures { types: types.to_vec(), ..Signatures::default() }
    }

    /// The types of the arguments, the values that they are, and the declarations.
    fn of(types: &[DebugType], parameters: &[TypeIndex]) -> (Vec<(String, u8)>, Vec<Declaration>) {
        let parameters = parameters.iter().map(|of| (String::new(), *of)).collect();
        let signature = Signature { parameters, result: None };
        let made = DeclaredTypes::default().of_function(&known(types), &signature, "a.out", false);
        (made.args.into_iter().map(|arg| (arg.native, arg.from)).collect(), made.declarations)
    }

    /// The calling convention, register by register.
    fn places(values: &[Passed]) -> Vec<u8> {
        let (mut integers, mut floats): (Vec<u8>, u8) = ((0..6).rev().collect(), 8);
        let mut stack = 6..;
        let number = |at: usize| u8::try_from(at).unwrap_or(UNREADABLE);
        values
            .iter()
            .map(|value| match value {
                Passed::Word => integers.pop().unwrap_or_else(|| number(stack.next().unwrap())),
                Passed::Stack(words) => {
                    stack.start += *words as usize;
                    UNREADABLE
                }
                Passed::Parts(a, b) => {
                    if integers.len() >= usize::from(*a) && floats >= *b {
                        integers.truncate(integers.len() - usize::from(*a));
                        floats -= b;
                    } else {
                        stack.start += usize::from(a + b);
                    }
                    UNREADABLE
                }
            })
            .collect()
    }

    #[test]
    fn issue_23_arguments_are_where_the_calling_convention_puts_them() {
        let kinds = [
            Passed::Word,
            Passed::Word,
            Passed::Word,
            Passed::Parts(0, 1),
            Passed::Parts(1, 1),
            Passed::Parts(2, 0),
            Passed::Parts(0, 2),
            Passed::Stack(0),
            Passed::Stack(3),
        ];
        let mut seed = 1u64;
        for turn in 0..3000 {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as usize
            };
            let count = if turn < 2990 { next() % 24 } else { 400 };
            let values: Vec<Passed> = (0..count).map(|_| kinds[next() % kinds.len()]).collect();
            let mut passing = Passing::default();
            let found: Vec<u8> = values.iter().map(|value| passing.place(*value)).collect();
            assert_eq!(found, places(&values), "{values:?}");
        }
    }

    #[test]
    fn issue_23_values_are_passed_by_their_parts() {
        use DebugType::{Array, Float, Opaque, Pointer, Void};
        let types = [
            int(4, true), // 0
            Float(8),     // 1
            Float(16),    // 2
            Pointer(0),   // 3
            DebugType::Enum { name: String::new(), size: 4, values: Vec::new() },
            Void,                                              // 5
            Opaque(24),                                        // 6
            Array(0, 3),                                       // 7
            record("both", 16, &[("a", 0, 0), ("b", 8, 1)]),   // 8
            record("floats", 16, &[("a", 0, 1), ("b", 8, 1)]), // 9
            record("ints", 16, &[("a", 0, 3), ("b", 8, 3)]),   // 10
            record("small", 8, &[("a", 0, 0)]),                // 11
            record("large", 24, &[("a", 0, 0)]),               // 12
            record("inner", 16, &[("a", 0, 1), ("b", 8, 11)]), // 13
            record("list", 12, &[("a", 0, 7)]),                // 14
            Array(1, 2),                                       // 15
            record("pair", 16, &[("a", 0, 15)]),               // 16
            Float(4),                                          // 17
            record("edge", 17, &[]),                           // 18
            record("own", 8, &[("a", 0, 19)]),                 // 19
            int(16, false),                                    // 20
            record("wide", 16, &[("a", 0, 20)]),               // 21
        ];
        let signatures = known(&types);
        let mut declared = DeclaredTypes::default();
        let writer = Writer {
            known: &signatures,
            module: "m",
            names: &mut declared.names,
            written: FxHashSet::default(),
            open: Vec::new(),
            declarations: Vec::new(),
        };
        let expected = [
            Passed::Word,
            Passed::Parts(0, 1),
            Passed::Stack(2),
            Passed::Word,
            Passed::Word,
            Passed::Stack(0),
            Passed::Stack(3),
            Passed::Stack(0),
            Passed::Parts(1, 1),
            Passed::Parts(0, 2),
            Passed::Parts(2, 0),
            Passed::Parts(1, 0),
            Passed::Stack(3),
            Passed::Parts(1, 1),
            Passed::Parts(2, 0),
            Passed::Stack(0),
            Passed::Parts(0, 2),
            Passed::Parts(0, 1),
            Passed::Stack(3),
            // What contains itself has no end.
            Passed::Parts(0, 1),
            // An integer of 128 bits has two registers.
            Passed::Parts(2, 0),
            Passed::Parts(2, 0),
            Passed::Stack(0),
        ];
        for (index, expected) in (0..).zip(expected) {
            assert_eq!(writer.passed(index), expected, "{index}");
        }
    }

    #[test]
    fn issue_23_types_have_their_names_in_d() {
        use DebugType::{Array, Float, Opaque, Pointer, Void};
        let mut types = vec![
            Void,
            CHAR,
            Pointer(1),
            Pointer(2),
            Pointer(0),
            Array(1, 5),
            Pointer(5),
            Float(16),
            Pointer(7),
            Opaque(3),
            Pointer(9),
            record("", 4, &[]),
            Pointer(11),
            record("a<b>", 4, &[("x", 0, 15)]),
            Pointer(13),
            int(4, true),
            Pointer(99),
            DebugType::Int { size: 1, signed: false, character: true },
            Float(4),
            Float(8),
            Float(10),
        ];
        let mut cases = vec![
            (0, "void"),
            (1, "char"),
            (2, "char *"),
            (3, "char **"),
            (4, "void *"),
            (6, "void *"),
            (8, "void *"),
            (10, "void *"),
            (12, "void *"),
            (13, "struct a_out__a_b_"),
            (14, "struct a_out__a_b_ *"),
            (16, "void *"),
            (17, "uint8_t"),
            (18, "float"),
            (19, "double"),
        ];
        for (size, signed, name) in [
            (1, true, "int8_t"),
            (1, false, "uint8_t"),
            (2, true, "int16_t"),
            (2, false, "uint16_t"),
            (4, true, "int"),
            (4, false, "uint32_t"),
            (8, true, "int64_t"),
            (8, false, "uint64_t"),
        ] {
            cases.push((types.len() as u32, name));
            types.push(int(size, signed));
        }
        for (size, name) in [(1, "int"), (4, "int"), (8, "int64_t")] {
            cases.push((types.len() as u32, name));
            types.push(DebugType::Enum { name: String::new(), size, values: Vec::new() });
        }
        for (index, name) in cases {
            assert_eq!(of(&types, &[index]).0[0].0, name, "{index}");
        }
        // The result comes after the place of the return.
        for (result, expected) in
            [(2, Some(("char *", 1))), (19, Some(("double", UNREADABLE))), (5, Some(("char", UNREADABLE)))]
        {
            let signature = Signature { parameters: Vec::new(), result: Some(result) };
            let made = DeclaredTypes::default().of_function(&known(&types), &signature, "m", true);
            let args: Vec<_> = made.args.iter().map(|arg| (&*arg.native, arg.from)).collect();
            assert_eq!(args, [Some(("int64_t", 0)), expected].into_iter().flatten().collect::<Vec<_>>());
        }
    }

    /// Size, alignment, and members with their places, as a compiler of C lays out a declaration.
    fn laid_out(text: &str, others: &FxHashMap<String, (u64, u64)>) -> (u64, u64, Vec<(String, u64)>) {
        let union = text.starts_with("union");
        let (mut at, mut align, mut size, mut members) = (0u64, 1u64, 0, Vec::new());
        let lines = text.lines().skip(1).take_while(|line| *line != "};");
        for line in lines {
            let line = line.strip_suffix(';').unwrap();
            let (declared, dimensions) = line.split_once('[').unwrap_or((line, ""));
            let (of, name) = declared.rsplit_once([' ', '*']).unwrap();
            let (one, aligned) = match of.trim_end_matches(' ') {
                _ if declared.contains('*') => (8, 8),
                "char" | "int8_t" | "uint8_t" => (1, 1),
                "int16_t" | "uint16_t" => (2, 2),
                "int" | "uint32_t" | "float" => (4, 4),
                "int64_t" | "uint64_t" | "double" => (8, 8),
                other => others[other],
            };
            let counts = dimensions.split(['[', ']']).filter_map(|count| count.parse::<u64>().ok());
            let whole = one * counts.product::<u64>();
            at = if union { 0 } else { at.next_multiple_of(aligned) };
            members.push((name.to_owned(), at));
            at += whole;
            size = size.max(at);
            align = align.max(aligned);
        }
        (size.next_multiple_of(align), align, members)
    }

    /// Whatever debug information reports, members are at its places in D, and structures have its sizes.
    #[test]
    fn issue_23_members_are_where_debug_information_has_them() {
        let mut seed = 7u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let (mut kept, mut left_out) = (0, 0);
        for _ in 0..400 {
            let mut types = vec![
                CHAR,
                int(2, true),
                int(4, false),
                int(8, true),
                DebugType::Float(8),
                DebugType::Pointer(0),
            ];
            let mut sizes = vec![1u64, 2, 4, 8, 8, 8];
            types.push(DebugType::Array(1, 3));
            sizes.push(6);
            for number in 0..4 {
                let union = next(4) == 0;
                let packed = next(4) == 0;
                let (mut at, mut size, mut members) = (0u64, 0, Vec::new());
                for member in 0..1 + next(5) {
                    let of = next(types.len() as u64) as usize;
                    let step = [1, 2, 4, 8][next(4) as usize];
                    if !packed {
                        at = at.next_multiple_of(8) + if next(3) == 0 { 8 } else { 0 };
                    } else if next(2) == 0 {
                        at = at.next_multiple_of(step);
                    }
                    let at_now = if union { 0 } else { at };
                    let name = if next(9) == 0 { "operator()".to_owned() } else { format!("m{member}") };
                    members.push((name, at_now, of as TypeIndex));
                    at = at_now + sizes[of];
                    size = size.max(at);
                }
                size += next(3);
                let size = size.next_multiple_of(8);
                types.push(DebugType::Struct(DebugStruct {
                    name: format!("s{number}"),
                    size,
                    union,
                    members,
                }));
                sizes.push(size);
            }
            let all: Vec<TypeIndex> = (7..11).collect();
            let (_, declarations) = of(&types, &all);
            let mut done = FxHashMap::default();
            for declaration in &declarations {
                let (size, align, members) = laid_out(&declaration.text, &done);
                done.insert(declaration.name.clone(), (size, align));
                let number = declaration
                    .name
                    .trim_start_matches("struct a_out__s")
                    .trim_start_matches("union a_out__s");
                let DebugType::Struct(of) = &types[7 + number.parse::<usize>().unwrap()] else { panic!() };
                assert_eq!(size, of.size, "{of:?}\n{}", declaration.text);
                for (name, at) in members.iter().filter(|(name, _)| !name.starts_with("_gap")) {
                    let (_, place, _) = of.members.iter().find(|(known, ..)| known == name).unwrap();
                    assert_eq!(at, place, "{name} of {}", declaration.text);
                    kept += 1;
                }
                let named = of.members.iter().filter(|(name, ..)| name.starts_with('m')).count();
                left_out += named - members.iter().filter(|(name, _)| name.starts_with('m')).count();
            }
            assert_eq!(declarations.len(), 4);
        }
        // Few are left out: those of packed structures.
        assert!(kept > 3 * left_out && left_out > 0, "{kept} {left_out}");
    }

    #[test]
    fn issue_23_structures_of_one_name_have_numbers() {
        let pair = |name: &str, size, second| record(name, size, &[("a", 0, 0), ("b", second, 0)]);
        let types = [
            int(4, true),
            pair("p", 8, 4),
            pair("p", 16, 8),
            pair("p", 8, 4),
            DebugType::Pointer(2),
            pair("7\u{e9}", 8, 4),
            pair("", 8, 4),
        ];
        let signature = |of| Signature { parameters: vec![(String::new(), of)], result: None };
        let mut declared = DeclaredTypes::default();
        let mut name = |of, module| {
            declared.of_function(&known(&types), &signature(of), module, false).args[0].native.clone()
        };
        assert_eq!(name(1, "libx.so.6"), "struct libx_so_6__p");
        assert_eq!(name(2, "libx.so.6"), "struct libx_so_6__p_2");
        assert_eq!(name(3, "libx.so.6"), "struct libx_so_6__p");
        assert_eq!(name(4, "libx.so.6"), "struct libx_so_6__p_2 *");
        assert_eq!(name(1, "7z"), "struct _7z__p");
        assert_eq!(name(5, "m"), "struct m__7_");
        assert_eq!(name(6, "m"), "struct m__type_6");
    }

    #[test]
    fn issue_23_what_pointers_lead_to_is_declared_once_and_enumerators_too() {
        let node = record("node", 16, &[("next", 0, 1), ("kind", 8, 2)]);
        let values = vec![("RED".to_owned(), 1), ("BLUE".to_owned(), -2)];
        let types =
            [node, DebugType::Pointer(0), DebugType::Enum { name: "kind".to_owned(), size: 4, values }];
        let (args, declarations) = of(&types, &[1, 2, 1]);
        assert_eq!(args[1], ("int".to_owned(), 1));
        let texts: Vec<_> = declarations.iter().map(|one| (&*one.name, &*one.text, one.optional)).collect();
        assert_eq!(
            texts,
            [
                ("enumerator RED", "enum { RED = 1 };\n", true),
                ("enumerator BLUE", "enum { BLUE = -2 };\n", true),
                (
                    "struct a_out__node",
                    "struct a_out__node {\nstruct a_out__node *next;\nint kind;\n};\n",
                    false
                ),
            ]
        );
        // A chain of structures is cut where there are too many.
        let many: Vec<DebugType> = (0..600)
            .flat_map(|n| {
                [record(&format!("s{n}"), 8, &[("next", 0, 2 * n + 1)]), DebugType::Pointer(2 * n + 2)]
            })
            .collect();
        assert_eq!(of(&many, &[0]).1.len(), MOST_STRUCTS);
    }
}
