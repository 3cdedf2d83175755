//! The command line of `dtrace`: read the classic way, because the order of options, program texts and
//! macro arguments means something.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tracewell::scripts::BuiltIn;
use tracewell::when::Between;
use tracewell_dlang::options::Opt;
use tracewell_dlang::program::Program as Compiled;

use super::scripts::{self, Asked, Refused};

/// An option letter, declared once: the reader, `--help` and the man page derive from this table.
pub struct Flag {
    /// The letter.
    pub letter: char,
    /// The name of its argument, if it takes one.
    pub arg: Option<&'static str>,
    /// One line on what it does.
    pub help: &'static str,
}

macro_rules! flags {
    ($($letter:literal $arg:expr, $help:literal;)+) => {
        /// All option letters.
        pub const FLAGS: &[Flag] = &[$(Flag { letter: $letter, arg: $arg, help: $help }),+];
    };
}

flags! {
    '3' Some("2"), "compile for a 32-bit data model";
    '6' Some("4"), "compile for a 64-bit data model";
    'b' Some("SIZE"), "size of the principal buffer (4m)";
    'c' Some("CMD"), "run the command, end when it ends and end it with the run; its process is $target";
    'C' None, "run the built-in C preprocessor over script files";
    'D' Some("NAME[=VAL]"), "define a preprocessor symbol";
    'e' None, "compile, say what matched, and stop";
    'E' Some("FILE"), "read events from a .etl file (repeat it to merge several), or record them into a new one";
    'f' Some("FUNC"), "enable or list probes of a function";
    'F' None, "indent by function entry and return";
    'g' None, "with -E of a new file: record into it, and answer at once";
    'G' None, "make an object file with the probes of the provider definitions of a script";
    'h' None, "make a header from the provider definitions of a script";
    'H' None, "print the names of included files";
    'i' Some("ID"), "enable or list the probe with that number";
    'I' Some("DIR"), "look for included files there too";
    'l' None, "list probes";
    'L' Some("DIR"), "read the D library files of a folder too";
    'm' Some("MOD"), "enable or list probes of a module";
    'n' Some("NAME"), "enable or list probes by name; may carry /predicate/ { action }";
    'o' Some("FILE"), "append the output to a file";
    'p' Some("PID"), "grab a process; it is $target";
    'P' Some("PROV"), "enable or list probes of a provider";
    'q' None, "print only what the script prints";
    's' Some("FILE"), "compile a script file (- for standard input)";
    'S' None, "print the compiled code";
    'U' Some("NAME"), "undefine a preprocessor symbol";
    'v' None, "say more: stability, argument types";
    'V' None, "print the version";
    'w' None, "allow destructive actions";
    'x' Some("OPT[=VAL]"), "set an option";
    'X' Some("a|c|s|t"), "standard of the preprocessor";
    'y' Some("PATH"), "symbol search path, in place of _NT_SYMBOL_PATH: folders, srv*STORE*SERVER";
    'Z' None, "allow descriptions that match no probe";
}

/// A program text with what its leading description fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// `-s FILE`
    Script(PathBuf),
    /// `-n`, `-P`, `-m`, `-f`, `-i`: the letter and the text.
    Spec(char, String),
    /// The name of a script that comes with the command.
    BuiltIn(&'static BuiltIn),
}

/// A long option, declared once like [`Flag`].
pub struct LongFlag {
    /// The name, without the dashes.
    pub name: &'static str,
    /// The name of its argument, if it takes one.
    pub arg: Option<&'static str>,
    /// One line on what it does.
    pub help: &'static str,
}

