//! The manual page and the shells' completions, made from the tables that the command itself reads.

use std::fmt::Write as _;

use tracewell::scripts;
use tracewell_dlang::options::{Kind, Setter, TABLE, When};

use super::options::{FLAGS, Flag, LONG_FLAGS, Reference, SHELLS, Shell};
use super::scripts::{ENDINGS, LIST, SHOW};
use super::usage::usage_lines;

/// The text that was asked for.
#[must_use]
pub(super) fn text(what: Reference) -> String {
    match what {
        Reference::Man => man(),
        Reference::Completions(Shell::Bash) => bash(),
        Reference::Completions(Shell::Zsh) => zsh(),
        Reference::Completions(Shell::Fish) => fish(),
        Reference::Completions(Shell::PowerShell) => powershell(),
    }
}

/// Escapes text for roff.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// The values of an option, in short.
fn values(kind: Kind) -> String {
    match kind {
        Kind::Flag => String::new(),
        Kind::Int => "N".into(),
        Kind::Size => "SIZE".into(),
        Kind::Rate => "RATE".into(),
        Kind::Text | Kind::List => "TEXT".into(),
        Kind::Version => "X.Y".into(),
        Kind::Choice(words) => words.join("|"),
    }
}

fn letter(flag: &Flag<char>) -> String {
    match (flag.name, flag.arg) {
        ('3', _) => "-32".into(),
        ('6', _) => "-64".into(),
        (letter, _) => format!("-{letter}"),
    }
}

fn man() -> String {
    let mut out = format!(
        ".TH DTRACE 1 \"\" \"Tracewell {}\" \"User Commands\"\n.SH NAME\n\
         dtrace \\- answer D questions over Windows event traces, or over this machine\n.SH SYNOPSIS\n",
        env!("CARGO_PKG_VERSION")
    );
    for (at, line) in usage_lines().iter().enumerate() {
        let _ = write!(out, "{}.B dtrace\n{}\n", if at > 0 { ".br\n" } else { "" }, roff(line));
    }
    out.push_str(
        ".SH DESCRIPTION\nCompiles D programs and runs them: over the events of trace files (\\-E), or live. \
         Live, the events of the providers that programs register are probes (dtrace \\-l lists them), and a session enables them \
         while the program runs. On Linux, with the rights for it, the kernel is traced, too: processes, switches, samples, disks, \
         files, the network, system calls, tracepoints, and functions of processes. Without these rights timed probes fire, \
         but take no samples.\n\
         .SH ENVIRONMENT\n.TP\n\\fBTRACEWELL_RUNTIME\\fR\nThe folder in which commands, the session daemon and programs \
         with providers meet; without it /run/tracewell for the superuser, else $XDG_RUNTIME_DIR/tracewell, else \
         /tmp/tracewell-UID.\n.SH OPTIONS\n",
    );
    for flag in FLAGS {
        let arg = flag
            .arg
            .filter(|_| !flag.name.is_ascii_digit())
            .map_or(String::new(), |a| format!(" {}", roff(a)));
        let _ = writeln!(out, ".TP\n\\fB{}\\fR{arg}\n{}", roff(&letter(flag)), roff(flag.help));
    }
    for flag in LONG_FLAGS {
        let arg = flag.arg.map_or(String::new(), |a| format!(" {a}"));
        let _ = writeln!(out, ".TP\n\\fB{}\\fR{arg}\n{}", roff(&format!("--{}", flag.name)), roff(flag.help));
    }
    let _ = writeln!(
        out,
        ".SH SCRIPTS\nScripts that come with the command. Words after a name that end in {} are traces, others the script\\(aqs \
         arguments.",
        ENDINGS.join(", ")
    );
    for script in scripts::all() {
        let name = format!("\\fB{}\\fR {}", script.name, roff(script.arguments));
        let _ = writeln!(
            out,
            ".TP\n{}\n{} Needs {}.",
            name.trim_end(),
            roff(script.question),
            roff(script.needs)
        );
    }
    for (when, heading, about) in [
        (
            When::Compile,
            "COMPILE OPTIONS",
            "Set by \\-x, or by #pragma D option in a script, before compilation.",
        ),
        (When::Run, "RUN OPTIONS", "Set likewise, before the run."),
        (When::Any, "OPTIONS FOR ANY TIME", "Set likewise, or by setopt() while the program runs."),
    ] {
        let _ = writeln!(out, ".SH {heading}\n{about}");
        for spec in TABLE.iter().filter(|s| s.when == when) {
            let value = values(spec.kind);
            let value = if value.is_empty() { value } else { format!("={}", roff(&value)) };
            let default = spec.default.map_or(String::new(), |d| format!(" Default: {}.", roff(d)));
            let place = if spec.allows(Setter::Script) { "" } else { " Not by a script." };
            let effect = spec
                .opt
                .without_effect()
                .map_or(String::new(), |why| format!(" Without effect: {}.", roff(why)));
            let _ = writeln!(
                out,
                ".TP\n\\fB{}\\fR{value}\n{}{default}{place}{effect}",
                roff(spec.name),
                roff(spec.gloss)
            );
        }
    }
    out.push_str(&crate::status::section(true));
    out
}

