//! C headers of declared providers (`-h`): macros that a program fires its probes with.
//!
//! A macro's name is the provider's and the probe's in capitals, two underscores of a probe's name as one. Where
//! `_DTRACE_VERSION` is not set the macros do nothing, so that a program builds without the tool.

use std::fmt::Write as _;

/// A provider as a script declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredProvider {
    /// Its name.
    pub name: String,
    /// Its probes in order, each with the C types of what the program passes.
    pub probes: Vec<(String, Vec<String>)>,
}

/// The header of that file name for some providers.
#[must_use]
pub fn header(file: &str, providers: &[DeclaredProvider]) -> String {
    let guard: String =
        file.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    let mut out = format!(
        "/*\n * Made by dtrace -h; changes would be lost.\n */\n\n#ifndef _{guard}\n#define _{guard}\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n#if _DTRACE_VERSION\n"
    );
    for provider in providers {
        for (probe, types) in &provider.probes {
            let (macro_name, function) = names(&provider.name, probe);
            let args = arguments(types.len());
            let _ = write!(
                out,
                "\n#define {macro_name}({args}) \\\n\t__dtrace_{function}({args})\n\
                 #define {macro_name}_ENABLED() \\\n\t__dtraceenabled_{function}()\n"
            );
        }
    }
    out.push('\n');
    for provider in providers {
        for (probe, types) in &provider.probes {
            let (_, function) = names(&provider.name, probe);
            let list = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
            let _ = write!(
                out,
                "extern void __dtrace_{function}({list});\nextern int __dtraceenabled_{function}(void);\n"
            );
        }
    }
    out.push_str("\n#else\n");
    for provider in providers {
        for (probe, types) in &provider.probes {
            let (macro_name, _) = names(&provider.name, probe);
            let args = arguments(types.len());
            let _ = write!(out, "\n#define {macro_name}({args})\n#define {macro_name}_ENABLED() (0)\n");
        }
    }
    let _ = write!(out, "\n#endif\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* _{guard} */\n");
    out
}

/// The macro's name and the part that the functions' names share.
fn names(provider: &str, probe: &str) -> (String, String) {
    let short = probe.replace("__", "_").to_ascii_uppercase();
    (format!("{}_{short}", provider.to_ascii_uppercase()), format!("{provider}___{probe}"))
}

fn arguments(count: usize) -> String {
    (0..count).map(|n| format!("arg{n}")).collect::<Vec<_>>().join(", ")
}
