//! The modules and functions that stacks lead through.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell::views::pictures::{Kind, kind};
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::collect::pass::frames_of;
use crate::collect::samples::{FirstSeen, NONE};
use crate::people::People;

/// A function, or an address of a module without symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function {
    /// The module's file name in lower case, without extension; empty if no module has the address.
    pub module: String,
    /// The function, or the address in the module as `0x1c379`.
    pub name: String,
    /// Whether it is code of the kernel.
    pub is_kernel: bool,
    /// The kind of code, where the module is known.
    pub kind: Kind,
}

impl Function {
    /// Module and function, as in `ntoskrnl!KeWaitForSingleObject`.
    #[must_use]
    pub fn full_name(&self) -> String {
        match self.module.is_empty() {
            true => self.name.clone(),
            false => format!("{}!{}", self.module, self.name),
        }
    }
}

/// Finds the functions of stacks, each address once.
pub struct Places<'a, 't> {
    activity: &'a Activity<'t>,
    symbols: Vec<&'a Symbols<'a>>,
    /// Every function that was met.
    pub functions: Vec<Function>,
    numbers: FxHashMap<Function, u32>,
    /// Stacks that records carry.
    carried: &'a [Vec<u64>],
    /// By machine, process (0 for the kernel), address, and whether a call returns to it.
    known: FxHashMap<(usize, u32, u64, bool), u32>,
}

impl<'a, 't> Places<'a, 't> {
    /// Knows no function yet. `symbols` are those of each machine of the activity.
    #[must_use]
    pub fn new(activity: &'a Activity<'t>, symbols: &'a [Symbols<'a>]) -> Places<'a, 't> {
        let symbols = symbols.iter().collect();
        Places {
            activity,
            symbols,
            functions: Vec::new(),
            numbers: FxHashMap::default(),
            carried: &activity.carried,
            known: FxHashMap::default(),
        }
    }

    /// The same, for stacks that another pass found in records.
    pub(crate) fn with_carried(self, carried: &'a [Vec<u64>]) -> Places<'a, 't> {
        Places { carried, ..self }
    }

    /// The functions of a stack by number, innermost first. Without a stack it is the function of the address.
    pub fn stack(&mut self, stack: &FirstSeen, into: &mut Vec<u32>) {
        let activity = self.activity;
        self.stack_of(&activity.collected.people, stack, into);
    }

    /// The same, where the processes are those of another pass.
    pub(crate) fn stack_of(&mut self, people: &People, stack: &FirstSeen, into: &mut Vec<u32>) {
        into.clear();
        let (stack, time, trace) = stack;
        let pid = people.processes.get(stack.process as usize).map_or(0, |process| process.pid);
        let Some(halves) = stack.halves else {
            into.push(self.function(*trace, pid, stack.address, *time, false));
            return;
        };
        let (stacks, carried) = (&self.activity.survey.stacks, self.carried);
        let frames =
            halves.iter().filter(|half| **half != NONE).flat_map(|half| frames_of(stacks, carried, *half));
        for (at, &address) in frames.enumerate() {
            into.push(self.function(*trace, pid, address, *time, at > 0));
        }
    }

    /// The number of the function at an address.
    fn function(&mut self, trace: usize, pid: u32, address: u64, time: i64, is_return: bool) -> u32 {
        let narrow = self.activity.traces.get(trace).is_some_and(|trace| trace.header().pointer_size == 4);
        // A session of a 32-bit program on a 64-bit system has wide addresses in the kernel all the same.
        let is_kernel =
            address > if narrow && address <= u64::from(u32::MAX) { 0x7fff_ffff } else { 0x7fff_fffe_ffff };
        let side = if self.symbols.len() == 1 { 0 } else { trace };
        let key = (side, if is_kernel { 0 } else { pid }, address, is_return);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let symbols = self.symbols.get(side);
        let located = symbols.and_then(|symbols| match is_return {
            true => symbols.locate_return(key.1, address, time),
            false => symbols.locate(key.1, address, time),
        });
        let function = match located {
            Some(place) => Function {
                module: place.module.to_string(),
                name: place
                    .symbol
                    .as_ref()
                    .map_or_else(|| format!("0x{:x}", place.offset), ToString::to_string),
                is_kernel,
                kind: kind(place.code),
            },
            None => Function {
                module: String::new(),
                name: format!("0x{address:x}"),
                is_kernel,
                kind: Kind::Unknown,
            },
        };
        let number = match self.numbers.get(&function) {
            Some(&known) => known,
            None => {
                self.functions.push(function.clone());
                let number = self.functions.len() as u32 - 1;
                self.numbers.insert(function, number);
                number
            }
        };
        self.known.insert(key, number);
        number
    }

    /// The function with a number.
    #[must_use]
    pub fn get(&self, number: u32) -> &Function {
        &self.functions[number as usize]
    }

    /// Module and offset of an address of the kernel, as in `ndis+0x1234`.
    #[must_use]
    pub fn routine(&self, address: u64) -> String {
        let found = self.symbols.first().and_then(|symbols| symbols.locate(0, address, i64::MAX - 1));
        match found {
            Some(place) => place.module.to_string(),
            None => format!("0x{address:x}"),
        }
    }
}