/// Words for `-x`: names, with `=` where a value is needed, and each choice.
fn settings() -> Vec<String> {
    let mut words = Vec::new();
    for spec in TABLE {
        match spec.kind {
            Kind::Flag => words.push(spec.name.to_owned()),
            Kind::Choice(choices) => words.extend(choices.iter().map(|c| format!("{}={c}", spec.name))),
            _ => words.push(format!("{}=", spec.name)),
        }
    }
    words
}

/// What an argument of that name is completed with.
fn completes(arg: &str) -> &'static str {
    match arg {
        "FILE" => "file",
        "DIR" => "folder",
        "OPT[=VAL]" => "setting",
        "SHELL" => "shell",
        "CMD" => "command",
        "NAME" => "probe",
        "PROV" => "provider",
        _ => "nothing",
    }
}

/// The names of the shells.
fn shells() -> String {
    SHELLS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

/// The options with arguments, by what their arguments are completed with.
fn by_kind() -> Vec<(&'static str, Vec<String>)> {
    let mut by_kind: Vec<(&str, Vec<String>)> = Vec::new();
    let args = FLAGS.iter().filter(|f| !f.name.is_ascii_digit()).filter_map(|f| Some((letter(f), f.arg?)));
    let args = args.chain(LONG_FLAGS.iter().filter_map(|f| Some((format!("--{}", f.name), f.arg?))));
    for (word, arg) in args {
        let kind = completes(arg);
        match by_kind.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, words)) => words.push(word),
            None => by_kind.push((kind, vec![word])),
        }
    }
    by_kind
}

/// The probes of the trace that a variable names, as they are typed, one a line: a command of all these shells.
const LISTED: &str =
    r#"timeout 10 dtrace -l -E "$trace" 2>/dev/null | awk 'NR > 1 && NF > 3 { print $3 ":::" $NF }'"#;

