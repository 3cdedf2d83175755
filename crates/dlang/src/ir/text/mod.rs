//! The text form of programs: what `-S` shows, and what tests are written in.
//!
//! ```text
//! const 0x123456789
//! data "hello\0"
//! format "%d\n"
//! var global "x" s8
//! agg "a" quantize [str]
//! clause "dtrace:::BEGIN" {
//!     probes 1
//!     registers 2
//!     action printf 0 (s8) number 1 line 3
//!     code
//!        0: seti r0, 42
//!        1: act 0, r0..1
//!        2: ret
//! }
//! ```
//!
//! A range of registers is its first and their count. Comments run from `;` to the end of the line.
//! [`print()`] and [`parse()`] are each other's inverse.

mod parse;
mod print;
mod repr;

pub use parse::{TextError, parse};
pub use print::{print, print_clause};

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
const 0x123456789abcdef0
data "hello\0a\"b\\\n\xff\0"
format "%-5d %'*.*s%%\n%@?x"
var global "x" s8
var thread "y" str
var clause "z" bytes:24 size 24
var global "assoc" u4 [str, s8]
agg "_" count []
agg "q" lquantize(-10, 10, 2) [str, ustack:5:64] unsigned
agg "l" llquantize(10, 0, 6, 20) [usym]
matched "script.d" script 3
clause "syscall::read:entry" {
    probes 4 5
    registers 5
    predicate 2
    line 7
    uses args stacks builtins pid tid
    action expr () number 1 line 8
    action printf 0 (s4, s8) number 2 line 9
    action printa 0 [0 1] () number 3 line 9
    action printa [0] () number 4 line 9
    action tracemem 20 (u8) number 5 line 9
    action trunc 1 (s8) number 6 line 9
    action print struct "foo" 12 { "a" 0 int "int" 4 signed "b" 4 bits 1 3 int "char" 1 signed char "c" 8 array "char" 1 4 int "char" 1 unsigned char "e" 0 enum "enum e" { -1 "no" 4 "yes" } "p" 0 ptr "void *" "f" 0 float "double" 8 "s" 0 str } (bytes:12) number 7 line 9
    mark 0 0
    mark 2 1
    code
        ldb r0, pid
        jz r0, 8
        setx r1, 0
        call r2, strlen, r1..1 ; a comment
        call r2, strcopy, r1..1
        ldba r3, r0, uregs
        stg 0, r2
        act 1, r1..2
        ret
}
clause "BEGIN" {
    default
    code
        ret
}
"#;

    #[test]
    fn there_and_back() {
        let program = parse(TEXT).unwrap();
        assert_eq!(program.rodata, b"hello\0a\"b\\\n\xff\0");
        assert_eq!(program.clauses[0].code.len(), 9);
        assert_eq!(program.clauses[0].uses.builtins.len(), 2);
        let text = print(&program);
        let again = parse(&text).unwrap();
        assert_eq!(format!("{program:?}"), format!("{again:?}"), "{text}");
        assert_eq!(print(&again), text);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line) in [
            ("const 1\nnonsense", 2),
            ("clause \"x\" {\ncode\n frob r1\n}", 3),
            ("clause \"x\" {\ncode\n mov r1\n}", 4),
            ("clause \"x\" {\n mark 1", 2),
            ("var global \"x\" q9", 1),
            ("data \"abc", 1),
            ("const 1\ndata \"a\nb\"", 2),
            ("data \"a\\q\"", 1),
            ("data \"a\\", 1),
            ("data \"a\\x4\"", 1),
            ("data \"a\\xg0\"", 1),
            ("data \"a\" b\nconst 1", 1),
            ("format \"%\"", 1),
            ("const 99999999999999999999999", 1),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
        }
    }
}
