//! The built-in C preprocessor, for `-C`: no external program is needed on any system.
//!
//! It differs from that of a C compiler as D requires: the first line may begin with `#!`; `#pragma`
//! and line markers are passed on; `//` comments are removed; names in probe descriptions are expanded
//! like any other; and the `#` of a directive must be in the first column (as it was when the test
//! suites were written), unless [`Config::indented`] allows white space before it.
//!
//! Line numbers are preserved: a directive leaves an empty line, and [`LineMark`]s mark where included
//! text begins and ends, so that later messages name the original file and line.

mod condition;
mod expand;
mod headers;
mod line;
mod token;

use std::fmt;

use crate::source::LineMark;
use expand::{Body, Macros};
pub use headers::built_in;
use line::LogicalLine;
use token::{Kind, PpToken};

/// Options of the preprocessor.
#[derive(Clone, Debug)]
pub struct Config {
    /// `-D`: a name, or `name=value`; without a value it is 1.
    pub defines: Vec<String>,
    /// `-U`: names, removed after everything else is defined.
    pub undefines: Vec<String>,
    /// The target machine, whose macros are predefined.
    pub target: Target,
    /// The value of `__SUNW_D_VERSION`: major in the upper 8 bits, then 12 bits each of minor and micro.
    pub version: u32,
    /// Whether white space may precede the `#` of a directive.
    pub indented: bool,
    /// Deepest nesting of `#include`.
    pub max_depth: u32,
    /// Most bytes of output.
    pub max_output: usize,
}

/// A machine, as the predefined macros of C compilers describe it: `__amd64`, `__linux__`, `_LP64`.
/// Names without a leading underscore (`unix`, `linux`) are not defined, because D programs use
/// them as names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The processor, named as in [`std::env::consts::ARCH`].
    pub arch: &'static str,
    /// The system, named as in [`std::env::consts::OS`].
    pub os: &'static str,
    /// Pointers and `long` have 64 bits.
    pub lp64: bool,
}

impl Default for Target {
    /// The most common machine; callers that know theirs set it.
    fn default() -> Target {
        Target { arch: "x86_64", os: "linux", lp64: true }
    }
}

impl Target {
    /// Names of its macros; each has the value 1.
    fn macros(self) -> impl Iterator<Item = &'static str> {
        let arch: &[&str] = match (self.arch, self.lp64) {
            ("x86_64", true) => &["__amd64", "__amd64__", "__x86_64", "__x86_64__"],
            ("x86_64" | "x86", _) => &["__i386", "__i386__"],
            ("aarch64", _) => &["__aarch64__"],
            ("arm", _) => &["__arm__"],
            ("riscv64", _) => &["__riscv"],
            ("sparc64", _) => &["__sparc", "__sparc__", "__sparcv9"],
            _ => &[],
        };
        let os: &[&str] = match self.os {
            "linux" => &["__linux", "__linux__", "__unix", "__unix__"],
            "windows" => &["_WIN32", "_WIN64"],
            "macos" => &["__APPLE__", "__MACH__"],
            "freebsd" => &["__FreeBSD__", "__unix", "__unix__"],
            "illumos" | "solaris" => &["__sun", "__sun__", "__unix", "__unix__"],
            _ => &[],
        };
        let model: &[&str] = if self.lp64 { &["_LP64", "__LP64__"] } else { &["_ILP32"] };
        arch.iter().chain(os).chain(model).copied()
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            defines: Vec::new(),
            undefines: Vec::new(),
            target: Target::default(),
            version: 0x0100_e000,
            indented: false,
            max_depth: 40,
            max_output: 64 << 20,
        }
    }
}

/// An `#include` to be resolved.
#[derive(Clone, Copy, Debug)]
pub struct IncludeRequest<'a> {
    /// The name between the quotes or angle brackets.
    pub name: &'a str,
    /// Whether the name was in angle brackets.
    pub angled: bool,
    /// The file that asks.
    pub from: &'a str,
}

/// Finds included files: the path to show in messages, and the text.
pub type Include<'a> = dyn FnMut(IncludeRequest<'_>) -> Option<(String, Vec<u8>)> + 'a;

/// The result of preprocessing.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The text.
    pub text: Vec<u8>,
    /// The sources of its lines.
    pub marks: Vec<LineMark>,
    /// Files that were included, each time they were, with their depth from 1.
    pub included: Vec<(u32, String)>,
    /// Warnings: macros redefined with another body, `#warning`.
    pub warnings: Vec<CppError>,
}

