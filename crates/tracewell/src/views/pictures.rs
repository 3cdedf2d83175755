//! Aggregations as pictures: those keyed by stacks as folded stacks, histograms keyed by time as a heat map.

use std::rc::Rc;

use tracewell_dengine::{AggValue, Engine, Value};
use tracewell_dlang::program::{AggFunc, Repr, StackPart, SymbolKind, TimeKey};
pub use tracewell_export::Kind;
use tracewell_export::{Folded, Frame, HeatMap};
use tracewell_symbols::{Code, Symbols};

/// The frame in a picture for results without a stack.
const NO_STACK: &str = "[no stack]";

/// The frame in a picture for unknown code.
const UNKNOWN: &str = "[unknown]";

/// The stacks of one aggregation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Drawn {
    /// The stacks, without idle processors if [`Engine::keep_busy`] was called.
    pub folded: Folded,
    /// The weight of idle processors that is left out, and what has any; of counts and sums only.
    pub idle: (u64, u64),
    /// What is counted, where it is known.
    pub unit: &'static str,
    /// How much of the weight has a stack of as many frames as are kept at most, and what has any.
    pub cut: (u64, u64),
    /// Names of further aggregations keyed by stacks.
    pub others: Vec<String>,
}

/// The stacks of the first aggregation that is keyed by any, with what was aggregated for them.
/// With `inlines` also the functions that were inlined into a frame are frames.
#[must_use]
pub fn fold(engine: &Engine, symbols: &Symbols<'_>, inlines: bool) -> Drawn {
    let mut drawn = Drawn { folded: Folded::new(), unit: "", idle: (0, 0), cut: (0, 0), others: Vec::new() };
    let mut first: Option<&str> = None;
    for entry in engine.results() {
        if !entry.aggregation.keys.iter().any(|repr| matches!(repr, Repr::Stack { .. })) {
            continue;
        }
        let AggValue::Number(weight) = entry.value() else { continue };
        let name = entry.aggregation.name.as_str();
        if *first.get_or_insert(name) != name {
            if drawn.others.last().is_none_or(|last| last != name) {
                drawn.others.push(name.to_owned());
            }
            continue;
        }
        if entry.aggregation.func == AggFunc::Count {
            drawn.unit = "events";
        }
        let whole = u64::try_from(weight).unwrap_or(0);
        let weight = match entry.busy() {
            Some(AggValue::Number(busy)) => u64::try_from(busy).unwrap_or(0),
            _ => whole,
        };
        if matches!(entry.aggregation.func, AggFunc::Count | AggFunc::Sum) {
            let (idle, all) = drawn.idle;
            drawn.idle = (idle + whole.saturating_sub(weight), all + whole);
        }
        if weight == 0 {
            continue;
        }
        let keys = entry.keys();
        let deepest = entry.aggregation.keys.iter().zip(&keys).any(|(repr, key)| match (repr, key) {
            (Repr::Stack { part, frames, .. }, Value::Stack { .. }) => {
                let options = engine.options();
                let most = match (frames, part) {
                    (0, StackPart::User) => options.stacks.user_frames,
                    (0, StackPart::Kernel) => options.stacks.frames,
                    (0, StackPart::Whole) => options.stacks.frames.saturating_add(options.stacks.user_frames),
                    (n, _) => *n,
                };
                key.frames().count() >= most as usize
            }
            _ => false,
        });
        drawn.cut = (drawn.cut.0 + if deepest { weight } else { 0 }, drawn.cut.1 + weight);
        let mut frames = Vec::new();
        // What is no stack names the root; a user stack calls the kernel's. callstack() has both in the order of the calls.
        for key in &keys {
            match key {
                Value::Str(text) => frames.push(Frame::new(String::from_utf8_lossy(text), Kind::Group)),
                Value::Int { value, .. } => frames.push(Frame::new((*value as i64).to_string(), Kind::Group)),
                Value::Symbol { kind, pid, address } => {
                    let pid = pid.map_or(Some(0), |pid| u32::try_from(pid).ok());
                    frames.push(match place(symbols, pid, *address, false) {
                        Place::Function(module, ..) if matches!(kind, SymbolKind::Mod | SymbolKind::UMod) => {
                            Frame::new(&*module, Kind::Group)
                        }
                        place => Frame { kind: Kind::Group, ..place.shown() },
                    });
                }
                _ => {}
            }
        }
        let above = frames.len();
        for user in [true, false] {
            for key in keys.iter().filter(|k| matches!(k, Value::Stack { pid, .. } if pid.is_some() == user))
            {
                let Value::Stack { pid, .. } = key else { continue };
                let pid = pid.map_or(Some(0), |pid| u32::try_from(pid).ok());
                let start = frames.len();
                for (depth, address) in key.frames().enumerate() {
                    let called = depth > 0;
                    let own = place(symbols, pid, address, called);
                    if let (true, Some(pid), Place::Function(module, _, kind)) = (inlines, pid, &own) {
                        let source = symbols.frames(pid, address, i64::MAX, called);
                        let inlined = source.iter().filter(|frame| frame.inlined);
                        frames.extend(
                            inlined.map(|frame| Frame::new(format!("{module}`{}", frame.function), *kind)),
                        );
                    }
                    let (goes_on, own) = (own.is_vague(), own.shown());
                    if !(goes_on && frames.len() > start && frames.last() == Some(&own)) {
                        frames.push(own);
                    }
                }
                if let Some(part) = frames.get_mut(start..) {
                    part.reverse();
                }
            }
        }
        if frames.len() == above {
            frames.push(Frame::new(NO_STACK, Kind::Unknown));
        }
        drawn.folded.add(frames, weight);
    }
    drawn
}