/// Functions of bash: the probes of the trace that the line names, as they are typed; and their completion, for which a word that
/// bash cuts at colons is put together again.
const BASH_PROBES: &str = r#"_dtrace_probes() {
    local word trace=
    for word in "${COMP_WORDS[@]}"; do
        case "$word" in *.etl|*.zip|*.gz|*.cab) [[ -f $word ]] && trace=$word ;; esac
    done
    [[ -n $trace ]] && LISTED
}
_dtrace_probe() {
    local word="${COMP_LINE:0:COMP_POINT}" at
    word="${word##* }"
    word="${word#[\"\']}"
    [[ $word == *[/{]* ]] && return
    COMPREPLY=($(compgen -W "$(_dtrace_probes)" -- "$word"))
    [[ $word == *:* && $COMP_WORDBREAKS == *:* ]] || return
    word="${word%"${word##*:}"}"
    for at in "${!COMPREPLY[@]}"; do COMPREPLY[at]="${COMPREPLY[at]#"$word"}"; done
}
"#;

fn bash() -> String {
    let mut cases = String::new();
    for (kind, words) in by_kind() {
        // The other NAME is that of a symbol of the preprocessor.
        let words: Vec<String> = words.into_iter().filter(|word| word != "-U").collect();
        let action = match kind {
            "file" => "COMPREPLY=($(compgen -f -- \"$cur\"))".to_owned(),
            "folder" => "COMPREPLY=($(compgen -d -- \"$cur\"))".to_owned(),
            "command" => "COMPREPLY=($(compgen -c -- \"$cur\"))".to_owned(),
            "shell" => format!("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))", shells()),
            "provider" => "COMPREPLY=($(compgen -W \"$(_dtrace_probes | sed 's/:.*//' | sort -u)\" -- \"$cur\"))".to_owned(),
            "probe" => "_dtrace_probe".to_owned(),
            "setting" => "COMPREPLY=($(compgen -W \"$settings\" -- \"$cur\")); [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace".to_owned(),
            _ => "COMPREPLY=()".to_owned(),
        };
        let _ = writeln!(cases, "        {}) {action}; return ;;", words.join("|"));
    }
    cases.push_str("        -U) COMPREPLY=(); return ;;\n");
    let all: Vec<String> =
        FLAGS.iter().map(letter).chain(LONG_FLAGS.iter().map(|f| format!("--{}", f.name))).collect();
    format!(
        "# Completions of dtrace for bash.\n{}_dtrace() {{\n    local cur prev settings\n    COMPREPLY=()\n    \
         cur=\"${{COMP_WORDS[COMP_CWORD]}}\"\n    prev=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n    \
         # Words are cut at \":\" and \"=\": the word before a probe, and a setting put together again.\n    \
         local line=\"${{COMP_LINE:0:COMP_POINT}}\"\n    line=\"${{line% *}}\"\n    \
         [[ $cur == *:* || $prev == *:* ]] && prev=\"${{line##* }}\"\n    \
         if [[ $cur == \"=\" ]]; then cur=\"\"; prev=\"\"; fi\n    settings=\"{}\"\n    \
         case \"$prev\" in\n{cases}    esac\n    \
         if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))\n    \
         elif [[ $COMP_CWORD == 1 ]]; then\n        COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"; compgen -f -- \"$cur\"))\n    \
         else\n        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}}\ncomplete -F _dtrace dtrace\n",
        BASH_PROBES.replace("LISTED", LISTED),
        settings().join(" "),
        all.join(" "),
        script_words()
    )
}

/// The words that can take the place of a program.
fn script_words() -> String {
    let names: Vec<&str> = [LIST].into_iter().chain(scripts::all().map(|script| script.name)).collect();
    names.join(" ")
}

/// Text in single quotes, for any of the shells.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Functions of zsh: the probes of the trace that the line names, and their providers.
const ZSH_PROBES: &str = r#"_dtrace_listed() {
  local word trace=
  for word in ${(Q)words}; do
    case $word in *.etl|*.zip|*.gz|*.cab) [[ -f $word ]] && trace=$word ;; esac
  done
  [[ -n $trace ]] && LISTED
}
_dtrace_probes() {
  local -a probes
  probes=(${(f)"$(_dtrace_listed)"})
  compadd -a probes
}
_dtrace_providers() {
  local -aU providers
  providers=(${${(f)"$(_dtrace_listed)"}%%:*})
  compadd -a providers
}
"#;

fn zsh() -> String {
    let plain = |text: &str| text.replace(['[', ']', ':'], " ");
    let action = |arg: &str| match completes(arg) {
        "probe" => ":probe:_dtrace_probes".to_owned(),
        "provider" => ":provider:_dtrace_providers".to_owned(),
        "file" => ":file:_files".to_owned(),
        "folder" => ":folder:_files -/".to_owned(),
        "command" => ":command:_command_names".to_owned(),
        "shell" => format!(":shell:({})", shells()),
        "setting" => format!(":option:({})", settings().join(" ")),
        _ => format!(":{}: ", plain(arg)),
    };
    let mut out = format!(
        "#compdef dtrace\n# Completions of dtrace for zsh.\n{}_dtrace_words() {{\n  \
         _alternative 'scripts:script:({})' 'files:file:_files'\n}}\n_arguments \\\n",
        ZSH_PROBES.replace("LISTED", LISTED),
        script_words()
    );
    for flag in FLAGS {
        let arg = match flag.arg.filter(|_| !flag.name.is_ascii_digit()) {
            // The other NAME is that of a symbol of the preprocessor.
            Some(arg) if flag.name == 'U' => format!(":{}: ", plain(arg)),
            arg => arg.map_or(String::new(), action),
        };
        let _ = writeln!(out, "  {} \\", quoted(&format!("*{}[{}]{arg}", letter(flag), plain(flag.help))));
    }
    for flag in LONG_FLAGS {
        let arg = flag.arg.map_or(String::new(), action);
        let _ = writeln!(out, "  {} \\", quoted(&format!("--{}[{}]{arg}", flag.name, plain(flag.help))));
    }
    out.push_str("  '1: :_dtrace_words' \\\n  '*:argument:_files'\n");
    out
}

