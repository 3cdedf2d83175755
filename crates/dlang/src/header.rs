//! C headers of declared providers (`-h`): macros that a program fires its probes with.
//!
//! A macro's name is the provider's and the probe's in capitals, two underscores of a probe's name as one. With compilers that
//! understand the assembler of GNU, on Linux on x86-64, a macro is an instruction that does nothing and a note about it, and the
//! header is all that is needed. With others the macros call functions of the object file (`-G`) where `_DTRACE_VERSION` is set.
//! Else, and where it is 0, the macros do nothing, so that a program builds without the tool.

use std::fmt::Write as _;

/// A provider as a script declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredProvider {
    /// Its name.
    pub name: String,
    /// Its probes in order.
    pub probes: Vec<DeclaredProbe>,
}

/// A probe of a declared provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredProbe {
    /// Its name, with two underscores for a hyphen.
    pub name: String,
    /// The C types of what the program passes.
    pub types: Vec<String>,
    /// For each argument that scripts see, which of these it is.
    pub shown: Vec<usize>,
}

/// How C passes a value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// It may be negative.
    pub signed: bool,
    /// It is a floating-point number.
    pub float: bool,
    /// It is an address.
    pub pointer: bool,
}

impl Passed {
    /// How a C type is passed. One that is not known is a word without sign.
    #[must_use]
    pub fn of(ty: &str) -> Passed {
        if ty.contains(['*', '[']) {
            return Passed { size: 8, signed: false, float: false, pointer: true };
        }
        let words: Vec<&str> = ty
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !matches!(*word, "" | "const" | "volatile"))
            .collect();
        let has = |word: &str| words.contains(&word);
        let number = |size, signed| Passed { size, signed, float: false, pointer: false };
        let fixed = [("int8_t", 1), ("int16_t", 2), ("int32_t", 4), ("int64_t", 8), ("pid_t", 4)];
        for (name, size) in fixed {
            if has(name) {
                return number(size, true);
            }
            if has(&format!("u{name}")) {
                return number(size, false);
            }
        }
        let plain = ["char", "short", "int", "long", "signed"].iter().any(|word| has(word));
        let signed = plain && !has("unsigned");
        match () {
            () if has("double") => Passed { float: true, ..number(8, false) },
            () if has("float") => Passed { float: true, ..number(4, false) },
            () if has("char") => number(1, signed),
            () if has("short") => number(2, signed),
            () if has("long") => number(8, signed),
            () if has("ssize_t") || has("intptr_t") || has("off_t") => number(8, true),
            () if has("int") || has("signed") => number(4, signed),
            () if has("unsigned") || has("uint_t") || has("uid_t") || has("gid_t") => number(4, false),
            () => number(8, false),
        }
    }

    /// How a note describes a value of this kind at a place: `-4@%edi`.
    #[must_use]
    pub fn at(self, place: &str) -> String {
        let sign = if self.signed { "-" } else { "" };
        let float = if self.float { "f" } else { "" };
        format!("{sign}{}{float}@{place}", self.size)
    }

    /// The C type that a value is converted to before it is passed.
    fn c_type(self) -> &'static str {
        match (self.size, self.signed, self.float) {
            _ if self.pointer => "const volatile void *",
            (4, _, true) => "float",
            (_, _, true) => "double",
            (1, true, _) => "signed char",
            (1, ..) => "unsigned char",
            (2, true, _) => "short",
            (2, ..) => "unsigned short",
            (4, true, _) => "int",
            (4, ..) => "unsigned int",
            (_, true, _) => "long long",
            _ => "unsigned long long",
        }
    }
}

/// The compilers and systems for which the macros are sites in the program itself.
const INLINE: &str = "defined(__linux__) && defined(__x86_64__) && defined(__GNUC__)";

/// An instruction that does nothing, and the note about it, in the assembler of GNU: sizes of its parts, owner, kind 3,
/// addresses of the instruction, of the base and of the counter, then texts.
const SITE: &str = r#"
#ifndef __DTRACE_SITE
#define __DTRACE_SITE(provider, name, counter, arguments) \
	"990: nop\n" \
	".pushsection .note.stapsdt, \"?\", \"note\"\n" \
	".balign 4\n" \
	".4byte 992f - 991f, 994f - 993f, 3\n" \
	"991: .asciz \"stapsdt\"\n" \
	"992: .balign 4\n" \
	"993: .8byte 990b, _.stapsdt.base, " counter "\n" \
	".asciz \"" provider "\"\n" \
	".asciz \"" name "\"\n" \
	".asciz \"" arguments "\"\n" \
	"994: .balign 4\n" \
	".popsection\n" \
	".ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
	".weak _.stapsdt.base\n" \
	".hidden _.stapsdt.base\n" \
	"_.stapsdt.base: .space 1\n" \
	".size _.stapsdt.base, 1\n" \
	".popsection\n" \
	".endif\n"
#endif
"#;

