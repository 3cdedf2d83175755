//! The options that govern a run.

use std::sync::OnceLock;
use tracewell_dlang::options::{Opt, OptionError, Options, Setter, TABLE, Value};

/// The policy for a full principal buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum BufPolicy {
    /// New records are dropped until the consumer has drained.
    #[default]
    Switch,
    /// Tracing stops.
    Fill,
    /// The oldest records give way; the consumer reads once, at the end.
    Ring,
}

/// The drawing style of histograms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// `@` bars.
    #[default]
    Ascii,
    /// Bars of eighth blocks.
    Utf8,
}

/// The zone that `%Y` and `%T` show dates in, looked for when the first date is shown: most scripts show none, and
/// finding the system's zone takes longer than compiling them.
#[derive(Clone, Copy, Debug)]
pub struct Zone(fn() -> jiff::tz::TimeZone);

impl Zone {
    /// Coordinated universal time, the default.
    pub const UTC: Zone = Zone(|| jiff::tz::TimeZone::UTC);

    /// The zone that a function finds.
    #[must_use]
    pub fn new(find: fn() -> jiff::tz::TimeZone) -> Zone {
        Zone(find)
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::UTC
    }
}

/// A zone that is found once.
#[derive(Debug)]
pub(crate) struct FoundZone {
    zone: Zone,
    found: OnceLock<jiff::tz::TimeZone>,
}

impl FoundZone {
    pub(crate) fn new(zone: Zone) -> FoundZone {
        FoundZone { zone, found: OnceLock::new() }
    }

    pub(crate) fn get(&self) -> &jiff::tz::TimeZone {
        self.found.get_or_init(self.zone.0)
    }
}

/// Sizes of a run, in bytes if nothing else is said.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// Bytes of a string, and what one counts for in buffers.
    pub strsize: u64,
    /// Bytes that a string may have instead, for runs over traces, in which strings are as long as their data.
    pub longest: Option<u64>,
    /// Bytes of a CPU's principal buffer.
    pub bufsize: u64,
    /// The policy for a full buffer.
    pub(crate) bufpolicy: BufPolicy,
    /// Sizes that cannot be had are an error (`bufresize=manual`) rather than reduced.
    pub(crate) bufresize_manual: bool,
    /// Bytes for new keys of aggregations between two drains; with [`growth`](Sizes::growth), for all of them.
    pub aggsize: u64,
    /// Bytes for dynamic variables.
    pub dynvarsize: u64,
    /// Number of speculations.
    pub nspec: u64,
    /// Bytes of a speculation.
    pub specsize: u64,
    /// Sizes of buffers, aggregations, dynamic variables and speculations are where to begin, not where to end: each
    /// kind grows to this many bytes, or to its own size where that is more. For events that wait, as those of a
    /// recorded trace do; [`None`] loses, and counts, what finds no room, as where nothing can wait.
    pub growth: Option<u64>,
}

/// How many frames stacks have, and how they are shown.
#[derive(Clone, Debug, Default)]
pub struct StackOptions {
    /// Frames of `stack()`.
    pub frames: u32,
    /// Frames of `ustack()`.
    pub user_frames: u32,
    /// Frames of any stack, also of one whose action has a larger number.
    pub(crate) most: u32,
    /// Columns that frames are indented by.
    pub(crate) indent: u32,
    /// Whether frames show source file and line, if symbols contain them.
    pub(crate) lines: bool,
    /// Functions inlined into a frame are shown as frames.
    pub inlines: bool,
}

/// How aggregations are sorted and drawn.
#[derive(Clone, Debug, Default)]
pub struct AggOptions {
    /// A bar beside plain values.
    pub(crate) hist: bool,
    /// Histograms on one line.
    pub(crate) pack: bool,
    /// Bars scaled to the tallest bucket.
    pub(crate) zoom: bool,
    /// The drawing style of bars.
    pub(crate) encoding: Encoding,
    /// Sorted by key.
    pub(crate) sort_by_key: bool,
    /// The key that is compared first.
    pub(crate) key_position: u64,
    /// The value that is compared first when several aggregations are shown together.
    pub(crate) position: u64,
    /// Sorted falling.
    pub(crate) falling: bool,
}

