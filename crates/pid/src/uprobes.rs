//! Linux: the kernel watches functions (uprobes).

use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_kernel_linux::Gate;
use tracewell_kernel_linux::uprobe::{self, Doing, FRAMES, Hit, Place, RESULT_REGISTER, When};
use tracewell_types::deed::{self, Steps};
use tracewell_types::hit;
use tracewell_types::operand::Operand;

use crate::mechanism::{Caller, Capture, Hits, Mapped, Mechanism, Watch};

/// What is done with the hits of a place.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Fires a probe.
    Fire { probe: u32, when: When, return_offset: Option<u64>, caller: Caller },
    /// The watched program begins: what came before was the shell that started it.
    Begin,
}

/// The uprobes of one process.
#[derive(Debug)]
pub struct Uprobes {
    uprobes: uprobe::Uprobes,
    tasks: Vec<Task>,
    /// Hits count: the program has begun.
    begun: bool,
    /// The kernel recognizes functions that have not saved the frame pointer yet.
    walks_callers: bool,
    payload: Vec<u8>,
    stack: Vec<u8>,
    pid: u32,
    follows: bool,
    mappings: Option<uprobe::Mappings>,
    refused: Vec<String>,
    /// What lets deeds through.
    gate: Option<Gate>,
}

impl Uprobes {
    /// Watches a process. `release` is that of the kernel.
    ///
    /// # Errors
    /// The line for the user: missing rights, or a kernel that is too old.
    pub fn new(pid: u32, capture: Capture, release: &str) -> Result<Uprobes, String> {
        let Capture { bare, stacks, memory, reaches, follows, deeds, .. } = capture;
        let uprobes =
            uprobe::Uprobes::new(pid, uprobe::Capture { bare, stacks, memory, reaches, follows, deeds })
                .map_err(|error| {
                    error.to_string().replace("Kernel events need", "Probes on functions need")
                })?;
        let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|n| n.parse::<u32>().ok());
        let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        Ok(Uprobes {
            uprobes,
            tasks: Vec::new(),
            begun: true,
            walks_callers: version >= (6, 11),
            payload: Vec::new(),
            stack: Vec::new(),
            pid,
            follows,
            // Without them only what is mapped when the process is first looked at has names.
            mappings: uprobe::Mappings::new().ok(),
            refused: Vec::new(),
            gate: None,
        })
    }

    /// Allows the deeds of probes. `begun` says that the watched program runs already; nothing is done to `own`. If they cannot be
    /// prepared, the reader does them.
    pub fn allow_deeds(&mut self, begun: bool, own: u32) {
        self.gate = self.uprobes.allow_deeds(begun, own).ok();
    }

    /// Hands out no hits before the process reaches an instruction of a file: the shell that starts a command has the same
    /// number, and runs functions of the same libraries.
    ///
    /// # Errors
    /// As [`Uprobes::watch`].
    pub fn begin_at(&mut self, file: &Path, offset: u64) -> Result<(), String> {
        self.begun = false;
        let place = Place { offset, counter: 0, cookie: self.tasks.len() as u64 };
        self.tasks.push(Task::Begin);
        self.attach(file, (When::Before, &Doing { begins: true, ..Doing::default() }), &[place])
    }

    /// Begins to watch places.
    ///
    /// # Errors
    /// The line for the user: what cannot be watched, why, and what to do.
    pub fn watch(&mut self, watches: &[Watch]) -> Result<(), String> {
        // Places of a file whose arguments are at the same places are attached at once.
        type Group = (PathBuf, bool, Option<Rc<[Operand]>>, Rc<[Steps]>, Option<u64>);
        let mut files: Vec<(Group, Vec<Place>)> = Vec::new();
        let mut places: FxHashMap<Group, usize> = FxHashMap::default();
        for watch in watches {
            if watch.unfit {
                self.refused.push(name_of_place(&watch.file, watch.offset));
                continue;
            }
            let return_offset = watch.return_offset.filter(|_| !watch.deeds.is_empty());
            let key = (
                watch.file.clone(),
                watch.returns,
                watch.operands.clone(),
                Rc::clone(&watch.deeds),
                return_offset,
            );
            let at = *places.entry(key.clone()).or_insert_with(|| {
                files.push((key, Vec::new()));
                files.len() - 1
            });
            let cookie = self.tasks.len() as u64;
            self.tasks.push(Task::Fire {
                probe: watch.probe,
                when: if watch.returns { When::Return } else { When::Before },
                return_offset: watch.return_offset,
                caller: watch.caller,
            });
            if let Some((_, list)) = files.get_mut(at) {
                list.push(Place { offset: watch.offset, counter: watch.counter, cookie });
            }
        }
        for ((file, returns, operands, deeds, return_offset), places) in files {
            let when = if returns { When::Return } else { When::Before };
            let doing = Doing {
                operands: operands.as_deref().map(<[Operand]>::to_vec),
                deeds: deeds.to_vec(),
                return_offset,
                begins: false,
            };
            self.attach(&file, (when, &doing), &places)?;
        }
        Ok(())
    }

    fn attach(&mut self, file: &Path, (when, doing): (When, &Doing), places: &[Place]) -> Result<(), String> {
        let mut allowed = Vec::new();
        self.choose(file, when, places, &mut allowed);
        self.attach_allowed(file, (when, doing), &allowed)
    }

    /// The places on which the kernel allows a breakpoint. In a process that maps the file later it would refuse without a report,
    /// and the probe would never fire.
    fn choose(&mut self, file: &Path, when: When, places: &[Place], allowed: &mut Vec<Place>) {
        match self.uprobes.try_places(file, when, places) {
            Err(error) if is_refusal(&error) => match places {
                [place] => self.refused.push(name_of_place(file, place.offset)),
                _ => {
                    let (first, second) = places.split_at(places.len() / 2);
                    self.choose(file, when, first, allowed);
                    self.choose(file, when, second, allowed);
                }
            },
            // Where it cannot be tried, the watched process decides.
            _ => allowed.extend_from_slice(places),
        }
    }

    fn attach_allowed(
        &mut self,
        file: &Path,
        (when, doing): (When, &Doing),
        places: &[Place],
    ) -> Result<(), String> {
        let attached = self.uprobes.attach_doing(file, (when, doing), places);
        let Err(error) = attached else { return Ok(()) };
        // One instruction that the kernel does not allow a breakpoint on, or that it does not know, makes all fail: those that it
        // allows are kept.
        if is_refusal(&error) {
            if let [place] = places {
                self.refused.push(name_of_place(file, place.offset));
                return Ok(());
            }
            let (first, second) = places.split_at(places.len() / 2);
            self.attach_allowed(file, (when, doing), first)?;
            return self.attach_allowed(file, (when, doing), second);
        }
        Err({
            let hint = match error.kind() {
                std::io::ErrorKind::PermissionDenied => {
                    "; probes on functions need root, or the capabilities CAP_BPF and CAP_PERFMON"
                }
                std::io::ErrorKind::NotFound => "; the file or the process is gone",
                _ => "; the kernel may not allow a breakpoint on one of the instructions",
            };
            format!("cannot watch {} places of {}: {error}{hint}", places.len(), file.display())
        })
    }
}