/// The frame of an address in a picture. It has no offset, because offsets would split one box into
/// many.
enum Place {
    /// A module's function.
    Function(Rc<str>, Rc<str>, Kind),
    /// A module of which no function is known.
    Module(Rc<str>, Kind),
    /// No module is known either.
    Unknown,
    /// An address that is to stay one.
    Address(u64),
}

impl Place {
    /// Returns `true` if many functions have this frame; adjacent ones in a stack are then merged.
    fn is_vague(&self) -> bool {
        matches!(self, Place::Module(..) | Place::Unknown)
    }

    fn shown(self) -> Frame {
        match self {
            Place::Function(module, function, kind) => Frame::new(format!("{module}`{function}"), kind),
            Place::Module(module, kind) => Frame::new(&*module, kind),
            Place::Unknown => Frame::new(UNKNOWN, Kind::Unknown),
            Place::Address(address) => Frame::new(format!("0x{address:x}"), Kind::Unknown),
        }
    }
}

/// The kind of a frame of that code.
#[must_use]
pub fn kind(code: Code) -> Kind {
    match code {
        Code::Kernel => Kind::Kernel,
        Code::Native => Kind::Native,
        Code::Managed => Kind::Managed,
    }
}

fn place(symbols: &Symbols<'_>, pid: Option<u32>, address: u64, called: bool) -> Place {
    if symbols.is_plain() {
        return Place::Address(address);
    }
    let locate = |pid| {
        if called {
            symbols.locate_return(pid, address, i64::MAX)
        } else {
            symbols.locate(pid, address, i64::MAX)
        }
    };
    match pid.and_then(locate) {
        Some(found) => {
            let kind = kind(found.code);
            match found.symbol {
                Some(symbol) => Place::Function(found.module, symbol, kind),
                None => Place::Module(found.module, kind),
            }
        }
        None => Place::Unknown,
    }
}

/// The histograms of the first aggregation that is keyed by a number, which is treated as the time; rows with
/// additional keys are merged. With them comes the name of the aggregation, which is the unit of the
/// values (`value` if it has none), and which key is a time.
#[must_use]
pub fn heat(engine: &Engine) -> Option<(String, HeatMap, Option<TimeKey>)> {
    let mut found: Option<(String, HeatMap, Option<TimeKey>)> = None;
    for entry in engine.results() {
        let AggValue::Buckets(buckets) = entry.value() else { continue };
        let name = match entry.aggregation.name.as_str() {
            "_" => "value".to_owned(),
            name => name.to_owned(),
        };
        if found.as_ref().is_some_and(|(known, ..)| *known != name) {
            continue;
        }
        let keys = entry.keys();
        let number = |key: &Value<'_>| match key {
            Value::Int { value, .. } => Some(*value as i64),
            _ => None,
        };
        // The key that is a time; where the program does not show one, the first number.
        let clock = entry.aggregation.time;
        let time = match clock {
            Some(clock) => keys.get(clock.key).and_then(number),
            None => keys.iter().find_map(number),
        };
        let Some(time) = time else { continue };
        let doubled = entry.aggregation.func == AggFunc::Quantize;
        let (_, map, _) = found.get_or_insert_with(|| (name, HeatMap::new(), clock));
        if doubled {
            map.double_rows();
        }
        for (label, count) in buckets {
            if let Some(bucket) = bucket_start(&label) {
                map.add(time, bucket, u64::try_from(count).unwrap_or(0));
            }
        }
    }
    found
}

/// The number of a bucket's label; the bucket below all others is placed below the first.
fn bucket_start(label: &str) -> Option<i64> {
    match label.strip_prefix("< ") {
        Some(first) => Some(first.parse::<i64>().ok()?.saturating_sub(1)),
        None => label.trim_start_matches(">= ").parse().ok(),
    }
}
