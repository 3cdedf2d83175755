//! The command line of `dtrace`: read the classic way, because the order of options, program texts and
//! macro arguments means something.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::slice;

use tracewell::scripts::BuiltIn;
use tracewell::when::Between;
use tracewell_dlang::options::Opt;
use tracewell_dlang::program::Program as Compiled;

use super::scripts::{self, Asked, Refused};

/// What an option does with its argument, which is empty if it takes none.
type Takes = fn(&mut Invocation, String) -> Result<(), UsageError>;

/// An option, declared once: the reader, `--help` and the man page derive from these tables.
pub struct Flag<Name> {
    /// The letter, or the name without the dashes.
    pub name: Name,
    /// The name of its argument, if it takes one.
    pub arg: Option<&'static str>,
    /// One line on what it does.
    pub help: &'static str,
    takes: Takes,
}

/// A table of options: the name and the argument, the help, and what the option does.
macro_rules! options {
    ($(#[$doc:meta])* $table:ident: $type:ty;
     $($name:literal $arg:expr, $help:literal, |$inv:ident, $given:pat_param| $does:expr;)+) => {
        $(#[$doc])*
        pub const $table: &[Flag<$type>] = &[$(Flag {
            name: $name,
            arg: $arg,
            help: $help,
            takes: |$inv, $given| { $does; Ok(()) },
        }),+];
    };
}

options! {
    /// All option letters.
    FLAGS: char;
    '3' Some("2"), "compile for a 32-bit data model",
        |inv, arg| inv.model("ilp32", "2", ('3', arg))?;
    '6' Some("4"), "compile for a 64-bit data model",
        |inv, arg| inv.model("lp64", "4", ('6', arg))?;
    'b' Some("SIZE"), "size of the principal buffer (4m)",
        |inv, arg| inv.set("bufsize", Some(&arg));
    'c' Some("CMD"), "run the command, end when it ends and end it with the run; its process is $target",
        |inv, arg| inv.command = Some(arg);
    'C' None, "run the built-in C preprocessor over script files",
        |inv, _| inv.compiling.preprocess = true;
    'D' Some("NAME[=VAL]"), "define a preprocessor symbol",
        |inv, arg| inv.compiling.defines.push(('D', arg));
    'e' None, "compile, say what matched, and stop",
        |inv, _| inv.does.compile_only = true;
    'E' Some("FILE"), "read events from a .etl file (repeat it to merge several), or record them into a new one",
        |inv, arg| inv.traces.push(arg.into());
    'f' Some("FUNC"), "enable or list probes of a function",
        |inv, arg| inv.programs.push(Program::Spec('f', arg));
    'F' None, "indent by function entry and return",
        |inv, _| inv.set("flowindent", None);
    'g' None, "with -E of a new file: record into it, and answer at once",
        |inv, _| inv.answers_now = true;
    'G' None, "make an object file with the probes of the provider definitions of a script",
        |inv, _| inv.does.object = true;
    'h' None, "make a header from the provider definitions of a script",
        |inv, _| inv.does.header = true;
    'H' None, "print the names of included files",
        |inv, _| inv.compiling.show_includes = true;
    'i' Some("ID"), "enable or list the probe with that number",
        |inv, arg| inv.programs.push(Program::Spec('i', arg));
    'I' Some("DIR"), "look for included files there too",
        |inv, arg| inv.compiling.include_dirs.push(arg.into());
    'l' None, "list probes",
        |inv, _| inv.does.list = true;
    'L' Some("DIR"), "read the D library files of a folder too",
        |inv, arg| inv.compiling.library_dirs.push(arg.into());
    'm' Some("MOD"), "enable or list probes of a module",
        |inv, arg| inv.programs.push(Program::Spec('m', arg));
    'n' Some("NAME"), "enable or list probes by name; may carry /predicate/ { action }",
        |inv, arg| inv.programs.push(Program::Spec('n', arg));
    'o' Some("FILE"), "append the output to a file",
        |inv, arg| inv.output = Some(arg.into());
    'p' Some("PID"), "grab a process; it is $target",
        |inv, arg| inv.grab = Some(arg.parse().map_err(|_| UsageError::Bad('p', arg, "a process id"))?);
    'P' Some("PROV"), "enable or list probes of a provider",
        |inv, arg| inv.programs.push(Program::Spec('P', arg));
    'q' None, "print only what the script prints",
        |inv, _| inv.set("quiet", None);
    's' Some("FILE"), "compile a script file (- for standard input)",
        |inv, arg| inv.programs.push(Program::Script(arg.into()));
    'S' None, "print the compiled code",
        |inv, _| inv.does.show_code = true;
    'U' Some("NAME"), "undefine a preprocessor symbol",
        |inv, arg| inv.compiling.defines.push(('U', arg));
    'v' None, "say more: stability, argument types",
        |inv, _| inv.verbose = true;
    'V' None, "print the version",
        |inv, _| inv.does.version = true;
    'w' None, "allow destructive actions",
        |inv, _| inv.set("destructive", None);
    'x' Some("OPT[=VAL]"), "set an option",
        |inv, arg| match arg.split_once('=') {
            Some((name, value)) => inv.set(name, Some(value)),
            None => inv.set(&arg, None),
        };
    'X' Some("a|c|s|t"), "standard of the preprocessor",
        |inv, arg| match arg.as_str() {
            "a" | "c" | "s" | "t" => inv.set("stdc", Some(&arg)),
            _ => return Err(UsageError::Bad('X', arg, "a, c, s or t")),
        };
    'y' Some("PATH"), "symbol search path, in place of _NT_SYMBOL_PATH: folders, srv*STORE*SERVER",
        |inv, arg| inv.symbol_path = Some(arg);
    'Z' None, "allow descriptions that match no probe",
        |inv, _| inv.set("zdefs", None);
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

options! {
    /// All long options.
    LONG_FLAGS: &str;
    "json" None, "what is printed, and aggregations, as JSON objects, one a line",
        |inv, _| inv.shown.json = true;
    "watch" None, "draw the aggregations on the terminal while a live run goes on (at aggrate)",
        |inv, _| inv.shown.watch = true;
    "folded" None, "stack-keyed aggregations as folded lines",
        |inv, _| inv.shown.folded = true;
    "flame" Some("FILE"), "stack-keyed aggregations as a flame graph (SVG; -: to standard output)",
        |inv, arg| inv.shown.flame = Some(arg.into());
    "idle" None, "idle processors, too, with --folded and --flame",
        |inv, _| inv.shown.idle = true;
    "heat" Some("FILE"), "histograms keyed by time as a heat map (SVG; -: with characters)",
        |inv, arg| inv.shown.heat = Some(arg.into());
    "color" Some("WHEN"), "bars of histograms in colour: auto (on a terminal, if NO_COLOR is not set), always or never",
        |inv, arg| inv.shown.color = color(&arg)?;
    "start" Some("TIME"), "from this time of the traces on: seconds since their start, or a date",
        |inv, arg| inv.start = Some(arg);
    "end" Some("TIME"), "before this time of the traces",
        |inv, arg| inv.end = Some(arg);
    "each" None, "run each trace by itself: an answer for each, under the name of its file",
        |inv, _| inv.be(Many::Each)?;
    "merge" None, "run each trace by itself, and combine the aggregations of all",
        |inv, _| inv.be(Many::Merge)?;
    "jobs" Some("N"), "with --each and --merge: maximum number of traces at once (default: one for each processor)",
        |inv, arg| inv.jobs = Some(arg.parse().map_err(|_| UsageError::NoJobs(arg))?);
    "agg-out" Some("FILE"), "write the aggregations to a file, for --agg-merge",
        |inv, arg| inv.agg_out = Some(arg.into());
    "force" None, "replace existing files of --flame, --heat and --agg-out",
        |inv, _| inv.shown.force = true;
    "agg-merge" None, "combine the aggregations in files of --agg-out, which are named without an option, and print them",
        |inv, _| inv.does.merge_aggregations = true;
    "completions" Some("SHELL"), "print the completions for bash, zsh, fish or powershell",
        |inv, arg| inv.does.reference = Some(Reference::Completions(shell(&arg)?));
    "man" None, "print the manual page",
        |inv, _| inv.does.reference = Some(Reference::Man);
    "help" None, "print the options",
        |inv, _| inv.does.help = true;
    "version" None, "print the version",
        |inv, _| inv.does.version = true;
}

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
    MissingLong(String),
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
                    FLAGS.iter().find(|flag| flag.name == *c).and_then(|flag| flag.arg).unwrap_or("one");
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

fn shell(name: &str) -> Result<Shell, UsageError> {
    let known = SHELLS.iter().find(|(known, _)| *known == name);
    known.map(|(_, shell)| *shell).ok_or_else(|| UsageError::NoShell(name.to_owned()))
}

/// Reads a command line (without the program's own name).
///
/// # Errors
/// The first thing that is not understood.
pub fn read(words: &[String]) -> Result<Invocation, UsageError> {
    let mut inv = Invocation::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix('-') {
            None | Some("") => inv.args.push(word.clone()),
            Some("-") => inv.args.extend(words.by_ref().cloned()),
            Some(rest) => match rest.strip_prefix('-') {
                Some(long) => inv.take_long(long, &mut words)?,
                None => inv.take_letters(rest, &mut words)?,
            },
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
            Err(Refused::Name) => return Err(UsageError::MissingLong("scripts show NAME".to_owned())),
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        self.options.push((name.to_owned(), value.map(str::to_owned)));
    }

    /// `-32` and `-64`: the letter is the first digit.
    fn model(&mut self, name: &str, second: &str, (first, given): (char, String)) -> Result<(), UsageError> {
        if given != second {
            return Err(UsageError::Bad(first, given, "-32 or -64"));
        }
        self.set(name, None);
        Ok(())
    }

    /// A long option. Its argument is the next word, or follows `=`.
    fn take_long(&mut self, word: &str, words: &mut slice::Iter<'_, String>) -> Result<(), UsageError> {
        let (name, joined) = word.split_once('=').map_or((word, None), |(name, arg)| (name, Some(arg)));
        let flag =
            LONG_FLAGS.iter().find(|flag| flag.name == name && (flag.arg.is_some() || joined.is_none()));
        let flag = flag.ok_or_else(|| UsageError::Unknown(word.to_owned()))?;
        let arg = match flag.arg {
            None => String::new(),
            Some(want) => {
                let arg = joined.or_else(|| words.next().map(String::as_str));
                arg.ok_or_else(|| UsageError::MissingLong(format!("--{name} {want}")))?.to_owned()
            }
        };
        (flag.takes)(self, arg)
    }

    /// Option letters in one word. The argument of the last one is the rest of the word, or the next word.
    fn take_letters(&mut self, word: &str, words: &mut slice::Iter<'_, String>) -> Result<(), UsageError> {
        let mut letters = word.chars();
        while let Some(letter) = letters.next() {
            let flag = FLAGS.iter().find(|flag| flag.name == letter);
            let flag = flag.ok_or_else(|| UsageError::Unknown(letter.to_string()))?;
            let arg = match (flag.arg, letters.as_str()) {
                (None, _) => String::new(),
                (Some(_), "") => words.next().cloned().ok_or(UsageError::Missing(letter))?,
                (Some(_), rest) => {
                    letters = "".chars();
                    rest.to_owned()
                }
            };
            (flag.takes)(self, arg)?;
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
        assert_eq!(
            read("scripts show").unwrap_err(),
            UsageError::MissingLong("scripts show NAME".to_owned())
        );
    }

    /// The argument of a long option is the next word, or follows an equals sign; an option without one takes none.
    #[test]
    fn issue_13_long_options_take_their_arguments_both_ways() {
        for flag in LONG_FLAGS {
            let name = flag.name;
            let value = match name {
                "color" => "never",
                "jobs" => "3",
                "completions" => "fish",
                _ => "a=b",
            };
            let joined = read(&words(&format!("--{name}={value}")));
            let Some(want) = flag.arg else {
                assert_eq!(joined.unwrap_err(), UsageError::Unknown(format!("{name}={value}")));
                assert_ne!(
                    format!("{:?}", read(&words(&format!("--{name}"))).unwrap()),
                    format!("{:?}", Invocation::default())
                );
                continue;
            };
            let apart = read(&words(&format!("--{name} {value}"))).unwrap();
            assert_eq!(format!("{:?}", joined.unwrap()), format!("{apart:?}"), "{name}");
            assert_ne!(format!("{apart:?}"), format!("{:?}", Invocation::default()), "{name}");
            assert_eq!(
                read(&words(&format!("--{name}"))).unwrap_err(),
                UsageError::MissingLong(format!("--{name} {want}"))
            );
        }
        assert_eq!(read(&words("-n BEGIN -- -n --json")).unwrap().args, words("-n --json"));
        assert_eq!(read(&words("-n BEGIN - x")).unwrap().args, words("- x"));
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