/// Returns `true` if the kernel does not allow a breakpoint on an instruction, or does not know it.
fn is_refusal(error: &std::io::Error) -> bool {
    const UNSUPPORTED: i32 = 524;
    const NOT_KNOWN: i32 = 8;
    matches!(error.raw_os_error(), Some(UNSUPPORTED | NOT_KNOWN))
}

/// A place, for messages.
fn name_of_place(file: &Path, offset: u64) -> String {
    format!("{}+{offset:#x}", file.display())
}

impl Mechanism for Uprobes {
    fn take(&mut self, hits: &mut Hits, raw: &mut dyn FnMut(i64) -> i64) {
        let Uprobes { uprobes, tasks, begun, walks_callers, payload, stack, .. } = self;
        uprobes.read(|hit| match usize::try_from(hit.cookie()).ok().and_then(|cookie| tasks.get(cookie)) {
            Some(Task::Begin) => *begun = true,
            Some(task) if *begun => {
                let time = raw(hit.time().cast_signed());
                record((&hit, time), *task, *walks_callers, (payload, stack), hits);
            }
            _ => {}
        });
        hits.sort();
    }

    fn mapped(&mut self) -> Vec<Mapped> {
        let mut images = Vec::new();
        let Some(mappings) = &mut self.mappings else { return images };
        mappings.read(|time, pid, base, size, path| {
            if pid == self.pid || self.follows {
                images.push(Mapped { pid, image: (base, size, path.to_owned()), time });
            }
        });
        images
    }

    fn watch_later(&mut self, watches: &[Watch]) -> Result<(), String> {
        self.watch(watches)
    }

    fn refused(&self) -> &[String] {
        &self.refused
    }

    fn opening(&self) -> Option<Box<dyn Fn()>> {
        let gate = self.gate.clone()?;
        Some(Box::new(move || gate.open()))
    }

    fn end(&mut self) {
        self.uprobes.detach();
    }

    fn lost(&self) -> u64 {
        self.uprobes.lost()
    }

    fn closing(&self) -> Vec<String> {
        let missed = self.uprobes.missed();
        let line = || format!("dtrace: {missed} processes could not be followed: there were too many");
        (missed > 0).then(line).into_iter().collect()
    }
}

/// Appends the record of a hit.
fn record(
    (hit, time): (&Hit<'_>, i64),
    task: Task,
    walks_callers: bool,
    (payload, stack): (&mut Vec<u8>, &mut Vec<u8>),
    hits: &mut Hits,
) {
    let Task::Fire { probe, when, return_offset, caller } = task else { return };
    let registers = hit.registers();
    let mut arguments = hit.arguments();
    if let Some(offset) = return_offset {
        arguments.fill(0);
        arguments[0] = offset;
        arguments[1] = registers[RESULT_REGISTER];
    }
    payload.clear();
    let done = hit.done().map(|done| done.0.to_le_bytes());
    let done = done.iter().map(|bytes| (deed::ADDRESS, &bytes[..]));
    hit::write(probe, &arguments, &registers, hit.memory(when).chain(done), payload);
    stack.clear();
    // What matches the stack to its event: the event itself carries it.
    stack.extend(0_u64.to_le_bytes());
    let on_top = match caller {
        Caller::InFrame => false,
        Caller::OnTop => true,
        Caller::OnTopRecognized => !walks_callers,
    };
    frames(hit, on_top && when == When::Before, |frame| {
        stack.extend(frame.to_le_bytes());
    });
    let (pid, tid) = hit.thread();
    hits.push_hit((time, hit.cpu()), (pid, tid), (0, payload), stack);
}

/// The frames of a hit. The frame pointer may not name the caller yet: then its address is on top of the stack.
fn frames(hit: &Hit<'_>, on_top: bool, mut each: impl FnMut(u64)) {
    let mut walked = hit.frames();
    let Some(first) = walked.next() else { return };
    each(first);
    if on_top {
        each(hit.top());
    }
    let rest = FRAMES - if on_top { 2 } else { 1 };
    walked.take(rest).for_each(each);
}