/// All long options.
pub const LONG_FLAGS: &[LongFlag] = &[
    LongFlag {
        name: "json",
        arg: None,
        help: "what is printed, and aggregations, as JSON objects, one a line",
    },
    LongFlag {
        name: "watch",
        arg: None,
        help: "draw the aggregations on the terminal while a live run goes on (at aggrate)",
    },
    LongFlag { name: "folded", arg: None, help: "stack-keyed aggregations as folded lines" },
    LongFlag {
        name: "flame",
        arg: Some("FILE"),
        help: "stack-keyed aggregations as a flame graph (SVG; -: to standard output)",
    },
    LongFlag { name: "idle", arg: None, help: "idle processors, too, with --folded and --flame" },
    LongFlag {
        name: "heat",
        arg: Some("FILE"),
        help: "histograms keyed by time as a heat map (SVG; -: with characters)",
    },
    LongFlag {
        name: "color",
        arg: Some("WHEN"),
        help: "bars of histograms in colour: auto (on a terminal, if NO_COLOR is not set), always or never",
    },
    LongFlag {
        name: "start",
        arg: Some("TIME"),
        help: "from this time of the traces on: seconds since their start, or a date",
    },
    LongFlag { name: "end", arg: Some("TIME"), help: "before this time of the traces" },
    LongFlag {
        name: "each",
        arg: None,
        help: "run each trace by itself: an answer for each, under the name of its file",
    },
    LongFlag {
        name: "merge",
        arg: None,
        help: "run each trace by itself, and combine the aggregations of all",
    },
    LongFlag {
        name: "jobs",
        arg: Some("N"),
        help: "with --each and --merge: maximum number of traces at once (default: one for each processor)",
    },
    LongFlag {
        name: "agg-out",
        arg: Some("FILE"),
        help: "write the aggregations to a file, for --agg-merge",
    },
    LongFlag { name: "force", arg: None, help: "replace existing files of --flame, --heat and --agg-out" },
    LongFlag {
        name: "agg-merge",
        arg: None,
        help: "combine the aggregations in files of --agg-out, which are named without an option, and print them",
    },
    LongFlag {
        name: "completions",
        arg: Some("SHELL"),
        help: "print the completions for bash, zsh, fish or powershell",
    },
    LongFlag { name: "man", arg: None, help: "print the manual page" },
    LongFlag { name: "help", arg: None, help: "print the options" },
    LongFlag { name: "version", arg: None, help: "print the version" },
];

/// What can be printed about the command itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The manual page.
    Man,
    /// Completions of a shell.
    Completions(Shell),
}

/// Shells that there are completions for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// GNU Bash.
    Bash,
    /// Z shell.
    Zsh,
    /// fish.
    Fish,
    /// PowerShell.
    PowerShell,
}

/// The shells, by the names that `--completions` takes.
pub(super) const SHELLS: &[(&str, Shell)] =
    &[("bash", Shell::Bash), ("zsh", Shell::Zsh), ("fish", Shell::Fish), ("powershell", Shell::PowerShell)];

/// When output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, when the environment does not forbid it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What the command line asks for.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// Program texts in order.
    pub programs: Vec<Program>,
    /// Macro arguments, after the `$0` that the caller knows.
    pub args: Vec<String>,
    /// The object files that fire probes of the declared providers (`-G`).
    pub objects: Vec<PathBuf>,
    /// Trace files.
    pub traces: Vec<PathBuf>,
    /// Some of them follow the name of a script, so that none is a new file to record into.
    pub named_traces: bool,
    /// `-x` settings in order (also those set by letters).
    pub options: Vec<(String, Option<String>)>,
    /// What the command does in place of a run, or before it.
    pub does: Does,
    /// How programs are compiled.
    pub compiling: Compiling,
    /// How results are shown.
    pub shown: ShownAs,
    /// `-o`
    pub output: Option<PathBuf>,
    /// `-g`
    pub answers_now: bool,
    /// `-c`
    pub command: Option<String>,
    /// `-p`
    pub grab: Option<u32>,
    /// `-y`
    pub symbol_path: Option<String>,
    /// `-v`
    pub verbose: bool,
    /// From this time of the traces on.
    pub start: Option<String>,
    /// Before this time of the traces.
    pub end: Option<String>,
    /// What many traces are to one another.
    pub many: Many,
    /// Most traces that run at once.
    pub jobs: Option<NonZeroUsize>,
    /// The file that the aggregations are written to.
    pub agg_out: Option<PathBuf>,
}

/// What many traces are to one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Many {
    /// One trace, in order of time.
    #[default]
    One,
    /// Each has an answer: `--each`.
    Each,
    /// The aggregations of all are combined: `--merge`.
    Merge,
}