/// A function of fish: the probes of the trace that the line names.
const FISH_PROBES: &str = r#"function __dtrace_probes
    set -l trace
    for word in (commandline -opc)
        if string match -qr '\.(etl|zip|gz|cab)$' -- $word; and test -f $word
            set trace $word
        end
    end
    if test -n "$trace"
        LISTED
    end
end
"#;

fn fish() -> String {
    let mut out = format!("# Completions of dtrace for fish.\n{}", FISH_PROBES.replace("LISTED", LISTED));
    let action = |arg: Option<&str>| match arg.map(completes) {
        None => String::new(),
        Some("file" | "folder" | "command") => " -r".to_owned(),
        Some("shell") => format!(" -x -a {}", quoted(&shells())),
        Some("setting") => format!(" -x -a {}", quoted(&settings().join(" "))),
        Some("probe") => " -x -a '(__dtrace_probes)'".to_owned(),
        Some("provider") => {
            " -x -a '(__dtrace_probes | string replace -r \":.*\" \"\" | sort -u)'".to_owned()
        }
        Some(_) => " -x".to_owned(),
    };
    for flag in FLAGS {
        let (name, arg) = match flag.name {
            '3' | '6' => (format!("-o {}", letter(flag).trim_start_matches('-')), None),
            // The other NAME is that of a symbol of the preprocessor.
            'U' => ("-s U".to_owned(), Some("nothing")),
            c => (format!("-s {c}"), flag.arg),
        };
        let _ = writeln!(out, "complete -c dtrace {name} -d {}{}", quoted(flag.help), action(arg));
    }
    let _ = writeln!(out, "complete -c dtrace -n __fish_use_subcommand -a {}", quoted(&script_words()));
    let _ = writeln!(out, "complete -c dtrace -n '__fish_seen_subcommand_from {LIST}' -a {SHOW}");
    for flag in LONG_FLAGS {
        let _ =
            writeln!(out, "complete -c dtrace -l {} -d {}{}", flag.name, quoted(flag.help), action(flag.arg));
    }
    out
}

/// Text in single quotes, for PowerShell.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A script that offers nothing has PowerShell offer files.
fn powershell() -> String {
    let list = |words: &[String]| {
        let words: Vec<_> = words.iter().map(|word| literal(word)).collect();
        format!("@({})", words.join(", "))
    };
    let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut out = String::from(
        "# Completions of dtrace for PowerShell.\n\
         Register-ArgumentCompleter -Native -CommandName 'dtrace', 'dtrace.exe' -ScriptBlock {\n    \
         param($word, $line, $cursor)\n    \
         $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | \
         ForEach-Object { $_.Extent.Text })\n    \
         $offered = switch -CaseSensitive ($before[-1]) {\n",
    );
    for (kind, options) in by_kind() {
        let words = match kind {
            "shell" => split(&shells()),
            "setting" => settings(),
            _ => Vec::new(),
        };
        for option in options {
            let _ = writeln!(out, "        {} {{ {}; break }}", literal(&option), list(&words));
        }
    }
    out.push_str("        default {\n            if ($word.StartsWith('-')) {\n");
    let flags = FLAGS.iter().map(|flag| (letter(flag), flag.help));
    for (word, help) in flags.chain(LONG_FLAGS.iter().map(|flag| (format!("--{}", flag.name), flag.help))) {
        let _ = writeln!(out, "                ,@({}, {})", literal(&word), literal(help));
    }
    let _ = writeln!(
        out,
        "            }} elseif ($before.Count -eq 1) {{\n                {}\n            }} elseif ($before[1] -eq {}) {{\n                \
         {}\n            }}\n        }}\n    }}\n    \
         foreach ($each in $offered) {{\n        $text, $help = @($each)[0], @($each)[-1]\n        \
         if ($text.StartsWith($word, 'Ordinal')) {{\n            \
         [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $help)\n        }}\n    }}\n}}",
        list(&split(&script_words())),
        literal(LIST),
        literal(SHOW),
    );
    out
}