/// An error with its position. (It has no tag: the original's preprocessor was a separate program.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CppError {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// The error message.
    pub message: String,
}

impl fmt::Display for CppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\", line {}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for CppError {}

/// Preprocesses a text.
///
/// # Errors
/// The first directive or macro call that cannot be understood, `#error`, or an exceeded limit.
pub fn preprocess(
    name: &str,
    text: &[u8],
    config: &Config,
    include: &mut Include<'_>,
) -> Result<Output, CppError> {
    let mut run = Run {
        config,
        include,
        macros: Macros::default(),
        out: Output::default(),
        file: name.to_string(),
        offset: 0,
        chunk: Vec::new(),
    };
    run.predefine()?;
    run.file(text, 0)?;
    Ok(run.out)
}

struct Run<'a, 'b> {
    config: &'a Config,
    include: &'a mut Include<'b>,
    macros: Macros,
    out: Output,
    /// The file as messages name it (a `#line` may have renamed it).
    file: String,
    /// The offset that `#line` adds to physical line numbers.
    offset: i64,
    /// Text lines since the last directive, not yet expanded: a macro call may span them.
    chunk: Vec<PpToken>,
}

/// A conditional that is open.
struct Group {
    /// Line of its `#if`.
    line: u32,
    /// The text around it is kept.
    outer: bool,
    /// The present part is kept.
    kept: bool,
    /// A part was kept already.
    taken: bool,
    /// `#else` was seen.
    in_else: bool,
}

impl Run<'_, '_> {
    fn error<T>(&self, line: u32, message: impl Into<String>) -> Result<T, CppError> {
        Err(self.error_at(line, message))
    }

    fn error_at(&self, line: u32, message: impl Into<String>) -> CppError {
        CppError { file: self.file.clone(), line: self.shown(line), message: message.into() }
    }

    /// A physical line's number as `#line` has it.
    fn shown(&self, line: u32) -> u32 {
        (i64::from(line) + self.offset).clamp(0, i64::from(u32::MAX)) as u32
    }

    fn predefine(&mut self) -> Result<(), CppError> {
        self.macros.define(b"__LINE__", Body::Line);
        self.macros.define(b"__FILE__", Body::File);
        let version = format!("{:#010x}", self.config.version);
        for (name, value) in [("__SUNW_D", "1"), ("__SUNW_D_VERSION", version.as_str())] {
            self.macros.define(name.as_bytes(), Body::Object(token::tokens(value.as_bytes(), 0)));
        }
        for name in self.config.target.macros() {
            self.macros.define(name.as_bytes(), Body::Object(token::tokens(b"1", 0)));
        }
        for define in &self.config.defines {
            let (head, value) = define.split_once('=').unwrap_or((define, "1"));
            let text = format!("{head} {value}");
            let (name, body) =
                expand::parse_definition(&token::tokens(text.as_bytes(), 0)).map_err(|message| CppError {
                    file: "<command line>".into(),
                    line: 1,
                    message: format!("-D {define}: {message}"),
                })?;
            self.macros.define(&name, body);
        }
        for name in &self.config.undefines {
            self.macros.undefine(name.as_bytes());
        }
        Ok(())
    }

