//! The types of a function's arguments in D, from the debug information of its program.
//!
//! A structure `pair` of the program `known` is `struct known__pair` in D, so that it differs from
//! structures of scripts, of libraries and of other programs. Enumerators keep their names where the script does not use these for something else.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_dlang::catalog::{Declaration, ProbeArg};
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
            _ => {
                if let Some(word) = integers.get_mut((at / 8) as usize) {
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