/// What the command does in place of a run, or before it.
#[derive(Clone, Debug, Default)]
pub struct Does {
    /// `-l`
    pub list: bool,
    /// `-e`
    pub compile_only: bool,
    /// `-S`
    pub show_code: bool,
    /// `-h`
    pub header: bool,
    /// `-G`
    pub object: bool,
    /// `-V`
    pub version: bool,
    /// `--help`
    pub help: bool,
    /// The reference to print.
    pub reference: Option<Reference>,
    /// What to print of the scripts that come with the command.
    pub scripts: Option<scripts::Shown>,
    /// Combines files of aggregations.
    pub merge_aggregations: bool,
}

/// How programs are compiled.
#[derive(Clone, Debug, Default)]
pub struct Compiling {
    /// `-C`
    pub preprocess: bool,
    /// `-D` and `-U` in order.
    pub defines: Vec<(char, String)>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-H`
    pub show_includes: bool,
    /// `-L`
    pub library_dirs: Vec<PathBuf>,
}

/// How results are shown.
#[derive(Clone, Debug, Default)]
pub struct ShownAs {
    /// As JSON.
    pub json: bool,
    /// Aggregations keyed by stacks as folded lines.
    pub folded: bool,
    /// Aggregations keyed by stacks as a flame graph in this file.
    pub flame: Option<PathBuf>,
    /// Idle processors are part of both.
    pub idle: bool,
    /// Files of these and of aggregations replace what is there.
    pub force: bool,
    /// Histograms keyed by time as a heat map in this file; `-` draws it with characters.
    pub heat: Option<PathBuf>,
    /// When bars of histograms are coloured.
    pub color: Color,
    /// Aggregations are drawn again and again while the run goes on.
    pub watch: bool,
}

/// Why a command line was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageError {
    /// An unknown letter.
    Unknown(String),
    /// The letter's argument is missing.
    Missing(char),
    /// A long option's argument is missing.
    MissingLong(&'static str),
    /// The letter's argument is no good: letter, argument, what would do.
    Bad(char, String, &'static str),
    /// There are no completions for that shell.
    NoShell(String),
    /// A word that does not say when to use colours.
    NoColor(String),
    /// A word in place of a program that is not the name of a script.
    NoScript(String),
    /// A word after `scripts` that it does not take.
    NoScriptCommand(String),
    /// Several of `-h -l -V`.
    Exclusive,
    /// Options that exclude each other.
    Together(&'static str, &'static str),
    /// A number of jobs that is not a positive number.
    NoJobs(String),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(o) if matches!(o.as_str(), "A" | "a") => write!(
                f,
                "-{o} is not here: it is for anonymous tracing, which a kernel with DTrace in it does as it starts; record \
                 with `etw start` from a unit of the system (docs/sessions.md) and ask that file with -E"
            ),
            Self::Unknown(o) => {
                write!(f, "illegal option -- {o}")?;
                let names = LONG_FLAGS.iter().map(|flag| flag.name);
                match tracewell_dlang::nearest(o, names).filter(|_| o.len() > 1) {
                    Some(near) => write!(f, "; did you mean --{near}?"),
                    None => Ok(()),
                }
            }
            Self::NoColor(word) => write!(f, "no time for colours: {word} (want auto, always or never)"),
            Self::NoScript(word) => f.write_str(&scripts::unknown(word)),
            Self::NoScriptCommand(word) => {
                write!(
                    f,
                    "dtrace scripts cannot do \"{word}\": it lists the scripts, and scripts show NAME prints one"
                )
            }
            Self::NoShell(shell) => {
                write!(f, "no completions for {shell} (want bash, zsh, fish or powershell)")
            }
            Self::Missing(c) => {
                let want =
                    FLAGS.iter().find(|flag| flag.letter == *c).and_then(|flag| flag.arg).unwrap_or("one");
                write!(f, "option requires an argument -- {c} {want}")
            }
            Self::MissingLong(option) => write!(f, "option requires an argument -- {option}"),
            Self::Bad(c, arg, want) => write!(f, "invalid argument to -{c}: {arg} (want {want})"),
            Self::Together(one, other) => write!(f, "{one} cannot be combined with {other}"),
            Self::NoJobs(word) => write!(f, "invalid argument to --jobs: {word} (want a number from 1 on)"),
            Self::Exclusive => write!(f, "only one of the [-hlV] options can be specified at a time"),
        }
    }
}

impl std::error::Error for UsageError {}

fn color(word: &str) -> Result<Color, UsageError> {
    match word {
        "auto" => Ok(Color::Auto),
        "always" => Ok(Color::Always),
        "never" => Ok(Color::Never),
        other => Err(UsageError::NoColor(other.to_owned())),
    }
}

/// Reads a command line (without the program's own name).
///
/// # Errors
/// The first thing that is not understood.
pub fn read(words: &[String]) -> Result<Invocation, UsageError> {
    let mut inv = Invocation::default();
    let mut words = words.iter();
    let mut only_args = false;
    while let Some(word) = words.next() {
        if only_args || !word.starts_with('-') || word == "-" {
            inv.args.push(word.clone());
            continue;
        }
        match word.as_str() {
            "--" => {
                only_args = true;
                continue;
            }
            "--help" => {
                inv.does.help = true;
                continue;
            }
            "--json" => {
                inv.shown.json = true;
                continue;
            }
            "--version" => {
                inv.does.version = true;
                continue;
            }
            "--watch" => {
                inv.shown.watch = true;
                continue;
            }
            "--man" => {
                inv.does.reference = Some(Reference::Man);
                continue;
            }
            "--completions" => {
                let shell = words.next().ok_or(UsageError::MissingLong("--completions SHELL"))?;
                let known = SHELLS.iter().find(|(name, _)| *name == shell);
                let (_, known) = known.ok_or_else(|| UsageError::NoShell(shell.clone()))?;
                inv.does.reference = Some(Reference::Completions(*known));
                continue;
            }
            "--color" => {
                let when = words.next().ok_or(UsageError::MissingLong("--color WHEN"))?;
                inv.shown.color = color(when)?;
                continue;
            }
            long if long.starts_with("--color=") => {
                inv.shown.color = color(long.trim_start_matches("--color="))?;
                continue;
            }
            "--folded" => {
                inv.shown.folded = true;
                continue;
            }
            "--flame" => {
                let file = words.next().ok_or(UsageError::MissingLong("--flame FILE"))?;
                inv.shown.flame = Some(file.into());
                continue;
            }
            "--idle" => {
                inv.shown.idle = true;
                continue;
            }
            "--force" => {
                inv.shown.force = true;
                continue;
            }
            "--heat" => {
                let file = words.next().ok_or(UsageError::MissingLong("--heat FILE"))?;
                inv.shown.heat = Some(file.into());
                continue;
            }
            "--start" => {
                inv.start = Some(words.next().cloned().ok_or(UsageError::MissingLong("--start TIME"))?);
                continue;
            }
            "--end" => {
                inv.end = Some(words.next().cloned().ok_or(UsageError::MissingLong("--end TIME"))?);
                continue;
            }
            "--each" => {
                inv.be(Many::Each)?;
                continue;
            }
            "--merge" => {
                inv.be(Many::Merge)?;
                continue;
            }
            "--jobs" => {
                let number = words.next().ok_or(UsageError::MissingLong("--jobs N"))?;
                inv.jobs = Some(number.parse().map_err(|_| UsageError::NoJobs(number.clone()))?);
                continue;
            }
            "--agg-out" => {
                let file = words.next().ok_or(UsageError::MissingLong("--agg-out FILE"))?;
                inv.agg_out = Some(file.into());
                continue;
            }
            "--agg-merge" => {
                inv.does.merge_aggregations = true;
                continue;
            }
            long if long.starts_with("--") => return Err(UsageError::Unknown(long[2..].to_owned())),
            _ => {}
        }
        let mut rest = word[1..].char_indices();
        while let Some((at, letter)) = rest.next() {
            let Some(flag) = FLAGS.iter().find(|f| f.letter == letter) else {
                return Err(UsageError::Unknown(letter.to_string()));
            };
            let arg = if flag.arg.is_some() {
                let tail = &word[1 + at + letter.len_utf8()..];
                let arg = if tail.is_empty() {
                    words.next().cloned().ok_or(UsageError::Missing(letter))?
                } else {
                    tail.to_owned()
                };
                rest = "".char_indices();
                arg
            } else {
                String::new()
            };
            inv.take(letter, arg)?;
        }
    }
    if [inv.does.header, inv.does.object, inv.does.list, inv.does.version].iter().filter(|&&b| b).count() > 1
    {
        return Err(UsageError::Exclusive);
    }
    if inv.does.object {
        inv.objects = std::mem::take(&mut inv.args).into_iter().map(PathBuf::from).collect();
    }
    inv.take_script()?;
    inv.check_many()?;
    Ok(inv)
}

impl Invocation {
    /// The file that the output goes to; [`None`] for standard output, which `-o -` names.
    #[must_use]
    pub fn output_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns `true` if addresses are to stay addresses: the command line or the program says so.
    #[must_use]
    pub fn plain_addresses(&self, program: &Compiled) -> bool {
        self.options.iter().chain(&program.options).any(|(name, _)| name == Opt::Noresolve.name())
    }

    /// The search path for symbols that the command line names, else the program.
    #[must_use]
    pub fn symbol_path_for<'a>(&'a self, program: &'a Compiled) -> Option<&'a str> {
        let settings = || program.options.iter().chain(&self.options);
        let last = settings().rev().find(|(name, _)| name == Opt::Sympath.name());
        self.symbol_path.as_deref().or_else(|| last?.1.as_deref())
    }

    /// The part of the time that is asked for.
    ///
    /// # Errors
    /// A time cannot be read.
    pub fn between(&self) -> Result<Between, String> {
        let moment = |text: &Option<String>| text.as_deref().map(str::parse).transpose();
        Ok(Between { start: moment(&self.start)?, end: moment(&self.end)? })
    }

    fn be(&mut self, many: Many) -> Result<(), UsageError> {
        if self.many != Many::One && self.many != many {
            return Err(UsageError::Together("--each", "--merge"));
        }
        self.many = many;
        Ok(())
    }

    /// Refuses what has no meaning for several runs.
    fn check_many(&self) -> Result<(), UsageError> {
        let many = match self.many {
            Many::One if self.does.merge_aggregations => "--agg-merge",
            Many::One => return Ok(()),
            Many::Each => "--each",
            Many::Merge => "--merge",
        };
        let others = [
            ("--agg-merge", self.many != Many::One && self.does.merge_aggregations),
            ("-n and -s", self.does.merge_aggregations && !self.programs.is_empty()),
            ("-E", self.does.merge_aggregations && !self.traces.is_empty()),
            ("--agg-out", self.many == Many::Each && self.agg_out.is_some()),
            ("--flame", self.shown.flame.is_some()),
            ("--folded", self.shown.folded),
            ("--heat", self.shown.heat.is_some()),
            ("--watch", self.shown.watch),
            ("-c", self.command.is_some()),
            ("-p", self.grab.is_some()),
            ("-g", self.answers_now),
        ];
        match others.iter().find(|(_, is_given)| *is_given) {
            Some((other, _)) => Err(UsageError::Together(many, other)),
            None => Ok(()),
        }
    }

    /// Without a program, free words name a script, its traces and its arguments.
    fn take_script(&mut self) -> Result<(), UsageError> {
        let does = &self.does;
        let other = does.list
            || does.header
            || does.object
            || does.help
            || does.version
            || does.reference.is_some()
            || does.merge_aggregations;
        let free = self.programs.is_empty() && !other;
        let Some((first, rest)) = self.args.split_first().filter(|_| free) else { return Ok(()) };
        match scripts::read(first, rest) {
            Ok(Asked::Show(shown)) => self.does.scripts = Some(shown),
            Ok(Asked::Run(script, traces, args)) => {
                self.programs.push(Program::BuiltIn(script));
                self.named_traces = !traces.is_empty();
                self.traces.extend(traces);
                self.args = args;
            }
            Err(Refused::Script(word)) => return Err(UsageError::NoScript(word)),
            Err(Refused::Command(word)) => return Err(UsageError::NoScriptCommand(word)),
            Err(Refused::Name) => return Err(UsageError::MissingLong("scripts show NAME")),
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        self.options.push((name.to_owned(), value.map(str::to_owned)));
    }

    fn take(&mut self, letter: char, arg: String) -> Result<(), UsageError> {
        match letter {
            '3' if arg == "2" => self.set("ilp32", None),
            '6' if arg == "4" => self.set("lp64", None),
            '3' | '6' => return Err(UsageError::Bad(letter, arg, "-32 or -64")),
            'b' => self.set("bufsize", Some(&arg)),
            'c' => self.command = Some(arg),
            'C' => self.compiling.preprocess = true,
            'D' | 'U' => self.compiling.defines.push((letter, arg)),
            'e' => self.does.compile_only = true,
            'E' => self.traces.push(arg.into()),
            'f' | 'm' | 'n' | 'P' | 'i' => self.programs.push(Program::Spec(letter, arg)),
            'g' => self.answers_now = true,
            'F' => self.set("flowindent", None),
            'G' => self.does.object = true,
            'h' => self.does.header = true,
            'H' => self.compiling.show_includes = true,
            'I' => self.compiling.include_dirs.push(arg.into()),
            'l' => self.does.list = true,
            'L' => self.compiling.library_dirs.push(arg.into()),
            'o' => self.output = Some(arg.into()),
            'p' => self.grab = Some(arg.parse().map_err(|_| UsageError::Bad('p', arg, "a process id"))?),
            'q' => self.set("quiet", None),
            's' => self.programs.push(Program::Script(arg.into())),
            'S' => self.does.show_code = true,
            'v' => self.verbose = true,
            'V' => self.does.version = true,
            'w' => self.set("destructive", None),
            'x' => match arg.split_once('=') {
                Some((name, value)) => self.set(name, Some(value)),
                None => self.set(&arg, None),
            },
            'X' => match arg.as_str() {
                "a" | "c" | "s" | "t" => self.set("stdc", Some(&arg)),
                _ => return Err(UsageError::Bad('X', arg, "a, c, s or t")),
            },
            'y' => self.symbol_path = Some(arg),
            'Z' => self.set("zdefs", None),
            _ => return Err(UsageError::Unknown(letter.to_string())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn letters_join_and_arguments_follow() {
        let inv = read(&words("-qs a.d -E t.etl -Eu.etl one -xstrsize=64 two")).unwrap();
        assert_eq!(inv.programs, [Program::Script("a.d".into())]);
        assert_eq!(inv.traces, [PathBuf::from("t.etl"), PathBuf::from("u.etl")]);
        assert_eq!(inv.args, ["one", "two"]);
        assert_eq!(inv.options, [("quiet".into(), None), ("strsize".into(), Some("64".into()))]);
    }

    /// A script's name is followed by its traces and its arguments, in any order; a program leaves words alone.
    #[test]
    fn issue_21_a_word_in_place_of_a_program_is_a_script() {
        let read = |text: &str| read(&words(text));
        let inv = read("-q hang 40 one.etl 50 two.ETL.zip 2000 -E three.etl").unwrap();
        let [Program::BuiltIn(script)] = inv.programs.as_slice() else { panic!("{:?}", inv.programs) };
        assert_eq!((script.name, inv.args), ("hang", words("40 50 2000")));
        assert_eq!(inv.traces, ["three.etl", "one.etl", "two.ETL.zip"].map(PathBuf::from));
        assert!(inv.named_traces);
        let live = read("whorun.d").unwrap();
        assert!(live.traces.is_empty() && !live.named_traces);
        assert_eq!(read("-n BEGIN whorun t.etl").unwrap().args, ["whorun", "t.etl"]);
        assert_eq!(read("-l whorun").unwrap().programs, []);
        assert_eq!(read("scripts").unwrap().does.scripts, Some(scripts::Shown::List));
        assert_eq!(read("whorn").unwrap_err(), UsageError::NoScript("whorn".into()));
        for words in ["scripts more", "scripts show whorun more"] {
            assert_eq!(read(words).unwrap_err(), UsageError::NoScriptCommand("more".into()));
        }
        assert_eq!(read("scripts show").unwrap_err(), UsageError::MissingLong("scripts show NAME"));
    }

    #[test]
    fn data_model_and_refusals() {
        assert_eq!(read(&words("-32")).unwrap().options, [("ilp32".into(), None)]);
        assert_eq!(read(&words("-35")).unwrap_err(), UsageError::Bad('3', "5".into(), "-32 or -64"));
        assert_eq!(read(&words("-k")).unwrap_err(), UsageError::Unknown("k".into()));
        assert_eq!(read(&words("-n")).unwrap_err(), UsageError::Missing('n'));
        assert_eq!(read(&words("-lV")).unwrap_err(), UsageError::Exclusive);
        assert_eq!(
            read(&words("-p x")).unwrap_err().to_string(),
            "invalid argument to -p: x (want a process id)"
        );
    }
}