    fn file(&mut self, text: &[u8], depth: u32) -> Result<(), CppError> {
        let first_line_for_shell = depth == 0 && text.starts_with(b"#!");
        let lines = line::split(text).or_else(|line| self.error(line, "a comment is not closed"))?;
        let mut groups: Vec<Group> = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            if n == 0 && first_line_for_shell {
                self.blank(line.newlines)?;
                continue;
            }
            let kept = groups.last().is_none_or(|g| g.kept);
            match self.directive_of(line, depth) {
                Some(list) => {
                    self.flush()?;
                    self.directive(line, &list, &mut groups, kept, depth)?;
                }
                None if kept => {
                    self.chunk.extend(token::tokens(&line.text, self.shown(line.number)));
                    for _ in 0..line.newlines {
                        self.chunk.push(PpToken::new(Kind::Newline, b"\n", line.number));
                    }
                    if self.chunk.len() > 200_000 {
                        // Long texts go on in pieces; macro calls end within a piece in all but absurd texts.
                        self.flush()?;
                    }
                }
                None => {
                    self.flush()?;
                    self.blank(line.newlines)?;
                }
            }
        }
        self.flush()?;
        match groups.last() {
            Some(group) => self.error(group.line, "the conditional that begins here has no #endif"),
            None => Ok(()),
        }
    }

    /// The tokens after the `#` when the line is a directive. In included files, which are of C, white space may precede it.
    fn directive_of(&self, line: &LogicalLine, depth: u32) -> Option<Vec<PpToken>> {
        let blanks = line.text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        if blanks > 0 && depth == 0 && !self.config.indented {
            return None;
        }
        let rest = line.text.get(blanks..)?.strip_prefix(b"#")?;
        Some(token::tokens(rest, self.shown(line.number)))
    }

    /// Expands and writes the text gathered so far.
    fn flush(&mut self) -> Result<(), CppError> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.macros.file.clone_from(&self.file);
        let chunk = std::mem::take(&mut self.chunk);
        let list = self.macros.expand(chunk).map_err(|(line, message)| CppError {
            file: self.file.clone(),
            line,
            message,
        })?;
        token::write(&list, &mut self.out.text);
        self.check_size()
    }

    fn check_size(&self) -> Result<(), CppError> {
        if self.out.text.len() > self.config.max_output {
            return Err(CppError {
                file: self.file.clone(),
                line: 1,
                message: "the preprocessed text is too long".into(),
            });
        }
        Ok(())
    }

    fn blank(&mut self, lines: u32) -> Result<(), CppError> {
        self.out.text.extend((0..lines).map(|_| b'\n'));
        self.check_size()
    }

    fn mark(&mut self, physical: u32) {
        let mark = LineMark {
            at: self.out.text.len() as u32,
            line: self.shown(physical),
            name: Some(self.file.clone()),
        };
        self.out.marks.push(mark);
    }

    fn directive(
        &mut self,
        line: &LogicalLine,
        list: &[PpToken],
        groups: &mut Vec<Group>,
        kept: bool,
        depth: u32,
    ) -> Result<(), CppError> {
        let number = line.number;
        let Some((word, rest)) = list.split_first() else { return self.blank(line.newlines) };
        let name = String::from_utf8_lossy(&word.text).into_owned();
        match name.as_str() {
            "if" | "ifdef" | "ifndef" => {
                let holds = kept && self.condition(&name, rest, number)?;
                groups.push(Group { line: number, outer: kept, kept: holds, taken: holds, in_else: false });
                return self.blank(line.newlines);
            }
            "elif" | "else" => {
                let Some(mut group) = groups.pop() else {
                    return self.error(number, format!("#{name} without #if"));
                };
                if group.in_else {
                    return self.error(number, format!("#{name} after #else"));
                }
                group.in_else = name == "else";
                let may = group.outer && !group.taken;
                group.kept = may && (group.in_else || self.condition("if", rest, number)?);
                group.taken |= group.kept;
                groups.push(group);
                return self.blank(line.newlines);
            }
            "endif" => {
                if groups.pop().is_none() {
                    return self.error(number, "#endif without #if");
                }
                return self.blank(line.newlines);
            }
            _ if !kept => return self.blank(line.newlines),
            "define" => {
                let (name, body) = expand::parse_definition(rest).or_else(|m| self.error(number, m))?;
                if self.macros.define(&name, body) {
                    let message = format!("macro {} is defined anew", String::from_utf8_lossy(&name));
                    let warning = self.error_at(number, message);
                    self.out.warnings.push(warning);
                }
            }
            "undef" => match rest {
                [name] if name.kind == Kind::Ident => self.macros.undefine(&name.text),
                _ => return self.error(number, "#undef needs one macro name"),
            },
            "include" => return self.included(line, rest, depth),
            "line" => return self.line_directive(line, rest),
            "error" => {
                let text = text_after(&line.text, "error");
                return self.error(number, format!("#error {text}"));
            }
            "warning" => {
                let text = text_after(&line.text, "warning");
                let warning = self.error_at(number, format!("#warning {text}"));
                self.out.warnings.push(warning);
            }
            // A line marker: `# N "file"`.
            word if word.bytes().all(|b| b.is_ascii_digit()) => return self.line_directive(line, list),
            // #pragma, #ident, #! and unknown directives are for the D lexer.
            _ => {
                self.out.text.extend_from_slice(&line.text);
            }
        }
        self.blank(line.newlines)
    }

    /// Returns `true` if an `#if`, `#ifdef` or `#ifndef` holds.
    fn condition(&mut self, word: &str, rest: &[PpToken], line: u32) -> Result<bool, CppError> {
        if word != "if" {
            return match rest {
                [name, ..] if name.kind == Kind::Ident => {
                    Ok(self.macros.is_defined(&name.text) == (word == "ifdef"))
                }
                _ => self.error(line, format!("#{word} needs a macro name")),
            };
        }
        let mut ready = Vec::new();
        let mut at = 0;
        while let Some(token) = rest.get(at) {
            if !(token.kind == Kind::Ident && token.is(b"defined")) {
                ready.push(token.clone());
                at += 1;
                continue;
            }
            let (name, used) = match rest.get(at + 1..).unwrap_or(&[]) {
                [open, name, close, ..] if open.is(b"(") && name.kind == Kind::Ident && close.is(b")") => {
                    (name, 4)
                }
                [name, ..] if name.kind == Kind::Ident => (name, 2),
                _ => return self.error(line, "\"defined\" needs a macro name"),
            };
            let value: &[u8] = if self.macros.is_defined(&name.text) { b"1" } else { b"0" };
            ready.push(PpToken::new(Kind::Number, value, token.line));
            at += used;
        }
        self.macros.file.clone_from(&self.file);
        let expanded = self.macros.expand(ready).map_err(|(line, message)| CppError {
            file: self.file.clone(),
            line,
            message,
        })?;
        condition::evaluate(&expanded).or_else(|message| self.error(line, format!("#if: {message}")))
    }

    fn included(&mut self, line: &LogicalLine, rest: &[PpToken], depth: u32) -> Result<(), CppError> {
        let mut target = include_target(rest);
        if target.is_none() {
            // The name may come from a macro.
            let expanded = self.macros.expand(rest.to_vec()).or_else(|(_, m)| self.error(line.number, m))?;
            target = include_target(&expanded);
        }
        let Some((name, angled)) = target else {
            return self.error(line.number, "#include needs \"file\" or <file>");
        };
        if depth >= self.config.max_depth {
            return self.error(line.number, "#include is nested too deeply");
        }
        let request = IncludeRequest { name: &name, angled, from: &self.file };
        let Some((path, text)) = (self.include)(request) else {
            return self.error(line.number, format!("cannot find the file to include: {name}"));
        };
        self.out.included.push((depth + 1, path.clone()));
        let file = std::mem::replace(&mut self.file, path);
        let offset = std::mem::replace(&mut self.offset, 0);
        self.mark(1);
        self.file(&text, depth + 1)?;
        if self.out.text.last().is_some_and(|&b| b != b'\n') {
            self.out.text.push(b'\n');
        }
        self.file = file;
        self.offset = offset;
        self.mark(line.number + line.newlines);
        Ok(())
    }

    /// `#line N ["file"]`
    fn line_directive(&mut self, line: &LogicalLine, rest: &[PpToken]) -> Result<(), CppError> {
        let expanded = self.macros.expand(rest.to_vec()).or_else(|(_, m)| self.error(line.number, m))?;
        let text = |t: &PpToken| String::from_utf8_lossy(&t.text).into_owned();
        let (number, file) = match expanded.as_slice() {
            [number] => (text(number), None),
            // The short form of a marker may have flags behind.
            [number, file, ..] if file.kind == Kind::Quoted => {
                (text(number), Some(text(file).trim_matches('"').to_string()))
            }
            _ => return self.error(line.number, "#line needs a line number and may have a \"file\""),
        };
        let Ok(wanted) = number.parse::<u32>() else {
            return self.error(line.number, format!("#line: \"{number}\" is no line number"));
        };
        let next = line.number + line.newlines;
        self.offset = i64::from(wanted) - i64::from(next);
        if let Some(file) = file {
            self.file = file;
        }
        self.blank(line.newlines)?;
        self.mark(next);
        Ok(())
    }
}