/// The header of that file name for some providers.
#[must_use]
pub fn header(file: &str, providers: &[DeclaredProvider]) -> String {
    let guard: String =
        file.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    let mut out = format!(
        "/*\n * Made by dtrace -h; changes would be lost.\n */\n\n#ifndef _{guard}\n#define _{guard}\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         #if {INLINE} && (!defined(_DTRACE_VERSION) || _DTRACE_VERSION)\n{SITE}"
    );
    let probes = || providers.iter().flat_map(|of| of.probes.iter().map(move |probe| (of, probe)));
    for (provider, probe) in probes() {
        let (macro_name, _) = names(&provider.name, &probe.name);
        let passed: Vec<Passed> = probe.types.iter().map(|ty| Passed::of(ty)).collect();
        let notes = probe.shown.iter().filter_map(|&at| Some(passed.get(at)?.at(&format!("%[a{at}]"))));
        let notes = notes.collect::<Vec<_>>().join(" ");
        let values = passed.iter().enumerate().map(|(at, of)| {
            let place = if of.float { "x" } else { "nor" };
            format!("[a{at}] \"{place}\"(({})(arg{at}))", of.c_type())
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let args = arguments(probe.types.len());
        let counter = counter(&provider.name, &probe.name);
        let _ = write!(
            out,
            "\n__attribute__((weak, used, visibility(\"hidden\"), section(\".probes\")))\n\
             volatile unsigned short {counter} = 0;\n\
             #define {macro_name}({args}) \\\n\
             \t__asm__ __volatile__(__DTRACE_SITE(\"{}\", \"{}\", \\\n\
             \t\"{counter}\", \"{notes}\") : : {values})\n\
             #define {macro_name}_ENABLED() \\\n\t__builtin_expect({counter} != 0, 0)\n",
            provider.name, probe.name
        );
    }
    out.push_str("\n#elif _DTRACE_VERSION\n");
    for (provider, probe) in probes() {
        let (macro_name, function) = names(&provider.name, &probe.name);
        let args = arguments(probe.types.len());
        let list = if probe.types.is_empty() { "void".to_owned() } else { probe.types.join(", ") };
        let _ = write!(
            out,
            "\nextern void __dtrace_{function}({list});\nextern int __dtraceenabled_{function}(void);\n\
             #define {macro_name}({args}) \\\n\t__dtrace_{function}({args})\n\
             #define {macro_name}_ENABLED() \\\n\t__dtraceenabled_{function}()\n"
        );
    }
    out.push_str("\n#else\n");
    for (provider, probe) in probes() {
        let (macro_name, _) = names(&provider.name, &probe.name);
        let args = arguments(probe.types.len());
        let _ = write!(out, "\n#define {macro_name}({args})\n#define {macro_name}_ENABLED() (0)\n");
    }
    let _ = write!(out, "\n#endif\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* _{guard} */\n");
    out
}

/// The name of the counter of those who look at a probe, in programs whose macros are the probes themselves.
#[must_use]
pub fn counter(provider: &str, probe: &str) -> String {
    format!("__dtraceusers_{provider}___{probe}")
}

/// The macro's name and the part that the functions' names share.
fn names(provider: &str, probe: &str) -> (String, String) {
    let short = probe.replace("__", "_").to_ascii_uppercase();
    (format!("{}_{short}", provider.to_ascii_uppercase()), format!("{provider}___{probe}"))
}

fn arguments(count: usize) -> String {
    (0..count).map(|n| format!("arg{n}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_a_site_is_that_of_the_header_for_programs() {
        // Its macro with a choice of the instruction, and what it is named by.
        let other = include_str!("../../capi/include/tracewell_probe.h");
        let (_, text) = other.split_once("\"990: \" TRACEWELL_PROBE_SITE_ \\\n").unwrap();
        let (text, _) = text.split_once("\n\n").unwrap();
        let text = text.replace("\" #provider \"", "\" provider \"").replace("\" #name \"", "\" name \"");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (_, own) = SITE.split_once("\"990: nop\\n\" \\\n").unwrap();
        let (own, _) = own.split_once("\n#endif").unwrap();
        assert_eq!(words(own), words(&text));
    }

    #[test]
    fn issue_17_arguments_are_shown_in_the_order_of_the_declaration() {
        let probe = DeclaredProbe {
            name: "sold__out".to_owned(),
            types: vec!["short".to_owned(), "char *".to_owned(), "double".to_owned()],
            shown: vec![1, 0, 0],
        };
        let text = header("shop.h", &[DeclaredProvider { name: "shop".to_owned(), probes: vec![probe] }]);
        for part in [
            "#define SHOP_SOLD_OUT(arg0, arg1, arg2)",
            "__DTRACE_SITE(\"shop\", \"sold__out\"",
            "\"8@%[a1] -2@%[a0] -2@%[a0]\")",
            "[a0] \"nor\"((short)(arg0)), [a1] \"nor\"((const volatile void *)(arg1)), [a2] \"x\"((double)(arg2))",
            "extern void __dtrace_shop___sold__out(short, char *, double);",
            "#define SHOP_SOLD_OUT_ENABLED() (0)",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn issue_17_c_passes_values_by_size_and_sign() {
        for (ty, note, of) in [
            ("unsigned char", "1@p", "unsigned char"),
            ("signed char", "-1@p", "signed char"),
            ("uint16_t", "2@p", "unsigned short"),
            ("int", "-4@p", "int"),
            ("uid_t", "4@p", "unsigned int"),
            ("long", "-8@p", "long long"),
            ("size_t", "8@p", "unsigned long long"),
            ("float", "4f@p", "float"),
            ("const int *", "8@p", "const volatile void *"),
        ] {
            let passed = Passed::of(ty);
            assert_eq!((passed.at("p"), passed.c_type()), (note.to_owned(), of), "{ty}");
        }
    }
}