/// Options of a run, with the classic defaults. Times are in nanoseconds.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Sizes of strings, buffers and tables.
    pub sizes: Sizes,
    /// Stacks.
    pub stacks: StackOptions,
    /// Aggregations.
    pub aggs: AggOptions,
    /// Rounds that all loops of a clause may make together in one firing.
    pub loopmax: u64,
    /// The traced CPU; `None` for all.
    pub cpu: Option<u32>,
    /// Only what the script itself writes is shown.
    pub quiet: bool,
    /// Errors in clauses print no lines.
    pub noerror: bool,
    /// Entry and return are shown indented.
    pub flowindent: bool,
    /// `trace()` of bytes always dumps them.
    pub rawbytes: bool,
    /// Destructive actions are allowed.
    pub destructive: bool,
    /// A run ends without an answer at the first event that it reads and cannot decode by its own description.
    pub strict: bool,
    /// Records of all CPUs are shown in order of time.
    pub temporal: bool,
    /// Drop messages carry their tags.
    pub droptags: bool,
    /// Bars are coloured, for a terminal; what `freopen()` sends to a file is not.
    pub colour: bool,
    /// Time between two drains.
    pub switchrate: u64,
    /// Time between two snapshots of the aggregations.
    pub aggrate: u64,
    /// Results as JSON, one object a line, in place of text.
    pub json: bool,
    /// Names and strings are printed exactly, with what acts on a terminal.
    pub rawtext: bool,
    /// Values, errors and losses are shown as by Oracle's port.
    pub oracle: bool,
    /// Numbers of processors and probes are left out, so that the output of two runs is the same.
    pub bare: bool,
    /// Seed of `rand()`, so that a run can be repeated.
    pub seed: u64,
    /// The zone of dates.
    pub zone: Zone,
    /// The width of `%?`: 16 for 64-bit programs, 8 for 32-bit ones.
    pub pointer_width: u32,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions::from(&Options::default())
    }
}

impl From<&Options> for RunOptions {
    /// The options of a run among all options, at what was set or at the defaults of the option table.
    fn from(options: &Options) -> RunOptions {
        let mut run = RunOptions {
            sizes: Sizes::default(),
            stacks: StackOptions { most: u32::MAX, ..StackOptions::default() },
            aggs: AggOptions::default(),
            loopmax: 0,
            cpu: None,
            quiet: false,
            noerror: false,
            flowindent: false,
            rawbytes: false,
            destructive: false,
            strict: false,
            temporal: false,
            droptags: false,
            colour: false,
            switchrate: 0,
            aggrate: 0,
            json: false,
            rawtext: false,
            oracle: false,
            bare: false,
            seed: 0x9e37_79b9_7f4a_7c15,
            zone: Zone::UTC,
            pointer_width: 16,
        };
        for spec in TABLE {
            if let Some(value) = options.value(spec.opt) {
                run.apply(spec.opt, &value);
            }
        }
        if run.oracle && !options.is_set(Opt::Ustackframes) {
            run.stacks.user_frames = ORACLE_USER_FRAMES;
        }
        run
    }
}

/// How a picture shows aggregations while they grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The order of the entries.
    pub order: Order,
    /// Counts, sums and histograms show what is added in a second.
    pub rates: bool,
}

/// The order of the entries of an aggregation in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As at the end of the run.
    #[default]
    Asked,
    /// The largest values first.
    Largest,
    /// By keys.
    Keys,
}

impl RunOptions {
    /// Returns `true` if names and strings are put out exactly: as JSON, which escapes by its own rule, or on request.
    pub(crate) fn is_exact(&self) -> bool {
        self.json || self.rawtext
    }

