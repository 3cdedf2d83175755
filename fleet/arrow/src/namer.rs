//! Names of addresses and texts of stacks, for callers in several threads.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use tracewell::events::event::Places;
use tracewell::open::InputError;
use tracewell_types::visible::{Keep, escape};

use crate::derived::Walks;
use crate::source::Source;

/// What a [`Namer`] is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// The text of a stack with this number: a line for each frame, the innermost first.
    Stack(u32),
    /// The name of an address.
    Address {
        /// The process id.
        pid: u32,
        /// The address.
        address: u64,
        /// Nanoseconds since 1970.
        time: i64,
    },
}

/// The answers in the order of their questions, or why there are none.
type Answers = Result<Vec<Option<String>>, String>;

/// Questions, and where the answers go.
struct Job(Vec<Question>, Sender<Answers>);

/// Describes addresses and stacks of a trace. Its thread keeps the names that were found; it ends with this value.
#[derive(Debug)]
pub struct Namer {
    jobs: Mutex<Sender<Job>>,
}

impl Namer {
    /// Reads what the trace has about addresses.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn new(source: Arc<Source>) -> Result<Namer, InputError> {
        source.machine()?;
        source.plain()?;
        let (sender, jobs) = channel();
        std::thread::spawn(move || answer(&source, &jobs));
        Ok(Namer { jobs: Mutex::new(sender) })
    }

    /// The answers, in the order of the questions. [`None`] for a stack that the trace does not have, and for an address in no
    /// image.
    ///
    /// # Errors
    /// The stacks of the trace cannot be read, or the thread has ended: why, for the user.
    pub fn ask(&self, questions: Vec<Question>) -> Answers {
        let (sender, answers) = channel();
        let sent = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).send(Job(questions, sender));
        let answers = sent.ok().and_then(|()| answers.recv().ok());
        answers.unwrap_or_else(|| Err("the names of its functions could not be read".to_owned()))
    }
}

/// Answers until no question can come.
fn answer(source: &Source, jobs: &Receiver<Job>) {
    let (Ok(machine), Ok(trace)) = (source.machine(), source.plain()) else { return };
    let clock = *trace.clock();
    let Ok(store) = source.store() else { return };
    let Ok(symbols) = source.symbols(store.as_ref()) else { return };
    let places = Places { machine, symbols: &symbols };
    while let Ok(Job(questions, answers)) = jobs.recv() {
        let has_stacks = questions.iter().any(|question| matches!(question, Question::Stack(_)));
        let walks = match has_stacks.then(|| source.walks()).transpose() {
            Ok(walks) => walks,
            Err(error) => {
                // A caller that went away needs no answer.
                let _ = answers.send(Err(error.to_string()));
                continue;
            }
        };
        let mut known: BTreeMap<Question, Option<String>> = BTreeMap::new();
        let all = questions.into_iter().map(|question| {
            let find = || match question {
                Question::Stack(id) => stack(walks?, &places, id),
                Question::Address { pid, address, time } => {
                    places.name(pid, address, clock.raw_at(time), false)
                }
            };
            known.entry(question).or_insert_with(find).clone()
        });
        let all = all.collect();
        source.note(store.as_ref());
        let _ = answers.send(Ok(all));
    }
}

/// The text of a stack. A name stays on its line.
fn stack(walks: &Walks, places: &Places<'_>, id: u32) -> Option<String> {
    let walk = walks.all().get(id as usize)?;
    let mut text = String::new();
    for (position, address) in walks.frames(walk).iter().enumerate() {
        if position > 0 {
            text.push('\n');
        }
        match places.name(walk.pid.unwrap_or(0), *address, walk.time, position > 0) {
            Some(name) => text.push_str(&escape(&name, Keep::Nothing)),
            None => text.push_str(&format!("{address:#x}")),
        }
    }
    Some(text)
}