/// The text after a directive's word.
fn text_after(line: &[u8], word: &str) -> String {
    let text = String::from_utf8_lossy(line);
    text.split_once(word).map_or("", |(_, rest)| rest).trim().to_string()
}

/// The file of `"file"` or `<file>`, and whether it was the latter.
fn include_target(list: &[PpToken]) -> Option<(String, bool)> {
    match list {
        [one] if one.kind == Kind::Quoted => {
            let text = one.text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
            Some((String::from_utf8_lossy(text).into_owned(), false))
        }
        [open, inside @ .., close] if open.is(b"<") && close.is(b">") && !inside.is_empty() => {
            let mut text = Vec::new();
            for token in inside {
                text.extend_from_slice(&token.text);
            }
            Some((String::from_utf8_lossy(&text).into_owned(), true))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<Output, CppError> {
        let config = Config { defines: vec!["ONE".into(), "F(x)=<x>".into()], ..Config::default() };
        preprocess("main.d", text.as_bytes(), &config, &mut |request| match request.name {
            "a.h" => Some(("inc/a.h".into(), b"#define A 5\nint a;\n".to_vec())),
            "indented.h" => Some((
                "indented.h".into(),
                b"#ifdef ONE\n # ifdef TWO\nint two;\n\t#else\nint one;\n #endif\n#endif\n".to_vec(),
            )),
            "loop.h" => Some(("loop.h".into(), b"#include <loop.h>\n".to_vec())),
            "bad.h" => Some(("bad.h".into(), b"\n#else\n".to_vec())),
            _ => None,
        })
    }

    fn text(input: &str) -> String {
        String::from_utf8(run(input).unwrap().text).unwrap()
    }

    fn error(input: &str) -> String {
        run(input).unwrap_err().to_string()
    }

    #[test]
    fn lines_stay_where_they_were() {
        assert_eq!(text("#!/bin/dtrace -s\n#define X 1\nX\n"), "\n\n1\n");
        assert_eq!(text("#define P(a, b) a+b\nP(1,\n2) end\nnext"), "\n1+2\n end\nnext");
        assert_eq!(text("#if 0\ngone\n#else\nkept /* a\nb */ x\n#endif\n"), "\n\n\nkept x\n\n\n");
        assert_eq!(
            text("#pragma D option quiet // c\n\t#define A 1\nA\n"),
            "#pragma D option quiet \n #define A 1\nA\n"
        );
    }

    #[test]
    fn macros_expand_as_in_c() {
        assert_eq!(text("ONE F(2) F (3) F\n"), "1 <2> <3> F\n");
        assert_eq!(text("#define S(x) #x\nS(a  \"b\\n\" c)\n"), "\n\"a \\\"b\\\\n\\\" c\"\n");
        assert_eq!(text("#define J(a,b) a##b\nJ(x,1) J(,y) J(z,)\n"), "\nx1 y z\n");
        assert_eq!(text("#define V(f, ...) f(__VA_ARGS__)\nV(a) V(b, 1, (2,3))\n"), "\na() b(1, (2,3))\n");
        assert_eq!(text("#define W(f, ...) f(0, ## __VA_ARGS__)\nW(a) W(b,1)\n"), "\na(0) b(0,1)\n");
        assert_eq!(text("#define N -1\n-N x-N\n"), "\n- -1 x- -1\n");
        assert_eq!(text("#define M fbt\nM:a:$1:entry /x/\n"), "\nfbt:a:$1:entry /x/\n");
        assert_eq!(
            text("__LINE__ __FILE__\n__LINE__\n#line 90 \"o.d\"\n__LINE__ __FILE__\n"),
            "1 \"main.d\"\n2\n\n90 \"o.d\"\n"
        );
        assert_eq!(text("#if __SUNW_D && __SUNW_D_VERSION > 0x01000000\nyes\n#endif\n"), "\nyes\n\n");
    }

    /// Text of an argument has no space around it and one between its tokens; calls in arguments are as deep as the limit says.
    #[test]
    fn issue_23_arguments_are_trimmed_and_bounded() {
        assert_eq!(text("#define S(x) #x\nS( a ) S(a  +   b ) S()\n"), "\n\"a\" \"a + b\" \"\"\n");
        let nested = |depth: usize| {
            let calls = format!("{}1{}", "I(".repeat(depth), ")".repeat(depth));
            run(&format!("#define I(x) x\n{calls}\n")).map(|output| output.text)
        };
        assert_eq!(nested(100).unwrap(), b"\n1\n");
        assert!(nested(101).is_err());
    }

    #[test]
    fn macros_describe_the_machine() {
        let amd64 = Target { arch: "x86_64", os: "windows", lp64: true };
        let tells = |target, text: &str| {
            let config = Config { target, undefines: vec!["_WIN32".into()], ..Config::default() };
            let text = format!("#if {text}\nyes\n#endif\n");
            let out = preprocess("main.d", text.as_bytes(), &config, &mut |_| None).unwrap();
            String::from_utf8(out.text).unwrap().contains("yes")
        };
        assert!(tells(amd64, "defined(__amd64) && _LP64 && _WIN64 && !defined(_WIN32)"));
        assert!(tells(Target { lp64: false, ..amd64 }, "defined(__i386) && !defined(_LP64)"));
        assert!(tells(Target { os: "linux", ..amd64 }, "__linux__ && !defined(linux) && !defined(unix)"));
    }

    #[test]
    fn a_macro_does_not_expand_within_itself() {
        assert_eq!(text("#define x x + y\n#define y x\nx\n"), "\n\nx + x\n");
        assert_eq!(text("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n"), "\n\n2*9*g\n");
        // The standard's own example of nested calls.
        let input = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
                     #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n\
                     f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n";
        let out = text(input);
        assert_eq!(out.trim(), "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);");
    }

    #[test]
    fn issue_19_directives_of_included_files_may_be_indented() {
        let out = run("#include <indented.h>\n # define X\n").map(|out| out.text);
        let text = String::from_utf8(out.unwrap_or_else(|error| panic!("{error}"))).unwrap();
        assert!(text.contains("int one;") && !text.contains("int two;"), "{text}");
        assert!(text.contains("# define X"), "{text}");
    }

    #[test]
    fn included_text_is_marked() {
        let out = run("one\n#include \"a.h\"\nA\n").unwrap();
        assert_eq!(String::from_utf8_lossy(&out.text), "one\n\nint a;\n5\n");
        let marks: Vec<(u32, u32, &str)> =
            out.marks.iter().map(|m| (m.at, m.line, m.name.as_deref().unwrap_or(""))).collect();
        assert_eq!(marks, [(4, 1, "inc/a.h"), (12, 3, "main.d")]);
        assert_eq!(out.included, [(1, "inc/a.h".to_string())]);
        assert_eq!(error("\n#include <bad.h>\n"), "\"bad.h\", line 2: #else without #if");
    }

    #[test]
    fn errors_say_where() {
        for (input, expected) in [
            ("#define\n", "line 1: #define needs a macro name"),
            ("\n#if !defined\n", "line 2: \"defined\" needs a macro name"),
            ("x\n#if 1\n#else\n", "line 2: the conditional that begins here has no #endif"),
            ("#if 0\n#else\n#else\n#endif\n", "line 3: #else after #else"),
            ("#endif\n", "line 1: #endif without #if"),
            ("#elif 1\n", "line 1: #elif without #if"),
            ("#include <none.h>\n", "line 1: cannot find the file to include: none.h"),
            ("#include <loop.h>\n", "\"loop.h\", line 1: #include is nested too deeply"),
            ("#error no way\n", "line 1: #error no way"),
            ("#ifdef\n#endif\n", "line 1: #ifdef needs a macro name"),
            ("#define f(a) a\nf(1,2)\n", "line 2: macro f takes 1 arguments, not 2"),
            ("#define f(a) a\nf(1\n", "line 2: the call of macro f is not closed"),
            ("#define f(a,a) a\n", "line 1: macro parameter a appears twice"),
            ("#define f(a) #b\n", "line 1: # in a macro's body must precede a parameter"),
            ("#define J(a,b) a##b\nJ(+,x)\n", "line 2: ## makes \"+x\", which is not one token"),
            ("a /* b\n", "line 1: a comment is not closed"),
            ("#undef\n", "line 1: #undef needs one macro name"),
            ("#line x\n", "line 1: #line: \"x\" is no line number"),
        ] {
            assert!(error(input).ends_with(expected), "{input:?}: {}", error(input));
        }
        assert_eq!(run("#define A 1\n#define A 2\n#define A 2\n#warning w\n").unwrap().warnings.len(), 2);
    }

    #[test]
    fn hostile_macros_are_stopped() {
        let mut laughs = String::from("#define a0 ha ha\n");
        for n in 1..40 {
            laughs += &format!("#define a{n} a{} a{}\n", n - 1, n - 1);
        }
        assert!(error(&(laughs + "a39\n")).ends_with("macros expand to too much text"));
        let nested = format!("#define f(x) x\n{}1{}\n", "f(".repeat(5000), ")".repeat(5000));
        assert!(error(&nested).ends_with("macro calls are nested too deeply"));
    }
}