    /// Sets an option by name, before the run. Options that are the compiler's alone change nothing here.
    ///
    /// # Errors
    /// There is no such option, or the value does not suit it.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        self.assign(name, value, Setter::CommandLine)
    }

    /// Sets an option by name in the midst of a run (`setopt()`).
    ///
    /// # Errors
    /// As [`RunOptions::set`]; nor can options that only the start of a run reads be set.
    pub fn set_live(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        self.assign(name, value, Setter::Running)
    }

    fn assign(&mut self, name: &str, value: Option<&str>, setter: Setter) -> Result<(), OptionError> {
        let (spec, value) = tracewell_dlang::options::parse_setting(name, value, setter)?;
        self.apply(spec.opt, &value);
        Ok(())
    }

    /// Takes over the value of an option that a run reads. The table has seen to it that the value is of
    /// the option's kind.
    fn apply(&mut self, opt: Opt, value: &Value) {
        match (opt, value) {
            (Opt::Strsize, Value::Size(n)) => self.sizes.strsize = *n,
            (Opt::Bufsize, Value::Size(n)) => self.sizes.bufsize = *n,
            (Opt::Aggsize, Value::Size(n)) => self.sizes.aggsize = *n,
            (Opt::Dynvarsize, Value::Size(n)) => self.sizes.dynvarsize = *n,
            (Opt::Specsize, Value::Size(n)) => self.sizes.specsize = *n,
            (Opt::Loopmax, Value::Int(n)) => self.loopmax = *n,
            (Opt::Nspec, Value::Int(n)) => self.sizes.nspec = *n,
            (Opt::Aggsortpos, Value::Int(n)) => self.aggs.position = *n,
            (Opt::Aggsortkeypos, Value::Int(n)) => self.aggs.key_position = *n,
            (Opt::Stackframes, Value::Int(n)) => self.stacks.frames = narrow(*n),
            (Opt::Ustackframes, Value::Int(n)) => self.stacks.user_frames = narrow(*n),
            (Opt::Cpu, Value::Int(n)) => self.cpu = Some(narrow(*n)),
            (Opt::Maxframes, Value::Int(n)) => self.stacks.most = narrow(*n),
            (Opt::Stackindent, Value::Int(n)) => self.stacks.indent = narrow(*n),
            (Opt::Stacklines, Value::Flag(on)) => self.stacks.lines = *on,
            (Opt::Stackinlines, Value::Flag(on)) => self.stacks.inlines = *on,
            (Opt::Quiet, Value::Flag(on)) => self.quiet = *on,
            (Opt::Noerror, Value::Flag(on)) => self.noerror = *on,
            (Opt::Rawtext, Value::Flag(on)) => self.rawtext = *on,
            (Opt::Flowindent, Value::Flag(on)) => self.flowindent = *on,
            (Opt::Rawbytes, Value::Flag(on)) => self.rawbytes = *on,
            (Opt::Destructive, Value::Flag(on)) => self.destructive = *on,
            (Opt::Strict, Value::Flag(on)) => self.strict = *on,
            (Opt::Temporal, Value::Flag(on)) => self.temporal = *on,
            (Opt::Droptags, Value::Flag(on)) => self.droptags = *on,
            (Opt::Agghist, Value::Flag(on)) => self.aggs.hist = *on,
            (Opt::Aggpack, Value::Flag(on)) => self.aggs.pack = *on,
            (Opt::Aggzoom, Value::Flag(on)) => self.aggs.zoom = *on,
            (Opt::Aggsortkey, Value::Flag(on)) => self.aggs.sort_by_key = *on,
            (Opt::Aggsortrev, Value::Flag(on)) => self.aggs.falling = *on,
            (Opt::Switchrate, Value::Rate(ns)) => self.switchrate = *ns,
            (Opt::Aggrate, Value::Rate(ns)) => self.aggrate = *ns,
            (Opt::Bufresize, Value::Text(word)) => self.sizes.bufresize_manual = word == "manual",
            (Opt::Dialect, Value::Text(word)) => self.oracle = word == "oracle",
            (Opt::Encoding, Value::Text(word)) => {
                self.aggs.encoding = if word == "utf8" { Encoding::Utf8 } else { Encoding::Ascii };
            }
            (Opt::Bufpolicy, Value::Text(word)) => {
                self.sizes.bufpolicy = match word.as_str() {
                    "fill" => BufPolicy::Fill,
                    "ring" => BufPolicy::Ring,
                    _ => BufPolicy::Switch,
                };
            }
            _ => {}
        }
    }
}

/// Frames of `ustack()` in Oracle's port, unless an option says otherwise.
const ORACLE_USER_FRAMES: u32 = 100;

/// A number of frames or columns; more than the type holds is as good as its largest.
fn narrow(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_kinds() {
        let mut o = RunOptions::default();
        for (name, value) in [
            ("bufsize", Some("64k")),
            ("bufpolicy", Some("ring")),
            ("quiet", None),
            ("temporal", Some("Off")),
            ("switchrate", Some("10hz")),
            ("aggrate", Some("5ms")),
        ] {
            o.set(name, value).unwrap();
        }
        assert_eq!(
            (o.sizes.bufsize, o.sizes.bufpolicy, o.quiet, o.temporal),
            (65536, BufPolicy::Ring, true, false)
        );
        assert_eq!((o.switchrate, o.aggrate), (100_000_000, 5_000_000));
        assert!(matches!(o.set("bufsize", Some("-1")), Err(OptionError::BadValue { .. })));
        assert!(matches!(o.set("bufsize", Some("99999999999t")), Err(OptionError::BadValue { .. })));
        assert!(matches!(o.set("nosuch", None), Err(OptionError::Unknown { .. })));
        assert!(matches!(o.set_live("bufsize", Some("1k")), Err(OptionError::NotHere { .. })));
        o.set_live("quiet", Some("no")).unwrap();
        assert!(!o.quiet);
    }

    #[test]
    fn issue_17_the_frames_of_a_stack_follow_the_dialect_and_their_options() {
        for (settings, expected) in [
            (&[][..], (20, u32::MAX)),
            (&[("dialect", "oracle")], (100, u32::MAX)),
            (&[("dialect", "oracle"), ("ustackframes", "7")], (7, u32::MAX)),
            (&[("maxframes", "5")], (20, 5)),
        ] {
            let mut options = Options::default();
            for (name, value) in settings {
                options.set(name, Some(value), Setter::CommandLine).unwrap();
            }
            let run = RunOptions::from(&options);
            assert_eq!((run.stacks.user_frames, run.stacks.most), expected, "{settings:?}");
        }
    }
}