/// Samples of one thread by module.
#[derive(Clone, Debug, Default)]
pub struct ByModule {
    /// Samples.
    pub samples: u64,
    /// Samples without a frame of the program itself.
    pub without_stack: u64,
    /// Samples with the module anywhere on the stack, the most first.
    pub inclusive: Vec<(String, u64)>,
    /// Samples that interrupted the module, the most first.
    pub exclusive: Vec<(String, u64)>,
    /// The address that most samples interrupted.
    pub hottest: Option<(String, u64)>,
    /// The functions that at least half of the samples lead through, the most first; of those with the same samples, the innermost.
    pub through: Vec<(String, u64)>,
    /// Samples in the kernel.
    pub kernel: u64,
    /// The modules that called or were interrupted by the kernel in these, the most first.
    pub kernel_from: Vec<(String, u64)>,
    /// The place at which most samples entered the kernel, with the modules that they came from.
    pub entry: Option<Entry>,
}

/// A way into the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The outermost frame in the kernel.
    pub place: String,
    /// Samples that came this way.
    pub samples: u64,
    /// The modules that this happened in, the most first.
    pub from: Vec<(String, u64)>,
}

fn sorted(sums: FxHashMap<String, u64>) -> Vec<(String, u64)> {
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows
}

/// Samples that lead through a function, and the sum of the calls that it was away from where they interrupted the thread.
#[derive(Clone, Copy, Debug, Default)]
struct Passed {
    samples: u64,
    away: u64,
}

/// The functions that at least half of all samples lead through, from the outside to the inside.
fn path(places: &Places<'_, '_>, passed: FxHashMap<u32, Passed>, all: u64) -> Vec<(String, u64)> {
    let mut rows: Vec<(u32, Passed)> =
        passed.into_iter().filter(|(_, of)| of.samples.saturating_mul(2) >= all).collect();
    rows.sort_by_key(|(number, of)| (std::cmp::Reverse(of.samples), of.away, *number));
    rows.dedup_by_key(|(_, of)| of.samples);
    rows.into_iter().map(|(number, of)| (places.get(number).full_name(), of.samples)).collect()
}

/// The samples of a thread by module.
#[must_use]
pub fn by_module(places: &mut Places<'_, '_>, thread: u32) -> ByModule {
    let activity = places.activity;
    let mut sums: FxHashMap<u32, u64> = FxHashMap::default();
    for ((_, (of, stack)), count) in &activity.collected.samples.slots.cells {
        if *of == thread {
            *sums.entry(*stack).or_default() += count;
        }
    }
    let mut found = ByModule::default();
    let (mut inclusive, mut exclusive, mut kernel_from) =
        (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
    let (mut hottest, mut entries) =
        (FxHashMap::default(), FxHashMap::<String, FxHashMap<String, u64>>::default());
    let mut stack = Vec::new();
    let (mut passed, mut seen) = (FxHashMap::<u32, Passed>::default(), FxHashSet::default());
    for (number, count) in sums {
        let Some(known) = activity.collected.samples.stacks.get(number) else { continue };
        places.stack(known, &mut stack);
        found.samples += count;
        seen.clear();
        for (away, number) in (0..).zip(&stack).filter(|(_, number)| seen.insert(**number)) {
            let of = passed.entry(*number).or_default();
            of.samples += count;
            of.away = of.away.saturating_add(count.saturating_mul(away));
        }
        let has_program =
            known.0.halves.is_some() && stack.iter().any(|number| !places.get(*number).is_kernel);
        found.without_stack += if has_program { 0 } else { count };
        let Some(&innermost) = stack.first() else { continue };
        let inner = places.get(innermost);
        *exclusive.entry(inner.module.clone()).or_default() += count;
        *hottest.entry(address(places, known)).or_default() += count;
        let mut modules: Vec<&str> = stack.iter().map(|number| places.get(*number).module.as_str()).collect();
        modules.sort_unstable();
        modules.dedup();
        for module in modules {
            *inclusive.entry(module.to_owned()).or_default() += count;
        }
        if inner.is_kernel {
            found.kernel += count;
            let kernel = stack.iter().take_while(|number| places.get(**number).is_kernel).count();
            if let (Some(outer), Some(user)) =
                (kernel.checked_sub(1).and_then(|at| stack.get(at)), stack.get(kernel))
            {
                let from = places.get(*user).module.clone();
                *kernel_from.entry(from.clone()).or_default() += count;
                *entries.entry(places.get(*outer).full_name()).or_default().entry(from).or_default() += count;
            }
        }
    }
    found.through = path(places, passed, found.samples);
    found.inclusive = sorted(inclusive);
    found.exclusive = sorted(exclusive);
    found.kernel_from = sorted(kernel_from);
    found.hottest = sorted(hottest).into_iter().next();
    let entries = entries.into_iter().map(|(place, from)| Entry {
        place,
        samples: from.values().sum(),
        from: sorted(from),
    });
    found.entry = entries.max_by(|a, b| a.samples.cmp(&b.samples).then_with(|| b.place.cmp(&a.place)));
    found
}

/// The interrupted address as module and offset.
fn address(places: &Places<'_, '_>, (stack, time, trace): &FirstSeen) -> String {
    let side = if places.symbols.len() == 1 { 0 } else { *trace };
    let pid = places
        .activity
        .collected
        .people
        .processes
        .get(stack.process as usize)
        .map_or(0, |process| process.pid);
    match places.symbols.get(side).and_then(|symbols| symbols.locate(pid, stack.address, *time)) {
        Some(place) => format!("{}+0x{:x}", place.module, place.offset),
        None => format!("0x{:x}", stack.address),
    }
}
